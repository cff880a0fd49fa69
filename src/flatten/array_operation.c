// SPDX-License-Identifier: MIT

#include "flatten/array_operation.h"

#include <float.h>
#include <math.h>

// ---------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------

bool array_takes_number(Operation op, uint32_t operand)
{
    switch (op) {
    case OPERATION_ZEROS:
    case OPERATION_ONES:
        return true;
    case OPERATION_IDENTITY:
    case OPERATION_CAT:
        return operand == 0;
    case OPERATION_FILL:
        return operand > 0;
    case OPERATION_PROMOTE:
        return operand == 1;
    case OPERATION_LINSPACE:
        return operand == 2;
    default:
        return false;
    }
}

static bool array_refuse(ArrayCall *c, uint32_t operand, const char *wanted)
{
    c->wrong = operand;
    c->wanted = wanted;
    return false;
}

static bool array_agree(uint32_t a, uint32_t b)
{
    return a == b || a == FLAT_UNKNOWN_SIZE || b == FLAT_UNKNOWN_SIZE;
}

// The size of an array that has at most one dimension that is not 1.
static bool array_vector_size(ArrayCall *c, uint32_t operand, uint32_t *size)
{
    const ArrayShape *a = &c->shapes[operand];
    uint32_t large = 0;
    *size = 1;
    for (uint32_t k = 0; k < a->rank; k++) {
        const bool is_large = !array_agree(a->dims[k], 1);
        if (is_large || (a->dims[k] == FLAT_UNKNOWN_SIZE && large == 0))
            *size = a->dims[k];
        large += is_large;
    }
    return large <= 1 || array_refuse(c, operand, "an array with one dimension larger than 1");
}

static bool array_is_triple(ArrayCall *c, uint32_t operand)
{
    const ArrayShape *a = &c->shapes[operand];
    return (a->rank == 1 && array_agree(a->dims[0], 3)) ||
           array_refuse(c, operand, "a vector of size 3");
}

static bool array_append(ArrayCall *c, uint32_t size)
{
    if (c->rank == ARRAY_MOST_RANK)
        return array_refuse(c, 0, "of fewer dimensions");
    c->dims[c->rank++] = size;
    return true;
}

static bool array_append_all(ArrayCall *c, const ArrayShape *a)
{
    for (uint32_t k = 0; k < a->rank; k++)
        if (!array_append(c, a->dims[k]))
            return false;
    return true;
}

static bool array_append_number(ArrayCall *c, uint32_t operand)
{
    const int64_t size = c->numbers[operand];
    if (size < 0 || size > UINT32_MAX)
        return array_refuse(c, operand, "a size");
    return array_append(c, (uint32_t)size);
}

// Rows of a by columns of b (section 10.6.5).
static bool array_product_shape(ArrayCall *c)
{
    const ArrayShape *a = &c->shapes[0], *b = &c->shapes[1];
    if (a->rank < 1 || a->rank > 2)
        return array_refuse(c, 0, "a vector or a matrix");
    if (b->rank < 1 || b->rank > 2 || !array_agree(a->dims[a->rank - 1], b->dims[0]))
        return array_refuse(c, 1, "an array with as many rows as the first one has columns");
    return (a->rank == 1 || array_append(c, a->dims[0])) &&
           (b->rank == 1 || array_append(c, b->dims[1]));
}

static bool array_cat_shape(ArrayCall *c)
{
    const ArrayShape *first = &c->shapes[1];
    const int64_t along = c->numbers[0];
    if (along < 1 || along > first->rank)
        return array_refuse(c, 0, "a dimension of the arrays");
    uint32_t size = 0;
    for (uint32_t i = 1; i < c->count; i++) {
        const ArrayShape *a = &c->shapes[i];
        bool fits = a->rank == first->rank;
        for (uint32_t k = 0; fits && k < a->rank; k++)
            fits = k + 1 == along || array_agree(a->dims[k], first->dims[k]);
        if (!fits)
            return array_refuse(c, i, "an array that fits the first one");
        const uint32_t more = a->dims[along - 1];
        const bool is_known = more != FLAT_UNKNOWN_SIZE && size != FLAT_UNKNOWN_SIZE;
        size = is_known ? size + more : FLAT_UNKNOWN_SIZE;
    }
    array_append_all(c, first);
    c->dims[along - 1] = size;
    return true;
}

static bool array_stack_shape(ArrayCall *c)
{
    c->dims[c->rank++] = c->count;
    for (uint32_t i = 1; i < c->count; i++) {
        bool fits = c->shapes[i].rank == c->shapes[0].rank;
        for (uint32_t k = 0; fits && k < c->shapes[0].rank; k++)
            fits = array_agree(c->shapes[i].dims[k], c->shapes[0].dims[k]);
        if (!fits)
            return array_refuse(c, i, "an array of the same sizes as the first one");
    }
    return c->count == 0 || array_append_all(c, &c->shapes[0]);
}

static bool array_reshaped(ArrayCall *c)
{
    const ArrayShape *a = &c->shapes[0];
    uint32_t size;
    switch (c->op) {
    case OPERATION_SCALAR:
        for (uint32_t k = 0; k < a->rank; k++)
            if (!array_agree(a->dims[k], 1))
                return array_refuse(c, 0, "an array with one element");
        return true;
    case OPERATION_VECTOR:
        return array_vector_size(c, 0, &size) && array_append(c, size);
    case OPERATION_MATRIX:
        for (uint32_t k = 2; k < a->rank; k++)
            if (!array_agree(a->dims[k], 1))
                return array_refuse(c, 0, "an array whose later dimensions have size 1");
        return array_append(c, a->rank > 0 ? a->dims[0] : 1) &&
               array_append(c, a->rank > 1 ? a->dims[1] : 1);
    default: // promote: dimensions of size 1 behind those of a (section 10.4.2)
        if (c->numbers[1] < a->rank || c->numbers[1] > ARRAY_MOST_RANK)
            return array_refuse(c, 1, "at least the number of dimensions");
        array_append_all(c, a);
        while (c->rank < c->numbers[1])
            c->dims[c->rank++] = 1;
        return true;
    }
}

bool array_shape(ArrayCall *c)
{
    const ArrayShape *a = &c->shapes[0];
    uint32_t rows, columns;
    c->rank = 0;
    switch (c->op) {
    case OPERATION_MULTIPLY:
        return array_product_shape(c);
    case OPERATION_SUM:
    case OPERATION_PRODUCT:
        return true;
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        for (uint32_t k = 0; k < a->rank; k++)
            if (a->dims[k] == 0 && c->type->kind != FLAT_TYPE_REAL)
                return array_refuse(c, 0, "an array with elements");
        return true;
    case OPERATION_SCALAR:
    case OPERATION_VECTOR:
    case OPERATION_MATRIX:
    case OPERATION_PROMOTE:
        return array_reshaped(c);
    case OPERATION_TRANSPOSE:
        if (a->rank < 2)
            return array_refuse(c, 0, "a matrix");
        array_append_all(c, a);
        c->dims[0] = a->dims[1];
        c->dims[1] = a->dims[0];
        return true;
    case OPERATION_SYMMETRIC:
        return a->rank == 2 && array_agree(a->dims[0], a->dims[1])
                   ? array_append_all(c, a)
                   : array_refuse(c, 0, "a square matrix");
    case OPERATION_DIAGONAL:
        return a->rank == 1 ? array_append(c, a->dims[0]) && array_append(c, c->dims[0])
                            : array_refuse(c, 0, "a vector of numbers");
    case OPERATION_OUTER_PRODUCT:
        return array_vector_size(c, 0, &rows) && array_vector_size(c, 1, &columns) &&
               array_append(c, rows) && array_append(c, columns);
    case OPERATION_CROSS:
        return array_is_triple(c, 0) && array_is_triple(c, 1) && array_append(c, 3);
    case OPERATION_SKEW:
        return array_is_triple(c, 0) && array_append(c, 3) && array_append(c, 3);
    case OPERATION_IDENTITY:
        return array_append_number(c, 0) && array_append(c, c->dims[0]);
    case OPERATION_LINSPACE:
        return c->numbers[2] >= 2 ? array_append_number(c, 2) : array_refuse(c, 2, "at least 2");
    case OPERATION_ZEROS:
    case OPERATION_ONES:
    case OPERATION_FILL:
        for (uint32_t i = c->op == OPERATION_FILL; i < c->count; i++)
            if (!array_append_number(c, i))
                return false;
        return c->op != OPERATION_FILL || array_append_all(c, a);
    case OPERATION_CAT:
        return array_cat_shape(c);
    case OPERATION_STACK:
        return array_stack_shape(c);
    default:
        return array_refuse(c, 0, "something else: this is no operation on arrays");
    }
}

static uint64_t array_count(uint32_t rank, const uint32_t *dims)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < rank; k++)
        count *= dims[k];
    return count;
}

// ---------------------------------------------------------------------------
// Elements that are combined
// ---------------------------------------------------------------------------

static bool array_combine(ArrayCall *c, Operation op, ArrayElement a, ArrayElement b,
                          ArrayElement *result)
{
    const ArrayElement pair[] = {a, b};
    return c->elements->combine(c, op, 2, pair, result);
}

// All elements; of none it is `empty`.
static bool array_reduce(ArrayCall *c, Operation op, double empty)
{
    const uint64_t count = array_count(c->shapes[0].rank, c->shapes[0].dims);
    ArrayElement result;
    if (count == 0) {
        result = c->elements->number(c, empty);
    } else {
        ArrayElement *terms = ARENA_ARRAY(c->scratch, count, ArrayElement);
        for (uint64_t i = 0; i < count; i++)
            terms[i] = c->elements->get(c, 0, i);
        if (!c->elements->combine(c, op, (uint32_t)count, terms, &result))
            return false;
    }
    c->elements->set(c, 0, result);
    return true;
}

// y(i, j) = sum over k of a(i, k) b(k, j); a vector is one row on the left, one column on the
// right.
static bool array_multiply(ArrayCall *c)
{
    const ArrayShape *a = &c->shapes[0], *b = &c->shapes[1];
    const uint64_t inner = a->dims[a->rank - 1], columns = b->rank == 1 ? 1 : b->dims[1];
    const uint64_t count = array_count(c->rank, c->dims);
    ArrayElement *terms = ARENA_ARRAY(c->scratch, inner + 1, ArrayElement);
    for (uint64_t n = 0; n < count; n++) {
        ArrayElement sum;
        for (uint64_t k = 0; k < inner; k++)
            if (!array_combine(c, OPERATION_MULTIPLY,
                               c->elements->get(c, 0, n / columns * inner + k),
                               c->elements->get(c, 1, k * columns + n % columns), &terms[k]))
                return false;
        if (inner == 0)
            sum = c->elements->number(c, 0);
        else if (!c->elements->combine(c, OPERATION_ADD, (uint32_t)inner, terms, &sum))
            return false;
        c->elements->set(c, n, sum);
    }
    return true;
}

static bool array_outer_product(ArrayCall *c)
{
    const uint64_t columns = c->dims[1], count = array_count(c->rank, c->dims);
    for (uint64_t n = 0; n < count; n++) {
        ArrayElement y;
        if (!array_combine(c, OPERATION_MULTIPLY, c->elements->get(c, 0, n / columns),
                           c->elements->get(c, 1, n % columns), &y))
            return false;
        c->elements->set(c, n, y);
    }
    return true;
}

// y(i) = a(j) b(k) - a(k) b(j) for i, j, k in cyclic order
static bool array_cross(ArrayCall *c)
{
    const ArrayElements *e = c->elements;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        ArrayElement plus, minus, y;
        if (!array_combine(c, OPERATION_MULTIPLY, e->get(c, 0, j), e->get(c, 1, k), &plus) ||
            !array_combine(c, OPERATION_MULTIPLY, e->get(c, 0, k), e->get(c, 1, j), &minus) ||
            !array_combine(c, OPERATION_SUBTRACT, plus, minus, &y))
            return false;
        e->set(c, i, y);
    }
    return true;
}

// y(i) = x1 + (x2 - x1) i / (n - 1) for i = 0 .. n - 1
static bool array_linspace(ArrayCall *c)
{
    const ArrayElement from = c->elements->get(c, 0, 0), to = c->elements->get(c, 1, 0);
    const ArrayElement last = c->elements->number(c, c->dims[0] - 1.0);
    ArrayElement width;
    if (!array_combine(c, OPERATION_SUBTRACT, to, from, &width))
        return false;
    for (uint32_t i = 0; i < c->dims[0]; i++) {
        ArrayElement y;
        if (!array_combine(c, OPERATION_MULTIPLY, width, c->elements->number(c, i), &y) ||
            !array_combine(c, OPERATION_DIVIDE, y, last, &y) ||
            !array_combine(c, OPERATION_ADD, from, y, &y))
            return false;
        c->elements->set(c, i, y);
    }
    return true;
}

// ( 0 -z  y)
// ( z  0 -x)
// (-y  x  0)
static bool array_skew(ArrayCall *c)
{
    static const struct {
        uint8_t operand, plus, minus;
    } places[] = {{2, 3, 1}, {1, 2, 6}, {0, 7, 5}};
    const ArrayElement zero = c->elements->number(c, 0);
    for (uint32_t i = 0; i < 3; i++) {
        const ArrayElement x = c->elements->get(c, 0, places[i].operand);
        ArrayElement negative;
        if (!c->elements->combine(c, OPERATION_NEGATE, 1, &x, &negative))
            return false;
        c->elements->set(c, places[i].plus, x);
        c->elements->set(c, places[i].minus, negative);
        c->elements->set(c, (uint64_t)4 * i, zero);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Elements that are taken
// ---------------------------------------------------------------------------

static void array_fill_with(ArrayCall *c, double value)
{
    const uint64_t count = array_count(c->rank, c->dims);
    const ArrayElement element = c->elements->number(c, value);
    for (uint64_t n = 0; n < count; n++)
        c->elements->set(c, n, element);
}

// A square matrix of zeros apart from its diagonal: ones, or the operand.
static void array_diagonal(ArrayCall *c)
{
    const uint64_t size = c->dims[0];
    array_fill_with(c, 0);
    const ArrayElement one = c->elements->number(c, 1);
    for (uint64_t i = 0; i < size; i++)
        if (c->op == OPERATION_IDENTITY)
            c->elements->set(c, i * size + i, one);
        else
            c->elements->take(c, i * size + i, 0, i);
}

// The place in the operand of element n of the result.
static uint64_t array_source(const ArrayCall *c, uint64_t n, uint64_t count)
{
    const uint64_t columns = c->rank > 1 ? c->dims[1] : 1;
    if (c->op == OPERATION_FILL)
        return n % array_count(c->shapes[0].rank, c->shapes[0].dims);
    if (c->op == OPERATION_SYMMETRIC) // the upper triangle, mirrored
        return n / columns > n % columns ? n % columns * columns + n / columns : n;
    if (c->op == OPERATION_TRANSPOSE) { // what is behind the first two dimensions stays together
        const uint64_t inner = count / (c->dims[0] * columns), at = n / inner;
        return (at % columns * c->dims[0] + at / columns) * inner + n % inner;
    }
    return n; // another shape of the same elements
}

static void array_take_all(ArrayCall *c)
{
    const uint64_t count = array_count(c->rank, c->dims);
    for (uint64_t n = 0; n < count; n++)
        c->elements->take(c, n, 0, array_source(c, n, count));
}

// Operands side by side along a dimension (0: the first one of the result, which is new): blocks of
// each are followed by those of the next.
static void array_join(ArrayCall *c, uint32_t first, uint32_t along)
{
    const uint64_t inner = array_count(c->rank - along - 1, c->dims + along + 1);
    const uint64_t stride = inner * c->dims[along];
    uint64_t from = 0;
    for (uint32_t i = first; i < c->count; i++) {
        const ArrayShape *a = &c->shapes[i];
        const uint64_t block = c->op == OPERATION_STACK ? inner : inner * a->dims[along];
        const uint64_t count = array_count(a->rank, a->dims);
        for (uint64_t n = 0; n < count; n++)
            c->elements->take(c, n / block * stride + from + n % block, i, n);
        from += block;
    }
}

bool array_fill(ArrayCall *c)
{
    switch (c->op) {
    case OPERATION_MULTIPLY:
        return array_multiply(c);
    case OPERATION_SUM:
        return array_reduce(c, OPERATION_ADD, 0);
    case OPERATION_PRODUCT:
        return array_reduce(c, OPERATION_MULTIPLY, 1);
    case OPERATION_MINIMUM: // of none: the greatest Real, or the least (section 10.3.4.1)
        return array_reduce(c, c->op, DBL_MAX);
    case OPERATION_MAXIMUM:
        return array_reduce(c, c->op, -DBL_MAX);
    case OPERATION_OUTER_PRODUCT:
        return array_outer_product(c);
    case OPERATION_CROSS:
        return array_cross(c);
    case OPERATION_SKEW:
        return array_skew(c);
    case OPERATION_LINSPACE:
        return array_linspace(c);
    case OPERATION_IDENTITY:
    case OPERATION_DIAGONAL:
        array_diagonal(c);
        return true;
    case OPERATION_ZEROS:
    case OPERATION_ONES:
        array_fill_with(c, c->op == OPERATION_ONES);
        return true;
    case OPERATION_CAT:
        array_join(c, 1, (uint32_t)c->numbers[0] - 1);
        return true;
    case OPERATION_STACK:
        array_join(c, 0, 0);
        return true;
    default:
        array_take_all(c);
        return true;
    }
}

// ---------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------

double array_range_size(bool is_real, double start, double step, double stop)
{
    const double exact = (stop - start) / step;
    const double size = floor(is_real ? exact * (1.0 + 4e-16) + 1e-12 : exact) + 1.0;
    return size < 0.0 ? 0.0 : size;
}
