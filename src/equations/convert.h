// SPDX-License-Identifier: MIT
//
// From the flat model to the graph: variables, expressions, equations, functions.
//
// What becomes of what:
// - A variable of the flat model is a variable of the graph; inputs that nobody sets are given like
//   parameters. Constants and structural parameters are their values. Strings exist in functions
//   only, as numbers: see convert_text.c.
// - What triggers events is held: relations, div, ceil, floor, integer as such; abs, sign and
//   semiLinear as if-expressions whose relations are held; mod and rem with a held quotient.
//   noEvent and smooth leave no trace but that.
// - der of an expression is differentiated; edge and change are spelt out with pre.
// - homotopy is its first argument, or, with a variable lambda, goes from the second to the first.
// - a[i] with an i that changes is a chain of if-expressions; outside the bounds it fails.
// - `and` and `or` whose second operand calls a function evaluate it only where it decides.
// - A function is converted for each list of argument sizes that it is called with (and, where
// sizes
//   depend on the values of Integer arguments, for those values): then all its arrays have known
//   sizes, array expressions become lists of scalars, loops stay loops.

#ifndef SALTUS_EQUATIONS_CONVERT_H
#define SALTUS_EQUATIONS_CONVERT_H

#include "base/diagnostics.h"
#include "equations/dag.h"
#include "flatten/flat.h"

typedef struct Convert Convert;

// sample(start, interval): the variable is true at its events.
typedef struct ConvertSample {
    uint32_t variable;
    Node start, interval;
    Span span;
} ConvertSample;

// What a past is recorded for: a delay, or one of the three signals of spatialDistribution, which
// stand one after the other in the order of base/profile.h.
typedef enum ConvertPast { CONVERT_DELAY, CONVERT_TRANSPORT, CONVERT_TRANSPORTED } ConvertPast;

// delay(expression, time): the history of `observed`, which is the expression. The profile of
// spatialDistribution belongs to its position; what is read at the left and the right end has the
// handles of the signals that come in there.
typedef struct ConvertDelay {
    ConvertPast kind;
    uint32_t observed;      // a continuous variable that an equation has yet to define
    uint32_t handle, start; // its history, see base/history.h, and what it was at the start (or, if
                            // it is discrete, what it is by now)
    Node expression, time, longest;
    bool is_variable; // the time changes during the run
    Span span;
    const char *text;
    Node *profile; // of a position: points and values by turns
    uint32_t point_count;
    // Of what is transported: `start` is the mark of the next front, `front` the hold of the
    // relation that it has arrived, `beyond` what is read then; DAG_NONE: nobody looks.
    uint32_t front, beyond;
} ConvertDelay;

// Makes the variables. What cannot be converted is reported as an error.
Convert *convert_create(Dag *dag, const FlatModel *model, Diagnostics *diagnostics);

// The value of a constant or a structural parameter.
Node convert_value(Convert *c, const FlatVariable *variable);
// The variable of the graph for one of the flat model; DAG_NONE: it has none.
uint32_t convert_variable(const Convert *c, const FlatVariable *variable);
// The variable activeState(state); the time of its entry, which timeInState() is counted from; and
// ticksInState() in it.
uint32_t convert_active(Convert *c, const FlatState *state);
uint32_t convert_state_time(Convert *c, const FlatState *state);
uint32_t convert_state_ticks(Convert *c, const FlatState *state);
// The variables of initial() and terminal(); DAG_NONE: not used.
uint32_t convert_initial(const Convert *c);
uint32_t convert_terminal(const Convert *c);
// initial(), which is used from now on.
Node convert_use_initial(Convert *c);
uint32_t convert_sample_count(const Convert *c);
const ConvertSample *convert_sample(const Convert *c, uint32_t index);
uint32_t convert_delay_count(const Convert *c);
const ConvertDelay *convert_delay(const Convert *c, uint32_t index);

// Whether nothing triggers events from here on, as in the body of a when clause (section 3.7.2).
void convert_be_silent(Convert *c, bool is_silent);
bool convert_is_silent(const Convert *c);
// From here on homotopy depends on this variable; DAG_NONE (as at first): it is its first argument.
void convert_use_lambda(Convert *c, uint32_t variable);

// A scalar expression; NODE_NONE after an error.
Node convert_expression(Convert *c, const FlatExpression *e);
// The text of a message; what is not constant in it stands as it is written.
const char *convert_message(Convert *c, const FlatExpression *message);
// Whether it is String(x, ...) of a number, with a format that is known, that can be computed
// whenever the model can: a message is no reason to refuse a model.
bool convert_is_shown(const FlatExpression *e);
// Its number as a Real.
Node convert_shown(Dag *dag, Node value);
// What stands for an expression that could not be converted.
Node convert_zero(const Convert *c);

// What targets of a call get, which may be NULL: dropped. One equation for each of their scalars;
// none after an error.
DagEquation *convert_results(Convert *c, const FlatExpression *call, uint32_t target_count,
                             FlatExpression *const *targets, uint32_t *count);
// Where an assignment goes: one variable, or, with a subscript that changes, each of several under
// a condition of its own.
typedef struct ConvertTarget {
    uint32_t count;
    uint32_t *variables;
    Node *conditions;
    Node is_inside; // whether the subscripts are within bounds
} ConvertTarget;

bool convert_target(Convert *c, const FlatExpression *target, ConvertTarget *out);

// From here on the iterator of a loop in an algorithm section is this number.
void convert_set_iterator(Convert *c, const FlatLocal *iterator, Node value);

// A loop of an algorithm section as a function: from the values of `inputs` before it to those of
// `outputs` behind it. Nothing in it triggers events.
typedef struct ConvertLoop {
    uint32_t function;
    uint32_t input_count, output_count;
    const uint32_t *inputs, *outputs; // variables
} ConvertLoop;

// What its function is called; no user's function can have this name.
#define CONVERT_LOOP_NAME "loop of an algorithm"
// What the function is called that fails where a subscript of an equation, or the number of an
// enumeration's value, is out of bounds.
#define CONVERT_SUBSCRIPT_NAME "subscript of an equation"

// What assigns nothing, as a call for its effect, has one result: false.
bool convert_loop(Convert *c, const FlatStatement *loop, ConvertLoop *out);

#endif
