// SPDX-License-Identifier: MIT
//
// Linearization, saltus_linearize of the public header: the active mode of a run,
//
//   x' = f(t, x, z, u),  0 = g(t, x, z, u),  y = y(t, x, z, u)
//   dx' = A dx + B du,   dy = C dx + D du
//
// with the algebraic variables z eliminated, and the eigenvalues of A (QR algorithm).
//
// What always holds: the run is not changed, all is done on a copy. Discrete variables and the
// choices of branches are held. Derivatives are by Ridders' method: central differences over
// shrinking steps, extrapolated, with an estimate of the error (C. J. F. Ridders: Accurate
// computation of F'(x) and F'(x)F''(x), Advances in Engineering Software 4, 1982).

#ifndef SALTUS_STUDIES_LINEARIZE_H
#define SALTUS_STUDIES_LINEARIZE_H

#include <saltus/saltus.h>

// The eigenvalues of a matrix (n by n, row by row). False: the QR steps did not converge, the
// matrix is not finite, or out of memory.
bool linearize_eigenvalues(int n, const double *a, SaltusEigenvalue *eigenvalues);

#endif
