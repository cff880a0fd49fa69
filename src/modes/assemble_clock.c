// SPDX-License-Identifier: MIT

#include "modes/assemble_clock.h"

#include "equations/linear.h"
#include "equations/walk.h"
#include "modes/assemble_when.h"
#include "structure/blocks.h"
#include "structure/graph.h"

#include <stdio.h>

typedef struct ClockedLoop {
    Assembly *a;
    const ClockedEquation *equations; // all of them
    DagMemo *defined;                 // variable -> its last clocked equation
    uint32_t *other;                  // by equation: one before it, of another branch, or none
    Node *values;                     // by equation: of its variable, NODE_NONE: none
    DagMemo *replaced;                // what stands for variables of the present loop
} ClockedLoop;

// Both sides, or the variable and its value.
static uint32_t clocked_roots(const ClockedEquation *e, Node roots[2])
{
    roots[0] = e->value == NODE_NONE ? e->equation->left : e->value;
    roots[1] = e->equation->right;
    return e->value == NODE_NONE ? 2 : 1;
}

// v = if tick then value else pre(v)
static void clocked_define(Assembly *a, Node tick, GraphVariable variable, Node value)
{
    const Node before = dag_reference(a->dag, dag_pre_variable(a->dag, variable));
    assemble_define(a, variable, dag_if(a->dag, tick, value, before));
}

static uint32_t clocked_auxiliary(Assembly *a, const char *what, DagType type)
{
    char name[64];
    snprintf(name, sizeof name, "%s %u", what, a->dag->variable_count);
    return dag_add_variable(a->dag, name, DAG_AUXILIARY, type, DAG_DISCRETE);
}

// Whether the clock has ticked at all.
static Node clocked_ticked(Assembly *a, Node tick)
{
    const uint32_t ticked = clocked_auxiliary(a, "ticked", DAG_BOOLEAN);
    const Node before = dag_reference(a->dag, dag_pre_variable(a->dag, ticked));
    assemble_define(a, ticked, dag_binary(a->dag, OPERATOR_OR, tick, before));
    return dag_reference(a->dag, ticked);
}

// What the loop needs and is not computed at the same ticks is taken at the tick.
static void clocked_freeze(ClockedLoop *l, const ClockedEquation *e)
{
    Assembly *a = l->a;
    Dag *dag = a->dag;
    Node roots[2];
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, roots, clocked_roots(e, roots));
    for (uint32_t i = 0; i < memo->count; i++) {
        const uint32_t v = memo->list[i];
        const bool is_fixed =
            dag->variables[v].variability <= DAG_PARAMETER && v != DAG_TIME_VARIABLE;
        const bool is_clocked =
            memo_has(l->defined, v) &&
            l->equations[memo_get(l->defined, v)].equation->tick == e->equation->tick;
        if (is_fixed || is_clocked || memo_has(l->replaced, v))
            continue;
        const uint32_t k = clocked_auxiliary(a, "at tick", dag->variables[v].type);
        clocked_define(a, e->equation->tick, k, dag_reference(dag, v));
        memo_set(l->replaced, v, dag_reference(dag, k));
    }
    memo_give(memo);
}

static bool clocked_is_real(const ClockedLoop *l, uint32_t count, const uint32_t *rows)
{
    const Assembly *a = l->a;
    StringBuilder names = builder_create(a->dag->arena);
    bool is_real = true;
    for (uint32_t i = 0; i < count; i++) {
        const DagVariable *v = &a->dag->variables[l->equations[rows[i]].variable];
        is_real = is_real && v->type == DAG_REAL;
        builder_append_format(&names, "%s%s", i ? ", " : "", v->name);
    }
    if (!is_real)
        diagnostics_error(a->diagnostics, l->equations[rows[0]].equation->span,
                          "clocked variables depend on each other in a circle, and not all are "
                          "Real (%s): write previous(...) around one of them where another "
                          "depends on it",
                          builder_string(&names).text);
    return is_real;
}

// The conditions of branches become part of the loop: what it determines is there in all of them.
static const FlatGuard *clocked_outside(const FlatGuard *guard)
{
    while (guard && !guard->state)
        guard = guard->outer;
    return guard;
}

// Whether the branches of the guard hold: each one if its condition does, and none before.
static Node clocked_branches(const Assembly *a, const FlatGuard *guard)
{
    Dag *dag = a->dag;
    Node all = dag->truth;
    for (; guard && !guard->state; guard = guard->outer) {
        FlatExpression *const *conditions = guard->conditional->conditions;
        Node holds = conditions[guard->branch]
                         ? translate(a->translation, conditions[guard->branch])
                         : dag->truth;
        for (uint32_t b = 0; b < guard->branch; b++) {
            const Node before = translate(a->translation, conditions[b]);
            holds = dag_binary(dag, OPERATOR_AND, dag_unary(dag, OPERATOR_NOT, before), holds);
        }
        all = dag_binary(dag, OPERATOR_AND, holds, all);
    }
    return all;
}

static Node clocked_residual(const ClockedLoop *l, const ClockedEquation *e)
{
    Dag *dag = l->a->dag;
    const Node residual = e->value == NODE_NONE
                              ? dag_subtract(dag, e->equation->left, e->equation->right)
                              : dag_subtract(dag, dag_reference(dag, e->variable), e->value);
    return walk_substitute(dag, residual, l->replaced);
}

// What determines the variable of a row in the loop: its equation, or those that other branches
// have for it. Where a branch determines it outside of the loop, it is that value.
static void clocked_equate(ClockedLoop *l, uint32_t count, const uint32_t *rows, uint32_t i)
{
    Assembly *a = l->a;
    Dag *dag = a->dag;
    const ClockedEquation *e = &l->equations[rows[i]];
    for (uint32_t k = 0; k < i; k++)
        if (l->equations[rows[k]].variable == e->variable)
            return; // has been done
    const Node z = memo_get(l->replaced, e->variable);
    Node residual = dag_subtract(dag, z, dag_reference(dag, e->variable));
    for (uint32_t k = i; k < count; k++)
        if (l->equations[rows[k]].variable == e->variable)
            residual = dag_if(dag, clocked_branches(a, l->equations[rows[k]].equation->guard),
                              clocked_residual(l, &l->equations[rows[k]]), residual);
    const Node ticked = clocked_ticked(a, e->equation->tick);
    const Node before = dag_subtract(dag, z, analyse_start_value(a, e->variable));
    assemble_equation(a, dag_if(dag, ticked, residual, before), dag_real(dag, 0.0),
                      e->equation->span);
}

static void clocked_solve(ClockedLoop *l, uint32_t count, const uint32_t *rows)
{
    Assembly *a = l->a;
    Dag *dag = a->dag;
    if (!clocked_is_real(l, count, rows))
        return;
    memo_clear(l->replaced);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = l->equations[rows[i]].variable;
        if (memo_has(l->replaced, v))
            continue;
        const uint32_t z =
            dag_add_variable(dag, dag->variables[v].name, DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
        memo_set(l->replaced, v, dag_reference(dag, z));
    }
    a->here.guard = clocked_outside(a->here.guard);
    for (uint32_t i = 0; i < count; i++)
        clocked_freeze(l, &l->equations[rows[i]]);
    for (uint32_t i = 0; i < count; i++)
        clocked_equate(l, count, rows, i);
    for (uint32_t i = 0; i < count; i++)
        l->values[rows[i]] = memo_get(l->replaced, l->equations[rows[i]].variable);
}

// Which equations need which: rows are equations, columns what they determine.
static Graph clocked_graph(ClockedLoop *l, uint32_t count)
{
    Dag *dag = l->a->dag;
    uint32_t *start = ARENA_ARRAY(dag->arena, count + 1, uint32_t);
    uint32_t *needs = NULL, need_count = 0, room = 0;
    for (uint32_t i = 0; i < count; i++) {
        const AssembledEquation *e = l->equations[i].equation;
        Node roots[2];
        DagMemo *memo = memo_take(dag);
        walk_variables(memo, WALK_ALL, roots, clocked_roots(&l->equations[i], roots));
        start[i] = need_count;
        ARENA_PUSH(dag->arena, needs, need_count, room, i);
        for (uint32_t k = 0; k < memo->count; k++) {
            const uint32_t v = memo->list[k];
            uint32_t by = memo_has(l->defined, v) ? memo_get(l->defined, v) : GRAPH_NONE;
            // (A circle over several clocks is none that can be solved: see cycle.h.)
            for (; by != GRAPH_NONE; by = l->other[by])
                if (by != i && l->equations[by].equation->tick == e->tick &&
                    !assemble_exclude(l->equations[by].equation->guard, e->guard))
                    ARENA_PUSH(dag->arena, needs, need_count, room, by);
        }
        memo_give(memo);
    }
    start[count] = need_count;
    return (Graph){count, count, start, needs};
}

void assemble_clocked(Assembly *a, const ClockedEquation *equations, uint32_t count)
{
    Dag *dag = a->dag;
    if (!count)
        return;
    ClockedLoop l = {
        .a = a, .equations = equations, .defined = memo_take(dag), .replaced = memo_take(dag)};
    l.other = ARENA_ARRAY(dag->arena, count, uint32_t);
    l.values = ARENA_ARRAY(dag->arena, count, Node);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = equations[i].variable;
        l.values[i] = NODE_NONE;
        l.other[i] = memo_has(l.defined, v) ? memo_get(l.defined, v) : GRAPH_NONE;
        memo_set(l.defined, v, i);
    }
    const Graph graph = clocked_graph(&l, count);
    uint32_t *same = ARENA_ARRAY(dag->arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++)
        same[i] = i;
    const Matching matching = {.row_of = same, .column_of = same, .size = count};
    const Blocks blocks = blocks_find(dag->arena, &graph, &matching);
    for (uint32_t b = 0; b < blocks.count; b++) {
        const uint32_t *rows = &blocks.rows[blocks.start[b]];
        const uint32_t size = blocks.start[b + 1] - blocks.start[b];
        const ClockedEquation *e = &equations[rows[0]];
        a->here.guard = e->equation->guard;
        a->here.component = e->equation->component;
        if (size == 1 && e->value != NODE_NONE && !walk_depends_on(dag, e->value, e->variable))
            l.values[rows[0]] = e->value;
        else
            clocked_solve(&l, size, rows);
    }
    // Definitions of the same variable must come in the order of the branches.
    for (uint32_t i = 0; i < count; i++) {
        const ClockedEquation *e = &equations[i];
        a->here.guard = e->equation->guard;
        a->here.component = e->equation->component;
        if (l.values[i] != NODE_NONE)
            clocked_define(a, e->equation->tick, e->variable, l.values[i]);
    }
    memo_give(l.replaced);
    memo_give(l.defined);
}

Node assemble_clocked_linear(Assembly *a, const AssembledEquation *equation, GraphVariable variable)
{
    Dag *dag = a->dag;
    DagMemo *set = memo_take(dag);
    memo_set(set, variable, 0);
    LinearForm form;
    const bool is_linear =
        linear_extract(dag, dag->arena, dag_subtract(dag, equation->left, equation->right), set,
                       &form) &&
        form.count == 1;
    memo_give(set);
    if (!is_linear || dag_is_zero(dag, form.terms[0].value) ||
        dag_get(dag, form.terms[0].value)->variability > DAG_PARAMETER)
        return NODE_NONE;
    return dag_divide(dag, dag_negate(dag, form.rest), form.terms[0].value);
}
