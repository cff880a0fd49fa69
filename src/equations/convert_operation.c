// SPDX-License-Identifier: MIT
//
// Operations on scalars: operators of the graph, what triggers events, what Modelica spells in one
// word.

#include "equations/convert_parts.h"
#include "flatten/print.h"

#include "equations/derive.h"

// ---------------------------------------------------------------------------
// Operations that are not just operators
// ---------------------------------------------------------------------------

static bool convert_operation_is_silent(const Convert *c, const FlatExpression *e)
{
    return c->is_silent || e->is_silent;
}

// Holds what triggers events, and remembers where it came from.
static Node held(Convert *c, const FlatExpression *e, Node node)
{
    if (convert_operation_is_silent(c, e))
        return node;
    const Node hold = dag_hold(c->dag, node);
    if (dag_get(c->dag, hold)->kind != DAG_HOLD)
        return hold;
    DagHold *about = &c->dag->holds[dag_get(c->dag, hold)->number];
    if (!span_is_known(about->span))
        about->span = e->span;
    if (about->flat == DAG_NONE && e->kind == FLAT_OPERATION && e->relation != FLAT_NO_RELATION)
        about->flat = e->relation;
    return hold;
}

// if x >= 0 then a else b
static Node by_sign(Convert *c, const FlatExpression *e, Node x, Node a, Node b)
{
    Dag *d = c->dag;
    const Node zero = dag_get(d, x)->type == DAG_INTEGER ? dag_integer(d, 0) : d->zero;
    return dag_if(d, held(c, e, dag_binary(d, OPERATOR_GREATER_EQUAL, x, zero)), a, b);
}

// 1, -1, or 0 by two relations: each has its own event.
static Node convert_operation_sign_of(Convert *c, const FlatExpression *e, Node x)
{
    Dag *d = c->dag;
    if (convert_operation_is_silent(c, e) || dag_get(d, x)->variability < DAG_CONTINUOUS)
        return dag_unary(d, OPERATOR_SIGN, x);
    const Node zero = dag_get(d, x)->type == DAG_INTEGER ? dag_integer(d, 0) : d->zero;
    const Node negative = dag_if(d, held(c, e, dag_binary(d, OPERATOR_LESS, x, zero)),
                                 dag_integer(d, -1), dag_integer(d, 0));
    return dag_if(d, held(c, e, dag_binary(d, OPERATOR_GREATER, x, zero)), dag_integer(d, 1),
                  negative);
}

// x - q y with the quotient q of mod or rem
static Node remainder_of(Convert *c, const FlatExpression *e, Node x, Node y)
{
    Dag *d = c->dag;
    const bool is_mod = e->operation == OPERATION_MOD;
    if (convert_operation_is_silent(c, e) || e->type->kind != FLAT_TYPE_REAL) {
        const Node rest = dag_binary(d, is_mod ? OPERATOR_MOD : OPERATOR_REM, x, y);
        dag_note(d, rest, e->span);
        return held(c, e, rest);
    }
    const Node q = is_mod ? dag_unary(d, OPERATOR_FLOOR, dag_divide(d, x, y))
                          : dag_binary(d, OPERATOR_DIV, x, y);
    return dag_subtract(d, x, dag_multiply(d, held(c, e, q), y));
}

// lambda * actual + (1 - lambda) * simplified, and exactly the actual one at lambda = 1, whatever
// the other is there.
static Node homotopy(Convert *c, Node actual, Node simplified)
{
    Dag *d = c->dag;
    const bool is_known = dag_get(d, actual)->variability <= DAG_PARAMETER &&
                          dag_get(d, simplified)->variability <= DAG_PARAMETER;
    if (c->lambda == DAG_NONE || is_known) // nothing is solved for
        return actual;
    const Node lambda = dag_reference(d, c->lambda);
    const Node mixed = dag_add(d, dag_multiply(d, lambda, actual),
                               dag_multiply(d, dag_subtract(d, d->one, lambda), simplified));
    return dag_if(d, dag_binary(d, OPERATOR_GREATER_EQUAL, lambda, d->one), actual, mixed);
}

static Node convert_operation_derivative(Convert *c, const FlatExpression *e, Node x)
{
    const DagNode *n = dag_get(c->dag, x);
    if (n->kind == DAG_VARIABLE && n->variability == DAG_CONTINUOUS && n->type == DAG_REAL &&
        c->dag->variables[n->number].role == DAG_PLAIN)
        return dag_reference(c->dag, dag_derivative_variable(c->dag, n->number));
    convert_build_pending(c); // only then the algorithms of functions are there
    Derivation by_time = derive_by_time(c->dag, NULL);
    const Node result = derive(&by_time, x);
    if (result == NODE_NONE)
        convert_fail(c, e->span, "this cannot be differentiated: %s", by_time.reason);
    derive_end(&by_time);
    return result;
}

static Node convert_operation_left_limit(Convert *c, const FlatExpression *e, Node x)
{
    const DagNode *n = dag_get(c->dag, x);
    if (n->kind == DAG_NUMBER || n->variability <= DAG_PARAMETER)
        return x;
    if (n->kind == DAG_VARIABLE)
        return dag_reference(c->dag, dag_pre_variable(c->dag, n->number));
    convert_fail(c, e->span, "only a variable has a left limit");
    return x;
}

// v <> pre(v), or for edge: v and not pre(v)
static Node changed(Convert *c, const FlatExpression *e, Node x)
{
    Dag *d = c->dag;
    const Node before = convert_operation_left_limit(c, e, x);
    if (e->operation == OPERATION_EDGE)
        return dag_binary(d, OPERATOR_AND, x, dag_unary(d, OPERATOR_NOT, before));
    return dag_binary(d, OPERATOR_NOT_EQUAL, x, before);
}

static ConvertSample *find_sample(const Convert *c, Node start, Node interval)
{
    for (uint32_t i = 0; i < c->samples.count; i++) {
        ConvertSample *known = c->samples.items[i];
        if (known->start == start && known->interval == interval)
            return known;
    }
    return NULL;
}

static Node convert_operation_sample(Convert *c, const FlatExpression *e, Node start, Node interval)
{
    ConvertSample *known = find_sample(c, start, interval);
    if (!known) {
        known = ARENA_NEW(c->arena, ConvertSample);
        StringBuilder b = builder_create(c->arena);
        builder_append_format(&b, "sample(%u)", c->samples.count + 1);
        known->variable = dag_add_variable(c->dag, builder_string(&b).text, DAG_SAMPLE, DAG_BOOLEAN,
                                           DAG_DISCRETE);
        c->dag->variables[known->variable].of = c->samples.count;
        known->start = start;
        known->interval = interval;
        known->span = e->span;
        list_append(c->arena, &c->samples, known);
    }
    return dag_reference(c->dag, known->variable);
}

static ConvertDelay *find_delay(const Convert *c, Node expression, Node time, Node longest)
{
    for (uint32_t i = 0; i < c->delays.count; i++) {
        ConvertDelay *known = c->delays.items[i];
        if (known->kind == CONVERT_DELAY && known->expression == expression &&
            known->time == time && known->longest == longest)
            return known;
    }
    return NULL;
}

static uint32_t delay_variable(Convert *c, ConvertPast kind, const char *what, DagRole role,
                               DagVariability variability)
{
    StringBuilder b = builder_create(c->arena);
    builder_append_format(&b, "%s(%u)%s", kind == CONVERT_DELAY ? "delay" : "transport",
                          c->delays.count + 1, what);
    return dag_add_variable(c->dag, builder_string(&b).text, role, DAG_REAL, variability);
}

static ConvertDelay *add_delay(Convert *c, const FlatExpression *e, ConvertPast kind,
                               Node expression, Node time, Node longest)
{
    ConvertDelay *delay = ARENA_NEW(c->arena, ConvertDelay);
    *delay = (ConvertDelay){
        .kind = kind,
        .observed = delay_variable(c, kind, "", DAG_PLAIN, DAG_CONTINUOUS),
        .handle = delay_variable(c, kind, ".history", DAG_HISTORY, DAG_DISCRETE),
        .start = delay_variable(c, kind, kind == CONVERT_TRANSPORTED ? ".front" : ".start",
                                DAG_HISTORY, DAG_DISCRETE),
        .expression = expression,
        .time = time,
        .longest = longest,
        .span = e->span};
    delay->is_variable =
        kind != CONVERT_DELAY || dag_get(c->dag, time)->variability > DAG_PARAMETER;
    StringBuilder text = builder_create(c->arena);
    flat_print_expression(&text, e);
    delay->text = builder_string(&text).text;
    dag_pre_variable(c->dag, delay->observed);
    list_append(c->arena, &c->delays, delay);
    return delay;
}

// The number of the position of a known spatialDistribution with these operands, or of a new one.
static uint32_t convert_find_transport(Convert *c, const FlatExpression *e, uint32_t points,
                                       const Node *x)
{
    const Node signals[] = {x[2], x[0], x[1]}; // as in base/profile.h
    Node *profile = ARENA_ARRAY(c->arena, 2 * points, Node);
    for (uint32_t i = 0; i < points; i++) {
        profile[2 * i] = x[4 + i];
        profile[2 * i + 1] = x[4 + points + i];
    }
    for (uint32_t i = 0; i < c->delays.count; i++) {
        ConvertDelay *const *known = (ConvertDelay *const *)(void *)&c->delays.items[i];
        if (known[0]->kind == CONVERT_TRANSPORT && known[0]->expression == signals[0] &&
            known[1]->expression == signals[1] && known[2]->expression == signals[2] &&
            known[0]->point_count == points &&
            memcmp(known[0]->profile, profile, 2 * points * sizeof *profile) == 0)
            return i;
    }
    const uint32_t first = c->delays.count;
    for (int k = 0; k < 3; k++) {
        ConvertDelay *signal = add_delay(c, e, k ? CONVERT_TRANSPORTED : CONVERT_TRANSPORT,
                                         signals[k], c->dag->one, c->dag->one);
        signal->profile = k ? NULL : profile;
        signal->point_count = k ? 0 : points;
        signal->front = signal->beyond = DAG_NONE;
    }
    return first;
}

// Section 3.7.4.2: at the end where it comes in, z is what comes in; at the other end it is what
// came in earlier, or was there at the start. A front that arrives, where z or its slope jumps, is
// an event: until then what is read goes on as it was before it. (The specification has the value
// at the last step in place of what comes in, to avoid algebraic loops; here they are solved.)
static Node convert_operation_transport(Convert *c, const FlatExpression *e, uint32_t count,
                                        const Node *x)
{
    Dag *d = c->dag;
    const uint32_t points = (count - 4) / 2;
    const bool is_right = e->operation == OPERATION_SPATIAL_RIGHT;
    const uint32_t place = convert_find_transport(c, e, points, x);
    ConvertDelay *end = c->delays.items[place + (is_right ? 2 : 1)];
    const Node mark = dag_subtract(d, is_right ? d->one : d->zero, x[2]);
    Node handle = dag_reference(d, end->handle);
    const Node front = held(c, e,
                            dag_binary(d, is_right ? OPERATOR_LESS : OPERATOR_GREATER, mark,
                                       dag_reference(d, end->start)));
    if (dag_get(d, front)->kind == DAG_HOLD) {
        if (end->beyond == DAG_NONE)
            end->beyond = delay_variable(c, CONVERT_TRANSPORTED, is_right ? ".right" : ".left",
                                         DAG_HISTORY, DAG_DISCRETE);
        end->front = dag_get(d, front)->number;
        handle = dag_if(d, front, dag_reference(d, end->beyond), handle);
    }
    const Node past = dag_add(d, x[is_right ? 4 + 2 * points - 1 : 4 + points],
                              dag_binary(d, OPERATOR_PAST, handle, mark));
    return is_right ? dag_if(d, x[3], past, x[1]) : dag_if(d, x[3], x[0], past);
}

// What was is known: it depends on time and the delay alone. Before the start it was what it is at
// the start, which the initialization finds.
static Node convert_operation_delay(Convert *c, const FlatExpression *e, Node expression, Node time,
                                    Node longest)
{
    Dag *d = c->dag;
    ConvertDelay *known = find_delay(c, expression, time, longest);
    if (!known)
        known = add_delay(c, e, CONVERT_DELAY, expression, time, longest);
    // It changes at events only, and these are known.
    if (dag_get(d, expression)->variability < DAG_CONTINUOUS && !known->is_variable)
        return dag_reference(d, known->start);
    const Node past = dag_binary(d, OPERATOR_PAST, dag_reference(d, known->handle),
                                 dag_subtract(d, dag_time(d), time));
    return dag_add(d, dag_reference(d, known->start), past);
}

// A call on the right of `and` or `or`, or what may fail, is executed only if it decides.
static Node convert_operation_logic(Convert *c, Operation op, Node a, Node b)
{
    Dag *d = c->dag;
    const bool is_and = op == OPERATION_AND;
    if (dag_get(d, b)->facts & (DAG_CALLS | DAG_FAILS))
        return is_and ? dag_if(d, a, b, d->falsehood) : dag_if(d, a, d->truth, b);
    return dag_binary(d, is_and ? OPERATOR_AND : OPERATOR_OR, a, b);
}

// ---------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------

static Node convert_operation_apply(Convert *c, const FlatExpression *e, Operator op,
                                    uint32_t count, const Node *x)
{
    Dag *d = c->dag;
    Node result = x[0];
    if (count == 1 && operator_info(op)->count == 1)
        result = dag_unary(d, op, x[0]);
    for (uint32_t i = 1; i < count; i++) { // sums and the like may have many operands
        result = dag_binary(d, op, result, x[i]);
        dag_note(d, result, e->span);
    }
    dag_note(d, result, e->span);
    const bool is_event =
        operator_info(op)->traits & OPERATOR_JUMPS && dag_get(d, x[0])->type == DAG_REAL;
    return is_event ? held(c, e, result) : result;
}

Node convert_operation(Convert *c, const FlatExpression *e, uint32_t count, const Node *x)
{
    Dag *d = c->dag;
    const Operation op = (Operation)e->operation;
    switch (op) {
    case OPERATION_AND:
    case OPERATION_OR:
        return convert_operation_logic(c, op, x[0], x[1]);
    case OPERATION_ABS:
        if (convert_operation_is_silent(c, e) || dag_get(d, x[0])->variability < DAG_CONTINUOUS)
            return dag_unary(d, OPERATOR_ABS, x[0]);
        return by_sign(c, e, x[0], x[0], dag_negate(d, x[0]));
    case OPERATION_SIGN:
        return convert_operation_sign_of(c, e, x[0]);
    case OPERATION_MOD:
    case OPERATION_REM:
        return remainder_of(c, e, x[0], x[1]);
    case OPERATION_ENUMERATION:
        return convert_to_enumeration(c, e, x[0]);
    case OPERATION_ORDINAL:
    case OPERATION_NO_EVENT:
        return x[0];
    case OPERATION_SMOOTH:
        return x[1];
    case OPERATION_TIME:
        return dag_time(d);
    case OPERATION_DER:
        return convert_operation_derivative(c, e, x[0]);
    case OPERATION_PRE:
        return convert_operation_left_limit(c, e, x[0]);
    case OPERATION_EDGE:
    case OPERATION_CHANGE:
        return changed(c, e, x[0]);
    case OPERATION_INITIAL:
        return convert_use_initial(c);
    case OPERATION_TERMINAL:
        return convert_use_terminal(c);
    case OPERATION_SAMPLE:
        return convert_operation_sample(c, e, x[0], x[1]);
    case OPERATION_DELAY:
        return convert_operation_delay(c, e, x[0], x[1], count > 2 ? x[2] : x[1]);
    case OPERATION_SPATIAL_DISTRIBUTION:
    case OPERATION_SPATIAL_RIGHT:
        return convert_operation_transport(c, e, count, x);
    case OPERATION_HOMOTOPY:
        return homotopy(c, x[0], x[1]);
    case OPERATION_SEMI_LINEAR:
        return by_sign(c, e, x[0], dag_multiply(d, x[0], x[1]), dag_multiply(d, x[0], x[2]));
    default:
        if (operation_operator(op) != OPERATOR_COUNT)
            return convert_operation_apply(c, e, operation_operator(op), count, x);
        convert_fail(c, e->span, "'%s' cannot be used here", operation_info(op)->text);
        return NODE_NONE;
    }
}
