// SPDX-License-Identifier: MIT
//
// Equations with alternatives: which if-equations change the structure, and which can stay inside
// one structure as switched equations.
//
// The k-th equation of each branch of a *choice* is one switched equation, whose entries are those
// of all branches (of an ideal switch, whatever their order). It can stay if there is one
// transversal and one set of offsets that is valid in every branch: the offsets of the union, and a
// perfect matching of those tight entries that no branch lacks. Otherwise the choices are
// structural that take part in the conflict: those with equations in the over-determined part of
// that matching that lack a tight entry in a branch. (There are some: with all tight entries the
// matching is perfect.) Of these, ideal switches can stay if all combinations of their branches
// have the same offsets (ideal.h); those join them that are in conflict where the tight entries of
// these do count. A choice is structural, too, if it has an equation that is
// differentiated beside others that are not. A structural choice has one branch only, the active
// one.
//
// The decision is about one mode: the active branches of the choices that turn out structural.

#ifndef SALTUS_STRUCTURE_BRANCHES_H
#define SALTUS_STRUCTURE_BRANCHES_H

#include "structure/signature.h"

// A branch of a choice. choice GRAPH_NONE: always there.
typedef struct BranchGuard {
    uint32_t choice, branch;
} BranchGuard;

typedef struct BranchChoice {
    uint32_t branch_count;
    BranchGuard inside; // the branch that contains the choice
    bool may_be_ideal; // it is a switch that nothing but itself, or nothing unknown, decides about:
    uint32_t parameter;    // the sign of this variable; GRAPH_NONE: of none
    bool is_complementary; // its branches differ by multiples of what decides about it
} BranchChoice;

typedef struct BranchSystem {
    const Signature *all;      // the equations of all branches
    const BranchGuard *guards; // of each equation
    const BranchChoice *choices;
    uint32_t choice_count;
} BranchSystem;

typedef struct Branches {
    const Signature *merged;   // the equations of the mode, switched ones as one
    const uint32_t *start;     // of each of its equations, and one more
    const uint32_t *sources;   // the equations of `all` that it is in turn
    const bool *is_structural; // by choice
    const bool *is_there;      // by choice: in this mode
} Branches;

// active: the branch of each choice.
const Branches *branches_decide(Arena *arena, const BranchSystem *system, const uint32_t *active);
// What was decided before, of this mode or of its parts. active: GRAPH_NONE: it is not structural.
const Branches *branches_decided(Arena *arena, const BranchSystem *system, const uint32_t *active);

#endif
