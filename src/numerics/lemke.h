// SPDX-License-Identifier: MIT
//
// The linear complementarity problem: z and w = q + M z, both not negative, with z_i w_i = 0 for
// each i. Lemke's method with the lexicographic rule (C. E. Lemke: Bimatrix equilibrium points and
// mathematical programming, Management Science 11, 1965; R. W. Cottle, J.-S. Pang, R. E. Stone: The
// Linear Complementarity Problem, 1992, section 4.4).
//
// It ends after finitely many pivots for every matrix, because no basis comes again: the
// lexicographic rule decides every tie. Where M is copositive-plus, as it is for passive circuits
// (positive semidefinite), it ends with a solution if there is one, and with a ray only if there is
// none; for other matrices a ray says nothing. The pivots are usually about as many as the pairs,
// each of n^2 operations; in the worst case known they are exponentially many (K. G. Murty, Math.
// Programming Study 7, 1978), so that their number has a bound.

#ifndef SALTUS_NUMERICS_LEMKE_H
#define SALTUS_NUMERICS_LEMKE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum LemkeVerdict {
    LEMKE_FOUND,
    LEMKE_RAY,     // none, if M is copositive-plus
    LEMKE_PIVOTS,  // more than the bound, 100 + 20 n: rounding, or a worst case
    LEMKE_NO_ROOM, // out of memory
} LemkeVerdict;

// m: row by row. is_turned[i]: z_i is basic, so that w_i = 0. The basis has an inverse.
LemkeVerdict lemke_solve(int n, const double *m, const double *q, bool *is_turned, int *pivots);

#endif
