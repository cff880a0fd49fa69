// SPDX-License-Identifier: MIT

#include "base/mat.h"

#include "base/inflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Types of elements.
enum {
    MAT_INT8 = 1,
    MAT_UINT8,
    MAT_INT16,
    MAT_UINT16,
    MAT_INT32,
    MAT_UINT32,
    MAT_SINGLE,
    MAT_DOUBLE = 9,
    MAT_INT64 = 12,
    MAT_UINT64,
    MAT_MATRIX,
    MAT_COMPRESSED,
    MAT_UTF8,
    MAT_UTF16,
};

// The bytes of a number of a type, 0: it is none.
static size_t mat_size(uint32_t type)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2};
    return type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

static uint64_t mat_number(const unsigned char *bytes, size_t size, bool is_big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | bytes[is_big_endian ? i : size - 1 - i];
    return value;
}

double mat_element(const MatMatrix *m, size_t row, size_t column)
{
    const size_t size = mat_size(m->type);
    const uint64_t bits =
        mat_number(m->data + (column * m->rows + row) * size, size, m->is_big_endian);
    const uint32_t half = (uint32_t)bits;
    double real;
    float single;
    switch (m->type) {
    case MAT_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        return real;
    case MAT_SINGLE:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case MAT_INT8:
        return (int8_t)(uint8_t)bits;
    case MAT_INT16:
        return (int16_t)(uint16_t)bits;
    case MAT_INT32:
        return (int32_t)half;
    case MAT_INT64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

typedef struct MatReader {
    bool is_big_endian;
    bool (*visit)(void *data, const MatMatrix *m);
    void *data;
    const char **message;
} MatReader;

static bool mat_damaged(const MatReader *r, const char *why)
{
    *r->message = why;
    return false;
}

// ---------------------------------------------------------------------------
// Level 4
// ---------------------------------------------------------------------------

enum { MAT4_HEADER = 20 };

// The matrix at *at, which moves behind it.
static bool mat4_matrix(const MatReader *r, const unsigned char *bytes, size_t length, size_t *at)
{
    static const uint32_t types[] = {MAT_DOUBLE, MAT_SINGLE, MAT_INT32,
                                     MAT_INT16,  MAT_UINT16, MAT_UINT8};
    const unsigned char *header = bytes + *at;
    const size_t left = length - *at;
    if (left < MAT4_HEADER)
        return mat_damaged(r, "the file ends in the middle of a matrix");
    const bool is_big = mat_number(header, 4, false) > 9999;
    const uint64_t type = mat_number(header, 4, is_big), rows = mat_number(header + 4, 4, is_big),
                   columns = mat_number(header + 8, 4, is_big),
                   imaginary = mat_number(header + 12, 4, is_big),
                   name_length = mat_number(header + 16, 4, is_big);
    const uint64_t precision = type / 10 % 10;
    if (type > 9999 || type / 1000 != (is_big ? 1u : 0u) || type / 100 % 10 != 0 || precision > 5 ||
        imaginary > 1)
        return mat_damaged(r, "a matrix of an unknown type");
    const uint64_t size = mat_size(types[precision]) * (1 + imaginary);
    // Divisions: products of damaged sizes may overflow.
    if (name_length == 0 || name_length > left - MAT4_HEADER ||
        header[MAT4_HEADER + name_length - 1])
        return mat_damaged(r, "a matrix with a damaged name");
    const uint64_t room = (left - MAT4_HEADER - name_length) / size;
    if (columns != 0 && rows > room / columns)
        return mat_damaged(r, "the file ends in the middle of a matrix");
    if (rows > length || columns > length) // nothing of nothing: what has a row each takes memory
        return mat_damaged(r, "an empty matrix with too many rows or columns");
    *at += MAT4_HEADER + name_length + rows * columns * size;
    return r->visit(r->data, &(MatMatrix){.name = (const char *)header + MAT4_HEADER,
                                          .rows = rows,
                                          .columns = columns,
                                          .type = types[precision],
                                          .is_big_endian = is_big,
                                          .is_text = type % 10 == 1,
                                          .is_complex = imaginary != 0,
                                          .data = header + MAT4_HEADER + name_length});
}

// ---------------------------------------------------------------------------
// Level 5
// ---------------------------------------------------------------------------

enum { MAT5_HEADER = 128, MAT5_TAG = 8, MAT5_NAME = 320, MAT5_MOST_DEPTH = 4 };
// What a matrix may be when it is inflated: as much as a file (chart_read.c, table.c).
static const size_t mat5_most_bytes = (size_t)1 << 30;

typedef struct Mat5Element {
    uint32_t type;
    const unsigned char *data;
    size_t size;
} Mat5Element;

bool mat_is_level_5(const unsigned char *bytes, size_t length)
{
    return length >= MAT5_HEADER && memcmp(bytes, "MATLAB ", 7) == 0;
}

// The element at *at, which moves behind it. False: the bytes end before.
static bool mat5_next(const MatReader *r, const unsigned char *bytes, size_t length, size_t *at,
                      Mat5Element *e)
{
    if (length - *at < MAT5_TAG)
        return false;
    const unsigned char *tag = bytes + *at;
    const uint32_t first = (uint32_t)mat_number(tag, 4, r->is_big_endian);
    if (first >> 16) { // a small one: its data are in the tag
        *e = (Mat5Element){first & 0xffffu, tag + 4, first >> 16};
        *at += MAT5_TAG;
        return e->size <= 4;
    }
    *e = (Mat5Element){first, tag + MAT5_TAG, (size_t)mat_number(tag + 4, 4, r->is_big_endian)};
    *at += MAT5_TAG;
    if (e->size > length - *at)
        return false;
    // Padded to eight bytes, but for compressed ones and where the file ends.
    const size_t padded = e->type == MAT_COMPRESSED ? e->size : (e->size + 7) / 8 * 8;
    *at += padded < length - *at ? padded : length - *at;
    return true;
}

static bool mat5_matrix(const MatReader *r, const unsigned char *bytes, size_t length,
                        const char *parent, int depth);

// The members of a structure: how long a name is at most, all names, a matrix for each.
static bool mat5_structure(const MatReader *r, const unsigned char *bytes, size_t length, size_t at,
                           const char *name, int depth)
{
    Mat5Element width, names, member;
    if (!mat5_next(r, bytes, length, &at, &width) || width.size != 4 ||
        !mat5_next(r, bytes, length, &at, &names))
        return mat_damaged(r, "the file is damaged in a structure");
    const size_t each = (size_t)mat_number(width.data, 4, r->is_big_endian);
    for (size_t i = 0; each && (i + 1) * each <= names.size; i++) {
        char path[2 * MAT5_NAME];
        const char *last = (const char *)names.data + i * each;
        if (!mat5_next(r, bytes, length, &at, &member) || member.type != MAT_MATRIX)
            return mat_damaged(r, "the file is damaged in a structure");
        if (strnlen(last, each) >= MAT5_NAME - 1 - strlen(name))
            continue;
        snprintf(path, sizeof path, "%s.%.*s", name, (int)strnlen(last, each), last);
        if (!mat5_matrix(r, member.data, member.size, path, depth + 1))
            return false;
    }
    return true;
}

// The contents of a matrix; `path` is its name if it is a member of a structure.
static bool mat5_matrix(const MatReader *r, const unsigned char *bytes, size_t length,
                        const char *path, int depth)
{
    enum { STRUCTURE = 2, TEXT = 4, FIRST_NUMBERS = 6, LAST_NUMBERS = 15 };
    enum { COMPLEX = 0x800, LOGICAL = 0x200 };
    Mat5Element flags, sizes, title, data;
    char name[MAT5_NAME] = "";
    size_t at = 0;
    if (length == 0)
        return true;
    if (!mat5_next(r, bytes, length, &at, &flags) || flags.size < 8 ||
        !mat5_next(r, bytes, length, &at, &sizes) || !mat5_next(r, bytes, length, &at, &title))
        return mat_damaged(r, "the file is damaged");
    const uint32_t word = (uint32_t)mat_number(flags.data, 4, r->is_big_endian);
    const uint32_t kind = word & 0xffu;
    const bool is_matrix = kind == TEXT || (kind >= FIRST_NUMBERS && kind <= LAST_NUMBERS);
    if ((!is_matrix && kind != STRUCTURE) || sizes.size != 8 || depth > MAT5_MOST_DEPTH ||
        (path ? strlen(path) : title.size) >= sizeof name)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)(path ? strlen(path) : title.size),
             path ? path : (const char *)title.data);
    const uint64_t rows = mat_number(sizes.data, 4, r->is_big_endian);
    const uint64_t columns = mat_number(sizes.data + 4, 4, r->is_big_endian);
    if (rows == 0 || columns == 0 || (kind == STRUCTURE && rows * columns != 1))
        return true;
    if (kind == STRUCTURE)
        return mat5_structure(r, bytes, length, at, name, depth);
    if (!mat5_next(r, bytes, length, &at, &data) || mat_size(data.type) == 0)
        return mat_damaged(r, "the file is damaged");
    const size_t count = data.size / mat_size(data.type);
    if (kind == TEXT && rows * columns != count)
        return true; // characters of several bytes
    if (rows > count / columns || rows * columns != count)
        return mat_damaged(r, "the file is damaged: a matrix is not complete");
    return r->visit(r->data, &(MatMatrix){.name = name,
                                          .rows = (size_t)rows,
                                          .columns = (size_t)columns,
                                          .type = data.type,
                                          .is_big_endian = r->is_big_endian,
                                          .is_text = kind == TEXT,
                                          .is_boolean = word & LOGICAL,
                                          .is_complex = word & COMPLEX,
                                          .data = data.data});
}

// A matrix that is a stream of zlib: its tag says how long it is.
static bool mat5_compressed(const MatReader *r, const Mat5Element *e)
{
    unsigned char tag[MAT5_TAG];
    if (!inflate_zlib_begin(e->data, e->size, tag, sizeof tag))
        return mat_damaged(r, "the file is damaged: a matrix cannot be uncompressed");
    const uint32_t type = (uint32_t)mat_number(tag, 4, r->is_big_endian);
    const size_t size = MAT5_TAG + (size_t)mat_number(tag + 4, 4, r->is_big_endian);
    if (type != MAT_MATRIX)
        return true;
    if (size / INFLATE_MOST_RATIO > e->size || size > mat5_most_bytes)
        return mat_damaged(r, "the file is damaged: a matrix cannot be uncompressed");
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return mat_damaged(r, "there is not enough memory");
    const bool is_fine = inflate_zlib(e->data, e->size, bytes, size)
                             ? mat5_matrix(r, bytes + MAT5_TAG, size - MAT5_TAG, NULL, 0)
                             : mat_damaged(r, "the file is damaged: the checksum of a matrix is "
                                              "wrong");
    free(bytes);
    return is_fine;
}

static bool mat5_each(MatReader *r, const unsigned char *bytes, size_t length)
{
    r->is_big_endian = bytes[MAT5_HEADER - 2] == 'M'; // "MI", else "IM"
    if (mat_number(bytes + MAT5_HEADER - 4, 2, r->is_big_endian) != 0x100)
        return mat_damaged(r, "a .mat file of version 7.3, which is HDF5: save it with -v7");
    for (size_t at = MAT5_HEADER; at < length;) {
        Mat5Element e;
        if (!mat5_next(r, bytes, length, &at, &e))
            return mat_damaged(r, "the file is damaged: it ends in the middle of a matrix");
        if ((e.type == MAT_MATRIX && !mat5_matrix(r, e.data, e.size, NULL, 0)) ||
            (e.type == MAT_COMPRESSED && !mat5_compressed(r, &e)))
            return false;
    }
    return true;
}

bool mat_each(const unsigned char *bytes, size_t length,
              bool (*visit)(void *data, const MatMatrix *m), void *data, const char **message)
{
    MatReader r = {.visit = visit, .data = data, .message = message};
    *message = NULL;
    if (mat_is_level_5(bytes, length))
        return mat5_each(&r, bytes, length);
    for (size_t at = 0; at < length;)
        if (!mat4_matrix(&r, bytes, length, &at))
            return false;
    return true;
}
