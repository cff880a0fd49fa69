// SPDX-License-Identifier: MIT
//
// The structure of one mode: what is differentiated, what is a state, and in which order the rest
// is solved for at a point, given the states.
//
// What always holds in it: it lives in an arena and does not change once it is made. A change of
// the state selection makes another one. Every derivative v_j^(o), o <= d_j, is either a state or
// the unknown of exactly one step, and every f_i^(p), p <= c_i, is the equation of exactly one.
// The equations of a block contain only states, unknowns of this and of earlier blocks.

#ifndef SALTUS_STRUCTURE_STRUCTURE_H
#define SALTUS_STRUCTURE_STRUCTURE_H

#include "structure/offsets.h"
#include "structure/selection.h"
#include "structure/signature.h"

// One equation and one unknown: f_i^(equation_order), v_j^(variable_order).
typedef struct StructureStep {
    uint32_t equation, equation_order;
    uint32_t variable, variable_order;
} StructureStep;

typedef enum StructureKind {
    STRUCTURE_ASSIGNMENT, // one equation, linear or with an inverse: solved for its unknown
    STRUCTURE_CONSTANT,   // linear, and the matrix does not change during a run
    STRUCTURE_LINEAR,
    STRUCTURE_NONLINEAR,
} StructureKind;

typedef struct StructureBlock {
    StructureKind kind;
    uint32_t stage; // how many derivatives below the highest: 0, 1, ..., depth
    uint32_t first; // its steps
    uint32_t size;
    // The first `solved` steps are solved one after the other, each equation for its unknown, once
    // the unknowns of the others are guessed; the equations of those are the residuals.
    uint32_t solved;
    bool is_needed; // for the derivatives of the states
} StructureBlock;

typedef struct Structure {
    const Signature *signature;
    const Offsets *offsets;
    const SelectionPlan *plan;
    const uint32_t *state_orders; // s_j: so many derivatives of v_j, from 0 on, are states
    struct {
        uint32_t variable, order; // v_j^(order)
    } * states;                   // by variable, then by order
    const StructureStep *steps;
    const StructureBlock *blocks; // in the order of evaluation
    const uint32_t *input_orders; // derivatives of the inputs that are needed
    uint32_t state_count, step_count, block_count;
    bool is_regular; // false: the Jacobian that states were chosen by was singular
} Structure;

// jacobian: see selection_make; NULL: the states are chosen without values. NULL is returned for a
// structurally singular system: see diagnosis.h.
const Structure *structure_create(Arena *arena, const Signature *signature, const double *jacobian);
// The same system with these states, a selection that selection_make has made before.
const Structure *structure_with_states(Arena *arena, const Structure *structure,
                                       const uint32_t *state_orders);

static inline uint32_t structure_torn(const StructureBlock *block)
{
    return block->size - block->solved;
}

// v_j^(order) is a dummy derivative: a derivative that is not that of a state.
static inline bool structure_is_dummy(const Structure *s, uint32_t variable, uint32_t order)
{
    return order > s->state_orders[variable] && order <= s->offsets->d[variable];
}

#endif
