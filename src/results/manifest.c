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
        sha256_add(&sum, m->texts[i]->text, m->texts[i]->length);
        sha256_end(&sum, digest);
        sha256_text(digest, hash);
        fputs(i ? ",\n{\"file\":" : "\n{\"file\":", out);
        writer_json_string(out, m->texts[i]->name);
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
            writer_json_number(out, m->settings[i].value);
    }
    fputs("},\n\"seed\":", out);
    if (m->seed)
        fprintf(out, "%llu", (unsigned long long)*m->seed);
    else
        fputs("null", out);
}

static void manifest_write_columns(FILE *out, const TableHeading *columns, size_t count)
{
    fputs(",\"columns\":[", out);
    for (size_t i = 0; i < count; i++) {
        const TableHeading *column = &columns[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
        writer_json_string(out, column->name);
        fputs(",\"unit\":", out);
        manifest_write_text(out, column->unit);
        fputs(",\"description\":", out);
        manifest_write_text(out, column->description);
        fputs(column->is_boolean ? ",\"type\":\"Boolean\"}" : "}", out);
    }
    fputc(']', out);
}

static void manifest_write_results(FILE *out, const Manifest *m)
{
    fputs(",\n\"results\":[", out);
    if (m->table) {
        fputs("\n{\"file\":", out);
        writer_json_string(out, m->table);
        manifest_write_columns(out, m->columns, m->column_count);
        fputc('}', out);
    }
    if (m->log) {
        fputs(m->table ? ",\n{\"file\":" : "\n{\"file\":", out);
        writer_json_string(out, m->log);
        fputs(",\"columns\":[]}", out);
    }
    fputc(']', out);
}

static void manifest_write_all(FILE *out, const Manifest *m)
{
    fprintf(out,
            "{\"schema\":\"saltus-manifest\",\"version\":2,\n\"saltus\":\"%s\",\n\"command\":[",
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
    manifest_write_results(out, m);
    fputs("}\n", out);
}

bool manifest_write(const Manifest *m, char **message)
{
    AtomicFile file;
    if (!atomic_open(&file, m->path, message))
        return false;
    manifest_write_all(file.stream, m);
    return atomic_commit(&file, message);
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

static void describe(Table *table, const Json *columns)
{
    // They are those of the file, in their order.
    const Json *next = columns->first;
    for (size_t i = 0; i < table->column_count && next; i++) {
        TableHeading *heading = &table->columns[i].heading;
        const char *name = json_member_text(next, "name");
        if (!name || strcmp(name, heading->name) != 0)
            return;
        heading->unit = memory_pool_text(&table->pool, json_member_text(next, "unit"));
        heading->description =
            memory_pool_text(&table->pool, json_member_text(next, "description"));
        const char *type = json_member_text(next, "type");
        heading->is_boolean = type && strcmp(type, "Boolean") == 0;
        next = next->next;
    }
}

static const char *manifest_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The columns of a result, by its name; NULL: it has none.
static const Json *manifest_find_columns(const Json *manifest, const char *result)
{
    const char *schema = json_member_text(manifest, "schema");
    const Json *results = json_member(manifest, "results");
    if (!schema || strcmp(schema, "saltus-manifest") != 0 || !results ||
        results->kind != JSON_ARRAY)
        return NULL;
    for (const Json *r = results->first; r; r = r->next) {
        const char *file = json_member_text(r, "file");
        const Json *columns = json_member(r, "columns");
        if (file && columns && columns->kind == JSON_ARRAY &&
            strcmp(manifest_base_name(file), manifest_base_name(result)) == 0)
            return columns;
    }
    return NULL;
}

// The whole file; NULL: there is none, or it is too large to be one.
static char *manifest_read(const char *path, size_t *length)
{
    enum { MOST_BYTES = 64 << 20 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    struct stat info;
    char *text = NULL;
    if (fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && info.st_size < MOST_BYTES)
        text = malloc((size_t)info.st_size + 1);
    *length = text ? fread(text, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    return text;
}

void manifest_describe_from(Table *table, const char *result, const char *path)
{
    size_t length;
    char *text = manifest_read(path, &length);
    MemoryPool pool = {.allocator = &table->allocator};
    const Json *manifest = text ? json_parse(&pool, text, length) : NULL;
    const Json *columns = manifest ? manifest_find_columns(manifest, result) : NULL;
    if (columns) {
        describe(table, columns);
        if (json_member_text(manifest, "model"))
            table->title = memory_pool_text(&table->pool, json_member_text(manifest, "model"));
    }
    memory_pool_free(&pool);
    free(text);
}

void manifest_describe(Table *table, const char *result)
{
    static const char name[] = "manifest.json";
    if (atomic_is_stream(result))
        return;
    const size_t folder = (size_t)(manifest_base_name(result) - result);
    char *path = malloc(folder + sizeof name);
    if (!path)
        return;
    memcpy(path, result, folder);
    memcpy(path + folder, name, sizeof name);
    manifest_describe_from(table, result, path);
    free(path);
}
