// SPDX-License-Identifier: MIT
//
// The structure in formulas: for each block, what its unknowns are, or what they have to satisfy.
// This is what code is made from.
//
// What always holds in it: in the order of the blocks, and in a block in the order of its
// definitions, everything that an expression contains is known: time, parameters, what is held or
// discrete, inputs and their derivatives, states, unknowns and definitions of earlier blocks. The
// residuals and the Jacobian of a block contain its own unknowns and definitions, too. The Jacobian
// is that of the residuals as functions of the unknowns alone, definitions put in.

#ifndef SALTUS_STRUCTURE_SOLUTION_H
#define SALTUS_STRUCTURE_SOLUTION_H

#include "structure/structure.h"
#include "structure/system.h"

// variable = value; if `divisor` is not NODE_NONE, value divides by it.
typedef struct SolutionDefinition {
    uint32_t variable; // of the graph
    Node value, divisor;
} SolutionDefinition;

typedef struct SolutionBlock {
    StructureKind kind; // of an assignment: one definition and no unknown
    uint32_t stage;
    bool is_needed;
    uint32_t definition_count;
    const SolutionDefinition *definitions; // follow from the unknowns, in this order
    // The residuals must vanish. Linear: they are A u + b, so one step of Newton's method from
    // anywhere finds the unknowns; constant: A depends on nothing but parameters.
    uint32_t unknown_count;
    const uint32_t *unknowns; // variables of the graph
    const Node *residuals;
    const SignatureEquation *equations; // that the residuals come from, for messages
    const uint32_t *column_start;       // the Jacobian by columns, unknown_count + 1
    const uint32_t *rows;
    const Node *entries;
} SolutionBlock;

typedef struct Solution {
    const System *system;
    const Structure *structure; // NULL: of an initialization
    uint32_t block_count, state_count;
    const SolutionBlock *blocks;
    // States and their derivatives, variables of the graph; a derivative may be a state itself.
    struct {
        uint32_t variable, derivative;
    } * states;
    // Pivots of the state selection that can degrade: the coefficients of the entries of the free
    // groups; for selection_improve and selection_make, values[pivots[k].entry].
    uint32_t pivot_count;
    struct {
        uint32_t entry;
        Node coefficient;
    } * pivots;
} Solution;

typedef struct SolutionFailure {
    uint32_t equation; // of the signature
    const char *reason;
} SolutionFailure;

// NULL: an equation cannot be differentiated.
const Solution *solution_create(Arena *arena, const System *system, const Structure *structure,
                                SolutionFailure *failure);

// The initialization: `initial->structure` in formulas. Unknowns are derivatives v_j^(o) and free
// parameters; `starts` (one per unknown of the initial problem) are the nodes of start values.
struct Initial;
const Solution *solution_initial(Arena *arena, const System *system, const struct Initial *initial,
                                 const Node *starts, SolutionFailure *failure);

#endif
