// SPDX-License-Identifier: MIT
//
// The built-in functions on arrays (section 10.3 of the specification): sizes, constructors,
// reductions, reshaping, ranges. On arrays whose elements are known they are carried out; inside
// functions they stay calls.

#include "flatten/builtin.h"

#include "flatten/array_operation.h"

// ---------------------------------------------------------------------------
// Helpers
// ---------------------------------------------------------------------------

// A call that stays one.
static FlatExpression *remaining(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                                 FlatExpression **arguments, uint32_t rank, const uint32_t *dims,
                                 Span span)
{
    FlatExpression *e = build_operation(f, op, type, count, arguments, span);
    build_shape(f, e, rank, dims);
    return e;
}

static bool mentions_local(const FlatExpression *e)
{
    if (e->kind == FLAT_LOCAL)
        return true;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && mentions_local(e->operands[i]))
            return true;
    return false;
}

// A size as an argument: a number, or FLAT_UNKNOWN_SIZE inside functions. False after a message.
static bool array_functions_read_size(Flattener *f, FlatExpression *e, uint32_t *size)
{
    e = build_expect(f, e, &flat_type_integer, 0, NULL, "a size");
    if (expression_is_none(e))
        return false;
    int64_t value;
    if (e->kind != FLAT_INTEGER && mentions_local(e)) {
        *size = FLAT_UNKNOWN_SIZE;
        return true;
    }
    if (!evaluate_integer(f, e, "a size", &value))
        return false;
    if (value < 0 || value > LIMIT_SCALARS) {
        report_error(f, e->span, "an array cannot have size %lld", (long long)value);
        return false;
    }
    *size = (uint32_t)value;
    return true;
}

static bool is_too_large(Flattener *f, uint32_t rank, const uint32_t *dims, Span span)
{
    uint64_t total = 1;
    for (uint32_t k = 0; k < rank; k++) {
        if (dims[k] == FLAT_UNKNOWN_SIZE)
            return false;
        total *= dims[k];
        if (total > LIMIT_SCALARS) {
            report_error(f, span, "an array with more than %d elements", LIMIT_SCALARS);
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------

static FlatExpression *size_call(Flattener *f, uint32_t count, FlatExpression **arguments,
                                 Span span)
{
    FlatExpression *a = arguments[0];
    if (count == 1) {
        FlatExpression **sizes = ARENA_ARRAY(f->arena, a->rank + 1u, FlatExpression *);
        for (uint32_t k = 0; k < a->rank; k++) {
            FlatExpression *pair[] = {a, build_integer(f, k + 1, span)};
            sizes[k] = size_call(f, 2, pair, span);
        }
        const uint32_t dims[] = {a->rank};
        return build_elements(f, &flat_type_integer, 1, dims, sizes, span);
    }
    FlatExpression *which =
        build_expect(f, arguments[1], &flat_type_integer, 0, NULL, "the second argument of 'size'");
    if (expression_is_none(which))
        return which;
    int64_t dimension;
    if (mentions_local(which) && which->kind != FLAT_INTEGER) {
        FlatExpression *pair[] = {a, which};
        return remaining(f, OPERATION_SIZE, &flat_type_integer, 2, pair, 0, NULL, span);
    }
    if (!evaluate_integer(f, which, "the second argument of 'size'", &dimension))
        return build_none(f, span);
    if (dimension < 1 || dimension > a->rank) {
        report_error(f, which->span, "%s has no dimension %lld", expression_type_text(f, a),
                     (long long)dimension);
        return build_none(f, span);
    }
    if (a->dims[dimension - 1] != FLAT_UNKNOWN_SIZE)
        return build_integer(f, a->dims[dimension - 1], span);
    FlatExpression *pair[] = {a, build_integer(f, dimension, span)};
    FlatExpression *e = remaining(f, OPERATION_SIZE, &flat_type_integer, 2, pair, 0, NULL, span);
    return e;
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

// The operands and the elements of the result are expressions.

static ArrayElement flat_get(ArrayCall *c, uint32_t operand, uint64_t from)
{
    FlatExpression *const *operands = c->operands;
    return (ArrayElement){.flat = expression_element(operands[operand], from)};
}

static void flat_set(ArrayCall *c, uint64_t to, ArrayElement element)
{
    FlatExpression **items = c->result;
    items[to] = element.flat;
}

static void flat_take(ArrayCall *c, uint64_t to, uint32_t operand, uint64_t from)
{
    flat_set(c, to, flat_get(c, operand, from));
}

static ArrayElement flat_number(ArrayCall *c, double value)
{
    return (ArrayElement){.flat = c->type->kind == FLAT_TYPE_REAL
                                      ? build_real(c->caller, value, c->span)
                                      : build_integer(c->caller, (int64_t)value, c->span)};
}

static bool flat_combine(ArrayCall *c, Operation op, uint32_t count, const ArrayElement *x,
                         ArrayElement *result)
{
    Flattener *f = c->caller;
    if (op == OPERATION_NEGATE) {
        result->flat = build_unary(f, op, x[0].flat, c->span);
    } else if (count == 2 && op != OPERATION_MINIMUM && op != OPERATION_MAXIMUM) {
        result->flat = build_binary(f, op, x[0].flat, x[1].flat, c->span);
    } else {
        FlatExpression **operands = ARENA_ARRAY(f->arena, count, FlatExpression *);
        for (uint32_t i = 0; i < count; i++)
            operands[i] = x[i].flat;
        result->flat = build_chain(f, op, c->type, count, operands, c->span);
    }
    return true;
}

static const ArrayElements flat_elements = {flat_take, flat_get, flat_set, flat_number,
                                            flat_combine};

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

static bool is_ordered(const FlatType *type)
{
    return type->kind != FLAT_TYPE_STRING && type->kind != FLAT_TYPE_RECORD;
}

// What an argument must be because of its type; NULL: it is.
static const char *wanted_type(Operation op, const FlatExpression *a)
{
    switch (op) {
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        return a->rank && is_ordered(a->type) ? NULL : "an array of numbers";
    case OPERATION_SUM:
    case OPERATION_PRODUCT:
    case OPERATION_OUTER_PRODUCT:
        return type_is_numeric(a->type) ? NULL : "an array of numbers";
    case OPERATION_DIAGONAL:
        return type_is_numeric(a->type) ? NULL : "a vector of numbers";
    case OPERATION_CROSS:
    case OPERATION_SKEW:
        return type_is_numeric(a->type) ? NULL : "a vector of size 3";
    default:
        return NULL;
    }
}

// The type that all arguments that are not numbers for the shape have in common; Real is that of
// Real and Integer. NULL after a message.
static const FlatType *unify(Flattener *f, Operation op, uint32_t count, FlatExpression **a)
{
    const FlatType *type = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (array_takes_number(op, i))
            continue;
        const char *wanted = wanted_type(op, a[i]);
        if (wanted) {
            build_wrong_argument(f, op, a[i], wanted);
            return NULL;
        }
        if (!type || (a[i]->type->kind == FLAT_TYPE_REAL && type_is_numeric(type)))
            type = a[i]->type;
    }
    for (uint32_t i = 0; type && i < count; i++) {
        FlatExpression *converted = array_takes_number(op, i) ? a[i] : build_convert(f, a[i], type);
        if (!converted) {
            build_wrong_argument(f, op, a[i], type->name);
            return NULL;
        }
        a[i] = converted;
    }
    return type ? type : &flat_type_integer; // zeros, ones, identity
}

static FlatExpression *array_functions_refuse(Flattener *f, const ArrayCall *c, FlatExpression **a,
                                              Span span)
{
    const FlatExpression *wrong = a[c->wrong];
    if (c->op == OPERATION_CAT && c->wrong == 0)
        report_error(f, span, "arrays cannot be joined along dimension %lld of %u",
                     (long long)c->numbers[0], (unsigned)a[1]->rank);
    else if (c->op == OPERATION_CAT)
        report_error(f, wrong->span, "%s and %s cannot be joined along dimension %lld",
                     expression_type_text(f, a[1]), expression_type_text(f, wrong),
                     (long long)c->numbers[0]);
    else if (array_takes_number(c->op, c->wrong))
        report_error(f, wrong->span, "argument %u of '%s' must be %s", (unsigned)c->wrong + 1,
                     operation_info(c->op)->text, c->wanted);
    else
        build_wrong_argument(f, c->op, wrong, c->wanted);
    return build_none(f, span);
}

// A call of any function of array_operation.h; it stays one if not all is known.
static FlatExpression *array_call(Flattener *f, Operation op, uint32_t count, FlatExpression **a,
                                  Span span)
{
    ArrayShape *shapes = ARENA_ARRAY(f->arena, count + 1, ArrayShape);
    int64_t *numbers = ARENA_ARRAY(f->arena, count + 1, int64_t);
    const FlatType *type = unify(f, op, count, a);
    if (!type)
        return build_none(f, span);
    bool is_known = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 0;
        if (array_takes_number(op, i) && !array_functions_read_size(f, a[i], &size))
            return build_none(f, span);
        numbers[i] = size;
        shapes[i] = (ArrayShape){a[i]->rank, a[i]->dims};
        is_known = is_known && size != FLAT_UNKNOWN_SIZE && expression_is_explicit(a[i]);
    }
    uint32_t dims[ARRAY_MOST_RANK];
    ArrayCall c = {.op = op,
                   .type = type,
                   .count = count,
                   .shapes = shapes,
                   .numbers = numbers,
                   .dims = dims,
                   .elements = &flat_elements,
                   .scratch = f->arena,
                   .caller = f,
                   .operands = a,
                   .span = span};
    if (!array_shape(&c))
        return array_functions_refuse(f, &c, a, span);
    if (is_too_large(f, c.rank, c.dims, span))
        return build_none(f, span);
    if (!is_known)
        return remaining(f, op, type, count, a, c.rank, c.dims, span);
    uint64_t total = 1;
    for (uint32_t k = 0; k < c.rank; k++)
        total *= c.dims[k];
    FlatExpression *array = build_node(f, FLAT_ARRAY, type, (uint32_t)total, span);
    build_shape(f, array, c.rank, c.dims);
    c.result = array->operands;
    array_fill(&c);
    build_vary(array);
    return c.rank ? array : array->operands[0];
}

static FlatExpression *extremum(Flattener *f, Operation op, uint32_t count,
                                FlatExpression **arguments, Span span)
{
    if (count == 1)
        return array_call(f, op, 1, arguments, span);
    if (arguments[0]->rank || arguments[1]->rank)
        return build_wrong_argument(f, op, arguments[arguments[0]->rank ? 0 : 1],
                                    "a scalar when there are two");
    FlatExpression *pair = build_array(f, 2, arguments, span);
    return expression_is_none(pair) ? pair : array_call(f, op, 1, &pair, span);
}

static FlatExpression *linspace(Flattener *f, FlatExpression **arguments, Span span)
{
    for (uint32_t i = 0; i < 2; i++) {
        arguments[i] =
            build_expect(f, arguments[i], &flat_type_real, 0, NULL, "an argument of 'linspace'");
        if (expression_is_none(arguments[i]))
            return arguments[i];
    }
    return array_call(f, OPERATION_LINSPACE, 3, arguments, span);
}

FlatExpression *build_promoted(Flattener *f, FlatExpression *a, uint32_t rank)
{
    if (a->rank >= rank)
        return a;
    FlatExpression *arguments[] = {a, build_integer(f, rank, a->span)};
    return array_call(f, OPERATION_PROMOTE, 2, arguments, a->span);
}

FlatExpression *build_cat(Flattener *f, uint32_t along, uint32_t count, FlatExpression **items,
                          Span span)
{
    FlatExpression **arguments = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    arguments[0] = build_integer(f, along, span);
    for (uint32_t i = 0; i < count; i++) {
        if (expression_is_none(items[i]))
            return items[i];
        arguments[i + 1] = items[i];
    }
    return array_call(f, OPERATION_CAT, count + 1, arguments, span);
}

// The number that decides about the rank or the place, which must be known everywhere.
static FlatExpression *with_known(Flattener *f, Operation op, uint32_t which, uint32_t count,
                                  FlatExpression **a, const char *what, Span span)
{
    int64_t number;
    FlatExpression *n = build_expect(f, a[which], &flat_type_integer, 0, NULL, what);
    if (expression_is_none(n) || !evaluate_integer(f, n, what, &number))
        return build_none(f, span);
    if (op == OPERATION_PROMOTE && (number < a[0]->rank || number >= UINT8_MAX)) {
        report_error(f, span, "'promote' cannot make %lld dimensions of %u", (long long)number,
                     (unsigned)a[0]->rank);
        return build_none(f, span);
    }
    a[which] = build_integer(f, number < 0 || number > UINT8_MAX ? 0 : number, n->span);
    return array_call(f, op, count, a, span);
}

// ---------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------

// The number of values; false after a message.
static bool range_size(Flattener *f, bool is_real, double start, double step, double stop,
                       Span span, uint32_t *size)
{
    if (step == 0.0) {
        report_error(f, span, "the step of a range cannot be 0");
        return false;
    }
    const double count = array_range_size(is_real, start, step, stop);
    if (!(count <= LIMIT_SCALARS)) {
        report_error(f, span, "the range has too many values");
        return false;
    }
    *size = (uint32_t)count;
    return true;
}

static FlatExpression *real_range(Flattener *f, double start, double step, double stop, Span span)
{
    uint32_t size;
    if (!range_size(f, true, start, step, stop, span, &size))
        return build_none(f, span);
    FlatExpression *array = build_node(f, FLAT_ARRAY, &flat_type_real, size, span);
    build_shape(f, array, 1, &size);
    for (uint32_t i = 0; i < size; i++)
        array->operands[i] = build_real(f, start + i * step, span);
    return array;
}

static FlatExpression *whole_range(Flattener *f, const FlatType *type, int64_t start, int64_t step,
                                   int64_t stop, Span span)
{
    uint32_t size;
    if (!range_size(f, false, (double)start, (double)step, (double)stop, span, &size))
        return build_none(f, span);
    FlatExpression *array = build_node(f, FLAT_ARRAY, type, size, span);
    build_shape(f, array, 1, &size);
    for (uint32_t i = 0; i < size; i++) {
        // Only the way there may leave the range of int64_t.
        const int64_t value = (int64_t)((uint64_t)start + i * (uint64_t)step);
        array->operands[i] = type->kind == FLAT_TYPE_BOOLEAN ? build_boolean(f, value != 0, span)
                             : type->kind == FLAT_TYPE_ENUMERATION
                                 ? build_enumeration(f, type, value, span)
                                 : build_integer(f, value, span);
    }
    return array;
}

static int64_t whole_value(const FlatExpression *e)
{
    return e->kind == FLAT_BOOLEAN ? e->boolean : e->integer;
}

// The type of a range's parts: all Real, or all the same. False after a message. Only numbers have
// a step (section 10.4.3 of the specification).
static bool match_range(Flattener *f, FlatExpression *parts[3], bool has_step, Span span)
{
    const FlatExpression *start = parts[0], *stop = parts[2];
    bool is_real = false;
    for (uint32_t i = 0; i < 3; i++) {
        if (expression_is_none(parts[i]))
            return false;
        if (parts[i]->rank || parts[i]->type->kind == FLAT_TYPE_STRING ||
            parts[i]->type->kind == FLAT_TYPE_RECORD) {
            build_wrong_argument(f, OPERATION_RANGE, parts[i], "a number");
            return false;
        }
        is_real = is_real || parts[i]->type->kind == FLAT_TYPE_REAL;
    }
    if (!is_real && !flat_type_equal(start->type, stop->type)) {
        report_error(f, span, "a range from %s to %s", start->type->name, stop->type->name);
        return false;
    }
    if (!is_real && has_step && start->type->kind != FLAT_TYPE_INTEGER) {
        report_error(f, parts[1]->span, "a range of %s has no step", start->type->name);
        return false;
    }
    if (!is_real && parts[1]->type->kind != FLAT_TYPE_INTEGER) {
        build_wrong_argument(f, OPERATION_RANGE, parts[1], "a number");
        return false;
    }
    for (uint32_t i = 0; is_real && i < 3; i++) {
        parts[i] = build_convert(f, parts[i], &flat_type_real);
        if (!parts[i] || parts[i]->type->kind != FLAT_TYPE_REAL) {
            build_wrong_argument(f, OPERATION_RANGE, i == 2 ? stop : start, "a number");
            return false;
        }
    }
    return true;
}

static FlatExpression *range_that_stays(Flattener *f, FlatExpression *parts[3], Span span)
{
    const uint32_t unknown = FLAT_UNKNOWN_SIZE;
    return remaining(f, OPERATION_RANGE, parts[0]->type, 3, parts, 1, &unknown, span);
}

static FlatExpression *known_range(Flattener *f, FlatExpression *const parts[3], Span span)
{
    if (parts[0]->type->kind == FLAT_TYPE_REAL)
        return real_range(f, parts[0]->real, parts[1]->real, parts[2]->real, span);
    return whole_range(f, parts[0]->type, whole_value(parts[0]), whole_value(parts[1]),
                       whole_value(parts[2]), span);
}

// `counts`: Integers that nobody needs but one after the other.
static FlatExpression *range_in_function(Flattener *f, FlatExpression *parts[3], bool counts,
                                         Span span)
{
    for (uint32_t i = 0; i < 3; i++)
        if (mentions_local(parts[i]))
            return range_that_stays(f, parts, span);
    for (uint32_t i = 0; i < 3; i++)
        if (!(parts[i] = evaluate(f, parts[i], "the range")))
            return build_none(f, span);
    if (counts && parts[0]->type->kind == FLAT_TYPE_INTEGER && parts[1]->integer != 0)
        return range_that_stays(f, parts, span);
    return known_range(f, parts, span);
}

FlatExpression *build_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                            FlatExpression *stop, Span span)
{
    FlatExpression *parts[] = {start, step ? step : build_integer(f, 1, span), stop};
    return match_range(f, parts, step != NULL, span) ? range_in_function(f, parts, false, span)
                                                     : build_none(f, span);
}

FlatExpression *build_counting_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                                     FlatExpression *stop, Span span)
{
    FlatExpression *parts[] = {start, step ? step : build_integer(f, 1, span), stop};
    return match_range(f, parts, step != NULL, span) ? range_in_function(f, parts, true, span)
                                                     : build_none(f, span);
}

FlatExpression *build_loop_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                                 FlatExpression *stop, Span span)
{
    FlatExpression *parts[] = {start, step ? step : build_integer(f, 1, span), stop};
    if (!match_range(f, parts, step != NULL, span))
        return build_none(f, span);
    FlatExpression *known[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!(known[i] = evaluate(f, parts[i], NULL)))
            return range_that_stays(f, parts, span);
    return known_range(f, known, span);
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

FlatExpression *build_array_call(Flattener *f, Operation op, uint32_t count, FlatExpression **a,
                                 Span span)
{
    switch (op) {
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        return extremum(f, op, count, a, span);
    case OPERATION_SIZE:
        return size_call(f, count, a, span);
    case OPERATION_NDIMS:
        return build_integer(f, a[0]->rank, span);
    case OPERATION_LINSPACE:
        return linspace(f, a, span);
    case OPERATION_CAT:
        return with_known(f, op, 0, count, a, "the first argument of 'cat'", span);
    case OPERATION_PROMOTE:
        return with_known(f, op, 1, count, a, "the number of dimensions of 'promote'", span);
    case OPERATION_STACK:
        return build_array(f, count, a, span);
    case OPERATION_MULTIPLY:
    case OPERATION_SUM:
    case OPERATION_PRODUCT:
    case OPERATION_SCALAR:
    case OPERATION_VECTOR:
    case OPERATION_MATRIX:
    case OPERATION_TRANSPOSE:
    case OPERATION_OUTER_PRODUCT:
    case OPERATION_SYMMETRIC:
    case OPERATION_CROSS:
    case OPERATION_SKEW:
    case OPERATION_IDENTITY:
    case OPERATION_DIAGONAL:
    case OPERATION_ZEROS:
    case OPERATION_ONES:
    case OPERATION_FILL:
        return array_call(f, op, count, a, span);
    default:
        report_error(f, span, "'%s' cannot be used here", operation_info(op)->text);
        return build_none(f, span);
    }
}
