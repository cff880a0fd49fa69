// SPDX-License-Identifier: MIT
//
// Sparse LU by KLU (T. A. Davis, E. Palamadai Natarajan, ACM TOMS 37, 2010), with the pivots that
// KLU chooses for these values: the solution is a pure function of the values. If they are those of
// the factorization before, they need not be searched for.
//
// KLU allocates by itself, at every factorization with new pivots.

#ifndef SALTUS_NUMERICS_SPARSE_H
#define SALTUS_NUMERICS_SPARSE_H

#include <saltus/saltus.h>

typedef struct Sparse Sparse;

// Whether KLU beats dense elimination for n unknowns and so many entries.
bool sparse_pays(int n, int entries);

// For matrices with this pattern, which must outlive it. NULL: out of memory.
Sparse *sparse_create(int n, int *column_start, int *rows, const SaltusAllocator *allocator);
void sparse_destroy(Sparse *sparse);

// Returns 0, or k + 1 if the matrix is singular and the k-th column depends on others, or -1:
// out of memory.
int sparse_factor(Sparse *sparse, double *values);

// Whether the smallest pivot of the last factors may be nothing but rounding of the largest.
bool sparse_is_doubtful(Sparse *sparse);

// Solves A x = b with the last factors; b becomes x.
void sparse_solve(Sparse *sparse, double *b);

#endif
