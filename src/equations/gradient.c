// SPDX-License-Identifier: MIT
//
// The gradient of an expression by one sweep backwards (reverse mode).
//
// Adjoints must not pass through the branches of an if-expression from outside: where a branch is
// not taken its partial derivatives may be invalid, and 0 * NaN is NaN. So an if-expression counts
// as one operation whose own gradient, branch by branch, is chosen by its condition.

#include "equations/derive.h"
#include "equations/linear.h"

typedef struct Gradient {
    Dag *dag;
    Arena *arena;
    const DagMemo *variables; // NULL: all
    DagMemo *choices;         // if-expression -> its place in `gradients`
    LinearForm *gradients;
    uint32_t count, room;
    bool has_failed;
} Gradient;

// The differential: a linear form without a rest.
static LinearForm gradient_of(Gradient *g, Node e);

static bool gradient_is_wanted(const Gradient *g, const DagNode *n)
{
    return n->kind == DAG_VARIABLE && (!g->variables || memo_has(g->variables, n->number));
}

// ---------------------------------------------------------------------------
// Dependence
// ---------------------------------------------------------------------------

// Marks the nodes of `order` that depend on the variables.
static void gradient_mark_dependent(const Gradient *g, const DagMemo *order, DagMemo *dependent)
{
    const Dag *dag = g->dag;
    for (uint32_t i = 0; i < order->count; i++) {
        const Node node = order->list[i];
        const DagNode *n = dag_get(dag, node);
        bool depends = gradient_is_wanted(g, n);
        // Operands that the walk did not reach (holds, conditions) are not in `dependent`.
        for (uint32_t k = 0; k < dag_operand_count(dag, node) && !depends; k++)
            depends = memo_has(dependent, dag_operand(dag, node, k));
        if (depends)
            memo_set(dependent, node, 1);
    }
}

// ---------------------------------------------------------------------------
// Sums
// ---------------------------------------------------------------------------

static void accumulate(Dag *dag, DagMemo *adjoints, uint32_t key, Node term)
{
    if (term == dag->zero)
        return;
    memo_set(adjoints, key,
             memo_has(adjoints, key) ? dag_add(dag, memo_get(adjoints, key), term) : term);
}

// if condition then a else b, partial by partial
static LinearForm gradient_choose(Dag *dag, Arena *arena, Node condition, LinearForm a,
                                  LinearForm b)
{
    LinearForm both = {.terms = ARENA_ARRAY(arena, a.count + b.count, DagTerm)};
    uint32_t i = 0, k = 0;
    while (i < a.count || k < b.count) {
        const uint32_t x = i < a.count ? a.terms[i].variable : UINT32_MAX;
        const uint32_t y = k < b.count ? b.terms[k].variable : UINT32_MAX;
        const Node then = x <= y ? a.terms[i].value : dag->zero;
        const Node otherwise = y <= x ? b.terms[k].value : dag->zero;
        both.terms[both.count++] =
            (DagTerm){x < y ? x : y, dag_if(dag, condition, then, otherwise)};
        i += x <= y;
        k += y <= x;
    }
    return both;
}

static LinearForm choice_gradient(Gradient *g, Node node)
{
    if (memo_has(g->choices, node))
        return g->gradients[memo_get(g->choices, node)];
    Dag *dag = g->dag;
    const DagNode n = *dag_get(dag, node);
    const LinearForm then = gradient_of(g, n.operands[1]);
    const LinearForm otherwise = gradient_of(g, n.operands[2]);
    const LinearForm both = gradient_choose(dag, g->arena, n.operands[0], then, otherwise);
    ARENA_ROOM(g->arena, g->gradients, g->count, g->room);
    memo_set(g->choices, node, g->count);
    g->gradients[g->count++] = both;
    return both;
}

// ---------------------------------------------------------------------------
// The sweep
// ---------------------------------------------------------------------------

// The derivative of a result by one argument of the call: the direction is that argument's.
static void sweep_result(Gradient *g, Node node, Node w, DagMemo *dependent, DagMemo *adjoints)
{
    Dag *dag = g->dag;
    const Node call = dag_operand(dag, node, 0);
    for (uint32_t k = 0; k < dag_operand_count(dag, call); k++) {
        const Node argument = dag_operand(dag, call, k);
        if (!memo_has(dependent, argument) || dag_get(dag, argument)->type != DAG_REAL)
            continue;
        const char *reason;
        const Node partial = derive_argument(dag, node, k, &reason);
        if (partial == NODE_NONE)
            g->has_failed = true;
        else
            accumulate(dag, adjoints, argument, dag_multiply(dag, w, partial));
    }
}

static void sweep_node(Gradient *g, Node node, Node w, DagMemo *dependent, DagMemo *adjoints,
                       DagMemo *found)
{
    Dag *dag = g->dag;
    const DagNode n = *dag_get(dag, node);
    if (n.kind == DAG_VARIABLE) {
        accumulate(dag, found, n.number, w);
    } else if (n.kind == DAG_RESULT) {
        sweep_result(g, node, w, dependent, adjoints);
    } else if (n.kind == DAG_OPERATION && n.op == OPERATOR_IF) {
        const LinearForm own = choice_gradient(g, node);
        for (uint32_t i = 0; i < own.count; i++)
            accumulate(dag, found, own.terms[i].variable, dag_multiply(dag, w, own.terms[i].value));
    } else if (n.kind == DAG_OPERATION || n.kind == DAG_INTEGER_POWER) {
        for (uint32_t k = 0; k < n.count; k++)
            if (memo_has(dependent, n.operands[k]))
                accumulate(dag, adjoints, n.operands[k], derive_scaled(dag, node, k, w));
    }
}

static LinearForm gradient_collect(Gradient *g, const DagMemo *order, const DagMemo *dependent,
                                   const DagMemo *found)
{
    Dag *dag = g->dag;
    uint32_t most = 0;
    for (uint32_t i = 0; i < order->count; i++)
        most += memo_has(dependent, order->list[i]) &&
                gradient_is_wanted(g, dag_get(dag, order->list[i]));
    LinearForm p = {.terms = ARENA_ARRAY(g->arena, most, DagTerm)};
    for (uint32_t i = 0; i < order->count; i++) {
        const DagNode *n = dag_get(dag, order->list[i]);
        if (gradient_is_wanted(g, n) && memo_has(found, n->number))
            p.terms[p.count++] = (DagTerm){n->number, memo_get(found, n->number)};
    }
    linear_sort(&p);
    return p;
}

static LinearForm gradient_of(Gradient *g, Node e)
{
    Dag *dag = g->dag;
    DagMemo *order = memo_take(dag), *dependent = memo_take(dag);
    DagMemo *adjoints = memo_take(dag), *found = memo_take(dag);
    walk_order_beyond(order, WALK_SMOOTH, NULL, &e, 1);
    gradient_mark_dependent(g, order, dependent);
    memo_set(adjoints, e, dag->one);
    for (uint32_t i = order->count; i-- > 0;) {
        const Node node = order->list[i];
        if (memo_has(dependent, node) && memo_has(adjoints, node))
            sweep_node(g, node, memo_get(adjoints, node), dependent, adjoints, found);
    }
    const LinearForm p = gradient_collect(g, order, dependent, found);
    memo_give(found);
    memo_give(adjoints);
    memo_give(dependent);
    memo_give(order);
    return p;
}

bool derive_gradient(Dag *dag, Arena *arena, Node e, const DagMemo *variables, DagTerm **partials,
                     uint32_t *count)
{
    Gradient g = {.dag = dag, .arena = arena, .variables = variables, .choices = memo_take(dag)};
    const LinearForm p = gradient_of(&g, e);
    memo_give(g.choices);
    *partials = p.terms;
    *count = p.count;
    return !g.has_failed;
}
