// SPDX-License-Identifier: MIT
//
// The built-in functions on arrays (section 10.3 of the specification): sizes, constructors,
// reductions, reshaping, ranges. On arrays whose elements are known they are carried out; inside
// functions they stay calls.

#include "flatten/builtin.h"

#include "flatten/evaluate.h"

#include <math.h>

// ---- helpers
// -------------------------------------------------------------------------------------

// `a` with another shape of as many elements.
static FlatExpression *reshaped(Flattener *f, FlatExpression *a, uint32_t rank,
                                const uint32_t *dims, Span span)
{
    if (a->kind == FLAT_ARRAY)
        return build_elements(f, a->type, rank, dims, a->operands, span);
    return build_elements(f, a->type, rank, dims, &a, span);
}

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
static bool read_size(Flattener *f, FlatExpression *e, uint32_t *size)
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

// ---- sizes
// ---------------------------------------------------------------------------------------

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

// ---- constructors
// --------------------------------------------------------------------------------

static FlatExpression *fill(Flattener *f, Operation op, FlatExpression *value, uint32_t count,
                            FlatExpression **sizes, Span span)
{
    uint32_t *dims = ARENA_ARRAY(f->arena, count + value->rank + 1u, uint32_t);
    bool is_known = expression_is_explicit(value);
    uint64_t times = 1;
    if (count + value->rank > UINT8_MAX) {
        report_error(f, span, "too many dimensions");
        return build_none(f, span);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (!read_size(f, sizes[k], &dims[k]))
            return build_none(f, span);
        is_known = is_known && dims[k] != FLAT_UNKNOWN_SIZE;
    }
    for (uint32_t k = 0; k < value->rank; k++)
        dims[count + k] = value->dims[k];
    if (is_too_large(f, count + value->rank, dims, span))
        return build_none(f, span);
    if (!is_known) {
        const bool has_value = op == OPERATION_FILL;
        FlatExpression **arguments = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
        arguments[0] = value;
        for (uint32_t k = 0; k < count; k++)
            arguments[k + has_value] = sizes[k];
        return remaining(f, op, value->type, count + has_value, arguments, count + value->rank,
                         dims, span);
    }
    for (uint32_t k = 0; k < count; k++)
        times *= dims[k];
    const uint32_t size = (uint32_t)expression_size(value);
    FlatExpression *array = build_node(f, FLAT_ARRAY, value->type, (uint32_t)times * size, span);
    build_shape(f, array, count + value->rank, dims);
    for (uint32_t i = 0; i < array->count; i++)
        array->operands[i] = expression_element(value, i % size);
    build_vary(array);
    return array;
}

// A square matrix with `diagonal` (a vector) on its diagonal and zeros elsewhere.
static FlatExpression *diagonal(Flattener *f, FlatExpression *v, Span span)
{
    if (v->rank != 1 || !type_is_numeric(v->type))
        return build_wrong_argument(f, OPERATION_DIAGONAL, v, "a vector of numbers");
    const uint32_t dims[] = {v->dims[0], v->dims[0]};
    if (!expression_is_explicit(v))
        return remaining(f, OPERATION_DIAGONAL, v->type, 1, &v, 2, dims, span);
    if (is_too_large(f, 2, dims, span))
        return build_none(f, span);
    FlatExpression *zero = build_convert(f, build_integer(f, 0, span), v->type);
    FlatExpression *matrix = build_node(f, FLAT_ARRAY, v->type, dims[0] * dims[0], span);
    build_shape(f, matrix, 2, dims);
    for (uint32_t i = 0; i < matrix->count; i++)
        matrix->operands[i] = i / dims[0] == i % dims[0] ? v->operands[i % dims[0]] : zero;
    build_vary(matrix);
    return matrix;
}

static FlatExpression *identity(Flattener *f, FlatExpression *size, Span span)
{
    FlatExpression *one = build_integer(f, 1, span);
    uint32_t n;
    if (!read_size(f, size, &n))
        return build_none(f, span);
    if (n == FLAT_UNKNOWN_SIZE) {
        const uint32_t dims[] = {n, n};
        return remaining(f, OPERATION_IDENTITY, &flat_type_integer, 1, &size, 2, dims, span);
    }
    FlatExpression *ones = fill(f, OPERATION_FILL, one, 1, &size, span);
    return expression_is_none(ones) ? ones : diagonal(f, ones, span);
}

static FlatExpression *linspace(Flattener *f, FlatExpression **arguments, Span span)
{
    for (uint32_t i = 0; i < 2; i++) {
        arguments[i] =
            build_expect(f, arguments[i], &flat_type_real, 0, NULL, "an argument of 'linspace'");
        if (expression_is_none(arguments[i]))
            return arguments[i];
    }
    uint32_t n;
    if (!read_size(f, arguments[2], &n))
        return build_none(f, span);
    if (n == FLAT_UNKNOWN_SIZE)
        return remaining(f, OPERATION_LINSPACE, &flat_type_real, 3, arguments, 1, &n, span);
    if (n < 2) {
        report_error(f, arguments[2]->span, "'linspace' needs at least 2 points");
        return build_none(f, span);
    }
    // x1 + (x2 - x1)*(i - 1)/(n - 1)
    FlatExpression *array = build_node(f, FLAT_ARRAY, &flat_type_real, n, span);
    build_shape(f, array, 1, &n);
    FlatExpression *width = build_binary(f, OPERATION_SUBTRACT, arguments[1], arguments[0], span);
    for (uint32_t i = 0; i < n; i++) {
        FlatExpression *part =
            build_binary(f, OPERATION_DIVIDE,
                         build_binary(f, OPERATION_MULTIPLY, width, build_real(f, i, span), span),
                         build_real(f, n - 1, span), span);
        array->operands[i] = build_binary(f, OPERATION_ADD, arguments[0], part, span);
    }
    build_vary(array);
    return array;
}

// ---- reductions
// ----------------------------------------------------------------------------------

static bool is_ordered(const FlatType *type)
{
    return type->kind != FLAT_TYPE_STRING && type->kind != FLAT_TYPE_RECORD;
}

static FlatExpression *extremum(Flattener *f, Operation op, uint32_t count,
                                FlatExpression **arguments, Span span)
{
    if (count == 2) {
        if (arguments[0]->rank || arguments[1]->rank)
            return build_wrong_argument(f, op, arguments[arguments[0]->rank ? 0 : 1],
                                        "a scalar when there are two");
        FlatExpression *pair = build_array(f, 2, arguments, span);
        return expression_is_none(pair) ? pair : extremum(f, op, 1, &pair, span);
    }
    FlatExpression *a = arguments[0];
    if (!a->rank || !is_ordered(a->type))
        return build_wrong_argument(f, op, a, "an array of numbers");
    if (!expression_is_explicit(a))
        return remaining(f, op, a->type, 1, &a, 0, NULL, span);
    if (a->count == 0) {
        report_error(f, span, "'%s' of an array without elements", operation_info(op)->text);
        return build_none(f, span);
    }
    return build_chain(f, op, a->type, a->count, a->operands, span);
}

static FlatExpression *reduction(Flattener *f, Operation op, FlatExpression *a, Span span)
{
    if (!type_is_numeric(a->type))
        return build_wrong_argument(f, op, a, "an array of numbers");
    if (!expression_is_explicit(a))
        return remaining(f, op, a->type, 1, &a, 0, NULL, span);
    const uint32_t count = (uint32_t)expression_size(a);
    FlatExpression **items = a->rank ? a->operands : &a;
    if (op == OPERATION_SUM)
        return build_sum(f, count, items, a->type, span);
    if (count == 0)
        return build_convert(f, build_integer(f, 1, span), a->type);
    return build_chain(f, OPERATION_MULTIPLY, a->type, count, items, span);
}

// ---- reshaping
// -----------------------------------------------------------------------------------

static FlatExpression *scalar_call(Flattener *f, FlatExpression *a, Span span)
{
    for (uint32_t k = 0; k < a->rank; k++)
        if (a->dims[k] != 1 && a->dims[k] != FLAT_UNKNOWN_SIZE)
            return build_wrong_argument(f, OPERATION_SCALAR, a, "an array with one element");
    if (expression_is_explicit(a))
        return expression_element(a, 0);
    return remaining(f, OPERATION_SCALAR, a->type, 1, &a, 0, NULL, span);
}

static FlatExpression *vector_call(Flattener *f, FlatExpression *a, Span span)
{
    uint32_t size = 1;
    uint32_t large = 0;
    for (uint32_t k = 0; k < a->rank; k++) {
        large += a->dims[k] != 1;
        if (a->dims[k] != 1)
            size = a->dims[k];
    }
    if (large > 1)
        return build_wrong_argument(f, OPERATION_VECTOR, a,
                                    "an array with one dimension larger than 1");
    if (!expression_is_explicit(a))
        return remaining(f, OPERATION_VECTOR, a->type, 1, &a, 1, &size, span);
    return reshaped(f, a, 1, &size, span);
}

static FlatExpression *matrix_call(Flattener *f, FlatExpression *a, Span span)
{
    const uint32_t dims[] = {a->rank > 0 ? a->dims[0] : 1, a->rank > 1 ? a->dims[1] : 1};
    for (uint32_t k = 2; k < a->rank; k++)
        if (a->dims[k] != 1)
            return build_wrong_argument(f, OPERATION_MATRIX, a,
                                        "an array whose later dimensions have size 1");
    if (!expression_is_explicit(a))
        return remaining(f, OPERATION_MATRIX, a->type, 1, &a, 2, dims, span);
    return reshaped(f, a, 2, dims, span);
}

static FlatExpression *transpose(Flattener *f, FlatExpression *a, Span span)
{
    if (a->rank < 2)
        return build_wrong_argument(f, OPERATION_TRANSPOSE, a, "a matrix");
    uint32_t *dims = ARENA_ARRAY(f->arena, a->rank, uint32_t);
    copy_items(dims, a->dims, a->rank * sizeof *dims);
    dims[0] = a->dims[1];
    dims[1] = a->dims[0];
    if (!expression_is_explicit(a))
        return remaining(f, OPERATION_TRANSPOSE, a->type, 1, &a, a->rank, dims, span);
    FlatExpression *t = build_node(f, FLAT_ARRAY, a->type, a->count, span);
    build_shape(f, t, a->rank, dims);
    const uint32_t plane = a->dims[0] * a->dims[1];
    const uint32_t inner = plane ? a->count / plane : 0;
    for (uint32_t i = 0; i < dims[0]; i++)
        for (uint32_t j = 0; j < dims[1]; j++)
            for (uint32_t k = 0; k < inner; k++)
                t->operands[(i * dims[1] + j) * inner + k] =
                    a->operands[(j * dims[0] + i) * inner + k];
    build_vary(t);
    return t;
}

static FlatExpression *symmetric(Flattener *f, FlatExpression *a, Span span)
{
    if (a->rank != 2 || (a->dims[0] != a->dims[1] && a->dims[0] != FLAT_UNKNOWN_SIZE &&
                         a->dims[1] != FLAT_UNKNOWN_SIZE))
        return build_wrong_argument(f, OPERATION_SYMMETRIC, a, "a square matrix");
    if (!expression_is_explicit(a))
        return remaining(f, OPERATION_SYMMETRIC, a->type, 1, &a, 2, a->dims, span);
    // The upper triangle is copied to the lower.
    FlatExpression *s = build_node(f, FLAT_ARRAY, a->type, a->count, span);
    build_shape(f, s, 2, a->dims);
    const uint32_t n = a->dims[0];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            s->operands[i * n + j] = i > j ? a->operands[j * n + i] : a->operands[i * n + j];
    build_vary(s);
    return s;
}

static bool is_triple(const FlatExpression *a)
{
    return a->rank == 1 && type_is_numeric(a->type) &&
           (a->dims[0] == 3 || a->dims[0] == FLAT_UNKNOWN_SIZE);
}

// a1*b2 - a2*b1
static FlatExpression *minor(Flattener *f, FlatExpression *a1, FlatExpression *b2,
                             FlatExpression *a2, FlatExpression *b1, Span span)
{
    return build_binary(f, OPERATION_SUBTRACT, build_binary(f, OPERATION_MULTIPLY, a1, b2, span),
                        build_binary(f, OPERATION_MULTIPLY, a2, b1, span), span);
}

static FlatExpression *cross(Flattener *f, FlatExpression *a, FlatExpression *b, Span span)
{
    const uint32_t three = 3;
    if (!is_triple(a))
        return build_wrong_argument(f, OPERATION_CROSS, a, "a vector of size 3");
    if (!is_triple(b))
        return build_wrong_argument(f, OPERATION_CROSS, b, "a vector of size 3");
    if (!expression_is_explicit(a) || !expression_is_explicit(b)) {
        FlatExpression *pair[] = {a, b};
        const bool is_integer = a->type == b->type && a->type->kind == FLAT_TYPE_INTEGER;
        return remaining(f, OPERATION_CROSS, is_integer ? a->type : &flat_type_real, 2, pair, 1,
                         &three, span);
    }
    FlatExpression **x = a->operands;
    FlatExpression **y = b->operands;
    FlatExpression *items[] = {minor(f, x[1], y[2], x[2], y[1], span),
                               minor(f, x[2], y[0], x[0], y[2], span),
                               minor(f, x[0], y[1], x[1], y[0], span)};
    return build_elements(f, items[0]->type, 1, &three, items, span);
}

static FlatExpression *skew(Flattener *f, FlatExpression *a, Span span)
{
    if (!is_triple(a))
        return build_wrong_argument(f, OPERATION_SKEW, a, "a vector of size 3");
    const uint32_t dims[] = {3, 3};
    if (!expression_is_explicit(a))
        return remaining(f, OPERATION_SKEW, a->type, 1, &a, 2, dims, span);
    FlatExpression *zero = build_convert(f, build_integer(f, 0, span), a->type);
    FlatExpression **x = a->operands;
    FlatExpression *negative[3];
    for (uint32_t k = 0; k < 3; k++)
        negative[k] = build_unary(f, OPERATION_NEGATE, x[k], span);
    FlatExpression *items[] = {zero,        negative[2], x[1], x[2], zero,
                               negative[0], negative[1], x[0], zero};
    return build_elements(f, a->type, 2, dims, items, span);
}

static FlatExpression *outer_product(Flattener *f, FlatExpression *a, FlatExpression *b, Span span)
{
    FlatExpression *column = vector_call(f, a, span);
    FlatExpression *row = vector_call(f, b, span);
    if (expression_is_none(column) || expression_is_none(row))
        return build_none(f, span);
    FlatExpression *left = build_promoted(f, column, 2);
    FlatExpression *right = transpose(f, build_promoted(f, row, 2), span);
    return build_binary(f, OPERATION_MULTIPLY, left, right, span);
}

FlatExpression *build_promoted(Flattener *f, FlatExpression *a, uint32_t rank)
{
    if (a->rank >= rank)
        return a;
    uint32_t dims[UINT8_MAX];
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = k < a->rank ? a->dims[k] : 1;
    if (expression_is_explicit(a))
        return reshaped(f, a, rank, dims, a->span);
    FlatExpression *arguments[] = {a, build_integer(f, rank, a->span)};
    return remaining(f, OPERATION_PROMOTE, a->type, 2, arguments, rank, dims, a->span);
}

// promote(a, n): dimensions of size 1 behind those of a, up to n of them (section 10.4.2).
static FlatExpression *promote_call(Flattener *f, FlatExpression **a, Span span)
{
    int64_t rank;
    FlatExpression *n =
        build_expect(f, a[1], &flat_type_integer, 0, NULL, "the number of dimensions of 'promote'");
    if (expression_is_none(n) ||
        !evaluate_integer(f, n, "the number of dimensions of 'promote'", &rank))
        return build_none(f, span);
    if (rank < a[0]->rank || rank >= UINT8_MAX) {
        report_error(f, span, "'promote' cannot make %lld dimensions of %u", (long long)rank,
                     (unsigned)a[0]->rank);
        return build_none(f, span);
    }
    return build_promoted(f, a[0], (uint32_t)rank);
}

// ---- cat and ranges
// ------------------------------------------------------------------------------

// Copies the elements of one item to their places in the whole.
static void place_item(FlatExpression *whole, FlatExpression *item, uint32_t along, uint32_t from)
{
    uint64_t inner = 1;
    for (uint32_t k = along; k < item->rank; k++)
        inner *= item->dims[k];
    const uint64_t block = inner * item->dims[along - 1];
    const uint64_t stride = inner * whole->dims[along - 1];
    for (uint64_t i = 0; i < item->count; i++)
        whole->operands[(i / block) * stride + from * inner + i % block] = item->operands[i];
}

static bool check_cat(Flattener *f, uint32_t along, uint32_t count, FlatExpression **items,
                      Span span)
{
    if (along < 1 || along > items[0]->rank) {
        report_error(f, span, "arrays cannot be joined along dimension %u of %u", (unsigned)along,
                     (unsigned)items[0]->rank);
        return false;
    }
    for (uint32_t i = 1; i < count; i++) {
        bool fits = items[i]->rank == items[0]->rank;
        for (uint32_t k = 0; fits && k < items[0]->rank; k++)
            fits = k + 1 == along || items[i]->dims[k] == items[0]->dims[k] ||
                   items[i]->dims[k] == FLAT_UNKNOWN_SIZE || items[0]->dims[k] == FLAT_UNKNOWN_SIZE;
        if (!fits) {
            report_error(f, items[i]->span, "%s and %s cannot be joined along dimension %u",
                         expression_type_text(f, items[0]), expression_type_text(f, items[i]),
                         (unsigned)along);
            return false;
        }
    }
    return true;
}

FlatExpression *build_cat(Flattener *f, uint32_t along, uint32_t count, FlatExpression **items,
                          Span span)
{
    const FlatType *type = items[0]->type;
    for (uint32_t i = 0; i < count; i++) {
        if (expression_is_none(items[i]))
            return items[i];
        if (items[i]->type->kind == FLAT_TYPE_REAL && type_is_numeric(type))
            type = &flat_type_real;
    }
    if (!check_cat(f, along, count, items, span))
        return build_none(f, span);
    uint32_t dims[UINT8_MAX];
    copy_items(dims, items[0]->dims, items[0]->rank * sizeof *dims);
    dims[along - 1] = 0;
    bool is_explicit = true;
    for (uint32_t i = 0; i < count; i++) {
        FlatExpression *converted = build_convert(f, items[i], type);
        if (!converted)
            return build_wrong_argument(f, OPERATION_CAT, items[i], type->name);
        items[i] = converted;
        is_explicit = is_explicit && expression_is_explicit(items[i]);
        const uint32_t size = items[i]->dims[along - 1];
        const bool is_known = size != FLAT_UNKNOWN_SIZE && dims[along - 1] != FLAT_UNKNOWN_SIZE;
        dims[along - 1] = is_known ? dims[along - 1] + size : FLAT_UNKNOWN_SIZE;
    }
    const uint32_t rank = items[0]->rank;
    if (is_too_large(f, rank, dims, span))
        return build_none(f, span);
    if (!is_explicit) {
        FlatExpression **arguments = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
        arguments[0] = build_integer(f, along, span);
        copy_items(arguments + 1, items, count * sizeof *items);
        return remaining(f, OPERATION_CAT, type, count + 1, arguments, rank, dims, span);
    }
    uint64_t total = 1;
    for (uint32_t k = 0; k < rank; k++)
        total *= dims[k];
    FlatExpression *whole = build_node(f, FLAT_ARRAY, type, (uint32_t)total, span);
    build_shape(f, whole, rank, dims);
    uint32_t from = 0;
    for (uint32_t i = 0; i < count; i++) {
        place_item(whole, items[i], along, from);
        from += items[i]->dims[along - 1];
    }
    build_vary(whole);
    return whole;
}

static FlatExpression *cat_call(Flattener *f, uint32_t count, FlatExpression **arguments, Span span)
{
    int64_t along;
    FlatExpression *first =
        build_expect(f, arguments[0], &flat_type_integer, 0, NULL, "the first argument of 'cat'");
    if (expression_is_none(first) ||
        !evaluate_integer(f, first, "the first argument of 'cat'", &along))
        return build_none(f, span);
    return build_cat(f, along < 0 || along > UINT8_MAX ? 0 : (uint32_t)along, count - 1,
                     arguments + 1, span);
}

static FlatExpression *real_range(Flattener *f, double start, double step, double stop, Span span)
{
    if (step == 0.0) {
        report_error(f, span, "the step of a range cannot be 0");
        return build_none(f, span);
    }
    // floor((stop - start)/step) + 1 values (section 10.4.3), a rounding error forgiven.
    const double exact = (stop - start) / step;
    const double count = floor(exact * (1.0 + 4e-16) + 1e-12) + 1.0;
    if (!(count <= LIMIT_SCALARS)) {
        report_error(f, span, "the range has too many values");
        return build_none(f, span);
    }
    const uint32_t size = count > 0.0 ? (uint32_t)count : 0;
    FlatExpression *array = build_node(f, FLAT_ARRAY, &flat_type_real, size, span);
    build_shape(f, array, 1, &size);
    for (uint32_t i = 0; i < size; i++)
        array->operands[i] = build_real(f, start + i * step, span);
    return array;
}

static FlatExpression *whole_range(Flattener *f, const FlatType *type, int64_t start, int64_t step,
                                   int64_t stop, Span span)
{
    if (step == 0) {
        report_error(f, span, "the step of a range cannot be 0");
        return build_none(f, span);
    }
    const bool is_empty = step > 0 ? start > stop : start < stop;
    const double exact = is_empty ? 0.0 : ((double)stop - (double)start) / (double)step + 1.0;
    if (exact > LIMIT_SCALARS) {
        report_error(f, span, "the range has too many values");
        return build_none(f, span);
    }
    const uint32_t size = is_empty ? 0 : (uint32_t)((stop - start) / step + 1);
    FlatExpression *array = build_node(f, FLAT_ARRAY, type, size, span);
    build_shape(f, array, 1, &size);
    for (uint32_t i = 0; i < size; i++) {
        const int64_t value = start + (int64_t)i * step;
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

// The type of a range's parts: all Real, or all the same. False after a message.
static bool match_range(Flattener *f, FlatExpression *parts[3], Span span)
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

FlatExpression *build_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                            FlatExpression *stop, Span span)
{
    FlatExpression *parts[] = {start, step ? step : build_integer(f, 1, span), stop};
    if (!match_range(f, parts, span))
        return build_none(f, span);
    for (uint32_t i = 0; i < 3; i++)
        if (mentions_local(parts[i]))
            return range_that_stays(f, parts, span);
    for (uint32_t i = 0; i < 3; i++)
        if (!(parts[i] = evaluate(f, parts[i], "the range")))
            return build_none(f, span);
    return known_range(f, parts, span);
}

FlatExpression *build_loop_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                                 FlatExpression *stop, Span span)
{
    FlatExpression *parts[] = {start, step ? step : build_integer(f, 1, span), stop};
    if (!match_range(f, parts, span))
        return build_none(f, span);
    FlatExpression *known[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!(known[i] = evaluate(f, parts[i], NULL)))
            return range_that_stays(f, parts, span);
    return known_range(f, known, span);
}

// ---- the dispatcher
// ------------------------------------------------------------------------------

FlatExpression *build_array_call(Flattener *f, Operation op, uint32_t count, FlatExpression **a,
                                 Span span)
{
    switch (op) {
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        return extremum(f, op, count, a, span);
    case OPERATION_SUM:
    case OPERATION_PRODUCT:
        return reduction(f, op, a[0], span);
    case OPERATION_SIZE:
        return size_call(f, count, a, span);
    case OPERATION_NDIMS:
        return build_integer(f, a[0]->rank, span);
    case OPERATION_SCALAR:
        return scalar_call(f, a[0], span);
    case OPERATION_VECTOR:
        return vector_call(f, a[0], span);
    case OPERATION_MATRIX:
        return matrix_call(f, a[0], span);
    case OPERATION_TRANSPOSE:
        return transpose(f, a[0], span);
    case OPERATION_OUTER_PRODUCT:
        return outer_product(f, a[0], a[1], span);
    case OPERATION_SYMMETRIC:
        return symmetric(f, a[0], span);
    case OPERATION_CROSS:
        return cross(f, a[0], a[1], span);
    case OPERATION_SKEW:
        return skew(f, a[0], span);
    case OPERATION_IDENTITY:
        return identity(f, a[0], span);
    case OPERATION_DIAGONAL:
        return diagonal(f, a[0], span);
    case OPERATION_ZEROS:
        return fill(f, op, build_integer(f, 0, span), count, a, span);
    case OPERATION_ONES:
        return fill(f, op, build_integer(f, 1, span), count, a, span);
    case OPERATION_FILL:
        return fill(f, op, a[0], count - 1, a + 1, span);
    case OPERATION_LINSPACE:
        return linspace(f, a, span);
    case OPERATION_CAT:
        return cat_call(f, count, a, span);
    case OPERATION_STACK:
        return build_array(f, count, a, span);
    case OPERATION_PROMOTE:
        return promote_call(f, a, span);
    default:
        report_error(f, span, "'%s' cannot be used here", operation_info(op)->text);
        return build_none(f, span);
    }
}
