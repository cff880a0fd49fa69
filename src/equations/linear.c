// SPDX-License-Identifier: MIT
//
// Extraction by one sweep from the expression down to its variables. Every node that contains a
// variable gets the sum of the factors with which it enters the expression; a variable's factor is
// its coefficient, and what contains no variable goes, with its factor, to the rest.
//
// If-expressions are cut out as in gradient.c: each branch has a form of its own.

#include "equations/linear.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------
// Forms
// ---------------------------------------------------------------------------

static int compare_terms(const void *a, const void *b)
{
    const uint32_t x = ((const DagTerm *)a)->variable, y = ((const DagTerm *)b)->variable;
    return (x > y) - (x < y);
}

void linear_sort(LinearForm *form)
{
    if (form->count)
        qsort(form->terms, form->count, sizeof *form->terms, compare_terms);
}

static Node coefficient_of(const LinearForm *form, uint32_t variable, Node otherwise)
{
    const DagTerm key = {.variable = variable};
    const DagTerm *term =
        form->count ? bsearch(&key, form->terms, form->count, sizeof key, compare_terms) : NULL;
    return term ? term->value : otherwise;
}

// One sweep: its sums are the coefficients and the rest.
typedef struct Sums {
    Dag *dag;
    Arena *arena;
    const DagMemo *dependent; // nodes that contain a variable
    DagMemo *factors;         // node -> factor
    DagMemo *coefficients;    // variable -> coefficient, with a list of the variables
    Node rest;
} Sums;

static bool linear_depends(const Sums *s, Node node)
{
    return memo_has(s->dependent, node);
}

static void add_factor(Dag *dag, DagMemo *factors, uint32_t key, Node factor)
{
    memo_set(factors, key,
             memo_has(factors, key) ? dag_add(dag, memo_get(factors, key), factor) : factor);
}

static void add_coefficient(Sums *s, uint32_t variable, Node coefficient)
{
    if (!memo_has(s->coefficients, variable))
        memo_push(s->coefficients, variable);
    add_factor(s->dag, s->coefficients, variable, coefficient);
}

// A node enters with a factor.
static void linear_enter(Sums *s, Node node, Node factor)
{
    if (linear_depends(s, node))
        add_factor(s->dag, s->factors, node, factor);
    else
        s->rest = dag_add(s->dag, s->rest, dag_multiply(s->dag, factor, node));
}

static bool extract(Dag *dag, Arena *arena, const DagMemo *dependent, Node e, LinearForm *form);

static bool enter_choice(Sums *s, Node node, Node factor)
{
    Dag *dag = s->dag;
    const DagNode n = *dag_get(dag, node);
    LinearForm then, otherwise;
    if (linear_depends(s, n.operands[0]) ||
        !extract(dag, s->arena, s->dependent, n.operands[1], &then) ||
        !extract(dag, s->arena, s->dependent, n.operands[2], &otherwise))
        return false;
    for (uint32_t i = 0; i < then.count; i++) {
        const uint32_t v = then.terms[i].variable;
        const Node c = dag_if(dag, n.operands[0], then.terms[i].value,
                              coefficient_of(&otherwise, v, dag->zero));
        add_coefficient(s, v, dag_multiply(dag, factor, c));
    }
    for (uint32_t i = 0; i < otherwise.count; i++) {
        const uint32_t v = otherwise.terms[i].variable;
        if (coefficient_of(&then, v, NODE_NONE) != NODE_NONE)
            continue;
        const Node c = dag_if(dag, n.operands[0], dag->zero, otherwise.terms[i].value);
        add_coefficient(s, v, dag_multiply(dag, factor, c));
    }
    const Node rest = dag_if(dag, n.operands[0], then.rest, otherwise.rest);
    s->rest = dag_add(dag, s->rest, dag_multiply(dag, factor, rest));
    return true;
}

// Hands a node's factor on to its operands; false: not linear.
static bool linear_pass(Sums *s, Node node, Node factor)
{
    Dag *dag = s->dag;
    const DagNode n = *dag_get(dag, node);
    if (n.kind == DAG_VARIABLE) {
        add_coefficient(s, n.number, factor);
        return true;
    }
    if (n.kind != DAG_OPERATION)
        return false;
    const Node a = n.operands[0], b = n.operands[n.count - 1];
    switch ((Operator)n.op) {
    case OPERATOR_ADD:
        linear_enter(s, a, factor);
        linear_enter(s, b, factor);
        return true;
    case OPERATOR_SUBTRACT:
        linear_enter(s, a, factor);
        linear_enter(s, b, dag_negate(dag, factor));
        return true;
    case OPERATOR_NEGATE:
        linear_enter(s, a, dag_negate(dag, factor));
        return true;
    case OPERATOR_MULTIPLY:
        if (linear_depends(s, a) && linear_depends(s, b))
            return false;
        linear_enter(s, linear_depends(s, a) ? a : b,
                     dag_multiply(dag, factor, linear_depends(s, a) ? b : a));
        return true;
    case OPERATOR_DIVIDE:
        if (linear_depends(s, b))
            return false;
        linear_enter(s, a, dag_divide(dag, factor, b));
        return true;
    case OPERATOR_IF:
        return enter_choice(s, node, factor);
    default:
        return false;
    }
}

static void make_form(const Sums *s, LinearForm *form)
{
    const DagMemo *c = s->coefficients;
    form->count = c->count;
    form->terms = ARENA_ARRAY(s->arena, c->count, DagTerm);
    for (uint32_t i = 0; i < c->count; i++)
        form->terms[i] = (DagTerm){c->list[i], memo_get(c, c->list[i])};
    form->rest = s->rest;
    linear_sort(form);
}

static bool extract(Dag *dag, Arena *arena, const DagMemo *dependent, Node e, LinearForm *form)
{
    DagMemo *order = memo_take(dag);
    Sums s = {dag, arena, dependent, memo_take(dag), memo_take(dag), dag->zero};
    walk_order_beyond(order, WALK_UNHELD, NULL, &e, 1);
    linear_enter(&s, e, dag->one);
    bool is_linear = true;
    for (uint32_t i = order->count; i-- > 0 && is_linear;) {
        const Node node = order->list[i];
        if (memo_has(s.factors, node))
            is_linear = linear_pass(&s, node, memo_get(s.factors, node));
    }
    if (is_linear)
        make_form(&s, form);
    memo_give(s.coefficients);
    memo_give(s.factors);
    memo_give(order);
    return is_linear;
}

bool linear_extract(Dag *dag, Arena *arena, Node e, const DagMemo *variables, LinearForm *form)
{
    DagMemo *order = memo_take(dag), *dependent = memo_take(dag);
    walk_order_beyond(order, WALK_UNHELD, NULL, &e, 1);
    walk_mark_dependent(dependent, order, variables);
    memo_give(order);
    const bool is_linear = extract(dag, arena, dependent, e, form);
    memo_give(dependent);
    return is_linear;
}

// c v + rest = 0
static Node solution(Dag *dag, Node coefficient, Node rest)
{
    if (dag_is_number(dag, coefficient) && dag_get(dag, coefficient)->value < 0.0)
        return dag_divide(dag, rest, dag_negate(dag, coefficient));
    return dag_divide(dag, dag_negate(dag, rest), coefficient);
}

Node linear_solve(Dag *dag, Node left, Node right, uint32_t v, Node *coefficient)
{
    if (coefficient)
        *coefficient = NODE_NONE;
    DagMemo *set = memo_take(dag);
    memo_set(set, v, 0);
    LinearForm l, r;
    Arena *scratch = arena_scratch(dag->arena);
    const ArenaMark mark = arena_mark(scratch);
    const bool is_linear =
        linear_extract(dag, scratch, left, set, &l) && linear_extract(dag, scratch, right, set, &r);
    memo_give(set);
    const Node c = is_linear ? dag_subtract(dag, coefficient_of(&l, v, dag->zero),
                                            coefficient_of(&r, v, dag->zero))
                             : dag->zero;
    arena_release(scratch, mark);
    if (dag_is_zero(dag, c))
        return NODE_NONE;
    if (coefficient && !dag_is_number(dag, c))
        *coefficient = c;
    return solution(dag, c, dag_subtract(dag, l.rest, r.rest));
}
