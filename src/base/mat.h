// SPDX-License-Identifier: MIT
//
// The matrices of MATLAB files ("MAT-File Format", The MathWorks):
// - level 4: a header of 20 bytes, the name, the numbers;
// - level 5, which MATLAB writes with -v6 and, compressed by zlib, with -v7: after a header of 128
//   bytes elements with a tag of type and size, of which matrices have their name inside.
// Level 7.3 is HDF5 and refused.

#ifndef SALTUS_BASE_MAT_H
#define SALTUS_BASE_MAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A matrix of numbers or characters; complex ones have their imaginary part behind the real one.
typedef struct MatMatrix {
    const char *name; // "s.x": of a member of a structure
    size_t rows, columns;
    uint32_t type; // of the elements, by the numbers of level 5
    bool is_big_endian, is_text, is_boolean, is_complex;
    const unsigned char *data; // column by column
} MatMatrix;

// Calls `visit` with every matrix, until that is false. What else there is (cells, objects, sparse
// matrices, arrays of more than two dimensions, empty ones) is passed over. Of level 4, name and
// data stay valid as long as the bytes; else only during the call. False: damaged, and the message
// says why, or `visit` was false.
bool mat_each(const unsigned char *bytes, size_t length,
              bool (*visit)(void *data, const MatMatrix *m), void *data, const char **message);
bool mat_is_level_5(const unsigned char *bytes, size_t length);
// Counted from 0.
double mat_element(const MatMatrix *m, size_t row, size_t column);

#endif
