// SPDX-License-Identifier: MIT
//
// A square matrix that is filled, factored and used to solve systems, again and again: dense, or
// sparse where its pattern makes that pay.
//
// Dense: column by column, and factoring overwrites the values. Sparse: the values in the order of
// the pattern, and they stay.

#ifndef SALTUS_NUMERICS_FACTORS_H
#define SALTUS_NUMERICS_FACTORS_H

#include "numerics/sparse.h"

typedef struct Factors {
    const SaltusAllocator *allocator;
    int n;
    int value_count;
    double *values;
    int *pivots;    // dense
    Sparse *sparse; // NULL: dense
} Factors;

// Dense if column_start is NULL; else the pattern must outlive it. False: out of memory.
bool factors_create(Factors *factors, int n, int *column_start, int *rows,
                    const SaltusAllocator *allocator);
void factors_destroy(Factors *factors);

// Returns 0, or k + 1 if the matrix is singular and the k-th column depends on others, or -1:
// out of memory.
int factors_factor(Factors *factors);
// Whether a pivot of the last factors may be nothing but rounding. `values`: the matrix as it was.
bool factors_are_doubtful(Factors *factors, const double *values);
// Solves A x = b with the last factors; b becomes x.
void factors_solve(Factors *factors, double *b);

#endif
