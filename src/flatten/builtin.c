// SPDX-License-Identifier: MIT
//
// Calls of built-in functions whose arguments are checked already for their number: build_call.
// Functions with a signature are handled here, those on arrays in array_functions.c.

#include "flatten/builtin.h"

#include "flatten/evaluate.h"

// ---------------------------------------------------------------------------
// Functions with a signature
// ---------------------------------------------------------------------------

static const FlatType *signature_type(char letter, const FlatType *numeric)
{
    switch (letter) {
    case 'R':
        return &flat_type_real;
    case 'I':
        return &flat_type_integer;
    case 'B':
        return &flat_type_boolean;
    case 'S':
        return &flat_type_string;
    default:
        return numeric;
    }
}

// The common type of the arguments marked 'N'.
static const FlatType *numeric_type(uint32_t count, FlatExpression **arguments)
{
    for (uint32_t i = 0; i < count; i++)
        if (arguments[i]->type->kind != FLAT_TYPE_INTEGER)
            return &flat_type_real;
    return &flat_type_integer;
}

static FlatExpression *scalar_call(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                                   FlatExpression **arguments, Span span)
{
    FlatExpression *e = build_folded(f, op, type, count, arguments, span);
    if (e)
        return e;
    e = build_operation(f, op, type, count, arguments, span);
    // Integer valued functions change at events only; sign has an if-expression's relations.
    if (type->kind == FLAT_TYPE_INTEGER && e->variability == FLAT_CONTINUOUS &&
        operation_has_steps(op))
        e->variability = FLAT_DISCRETE;
    return e;
}

// f(a, s) with arrays a of one shape and scalars s: element by element.
static FlatExpression *vectorised(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                                  FlatExpression **arguments, Span span)
{
    const FlatExpression *shape = NULL;
    bool is_explicit = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!arguments[i]->rank)
            continue;
        if (shape && !expression_same_shape(shape, arguments[i])) {
            report_error(f, span, "the arguments of '%s' have different sizes: %s and %s",
                         operation_info(op)->text, expression_type_text(f, shape),
                         expression_type_text(f, arguments[i]));
            return build_none(f, span);
        }
        shape = shape ? shape : arguments[i];
        is_explicit = is_explicit && expression_is_explicit(arguments[i]);
    }
    if (!shape)
        return scalar_call(f, op, type, count, arguments, span);
    if (!is_explicit) {
        return build_shaped(build_operation(f, op, type, count, arguments, span), shape);
    }
    FlatExpression *array =
        build_shaped(build_node(f, FLAT_ARRAY, type, shape->count, span), shape);
    FlatExpression *scalars[4];
    for (uint32_t k = 0; k < shape->count; k++) {
        for (uint32_t i = 0; i < count; i++)
            scalars[i] = expression_element(arguments[i], k);
        array->operands[k] = scalar_call(f, op, type, count, scalars, span);
    }
    build_vary(array);
    return array;
}

static FlatExpression *signature_call(Flattener *f, Operation op, uint32_t count,
                                      FlatExpression **arguments, Span span)
{
    const OperationInfo *info = operation_info(op);
    const char *letters = info->signature + (info->signature[0] == '!');
    const FlatType *numeric = numeric_type(count, arguments);
    for (uint32_t i = 0; i < count; i++) {
        const FlatType *type = signature_type(letters[i], numeric);
        FlatExpression *converted = build_convert(f, arguments[i], type);
        const bool fits = converted && converted->type->kind == type->kind;
        if (!fits) {
            report_error(f, arguments[i]->span, "argument %u of '%s' must be %s, but this is %s",
                         (unsigned)(i + 1), info->text, type->name,
                         expression_type_text(f, arguments[i]));
            return build_none(f, span);
        }
        arguments[i] = converted;
    }
    const FlatType *result = signature_type(strchr(letters, '>')[1], numeric);
    return vectorised(f, op, result, count, arguments, span);
}

// ---------------------------------------------------------------------------
// Operators with rules of their own
// ---------------------------------------------------------------------------

// A node over an array, element by element, of the same type unless `type` is given.
static FlatExpression *each_element(Flattener *f, Operation op, FlatExpression *a,
                                    const FlatType *type, FlatVariability variability, Span span)
{
    if (a->kind == FLAT_RECORD || (a->kind == FLAT_ARRAY && a->count)) {
        FlatExpression *e =
            build_shaped(build_node(f, (FlatKind)a->kind, a->kind == FLAT_RECORD ? a->type : type,
                                    a->count, span),
                         a);
        for (uint32_t i = 0; i < a->count; i++)
            e->operands[i] = each_element(f, op, a->operands[i],
                                          a->kind == FLAT_RECORD ? a->operands[i]->type : type,
                                          variability, span);
        build_vary(e);
        return e;
    }
    FlatExpression *e = build_shaped(build_operation(f, op, type, 1, &a, span), a);
    if (e->variability > (uint8_t)variability)
        e->variability = (uint8_t)variability;
    return e;
}

FlatExpression *build_wrong_argument(Flattener *f, Operation op, const FlatExpression *a,
                                     const char *wanted)
{
    report_error(f, a->span, "the argument of '%s' must be %s, but this is %s",
                 operation_info(op)->text, wanted, expression_type_text(f, a));
    return build_none(f, a->span);
}

static FlatExpression *builtin_derivative(Flattener *f, FlatExpression *a, Span span)
{
    const bool is_numeric = type_is_numeric(a->type);
    if (is_numeric && a->variability == FLAT_DISCRETE && a->kind == FLAT_VARIABLE) {
        report_error(f, a->span, "'%s' is discrete and has no derivative",
                     a->variable->component ? a->variable->component->name->text : "it");
        return build_none(f, span);
    }
    if (a->type->kind != FLAT_TYPE_REAL) {
        // (The literal of a constant has the place of its declaration.)
        FlatExpression here = *a;
        here.span = is_numeric && expression_is_literal(a) ? span : a->span;
        return build_wrong_argument(f, OPERATION_DER, &here, "Real");
    }
    if (a->variability <= FLAT_PARAMETER && !a->rank)
        return build_real(f, 0.0, span);
    return each_element(f, OPERATION_DER, a, &flat_type_real, FLAT_CONTINUOUS, span);
}

static bool is_variable_reference(const FlatExpression *a)
{
    if (a->kind == FLAT_VARIABLE || a->kind == FLAT_LOCAL)
        return true;
    if (a->kind == FLAT_SELECT)
        return is_variable_reference(a->operands[0]);
    if (a->kind != FLAT_ARRAY && a->kind != FLAT_RECORD)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!is_variable_reference(a->operands[i]))
            return false;
    return true;
}

static FlatExpression *builtin_left_limit(Flattener *f, Operation op, FlatExpression *a, Span span)
{
    if (op == OPERATION_EDGE && a->type->kind != FLAT_TYPE_BOOLEAN)
        return build_wrong_argument(f, op, a, "Boolean");
    if (expression_is_literal(a) || (a->kind == FLAT_VARIABLE && a->variability <= FLAT_PARAMETER))
        return op == OPERATION_PRE ? a : build_boolean(f, false, span);
    if (!is_variable_reference(a)) {
        report_error(f, a->span, "the argument of '%s' must be a variable",
                     operation_info(op)->text);
        return build_none(f, span);
    }
    const FlatType *type = op == OPERATION_PRE ? a->type : &flat_type_boolean;
    return each_element(f, op, a, type, FLAT_DISCRETE, span);
}

static FlatExpression *builtin_sample(Flattener *f, FlatExpression **arguments, Span span)
{
    for (uint32_t i = 0; i < 2; i++) {
        arguments[i] = build_expect(f, arguments[i], &flat_type_real, 0, NULL,
                                    i ? "the interval of 'sample'" : "the start of 'sample'");
        if (expression_is_none(arguments[i]))
            return arguments[i];
        if (arguments[i]->variability > FLAT_PARAMETER) {
            report_error(f, arguments[i]->span,
                         "the arguments of 'sample' must not change during a run");
            return build_none(f, span);
        }
    }
    if (arguments[1]->kind == FLAT_REAL && !(arguments[1]->real > 0)) {
        report_error(f, arguments[1]->span, "the interval of 'sample' must be positive");
        return build_none(f, span);
    }
    FlatExpression *e =
        build_operation(f, OPERATION_SAMPLE, &flat_type_boolean, 2, arguments, span);
    e->variability = FLAT_DISCRETE;
    return e;
}

// delay(expr, delayTime) and delay(expr, delayTime, delayMax), section 3.7.4.1.
static FlatExpression *builtin_delay(Flattener *f, uint32_t count, FlatExpression **arguments,
                                     Span span)
{
    static const char *const names[] = {"the expression of 'delay'", "the time of 'delay'",
                                        "the longest time of 'delay'"};
    FlatExpression *x = arguments[0], *scalars[3];
    const bool is_array = x->kind == FLAT_ARRAY;
    for (uint32_t i = is_array ? 1 : 0; i < count; i++) {
        arguments[i] = build_expect(f, arguments[i], &flat_type_real, 0, NULL, names[i]);
        if (expression_is_none(arguments[i]))
            return arguments[i];
        if (i > 0 && i == count - 1 && arguments[i]->variability > FLAT_PARAMETER) {
            report_error(f, arguments[i]->span,
                         i == 2 ? "the longest time of 'delay' must not change during a run"
                                : "the time of 'delay' must not change during a run, unless the "
                                  "longest one is given, too");
            return build_none(f, span);
        }
        if (i > 0 && arguments[i]->kind == FLAT_REAL && arguments[i]->real < 0) {
            report_error(f, arguments[i]->span, "%s must not be negative", names[i]);
            return build_none(f, span);
        }
    }
    if (is_array) {
        FlatExpression *array =
            build_shaped(build_node(f, FLAT_ARRAY, &flat_type_real, x->count, span), x);
        for (uint32_t i = 0; i < x->count; i++) {
            scalars[0] = x->operands[i];
            scalars[1] = arguments[1];
            scalars[2] = count > 2 ? arguments[2] : NULL;
            array->operands[i] = builtin_delay(f, count, scalars, span);
            if (expression_is_none(array->operands[i]))
                return array->operands[i];
        }
        build_vary(array);
        return array;
    }
    if (arguments[1]->kind == FLAT_REAL && arguments[1]->real == 0.0)
        return arguments[0];
    FlatExpression *e =
        build_operation(f, OPERATION_DELAY, &flat_type_real, count, arguments, span);
    e->variability = FLAT_CONTINUOUS;
    return e;
}

// The points or values of the initial profile: what does not change during a run.
static bool profile_points(Flattener *f, FlatExpression **argument, const char *what)
{
    FlatExpression *given = *argument;
    const bool has_points = given->kind == FLAT_ARRAY && given->rank == 1 && given->count >= 2;
    FlatExpression *e = has_points ? build_convert(f, given, &flat_type_real) : NULL;
    if (!e)
        report_error(f, given->span, "%s of 'spatialDistribution' must be at least two Reals",
                     what);
    else if (e->variability > FLAT_PARAMETER)
        report_error(f, e->span, "%s of 'spatialDistribution' must not change during a run", what);
    if (e)
        *argument = e;
    return e && e->variability <= FLAT_PARAMETER;
}

// spatialDistribution(in0, in1, x, positiveVelocity, initialPoints = {0, 1}, initialValues =
// {0, 0}), section 3.7.4.2. The operands: the first four, then all points, then all values.
static FlatExpression *builtin_transport(Flattener *f, Operation op, uint32_t count,
                                         FlatExpression **arguments, Span span)
{
    static const char *const names[] = {"the first argument of 'spatialDistribution'",
                                        "the second argument of 'spatialDistribution'",
                                        "the position of 'spatialDistribution'",
                                        "the direction of 'spatialDistribution'"};
    FlatExpression *line[2] = {build_real(f, 0.0, span), build_real(f, 1.0, span)};
    FlatExpression *zeros[2] = {line[0], line[0]};
    FlatExpression *lists[2] = {count > 4 ? arguments[4] : build_array(f, 2, line, span),
                                count > 5 ? arguments[5] : build_array(f, 2, zeros, span)};
    for (uint32_t i = 0; i < 4; i++) {
        arguments[i] = build_expect(f, arguments[i], i == 3 ? &flat_type_boolean : &flat_type_real,
                                    0, NULL, names[i]);
        if (expression_is_none(arguments[i]))
            return arguments[i];
    }
    if (expression_is_none(lists[0]) || expression_is_none(lists[1]) ||
        !profile_points(f, &lists[0], "the points") || !profile_points(f, &lists[1], "the values"))
        return build_none(f, span);
    if (lists[0]->count != lists[1]->count) {
        report_error(f, span, "'spatialDistribution' has %u points, but %u values",
                     (unsigned)lists[0]->count, (unsigned)lists[1]->count);
        return build_none(f, span);
    }
    const uint32_t points = lists[0]->count;
    FlatExpression **all = ARENA_ARRAY(f->arena, 4 + 2 * points, FlatExpression *);
    for (uint32_t i = 0; i < 4 + 2 * points; i++)
        all[i] = i < 4            ? arguments[i]
                 : i < 4 + points ? lists[0]->operands[i - 4]
                                  : lists[1]->operands[i - 4 - points];
    FlatExpression *e = build_operation(f, op, &flat_type_real, 4 + 2 * points, all, span);
    e->variability = FLAT_CONTINUOUS;
    return e;
}

static FlatExpression *smooth(Flattener *f, FlatExpression **arguments, Span span)
{
    int64_t order;
    FlatExpression *p =
        build_expect(f, arguments[0], &flat_type_integer, 0, NULL, "the order of 'smooth'");
    if (expression_is_none(p) || !evaluate_integer(f, p, "the order of 'smooth'", &order))
        return build_none(f, span);
    FlatExpression *e = arguments[1];
    if (e->kind == FLAT_ARRAY) {
        FlatExpression *array = build_shaped(build_node(f, FLAT_ARRAY, e->type, e->count, span), e);
        for (uint32_t i = 0; i < e->count; i++) {
            FlatExpression *pair[] = {build_integer(f, order, p->span), e->operands[i]};
            array->operands[i] = build_operation(f, OPERATION_SMOOTH, e->type, 2, pair, span);
        }
        build_vary(array);
        return array;
    }
    FlatExpression *pair[] = {build_integer(f, order, p->span), e};
    return build_shaped(build_operation(f, OPERATION_SMOOTH, e->type, 2, pair, span), e);
}

static FlatExpression *ordinal(Flattener *f, FlatExpression *a, Span span)
{
    if (a->type->kind != FLAT_TYPE_ENUMERATION)
        return build_wrong_argument(f, OPERATION_ORDINAL, a, "an enumeration value");
    if (a->kind == FLAT_ENUMERATION)
        return build_integer(f, a->integer, span);
    return each_element(f, OPERATION_ORDINAL, a, &flat_type_integer, FLAT_CONTINUOUS, span);
}

FlatExpression *build_to_enumeration(Flattener *f, const FlatType *type, FlatExpression *a,
                                     Span span)
{
    a = build_expect(f, a, &flat_type_integer, 0, NULL, "the number of an enumeration value");
    if (expression_is_none(a))
        return a;
    if (a->kind != FLAT_INTEGER)
        return each_element(f, OPERATION_ENUMERATION, a, type, FLAT_CONTINUOUS, span);
    if (a->integer < 1 || a->integer > (int64_t)type->count) {
        report_error(f, a->span, "enumeration '%s' has no value number %lld", type->name,
                     (long long)a->integer);
        return build_none(f, span);
    }
    return build_enumeration(f, type, a->integer, span);
}

FlatExpression *build_call(Flattener *f, Operation op, uint32_t count, FlatExpression **arguments,
                           Span span)
{
    for (uint32_t i = 0; i < count; i++)
        if (expression_is_none(arguments[i]))
            return build_none(f, span);
    if (operation_info(op)->signature[0] == '!')
        return signature_call(f, op, count, arguments, span);
    switch (op) {
    case OPERATION_TIME: {
        FlatExpression *e = build_operation(f, op, &flat_type_real, 0, NULL, span);
        e->variability = FLAT_CONTINUOUS;
        return e;
    }
    case OPERATION_INITIAL:
    case OPERATION_TERMINAL: {
        FlatExpression *e = build_operation(f, op, &flat_type_boolean, 0, NULL, span);
        e->variability = FLAT_DISCRETE;
        return e;
    }
    case OPERATION_DER:
        return builtin_derivative(f, arguments[0], span);
    case OPERATION_PRE:
    case OPERATION_EDGE:
    case OPERATION_CHANGE:
        return builtin_left_limit(f, op, arguments[0], span);
    case OPERATION_SAMPLE:
        return count == 2 && arguments[1]->type->kind != FLAT_TYPE_CLOCK
                   ? builtin_sample(f, arguments, span)
                   : build_clocked(f, op, count, arguments, span);
    case OPERATION_SPATIAL_DISTRIBUTION:
    case OPERATION_SPATIAL_RIGHT:
        return builtin_transport(f, op, count, arguments, span);
    case OPERATION_DELAY:
        return builtin_delay(f, count, arguments, span);
    case OPERATION_NO_EVENT:
        return expression_is_literal(arguments[0])
                   ? arguments[0]
                   : each_element(f, op, arguments[0], arguments[0]->type, FLAT_CONTINUOUS, span);
    case OPERATION_SMOOTH:
        return smooth(f, arguments, span);
    case OPERATION_ORDINAL:
        return ordinal(f, arguments[0], span);
    case OPERATION_PURE:
        return arguments[0];
    default:
        if (operation_is_clocked(op))
            return build_clocked(f, op, count, arguments, span);
        return build_array_call(f, op, count, arguments, span);
    }
}
