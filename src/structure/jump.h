// SPDX-License-Identifier: MIT
//
// The restart of a mode in formulas: what the left limits v_j^(o), o < d_j, become when the mode
// is entered. Nothing but the equations of the mode decides that.
//
// Stage 1, the jump. A constraint (c_i >= 1) must hold for V_j = v_j^(d_j - 1) at once:
//     f_i^(c_i - 1) (V, ...) = 0.
// An equation that is not differentiated (c_i = 0) is integrated over the instant. What is finite
// vanishes; of v_j^(d_j) the jump of V_j remains, of an algebraic variable (d_j = 0) its impulse:
//     sum over j of J_ij D_j = 0,   D_j = V_j - V_j(left), or the impulse of v_j.
// The matrix of both together is the Jacobian J of offsets.h, so where that is regular the jump is
// unique. Its blocks show what can jump at all: what has a constraint, and what needs it. Of these
// the impulses that no V_j depends on are left out again: p = u i may be what it likes. (Those of
// equations that are singular, since one is repeated, stay: they may have no solution.)
// A. Benveniste, B. Caillaud, M. Malandain: The mathematical foundations of physical systems
// modeling languages, Annual Reviews in Control 50 (2020), whose examples have these solutions.
//
// Stages k >= 2, positions. f_i^(c_i - k) = 0 must hold for v_j^(d_j - k). No finite impulse
// moves these; but what the location of an event leaves over has to be projected away, and what
// had no value before may be found by them.
//
// What always holds: it lives in the arena and does not change. Parts of one stage share no
// unknowns. The expressions of a constraint contain only v_j^(o), o < d_j, and what is given; those
// of a balance also what `algebraic` computes from these.

#ifndef SALTUS_STRUCTURE_JUMP_H
#define SALTUS_STRUCTURE_JUMP_H

#include "structure/solution.h"

typedef enum JumpKind {
    JUMP_CONSTRAINT, // the residual must vanish; the coefficients are its derivatives
    JUMP_BALANCE,    // the sum of coefficients times D_j must vanish
    JUMP_FINITE,     // D_j must vanish: the equation is not linear in v_j^(d_j), or multiplies it
                     // with something that is not continuous either
} JumpKind;

typedef struct JumpRow {
    JumpKind kind;
    bool is_needed;    // false: only what is asked for about events depends on it
    uint32_t equation; // of the system
    Node residual;     // of a constraint
} JumpRow;

// v_j^(d_j - stage), or the impulse of v_j: then d_j = 0, stage = 1.
typedef struct JumpColumn {
    uint32_t variable; // j
    uint32_t graph;    // the variable of the graph; DAG_NONE: an impulse
} JumpColumn;

typedef struct JumpEntry {
    uint32_t row, column; // of the part
    Node coefficient;
} JumpEntry;

typedef struct JumpPart {
    uint32_t stage;
    uint32_t row_count, column_count, entry_count;
    JumpRow *rows;
    JumpColumn *columns;
    JumpEntry *entries; // by rows
} JumpPart;

// The impulse of an expression: the sum of coefficients times D_j.
typedef struct JumpTerm {
    uint32_t part, column;
    Node coefficient; // NODE_NONE: not linear, so if D_j is not zero nothing can be said
} JumpTerm;

typedef struct Jump {
    const Solution *flow;
    uint32_t part_count, event_count;
    const JumpPart *parts; // the largest stage first
    // Of each event, terms[event_start[k]] ... terms[event_start[k + 1] - 1]; none: the expression
    // has no impulse.
    const uint32_t *event_start;
    const JumpTerm *terms;
    // The algebraic variables that coefficients contain, from v_j^(o), o < d_j: blocks of `flow`.
    const Solution *algebraic;
} Jump;

// flow: the solution of the mode. events: expressions whose impulses are of interest (may be NULL).
// NULL: an equation cannot be differentiated.
const Jump *jump_create(Arena *arena, const Solution *flow, const Node *events,
                        uint32_t event_count, SolutionFailure *failure);

#endif
