// SPDX-License-Identifier: MIT
//
// Pantelides' algorithm, in his words: V-nodes are the discrete variables of the partition that
// have no derivative yet, E-nodes the clocked equations that are no step of a state.
//
//   assigned     ASSIGN: variable -> the equation that determines it
//   slopes       A: variable -> its derivative; of states, what the solver method steps along
//   derived      B: equation -> its derivative
//   equations    E-nodes that the present search has coloured,
//   variables    V-nodes likewise
//
// An equation that finds no variable on an augmenting path has coloured a set of equations that
// determine fewer variables than they are. All of these are differentiated, the coloured variables
// get derivatives, and the search goes on with the derivative of the equation. That ends if the
// system is regular; else MOST_DERIVATIVES ends it.

#include "modes/assemble_index.h"

#include "equations/derive.h"
#include "modes/assemble_when.h"
#include "structure/graph.h"

// No equation is differentiated more often than this many times as there are equations.
enum { MOST_DERIVATIVES = 8, LONGEST_PATH = 10000 };

typedef struct Reduction {
    Assembly *a;
    DagMemo *slopes;                // variable -> its derivative
    DagMemo *assigned;              // variable -> the equation that determines it
    DagMemo *derived;               // equation -> its derivative
    DagMemo *equations, *variables; // that the present search has come by, also as lists
} Reduction;

static bool reduction_is_unknown(const Reduction *r, uint32_t v)
{
    const DagVariable *variable = &r->a->dag->variables[v];
    return variable->role == DAG_PLAIN && variable->variability == DAG_DISCRETE &&
           !memo_has(r->slopes, v);
}

static void reduction_color(DagMemo *memo, uint32_t key)
{
    if (memo_has(memo, key))
        return;
    memo_set(memo, key, 0);
    memo_push(memo, key);
}

static bool reduction_augment(Reduction *r, uint32_t e, uint32_t depth)
{
    Dag *dag = r->a->dag;
    const AssembledEquation q = r->a->undirected.items[e];
    if (memo_has(r->equations, e) || depth > LONGEST_PATH)
        return false;
    reduction_color(r->equations, e);
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, (Node[]){q.left, q.right}, 2);
    const uint32_t count = memo->count;
    uint32_t *list = ARENA_ARRAY(dag->arena, count, uint32_t), kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (reduction_is_unknown(r, memo->list[i]))
            list[kept++] = memo->list[i];
    memo_give(memo);
    bool is_found = false;
    for (uint32_t i = 0; i < kept && !is_found; i++)
        if (!memo_has(r->assigned, list[i])) {
            memo_set(r->assigned, list[i], e);
            is_found = true;
        }
    for (uint32_t i = 0; i < kept && !is_found; i++) {
        if (memo_has(r->variables, list[i]))
            continue;
        reduction_color(r->variables, list[i]);
        if (reduction_augment(r, memo_get(r->assigned, list[i]), depth + 1)) {
            memo_set(r->assigned, list[i], e);
            is_found = true;
        }
    }
    return is_found;
}

static bool reduction_fail(const Reduction *r, Span span, const char *why)
{
    diagnostics_error(r->a->diagnostics, span,
                      "this clocked equation constrains states of the partition: it would have to "
                      "be differentiated, %s; an implicit solver method needs no derivatives",
                      why);
    return false;
}

// What comes from outside of the partition has no derivative.
static bool reduction_is_free(const Reduction *r, Node residual)
{
    Dag *dag = r->a->dag;
    bool is_free = true;
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, &residual, 1);
    for (uint32_t i = 0; i < memo->count && is_free; i++) {
        const uint32_t v = memo->list[i];
        if (memo_has(r->slopes, v) || v == DAG_TIME_VARIABLE ||
            dag->variables[v].variability <= DAG_PARAMETER)
            continue;
        Derivation by = derive_by(dag, v);
        const Node partial = derive(&by, residual);
        is_free = partial != NODE_NONE && dag_is_zero(dag, partial);
        derive_end(&by);
    }
    memo_give(memo);
    return is_free;
}

static bool reduction_derive(Reduction *r, uint32_t e)
{
    Assembly *a = r->a;
    Dag *dag = a->dag;
    const AssembledEquation q = a->undirected.items[e];
    if (q.tick == NODE_NONE || dag_get(dag, q.left)->type != DAG_REAL)
        return reduction_fail(r, q.span, "but it is not one of Reals");
    const Node residual = dag_subtract(dag, q.left, q.right);
    if (!reduction_is_free(r, residual))
        return reduction_fail(r, q.span, "but its inputs have no derivatives");
    DagMemo *seeds = memo_take(dag);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        if (memo_has(r->slopes, v))
            memo_set(seeds, v, dag_reference(dag, memo_get(r->slopes, v)));
    memo_set(seeds, DAG_TIME_VARIABLE, dag_real(dag, 1.0));
    Derivation by_time = derive_along(dag, seeds);
    const Node derivative = derive(&by_time, residual);
    derive_end(&by_time);
    memo_give(seeds);
    if (derivative == NODE_NONE)
        return reduction_fail(r, q.span, "but it has no derivative");
    memo_set(r->derived, e, a->undirected.count);
    assemble_undirected(a, &q, derivative, dag_real(dag, 0.0));
    return true;
}

// All equations that the search has come by determine too few of their variables: their
// derivatives determine those of the variables.
static bool reduction_differentiate(Reduction *r)
{
    Dag *dag = r->a->dag;
    for (uint32_t i = 0; i < r->variables->count; i++) {
        const uint32_t v = r->variables->list[i];
        StringBuilder name = builder_create(dag->arena);
        builder_append_format(&name, "der(%s)", dag->variables[v].name);
        memo_set(r->slopes, v,
                 dag_add_variable(dag, builder_string(&name).text, DAG_PLAIN,
                                  dag->variables[v].type, DAG_DISCRETE));
    }
    for (uint32_t i = 0; i < r->equations->count; i++)
        if (!reduction_derive(r, r->equations->list[i]))
            return false;
    for (uint32_t i = 0; i < r->variables->count; i++) {
        const uint32_t v = r->variables->list[i];
        memo_set(r->assigned, memo_get(r->slopes, v),
                 memo_get(r->derived, memo_get(r->assigned, v)));
    }
    return true;
}

static bool reduction_place(Reduction *r, uint32_t e, uint32_t most)
{
    for (;;) {
        memo_clear(r->equations);
        memo_clear(r->variables);
        r->equations->count = r->variables->count = 0;
        if (reduction_augment(r, e, 0))
            return true;
        if (r->a->undirected.count > most || !reduction_differentiate(r))
            return false;
        e = memo_get(r->derived, e);
    }
}

bool assemble_reduce_index(Assembly *a)
{
    Dag *dag = a->dag;
    const uint32_t count = a->undirected.count;
    const size_t errors = a->diagnostics->error_count;
    Reduction r = {.a = a,
                   .slopes = memo_take(dag),
                   .assigned = memo_take(dag),
                   .derived = memo_take(dag),
                   .equations = memo_take(dag),
                   .variables = memo_take(dag)};
    for (uint32_t e = 0; e < count; e++)
        if (a->undirected.items[e].slope != DAG_NONE)
            memo_set(r.slopes, dag_get(dag, a->undirected.items[e].left)->number,
                     a->undirected.items[e].slope);
    bool is_fine = true;
    for (uint32_t e = 0; e < count && is_fine; e++)
        if (a->undirected.items[e].slope == DAG_NONE && a->undirected.items[e].tick != NODE_NONE)
            is_fine = reduction_place(&r, e, (MOST_DERIVATIVES + 1) * count);
    memo_give(r.variables);
    memo_give(r.equations);
    memo_give(r.derived);
    memo_give(r.assigned);
    memo_give(r.slopes);
    return is_fine && a->diagnostics->error_count == errors && a->undirected.count > count;
}
