// SPDX-License-Identifier: MIT
//
// Reads tables that were written as JSON: see docs/results.md.

#include "results/format.h"
#include "results/json.h"

#include <math.h>
#include <string.h>

static bool table_looks_like_json(const TableSource *source)
{
    size_t i = 0;
    while (i < source->length && source->bytes[i] && strchr(" \t\r\n", source->bytes[i]))
        i++;
    return i < source->length && source->bytes[i] == '{';
}

static size_t count_items(const Json *list)
{
    size_t count = 0;
    for (const Json *item = list ? list->first : NULL; item; item = item->next)
        count++;
    return count;
}

// False: it has no name.
static bool table_json_read_heading(Table *table, const Json *json, TableHeading *heading)
{
    const char *kind = json_member_text(json, "kind");
    heading->name = memory_pool_text(&table->pool, json_member_text(json, "name"));
    heading->unit = memory_pool_text(&table->pool, json_member_text(json, "unit"));
    heading->description = memory_pool_text(&table->pool, json_member_text(json, "description"));
    heading->kind = kind && strcmp(kind, "word") == 0 ? TABLE_WORDS : TABLE_NUMBERS;
    return heading->name != NULL;
}

static bool read_headings(Table *table, const TableSource *source, const Json *all)
{
    const Json *columns = json_member(all, "columns"), *constants = json_member(all, "constants");
    table->columns = MEMORY_POOL_NEW(&table->pool, count_items(columns), TableColumn);
    table->constants = MEMORY_POOL_NEW(&table->pool, count_items(constants), TableConstant);
    if (!table->columns || !table->constants)
        return table_out_of_memory(source);
    for (const Json *c = columns ? columns->first : NULL; c; c = c->next)
        if (!table_json_read_heading(table, c, &table->columns[table->column_count++].heading))
            return table_complain(source, 0, "column %zu has no name", table->column_count);
    for (const Json *c = constants ? constants->first : NULL; c; c = c->next) {
        TableConstant *constant = &table->constants[table->constant_count++];
        const Json *value = json_member(c, "value");
        constant->value = value && value->kind == JSON_NUMBER ? value->number : NAN;
        if (!table_json_read_heading(table, c, &constant->heading))
            return table_complain(source, 0, "constant %zu has no name", table->constant_count);
    }
    return table->column_count > 0 || table_complain(source, 0, "the table has no columns");
}

// Words are mostly the one of the row before.
static bool set_word(Table *table, const TableSource *source, TableColumn *column, size_t row,
                     const char *text)
{
    size_t i = column->word_count;
    while (i > 0 && strcmp(column->words[i - 1], text) != 0)
        i--;
    if (i == 0) {
        // As many words as rows would take a time that grows with their square.
        enum { MOST_WORDS = 100000 };
        const size_t n = column->word_count;
        if (n >= MOST_WORDS)
            return table_complain(source, 0, "%s has more than %d different words",
                                  column->heading.name, MOST_WORDS);
        if ((n & (n - 1)) == 0) { // the room, a power of two, is used up
            const char **words = MEMORY_POOL_NEW(&table->pool, n ? 2 * n : 1, const char *);
            if (!words)
                return table_out_of_memory(source);
            for (size_t k = 0; k < n; k++)
                words[k] = column->words[k];
            column->words = words;
        }
        column->words[n] = memory_pool_text(&table->pool, text);
        if (!column->words[n])
            return table_out_of_memory(source);
        i = ++column->word_count;
    }
    column->values[row] = (double)(i - 1);
    return true;
}

static bool read_row(Table *table, const TableSource *source, const Json *row, size_t number)
{
    const Json *value = row->first;
    for (size_t i = 0; i < table->column_count; i++, value = value->next) {
        TableColumn *column = &table->columns[i];
        if (!value)
            return table_complain(source, 0, "row %zu has %zu values instead of %zu", number + 1, i,
                                  table->column_count);
        const bool is_word = value->kind == JSON_STRING, is_number = value->kind == JSON_NUMBER;
        if (column->heading.kind == TABLE_WORDS) {
            if (!is_word)
                return table_complain(source, 0, "row %zu: %s must be a string", number + 1,
                                      column->heading.name);
            if (!set_word(table, source, column, number, value->text))
                return false;
        } else if (is_number || value->kind == JSON_NULL) {
            column->values[number] = is_number ? value->number : NAN;
        } else {
            return table_complain(source, 0, "row %zu: %s must be a number", number + 1,
                                  column->heading.name);
        }
    }
    return !value || table_complain(source, 0, "row %zu has more than %zu values", number + 1,
                                    table->column_count);
}

static bool table_json_read_rows(Table *table, const TableSource *source, const Json *rows)
{
    table->row_count = count_items(rows);
    for (size_t i = 0; i < table->column_count; i++)
        if (!(table->columns[i].values = MEMORY_POOL_NEW(&table->pool, table->row_count, double)))
            return table_out_of_memory(source);
    size_t number = 0;
    for (const Json *row = rows ? rows->first : NULL; row; row = row->next)
        if (!read_row(table, source, row, number++))
            return false;
    return true;
}

static bool table_parse_json(Table *table, const TableSource *source)
{
    MemoryPool pool = {.allocator = &table->allocator};
    const Json *all = json_parse(&pool, source->bytes, source->length);
    const char *schema = json_member_text(all, "schema");
    const Json *version = json_member(all, "version");
    bool is_fine = false;
    if (!all)
        table_complain(source, 0, "this is no valid JSON");
    else if (!schema || strcmp(schema, "saltus-table") != 0)
        table_complain(source, 0, "no table: the schema is '%s'", schema ? schema : "");
    else if (!version || version->kind != JSON_NUMBER || version->number != 1.0)
        table_complain(source, 0, "version 1 of the schema was expected");
    else
        is_fine = read_headings(table, source, all) &&
                  table_json_read_rows(table, source, json_member(all, "rows"));
    if (is_fine)
        table->title = memory_pool_text(&table->pool, json_member_text(all, "model"));
    memory_pool_free(&pool);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Writing: an object with the headings first and one array per row
// ---------------------------------------------------------------------------

static void json_heading(FILE *out, const TableHeading *heading)
{
    fputs("{\"name\":", out);
    writer_json_string(out, heading->name);
    if (heading->unit) {
        fputs(",\"unit\":", out);
        writer_json_string(out, heading->unit);
    }
    if (heading->description) {
        fputs(",\"description\":", out);
        writer_json_string(out, heading->description);
    }
}

static bool begin_json(Writer *w)
{
    FILE *out = w->file.stream;
    fputs("{\"schema\":\"saltus-table\",\"version\":1,\"model\":", out);
    if (w->def.title)
        writer_json_string(out, w->def.title);
    else
        fputs("null", out);
    fputs(",\n\"columns\":[", out);
    for (size_t i = 0; i < w->def.column_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_heading(out, &w->def.columns[i]);
        fprintf(out, ",\"kind\":\"%s\"}",
                w->def.columns[i].kind == TABLE_WORDS ? "word" : "number");
    }
    fputs("],\n\"rows\":[", out);
    return true;
}

static void row_json(Writer *w, const double *values, const char *const *words)
{
    FILE *out = w->file.stream;
    fputs(w->row_count ? ",\n[" : "\n[", out);
    for (size_t i = 0; i < w->def.column_count; i++) {
        if (i)
            fputc(',', out);
        if (w->def.columns[i].kind == TABLE_WORDS)
            writer_json_string(out, *words++);
        else
            writer_json_number(out, values[i]);
    }
    fputc(']', out);
}

// Constants come last: what the initialization has to find is not known when the file is begun.
static bool end_json(Writer *w)
{
    FILE *out = w->file.stream;
    fputs("],\n\"constants\":[", out);
    for (size_t i = 0; i < w->def.constant_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_heading(out, &w->def.constants[i].heading);
        fputs(",\"value\":", out);
        writer_json_number(out, w->def.constants[i].value);
        fputc('}', out);
    }
    fputs("]}\n", out);
    return true;
}

const Format format_JSON = {.begin = begin_json,
                            .row = row_json,
                            .end = end_json,
                            .looks_like = table_looks_like_json,
                            .parse = table_parse_json};
