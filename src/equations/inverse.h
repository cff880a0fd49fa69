// SPDX-License-Identifier: MIT
//
// Equations solved by the inverses that annotations give (section 12.8 of the specification):
// y = f(x, p) with annotation(inverse(x = g(y, p))) has the solution x = g(y, p).
//
// What g finds is checked: a function that computes x = g(y, p) and fails unless y = f(x, p) stands
// for it, so that a wrong annotation gives no wrong result. Its derivative is that of the implicit
// equation, dx = (dy - df/dp dp) / (df/dx): g may well be an iteration, which has none.
//
// An equation with several solutions has another one near a start value on another branch, which
// Newton's method would find. So where a start value x0 is given, g(f(x0, p), p) must not be
// another solution of f(x, p) = f(x0, p) than x0.

#ifndef SALTUS_EQUATIONS_INVERSE_H
#define SALTUS_EQUATIONS_INVERSE_H

#include "equations/dag.h"

// What v is where left = right, if v occurs once, below sums, products, quotients of a number and
// calls that have an inverse; NODE_NONE if not, or if none of the last two is among them. `start`:
// the start value of v that is to be looked at, or NODE_NONE.
Node inverse_solve(Dag *dag, Node left, Node right, uint32_t v, Node start);

#endif
