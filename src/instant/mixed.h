// SPDX-License-Identifier: MIT
//
// Discrete Reals that depend on themselves through the continuous equations: while a when clause
// with y = 7 - 2 x is active and x + y = 5 holds, y is what it gives as x, and x what it gives as
// y. Computing one from the other goes away from the solution here (by the factor 2), though there
// is one.
//
// Let d be the values of such variables, and F(d) what their definitions give once the continuous
// equations are solved with d. Newton's method finds d = F(d): the residual r(d) = d - F(d), its
// Jacobian matrix I - F' by differences, one evaluation of F for each variable. Where F is affine,
// which is the common case, the first step is exact but for rounding, and a second one removes that
// of the differences.

#ifndef SALTUS_INSTANT_MIXED_H
#define SALTUS_INSTANT_MIXED_H

#include <stdbool.h>
#include <stdint.h>

// F at d. False: it cannot be evaluated there.
typedef bool MixedMap(void *user, const double *d, double *f);

typedef enum MixedStatus {
    MIXED_FOUND,
    MIXED_SINGULAR, // I - F': no solution, or a line of them
    MIXED_DIVERGED,
    MIXED_FAILED, // F cannot be evaluated
    MIXED_NO_MEMORY,
} MixedStatus;

// From d on, of so many variables; the solution is in d, and the last evaluation of F was there.
// Else d is as it was. A residual below `mixed_rounding` of the size of d and F(d) counts as zero:
// no double may be its own image.
MixedStatus mixed_solve(uint32_t count, MixedMap *map, void *user, double *d);

#endif
