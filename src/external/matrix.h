// SPDX-License-Identifier: MIT
//
// What the files of LAPACK functions share: factors of matrices in row-major order.

#ifndef SALTUS_EXTERNAL_MATRIX_H
#define SALTUS_EXTERNAL_MATRIX_H

#include "external/external.h"

#include <complex.h>

// P A = L U in place, with ones on the diagonal of L. pivots: row k was exchanged with row
// pivots[k], from 1 on. 0, or the first k, from 1 on, for which U[k, k] is zero (algebra.c).
uint32_t algebra_factor(uint32_t rows, uint32_t columns, double *a, double *pivots);
// A X = B with the factors of A; B becomes X.
void algebra_solve(uint32_t n, const double *lu, const double *pivots, uint32_t columns, double *b);

// A becomes R and, below the diagonal, the vectors of Q = H1 H2 ..., Hk = I - tau v v', v[k] = 1.
// order: columns by turns, from 1 on, the longest remaining first; NULL: as they are (spectral.c).
void spectral_factor(uint32_t m, uint32_t n, double *a, double *tau, double *order);
// Whether an argument is a matrix that is not too large.
bool spectral_matrix(ExternalCall *call, uint32_t index, uint32_t *rows, uint32_t *columns);
bool spectral_no_memory(ExternalCall *call);
// A = Q T Q', T triangular; t: A, then T. False: it did not converge.
bool spectral_schur(uint32_t n, double complex *t, double complex *q);

// T becomes its real Schur form Z' T Z; Z may be NULL. *failed: as info of dhseqr. False: no memory
// (schur.c).
bool schur_form(uint32_t n, double *t, double *z, uint32_t *failed);

#endif
