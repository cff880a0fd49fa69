// SPDX-License-Identifier: MIT
//
// When clauses (section 8.3.5 of the specification; 11.2.7 in algorithms). `when c then v = e; end
// when` becomes
//
//   b = c,   edge = b and not (pre(b) or initial()),   v = if edge then e else pre(v)
//
// with an auxiliary Boolean b: a when clause has no memory but the left limits that all discrete
// variables have, and at the initialization only initial() makes it act. Of several branches the
// first one acts: the edge of each is taken together with the opposite of those before it. What an
// `if` inside a branch decides is one more condition of its assignments. reinit, assert and
// terminate are no definitions: they become actions, which are done when their condition holds.
//
// Invariant: a variable that the clause assigns gets one definition, from all of its assignments.

#include "modes/assemble_when.h"

#include "equations/walk.h"

#include <stdio.h>

// An assignment under a condition; of several of one variable, the first whose condition holds.
typedef struct Assignment {
    GraphVariable variable;
    Node condition, value;
} Assignment;

typedef struct Clause {
    Assembly *a;
    Assignment *assignments;
    uint32_t count, room;
} Clause;

// Whether a condition becomes true: an auxiliary variable has its value and its left limit. At
// initialization only initial() does so.
Node assemble_becomes_true(Assembly *a, Node value)
{
    Dag *dag = a->dag;
    const Node initial = convert_use_initial(a->translation);
    if (value == initial)
        return initial;
    char name[48];
    snprintf(name, sizeof name, "when condition %u", a->defined.count);
    const GraphVariable variable =
        dag_add_variable(dag, name, DAG_AUXILIARY, DAG_BOOLEAN, DAG_DISCRETE);
    assemble_define(a, variable, value);
    const Node before = dag_reference(dag, dag_pre_variable(dag, variable));
    Node quiet = dag_binary(dag, OPERATOR_OR, before, initial);
    // A state that is entered by a reset begins like the model itself.
    for (const FlatGuard *g = a->here.guard; g; g = g->outer)
        if (g->state)
            quiet = dag_binary(
                dag, OPERATOR_OR, quiet,
                dag_reference(dag, a->states.entering[assemble_state(a->flat, g->state)]));
    return dag_binary(dag, OPERATOR_AND, dag_reference(dag, variable),
                      dag_unary(dag, OPERATOR_NOT, quiet));
}

static void assemble_when_collect(Clause *c, Node condition, uint32_t count,
                                  FlatStatement *const *statements);

static void collect_choice(Clause *c, Node condition, const FlatStatement *s)
{
    Dag *dag = c->a->dag;
    for (uint32_t i = 0; i < s->branches.count; i++) {
        const FlatBranch *branch = &s->branches.items[i];
        Node taken = condition;
        if (branch->condition) {
            const Node holds = translate(c->a->translation, branch->condition);
            taken = dag_binary(dag, OPERATOR_AND, condition, holds);
            condition =
                dag_binary(dag, OPERATOR_AND, condition, dag_unary(dag, OPERATOR_NOT, holds));
        }
        assemble_when_collect(c, taken, branch->count, branch->statements);
    }
}

static void assemble_when_add_assignment(Clause *c, Node condition, Node target, Node value,
                                         Span span)
{
    Assembly *a = c->a;
    if (dag_get(a->dag, target)->kind != DAG_VARIABLE) {
        diagnostics_error(a->diagnostics, span, "this is no variable that can be assigned");
        return;
    }
    ARENA_PUSH(a->dag->arena, c->assignments, c->count, c->room,
               (Assignment){dag_get(a->dag, target)->number, condition, value});
}

bool assemble_is_used(const FlatStatement *s)
{
    for (uint32_t i = 0; i < s->target_count; i++)
        if (s->targets[i])
            return true;
    return false;
}

Node assemble_effect(Assembly *a, const FlatStatement *s, DagMemo *values)
{
    ConvertLoop l;
    if (!convert_loop(a->translation, s, &l))
        return NODE_NONE;
    Node *arguments = ARENA_ARRAY(a->dag->arena, l.input_count, Node);
    for (uint32_t i = 0; i < l.input_count; i++) {
        const Node input = dag_reference(a->dag, l.inputs[i]);
        arguments[i] = values ? walk_substitute(a->dag, input, values) : input;
    }
    return dag_result(a->dag, dag_call(a->dag, l.function, l.input_count, arguments), 0);
}

static void collect_results(Clause *c, Node condition, const FlatStatement *s)
{
    const Node failed = assemble_is_used(s) ? NODE_NONE : assemble_effect(c->a, s, NULL);
    if (failed != NODE_NONE)
        assemble_action(c->a, &(AssembledAction){.kind = ACTION_ASSERT,
                                                 .condition = dag_if(c->a->dag, condition, failed,
                                                                     c->a->dag->falsehood),
                                                 .message = "a call fails",
                                                 .level = FLAT_LEVEL_ERROR,
                                                 .span = s->span});
    if (!assemble_is_used(s))
        return;
    uint32_t count;
    const DagEquation *sides =
        convert_results(c->a->translation, s->value, s->target_count, s->targets, &count);
    for (uint32_t i = 0; i < count; i++)
        assemble_when_add_assignment(c, condition, sides[i].left, sides[i].right, s->span);
}

static void collect_reinit(Clause *c, Node condition, const FlatStatement *s)
{
    const GraphVariable variable =
        dag_get(c->a->dag, translate(c->a->translation, s->target))->number;
    const Node value = translate(c->a->translation, s->value);
    assemble_action(c->a, &(AssembledAction){.kind = ACTION_REINIT,
                                             .condition = condition,
                                             .variable = variable,
                                             .value = value,
                                             .span = s->span});
    assemble_initial_reinit(c->a, condition, variable, value, s->span);
}

static void collect_check(Clause *c, ActionKind kind, Node condition, const FlatStatement *s)
{
    const AssembledAction action = {
        .kind = kind, .condition = condition, .level = s->check.level, .span = s->span};
    assemble_message_add(c->a, assemble_message(c->a, &action, s->check.message), assemble_action);
}

static void assemble_when_collect(Clause *c, Node condition, uint32_t count,
                                  FlatStatement *const *statements)
{
    Assembly *a = c->a;
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *s = statements[i];
        switch (s->kind) {
        case FLAT_ASSIGN:
            assemble_when_add_assignment(c, condition, translate(a->translation, s->target),
                                         translate(a->translation, s->value), s->span);
            break;
        case FLAT_MULTIPLE:
            collect_results(c, condition, s);
            break;
        case FLAT_REINIT:
            collect_reinit(c, condition, s);
            break;
        case FLAT_ASSERT: {
            const Node violated =
                dag_unary(a->dag, OPERATOR_NOT, translate(a->translation, s->check.condition));
            collect_check(c, ACTION_ASSERT, dag_binary(a->dag, OPERATOR_AND, condition, violated),
                          s);
            break;
        }
        case FLAT_TERMINATE:
            collect_check(c, ACTION_TERMINATE, condition, s);
            break;
        case FLAT_CHOICE:
            collect_choice(c, condition, s);
            break;
        default:
            diagnostics_error(a->diagnostics, s->span, "this statement cannot be simulated yet");
        }
    }
}

// v = if c1 then e1 else if c2 then e2 else ... pre(v)
static void assemble_when_define(Clause *c, GraphVariable variable)
{
    Dag *dag = c->a->dag;
    Node value = dag_reference(dag, dag_pre_variable(dag, variable));
    for (uint32_t i = c->count; i-- > 0;)
        if (c->assignments[i].variable == variable)
            value = dag_if(dag, c->assignments[i].condition, c->assignments[i].value, value);
    assemble_define(c->a, variable, value);
}

void assemble_when(Assembly *a, const FlatWhen *when)
{
    Dag *dag = a->dag;
    Clause clause = {.a = a};
    Node none_before = dag->truth;
    for (uint32_t b = 0; b < when->count; b++) {
        const FlatWhenBranch *branch = &when->branches[b];
        Node active = dag->falsehood;
        for (uint32_t i = 0; i < branch->condition_count; i++)
            active = dag_binary(
                dag, OPERATOR_OR, active,
                assemble_becomes_true(a, translate(a->translation, branch->conditions[i])));
        convert_be_silent(a->translation, true);
        assemble_when_collect(&clause, dag_binary(dag, OPERATOR_AND, none_before, active),
                              branch->count, branch->statements);
        convert_be_silent(a->translation, false);
        none_before =
            dag_binary(dag, OPERATOR_AND, none_before, dag_unary(dag, OPERATOR_NOT, active));
    }
    for (uint32_t i = 0; i < when->defined_count; i++)
        assemble_when_define(&clause, translate_variable(a->translation, when->defined[i]));
}
