// SPDX-License-Identifier: MIT
//
// Lines end with LF, CR LF or CR. A byte order mark at the beginning belongs to no column.

#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct Sources {
    Arena *arena;
    SourceFile **files;
    size_t count;
    size_t capacity;
    uint32_t next_base;
};

Sources *sources_create(Arena *arena)
{
    Sources *sources = ARENA_NEW(arena, Sources);
    if (sources)
        *sources = (Sources){.arena = arena, .next_base = 1};
    return sources;
}

// Whether a line begins behind text[i].
static bool ends_line(const char *text, uint32_t i)
{
    return text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
}

static void find_lines(Arena *arena, SourceFile *file)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < file->length; i++)
        count += ends_line(file->text, i);
    uint32_t *lines = ARENA_ARRAY(arena, count, uint32_t);
    uint32_t n = 1;
    for (uint32_t i = 0; i < file->length; i++)
        if (ends_line(file->text, i))
            lines[n++] = i + 1;
    file->lines = lines;
    file->line_count = count;
}

// What does not end, such as /dev/zero, is not read until there is no memory; what is made of a
// text takes a multiple of its size.
static bool source_fits(const Sources *sources, size_t length)
{
    return length < SOURCE_MOST_BYTES - sources->next_base;
}

static const SourceFile *source_append(Sources *sources, const char *name, const char *text,
                                       size_t length)
{
    SourceFile *file = ARENA_NEW(sources->arena, SourceFile);
    file->name = arena_copy_text(sources->arena, name, strlen(name));
    file->text = text;
    file->length = (uint32_t)length;
    file->base = sources->next_base;
    find_lines(sources->arena, file);
    if (sources->count == sources->capacity) {
        size_t capacity = sources->capacity ? sources->capacity * 2 : 8;
        sources->files =
            arena_grow(sources->arena, sources->files, sources->capacity * sizeof(SourceFile *),
                       capacity * sizeof(SourceFile *));
        sources->capacity = capacity;
    }
    sources->files[sources->count++] = file;
    // One position behind the last byte is the end of the file.
    sources->next_base += (uint32_t)length + 1;
    return file;
}

SourceStatus sources_add(Sources *sources, const char *name, const char *text, size_t length,
                         const SourceFile **file)
{
    if (!source_fits(sources, length))
        return SOURCE_TOO_LARGE;
    jmp_buf exhaustion;
    jmp_buf *outer = arena_on_exhaustion(sources->arena, &exhaustion);
    volatile SourceStatus status = SOURCE_NO_MEMORY;
    if (setjmp(exhaustion) == 0) {
        *file = source_append(sources, name, arena_copy_text(sources->arena, text, length), length);
        status = SOURCE_OK;
    }
    arena_on_exhaustion(sources->arena, outer);
    return status;
}

// Reads all of an open stream whose size may be unknown (a pipe).
static SourceStatus read_stream(Sources *sources, FILE *stream, const char *path,
                                const SourceFile **file)
{
    StringBuilder text = builder_create(sources->arena);
    char part[16384];
    size_t n;
    while ((n = fread(part, 1, sizeof part, stream)) > 0) {
        builder_append(&text, part, n);
        if (!source_fits(sources, text.length))
            return SOURCE_TOO_LARGE;
    }
    if (ferror(stream))
        return SOURCE_UNREADABLE;
    *file = source_append(sources, path, builder_string(&text).text, text.length);
    return SOURCE_OK;
}

static SourceStatus check_readable(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return SOURCE_UNREADABLE;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return SOURCE_UNREADABLE;
    }
    return SOURCE_OK;
}

SourceStatus sources_read(Sources *sources, const char *path, const SourceFile **file)
{
    if (check_readable(path) != SOURCE_OK)
        return SOURCE_UNREADABLE;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return SOURCE_UNREADABLE;
    jmp_buf exhaustion;
    jmp_buf *outer = arena_on_exhaustion(sources->arena, &exhaustion);
    volatile SourceStatus status = SOURCE_NO_MEMORY;
    if (setjmp(exhaustion) == 0)
        status = read_stream(sources, stream, path, file);
    arena_on_exhaustion(sources->arena, outer);
    int error = errno;
    fclose(stream);
    errno = error;
    return status;
}

size_t sources_count(const Sources *sources)
{
    return sources->count;
}

const SourceFile *sources_file(const Sources *sources, size_t index)
{
    return sources->files[index];
}

const SourceFile *sources_find(const Sources *sources, uint32_t position)
{
    if (position == 0 || position >= sources->next_base)
        return NULL;
    size_t low = 0, high = sources->count; // files[low]->base <= position < files[high]->base
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (sources->files[middle]->base <= position)
            low = middle;
        else
            high = middle;
    }
    return sources->files[low];
}

static uint32_t source_line_of(const SourceFile *file, uint32_t offset)
{
    uint32_t low = 0, high = file->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (file->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

// Where the characters of a line begin: behind the mark in the first.
static uint32_t line_start(const SourceFile *file, uint32_t line)
{
    uint32_t start = file->lines[line - 1];
    if (line == 1 && file->length >= 3 && memcmp(file->text, "\xEF\xBB\xBF", 3) == 0)
        return 3;
    return start;
}

SourcePlace sources_locate(const Sources *sources, uint32_t position)
{
    const SourceFile *file = sources_find(sources, position);
    if (!file)
        return (SourcePlace){0};
    uint32_t offset = position - file->base;
    uint32_t line = source_line_of(file, offset);
    uint32_t start = line_start(file, line);
    size_t characters = offset > start ? utf8_count(file->text + start, offset - start) : 0;
    return (SourcePlace){file, line, (uint32_t)characters + 1};
}

String sources_text(const Sources *sources, Span span)
{
    const SourceFile *file = sources_find(sources, span.begin);
    if (!file || span.end < span.begin || span.end - file->base > file->length)
        return (String){0};
    return (String){file->text + (span.begin - file->base), span.end - span.begin};
}

String source_line(const SourceFile *file, uint32_t line)
{
    uint32_t start = line_start(file, line);
    uint32_t end = line < file->line_count ? file->lines[line] : file->length;
    while (end > start && (file->text[end - 1] == '\n' || file->text[end - 1] == '\r'))
        end--;
    return (String){file->text + start, end - start};
}
