// SPDX-License-Identifier: MIT
//
// Array operations inside functions and arguments, spelt out as lists of scalars (chapter 10 of the
// specification). All sizes are known here.

#include "equations/convert_parts.h"

bool convert_is_array_operation(const FlatExpression *e)
{
    switch ((Operation)e->operation) {
    case OPERATION_MULTIPLY:
        return e->count == 2 && e->operands[0]->rank > 0 && e->operands[1]->rank > 0;
    case OPERATION_POWER:
        return e->operands[0]->rank == 2;
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        return e->count == 1;
    default:
        return e->operation >= OPERATION_SUM && e->operation <= OPERATION_RANGE;
    }
}

static Node zero_of(Convert *c, const FlatType *type)
{
    return type->kind == FLAT_TYPE_REAL ? c->dag->zero : dag_integer(c->dag, 0);
}

static Node one_of(Convert *c, const FlatType *type)
{
    return type->kind == FLAT_TYPE_REAL ? c->dag->one : dag_integer(c->dag, 1);
}

// ---- products -----------------------------------------------------------------------------------

static Bundle product(Convert *c, const FlatExpression *e, const Bundle *a, const Bundle *b)
{
    const uint32_t rows = a->rank == 1 ? 1 : a->dims[0];
    const uint32_t inner = a->dims[a->rank - 1];
    const uint32_t columns = b->rank == 1 ? 1 : b->dims[1];
    uint32_t dims[2], rank = 0;
    if (a->rank == 2)
        dims[rank++] = rows;
    if (b->rank == 2)
        dims[rank++] = columns;
    if (inner != b->dims[0])
        return convert_fail(c, e->span, "a product of arrays whose sizes do not fit");
    Bundle result = bundle_new(c, e->span, e->type, rank, dims);
    for (uint32_t n = 0; n < result.count; n++) {
        const uint32_t i = n / columns, j = n % columns;
        Node sum = zero_of(c, e->type);
        for (uint32_t k = 0; k < inner; k++) {
            const Node term =
                dag_multiply(c->dag, a->items[i * inner + k], b->items[k * columns + j]);
            dag_note(c->dag, term, e->span);
            sum = dag_add(c->dag, sum, term);
            dag_note(c->dag, sum, e->span);
        }
        result.items[n] = sum;
    }
    return result;
}

static Bundle identity(Convert *c, const FlatExpression *e, const FlatType *type, int64_t n)
{
    if (n < 0 || n > CONVERT_MOST_SCALARS)
        return convert_fail(c, e->span, "an array cannot have size %lld", (long long)n);
    const uint32_t size = (uint32_t)n, dims[] = {size, size};
    Bundle b = bundle_new(c, e->span, type, 2, dims);
    for (uint32_t i = 0; i < b.count; i++)
        b.items[i] = i / size == i % size ? one_of(c, type) : zero_of(c, type);
    return b;
}

static Bundle matrix_power(Convert *c, const FlatExpression *e, const Bundle *a, int64_t exponent)
{
    if (exponent < 0 || exponent > 1000 || a->dims[0] != a->dims[1])
        return convert_fail(c, e->span, "a matrix to the power %lld", (long long)exponent);
    Bundle result = identity(c, e, a->type, a->dims[0]);
    for (int64_t i = 0; i < exponent && bundle_is_fine(&result); i++)
        result = product(c, e, &result, a);
    return result;
}

// ---- reductions ---------------------------------------------------------------------------------

static Bundle reduce(Convert *c, const FlatExpression *e, const Bundle *a)
{
    const Operation op = (Operation)e->operation;
    const Operator with = op == OPERATION_SUM       ? OPERATOR_ADD
                          : op == OPERATION_PRODUCT ? OPERATOR_MULTIPLY
                          : op == OPERATION_MINIMUM ? OPERATOR_MIN
                                                    : OPERATOR_MAX;
    if (a->count == 0 && (with == OPERATOR_MIN || with == OPERATOR_MAX))
        return convert_fail(c, e->span, "'%s' of an array without elements",
                            operation_info(op)->text);
    Node all = op == OPERATION_PRODUCT ? one_of(c, e->type) : zero_of(c, e->type);
    for (uint32_t i = 0; i < a->count; i++) {
        all = i ? dag_binary(c->dag, with, all, a->items[i]) : a->items[i];
        dag_note(c->dag, all, e->span);
    }
    return bundle_scalar(c, e->type, all);
}

// ---- constructors -------------------------------------------------------------------------------

static Bundle filled(const Scope *s, const FlatExpression *e, const Bundle *value, uint32_t count,
                     const Bundle *sizes)
{
    const uint32_t rank = count + value->rank;
    uint32_t *dims = ARENA_ARRAY(s->c->arena, rank, uint32_t);
    for (uint32_t k = 0; k < count; k++) {
        int64_t size;
        if (!bundle_integer(s->c, &sizes[k], e->span, "size of an array", &size))
            return (Bundle){0};
        if (size < 0 || size > CONVERT_MOST_SCALARS)
            return convert_fail(s->c, e->span, "an array cannot have size %lld", (long long)size);
        dims[k] = (uint32_t)size;
    }
    for (uint32_t k = 0; k < value->rank; k++)
        dims[count + k] = value->dims[k];
    Bundle b = bundle_new(s->c, e->span, e->type, rank, dims);
    for (uint32_t i = 0; i < b.count; i++)
        b.items[i] = value->items[i % value->count];
    return b;
}

static Bundle linspace(Convert *c, const FlatExpression *e, const Bundle *v)
{
    int64_t n;
    if (!bundle_integer(c, &v[2], e->span, "number of points", &n))
        return (Bundle){0};
    if (n < 2 || n > CONVERT_MOST_SCALARS)
        return convert_fail(c, e->span, "'linspace' with %lld points", (long long)n);
    const uint32_t size = (uint32_t)n;
    Bundle b = bundle_new(c, e->span, e->type, 1, &size);
    const Node width = dag_subtract(c->dag, v[1].items[0], v[0].items[0]);
    for (uint32_t i = 0; i < size; i++)
        b.items[i] = dag_add(c->dag, v[0].items[0],
                             dag_divide(c->dag, dag_multiply(c->dag, width, dag_real(c->dag, i)),
                                        dag_real(c->dag, size - 1)));
    return b;
}

// An Integer as a node plus a number: i - 2 is i and -2.
static Node offset_of(const Dag *d, Node node, double *offset)
{
    *offset = 0.0;
    for (;;) {
        const bool is_sum = dag_is_operation(d, node, OPERATOR_ADD);
        if (!is_sum && !dag_is_operation(d, node, OPERATOR_SUBTRACT))
            return node;
        const Node a = dag_operand(d, node, 0), b = dag_operand(d, node, 1);
        if (dag_is_number(d, b)) {
            *offset += is_sum ? dag_get(d, b)->value : -dag_get(d, b)->value;
            node = a;
        } else if (is_sum && dag_is_number(d, a)) {
            *offset += dag_get(d, a)->value;
            node = b;
        } else {
            return node;
        }
    }
}

// i + a : step : i + b of Integers, whose size does not depend on i; no value: it is not such.
static Bundle moving_range(Convert *c, const FlatExpression *e, const Bundle *v)
{
    double a, b;
    const Node step = v[1].items[0];
    if (e->type->kind != FLAT_TYPE_INTEGER || !dag_is_number(c->dag, step) ||
        dag_is_zero(c->dag, step) ||
        offset_of(c->dag, v[0].items[0], &a) != offset_of(c->dag, v[2].items[0], &b))
        return (Bundle){0};
    const double by = dag_get(c->dag, step)->value, count = floor((b - a) / by) + 1.0;
    if (!(count <= CONVERT_MOST_SCALARS))
        return (Bundle){0};
    const uint32_t size = count > 0.0 ? (uint32_t)count : 0;
    Bundle result = bundle_new(c, e->span, e->type, 1, &size);
    for (uint32_t i = 0; i < result.count; i++)
        result.items[i] = dag_add(c->dag, v[0].items[0], dag_integer(c->dag, (int64_t)(i * by)));
    return result;
}

// start : step : stop with known numbers, or with a known size
static Bundle range(Convert *c, const FlatExpression *e, const Bundle *v)
{
    double x[3];
    const Bundle moving = moving_range(c, e, v);
    if (bundle_is_fine(&moving))
        return moving;
    for (int i = 0; i < 3; i++) {
        if (!dag_is_number(c->dag, v[i].items[0]))
            return convert_fail(c, e->span, "the size of this range must be known before the run");
        x[i] = dag_get(c->dag, v[i].items[0])->value;
    }
    if (x[1] == 0.0)
        return convert_fail(c, e->span, "the step of a range is 0");
    const bool is_real = e->type->kind == FLAT_TYPE_REAL;
    // A Real stop that rounding has moved just beyond an element still includes it.
    const double exact = (x[2] - x[0]) / x[1];
    const double count = floor(is_real ? exact * (1.0 + 4e-16) + 1e-12 : exact) + 1.0;
    if (!(count <= CONVERT_MOST_SCALARS))
        return convert_fail(c, e->span, "an array of this size cannot be used in a function");
    const uint32_t size = count > 0.0 ? (uint32_t)count : 0;
    Bundle b = bundle_new(c, e->span, e->type, 1, &size);
    for (uint32_t i = 0; i < size; i++)
        b.items[i] = is_real ? dag_real(c->dag, x[0] + i * x[1])
                             : dag_integer(c->dag, (int64_t)(x[0] + i * x[1]));
    return b;
}

// Values of one shape under a new first dimension.
static Bundle stacked(Convert *c, const FlatExpression *e, uint32_t count, const Bundle *v)
{
    const uint32_t inner = count ? v[0].rank : 0;
    uint32_t *dims = ARENA_ARRAY(c->arena, inner + 1, uint32_t);
    dims[0] = count;
    for (uint32_t k = 0; k < inner; k++)
        dims[k + 1] = v[0].dims[k];
    Bundle b = bundle_new(c, e->span, e->type, inner + 1, dims);
    if (!bundle_is_fine(&b))
        return b;
    for (uint32_t i = 0; i < count; i++) {
        if (v[i].count != v[0].count || v[i].rank != inner)
            return convert_fail(c, e->span, "the elements of an array have different sizes");
        for (uint32_t k = 0; k < v[i].count; k++)
            b.items[i * v[0].count + k] = convert_converted(c, v[i].items[k], e->type);
    }
    return b;
}

static Bundle joined(Convert *c, const FlatExpression *e, const Bundle *v)
{
    int64_t along;
    if (!bundle_integer(c, &v[0], e->span, "dimension", &along))
        return (Bundle){0};
    const uint32_t rank = v[1].rank;
    if (along < 1 || along > rank)
        return convert_fail(c, e->span, "arrays cannot be joined along dimension %lld",
                            (long long)along);
    const uint32_t axis = (uint32_t)along - 1;
    uint32_t *dims = ARENA_ARRAY(c->arena, rank, uint32_t), inner = 1, from = 0;
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = k == axis ? 0 : v[1].dims[k];
    for (uint32_t i = 1; i < e->count; i++) {
        for (uint32_t k = 0; k < rank; k++)
            if (v[i].rank != rank || (k != axis && v[i].dims[k] != dims[k]))
                return convert_fail(c, e->span, "arrays whose sizes do not fit");
        dims[axis] += v[i].dims[axis];
    }
    for (uint32_t k = axis + 1; k < rank; k++)
        inner *= dims[k];
    Bundle b = bundle_new(c, e->span, e->type, rank, dims);
    if (!bundle_is_fine(&b))
        return b;
    for (uint32_t i = 1; i < e->count; i++) {
        const uint32_t block = inner * v[i].dims[axis];
        for (uint32_t n = 0; n < v[i].count; n++)
            b.items[n / block * inner * dims[axis] + from + n % block] =
                convert_converted(c, v[i].items[n], e->type);
        from += block;
    }
    return b;
}

// ---- reshaping ----------------------------------------------------------------------------------

static Bundle reshaped(Convert *c, const FlatExpression *e, const Bundle *a, uint32_t rank,
                       const uint32_t *dims)
{
    Bundle b = bundle_new(c, e->span, e->type, rank, dims);
    if (bundle_is_fine(&b) && b.count != a->count)
        return convert_fail(c, e->span, "an array of that size cannot get this shape");
    for (uint32_t i = 0; i < b.count; i++)
        b.items[i] = a->items[i];
    return b;
}

static Bundle promoted(Convert *c, const FlatExpression *e, const Bundle *a)
{
    uint32_t *dims = ARENA_ARRAY(c->arena, e->rank, uint32_t);
    for (uint32_t k = 0; k < e->rank; k++)
        dims[k] = k < a->rank ? a->dims[k] : 1;
    return reshaped(c, e, a, e->rank, dims);
}

static Bundle as_matrix(Convert *c, const FlatExpression *e, const Bundle *a)
{
    const uint32_t rows = a->rank ? a->dims[0] : 1;
    const uint32_t dims[] = {rows, rows ? a->count / rows : 0};
    return reshaped(c, e, a, 2, dims);
}

static Bundle transposed(Convert *c, const FlatExpression *e, const Bundle *a)
{
    uint32_t *dims = ARENA_ARRAY(c->arena, a->rank, uint32_t);
    for (uint32_t k = 0; k < a->rank; k++)
        dims[k] = a->dims[k < 2 ? 1 - k : k];
    Bundle b = bundle_new(c, e->span, e->type, a->rank, dims);
    const uint32_t plane = dims[0] * dims[1];
    const uint32_t inner = plane ? a->count / plane : 0;
    for (uint32_t i = 0; i < dims[0]; i++)
        for (uint32_t j = 0; j < dims[1]; j++)
            for (uint32_t k = 0; k < inner; k++)
                b.items[(i * dims[1] + j) * inner + k] = a->items[(j * dims[0] + i) * inner + k];
    return b;
}

static Bundle squared_shape(Convert *c, const FlatExpression *e, const Bundle *a)
{
    const uint32_t n = a->dims[0], dims[] = {n, n};
    const bool is_diagonal = e->operation == OPERATION_DIAGONAL;
    if (!is_diagonal && (a->rank != 2 || a->dims[1] != n))
        return convert_fail(c, e->span, "the matrix is not square");
    Bundle b = bundle_new(c, e->span, e->type, 2, dims);
    for (uint32_t m = 0; m < b.count; m++) {
        const uint32_t i = m / n, j = m % n;
        if (is_diagonal)
            b.items[m] = i == j ? a->items[i] : zero_of(c, e->type);
        else
            b.items[m] = a->items[i > j ? j * n + i : m];
    }
    return b;
}

static Bundle outer_product(Convert *c, const FlatExpression *e, const Bundle *v)
{
    const uint32_t dims[] = {v[0].count, v[1].count};
    Bundle b = bundle_new(c, e->span, e->type, 2, dims);
    for (uint32_t m = 0; m < b.count; m++)
        b.items[m] = dag_multiply(c->dag, v[0].items[m / dims[1]], v[1].items[m % dims[1]]);
    return b;
}

static Bundle cross_or_skew(Convert *c, const FlatExpression *e, const Bundle *v)
{
    const bool is_cross = e->operation == OPERATION_CROSS;
    const uint32_t dims[] = {3, 3};
    Dag *d = c->dag;
    if (v[0].count != 3 || (is_cross && v[1].count != 3))
        return convert_fail(c, e->span, "'%s' of a vector that has not 3 elements",
                            operation_info((Operation)e->operation)->text);
    Bundle b = bundle_new(c, e->span, e->type, is_cross ? 1 : 2, dims);
    const Node *x = v[0].items;
    if (is_cross) {
        const Node *y = v[1].items;
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
            b.items[i] = dag_subtract(d, dag_multiply(d, x[j], y[k]), dag_multiply(d, x[k], y[j]));
        }
        return b;
    }
    const Node zero = zero_of(c, e->type);
    const Node all[] = {
        zero, dag_negate(d, x[2]), x[1], x[2], zero, dag_negate(d, x[0]), dag_negate(d, x[1]), x[0],
        zero};
    for (uint32_t i = 0; i < 9; i++)
        b.items[i] = all[i];
    return b;
}

// ---- elements and comprehensions ----------------------------------------------------------------

Bundle convert_elements(const Scope *s, const FlatExpression *e)
{
    const bool is_array = e->kind == FLAT_ARRAY;
    Bundle b = bundle_new(s->c, e->span, e->type, is_array ? e->rank : 0, e->dims);
    uint32_t next = 0;
    for (uint32_t i = 0; i < e->count && bundle_is_fine(&b); i++) {
        const Bundle item = convert_bundle(s, e->operands[i]);
        if (!bundle_is_fine(&item))
            return item;
        if (next + item.count > b.count)
            return convert_fail(s->c, e->span, "the elements of an array have different sizes");
        for (uint32_t k = 0; k < item.count; k++)
            b.items[next++] = item.items[k];
    }
    return b;
}

// The body for each value of the iterator, which is a number there.
static Bundle comprehension(const Scope *s, const FlatExpression *e)
{
    const Bundle values = convert_bundle(s, e->operands[1]);
    if (!bundle_is_fine(&values) || !s->locals)
        return (Bundle){0};
    Bundle *items = ARENA_ARRAY(s->c->arena, values.count, Bundle);
    for (uint32_t i = 0; i < values.count; i++) {
        Local *local = ARENA_NEW(s->c->arena, Local);
        *local = (Local){
            .type = values.type, .count = 1, .is_constant = true, .items = &values.items[i]};
        map_set(s->c->arena, s->locals, e->iterators[0], local);
        items[i] = convert_bundle(s, e->operands[0]);
        if (!bundle_is_fine(&items[i]))
            return items[i];
    }
    return stacked(s->c, e, values.count, items);
}

// ---- subscripts ---------------------------------------------------------------------------------

// The values of one subscript: numbers or nodes from 1; a colon is the whole dimension.
static Bundle subscript(const Scope *s, const FlatExpression *e, uint32_t size)
{
    if (e->kind != FLAT_COLON)
        return convert_bundle(s, e);
    Bundle b = bundle_new(s->c, e->span, &flat_type_integer, 1, &size);
    for (uint32_t i = 0; i < b.count; i++)
        b.items[i] = dag_integer(s->c->dag, i + 1);
    return b;
}

// place * size + (index - 1); a subscript outside of 1 .. size makes it negative and stay so.
static Node next_place(Dag *d, Node place, Node index, uint32_t size, bool is_only)
{
    const Node from_zero = dag_subtract(d, index, dag_integer(d, 1));
    if (is_only)
        return from_zero;
    const Node sum = dag_add(d, dag_multiply(d, place, dag_integer(d, size)), from_zero);
    const Node is_inside = dag_binary(
        d, OPERATOR_AND, dag_binary(d, OPERATOR_GREATER_EQUAL, from_zero, dag_integer(d, 0)),
        dag_binary(d, OPERATOR_LESS, from_zero, dag_integer(d, size)));
    return dag_if(d, is_inside, sum, dag_integer(d, -(int64_t)UINT32_MAX));
}

Bundle convert_places(const Scope *s, const FlatExpression *e, const Bundle *array)
{
    const uint32_t given = e->count - 1;
    if (given > array->rank)
        return convert_fail(s->c, e->span, "too many subscripts");
    Bundle *v = ARENA_ARRAY(s->c->arena, array->rank, Bundle);
    uint32_t *dims = ARENA_ARRAY(s->c->arena, array->rank, uint32_t), rank = 0;
    static const FlatExpression colon = {.kind = FLAT_COLON};
    for (uint32_t k = 0; k < array->rank; k++) {
        v[k] = subscript(s, k < given ? e->operands[k + 1] : &colon, array->dims[k]);
        if (!bundle_is_fine(&v[k]))
            return v[k];
        if (v[k].rank)
            dims[rank++] = v[k].count;
    }
    Bundle places = bundle_new(s->c, e->span, &flat_type_integer, rank, dims);
    for (uint32_t n = 0; n < places.count; n++) {
        Node place = dag_integer(s->c->dag, 0);
        uint32_t rest = n, block = places.count;
        for (uint32_t k = 0; k < array->rank; k++) {
            uint32_t at = 0;
            if (v[k].rank) {
                block /= v[k].count;
                at = rest / block;
                rest %= block;
            }
            place = next_place(s->c->dag, place, v[k].items[at], array->dims[k], array->rank == 1);
        }
        places.items[n] = place;
    }
    return places;
}

// ---- all of them --------------------------------------------------------------------------------

static Bundle size_of(const Scope *s, const FlatExpression *e, const Bundle *v)
{
    Convert *c = s->c;
    if (e->operation == OPERATION_NDIMS)
        return bundle_scalar(c, e->type, dag_integer(c->dag, v[0].rank));
    if (e->count == 1) {
        Bundle b = bundle_new(c, e->span, e->type, 1, &v[0].rank);
        for (uint32_t k = 0; k < b.count; k++)
            b.items[k] = dag_integer(c->dag, v[0].dims[k]);
        return b;
    }
    int64_t k;
    if (!bundle_integer(c, &v[1], e->span, "dimension", &k))
        return (Bundle){0};
    if (k < 1 || k > v[0].rank)
        return convert_fail(c, e->span, "there is no dimension %lld", (long long)k);
    return bundle_scalar(c, e->type, dag_integer(c->dag, v[0].dims[k - 1]));
}

static Bundle dispatch(const Scope *s, const FlatExpression *e, const Bundle *v)
{
    Convert *c = s->c;
    int64_t n;
    switch ((Operation)e->operation) {
    case OPERATION_MULTIPLY:
        return product(c, e, &v[0], &v[1]);
    case OPERATION_POWER:
        return bundle_integer(c, &v[1], e->span, "exponent", &n) ? matrix_power(c, e, &v[0], n)
                                                                 : (Bundle){0};
    case OPERATION_SUM:
    case OPERATION_PRODUCT:
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        return reduce(c, e, &v[0]);
    case OPERATION_SIZE:
    case OPERATION_NDIMS:
        return size_of(s, e, v);
    case OPERATION_SCALAR:
        return reshaped(c, e, &v[0], 0, NULL);
    case OPERATION_VECTOR:
        return reshaped(c, e, &v[0], 1, &v[0].count);
    case OPERATION_MATRIX:
        return as_matrix(c, e, &v[0]);
    case OPERATION_PROMOTE:
        return promoted(c, e, &v[0]);
    case OPERATION_TRANSPOSE:
        return transposed(c, e, &v[0]);
    case OPERATION_OUTER_PRODUCT:
        return outer_product(c, e, v);
    case OPERATION_DIAGONAL:
    case OPERATION_SYMMETRIC:
        return squared_shape(c, e, &v[0]);
    case OPERATION_CROSS:
    case OPERATION_SKEW:
        return cross_or_skew(c, e, v);
    case OPERATION_IDENTITY:
        return bundle_integer(c, &v[0], e->span, "size of an array", &n)
                   ? identity(c, e, e->type, n)
                   : (Bundle){0};
    case OPERATION_ZEROS:
    case OPERATION_ONES: {
        const Bundle value = bundle_scalar(
            c, e->type, e->operation == OPERATION_ONES ? one_of(c, e->type) : zero_of(c, e->type));
        return filled(s, e, &value, e->count, v);
    }
    case OPERATION_FILL:
        return filled(s, e, &v[0], e->count - 1, v + 1);
    case OPERATION_LINSPACE:
        return linspace(c, e, v);
    case OPERATION_CAT:
        return joined(c, e, v);
    case OPERATION_STACK:
        return stacked(c, e, e->count, v);
    case OPERATION_RANGE:
        return range(c, e, v);
    default:
        return convert_fail(c, e->span, "'%s' cannot be used here",
                            operation_info((Operation)e->operation)->text);
    }
}

Bundle convert_array_operation(const Scope *s, const FlatExpression *e)
{
    if (e->kind == FLAT_COMPREHENSION)
        return comprehension(s, e);
    Bundle *operands = ARENA_ARRAY(s->c->arena, e->count, Bundle);
    for (uint32_t i = 0; i < e->count; i++) {
        operands[i] = convert_bundle(s, e->operands[i]);
        if (!bundle_is_fine(&operands[i]))
            return operands[i];
    }
    return dispatch(s, e, operands);
}
