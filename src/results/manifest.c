// SPDX-License-Identifier: MIT

#include "results/manifest.h"

#include "base/sha256.h"
#include "results/json.h"
#include "results/writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------

char *manifest_path(const char *result)
{
    static const char end[] = ".manifest.json";
    if (atomic_is_stream(result))
        return NULL;
    const size_t room = strlen(result) + sizeof end;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s", result, end);
    return path;
}

static void manifest_write_text(FILE *out, const char *text)
{
    if (text)
        writer_json_string(out, text);
    else
        fputs("null", out);
}

static void write_texts(FILE *out, const Manifest *m)
{
    fputs(",\n\"texts\":[", out);
    for (size_t i = 0; i < m->text_count; i++) {
        unsigned char digest[SHA256_SIZE];
        char hash[SHA256_TEXT];
        Sha256 sum = sha256_begin();
        sha256_add(&sum, m->texts[i].text, m->texts[i].length);
        sha256_end(&sum, digest);
        sha256_text(digest, hash);
        fputs(i ? ",\n{\"file\":" : "\n{\"file\":", out);
        writer_json_string(out, m->texts[i].name);
        fprintf(out, ",\"sha256\":\"%s\"}", hash);
    }
    fputc(']', out);
}

static void write_settings(FILE *out, const Manifest *m)
{
    fputs(",\n\"settings\":{", out);
    for (size_t i = 0; i < m->setting_count; i++) {
        fputs(i ? "," : "", out);
        writer_json_string(out, m->settings[i].name);
        fputc(':', out);
        if (m->settings[i].text)
            writer_json_string(out, m->settings[i].text);
        else
            writer_json_number(out, m->settings[i].number);
    }
    fputs("},\n\"seed\":", out);
    if (m->seed)
        fprintf(out, "%llu", (unsigned long long)*m->seed);
    else
        fputs("null", out);
}

static void write_columns(FILE *out, const Manifest *m)
{
    fputs(",\n\"columns\":[", out);
    for (size_t i = 0; i < m->column_count; i++) {
        const TableHeading *column = &m->columns[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
        writer_json_string(out, column->name);
        fputs(",\"unit\":", out);
        manifest_write_text(out, column->unit);
        fputs(",\"description\":", out);
        manifest_write_text(out, column->description);
        fputc('}', out);
    }
    fputc(']', out);
}

static void manifest_write_all(FILE *out, const Manifest *m)
{
    fprintf(out,
            "{\"schema\":\"saltus-manifest\",\"version\":1,\n\"saltus\":\"%s\",\n\"command\":[",
            saltus_version());
    for (size_t i = 0; i < m->command_count; i++) {
        fputs(i ? "," : "", out);
        writer_json_string(out, m->command[i]);
    }
    fputs("],\n\"model\":", out);
    manifest_write_text(out, m->model);
    fputs(",\n\"status\":", out);
    manifest_write_text(out, m->status);
    write_texts(out, m);
    write_settings(out, m);
    write_columns(out, m);
    fputs("}\n", out);
}

bool manifest_write(const Manifest *m, char message[ATOMIC_MESSAGE])
{
    char *path = manifest_path(m->result);
    if (!path)
        return true;
    AtomicFile file;
    bool is_fine = atomic_open(&file, path);
    if (is_fine) {
        manifest_write_all(file.stream, m);
        is_fine = atomic_commit(&file);
    }
    if (!is_fine)
        snprintf(message, ATOMIC_MESSAGE, "%s", file.message);
    free(path);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

static void describe(Table *table, const Json *columns)
{
    // The manifest has the columns of its file, in their order.
    const Json *next = columns->first;
    for (size_t i = 0; i < table->column_count && next; i++) {
        TableHeading *heading = &table->columns[i].heading;
        const char *name = json_member_text(next, "name");
        if (!name || strcmp(name, heading->name) != 0)
            return;
        heading->unit = memory_pool_text(&table->pool, json_member_text(next, "unit"));
        heading->description =
            memory_pool_text(&table->pool, json_member_text(next, "description"));
        next = next->next;
    }
}

void manifest_describe(Table *table, const char *result)
{
    enum { MOST_BYTES = 64 << 20 };
    char *path = manifest_path(result);
    FILE *file = path ? fopen(path, "rb") : NULL;
    free(path);
    if (!file)
        return;
    struct stat info;
    char *text = NULL;
    size_t length = 0;
    if (fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && info.st_size < MOST_BYTES)
        text = malloc((size_t)info.st_size + 1);
    if (text)
        length = fread(text, 1, (size_t)info.st_size, file);
    fclose(file);
    MemoryPool pool = {.allocator = &table->allocator};
    const Json *manifest = text ? json_parse(&pool, text, length) : NULL;
    const char *schema = json_member_text(manifest, "schema");
    const Json *columns = json_member(manifest, "columns");
    if (schema && strcmp(schema, "saltus-manifest") == 0 && columns && columns->kind == JSON_ARRAY)
        describe(table, columns);
    if (manifest && json_member_text(manifest, "model"))
        table->title = memory_pool_text(&table->pool, json_member_text(manifest, "model"));
    memory_pool_free(&pool);
    free(text);
}
