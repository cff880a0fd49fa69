// SPDX-License-Identifier: MIT
//
// Damped Newton iteration with the natural monotonicity test, for 0 = r(u).
//
// P. Deuflhard: Newton Methods for Nonlinear Problems (2004), sections 2.1 and 3.3. With the
// Jacobian J at the last iterate u, the correction d and the simplified correction e,
//
//   J d = -r(u),   u+ = u + l d,   J e = -r(u+),
//
// a damping l is accepted if |e| <= (1 - l/4) |d|. The test does not depend on how the equations
// are scaled. The contraction |e| / |d| tells how good J still is: while it is small, e is the next
// correction and no new Jacobian is needed. Where the residuals are not finite, the step was too
// long; and no step is longer than NEWTON_LONGEST times what is moved, for where J is nearly
// singular d says nothing but a direction.
//
// A small correction alone is no solution: near a pole of r, or where u has run away so far that it
// has no digits left, corrections are small in comparison to u, and the residuals are not. So a
// solution is where the iteration has been seen to contract, or where the residuals are small in
// comparison to their terms.
//
// The iteration goes on until what is left is rounding: the solution is a smooth function of what
// the equations depend on. Nothing is kept from one solution to the next, and nothing allocated.

#ifndef SALTUS_NUMERICS_NEWTON_H
#define SALTUS_NUMERICS_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

#define NEWTON_LONGEST 100.0

typedef enum NewtonStatus {
    NEWTON_SOLVED,
    NEWTON_DIVERGED,
    NEWTON_STOPPED, // by one of the functions, whose code is handed back
} NewtonStatus;

typedef struct Newton {
    int n;
    double *u; // guess, then solution; the functions evaluate what stands here
    // Corrections are measured relative to the larger of |u| and this, which is above zero.
    const double *floor;
    // A correction that no longer contracts is rounding if it is not larger than this.
    double noise;
    int columns; // what a new Jacobian costs, in evaluations of the residuals

    void *user;
    // The residuals at u. 0; above zero: there are none at this u; below zero: no use to go on.
    int (*residuals)(void *user, double *r);
    // A new Jacobian at u, with the residuals there, and what `solve` needs of it. 0, or a code.
    int (*linearize)(void *user, const double *r);
    // b := J^-1 b with the last Jacobian
    void (*solve)(void *user, double *b);
    // Whether the residuals r at u are small in comparison to their terms; NULL: nobody knows.
    bool (*is_small)(void *user, const double *r);
    // To be set by `linearize`: J has no inverse, and corrections are those of least norm. Then
    // only the residuals tell what a solution is.
    bool is_deficient;

    double *work; // newton_work(n) doubles; then the last correction stands first
    long iterations;
    int code; // of NEWTON_STOPPED
    // The rest is the module's own: what stands in the working memory.
    double *correction; // d
    double *simplified; // e
    double *before;     // the last iterate, while u is tried
    double *r;          // residuals at u
    double *stray;      // how far residuals are from what J says of them, on one side of u
    double *least;      // on both sides
} Newton;

size_t newton_work(int n);

// u is the last iterate if it fails.
NewtonStatus newton_solve(Newton *newton);

#endif
