// SPDX-License-Identifier: MIT
//
// How variables occur in an expression: one sweep from the expression down classifies every node by
// the worst factor on the way to it. Ways that meet (x + x, x - x), products of unknowns and
// if-expressions need a closer look, which linear.c gives for one variable at a time.

#include "equations/linear.h"
#include "equations/walk.h"

#include <stdlib.h>

// Classes of nodes beyond WalkIncidence: those to be looked at, and those that contain an unknown
// and that the sweep has not come to.
enum { UNCLEAR = WALK_NONLINEAR + 1, UNREACHED };

static bool occurrence_is_unknown(const DagMemo *unknowns, const DagNode *n)
{
    if (n->kind != DAG_VARIABLE)
        return false;
    if (unknowns)
        return memo_has(unknowns, n->number);
    return n->variability == DAG_CONTINUOUS && n->number != DAG_TIME_VARIABLE;
}

void walk_mark_dependent(DagMemo *dependent, const DagMemo *order, const DagMemo *set)
{
    const Dag *dag = order->dag;
    for (uint32_t i = 0; i < order->count; i++) {
        const Node node = order->list[i];
        const DagNode *n = dag_get(dag, node);
        bool depends = occurrence_is_unknown(set, n);
        if (n->kind != DAG_HOLD)
            for (uint32_t k = 0; k < dag_operand_count(dag, node) && !depends; k++)
                depends = memo_has(dependent, dag_operand(dag, node, k));
        if (depends)
            memo_set(dependent, node, UNREACHED);
    }
}

// `classes`: of the nodes that contain an unknown.
static void occurrence_reach(DagMemo *classes, Node node, uint32_t class)
{
    if (!memo_has(classes, node))
        return;
    const uint32_t before = memo_get(classes, node);
    if (before == UNREACHED)
        memo_set(classes, node, class);
    else if (before != WALK_NONLINEAR)
        memo_set(classes, node, class == WALK_NONLINEAR ? class : UNCLEAR);
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

static void occurrence_pass(DagMemo *classes, Node node, uint32_t class)
{
    const Dag *dag = classes->dag;
    const DagNode *n = dag_get(dag, node);
    const uint32_t nonlinear = WALK_NONLINEAR;
    const bool is_linear = n->kind == DAG_OPERATION && class != nonlinear;
    const Operator op = is_linear ? n->op : OPERATOR_COUNT;
    if (op == OPERATOR_ADD || op == OPERATOR_SUBTRACT || op == OPERATOR_NEGATE) {
        for (uint32_t k = 0; k < n->count; k++)
            occurrence_reach(classes, n->operands[k], class);
    } else if (op == OPERATOR_MULTIPLY) {
        const bool both = memo_has(classes, n->operands[0]) && memo_has(classes, n->operands[1]);
        for (uint32_t k = 0; k < 2; k++)
            occurrence_reach(classes, n->operands[k],
                             both ? UNCLEAR : times(dag, class, n->operands[1 - k]));
    } else if (op == OPERATOR_DIVIDE) {
        const bool is_fraction = memo_has(classes, n->operands[1]);
        occurrence_reach(classes, n->operands[0],
                         is_fraction ? UNCLEAR : times(dag, class, n->operands[1]));
        occurrence_reach(classes, n->operands[1], nonlinear);
    } else if (op == OPERATOR_IF) {
        occurrence_reach(classes, n->operands[0], nonlinear);
        occurrence_reach(classes, n->operands[1], UNCLEAR);
        occurrence_reach(classes, n->operands[2], UNCLEAR);
    } else if (n->kind != DAG_HOLD) {
        for (uint32_t k = 0; k < dag_operand_count(dag, node); k++)
            occurrence_reach(classes, dag_operand(dag, node, k), nonlinear);
    }
}

// The class by the variable's coefficient; false: the coefficient is zero.
static bool look_closer(Dag *dag, Node e, WalkOccurrence *o)
{
    DagMemo *set = memo_take(dag);
    memo_set(set, o->variable, 0);
    LinearForm form;
    Arena *scratch = arena_scratch(dag->arena);
    const ArenaMark mark = arena_mark(scratch);
    const bool is_linear = linear_extract(dag, scratch, e, set, &form);
    const Node coefficient = is_linear && form.count ? form.terms[0].value : dag->zero;
    arena_release(scratch, mark);
    memo_give(set);
    o->incidence = WALK_NONLINEAR;
    if (!is_linear)
        return true;
    if (dag_is_zero(dag, coefficient))
        return false;
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

static uint32_t occurrence_collect(const DagMemo *classes, Arena *arena, Node e,
                                   const DagMemo *unknowns, const DagMemo *order,
                                   WalkOccurrence **occurrences)
{
    Dag *dag = classes->dag;
    uint32_t most = 0, count = 0;
    for (uint32_t i = 0; i < order->count; i++)
        most += occurrence_is_unknown(unknowns, dag_get(dag, order->list[i]));
    WalkOccurrence *list = *occurrences = ARENA_ARRAY(arena, most, WalkOccurrence);
    for (uint32_t i = 0; i < order->count; i++) {
        const Node node = order->list[i];
        if (!occurrence_is_unknown(unknowns, dag_get(dag, node)))
            continue;
        const uint32_t class = memo_get(classes, node);
        if (class == UNREACHED)
            continue;
        WalkOccurrence *o = &list[count];
        *o = (WalkOccurrence){dag_get(dag, node)->number, (WalkIncidence) class};
        count += class != UNCLEAR || look_closer(dag, e, o);
    }
    if (count)
        qsort(list, count, sizeof *list, compare_occurrences);
    return count;
}

uint32_t walk_occurrences(Dag *dag, Arena *arena, Node e, const DagMemo *unknowns,
                          WalkOccurrence **occurrences)
{
    DagMemo *order = memo_take(dag), *classes = memo_take(dag);
    walk_order_beyond(order, WALK_UNHELD, NULL, &e, 1);
    walk_mark_dependent(classes, order, unknowns);
    occurrence_reach(classes, e, WALK_UNIT);
    for (uint32_t i = order->count; i-- > 0;) {
        const Node node = order->list[i];
        if (memo_has(classes, node) && memo_get(classes, node) != UNREACHED)
            occurrence_pass(classes, node, memo_get(classes, node));
    }
    const uint32_t count = occurrence_collect(classes, arena, e, unknowns, order, occurrences);
    memo_give(classes);
    memo_give(order);
    return count;
}
