// SPDX-License-Identifier: MIT

#include "modes/assemble_clock.h"

#include "equations/linear.h"
#include "equations/walk.h"
#include "modes/assemble_when.h"
#include "structure/blocks.h"

#include <stdio.h>

typedef struct ClockedLoop {
    Assembly *a;
    const ClockedEquation *equations; // all of them
    DagMemo *defined;                 // variable -> its clocked equation
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

static void clocked_solve(ClockedLoop *l, uint32_t count, const uint32_t *rows)
{
    Assembly *a = l->a;
    Dag *dag = a->dag;
    if (!clocked_is_real(l, count, rows))
        return;
    memo_clear(l->replaced);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = l->equations[rows[i]].variable;
        const uint32_t z =
            dag_add_variable(dag, dag->variables[v].name, DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
        memo_set(l->replaced, v, dag_reference(dag, z));
    }
    for (uint32_t i = 0; i < count; i++)
        clocked_freeze(l, &l->equations[rows[i]]);
    const Node ticked = clocked_ticked(a, l->equations[rows[0]].equation->tick);
    for (uint32_t i = 0; i < count; i++) {
        const ClockedEquation *e = &l->equations[rows[i]];
        const Node z = memo_get(l->replaced, e->variable);
        Node residual = e->value == NODE_NONE
                            ? dag_subtract(dag, e->equation->left, e->equation->right)
                            : dag_subtract(dag, dag_reference(dag, e->variable), e->value);
        residual = walk_substitute(dag, residual, l->replaced);
        const Node before = dag_subtract(dag, z, analyse_start_value(a, e->variable));
        assemble_equation(a, dag_if(dag, ticked, residual, before), dag_real(dag, 0.0),
                          e->equation->span);
        clocked_define(a, e->equation->tick, e->variable, z);
    }
}

// Which equations need which: rows are equations, columns what they determine.
static Graph clocked_graph(ClockedLoop *l, uint32_t count)
{
    Dag *dag = l->a->dag;
    Arena *arena = dag->arena;
    uint32_t *start = ARENA_ARRAY(arena, count + 1, uint32_t), *columns = NULL, used = 0, room = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ClockedEquation *e = &l->equations[i];
        Node roots[2];
        DagMemo *memo = memo_take(dag);
        walk_variables(memo, WALK_ALL, roots, clocked_roots(e, roots));
        start[i] = used;
        if (!columns || used + memo->count + 1 > room) {
            const uint32_t grown = 2 * (used + memo->count + 1);
            columns = arena_grow(arena, columns, room * sizeof *columns, grown * sizeof *columns);
            room = grown;
        }
        columns[used++] = i;
        for (uint32_t k = 0; k < memo->count; k++) {
            const uint32_t v = memo->list[k];
            const uint32_t by = memo_has(l->defined, v) ? memo_get(l->defined, v) : i;
            // (A circle over several clocks is none that can be solved: see cycle.h.)
            if (by != i && l->equations[by].equation->tick == e->equation->tick)
                columns[used++] = by;
        }
        memo_give(memo);
    }
    start[count] = used;
    return (Graph){count, count, start, columns};
}

void assemble_clocked(Assembly *a, const ClockedEquation *equations, uint32_t count)
{
    Dag *dag = a->dag;
    if (!count)
        return;
    ClockedLoop l = {
        .a = a, .equations = equations, .defined = memo_take(dag), .replaced = memo_take(dag)};
    for (uint32_t i = 0; i < count; i++)
        memo_set(l.defined, equations[i].variable, i);
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
            clocked_define(a, e->equation->tick, e->variable, e->value);
        else
            clocked_solve(&l, size, rows);
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
        linear_extract(dag, dag_subtract(dag, equation->left, equation->right), set, &form) &&
        form.count == 1;
    memo_give(set);
    if (!is_linear || dag_is_zero(dag, form.terms[0].coefficient) ||
        dag_get(dag, form.terms[0].coefficient)->variability > DAG_PARAMETER)
        return NODE_NONE;
    return dag_divide(dag, dag_negate(dag, form.rest), form.terms[0].coefficient);
}
