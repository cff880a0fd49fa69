// SPDX-License-Identifier: MIT
//
// Reads the variables of a MATLAB file of version 5, as MATLAB (save, up to -v7) and
// scipy.io.savemat write it ("MAT-File Format", The MathWorks): after a header of 128 bytes
// elements with a tag of type and size, of which matrices have their name inside; each may be a
// stream of zlib.
//
// The variable `time`, or `t`, is the first column. Vectors of its length are columns, matrices
// with as many rows (or columns) have columns x[1], x[2], ...; scalars are constants. Nothing else
// is read: texts, cells, structures, what has another length.

#include "results/table_parts.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { MAT5_HEADER = 128, MAT5_TAG = 8, MAT5_MATRIX = 14, MAT5_COMPRESSED = 15 };
// zlib makes at most 1032 bytes of one.
enum { MAT5_MOST_RATIO = 1032, MAT5_MOST_VARIABLES = 10000, MAT5_NAME = 64 };

typedef struct Mat5Element {
    uint32_t type;
    const unsigned char *data;
    size_t size;
} Mat5Element;

typedef struct Mat5Variable {
    char name[MAT5_NAME];
    size_t rows, columns;
    bool is_boolean;
    double *values; // column by column
} Mat5Variable;

typedef struct Mat5File {
    const TableSource *source;
    Table *table;
    bool is_big_endian;
    Mat5Variable *variables;
    size_t count;
} Mat5File;

bool table_looks_like_mat5(const TableSource *source)
{
    return source->length >= MAT5_HEADER && memcmp(source->bytes, "MATLAB ", 7) == 0;
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

// The element at *at, which moves behind it. False: the bytes end before.
static bool mat5_next(const Mat5File *f, const unsigned char *bytes, size_t length, size_t *at,
                      Mat5Element *e)
{
    if (length - *at < MAT5_TAG)
        return false;
    const unsigned char *tag = bytes + *at;
    const uint32_t first = (uint32_t)table_number_of_bytes(tag, 4, f->is_big_endian);
    if (first >> 16) { // a small one: its data are in the tag
        *e = (Mat5Element){first & 0xffffu, tag + 4, first >> 16};
        *at += MAT5_TAG;
        return e->size <= 4;
    }
    *e = (Mat5Element){first, tag + MAT5_TAG,
                       (size_t)table_number_of_bytes(tag + 4, 4, f->is_big_endian)};
    *at += MAT5_TAG;
    if (e->size > length - *at)
        return false;
    *at += e->size;
    if (e->type != MAT5_COMPRESSED)
        *at += (8 - e->size % 8) % 8;
    if (*at > length)
        *at = length;
    return true;
}

// The size of a number of a type, 0: it is none.
static size_t mat5_size(uint32_t type)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
    return type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

static double mat5_number(const Mat5File *f, const Mat5Element *e, size_t i)
{
    enum { INT8 = 1, INT16 = 3, INT32 = 5, SINGLE = 7, DOUBLE = 9, INT64 = 12 };
    const size_t size = mat5_size(e->type);
    const uint64_t bits = table_number_of_bytes(e->data + i * size, size, f->is_big_endian);
    const uint32_t half = (uint32_t)bits;
    double real;
    float single;
    switch (e->type) {
    case DOUBLE:
        memcpy(&real, &bits, sizeof real);
        return real;
    case SINGLE:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case INT8:
        return (int8_t)(uint8_t)bits;
    case INT16:
        return (int16_t)(uint16_t)bits;
    case INT32:
        return (int32_t)half;
    case INT64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static bool mat5_damaged(const Mat5File *f)
{
    return table_complain(f->source, 0, "the .mat file is damaged");
}

// The contents of a matrix. What is no real matrix of numbers is passed over.
static bool mat5_matrix(Mat5File *f, const unsigned char *bytes, size_t length)
{
    enum { FIRST_NUMERIC = 6, LAST_NUMERIC = 15, COMPLEX = 0x800, LOGICAL = 0x200 };
    Mat5Element flags, sizes, name, data;
    size_t at = 0;
    if (length == 0)
        return true;
    if (!mat5_next(f, bytes, length, &at, &flags) || flags.size < 8 ||
        !mat5_next(f, bytes, length, &at, &sizes) || !mat5_next(f, bytes, length, &at, &name))
        return mat5_damaged(f);
    const uint32_t word = (uint32_t)table_number_of_bytes(flags.data, 4, f->is_big_endian);
    const uint32_t class = word & 0xffu;
    if (class < FIRST_NUMERIC || class > LAST_NUMERIC || word & COMPLEX || sizes.size != 8 ||
        name.size == 0 || name.size >= MAT5_NAME || f->count == MAT5_MOST_VARIABLES)
        return true;
    if (!mat5_next(f, bytes, length, &at, &data) || mat5_size(data.type) == 0)
        return mat5_damaged(f);
    const uint64_t rows = table_number_of_bytes(sizes.data, 4, f->is_big_endian);
    const uint64_t columns = table_number_of_bytes(sizes.data + 4, 4, f->is_big_endian);
    const size_t count = data.size / mat5_size(data.type);
    if (rows == 0 || columns == 0)
        return true;
    if (rows > count / columns || rows * columns != count)
        return mat5_damaged(f);
    Mat5Variable *v = &f->variables[f->count++];
    *v = (Mat5Variable){.rows = (size_t)rows,
                        .columns = (size_t)columns,
                        .is_boolean = word & LOGICAL,
                        .values = MEMORY_POOL_NEW(&f->table->pool, count, double)};
    if (!v->values)
        return table_out_of_memory(f->source);
    memcpy(v->name, name.data, name.size);
    for (size_t i = 0; i < count; i++)
        v->values[i] = mat5_number(f, &data, i);
    return true;
}

// A matrix that is a stream of zlib: its tag says how long it is.
static bool mat5_inflate(Mat5File *f, const Mat5Element *e)
{
    unsigned char tag[MAT5_TAG];
    Mat5Element inner = {0};
    size_t at = 0;
    const SaltusAllocator a = memory_default();
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)e->data,
                  .avail_in = (uInt)e->size,
                  .next_out = tag,
                  .avail_out = sizeof tag};
    if (inflateInit(&z) != Z_OK)
        return table_out_of_memory(f->source);
    int code = inflate(&z, Z_SYNC_FLUSH);
    // Too short for what it announces; only its sizes matter here.
    mat5_next(f, tag, sizeof tag, &at, &inner);
    const size_t size = (size_t)table_number_of_bytes(tag + 4, 4, f->is_big_endian);
    if ((code != Z_OK && code != Z_STREAM_END) || z.avail_out || inner.type != MAT5_MATRIX ||
        size > (MAT5_MOST_RATIO + 1) * (e->size + 64)) {
        inflateEnd(&z);
        return mat5_damaged(f);
    }
    unsigned char *bytes = memory_resize(&a, NULL, size + 1, 1);
    bool is_fine = bytes;
    z.next_out = bytes;
    z.avail_out = (uInt)size;
    code = bytes && size ? inflate(&z, Z_FINISH) : Z_OK;
    is_fine = is_fine && (code == Z_STREAM_END || code == Z_OK || code == Z_BUF_ERROR) &&
              z.avail_out == 0;
    inflateEnd(&z);
    is_fine = is_fine ? mat5_matrix(f, bytes, size) : mat5_damaged(f);
    memory_free(&a, bytes);
    return is_fine;
}

static bool mat5_read(Mat5File *f)
{
    const unsigned char *bytes = (const unsigned char *)f->source->bytes;
    for (size_t at = MAT5_HEADER; at < f->source->length;) {
        Mat5Element e;
        if (!mat5_next(f, bytes, f->source->length, &at, &e))
            return mat5_damaged(f);
        if ((e.type == MAT5_MATRIX && !mat5_matrix(f, e.data, e.size)) ||
            (e.type == MAT5_COMPRESSED && !mat5_inflate(f, &e)))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------

static const Mat5Variable *mat5_find(const Mat5File *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->variables[i].name, name) == 0)
            return &f->variables[i];
    return NULL;
}

static bool mat5_column(const Mat5File *f, const char *name, const double *values, size_t step,
                        bool is_boolean)
{
    Table *table = f->table;
    TableColumn *column = &table->columns[table->column_count++];
    column->heading.name = memory_pool_text(&table->pool, name);
    column->heading.is_boolean = is_boolean;
    column->values = MEMORY_POOL_NEW(&table->pool, table->row_count, double);
    if (!column->heading.name || !column->values)
        return table_out_of_memory(f->source);
    for (size_t i = 0; i < table->row_count; i++)
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
        char name[MAT5_NAME + 32];
        snprintf(name, sizeof name, width > 1 ? "%s[%zu]" : "%s", v->name, k + 1);
        if (!mat5_column(f, name, v->values + k * next, step, v->is_boolean))
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
    size_t width = 1, step, next;
    for (size_t i = 0; i < f->count; i++)
        width += mat5_width(&f->variables[i], table->row_count, &step, &next);
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
    f.is_big_endian = source->bytes[MAT5_HEADER - 2] == 'M'; // "MI", else "IM"
    const uint64_t version = table_number_of_bytes(
        (const unsigned char *)source->bytes + MAT5_HEADER - 4, 2, f.is_big_endian);
    if (version != 0x100)
        return table_complain(source, 0,
                              "a .mat file of version 7.3, which is HDF5: save it with -v7");
    f.variables = MEMORY_POOL_NEW(&table->pool, MAT5_MOST_VARIABLES, Mat5Variable);
    if (!f.variables)
        return table_out_of_memory(source);
    return mat5_read(&f) && mat5_fill(&f);
}
