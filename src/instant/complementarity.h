// SPDX-License-Identifier: MIT
//
// Ideal diodes and switches whose conditions are those of a linear complementarity problem: found
// by Lemke's method (numerics/lemke.h), which ends, and for passive circuits finds what there is,
// also where many combinations of them cannot be solved at all (diodes that conduct in a loop).
//
// With the conditions as they are, the base, the equations of a mode are residuals that are affine
// in its unknowns, r = J u + b, and so are its event functions, h = E u + f. A condition j that is
// turned adds to both what is in proportion to its own event function, c_j h_j, if the equations
// have no jump where h_j = 0: i = if s < 0 then 0 else s. With y = S h, S the sides of the base,
// and y = w - z, z being what is on the other sides,
//     r = J u + b - R S z = 0,  h = E u + f - H S z,  c_j = (R_j, H_j),
// so that  w = q + M z  with  q = S (f - E J^-1 b),  M = I + S (E J^-1 R - H) S.
//
// All of that comes from evaluations, as many as there are unknowns and conditions. Equations that
// are something else are noticed, or found not to agree in the end: who asks has to look.

#ifndef SALTUS_INSTANT_COMPLEMENTARITY_H
#define SALTUS_INSTANT_COMPLEMENTARITY_H

#include "instant/settle.h"

// Sets the conditions of the settling, and discrete variables that follow from them, as they are
// now, or a moment ahead with the states of now. False: it is no such problem, or has no solution;
// all is as it was.
bool complementarity_solve(Settling *s, bool is_ahead);

#endif
