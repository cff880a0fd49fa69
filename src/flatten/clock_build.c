// SPDX-License-Identifier: MIT
//
// Calls of the operators of chapter 16: checks of their arguments, and arrays element by element.
// What they mean is found when everything is flat: clock.h.

#include "flatten/builtin.h"

#include "flatten/evaluate.h"

// An Integer of at least `least` that is known before the run, as a literal; NULL after a message.
static FlatExpression *clock_number(Flattener *f, FlatExpression *a, const char *what,
                                    int64_t least)
{
    int64_t value;
    a = build_expect(f, a, &flat_type_integer, 0, NULL, what);
    if (expression_is_none(a) || !evaluate_integer(f, a, what, &value))
        return NULL;
    if (value < least) {
        report_error(f, a->span, "%s must be at least %lld, but it is %lld", what, (long long)least,
                     (long long)value);
        return NULL;
    }
    return build_integer(f, value, a->span);
}

// op(a, rest...) for each scalar of `a`.
static FlatExpression *clock_each(Flattener *f, Operation op, FlatExpression *a, uint32_t count,
                                  FlatExpression **rest, Span span)
{
    FlatExpression *e;
    if (a->kind == FLAT_RECORD || (a->kind == FLAT_ARRAY && a->count)) {
        e = build_shaped(build_node(f, (FlatKind)a->kind, a->type, a->count, span), a);
        for (uint32_t i = 0; i < a->count; i++)
            e->operands[i] = clock_each(f, op, a->operands[i], count, rest, span);
        build_vary(e);
        return e;
    }
    FlatExpression *operands[3] = {a, count > 0 ? rest[0] : NULL, count > 1 ? rest[1] : NULL};
    e = build_shaped(build_operation(f, op, a->type, count + 1, operands, span), a);
    e->variability = FLAT_DISCRETE;
    return e;
}

// Clock(c, solverMethod), Clock(condition, startInterval), Clock(intervalCounter, resolution),
// Clock(interval), Clock().
static FlatExpression *clock_constructor(Flattener *f, uint32_t count, FlatExpression **a,
                                         Span span)
{
    const FlatTypeKind kind = count ? a[0]->type->kind : FLAT_TYPE_NONE;
    FlatExpression *operands[2] = {count > 0 ? a[0] : NULL, count > 1 ? a[1] : NULL};
    if (count && a[0]->rank)
        return build_wrong_argument(f, OPERATION_CLOCK, a[0], "a scalar");
    if (kind == FLAT_TYPE_CLOCK && count == 2)
        operands[1] =
            build_expect(f, a[1], &flat_type_string, 0, NULL, "the solver method of 'Clock'");
    else if (kind == FLAT_TYPE_BOOLEAN && count == 2)
        operands[1] =
            build_expect(f, a[1], &flat_type_real, 0, NULL, "the start interval of 'Clock'");
    else if (kind == FLAT_TYPE_INTEGER && count == 2) {
        operands[1] = clock_number(f, a[1], "the resolution of 'Clock'", 1);
        if (!operands[1])
            return build_none(f, span);
    } else if (count == 2 || (count == 1 && kind != FLAT_TYPE_REAL && kind != FLAT_TYPE_INTEGER &&
                              kind != FLAT_TYPE_BOOLEAN))
        return build_wrong_argument(f, OPERATION_CLOCK, a[0],
                                    count == 2
                                        ? "a Clock, a condition or an Integer interval counter"
                                        : "an interval or a condition");
    for (uint32_t i = 0; i < count && i < 2; i++)
        if (expression_is_none(operands[i]))
            return build_none(f, span);
    if (count == 2 && operands[1]->kind == FLAT_REAL && operands[1]->real < 0.0) {
        report_error(f, a[1]->span, "the start interval of 'Clock' must not be negative");
        return build_none(f, span);
    }
    FlatExpression *e =
        build_operation(f, OPERATION_CLOCK, &flat_type_clock, count, operands, span);
    e->variability = FLAT_DISCRETE;
    return e;
}

// interval(u), firstTick(u).
static FlatExpression *clock_look(Flattener *f, Operation op, uint32_t count, FlatExpression **a,
                                  Span span)
{
    const FlatType *type = op == OPERATION_INTERVAL ? &flat_type_real : &flat_type_boolean;
    // Any element of an array will do: all have one clock.
    FlatExpression *of = count ? a[0] : NULL;
    while (of && (of->kind == FLAT_ARRAY || of->kind == FLAT_RECORD) && of->count)
        of = of->operands[0];
    FlatExpression *e = build_operation(f, op, type, count, &of, span);
    e->variability = FLAT_DISCRETE;
    return e;
}

static FlatExpression *clock_previous(Flattener *f, FlatExpression *a, Span span)
{
    if (expression_is_literal(a))
        return a;
    const FlatExpression *first = a;
    while ((first->kind == FLAT_ARRAY || first->kind == FLAT_RECORD) && first->count)
        first = first->operands[0];
    const bool is_time = first->kind == FLAT_OPERATION && first->operation == OPERATION_TIME;
    if (first->kind != FLAT_VARIABLE && (first->count || is_time)) {
        report_error(f, a->span, "the argument of 'previous' must be a variable");
        return build_none(f, span);
    }
    return clock_each(f, OPERATION_PREVIOUS, a, 0, NULL, span);
}

FlatExpression *build_clocked(Flattener *f, Operation op, uint32_t count,
                              FlatExpression **arguments, Span span)
{
    f->has_clocks = true;
    FlatExpression *rest[2] = {count > 1 ? arguments[1] : NULL, count > 2 ? arguments[2] : NULL};
    switch (op) {
    case OPERATION_CLOCK:
        return clock_constructor(f, count, arguments, span);
    case OPERATION_INTERVAL:
    case OPERATION_FIRST_TICK:
        return clock_look(f, op, count, arguments, span);
    case OPERATION_PREVIOUS:
        return clock_previous(f, arguments[0], span);
    case OPERATION_SUB_SAMPLE:
    case OPERATION_SUPER_SAMPLE:
        if (count < 2) { // factor 0: to be inferred
            rest[0] = build_integer(f, 0, span);
            break;
        }
        rest[0] = clock_number(f, rest[0],
                               op == OPERATION_SUB_SAMPLE ? "the factor of 'subSample'"
                                                          : "the factor of 'superSample'",
                               0);
        break;
    case OPERATION_SHIFT_SAMPLE:
    case OPERATION_BACK_SAMPLE:
        rest[0] = clock_number(f, rest[0],
                               op == OPERATION_SHIFT_SAMPLE ? "the counter of 'shiftSample'"
                                                            : "the counter of 'backSample'",
                               0);
        rest[1] = count < 3 ? build_integer(f, 1, span)
                            : clock_number(f, rest[1], "the resolution of a shift in time", 1);
        return rest[0] && rest[1] ? clock_each(f, op, arguments[0], 2, rest, span)
                                  : build_none(f, span);
    case OPERATION_SAMPLE:
        return clock_each(f, op, arguments[0], count - 1, rest, span);
    default: // hold, noClock
        return clock_each(f, op, arguments[0], 0, NULL, span);
    }
    return rest[0] ? clock_each(f, op, arguments[0], 1, rest, span) : build_none(f, span);
}
