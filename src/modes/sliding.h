// SPDX-License-Identifier: MIT
//
// Sliding modes: where the flows on both sides of a relation's surface h = 0 point to it, the
// solution goes on in it (A. F. Filippov: Differential equations with discontinuous right-hand
// sides, Kluwer, 1988). The relation has no value then. In its place stands an unknown u, 1 where
// h > 0 and 0 where h < 0, and h = 0 is one more equation: the index grows by one, and the analysis
// does the rest.
//
// What is relaxed: each equation as a function of the relations that slide becomes its multilinear
// extension, u f(true) + (1 - u) f(false) for one of them. Where the value of a relation enters
// linearly this is Filippov's convex combination of the two flows, and also Utkin's equivalent
// control.
//
// Relations with one event function, up to its sign, are one surface: sign(x) holds x > 0 and
// x < 0. What is rounded to whole numbers has a surface of its own, x = k for floor(x): it is held
// as k there, and k - 1 + u stands in its place.
//
// What always holds: a surface slides only if nothing but equations reads its conditions, directly
// or through discrete variables that have no memory. The mode is left when the hold u (1 - u) > 0
// turns.

#ifndef SALTUS_MODES_SLIDING_H
#define SALTUS_MODES_SLIDING_H

#include "modes/gather.h"

// Makes them for all conditions of continuous variables, after everything else is assembled.
void sliding_assemble(Assembly *assembly);
// Whether a variable of the graph is a u.
static inline bool sliding_is_unknown(const Assembly *a, GraphVariable variable)
{
    return variable >= a->sliding.first && variable < a->sliding.first + a->sliding.count;
}

// The event function of a relation, left - right, and its negative. Returns where the relation
// holds: 1 where the function is positive, -1 where it is negative; 0: it is no relation of order.
int sliding_side(Dag *dag, Node relation, Node *function, Node *negative);

// Makes the equations of the mode in which g->slides slide of those that were gathered. False after
// errors.
bool sliding_gather(Gathered *gathered);

#endif
