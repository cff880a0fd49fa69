// SPDX-License-Identifier: MIT
//
// The constructors that simplify.
//
// A rule stands here only if it cannot change a value by more than rounding and cannot hide a
// division by zero, an overflow or a NaN. Two conventions make that precise:
// - Modelica's Real has one zero: a rule may change the sign of a zero. (It can be seen only by
//   dividing by that zero, which fails with either sign, and on the branch cut of atan2.)
// - Variables of the model are finite: the engine rejects an evaluation as soon as a variable is
//   not, so nothing is hidden if an expression does not fail a second time because of it. Locals of
//   functions are not checked and get no such credit. "Finite" below is the fact DAG_FINITE.
//
// The rules, x standing for any expression, c for a number:
//   numbers only                 the value, if it is finite: 1/0, log(0), 1e300^2 stay and fail
//                                when they are evaluated
//   x + 0, x - 0, x * 1, x / 1   x                        exact
//   0 - x                        -x                       exact
//   x - x                        0        x finite        exact; inf - inf is NaN
//   x * 0                        0        x finite        exact; inf * 0 is NaN
//   x * -1, x / -1               -x                       exact
//   -(-x), a + -b, a - -b, -a + b, -a - b, -(a - b)       signs move outwards: rounding to nearest
//   -a * b, a * -b, -a / b, a / -b, -(c x), -(c / x)      is symmetric, so these are exact
//   x * x                        x^2                      the same multiplication
//   x^n, n whole, |n| <= 16      multiplications          rounding; see operator_power
//   x^1, x^0, x^-1               x, 1, 1/x                x^0 is 1 for every x, NaN too, as in C
//   (-x)^n                       x^n or -(x^n)            exact
//   |-x|, ||x||                  |x|                      exact
//   min(x, x), max(x, x)         x                        exact
//   x < x, x > x                 false                    NaN < NaN is false, too (what may fail
//                                                         is evaluated, here and below)
//   x <= x, x >= x, x == x, x <> x        x finite        with NaN they are false, but <> true
//   not not x, not (a == b), not (a <> b)                 exact, with NaN as well
//   and, or with a constant, with the same, with the opposite     Booleans are 0 or 1
//   if c then a else b           a or b if c is constant; a if a and b are the same
//   if not c then a else b       if c then b else a
//   if c then (if c ...) ...     the inner choice is made
//   if c then true else false    c
//   Real(i)                      of what is Real already
// They hold on Integers, too: these do not round, and since their range is symmetric, a sign that
// moves does not make an overflow or hide one. Numbers are folded if the value is small enough for
// a number.
// Not here, although many tools have them: x / x = 1 and 0 / x = 0 (x may be 0), c1 (c2 x) = (c1
// c2) x (c2 x may overflow where (c1 c2) x does not), sqrt(x^2) = |x| (x^2 may overflow),
// exp(log(x)) = x, log(exp(x)) = x, not (a < b) = a >= b (NaN), a x + b x = (a + b) x (overflow,
// cancellation).

#include "equations/intern.h"

static double simplify_value_of(const Dag *dag, Node node)
{
    return dag->nodes[node].value;
}

static bool is_value(const Dag *dag, Node node, double value)
{
    return dag_is_number(dag, node) && simplify_value_of(dag, node) == value;
}

static bool is_real(const Dag *dag, Node node)
{
    return dag->nodes[node].type == DAG_REAL;
}

static bool simplify_is_integer(const Dag *dag, Node node)
{
    return dag->nodes[node].type == DAG_INTEGER;
}

static bool is_finite(const Dag *dag, Node node)
{
    return dag->nodes[node].facts & DAG_FINITE;
}

static bool simplify_may_fail(const Dag *dag, Node node)
{
    return dag->nodes[node].facts & DAG_FAILS;
}

static bool is_negation(const Dag *dag, Node node)
{
    return dag_is_operation(dag, node, OPERATOR_NEGATE);
}

static Node inner(const Dag *dag, Node node)
{
    return dag->nodes[node].operands[0];
}

static Node number_like(Dag *dag, Node node, double value)
{
    return intern_number(dag, dag->nodes[node].type, value == 0.0 ? 0.0 : value);
}

// The same of Integers; NODE_NONE: it fails, or is too large for a number.
static Node fold_integers(Dag *dag, WholeOperator op, uint32_t count, const Node *operands)
{
    int64_t value;
    const int64_t a = (int64_t)simplify_value_of(dag, operands[0]);
    const int64_t b = count > 1 ? (int64_t)simplify_value_of(dag, operands[1]) : 0;
    if (!whole_apply(op, a, b, &value) || value > WHOLE_MOST_STORED || value < -WHOLE_MOST_STORED)
        return NODE_NONE;
    return dag_integer(dag, value);
}

// The value of an operation on numbers; NODE_NONE: not all are, or the value is not finite.
static Node fold(Dag *dag, Operator op, uint32_t count, const Node *operands)
{
    double x[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!dag_is_number(dag, operands[i]))
            return NODE_NONE;
        x[i] = simplify_value_of(dag, operands[i]);
    }
    const DagType type = intern_type(dag, op, operands);
    if (type == DAG_INTEGER && simplify_is_integer(dag, operands[0]) && op != OPERATOR_INTEGER)
        return fold_integers(dag, operator_info(op)->whole, count, operands);
    const double value = operator_fold(op, x[0], x[1], x[2]);
    if (!isfinite(value) || (type == DAG_INTEGER && !(fabs(value) <= WHOLE_MOST_STORED)))
        return NODE_NONE;
    return intern_number(dag, type, value == 0.0 ? 0.0 : value);
}

// ---------------------------------------------------------------------------
// Arithmetic
// ---------------------------------------------------------------------------

static Node simplify_add(Dag *dag, Node a, Node b)
{
    if (dag_is_zero(dag, a))
        return b;
    if (dag_is_zero(dag, b))
        return a;
    if (is_negation(dag, b))
        return dag_subtract(dag, a, inner(dag, b));
    if (is_negation(dag, a))
        return dag_subtract(dag, b, inner(dag, a));
    return NODE_NONE;
}

static Node simplify_subtract(Dag *dag, Node a, Node b)
{
    if (dag_is_zero(dag, b))
        return a;
    if (dag_is_zero(dag, a))
        return dag_negate(dag, b);
    if (a == b && is_finite(dag, a))
        return number_like(dag, a, 0.0);
    if (is_negation(dag, b))
        return dag_add(dag, a, inner(dag, b));
    if (is_negation(dag, a))
        return dag_negate(dag, dag_add(dag, inner(dag, a), b));
    return NODE_NONE;
}

static Node simplify_multiply(Dag *dag, Node a, Node b)
{
    if (dag_is_number(dag, b)) { // numbers first
        const Node swapped = a;
        a = b;
        b = swapped;
    }
    if (is_value(dag, a, 1.0))
        return b;
    if (is_value(dag, a, -1.0))
        return dag_negate(dag, b);
    if (dag_is_zero(dag, a) && is_finite(dag, b))
        return a;
    if (is_negation(dag, a))
        return dag_negate(dag, dag_multiply(dag, inner(dag, a), b));
    if (is_negation(dag, b))
        return dag_negate(dag, dag_multiply(dag, a, inner(dag, b)));
    if (a == b && is_real(dag, a))
        return intern_power(dag, a, 2);
    return NODE_NONE;
}

static Node simplify_divide(Dag *dag, Node a, Node b)
{
    if (!is_real(dag, a))
        return NODE_NONE;
    if (is_value(dag, b, 1.0))
        return a;
    if (is_value(dag, b, -1.0))
        return dag_negate(dag, a);
    if (is_negation(dag, a))
        return dag_negate(dag, dag_divide(dag, inner(dag, a), b));
    if (is_negation(dag, b))
        return dag_negate(dag, dag_divide(dag, a, inner(dag, b)));
    return NODE_NONE;
}

static Node simplify_negate(Dag *dag, Node a)
{
    if (is_negation(dag, a))
        return inner(dag, a);
    const DagNode n = dag->nodes[a];
    if (n.kind != DAG_OPERATION)
        return NODE_NONE;
    const Node left = n.operands[0];
    const Node right = n.count > 1 ? n.operands[1] : NODE_NONE;
    if (n.op == OPERATOR_SUBTRACT)
        return dag_subtract(dag, right, left);
    if ((n.op == OPERATOR_MULTIPLY || n.op == OPERATOR_DIVIDE) && dag_is_number(dag, left))
        return dag_binary(dag, n.op, number_like(dag, left, -simplify_value_of(dag, left)), right);
    if (n.op == OPERATOR_MULTIPLY && dag_is_number(dag, right))
        return dag_multiply(dag, left, number_like(dag, right, -simplify_value_of(dag, right)));
    return NODE_NONE;
}

// The exponent as a whole number that multiplications are made for.
static bool is_small_power(const Dag *dag, Node exponent, int *n)
{
    const double value = dag_is_number(dag, exponent) ? simplify_value_of(dag, exponent) : NAN;
    if (!(fabs(value) <= OPERATOR_LARGEST_POWER) || rint(value) != value)
        return false;
    *n = (int)value;
    return true;
}

static Node simplify_power(Dag *dag, Node base, int n)
{
    if (n == 0)
        return dag->one;
    if (n == 1 && is_real(dag, base))
        return base;
    if (n == -1)
        return dag_divide(dag, dag->one, base);
    if (dag_is_number(dag, base)) {
        const double value = operator_power(simplify_value_of(dag, base), n);
        if (isfinite(value))
            return dag_real(dag, value);
    }
    if (is_negation(dag, base)) {
        const Node positive = intern_power(dag, inner(dag, base), n);
        return n % 2 ? dag_negate(dag, positive) : positive;
    }
    return intern_power(dag, base, n);
}

Node dag_power(Dag *dag, Node base, Node exponent)
{
    int n;
    if (is_small_power(dag, exponent, &n))
        return dag->is_plain ? intern_power(dag, base, n) : simplify_power(dag, base, n);
    const Node operands[3] = {base, exponent, NODE_NONE};
    const Node folded = dag->is_plain ? NODE_NONE : fold(dag, OPERATOR_POWER, 2, operands);
    if (folded != NODE_NONE)
        return folded;
    return intern_operation(dag, OPERATOR_POWER, base, exponent, NODE_NONE);
}

// ---------------------------------------------------------------------------
// Logic
// ---------------------------------------------------------------------------

static Node simplify_not(Dag *dag, Node a)
{
    if (dag_is_operation(dag, a, OPERATOR_NOT))
        return inner(dag, a);
    const DagNode n = dag->nodes[a];
    if (dag_is_operation(dag, a, OPERATOR_EQUAL))
        return dag_binary(dag, OPERATOR_NOT_EQUAL, n.operands[0], n.operands[1]);
    if (dag_is_operation(dag, a, OPERATOR_NOT_EQUAL))
        return dag_binary(dag, OPERATOR_EQUAL, n.operands[0], n.operands[1]);
    return NODE_NONE;
}

static bool are_opposite(const Dag *dag, Node a, Node b)
{
    return (dag_is_operation(dag, a, OPERATOR_NOT) && inner(dag, a) == b) ||
           (dag_is_operation(dag, b, OPERATOR_NOT) && inner(dag, b) == a);
}

// `and` with neutral = true, `or` with neutral = false.
static Node simplify_logic(Dag *dag, Node a, Node b, double neutral)
{
    if (is_value(dag, a, neutral) || a == b)
        return b;
    if (is_value(dag, b, neutral))
        return a;
    if (dag_is_number(dag, a))
        return a;
    if (dag_is_number(dag, b))
        return b;
    return are_opposite(dag, a, b) ? dag_boolean(dag, neutral == 0.0) : NODE_NONE;
}

static Node simplify_same(Dag *dag, Operator op, Node a)
{
    if (simplify_may_fail(dag, a) && op != OPERATOR_MINIMUM && op != OPERATOR_MAXIMUM)
        return NODE_NONE;
    switch (op) {
    case OPERATOR_LESS:
    case OPERATOR_GREATER:
        return dag->falsehood;
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_EQUAL:
        return is_finite(dag, a) ? dag->truth : NODE_NONE;
    case OPERATOR_NOT_EQUAL:
        return is_finite(dag, a) ? dag->falsehood : NODE_NONE;
    case OPERATOR_MINIMUM:
    case OPERATOR_MAXIMUM:
        return a;
    default:
        return NODE_NONE;
    }
}

// The branch that is taken where `condition` is known to be `holds`.
static Node simplify_taken(const Dag *dag, Node branch, Node condition, bool holds)
{
    const DagNode *n = &dag->nodes[branch];
    if (dag_is_operation(dag, branch, OPERATOR_IF) && n->operands[0] == condition)
        return n->operands[holds ? 1 : 2];
    return branch;
}

Node dag_if(Dag *dag, Node condition, Node then, Node otherwise)
{
    if (dag->is_plain)
        return intern_operation(dag, OPERATOR_IF, condition, then, otherwise);
    if (dag_is_number(dag, condition))
        return simplify_value_of(dag, condition) != 0.0 ? then : otherwise;
    if (dag_is_operation(dag, condition, OPERATOR_NOT))
        return dag_if(dag, inner(dag, condition), otherwise, then);
    then = simplify_taken(dag, then, condition, true);
    otherwise = simplify_taken(dag, otherwise, condition, false);
    if (then == otherwise && !simplify_may_fail(dag, condition))
        return then;
    if (then == dag->truth && otherwise == dag->falsehood)
        return condition;
    return intern_operation(dag, OPERATOR_IF, condition, then, otherwise);
}

// ---------------------------------------------------------------------------
// All operators
// ---------------------------------------------------------------------------

Node dag_unary(Dag *dag, Operator op, Node a)
{
    const Node operands[3] = {a, NODE_NONE, NODE_NONE};
    Node simple = dag->is_plain ? NODE_NONE : fold(dag, op, 1, operands);
    if (simple == NODE_NONE && !dag->is_plain) {
        if (op == OPERATOR_NEGATE)
            simple = simplify_negate(dag, a);
        else if (op == OPERATOR_NOT)
            simple = simplify_not(dag, a);
        else if ((op == OPERATOR_TO_REAL && is_real(dag, a)) ||
                 (op == OPERATOR_ABS && dag_is_operation(dag, a, OPERATOR_ABS)))
            simple = a;
        else if (op == OPERATOR_ABS && is_negation(dag, a))
            simple = dag_unary(dag, op, inner(dag, a));
    }
    return simple != NODE_NONE ? simple : intern_operation(dag, op, a, NODE_NONE, NODE_NONE);
}

static Node simplify_binary(Dag *dag, Operator op, Node a, Node b)
{
    switch (op) {
    case OPERATOR_ADD:
        return simplify_add(dag, a, b);
    case OPERATOR_SUBTRACT:
        return simplify_subtract(dag, a, b);
    case OPERATOR_MULTIPLY:
        return simplify_multiply(dag, a, b);
    case OPERATOR_DIVIDE:
        return simplify_divide(dag, a, b);
    case OPERATOR_AND:
        return simplify_logic(dag, a, b, 1.0);
    case OPERATOR_OR:
        return simplify_logic(dag, a, b, 0.0);
    default:
        return a == b ? simplify_same(dag, op, a) : NODE_NONE;
    }
}

Node dag_binary(Dag *dag, Operator op, Node a, Node b)
{
    if (op == OPERATOR_POWER)
        return dag_power(dag, a, b);
    if (!dag->is_plain) {
        const Node operands[3] = {a, b, NODE_NONE};
        Node simple = fold(dag, op, 2, operands);
        if (simple == NODE_NONE)
            simple = simplify_binary(dag, op, a, b);
        if (simple != NODE_NONE)
            return simple;
    }
    return intern_operation(dag, op, a, b, NODE_NONE);
}

Node dag_add(Dag *dag, Node a, Node b)
{
    return dag_binary(dag, OPERATOR_ADD, a, b);
}

Node dag_subtract(Dag *dag, Node a, Node b)
{
    return dag_binary(dag, OPERATOR_SUBTRACT, a, b);
}

Node dag_multiply(Dag *dag, Node a, Node b)
{
    return dag_binary(dag, OPERATOR_MULTIPLY, a, b);
}

Node dag_divide(Dag *dag, Node a, Node b)
{
    return dag_binary(dag, OPERATOR_DIVIDE, a, b);
}

Node dag_negate(Dag *dag, Node a)
{
    return dag_unary(dag, OPERATOR_NEGATE, a);
}
