// SPDX-License-Identifier: MIT
//
// Source files and positions in them.
//
// All files of a compilation share one space of positions: file after file, each byte has a
// number, so a span of eight bytes says where something stands and in which file. Position 0 is
// "nowhere". A file's text is followed by a zero byte, which the lexer relies on.

#ifndef SALTUS_BASE_SOURCE_H
#define SALTUS_BASE_SOURCE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// The bytes [begin, end). {0, 0}: nowhere, as in a tree that was not parsed.
typedef struct Span {
    uint32_t begin;
    uint32_t end;
} Span;

typedef struct SourceFile {
    const char *name; // as it was given
    const char *text; // zero-terminated
    uint32_t length;
    uint32_t base;         // position of its first byte
    uint32_t line_count;   // at least 1
    const uint32_t *lines; // offsets of the lines' first bytes
} SourceFile;

typedef struct Sources Sources;

// Where a position is, for people: lines and columns count from 1, columns in characters.
typedef struct SourcePlace {
    const SourceFile *file; // NULL: nowhere
    uint32_t line;
    uint32_t column;
} SourcePlace;

enum { SOURCE_MOST_BYTES = 1 << 28 };

typedef enum SourceStatus {
    SOURCE_OK,
    SOURCE_UNREADABLE, // errno says why
    SOURCE_TOO_LARGE,  // all files together have SOURCE_MOST_BYTES
    SOURCE_NO_MEMORY,
} SourceStatus;

Sources *sources_create(Arena *arena);
// Copies `text`, which may contain anything.
SourceStatus sources_add(Sources *sources, const char *name, const char *text, size_t length,
                         const SourceFile **file);
SourceStatus sources_read(Sources *sources, const char *path, const SourceFile **file);

size_t sources_count(const Sources *sources);
const SourceFile *sources_file(const Sources *sources, size_t index);

const SourceFile *sources_find(const Sources *sources, uint32_t position); // NULL: nowhere
SourcePlace sources_locate(const Sources *sources, uint32_t position);
String sources_text(const Sources *sources, Span span); // the bytes themselves
// Line `line` (from 1) without its line break.
String source_line(const SourceFile *file, uint32_t line);

static inline bool span_is_known(Span span)
{
    return span.begin != 0;
}
// From the beginning of one to the end of the other.
static inline Span span_join(Span first, Span last)
{
    return (Span){first.begin, last.end};
}

#endif
