// SPDX-License-Identifier: MIT

#include "results/format.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

bool writer_is_formula(const char *text)
{
    double number;
    if (*text == '+' || *text == '-')
        return text[1] && !number_read(text + 1, strlen(text + 1), &number);
    return *text == '=' || *text == '@' || *text == '\t' || *text == '\r';
}

void writer_csv_field(FILE *stream, const char *text)
{
    const bool is_formula = writer_is_formula(text);
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, "%s%s", is_formula ? " " : "", text);
        return;
    }
    fputs(is_formula ? "\" " : "\"", stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

// 17 digits read back as the same double, whatever the locale of a program with Saltus inside. NaN
// is without its sign, which carries no meaning.
const char *writer_number(double value, char text[WRITER_NUMBER])
{
    if (isnan(value))
        return "nan";
    number_print(value, text);
    return text;
}

void writer_csv_number(FILE *stream, double value)
{
    char text[WRITER_NUMBER];
    fputs(writer_number(value, text), stream);
}

void writer_json_number(FILE *stream, double value)
{
    if (isfinite(value))
        writer_csv_number(stream, value);
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
// Writers
// ---------------------------------------------------------------------------

static Writer *writer_make(const WriterDef *def)
{
    const SaltusAllocator allocator = memory_default();
    Writer *w = MEMORY_NEW(&allocator, 1, Writer);
    if (!w)
        return NULL;
    w->allocator = allocator;
    w->pool.allocator = &w->allocator;
    w->def = *def;
    w->format = format_of(def->format);
    for (size_t i = 0; i < def->column_count; i++)
        w->word_column_count += def->columns[i].kind == TABLE_WORDS;
    w->first = w->last = NAN;
    return w;
}

static void writer_destroy(Writer *w)
{
    const SaltusAllocator allocator = w->allocator;
    free(w->message);
    memory_pool_free(&w->pool);
    memory_free(&allocator, w);
}

Writer *writer_create(const WriterDef *def, char **message)
{
    Writer *w = writer_make(def);
    if (!w) {
        message_set(message, "out of memory");
        return NULL;
    }
    if (atomic_open(&w->file, def->path, &w->message) && w->format->begin(w))
        return w;
    message_set(message, "%s", message_text(w->message));
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

bool writer_close(Writer *w, char **message)
{
    bool is_fine = false;
    if (!w->has_failed && w->format->end(w))
        is_fine = atomic_commit(&w->file, &w->message);
    if (is_fine)
        writer_destroy(w);
    else {
        message_set(message, "%s", message_text(w->message));
        writer_discard(w);
    }
    return is_fine;
}

void writer_discard(Writer *w)
{
    atomic_discard(&w->file);
    writer_destroy(w);
}
