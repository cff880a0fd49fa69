// SPDX-License-Identifier: MIT
//
// The equations of all modes, from the flat model to the graph: continuous equations, definitions
// of discrete variables, what events do, the conditions of branches and transitions; each with the
// guard that says in which modes it is there.
//
// A when clause becomes definitions, so that evaluating it twice with the same left limits gives
// the same: v = if c and not pre(c) then e else pre(v), where c is an auxiliary variable.
//
// What always holds: no node has holds any more. In place of hold number h stands the auxiliary
// variable hold_variables[h], so that a relation has one held value in all modes, whatever aliases
// do to its operands.

#ifndef SALTUS_MODES_ASSEMBLE_H
#define SALTUS_MODES_ASSEMBLE_H

#include "code/code.h"
#include "modes/translate.h"

typedef struct AssembledEquation {
    Node left, right;
    Span span;
    const FlatGuard *guard;
    const FlatComponent *component; // whose equation it is
    const FlatVariable *open;       // the flow that is zero, as nothing is connected; NULL: none
    Node tick;                      // of a clocked equation: when it holds; NODE_NONE: of others
    uint32_t slope; // of the step of a clocked state: its derivative; DAG_NONE: of others
} AssembledEquation;

typedef enum ActionKind {
    ACTION_REINIT,
    ACTION_ASSERT,
    ACTION_TERMINATE,
    ACTION_SHOW, // a number in the message of an action before it, see assemble_message.c
} ActionKind;

// Numbers of one message; others are shown as they are written.
enum { SHOWN_MOST = 32 };

typedef struct AssembledAction {
    ActionKind kind;
    Node condition;         // it is done if this holds; an assertion: it is violated
    GraphVariable variable; // that is reinitialised
    Node value;             // by this
    const char *message;
    FlatAssertionLevel level;
    Span span;
    uint32_t shown_count; // actions of kind ACTION_SHOW behind it
    const FlatGuard *guard;
    const FlatExpression *shown; // of these: String(x, ...)
} AssembledAction;

// Equations of one section.
typedef struct AssembledEquations {
    AssembledEquation *items;
    uint32_t count, room;
} AssembledEquations;

// What a discrete variable is while the guard holds.
typedef struct AssembledDefinition {
    GraphVariable variable;
    Node value;
    const FlatGuard *guard;
} AssembledDefinition;

// The left limit of a discrete variable at the beginning.
typedef struct AssembledInitial {
    GraphVariable variable;
    Node value;
    Span span;
    bool is_left_limit; // that is what the model gives; else the variable itself
    const FlatGuard *guard;
} AssembledInitial;

typedef struct Assembly {
    Dag *dag;
    Translation *translation;
    Diagnostics *diagnostics;
    const FlatModel *flat;
    AssembledEquations equations, initial_equations;
    // Discrete ones, before it is known what they determine.
    AssembledEquations undirected, undirected_initial;
    // Of parameters, by variable, as they are bound; NAN: not known.
    struct {
        const double *values; // NULL: none
        uint32_t count;
    } known;
    struct {
        AssembledAction *items; // that always hold
        uint32_t count, room;
    } assertions;
    Node *starts;          // by variable of the flat model: start values, NODE_NONE: not given
    uint32_t lambda;       // of homotopy; DAG_NONE: it is not used
    bool has_zeros;        // parameters that are zero shape the model: zeros.h
    bool is_without_zeros; // there is one mode, and it needs no search for these
    bool is_never_run;     // see model_look
    bool has_modes;        // there are machines, or if-equations
    // Ideal switches, see deciding.h.
    struct {
        const uint32_t *of_conditional; // the variable whose sign decides about it, or see there
        const uint32_t *of_hold;        // the complementary conditional; or DAG_NONE
        uint32_t hold_count;            // those holds: what ends sliding comes later
    } deciding;
    const struct Parts *parts;       // see parts.h
    struct PartsReasons *separation; // for more parts, see mode_asks_for_parts; NULL: not asked

    // What is being assembled.
    struct {
        const FlatGuard *guard; // of what is being assembled
        const FlatComponent *component;
        const FlatVariable *open;
        Node tick;
        uint32_t slope;
    } here;
    // Discrete variables, and conditions of when clauses.
    struct {
        AssembledDefinition *items;
        uint32_t count, room;
    } defined;
    // Initial values of discrete variables and parameters.
    struct {
        AssembledInitial *items;
        uint32_t count, room;
    } given;
    // Actions, in the order of the text.
    struct {
        AssembledAction *items; // in when clauses
        uint32_t count, room;
    } actions;
    // Parameters that the initialization has to find, and what depends on them.
    struct {
        uint32_t *parameters;
        uint32_t count;
        bool *has_start; // by variable of the flat model: a fixed start value that depends on
                         // these; NULL: there are none
    } free;
    // By number of a machine's state: whether it is active, since when, for how many ticks, and
    // whether it is being entered by a reset.
    struct {
        uint32_t *active, *since, *ticks, *entering;
        uint32_t count;
    } states;
    // What is held between events, by hold.
    struct {
        GraphVariable *variables;
        Node *operands; // what is held
    } held;
    // Conditions of if-equations and of transitions.
    struct {
        Node **conditions;  // by conditional, then by branch; the last one of `else`: true
        Node *branches;     // by conditional: the number of the branch that holds
        Node **transitions; // by machine: the conditions of its transitions
    } switches;
    // What stands for a relation where it slides, by hold, see sliding.h.
    struct {
        const GraphVariable *variables; // u; DAG_NONE: it cannot slide
        const HoldNumber *ends;         // the number of u (1 - u) > 0
        uint32_t first, count;          // all u among the variables of the graph
    } sliding;
} Assembly;

// NULL after errors.
Assembly *assemble(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics);

// The start value of a variable of the graph: 0 where none is given.
Node analyse_start_value(Assembly *a, GraphVariable variable);
// Whether a parameter has fixed = false, so that the initialization has to find it.
bool assemble_is_found(const FlatVariable *v);
// A state's number among all states of all machines.
uint32_t assemble_state(const FlatModel *flat, const FlatState *state);
// The condition under which a guard's branches hold, apart from states.
Node assemble_guard(const Assembly *a, const FlatGuard *guard);

// In a run: the message of an action or assertion of the assembly with the numbers in it, in the
// arena.
const char *assemble_message_text(Arena *arena, const AssembledAction *action,
                                  const double *values);

#endif
