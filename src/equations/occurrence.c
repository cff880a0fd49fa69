// SPDX-License-Identifier: MIT
//
// How variables occur in an expression: one sweep from the expression down classifies every node by
// the worst factor on the way to it. Ways that meet (x + x, x - x), products of unknowns and
// if-expressions need a closer look, which linear.c gives for one variable at a time.

#include "equations/linear.h"
#include "equations/walk.h"

#include <stdlib.h>

// Beyond WalkIncidence: to be looked at.
enum { UNCLEAR = WALK_NONLINEAR + 1 };

typedef struct Classification {
    Dag *dag;
    const DagMemo *unknowns;
    DagMemo *dependent;
    DagMemo *classes; // node -> class
} Classification;

static bool occurrence_is_unknown(const Classification *c, const DagNode *n)
{
    if (n->kind != DAG_VARIABLE)
        return false;
    if (c->unknowns)
        return memo_has(c->unknowns, n->number);
    return n->variability == DAG_CONTINUOUS && n->number != DAG_TIME_VARIABLE;
}

static void occurrence_mark_dependent(Classification *c, const DagMemo *order)
{
    const Dag *dag = c->dag;
    for (uint32_t i = 0; i < order->count; i++) {
        const Node node = order->list[i];
        const DagNode *n = dag_get(dag, node);
        bool depends = occurrence_is_unknown(c, n);
        if (n->kind != DAG_HOLD)
            for (uint32_t k = 0; k < dag_operand_count(dag, node) && !depends; k++)
                depends = memo_has(c->dependent, dag_operand(dag, node, k));
        if (depends)
            memo_set(c->dependent, node, 1);
    }
}

static void occurrence_reach(Classification *c, Node node, uint32_t class)
{
    if (!memo_has(c->dependent, node))
        return;
    if (!memo_has(c->classes, node))
        memo_set(c->classes, node, class);
    else if (memo_get(c->classes, node) != WALK_NONLINEAR)
        memo_set(c->classes, node, class == WALK_NONLINEAR ? class : UNCLEAR);
}

// The class of a product with a factor that contains no unknown.
static uint32_t times(const Dag *dag, uint32_t class, Node factor)
{
    if (class > WALK_LINEAR)
        return class;
    const DagNode *n = dag_get(dag, factor);
    uint32_t of_factor = WALK_LINEAR;
    if (n->kind == DAG_NUMBER)
        of_factor = n->value == 0.0 ? UNCLEAR : WALK_CONSTANT;
    else if (n->variability <= DAG_PARAMETER)
        of_factor = WALK_PARAMETER;
    return of_factor > class ? of_factor : class;
}

static void occurrence_pass(Classification *c, Node node, uint32_t class)
{
    const Dag *dag = c->dag;
    const DagNode *n = dag_get(dag, node);
    const uint32_t nonlinear = WALK_NONLINEAR;
    const bool is_linear = n->kind == DAG_OPERATION && class != nonlinear;
    const Operator op = is_linear ? n->op : OPERATOR_COUNT;
    if (op == OPERATOR_ADD || op == OPERATOR_SUBTRACT || op == OPERATOR_NEGATE) {
        for (uint32_t k = 0; k < n->count; k++)
            occurrence_reach(c, n->operands[k], class);
    } else if (op == OPERATOR_MULTIPLY) {
        const bool both =
            memo_has(c->dependent, n->operands[0]) && memo_has(c->dependent, n->operands[1]);
        for (uint32_t k = 0; k < 2; k++)
            occurrence_reach(c, n->operands[k],
                             both ? UNCLEAR : times(dag, class, n->operands[1 - k]));
    } else if (op == OPERATOR_DIVIDE) {
        const bool is_fraction = memo_has(c->dependent, n->operands[1]);
        occurrence_reach(c, n->operands[0],
                         is_fraction ? UNCLEAR : times(dag, class, n->operands[1]));
        occurrence_reach(c, n->operands[1], nonlinear);
    } else if (op == OPERATOR_IF) {
        occurrence_reach(c, n->operands[0], nonlinear);
        occurrence_reach(c, n->operands[1], UNCLEAR);
        occurrence_reach(c, n->operands[2], UNCLEAR);
    } else if (n->kind != DAG_HOLD) {
        for (uint32_t k = 0; k < dag_operand_count(dag, node); k++)
            occurrence_reach(c, dag_operand(dag, node, k), nonlinear);
    }
}

// The class by the variable's coefficient; false: the coefficient is zero.
static bool look_closer(Dag *dag, Node e, WalkOccurrence *o)
{
    DagMemo *set = memo_take(dag);
    memo_set(set, o->variable, 0);
    LinearForm form;
    const bool is_linear = linear_extract(dag, e, set, &form);
    memo_give(set);
    o->incidence = WALK_NONLINEAR;
    if (!is_linear)
        return true;
    if (form.count == 0 || dag_is_zero(dag, form.terms[0].value))
        return false;
    const Node coefficient = form.terms[0].value;
    o->incidence = (WalkIncidence)times(dag, WALK_UNIT, coefficient);
    if (dag_is_number(dag, coefficient) && fabs(dag_get(dag, coefficient)->value) == 1.0)
        o->incidence = WALK_UNIT;
    return true;
}

static int compare_occurrences(const void *a, const void *b)
{
    const uint32_t x = ((const WalkOccurrence *)a)->variable;
    const uint32_t y = ((const WalkOccurrence *)b)->variable;
    return (x > y) - (x < y);
}

static uint32_t occurrence_collect(const Classification *c, Node e, const DagMemo *order,
                                   WalkOccurrence **occurrences)
{
    Dag *dag = c->dag;
    uint32_t most = 0, count = 0;
    for (uint32_t i = 0; i < order->count; i++)
        most += occurrence_is_unknown(c, dag_get(dag, order->list[i]));
    WalkOccurrence *list = *occurrences = ARENA_ARRAY(dag->arena, most, WalkOccurrence);
    for (uint32_t i = 0; i < order->count; i++) {
        const Node node = order->list[i];
        if (!occurrence_is_unknown(c, dag_get(dag, node)) || !memo_has(c->classes, node))
            continue;
        const uint32_t class = memo_get(c->classes, node);
        WalkOccurrence *o = &list[count];
        *o = (WalkOccurrence){dag_get(dag, node)->number, (WalkIncidence) class};
        count += class != UNCLEAR || look_closer(dag, e, o);
    }
    if (count)
        qsort(list, count, sizeof *list, compare_occurrences);
    return count;
}

uint32_t walk_occurrences(Dag *dag, Node e, const DagMemo *unknowns, WalkOccurrence **occurrences)
{
    Classification c = {dag, unknowns, memo_take(dag), memo_take(dag)};
    DagMemo *order = memo_take(dag);
    walk_order_beyond(order, WALK_UNHELD, NULL, &e, 1);
    occurrence_mark_dependent(&c, order);
    occurrence_reach(&c, e, WALK_UNIT);
    for (uint32_t i = order->count; i-- > 0;)
        if (memo_has(c.classes, order->list[i]))
            occurrence_pass(&c, order->list[i], memo_get(c.classes, order->list[i]));
    const uint32_t count = occurrence_collect(&c, e, order, occurrences);
    memo_give(order);
    memo_give(c.classes);
    memo_give(c.dependent);
    return count;
}
