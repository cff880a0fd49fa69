// SPDX-License-Identifier: MIT
//
// Branches of ideal switches that determine what other equations determine already, though the
// structure has room for them: a diode over a capacitor beside another one, v1 - v3 = u + d with
// d = 0 beside v1 - v3 = w. The equations depend on each other in their highest derivatives, and
// what is left of their sum, u = w, is a constraint. (dependence.h finds such sums in one mode.)
//
// Only coefficients that are numbers count, and each branch is looked at alone: those that do it
// only together, such as two diodes of a bridge that short its capacitor, hardly ever do.
//
// In a dependence each variable occurs twice. So equations with a variable of their own are taken
// away first, over and over, of all branches together and then for each of them; what remains is
// small or nothing, and is what elimination is for.

#ifndef SALTUS_STRUCTURE_COLLISION_H
#define SALTUS_STRUCTURE_COLLISION_H

#include "structure/offsets.h"

typedef struct CollisionRow {
    uint32_t equation;
    uint32_t c;              // how often it is differentiated
    uint32_t choice, branch; // that it stands in; choice GRAPH_NONE: always there
} CollisionRow;

// d: offsets of the variables. collides[choice] becomes true for those with such a branch. True if
// there are any.
bool collision_find(Arena *arena, const Signature *s, const uint32_t *d, const CollisionRow *rows,
                    uint32_t count, bool *collides);

#endif
