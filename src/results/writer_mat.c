// SPDX-License-Identifier: MIT
//
// MATLAB version 4 files in the layout of Dymola ("binTrans"), which OpenModelica, DyMat and others
// read. A file is a sequence of matrices, each of them
//
//   int32 type, rows, columns, 0, length of the name with its zero byte; the name; the elements
//   column by column. type = 1000 (0: little endian, 1: big endian) + 10 (0: double, 2: int32,
//   5: bytes) + (0: numbers, 1: text).
//
//   Aclass       4 x 11    text  "Atrajectory", "1.1", "", "binTrans" in its rows
//   name         L x n     text  one name per column, filled up with spaces
//   description  L x n     text  "what it is [unit]"
//   dataInfo     4 x n     int32 matrix (0: abscissa, 1, 2), row in it from 1, 0, 0 or -1 (beyond
//                                the ends: constant, or not defined)
//   data_1       m x 2           abscissa and constants, at the beginning and at the end
//   data_2       k x rows        abscissa and columns
//   text_3       L x w     text  the words of row 3 of data_2, which has their numbers from 0: an
//                                extension, which readers of this layout do not look at
//
// Sizes that are not known before the end are filled in then, so the file must be seekable.

#include "base/message.h"
#include "results/format.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

typedef struct WriterMat {
    struct {
        const char **items; // the words that a column had so far
        size_t count, room;
    } * words;                       // of the columns of words
    double *buffer;                  // one row
    long data_1_place, data_2_place; // in the file
} WriterMat;

static WriterMat *mat_of(const Writer *w)
{
    return w->own;
}

enum { TYPE_DOUBLE = 0, TYPE_INT32 = 20, TYPE_TEXT = 51 };

static void write_header(Writer *w, int type, size_t rows, size_t columns, const char *name)
{
    const union {
        uint16_t number;
        unsigned char bytes[2];
    } probe = {.number = 1};
    if (rows > INT32_MAX || columns > INT32_MAX)
        w->has_failed = true;
    const int32_t header[5] = {(probe.bytes[0] ? 0 : 1000) + type, (int32_t)rows, (int32_t)columns,
                               0, (int32_t)strlen(name) + 1};
    fwrite(header, sizeof *header, 5, w->file.stream);
    fwrite(name, 1, strlen(name) + 1, w->file.stream);
}

static void write_padded(FILE *out, const char *text, size_t width)
{
    const size_t length = strlen(text);
    fwrite(text, 1, length, out);
    for (size_t i = length; i < width; i++)
        fputc(' ', out);
}

static const TableHeading *writer_mat_heading(const Writer *w, size_t i)
{
    return i < w->def.column_count ? &w->def.columns[i]
                                   : &w->def.constants[i - w->def.column_count].heading;
}

static size_t description_length(const TableHeading *h)
{
    return (h->description ? strlen(h->description) + 1 : 0) + (h->unit ? strlen(h->unit) + 2 : 0);
}

static void write_names(Writer *w)
{
    const size_t count = w->def.column_count + w->def.constant_count;
    size_t width = 1, wide = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t name = strlen(writer_mat_heading(w, i)->name);
        const size_t description = description_length(writer_mat_heading(w, i));
        width = name > width ? name : width;
        wide = description > wide ? description : wide;
    }
    write_header(w, TYPE_TEXT, width, count, "name");
    for (size_t i = 0; i < count; i++)
        write_padded(w->file.stream, writer_mat_heading(w, i)->name, width);
    write_header(w, TYPE_TEXT, wide, count, "description");
    for (size_t i = 0; i < count; i++) {
        const TableHeading *h = writer_mat_heading(w, i);
        FILE *out = w->file.stream;
        if (h->description)
            fprintf(out, "%s ", h->description);
        if (h->unit)
            fprintf(out, "[%s]", h->unit);
        write_padded(out, "", wide - description_length(h));
    }
}

static void write_places(Writer *w)
{
    const size_t count = w->def.column_count + w->def.constant_count;
    write_header(w, TYPE_INT32, 4, count, "dataInfo");
    for (size_t i = 0; i < count; i++) {
        const bool is_constant = i >= w->def.column_count;
        const size_t row = is_constant ? i - w->def.column_count + 2 : i + 1;
        const int32_t info[4] = {i == 0        ? 0
                                 : is_constant ? 1
                                               : 2,
                                 (int32_t)row, 0, is_constant ? 0 : -1};
        fwrite(info, sizeof *info, 4, w->file.stream);
    }
}

static void write_constants(Writer *w)
{
    mat_of(w)->data_1_place = ftell(w->file.stream);
    write_header(w, TYPE_DOUBLE, w->def.constant_count + 1, 2, "data_1");
    const double ends[2] = {w->first, w->last};
    for (int k = 0; k < 2; k++) {
        fwrite(&ends[k], sizeof *ends, 1, w->file.stream);
        for (size_t i = 0; i < w->def.constant_count; i++)
            fwrite(&w->def.constants[i].value, sizeof(double), 1, w->file.stream);
    }
}

static bool begin_mat(Writer *w)
{
    static const char *const class_rows[4] = {"Atrajectory", "1.1", "", "binTrans"};
    if (!w->file.path || fseek(w->file.stream, 0, SEEK_SET) != 0)
        return message_set(&w->message,
                           "a .mat file cannot be written to standard output or a pipe");
    WriterMat *mat = MEMORY_POOL_NEW(&w->pool, 1, WriterMat);
    if (mat) {
        mat->buffer = MEMORY_POOL_NEW(&w->pool, w->def.column_count, double);
        mat->words = memory_pool_new(&w->pool, w->word_column_count + 1, sizeof *mat->words);
        w->own = mat;
    }
    if (!mat || !mat->buffer || !mat->words)
        return message_set(&w->message, "out of memory");
    write_header(w, TYPE_TEXT, 4, 11, "Aclass");
    for (size_t column = 0; column < 11; column++)
        for (int i = 0; i < 4; i++)
            fputc(column < strlen(class_rows[i]) ? class_rows[i][column] : ' ', w->file.stream);
    write_names(w);
    write_places(w);
    write_constants(w);
    mat_of(w)->data_2_place = ftell(w->file.stream);
    write_header(w, TYPE_DOUBLE, w->def.column_count, 0, "data_2");
    return true;
}

// The number of the word. There are few of them, mostly the last one again.
static size_t writer_mat_word_number(Writer *w, size_t k, const char *text)
{
    WriterMat *mat = mat_of(w);
    const size_t count = mat->words[k].count;
    for (size_t i = count; i-- > 0;)
        if (strcmp(mat->words[k].items[i], text) == 0)
            return i;
    if (count == mat->words[k].room) {
        const size_t room = 2 * count + 16;
        const char **grown = MEMORY_POOL_NEW(&w->pool, room, const char *);
        if (!grown) {
            w->has_failed = true;
            return 0;
        }
        if (count)
            memcpy(grown, mat->words[k].items, count * sizeof *grown);
        mat->words[k].items = grown;
        mat->words[k].room = room;
    }
    const char *copy = memory_pool_text(&w->pool, text);
    if (!copy) {
        w->has_failed = true;
        return 0;
    }
    mat->words[k].items[count] = copy;
    return mat->words[k].count++;
}

static void row_mat(Writer *w, const double *values, const char *const *words)
{
    size_t k = 0;
    for (size_t i = 0; i < w->def.column_count; i++) {
        mat_of(w)->buffer[i] = values[i];
        if (w->def.columns[i].kind == TABLE_WORDS) {
            mat_of(w)->buffer[i] = (double)writer_mat_word_number(w, k, words[k]);
            k++;
        }
    }
    fwrite(mat_of(w)->buffer, sizeof *mat_of(w)->buffer, w->def.column_count, w->file.stream);
}

static void writer_mat_write_words(Writer *w)
{
    size_t k = 0;
    for (size_t i = 0; i < w->def.column_count; i++) {
        if (w->def.columns[i].kind != TABLE_WORDS)
            continue;
        const char *const *words = mat_of(w)->words[k].items;
        const size_t count = mat_of(w)->words[k++].count;
        size_t width = 1;
        for (size_t n = 0; n < count; n++)
            width = strlen(words[n]) > width ? strlen(words[n]) : width;
        char name[40];
        snprintf(name, sizeof name, "text_%zu", i + 1);
        write_header(w, TYPE_TEXT, width, count, name);
        for (size_t n = 0; n < count; n++)
            write_padded(w->file.stream, words[n], width);
    }
}

static bool end_mat(Writer *w)
{
    writer_mat_write_words(w);
    bool is_fine = fseek(w->file.stream, mat_of(w)->data_2_place, SEEK_SET) == 0;
    write_header(w, TYPE_DOUBLE, w->def.column_count, w->row_count, "data_2");
    is_fine = is_fine && fseek(w->file.stream, mat_of(w)->data_1_place, SEEK_SET) == 0;
    write_constants(w);
    if (!is_fine || w->has_failed)
        message_set(&w->message, "cannot write '%s': %s", w->def.path,
                    is_fine ? "too large for this format" : strerror(errno));
    return is_fine && !w->has_failed;
}

static bool mat_looks_like(const TableSource *source)
{
    return table_looks_like_mat(source) || table_looks_like_mat5(source);
}

static bool mat_parse(Table *table, const TableSource *source)
{
    return table_looks_like_mat5(source) ? table_parse_mat5(table, source)
                                         : table_parse_mat(table, source);
}

const Format format_MAT = {.begin = begin_mat,
                           .row = row_mat,
                           .end = end_mat,
                           .looks_like = mat_looks_like,
                           .parse = mat_parse};
