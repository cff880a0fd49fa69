// SPDX-License-Identifier: MIT
//
// The built-in functions on arrays, on values: what is left of them inside functions.

#include "flatten/evaluate.h"

#include "flatten/arithmetic.h"

#include <math.h>

static bool too_large(Evaluation *ev, const FlatExpression *e)
{
    return evaluate_fail(ev, e->span, "the array is too large");
}

static bool apply(Evaluation *ev, const FlatExpression *e, Operation op, const FlatType *type,
                  Scalar a, Scalar b, Scalar *result)
{
    const Scalar operands[] = {a, b};
    const char *reason;
    return arithmetic_apply(ev->scratch, op, type, 2, operands, result, &reason) ||
           evaluate_fail(ev, e->span, "%s", reason ? reason : "the operation is not defined");
}

// ---- products
// ------------------------------------------------------------------------------------

static Scalar zero_of(const FlatType *type)
{
    Scalar zero = {.integer = 0};
    if (type->kind == FLAT_TYPE_REAL)
        zero.real = 0.0;
    return zero;
}

static Scalar one_of(const FlatType *type)
{
    Scalar one = {.integer = 1};
    if (type->kind == FLAT_TYPE_REAL)
        one.real = 1.0;
    return one;
}

static bool product(Evaluation *ev, const FlatExpression *e, Value *a, Value *b, Value *result)
{
    const uint32_t rows = a->rank == 1 ? 1 : a->dims[0];
    const uint32_t inner = a->dims[a->rank - 1];
    const uint32_t columns = b->rank == 1 ? 1 : b->dims[1];
    uint32_t dims[2];
    uint32_t rank = 0;
    if (a->rank == 2)
        dims[rank++] = rows;
    if (b->rank == 2)
        dims[rank++] = columns;
    if (inner != b->dims[0])
        return evaluate_fail(ev, e->span, "a product of arrays whose sizes do not fit");
    if (!value_array(ev->scratch, a->type, rank, dims, result))
        return too_large(ev, e);
    if (!evaluate_step(ev, (uint64_t)rows * columns * inner, e->span))
        return false;
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < columns; j++) {
            Scalar sum = zero_of(a->type);
            for (uint32_t k = 0; k < inner; k++) {
                Scalar term;
                if (!apply(ev, e, OPERATION_MULTIPLY, a->type, a->items[i * inner + k],
                           b->items[k * columns + j], &term) ||
                    !apply(ev, e, OPERATION_ADD, a->type, sum, term, &sum))
                    return false;
            }
            value_items(result)[i * columns + j] = sum;
        }
    }
    return true;
}

static bool identity(Evaluation *ev, const FlatExpression *e, const FlatType *type, int64_t n,
                     Value *result)
{
    if (n < 0 || n > 10000)
        return too_large(ev, e);
    const uint32_t dims[] = {(uint32_t)n, (uint32_t)n};
    if (!value_array(ev->scratch, type, 2, dims, result))
        return too_large(ev, e);
    for (int64_t i = 0; i < n; i++)
        result->items[i * n + i] = one_of(type);
    return true;
}

static bool power(Evaluation *ev, const FlatExpression *e, Value *a, int64_t exponent,
                  Value *result)
{
    if (exponent < 0 || exponent > 1000 || a->dims[0] != a->dims[1])
        return evaluate_fail(ev, e->span, "a matrix to the power %lld", (long long)exponent);
    if (!identity(ev, e, a->type, a->dims[0], result))
        return false;
    for (int64_t i = 0; i < exponent; i++) {
        Value next = {0};
        if (!product(ev, e, result, a, &next))
            return false;
        *result = next;
    }
    return true;
}

// ---- reductions
// ----------------------------------------------------------------------------------

static bool reduce(Evaluation *ev, const FlatExpression *e, Value *a, Value *result)
{
    const uint64_t count = value_count(a);
    const Operation op = e->operation == OPERATION_SUM       ? OPERATION_ADD
                         : e->operation == OPERATION_PRODUCT ? OPERATION_MULTIPLY
                                                             : (Operation)e->operation;
    if (!evaluate_step(ev, count, e->span))
        return false;
    if (count == 0 && (op == OPERATION_MINIMUM || op == OPERATION_MAXIMUM))
        return evaluate_fail(ev, e->span, "'%s' of an array without elements",
                             operation_info(op)->text);
    if (count == 0) {
        *result = value_scalar(a->type, op == OPERATION_ADD ? zero_of(a->type) : one_of(a->type));
        return true;
    }
    Scalar all = value_items(a)[0];
    for (uint64_t i = 1; i < count; i++)
        if (!apply(ev, e, op, a->type, all, value_items(a)[i], &all))
            return false;
    *result = value_scalar(a->type, all);
    return true;
}

// ---- constructors
// --------------------------------------------------------------------------------

static bool filled(Evaluation *ev, const FlatExpression *e, const Value *value, uint32_t count,
                   const Value *sizes, Value *result)
{
    uint32_t *dims = ARENA_ARRAY(ev->scratch, count + value->rank + 1, uint32_t);
    for (uint32_t k = 0; k < count; k++) {
        const int64_t size = sizes[k].scalar.integer;
        if (size < 0 || size > LIMIT_SCALARS)
            return evaluate_fail(ev, e->span, "an array cannot have size %lld", (long long)size);
        dims[k] = (uint32_t)size;
    }
    for (uint32_t k = 0; k < value->rank; k++)
        dims[count + k] = value->dims[k];
    if (!value_array(ev->scratch, value->type, count + value->rank, dims, result))
        return too_large(ev, e);
    const uint64_t total = value_count(result);
    const uint64_t size = value_count(value);
    if (!evaluate_step(ev, total, e->span))
        return false;
    for (uint64_t i = 0; i < total; i++)
        result->items[i] = value->rank ? value->items[i % size] : value->scalar;
    return true;
}

static bool linspace(Evaluation *ev, const FlatExpression *e, const Value *v, Value *result)
{
    const int64_t n = v[2].scalar.integer;
    if (n < 2 || n > LIMIT_SCALARS)
        return evaluate_fail(ev, e->span, "'linspace' with %lld points", (long long)n);
    const uint32_t size = (uint32_t)n;
    if (!value_array(ev->scratch, &flat_type_real, 1, &size, result))
        return too_large(ev, e);
    const double from = v[0].scalar.real;
    const double width = v[1].scalar.real - from;
    for (uint32_t i = 0; i < size; i++)
        result->items[i].real = from + width * i / (size - 1);
    return true;
}

static bool range(Evaluation *ev, const FlatExpression *e, const Value *v, Value *result)
{
    const bool is_real = v[0].type->kind == FLAT_TYPE_REAL;
    const double start = is_real ? v[0].scalar.real : (double)v[0].scalar.integer;
    const double step = is_real ? v[1].scalar.real : (double)v[1].scalar.integer;
    const double stop = is_real ? v[2].scalar.real : (double)v[2].scalar.integer;
    if (step == 0.0)
        return evaluate_fail(ev, e->span, "the step of a range is 0");
    const double exact = (stop - start) / step;
    const double count = is_real ? floor(exact * (1.0 + 4e-16) + 1e-12) + 1.0 : floor(exact) + 1.0;
    if (!(count <= LIMIT_SCALARS))
        return too_large(ev, e);
    const uint32_t size = count > 0.0 ? (uint32_t)count : 0;
    if (!value_array(ev->scratch, v[0].type, 1, &size, result))
        return too_large(ev, e);
    for (uint32_t i = 0; i < size; i++) {
        if (is_real)
            result->items[i].real = start + i * step;
        else
            result->items[i].integer = v[0].scalar.integer + (int64_t)i * v[1].scalar.integer;
    }
    return true;
}

// Arrays of one shape under a new first dimension.
static bool stack(Evaluation *ev, const FlatExpression *e, uint32_t count, Value *items,
                  Value *result)
{
    if (count == 0) {
        const uint32_t none = 0;
        return value_array(ev->scratch, e->type, 1, &none, result);
    }
    const uint32_t inner = items[0].rank;
    uint32_t *dims = ARENA_ARRAY(ev->scratch, inner + 1, uint32_t);
    dims[0] = count;
    for (uint32_t k = 0; k < inner; k++)
        dims[k + 1] = items[0].dims[k];
    if (!value_array(ev->scratch, e->type, inner + 1, dims, result))
        return too_large(ev, e);
    const uint64_t size = value_count(&items[0]);
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].rank != inner ||
            (inner && memcmp(items[i].dims, items[0].dims, inner * sizeof *dims) != 0))
            return evaluate_fail(ev, e->span, "the elements of an array have different sizes");
        value_convert(ev->scratch, &items[i], e->type);
        copy_items(result->items + i * size, value_items(&items[i]), size * sizeof(Scalar));
    }
    return true;
}

static bool cat(Evaluation *ev, const FlatExpression *e, uint32_t count, Value *v, Value *result)
{
    const int64_t along = v[0].scalar.integer;
    const uint32_t rank = v[1].rank;
    if (along < 1 || along > rank)
        return evaluate_fail(ev, e->span, "arrays cannot be joined along dimension %lld",
                             (long long)along);
    uint32_t *dims = ARENA_ARRAY(ev->scratch, rank, uint32_t);
    copy_items(dims, v[1].dims, rank * sizeof *dims);
    dims[along - 1] = 0;
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = 0; k < rank; k++)
            if (v[i].rank != rank || (k + 1 != (uint32_t)along && v[i].dims[k] != dims[k]))
                return evaluate_fail(ev, e->span, "arrays whose sizes do not fit");
        dims[along - 1] += v[i].dims[along - 1];
    }
    if (!value_array(ev->scratch, e->type, rank, dims, result))
        return too_large(ev, e);
    uint64_t inner = 1;
    for (uint32_t k = (uint32_t)along; k < rank; k++)
        inner *= dims[k];
    uint64_t from = 0;
    for (uint32_t i = 1; i < count; i++) {
        value_convert(ev->scratch, &v[i], e->type);
        const uint64_t block = inner * v[i].dims[along - 1];
        const uint64_t total = value_count(&v[i]);
        for (uint64_t n = 0; n < total; n++)
            result->items[(n / block) * inner * dims[along - 1] + from + n % block] = v[i].items[n];
        from += block;
    }
    return true;
}

// ---- reshaping
// -----------------------------------------------------------------------------------

static bool reshaped(Evaluation *ev, const FlatExpression *e, Value *a, uint32_t rank,
                     const uint32_t *dims, Value *result)
{
    if (!value_array(ev->scratch, a->type, rank, dims, result))
        return too_large(ev, e);
    if (value_count(result) != value_count(a))
        return evaluate_fail(ev, e->span, "an array of that size cannot get this shape");
    copy_items(value_items(result), value_items(a), value_count(a) * sizeof(Scalar));
    return true;
}

static bool as_vector(Evaluation *ev, const FlatExpression *e, Value *a, Value *result)
{
    const uint32_t size = (uint32_t)value_count(a);
    return reshaped(ev, e, a, 1, &size, result);
}

static bool transpose(Evaluation *ev, const FlatExpression *e, const Value *a, Value *result)
{
    uint32_t *dims = ARENA_ARRAY(ev->scratch, a->rank, uint32_t);
    copy_items(dims, a->dims, a->rank * sizeof *dims);
    dims[0] = a->dims[1];
    dims[1] = a->dims[0];
    if (!value_array(ev->scratch, a->type, a->rank, dims, result))
        return too_large(ev, e);
    const uint64_t plane = (uint64_t)dims[0] * dims[1];
    const uint64_t inner = plane ? value_count(a) / plane : 0;
    for (uint32_t i = 0; i < dims[0]; i++)
        for (uint32_t j = 0; j < dims[1]; j++)
            for (uint64_t k = 0; k < inner; k++)
                result->items[((uint64_t)i * dims[1] + j) * inner + k] =
                    a->items[((uint64_t)j * dims[0] + i) * inner + k];
    return true;
}

static bool square(Evaluation *ev, const FlatExpression *e, const Value *a, Value *result)
{
    const uint32_t n = a->dims[0];
    const uint32_t dims[] = {n, n};
    if (!value_array(ev->scratch, a->type, 2, dims, result))
        return too_large(ev, e);
    if (e->operation == OPERATION_DIAGONAL) {
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                result->items[(uint64_t)i * n + j] = i == j ? a->items[i] : zero_of(a->type);
        return true;
    }
    if (a->rank != 2 || a->dims[1] != n)
        return evaluate_fail(ev, e->span, "the matrix is not square");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            result->items[(uint64_t)i * n + j] =
                a->items[i > j ? (uint64_t)j * n + i : (uint64_t)i * n + j];
    return true;
}

static double real_of(const Value *v, uint32_t i)
{
    return v->type->kind == FLAT_TYPE_REAL ? v->items[i].real : (double)v->items[i].integer;
}

static Scalar scalar_of(const FlatType *type, double x)
{
    Scalar s = {.real = x};
    if (type->kind != FLAT_TYPE_REAL)
        s.integer = (int64_t)x;
    return s;
}

static bool cross_or_skew(Evaluation *ev, const FlatExpression *e, const Value *v, Value *result)
{
    const bool is_cross = e->operation == OPERATION_CROSS;
    const uint32_t dims[] = {3, 3};
    if (v[0].rank != 1 || v[0].dims[0] != 3 || (is_cross && (v[1].rank != 1 || v[1].dims[0] != 3)))
        return evaluate_fail(ev, e->span, "'%s' of a vector that has not 3 elements",
                             operation_info((Operation)e->operation)->text);
    if (!value_array(ev->scratch, e->type, is_cross ? 1 : 2, dims, result))
        return too_large(ev, e);
    const double x[] = {real_of(&v[0], 0), real_of(&v[0], 1), real_of(&v[0], 2)};
    if (is_cross) {
        const double y[] = {real_of(&v[1], 0), real_of(&v[1], 1), real_of(&v[1], 2)};
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3;
            const int k = (i + 2) % 3;
            result->items[i] = scalar_of(e->type, x[j] * y[k] - x[k] * y[j]);
        }
        return true;
    }
    const double s[] = {0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0};
    for (int i = 0; i < 9; i++)
        result->items[i] = scalar_of(e->type, s[i]);
    return true;
}

// ---- comprehensions
// ------------------------------------------------------------------------------

static bool comprehension(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value values = {0};
    if (!evaluate_expression(ev, e->operands[1], &values))
        return false;
    if (!ev->frame || !ev->frame->locals)
        return evaluate_fail(ev, e->span, "it is known only when the function runs");
    const FlatLocal *iterator = e->iterators[0];
    const uint64_t count = value_count(&values);
    Value *items = ARENA_ARRAY(ev->scratch, count + 1, Value);
    for (uint64_t i = 0; i < count; i++) {
        ev->frame->locals[iterator->index] = value_element(&values, i);
        ev->frame->is_set[iterator->index] = true;
        if (!evaluate_expression(ev, e->operands[0], &items[i]))
            return false;
    }
    return stack(ev, e, (uint32_t)count, items, result);
}

// ---- the dispatcher
// ------------------------------------------------------------------------------

static bool dispatch(Evaluation *ev, const FlatExpression *e, Value *v, Value *result)
{
    switch ((Operation)e->operation) {
    case OPERATION_MULTIPLY:
        return product(ev, e, &v[0], &v[1], result);
    case OPERATION_POWER:
        return power(ev, e, &v[0], v[1].scalar.integer, result);
    case OPERATION_SUM:
    case OPERATION_PRODUCT:
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        return reduce(ev, e, &v[0], result);
    case OPERATION_SCALAR:
        if (value_count(&v[0]) != 1)
            return evaluate_fail(ev, e->span, "'scalar' of an array with several elements");
        *result = value_element(&v[0], 0);
        return true;
    case OPERATION_VECTOR:
        return as_vector(ev, e, &v[0], result);
    case OPERATION_MATRIX: {
        const uint32_t rows = v[0].rank ? v[0].dims[0] : 1;
        const uint32_t dims[] = {rows, rows ? (uint32_t)(value_count(&v[0]) / rows) : 0};
        return reshaped(ev, e, &v[0], 2, dims, result);
    }
    case OPERATION_PROMOTE: {
        uint32_t dims[UINT8_MAX];
        for (uint32_t k = 0; k < e->rank; k++)
            dims[k] = k < v[0].rank ? v[0].dims[k] : 1;
        return reshaped(ev, e, &v[0], e->rank, dims, result);
    }
    case OPERATION_TRANSPOSE:
        return transpose(ev, e, &v[0], result);
    case OPERATION_DIAGONAL:
    case OPERATION_SYMMETRIC:
        return square(ev, e, &v[0], result);
    case OPERATION_CROSS:
    case OPERATION_SKEW:
        return cross_or_skew(ev, e, v, result);
    case OPERATION_IDENTITY:
        return identity(ev, e, e->type, v[0].scalar.integer, result);
    case OPERATION_ZEROS:
    case OPERATION_ONES: {
        const Value value = value_scalar(
            e->type, e->operation == OPERATION_ONES ? one_of(e->type) : zero_of(e->type));
        return filled(ev, e, &value, e->count, v, result);
    }
    case OPERATION_FILL:
        return filled(ev, e, &v[0], e->count - 1, v + 1, result);
    case OPERATION_LINSPACE:
        return linspace(ev, e, v, result);
    case OPERATION_CAT:
        return cat(ev, e, e->count, v, result);
    case OPERATION_STACK:
        return stack(ev, e, e->count, v, result);
    case OPERATION_RANGE:
        return range(ev, e, v, result);
    default:
        return evaluate_fail(ev, e->span, "'%s' has no value before the run",
                             operation_info((Operation)e->operation)->text);
    }
}

bool evaluate_array_operation(Evaluation *ev, const FlatExpression *e, Value *result)
{
    if (e->kind == FLAT_COMPREHENSION)
        return comprehension(ev, e, result);
    Value *operands = evaluate_operands(ev, e);
    return operands && dispatch(ev, e, operands, result);
}
