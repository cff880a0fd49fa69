// SPDX-License-Identifier: MIT
//
// State selection: which of the derivatives v_j, v_j', ..., v_j^(d_j) are states, and which are
// solved for, the dummy derivatives among them.
//
// S. E. Mattsson, G. Söderlind: Index reduction in differential-algebraic equations using dummy
// derivatives, SIAM J. Sci. Comput. 14 (1993); R. McKenzie, J. D. Pryce: Structural analysis based
// dummy derivative selection for differential algebraic equations, BIT 57 (2017).
//
// In stage -k, k = 1, 2, ..., the equations f_i^(c_i - k) are solved for as many of the variables
// v_j^(d_j - k); candidates are those of which v_j^(d_j - k + 1) is solved for in the stage above.
// The matrix is in all stages a part of the Jacobian of offsets.h. So the selection is a number
// s_j <= d_j for each variable: v_j, ..., v_j^(s_j - 1) are states, the rest is solved for.
//
// The choice falls apart into groups: connected parts of the equations with c > 0.

#ifndef SALTUS_STRUCTURE_SELECTION_H
#define SALTUS_STRUCTURE_SELECTION_H

#include "structure/offsets.h"
#include "structure/pivots.h"

// Equations with c > 0 and variables with d > 0 that tight entries connect.
typedef struct SelectionGroup {
    uint32_t row_count, column_count;
    const uint32_t *equations, *variables;
    const uint32_t *start;   // row_count + 1: edges of the rows
    const uint32_t *columns; // of each edge, among `variables`
    const uint32_t *entries; // of each edge, in the signature
    uint32_t depth;          // the largest c
    bool is_free;            // there is a choice
    bool is_constant;        // between coefficients that do not change: it cannot degrade
} SelectionGroup;

typedef struct SelectionPlan {
    const Signature *signature;
    const Offsets *offsets;
    uint32_t group_count;
    const SelectionGroup *groups;
    const uint8_t *rank[2], *taste; // of variables; rank[1]: of their derivatives
} SelectionPlan;

const SelectionPlan *selection_plan(Arena *arena, const Signature *s, const Offsets *o);

typedef struct Selector Selector; // working memory

Selector *selection_selector(Arena *arena, const SelectionPlan *plan);

// states[j] becomes s_j. jacobian[e] is the value of df_i / dv_j^(sigma_ij) of entry e; only
// those in groups are read. NULL: numbers of the signature, other coefficients are taken as
// generic. False: the values make a group singular, and what is chosen there is right for others.
bool selection_make(Selector *selector, const double *jacobian, uint32_t *states);

// Makes the selection anew in the groups where it is less good than that; the others keep theirs.
// False: there are none. How good a selection of a group is at a point: the determinants of its
// stages divided by those that selection_make would get there, at most 1; 0 if the selection is
// singular there. A selection is worth changing where this falls below 1 / 2 or so; the new one
// begins with 1, so there is no chattering between them.
bool selection_improve(Selector *selector, const double *jacobian, double least, uint32_t *states);

#endif
