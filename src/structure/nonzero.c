// SPDX-License-Identifier: MIT
//
// The abstract value of a node is the set of signs it can have; a rule for each operator. SWITCHED
// means that it is the number zero on a side of an if-expression.

#include "structure/nonzero.h"

#include "equations/walk.h"
#include "flatten/collections.h"
#include "structure/foresee.h"

#include <math.h>

enum {
    NEGATIVE = 1 << 0,
    ZERO = 1 << 1,
    POSITIVE = 1 << 2,
    ANY = NEGATIVE | ZERO | POSITIVE,
    SWITCHED = 1 << 3,
};

enum { MOST_STEPS = 500000 };

struct Nonzero {
    Dag *dag;
    DagMemo *signs; // node -> set
    DagMemo *order;
    DagMemo *calls; // call -> its number in `results`
    List results;   // double *: what is known of the results of a call
    uint64_t steps; // that may still be spent on calls
};

Nonzero *nonzero_create(Dag *dag, bool runs_calls)
{
    Nonzero *n = ARENA_NEW(dag->arena, Nonzero);
    *n = (Nonzero){.dag = dag,
                   .signs = memo_take(dag),
                   .order = memo_take(dag),
                   .calls = memo_take(dag),
                   .steps = runs_calls ? MOST_STEPS : 0};
    return n;
}

void nonzero_end(Nonzero *n)
{
    memo_give(n->signs);
    memo_give(n->order);
    memo_give(n->calls);
}

static unsigned nonzero_negated(unsigned a)
{
    unsigned result = a & (ZERO | SWITCHED);
    result |= a & NEGATIVE ? POSITIVE : 0u;
    result |= a & POSITIVE ? NEGATIVE : 0u;
    return result;
}

static unsigned sum(unsigned a, unsigned b)
{
    unsigned both = (a | b) & ~(unsigned)SWITCHED;
    if ((both & NEGATIVE) && (both & POSITIVE))
        return ANY;
    // of one sign: zero only if both can be
    return (both & ~(unsigned)ZERO) | (a & b & ZERO);
}

static unsigned nonzero_product(unsigned a, unsigned b)
{
    unsigned result = (a | b) & (ZERO | SWITCHED);
    result |= (a & POSITIVE) && (b & POSITIVE) ? POSITIVE : 0u;
    result |= (a & NEGATIVE) && (b & NEGATIVE) ? POSITIVE : 0u;
    result |= (a & POSITIVE) && (b & NEGATIVE) ? NEGATIVE : 0u;
    result |= (a & NEGATIVE) && (b & POSITIVE) ? NEGATIVE : 0u;
    return result;
}

static unsigned nonzero_magnitude(unsigned a)
{
    return (a & (ZERO | SWITCHED)) | (a & (NEGATIVE | POSITIVE) ? POSITIVE : 0u);
}

// A parameter on one side (the resistance of an ideal switch) may well be zero: the run goes on
// with the other side.
static unsigned nonzero_choice(const Dag *dag, const DagNode *n, unsigned a, unsigned b)
{
    bool is_switched = dag_is_zero(dag, n->operands[1]) || dag_is_zero(dag, n->operands[2]);
    bool is_parameter = dag_get(dag, n->operands[1])->variability == DAG_PARAMETER ||
                        dag_get(dag, n->operands[2])->variability == DAG_PARAMETER;
    return a | b | (is_switched ? SWITCHED : 0u) | (is_parameter ? ZERO : 0u);
}

// By the column "sign" of base/operator_table.h.
static unsigned of_operation(const Dag *dag, const DagNode *n, unsigned a, unsigned b, unsigned c)
{
    switch (operator_info((Operator)n->op)->sign) {
    case OPERATOR_SIGN_ANY:
        return ANY;
    case OPERATOR_SIGN_POSITIVE:
        return POSITIVE;
    case OPERATOR_SIGN_SAME:
        return a;
    case OPERATOR_SIGN_OPPOSITE:
        return nonzero_negated(a);
    case OPERATOR_SIGN_MAGNITUDE:
        return nonzero_magnitude(a);
    case OPERATOR_SIGN_ROOT:
        return a & (ZERO | POSITIVE | SWITCHED);
    case OPERATOR_SIGN_DISTANCE:
        return sum(nonzero_magnitude(a), nonzero_magnitude(b));
    case OPERATOR_SIGN_SUM:
        return sum(a, b);
    case OPERATOR_SIGN_DIFFERENCE:
        return sum(a, nonzero_negated(b));
    case OPERATOR_SIGN_PRODUCT:
        return nonzero_product(a, b);
    case OPERATOR_SIGN_QUOTIENT:
        return nonzero_product(a, b & ~(unsigned)ZERO); // a quotient that exists
    case OPERATOR_SIGN_POWER:
        return a == POSITIVE ? POSITIVE : ANY;
    case OPERATOR_SIGN_CHOICE:
        return nonzero_choice(dag, n, b, c);
    }
    return ANY;
}

static unsigned nonzero_sign_of(const Nonzero *n, Node node)
{
    const Dag *dag = n->dag;
    const DagNode *d = dag_get(dag, node);
    if (d->kind == DAG_NUMBER)
        return d->value > 0.0 ? POSITIVE : d->value < 0.0 ? NEGATIVE : ZERO;
    unsigned operand[3] = {ANY, ANY, ANY};
    for (uint32_t k = 0; k < 3 && d->kind != DAG_CALL && k < d->count; k++)
        operand[k] = memo_has(n->signs, d->operands[k]) ? memo_get(n->signs, d->operands[k]) : ANY;
    unsigned result = ANY;
    if (d->kind == DAG_OPERATION)
        result = of_operation(dag, d, operand[0], operand[1], operand[2]);
    else if (d->kind == DAG_INTEGER_POWER)
        result = d->power % 2 == 0 ? nonzero_magnitude(operand[0]) : operand[0];
    if (d->variability <= DAG_PARAMETER && (result & (NEGATIVE | POSITIVE)))
        result &= ~(unsigned)ZERO;
    return result;
}

static unsigned nonzero_find(Nonzero *n, Node node)
{
    if (memo_has(n->signs, node))
        return memo_get(n->signs, node);
    memo_clear(n->order);
    walk_order_beyond(n->order, WALK_UNHELD, n->signs, &node, 1);
    for (uint32_t k = 0; k < n->order->count; k++)
        memo_set(n->signs, n->order->list[k], nonzero_sign_of(n, n->order->list[k]));
    return memo_get(n->signs, node);
}

bool nonzero_always(Nonzero *n, Node node)
{
    return !(nonzero_find(n, node) & ZERO);
}

static double nonzero_value_of(const Nonzero *n, Node node, const double *place,
                               const double *values, uint32_t count)
{
    const DagNode *d = dag_get(n->dag, node);
    if (d->kind == DAG_NUMBER)
        return d->value;
    if (d->kind == DAG_VARIABLE)
        return d->number < count ? values[d->number] : NAN;
    if (d->kind == DAG_RESULT) {
        const double *results = memo_has(n->calls, d->operands[0])
                                    ? n->results.items[memo_get(n->calls, d->operands[0])]
                                    : NULL;
        return results ? results[d->number] : NAN;
    }
    double operand[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 3 && d->kind != DAG_CALL && k < d->count; k++)
        operand[k] = place[memo_get(n->order, d->operands[k])];
    return d->kind == DAG_OPERATION       ? foresee_operation((Operator)d->op, d->count, operand)
           : d->kind == DAG_INTEGER_POWER ? operator_power(operand[0], d->power)
                                          : NAN;
}

// n->order becomes the node and all that is below it. It grows in the arena: no mark before it.
static void nonzero_list(Nonzero *n, Node node)
{
    memo_clear(n->order);
    walk_order(n->order, &node, 1);
}

// Runs a call that is listed, with what is known of its arguments.
static void nonzero_run(Nonzero *n, Node node, const double *place)
{
    const DagNode *d = dag_get(n->dag, node);
    Arena *arena = n->dag->arena;
    const DagFunction *function = &n->dag->functions[d->number];
    double *inputs = ARENA_ARRAY(arena, d->length + 1u, double);
    double *results = NULL;
    bool has_zero = false;
    for (uint32_t k = 0; k < d->length; k++) {
        inputs[k] = place[memo_get(n->order, n->dag->lists[d->first + k])];
        has_zero = has_zero || (inputs[k] == 0.0 && function->input_types[k] == DAG_REAL);
    }
    if (has_zero) { // else it can hardly have a result that is zero
        results = ARENA_ARRAY(arena, function->output_count + 1u, double);
        foresee_call(n->dag, d->number, inputs, results, &n->steps);
    }
    memo_set(n->calls, node, n->results.count);
    list_append(arena, &n->results, results);
}

// Runs the calls that are listed, each once: when more becomes known later, that is not much.
static void nonzero_run_calls(Nonzero *n, const double *values, uint32_t count)
{
    bool has_new = false;
    for (uint32_t k = 0; n->steps && k < n->order->count && !has_new; k++)
        has_new = dag_get(n->dag, n->order->list[k])->kind == DAG_CALL &&
                  !memo_has(n->calls, n->order->list[k]);
    if (!has_new)
        return;
    double *found = ARENA_ARRAY(n->dag->arena, n->order->count, double);
    for (uint32_t k = 0; k < n->order->count; k++) {
        const Node node = n->order->list[k];
        if (dag_get(n->dag, node)->kind == DAG_CALL && !memo_has(n->calls, node))
            nonzero_run(n, node, found);
        found[k] = nonzero_value_of(n, node, found, values, count);
    }
}

// The values of what is listed. In the arena.
static double *nonzero_values(const Nonzero *n, const double *values, uint32_t count)
{
    double *found = ARENA_ARRAY(n->dag->arena, n->order->count, double);
    for (uint32_t k = 0; k < n->order->count; k++)
        found[k] = nonzero_value_of(n, n->order->list[k], found, values, count);
    return found;
}

bool nonzero_vanishes(Nonzero *n, Node node, const double *values, uint32_t count)
{
    if (count == 0)
        return false;
    nonzero_list(n, node);
    nonzero_run_calls(n, values, count);
    ArenaMark mark = arena_mark(n->dag->arena);
    const double *found = nonzero_values(n, values, count);
    const bool vanishes = found[n->order->count - 1] == 0.0;
    arena_release(n->dag->arena, mark);
    return vanishes;
}

// Sizes of what has no one value, from those of its operands: least, most; NAN: not known.
static void nonzero_size_of(const Nonzero *n, const DagNode *d, double (*sizes)[2], double *size)
{
    static const double unknown[2] = {NAN, NAN};
    const double *a[3] = {unknown, unknown, unknown};
    size[0] = size[1] = NAN;
    for (uint32_t k = 0; k < 3 && d->kind == DAG_OPERATION && k < d->count; k++)
        a[k] = sizes[memo_get(n->order, d->operands[k])];
    if (d->kind != DAG_OPERATION)
        return;
    for (int k = 0; k < 2; k++) {
        if (d->op == OPERATOR_IF) {
            // A side that is zero lacks what it is the coefficient of.
            const double *one = a[1][1] == 0.0 ? a[2] : a[1], *other = a[2][1] == 0.0 ? a[1] : a[2];
            size[k] = isnan(one[k]) || isnan(other[k]) ? NAN
                      : k == 0                         ? fmin(one[k], other[k])
                                                       : fmax(one[k], other[k]);
        } else if (d->op == OPERATOR_MULTIPLY) {
            size[k] = a[0][k] * a[1][k];
        } else if (d->op == OPERATOR_DIVIDE) {
            size[k] = a[0][k] / a[1][1 - k];
        } else if (d->op == OPERATOR_NEGATE) {
            size[k] = a[0][k];
        }
    }
}

bool nonzero_size(Nonzero *n, Node node, const double *values, uint32_t count, double *least,
                  double *most)
{
    nonzero_list(n, node);
    ArenaMark mark = arena_mark(n->dag->arena);
    const double *found = nonzero_values(n, values, count);
    double(*sizes)[2] = arena_array(n->dag->arena, n->order->count, sizeof *sizes);
    for (uint32_t k = 0; k < n->order->count; k++) {
        if (isnan(found[k]))
            nonzero_size_of(n, dag_get(n->dag, n->order->list[k]), sizes, sizes[k]);
        else
            sizes[k][0] = sizes[k][1] = fabs(found[k]);
    }
    *least = sizes[n->order->count - 1][0];
    *most = sizes[n->order->count - 1][1];
    arena_release(n->dag->arena, mark);
    return *least > 0.0 && isfinite(*most);
}

bool nonzero_by_choice(Nonzero *n, Node node)
{
    return nonzero_find(n, node) & SWITCHED;
}
