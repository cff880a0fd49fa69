// SPDX-License-Identifier: MIT
//
// Expressions that are linear in given variables: e = c1 v1 + c2 v2 + ... + rest, where neither the
// coefficients nor the rest contain any of the variables. Extraction orders the sums anew, so
// values may change by rounding.

#ifndef SALTUS_EQUATIONS_LINEAR_H
#define SALTUS_EQUATIONS_LINEAR_H

#include "equations/dag.h"
#include "equations/walk.h"

typedef struct LinearForm {
    DagTerm *terms; // by ascending variable; in the arena
    uint32_t count;
    Node rest;
} LinearForm;

// Its terms by ascending variable.
void linear_sort(LinearForm *form);

// False: e is not linear in the variables that the set has.
bool linear_extract(Dag *dag, Arena *arena, Node e, const DagMemo *variables, LinearForm *form);

// What v is where left = right, if the equation is linear in v: NODE_NONE if it is not, or if v
// does not occur. Unless the coefficient is a number, *coefficient is the node that must not be
// zero there; else NODE_NONE. May be NULL.
Node linear_solve(Dag *dag, Node left, Node right, uint32_t v, Node *coefficient);

#endif
