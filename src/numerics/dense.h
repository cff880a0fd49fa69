// SPDX-License-Identifier: MIT
//
// Small dense linear algebra: LU with partial pivoting, column by column.

#ifndef SALTUS_NUMERICS_DENSE_H
#define SALTUS_NUMERICS_DENSE_H

// Factors a (n by n, columns one after the other) in place, P A = L U, for dense_solve. The
// diagonal gets the inverses of the pivots. Returns 0, or k + 1 if the k-th pivot is zero or not
// finite.
int dense_factor(int n, double *a, int *pivot);

// Solves A x = b with the factors; b becomes x.
void dense_solve(int n, const double *a, const int *pivot, double *b);

#endif
