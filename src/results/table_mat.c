// SPDX-License-Identifier: MIT
//
// Reads MATLAB version 4 files in the layout of Dymola; writer_mat.c describes it. Files of other
// tools may be big endian, single precision, not transposed ("binNormal"), and have variables that
// are others with the sign changed (a negative row in dataInfo).

#include "base/mat.h"
#include "results/table_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MATRICES = 64 };

typedef struct MatFile {
    const TableSource *source;
    MatMatrix matrices[MOST_MATRICES];
    size_t count;
    bool is_transposed; // "binTrans": one variable per row of the data
    // Found among the matrices:
    const MatMatrix *names, *descriptions, *places, *data[3]; // data[1] and data[2]
    size_t variable_count;
    double **values; // of the rows of data_2 that were read: as they are, with the sign changed
    size_t *worded;  // the columns that have the words of these rows, counted from 1
} MatFile;

// Of variable i of a matrix of variables: its element k.
static double variable_element(const MatFile *f, const MatMatrix *m, size_t i, size_t k)
{
    return f->is_transposed ? mat_element(m, i, k) : mat_element(m, k, i);
}

// Text i of a matrix with one text per row, or per column. The pool has it; NULL: out of memory.
static char *matrix_text(MemoryPool *pool, const MatMatrix *m, size_t i, bool is_transposed)
{
    const size_t length = is_transposed ? m->rows : m->columns;
    char *text = memory_pool_new(pool, length + 1, 1);
    if (!text)
        return NULL;
    for (size_t k = 0; k < length; k++) {
        const double code = is_transposed ? mat_element(m, k, i) : mat_element(m, i, k);
        text[k] = code >= 1.0 && code < 256.0 ? (char)(unsigned char)code : ' ';
    }
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == ' ')
        text[--end] = '\0';
    return text;
}

// For mat_each: keeps it.
static bool keep_matrix(void *data, const MatMatrix *m)
{
    MatFile *f = data;
    if (f->count < MOST_MATRICES)
        f->matrices[f->count++] = *m;
    return true;
}

static const MatMatrix *find_matrix(const MatFile *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->matrices[i].name, name) == 0)
            return &f->matrices[i];
    return NULL;
}

bool table_looks_like_mat(const TableSource *source)
{
    static const char name[] = "Aclass";
    enum { BEFORE_NAME = 20 };
    return source->length > BEFORE_NAME + sizeof name &&
           memcmp(source->bytes + BEFORE_NAME, name, sizeof name) == 0;
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static size_t text_count(const MatFile *f, const MatMatrix *m)
{
    return f->is_transposed ? m->columns : m->rows;
}

static bool find_layout(MatFile *f, Table *table)
{
    const MatMatrix *class_matrix = find_matrix(f, "Aclass");
    const char *kind =
        class_matrix->rows >= 4 ? matrix_text(&table->pool, class_matrix, 3, false) : "";
    if (!kind)
        return table_out_of_memory(f->source);
    f->is_transposed = strcmp(kind, "binTrans") == 0;
    if (!f->is_transposed && strcmp(kind, "binNormal") != 0)
        return table_complain(f->source, 0, "no trajectory: Aclass says '%s'", kind);
    f->names = find_matrix(f, "name");
    f->descriptions = find_matrix(f, "description");
    f->places = find_matrix(f, "dataInfo");
    f->data[1] = find_matrix(f, "data_1");
    f->data[2] = find_matrix(f, "data_2");
    if (!f->names || !f->places || !f->data[2])
        return table_complain(f->source, 0, "no trajectory: name, dataInfo or data_2 is missing");
    f->variable_count = text_count(f, f->names);
    if (f->variable_count == 0 || text_count(f, f->places) != f->variable_count ||
        (f->is_transposed ? f->places->rows : f->places->columns) < 2 ||
        (f->descriptions && text_count(f, f->descriptions) != f->variable_count))
        return table_complain(f->source, 0, "name, description and dataInfo do not agree");
    return true;
}

// Splits "what it is [unit]"; a display unit after a bar is dropped.
static void split_description(TableHeading *heading, char *text)
{
    char *open = strrchr(text, '[');
    const size_t length = strlen(text);
    if (open && text[length - 1] == ']') {
        text[length - 1] = '\0';
        char *bar = strchr(open, '|');
        if (bar)
            *bar = '\0';
        heading->unit = open[1] ? open + 1 : NULL;
        while (open > text && open[-1] == ' ')
            open--;
        *open = '\0';
    }
    heading->description = *text ? text : NULL;
}

static bool table_mat_read_heading(Table *table, const MatFile *f, size_t i, TableHeading *heading)
{
    char *name = matrix_text(&table->pool, f->names, i, f->is_transposed);
    char *text = f->descriptions ? matrix_text(&table->pool, f->descriptions, i, f->is_transposed)
                                 : memory_pool_text(&table->pool, "");
    if (!name || !text)
        return table_out_of_memory(f->source);
    heading->name = name;
    split_description(heading, text);
    return true;
}

// The words of a column, if the file has them. Variables that are the same share them.
static bool table_mat_read_words(Table *table, const MatFile *f, TableColumn *column, size_t row,
                                 size_t *known)
{
    if (*known) {
        const TableColumn *other = &table->columns[*known - 1];
        column->words = other->words;
        column->word_count = other->word_count;
        column->heading.kind = other->heading.kind;
        return true;
    }
    *known = (size_t)(column - table->columns) + 1;
    char name[40];
    snprintf(name, sizeof name, "text_%zu", row + 1);
    const MatMatrix *m = find_matrix(f, name);
    if (!m)
        return true;
    column->words = MEMORY_POOL_NEW(&table->pool, m->columns + 1, const char *);
    for (size_t i = 0; column->words && i < m->columns; i++)
        if (!(column->words[column->word_count++] = matrix_text(&table->pool, m, i, true)))
            return table_out_of_memory(f->source);
    if (!column->words)
        return table_out_of_memory(f->source);
    column->heading.kind = TABLE_WORDS;
    for (size_t k = 0; k < table->row_count; k++)
        if (!(column->values[k] >= 0.0 && column->values[k] < (double)column->word_count &&
              column->values[k] == floor(column->values[k])))
            return table_complain(f->source, 0, "%s: no word has the number %g",
                                  column->heading.name, column->values[k]);
    return true;
}

// The values of a row of data_2. Variables that are the same share them.
static double *row_values(Table *table, const MatFile *f, const MatMatrix *data, size_t row,
                          double sign, double **known)
{
    if (*known)
        return *known;
    *known = MEMORY_POOL_NEW(&table->pool, table->row_count, double);
    for (size_t k = 0; *known && k < table->row_count; k++)
        (*known)[k] = sign * variable_element(f, data, row, k);
    return *known;
}

static bool read_variable(Table *table, const MatFile *f, size_t i)
{
    const double which = variable_element(f, f->places, 0, i),
                 place = variable_element(f, f->places, 1, i);
    const int matrix = which == 1.0 ? 1 : 2; // 0: the abscissa, in both
    const MatMatrix *data = f->data[matrix];
    const size_t row = fabs(place) >= 1.0 && fabs(place) < 1e9 ? (size_t)fabs(place) - 1 : SIZE_MAX;
    TableHeading heading = {0};
    if (!table_mat_read_heading(table, f, i, &heading))
        return false;
    if (!data || row >= (f->is_transposed ? data->rows : data->columns) ||
        (matrix == 1 && (f->is_transposed ? data->columns : data->rows) == 0))
        return table_complain(f->source, 0, "%s: there is no row %g in data_%d", heading.name,
                              place, matrix);
    const double sign = place < 0.0 ? -1.0 : 1.0;
    if (matrix == 1) {
        table->constants[table->constant_count++] =
            (TableConstant){heading, sign * variable_element(f, data, row, 0)};
        return true;
    }
    TableColumn *column = &table->columns[table->column_count++];
    column->heading = heading;
    const size_t known = 2 * row + (sign < 0);
    column->values = row_values(table, f, data, row, sign, &f->values[known]);
    if (!column->values)
        return table_out_of_memory(f->source);
    return table_mat_read_words(table, f, column, row, &f->worded[known]);
}

bool table_parse_mat(Table *table, const TableSource *source)
{
    MatFile f = {.source = source};
    const char *message;
    if (!mat_each((const unsigned char *)source->bytes, source->length, keep_matrix, &f, &message))
        return table_complain(source, 0, "%s", message);
    if (!find_layout(&f, table))
        return false;
    const MatMatrix *data = f.data[2];
    if (!data) // it was looked for
        return false;
    table->row_count = f.is_transposed ? data->columns : data->rows;
    table->columns = MEMORY_POOL_NEW(&table->pool, f.variable_count, TableColumn);
    table->constants = MEMORY_POOL_NEW(&table->pool, f.variable_count, TableConstant);
    const size_t rows = f.is_transposed ? data->rows : data->columns;
    f.values = MEMORY_POOL_NEW(&table->pool, 2 * rows, double *);
    f.worded = MEMORY_POOL_NEW(&table->pool, 2 * rows, size_t);
    if (!table->columns || !table->constants || !f.values || !f.worded)
        return table_out_of_memory(source);
    for (size_t i = 0; i < f.variable_count; i++)
        if (!read_variable(table, &f, i))
            return false;
    if (table->column_count == 0 || variable_element(&f, f.places, 0, 0) == 1.0)
        return table_complain(source, 0, "the first variable must be the time");
    return true;
}
