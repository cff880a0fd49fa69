// SPDX-License-Identifier: MIT
//
// Ideal switches: choices whose branches lack entries (v = if off then s else 0, i = if off then 0
// else s), and that can stay inside one structure all the same, with coefficients that are zero in
// some branches. What that needs is a regular system in *all* combinations of branches with the
// same offsets, that is with the same index and the same states. Combinations that are singular do
// no harm if their over-determined part contains nothing that is differentiated: no other structure
// would solve it, and whether its equations agree (an island of a network) is seen at run time.
//
// Choices are looked at in groups, as far as they stand in common blocks. Of a small group all
// combinations are tried. A large one may stay if it is static: nothing that is differentiated
// determines any of it. Else a choice may stay if it has a territory, some equations that need no
// others to find their variables in all branches of this choice: territories that have no equation
// in common make all combinations regular.

#ifndef SALTUS_STRUCTURE_IDEAL_H
#define SALTUS_STRUCTURE_IDEAL_H

#include "structure/offsets.h"

typedef struct IdealSystem {
    const Signature *signature; // switched equations as one
    const Offsets *offsets;
    const uint32_t *choice_of; // by equation: the choice that it is switched by; GRAPH_NONE: none
    const uint32_t *highest;   // by entry: bits of the branches that have it with its order
    const uint32_t *any;       // the same with any order
    uint32_t choice_count;
    const uint32_t *branch_counts; // of choices, 32 at most
    const uint32_t *active;        // a branch of each, to begin with
} IdealSystem;

// is_structural[choice] becomes true for those that cannot stay; true if there are any.
bool ideal_decide(Arena *arena, const IdealSystem *system, bool *is_structural);

#endif
