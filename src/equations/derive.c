// SPDX-License-Identifier: MIT
//
// The derivatives of the table in base/operator_table.h, used in both directions:
// `derive_scaled(node, k, w)` is w times the partial derivative of an operation by its operand k,
// written as one would by hand. Forwards, the
// derivative of a node is the sum of derive_scaled(node, k, derivative of operand k); backwards,
// each operand's adjoint gets derive_scaled(node, k, adjoint of the node) added.

#include "equations/derive.h"

#include "equations/procedure.h"

// ---------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------

// The words of the columns "by a" and "by b" in base/operator_table.h.
#define ONE dag->one
#define TWO dag->two
#define ZERO dag->zero
#define NUMBER(value) dag_real(dag, value)
#define PLUS(p, q) dag_add(dag, p, q)
#define MINUS(p, q) dag_subtract(dag, p, q)
#define TIMES(p, q) dag_multiply(dag, p, q)
#define OVER(p, q) dag_divide(dag, p, q)
#define NEGATIVE(p) dag_negate(dag, p)
#define SQUARE(p) dag_multiply(dag, p, p)
#define OF(function, p) dag_unary(dag, OPERATOR_##function, p)
#define BOTH(function, p, q) dag_binary(dag, OPERATOR_##function, p, q)
#define IF(condition, p, q) dag_if(dag, condition, p, q)

static Node derive_by_table(Dag *dag, Node y, uint32_t k, Node w)
{
    const Node a = dag_operand(dag, y, 0);
    const Node b = dag_get(dag, y)->count == 2 ? dag_operand(dag, y, 1) : NODE_NONE;
    switch ((Operator)dag_get(dag, y)->op) {
#define OPERATOR(name, text, signature, arguments, traits, meaning, outside, by_a, by_b, ...)      \
    case OPERATOR_##name:                                                                          \
        return k == 0 ? by_a : by_b;
#include "base/operator_table.h"
    case OPERATOR_COUNT:
        break;
    }
    return NODE_NONE;
}

Node derive_scaled(Dag *dag, Node node, uint32_t k, Node w)
{
    const DagNode n = *dag_get(dag, node);
    if (n.kind == DAG_INTEGER_POWER) { // n a^(n-1)
        const Node lower = dag_power(dag, n.operands[0], dag_real(dag, n.power - 1));
        return dag_multiply(dag, dag_multiply(dag, dag_real(dag, n.power), lower), w);
    }
    return derive_by_table(dag, node, k, w);
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

// Whether an annotation's derivative fits the derivatives of the arguments, and if so, where in the
// arguments those begin that get derivatives appended: all for order 1; for order n those of order
// n - 1, if the arguments are the derivatives of each other that they should be.
static bool annotation_fits(Dag *dag, Node call, const DagFunctionDerivative *by,
                            const Node *derivatives, uint32_t *first)
{
    const DagFunction *f = &dag->functions[dag_get(dag, call)->number];
    for (uint32_t i = 0; i < f->input_count; i++)
        if (by->must_be_constant[i] && derivatives[i] != dag->zero)
            return false;
    *first = 0;
    if (by->order <= 1)
        return true;
    if (f->order + 1 != by->order)
        return false;
    *first = f->first_of_order;
    for (uint32_t i = 0; i < f->input_count; i++)
        if (f->derivative_of[i] != DAG_NONE &&
            derivatives[f->derivative_of[i]] != dag_operand(dag, call, i))
            return false;
    return true;
}

// The call of the derivative: the arguments, then the derivatives of the Real ones.
static Node call_with_derivatives(Dag *dag, Node call, uint32_t function, uint32_t first,
                                  const bool *wanted, const Node *derivatives)
{
    const DagFunction f = dag->functions[dag_get(dag, call)->number];
    DagMemo *arguments = memo_take(dag);
    for (uint32_t i = 0; i < f.input_count; i++)
        memo_push(arguments, dag_operand(dag, call, i));
    for (uint32_t i = first; i < f.input_count; i++)
        if (f.input_types[i] == DAG_REAL && (!wanted || wanted[i]))
            memo_push(arguments, derivatives[i]);
    const Node result = dag_call(dag, function, arguments->count, arguments->list);
    memo_give(arguments);
    return result;
}

// The derivative of one result of a call, given those of its arguments. NODE_NONE: none.
static Node derive_result(Dag *dag, Node result, const Node *derivatives, const char **reason)
{
    const Node call = dag_operand(dag, result, 0);
    const uint32_t number = dag_get(dag, result)->number;
    const uint32_t function = dag_get(dag, call)->number;
    const DagFunction f = dag->functions[function];
    uint32_t real_number = 0;
    for (uint32_t i = 0; i < number; i++)
        real_number += f.output_types[i] == DAG_REAL;
    for (uint32_t i = 0; i < f.derivative_count; i++) {
        const DagFunctionDerivative *by = &f.derivatives[i];
        uint32_t first;
        if (annotation_fits(dag, call, by, derivatives, &first))
            return dag_result(dag,
                              call_with_derivatives(dag, call, by->function, first,
                                                    by->has_derivative, derivatives),
                              real_number);
    }
    const uint32_t derivative = procedure_derivative(dag, function, reason);
    if (derivative == DAG_NONE)
        return NODE_NONE;
    return dag_result(dag, call_with_derivatives(dag, call, derivative, 0, NULL, derivatives),
                      real_number);
}

Node derive_argument(Dag *dag, Node result, uint32_t argument, const char **reason)
{
    DagMemo *direction = memo_take(dag);
    for (uint32_t i = 0; i < dag_operand_count(dag, dag_operand(dag, result, 0)); i++)
        memo_push(direction, i == argument ? dag->one : dag->zero);
    const Node partial = dag_get(dag, result)->type == DAG_REAL
                             ? derive_result(dag, result, direction->list, reason)
                             : dag->zero;
    memo_give(direction);
    return partial;
}

// ---------------------------------------------------------------------------
// Forwards
// ---------------------------------------------------------------------------

Derivation derive_along(Dag *dag, DagMemo *seeds)
{
    return (Derivation){.dag = dag, .seeds = seeds, .done = memo_take(dag)};
}

Derivation derive_by(Dag *dag, uint32_t variable)
{
    Derivation d = derive_along(dag, memo_take(dag));
    d.owns_seeds = true;
    memo_set(d.seeds, variable, dag->one);
    return d;
}

Derivation derive_by_time(Dag *dag, DagMemo *seeds)
{
    Derivation d = derive_along(dag, seeds ? seeds : memo_take(dag));
    d.owns_seeds = !seeds;
    d.is_temporal = true;
    return d;
}

void derive_end(Derivation *d)
{
    memo_give(d->done);
    if (d->owns_seeds)
        memo_give(d->seeds);
}

static Node derive_variable(Derivation *d, uint32_t variable)
{
    Dag *dag = d->dag;
    if (memo_has(d->seeds, variable))
        return memo_get(d->seeds, variable);
    const DagVariable *v = &dag->variables[variable];
    if (!d->is_temporal || v->variability < DAG_CONTINUOUS || v->type != DAG_REAL)
        return dag->zero;
    switch (v->role) {
    case DAG_TIME:
        return dag->one;
    case DAG_PLAIN:
    case DAG_DERIVATIVE:
    case DAG_AUXILIARY:
        return dag_reference(dag, dag_derivative_variable(dag, variable));
    default:
        return dag->zero;
    }
}

// Forms that are shorter if both operands' derivatives are there.
static Node derive_pair(Dag *dag, Node node, Node da, Node db)
{
    const Node a = dag_operand(dag, node, 0), b = dag_operand(dag, node, 1);
    switch ((Operator)dag_get(dag, node)->op) {
    case OPERATOR_DIVIDE:
        return dag_divide(dag, dag_subtract(dag, da, dag_multiply(dag, node, db)), b);
    case OPERATOR_ATAN2:
        return dag_divide(dag,
                          dag_subtract(dag, dag_multiply(dag, b, da), dag_multiply(dag, a, db)),
                          PLUS(SQUARE(b), SQUARE(a)));
    case OPERATOR_MINIMUM:
        return dag_if(dag, dag_binary(dag, OPERATOR_LESS, a, b), da, db);
    case OPERATOR_MAXIMUM:
        return dag_if(dag, dag_binary(dag, OPERATOR_GREATER, a, b), da, db);
    default:
        return dag_add(dag, derive_scaled(dag, node, 0, da), derive_scaled(dag, node, 1, db));
    }
}

static Node derive_operation(Derivation *d, Node node)
{
    Dag *dag = d->dag;
    const DagNode n = *dag_get(dag, node);
    // The condition has not been visited.
    if (n.kind == DAG_OPERATION && n.op == OPERATOR_IF)
        return dag_if(dag, n.operands[0], memo_get(d->done, n.operands[1]),
                      memo_get(d->done, n.operands[2]));
    const Node da = memo_get(d->done, n.operands[0]);
    const Node db = n.count == 2 ? memo_get(d->done, n.operands[1]) : dag->zero;
    if (da == dag->zero && db == dag->zero)
        return dag->zero;
    if (db == dag->zero)
        return derive_scaled(dag, node, 0, da);
    if (da == dag->zero)
        return derive_scaled(dag, node, 1, db);
    return derive_pair(dag, node, da, db);
}

static Node derive_call_result(Derivation *d, Node node)
{
    Dag *dag = d->dag;
    const Node call = dag_operand(dag, node, 0);
    DagMemo *derivatives = memo_take(dag);
    bool is_constant = true;
    for (uint32_t i = 0; i < dag_operand_count(dag, call); i++) {
        const Node derivative = memo_get(d->done, dag_operand(dag, call, i));
        is_constant = is_constant && derivative == dag->zero;
        memo_push(derivatives, derivative);
    }
    const Node result =
        is_constant ? dag->zero : derive_result(dag, node, derivatives->list, &d->reason);
    memo_give(derivatives);
    return result;
}

static Node derive_node(Derivation *d, Node node)
{
    Dag *dag = d->dag;
    const DagNode n = *dag_get(dag, node);
    if (n.type != DAG_REAL)
        return dag->zero; // Integers and Booleans jump; so does a call as such
    switch ((DagKind)n.kind) {
    case DAG_VARIABLE:
        return derive_variable(d, n.number);
    case DAG_OPERATION:
    case DAG_INTEGER_POWER:
        return derive_operation(d, node);
    case DAG_RESULT:
        return derive_call_result(d, node);
    case DAG_ELEMENT:
        return memo_has(d->seeds, n.number)
                   ? dag_element(dag, memo_get(d->seeds, n.number), n.operands[0])
                   : dag->zero;
    case DAG_NUMBER:
    case DAG_HOLD:
    case DAG_CALL:
        break;
    }
    return dag->zero;
}

Node derive(Derivation *d, Node e)
{
    DagMemo *order = memo_take(d->dag);
    walk_order_beyond(order, WALK_SMOOTH, d->done, &e, 1);
    Node result = memo_has(d->done, e) ? memo_get(d->done, e) : NODE_NONE;
    for (uint32_t i = 0; i < order->count; i++) {
        result = derive_node(d, order->list[i]);
        if (result == NODE_NONE)
            break;
        memo_set(d->done, order->list[i], result);
    }
    memo_give(order);
    return result;
}
