// SPDX-License-Identifier: MIT

#include "results/writer_parts.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

void writer_csv_field(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

// 17 digits read back as the same double, whatever the locale of a program with Saltus inside.
static void print_number(FILE *stream, double value)
{
    char text[NUMBER_LENGTH];
    const size_t length = number_print(value, text);
    fwrite(text, 1, length, stream);
}

void writer_csv_number(FILE *stream, double value)
{
    if (isnan(value)) // without a sign, which carries no meaning
        fputs("nan", stream);
    else
        print_number(stream, value);
}

void writer_json_number(FILE *stream, double value)
{
    if (isfinite(value))
        print_number(stream, value);
    else
        fputs("null", stream);
}

void writer_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", stream);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(stream, "\\u%04x", *c);
        else
            fputc(*c, stream);
    }
    fputc('"', stream);
}

// ---------------------------------------------------------------------------
// CSV
// ---------------------------------------------------------------------------

static bool begin_csv(Writer *w)
{
    for (size_t i = 0; i < w->def.column_count; i++) {
        if (i)
            fputc(',', w->file.stream);
        writer_csv_field(w->file.stream, w->def.columns[i].name);
    }
    fputc('\n', w->file.stream);
    return true;
}

static void row_csv(Writer *w, const double *values, const char *const *words)
{
    for (size_t i = 0; i < w->def.column_count; i++) {
        if (i)
            fputc(',', w->file.stream);
        if (w->def.columns[i].kind == TABLE_WORDS)
            writer_csv_field(w->file.stream, *words++);
        else
            writer_csv_number(w->file.stream, values[i]);
    }
    fputc('\n', w->file.stream);
}

static bool end_csv(Writer *w)
{
    (void)w;
    return true;
}

const WriterFormat writer_csv = {begin_csv, row_csv, end_csv};

// ---------------------------------------------------------------------------
// JSON: an object with the headings first and one array per row
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

const WriterFormat writer_json = {begin_json, row_json, end_json};

// ---------------------------------------------------------------------------
// Writers
// ---------------------------------------------------------------------------

static Writer *make(const WriterDef *def)
{
    static const WriterFormat *const formats[] = {
        [TABLE_CSV] = &writer_csv, [TABLE_MAT] = &writer_mat, [TABLE_JSON] = &writer_json};
    const SaltusAllocator allocator = memory_default();
    Writer *w = MEMORY_NEW(&allocator, 1, Writer);
    if (!w)
        return NULL;
    w->allocator = allocator;
    w->pool.allocator = &w->allocator;
    w->def = *def;
    w->format = formats[def->format];
    for (size_t i = 0; i < def->column_count; i++)
        w->word_column_count += def->columns[i].kind == TABLE_WORDS;
    w->first = w->last = NAN;
    return w;
}

static void destroy(Writer *w)
{
    const SaltusAllocator allocator = w->allocator;
    for (size_t i = 0; w->words && i < w->word_column_count; i++)
        memory_free(&allocator, w->words[i].items);
    memory_pool_free(&w->pool);
    memory_free(&allocator, w);
}

Writer *writer_create(const WriterDef *def, char message[ATOMIC_MESSAGE])
{
    Writer *w = make(def);
    if (!w) {
        snprintf(message, ATOMIC_MESSAGE, "out of memory");
        return NULL;
    }
    if (atomic_open(&w->file, def->path) && w->format->begin(w))
        return w;
    snprintf(message, ATOMIC_MESSAGE, "%s", w->file.message);
    writer_discard(w);
    return NULL;
}

void writer_row(Writer *w, const double *values, const char *const *words)
{
    if (w->row_count == 0)
        w->first = values[0];
    w->last = values[0];
    w->format->row(w, values, words);
    w->row_count++;
}

bool writer_is_fine(const Writer *w)
{
    return !w->has_failed && !ferror(w->file.stream);
}

bool writer_close(Writer *w, char message[ATOMIC_MESSAGE])
{
    bool is_fine = false;
    if (w->has_failed)
        snprintf(w->file.message, sizeof w->file.message, "out of memory");
    else if (w->format->end(w))
        is_fine = atomic_commit(&w->file);
    if (is_fine)
        destroy(w);
    else {
        snprintf(message, ATOMIC_MESSAGE, "%s", w->file.message);
        writer_discard(w);
    }
    return is_fine;
}

void writer_discard(Writer *w)
{
    atomic_discard(&w->file);
    destroy(w);
}
