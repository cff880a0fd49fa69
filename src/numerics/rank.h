// SPDX-License-Identifier: MIT
//
// Small dense linear systems of any shape and any rank: QR with column pivoting by Householder
// reflections. P. Businger, G. H. Golub: Linear least squares solutions by Householder
// transformations, Numer. Math. 7 (1965); G. H. Golub, C. F. Van Loan: Matrix Computations,
// section 5.5.
//
// O(rows * columns * rank).

#ifndef SALTUS_NUMERICS_RANK_H
#define SALTUS_NUMERICS_RANK_H

#include <stddef.h>

// Unknowns that can move so much, in a unit of all unknowns, are not determined: see `freedom`.
#define RANK_OPEN 1e-6

// Doubles that rank_solve needs to work.
size_t rank_work(int rows, int columns);

// Of the x that minimise |A x - b| the shortest. a (columns one after the other) and b are
// destroyed. Pivots below `tolerance` times the first count as zero; the rank is returned.
// freedom[j] (may be NULL): how far x_j could move in a solution of A x = 0 of length 1: 0 says
// that x_j is unique, 1 that nothing determines it. order: `columns` ints to work with.
int rank_solve(int rows, int columns, double *a, double *b, double tolerance, double *x,
               double *freedom, double *work, int *order);

// Afterwards: the k-th of an orthonormal basis of the solutions of A x = 0, whose component i
// belongs to column order[i].
const double *rank_basis(const double *work, int columns, int k);

#endif
