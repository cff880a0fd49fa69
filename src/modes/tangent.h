// SPDX-License-Identifier: MIT
//
// Derivatives of a mode's evaluations in one direction of time, states and parameters: stage by
// stage, forward through explicit ones (code/tangent.h), and by the implicit function theorem where
// equations are solved, F_w dw = -F_x dx, with the matrix that Newton's method has. Exact up to
// rounding.

#ifndef SALTUS_MODES_TANGENT_H
#define SALTUS_MODES_TANGENT_H

#include <saltus/saltus.h>

typedef struct ModeTangent {
    double t;            // the direction
    const double *x, *p; // p NULL: no parameter moves
    double *dx, *h, *y;  // what follows: of the derivatives, event functions, outputs
    int output_count;
} ModeTangent;

// At a point of a mode that a model made; z: a guess. False: it has no derivatives of this kind:
// users' functions, equations without a unique solution, an evaluation that failed.
bool tangent_of_mode(const SaltusContext *c, double t, const double *x, const double *z,
                     const ModeTangent *tangent);

#endif
