// SPDX-License-Identifier: MIT
//
// The equations of one mode, from the flat model to the graph: continuous equations without
// aliases, definitions of discrete variables, and what events do.
//
// A when clause becomes definitions, so that evaluating it twice with the same left limits gives
// the same: v = if c and not pre(c) then e else pre(v), where c is an auxiliary variable.

#ifndef SALTUS_MODEL_ASSEMBLE_H
#define SALTUS_MODEL_ASSEMBLE_H

#include "code/code.h"
#include "equations/alias.h"
#include "model/translate.h"

typedef struct AssembledEquation {
    Node left, right;
    Span span;
} AssembledEquation;

typedef enum ActionKind { ACTION_REINIT, ACTION_ASSERT, ACTION_TERMINATE } ActionKind;

typedef struct AssembledAction {
    ActionKind kind;
    Node condition;    // it is done if this holds; an assertion: it is violated
    uint32_t variable; // that is reinitialised
    Node value;        // by this
    const char *message;
    FlatAssertionLevel level;
    Span span;
} AssembledAction;

// Equations of one section.
typedef struct AssembledEquations {
    AssembledEquation *items;
    uint32_t count, room;
} AssembledEquations;

typedef struct Assembly {
    Dag *dag;
    Translation *translation;
    Diagnostics *diagnostics;
    const FlatModel *flat;
    AssembledEquations equations, initial_equations;
    CodeDefinition *discrete; // discrete variables, and conditions of when clauses
    uint32_t discrete_count, discrete_room;
    AssembledAction *actions; // in when clauses
    uint32_t action_count, action_room;
    AssembledAction *assertions; // that always hold
    uint32_t assertion_count, assertion_room;
    AliasTable aliases;
    uint32_t *continuous; // variables that remain, plain ones
    uint32_t continuous_count;
} Assembly;

// NULL after errors.
Assembly *assemble(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics);

// What a variable of the graph is after aliases are removed.
Node assemble_value(Assembly *a, uint32_t variable);

#endif
