// SPDX-License-Identifier: MIT
//
// Small dense linear algebra of the references that random models are compared with; nothing here
// is taken from the library. Matrices are row by row.

#ifndef SALTUS_TESTS_INSTANT_MATRIX_H
#define SALTUS_TESTS_INSTANT_MATRIX_H

#include <stdbool.h>

enum { MATRIX_MAX = 24 };

// Solves A x = b for `columns` right-hand sides (b is n by columns) with complete pivoting; A and b
// are overwritten, the solution is in b. Pivots below `noise` times the first are zero; unknowns
// that a consistent system leaves open are zero. false: no solution.
bool matrix_solve(int n, int columns, double *a, double *b, double noise);

// E = exp(A h) - I, by the Taylor series of A h / 2^k and E' = 2 E + E^2: what is small in E keeps
// its relative accuracy.
void matrix_exponential(int n, const double *a, double h, double *e);

// y = A x + y0 (y0 may be NULL: 0; y0 may be y)
void matrix_apply(int n, const double *a, const double *x, const double *y0, double *y);

#endif
