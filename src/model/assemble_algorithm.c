// SPDX-License-Identifier: MIT
//
// Algorithm sections. They are executed with expressions: every variable that the section assigns
// has an expression for its present value, and an assignment under a condition c makes it
// if c then new else old. At the beginning a discrete variable has its left limit, another one its
// start value (section 11.1.2 of the specification).

#include "model/analyse.h"
#include "model/assemble_when.h"

typedef struct Execution {
    Assembly *a;
    DagMemo *present; // variable -> its expression
} Execution;

// An expression with the present values.
static Node value_of(Execution *e, const FlatExpression *expression)
{
    return walk_substitute(e->a->dag, translate(e->a->translation, expression), e->present);
}

static Node both(Execution *e, Node a, Node b)
{
    return dag_binary(e->a->dag, OPERATOR_AND, a, b);
}

static Node negated(Execution *e, Node a)
{
    return dag_unary(e->a->dag, OPERATOR_NOT, a);
}

static void execute(Execution *e, Node path, uint32_t count, FlatStatement *const *statements);

static void refuse(Execution *e, Span span)
{
    diagnostics_error(e->a->diagnostics, span,
                      "this statement in an algorithm section cannot be simulated yet");
}

static void assign(Execution *e, Node path, const FlatStatement *s)
{
    if (s->target->kind != FLAT_VARIABLE) {
        refuse(e, s->span);
        return;
    }
    const uint32_t v = translate_variable(e->a->translation, s->target->variable);
    const Node value = value_of(e, s->value);
    if (s->kind == FLAT_REINIT)
        assemble_action(e->a, &(AssembledAction){.kind = ACTION_REINIT,
                                                 .condition = path,
                                                 .variable = v,
                                                 .value = value,
                                                 .span = s->span});
    else
        memo_set(e->present, v, dag_if(e->a->dag, path, value, memo_get(e->present, v)));
}

static void check(Execution *e, Node path, const FlatStatement *s)
{
    AssembledAction action = {.kind = ACTION_TERMINATE,
                              .condition = path,
                              .message = assemble_message(e->a, s->check.message),
                              .level = s->check.level,
                              .span = s->span};
    if (s->kind == FLAT_ASSERT) {
        action.kind = ACTION_ASSERT;
        action.condition = both(e, path, negated(e, value_of(e, s->check.condition)));
    }
    assemble_action(e->a, &action);
}

// Whether one of the conditions of `when c` or `when {c1, c2}` becomes true.
static Node fires(Execution *e, const FlatExpression *condition)
{
    if (condition->kind != FLAT_ARRAY)
        return assemble_becomes_true(e->a, value_of(e, condition));
    Node any = e->a->dag->falsehood;
    for (uint32_t i = 0; i < condition->count; i++)
        any = dag_binary(e->a->dag, OPERATOR_OR, any, fires(e, condition->operands[i]));
    return any;
}

// All conditions have the values from before the first branch.
static void choose(Execution *e, Node path, const FlatStatement *s)
{
    Node *taken = ARENA_ARRAY(e->a->dag->arena, s->branches.count, Node);
    for (uint32_t i = 0; i < s->branches.count; i++) {
        const FlatBranch *branch = &s->branches.items[i];
        taken[i] = path;
        if (!branch->condition)
            continue;
        const Node holds =
            s->kind == FLAT_WHEN ? fires(e, branch->condition) : value_of(e, branch->condition);
        taken[i] = both(e, path, holds);
        path = both(e, path, negated(e, holds));
    }
    for (uint32_t i = 0; i < s->branches.count; i++)
        execute(e, taken[i], s->branches.items[i].count, s->branches.items[i].statements);
}

static void execute(Execution *e, Node path, uint32_t count, FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *s = statements[i];
        if (s->kind == FLAT_ASSIGN || s->kind == FLAT_REINIT)
            assign(e, path, s);
        else if (s->kind == FLAT_ASSERT || s->kind == FLAT_TERMINATE)
            check(e, path, s);
        else if (s->kind == FLAT_CHOICE || s->kind == FLAT_WHEN)
            choose(e, path, s);
        else
            refuse(e, s->span);
    }
}

void assemble_algorithm(Assembly *a, const FlatAlgorithm *algorithm)
{
    Dag *dag = a->dag;
    Execution e = {a, memo_take(dag)};
    if (algorithm->guard)
        refuse(&e, algorithm->origin.span);
    for (uint32_t i = 0; i < algorithm->defined_count; i++) {
        const uint32_t v = translate_variable(a->translation, algorithm->defined[i]);
        const bool is_discrete = dag->variables[v].variability == DAG_DISCRETE;
        memo_set(e.present, v,
                 is_discrete ? dag_reference(dag, dag_pre_variable(dag, v))
                             : analyse_start_value(a, v));
    }
    execute(&e, dag->truth, algorithm->count, algorithm->statements);
    for (uint32_t i = 0; i < algorithm->defined_count; i++) {
        const uint32_t v = translate_variable(a->translation, algorithm->defined[i]);
        const Node value = memo_get(e.present, v);
        if (dag->variables[v].variability == DAG_DISCRETE)
            assemble_define(a, v, value);
        else
            assemble_equation(a, dag_reference(dag, v), value, algorithm->origin.span);
    }
    memo_give(e.present);
}
