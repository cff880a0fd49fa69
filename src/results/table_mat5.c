// SPDX-License-Identifier: MIT
//
// Reads the variables of a MATLAB file of level 5, as MATLAB (save, up to -v7) and
// scipy.io.savemat write it, as a table.
//
// The variable `time`, or `t`, is the first column. Vectors of its length are columns, matrices
// with as many rows (or columns) have columns x[1], x[2], ...; scalars are constants; members of
// structures have their names (s.x). Nothing else is read: texts, cells, what is complex or has
// another length.

#include "base/mat.h"
#include "results/table_parts.h"

#include <stdio.h>
#include <string.h>

// A few bytes of a compressed file can be very many zeros.
enum { MAT5_MOST_VARIABLES = 10000, MAT5_MOST_COLUMNS = 1000 * 1000, MAT5_MOST_NUMBERS = 1 << 27 };

typedef struct Mat5Variable {
    const char *name;
    size_t rows, columns;
    bool is_boolean;
    double *values; // column by column
} Mat5Variable;

typedef struct Mat5File {
    const TableSource *source;
    Table *table;
    Mat5Variable *variables;
    size_t count, numbers; // in all of them
} Mat5File;

bool table_looks_like_mat5(const TableSource *source)
{
    return mat_is_level_5((const unsigned char *)source->bytes, source->length);
}

// For mat_each: keeps its numbers.
static bool mat5_keep(void *data, const MatMatrix *m)
{
    Mat5File *f = data;
    if (m->is_text || m->is_complex || f->count == MAT5_MOST_VARIABLES)
        return true;
    if (m->rows > (MAT5_MOST_NUMBERS - f->numbers) / m->columns)
        return table_complain(f->source, 0, "it has more than %d numbers", MAT5_MOST_NUMBERS);
    f->numbers += m->rows * m->columns;
    Mat5Variable *v = &f->variables[f->count++];
    *v = (Mat5Variable){.name = memory_pool_text(&f->table->pool, m->name),
                        .rows = m->rows,
                        .columns = m->columns,
                        .is_boolean = m->is_boolean,
                        .values = MEMORY_POOL_NEW(&f->table->pool, m->rows * m->columns, double)};
    if (!v->name || !v->values)
        return table_out_of_memory(f->source);
    for (size_t k = 0; k < m->columns; k++)
        for (size_t i = 0; i < m->rows; i++)
            v->values[k * m->rows + i] = mat_element(m, i, k);
    return true;
}

static const Mat5Variable *mat5_find(const Mat5File *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->variables[i].name, name) == 0)
            return &f->variables[i];
    return NULL;
}

static bool mat5_column(const Mat5File *f, const char *name, double *values, size_t step,
                        bool is_boolean)
{
    Table *table = f->table;
    TableColumn *column = &table->columns[table->column_count++];
    column->heading.name = memory_pool_text(&table->pool, name);
    column->heading.is_boolean = is_boolean;
    column->values = step == 1 ? values : MEMORY_POOL_NEW(&table->pool, table->row_count, double);
    if (!column->heading.name || !column->values)
        return table_out_of_memory(f->source);
    for (size_t i = 0; i < table->row_count && step != 1; i++)
        column->values[i] = values[i * step];
    return true;
}

// How many columns a variable is, and how its values stand in it.
static size_t mat5_width(const Mat5Variable *v, size_t rows, size_t *step, size_t *next)
{
    if (v->rows == rows) {
        *step = 1;
        *next = rows;
        return v->columns;
    }
    *step = v->rows;
    *next = 1;
    return v->columns == rows ? v->rows : 0;
}

// "a[2]"; NULL: there is no memory.
static const char *mat5_element(const Mat5File *f, const char *name, size_t number)
{
    const size_t size = strlen(name) + sizeof "[18446744073709551615]";
    char *text = MEMORY_POOL_NEW(&f->table->pool, size, char);
    if (text)
        snprintf(text, size, "%s[%zu]", name, number);
    return text;
}

static bool mat5_add(const Mat5File *f, const Mat5Variable *v)
{
    size_t step, next;
    Table *table = f->table;
    const size_t width = mat5_width(v, table->row_count, &step, &next);
    if (width == 0 && v->rows * v->columns == 1) {
        TableConstant *constant = &table->constants[table->constant_count++];
        constant->heading.name = memory_pool_text(&table->pool, v->name);
        constant->value = v->values[0];
        return constant->heading.name || table_out_of_memory(f->source);
    }
    for (size_t k = 0; k < width; k++) {
        if (!mat5_column(f, width > 1 ? mat5_element(f, v->name, k + 1) : v->name,
                         v->values + k * next, step, v->is_boolean))
            return false;
    }
    return true;
}

static bool mat5_fill(const Mat5File *f)
{
    Table *table = f->table;
    const Mat5Variable *time = mat5_find(f, "time");
    time = time ? time : mat5_find(f, "t");
    if (!time || (time->rows != 1 && time->columns != 1))
        return table_complain(f->source, 0, "there is no vector 'time' or 't' in it");
    table->row_count = time->rows * time->columns;
    size_t width = 0, step, next;
    for (size_t i = 0; i < f->count; i++)
        width += mat5_width(&f->variables[i], table->row_count, &step, &next);
    if (width > MAT5_MOST_COLUMNS)
        return table_complain(f->source, 0, "%zu columns of a length of %zu: there can be %d",
                              width, table->row_count, MAT5_MOST_COLUMNS);
    table->columns = MEMORY_POOL_NEW(&table->pool, width, TableColumn);
    table->constants = MEMORY_POOL_NEW(&table->pool, f->count, TableConstant);
    if (!table->columns || !table->constants)
        return table_out_of_memory(f->source);
    if (!mat5_column(f, "time", time->values, 1, false))
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (&f->variables[i] != time && !mat5_add(f, &f->variables[i]))
            return false;
    return true;
}

bool table_parse_mat5(Table *table, const TableSource *source)
{
    Mat5File f = {.source = source, .table = table};
    const char *message;
    f.variables = MEMORY_POOL_NEW(&table->pool, MAT5_MOST_VARIABLES, Mat5Variable);
    if (!f.variables)
        return table_out_of_memory(source);
    if (!mat_each((const unsigned char *)source->bytes, source->length, mat5_keep, &f, &message))
        return message && table_complain(source, 0, "%s", message);
    return mat5_fill(&f);
}
