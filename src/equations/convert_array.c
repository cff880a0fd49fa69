// SPDX-License-Identifier: MIT
//
// Array operations inside functions and arguments, spelt out as lists of scalars (chapter 10 of the
// specification). All sizes are known here.

#include "equations/convert_parts.h"
#include "flatten/array_operation.h"

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

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

// The operands are an array of Bundle, the result is an array of nodes.

// One scalar of an operand.
static Node bundle_item(const ArrayCall *c, uint32_t operand, uint64_t scalar)
{
    const Bundle *operands = c->operands;
    return convert_converted(c->caller, operands[operand].items[scalar], c->type);
}

static void bundle_take(ArrayCall *c, uint64_t to, uint32_t operand, uint64_t from)
{
    const uint32_t width = convert_type_scalars(c->type);
    Node *items = c->result;
    for (uint32_t k = 0; k < width; k++)
        items[to * width + k] = bundle_item(c, operand, from * width + k);
}

static ArrayElement bundle_get(ArrayCall *c, uint32_t operand, uint64_t from)
{
    return (ArrayElement){.node = bundle_item(c, operand, from)};
}

static void bundle_set(ArrayCall *c, uint64_t to, ArrayElement element)
{
    Node *items = c->result;
    items[to] = element.node;
}

static ArrayElement bundle_number(ArrayCall *c, double value)
{
    const Convert *caller = c->caller;
    return (ArrayElement){.node = c->type->kind == FLAT_TYPE_REAL
                                      ? dag_real(caller->dag, value)
                                      : dag_integer(caller->dag, (int64_t)value)};
}

static bool bundle_combine(ArrayCall *c, Operation op, uint32_t count, const ArrayElement *x,
                           ArrayElement *result)
{
    const Convert *caller = c->caller;
    Dag *dag = caller->dag;
    result->node = op == OPERATION_NEGATE ? dag_negate(dag, x[0].node) : x[0].node;
    dag_note(dag, result->node, c->span);
    for (uint32_t i = 1; i < count; i++) {
        result->node = dag_binary(dag, operation_operator(op), result->node, x[i].node);
        dag_note(dag, result->node, c->span);
    }
    return true;
}

static const ArrayElements bundle_functions = {bundle_take, bundle_get, bundle_set, bundle_number,
                                               bundle_combine};

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

static Bundle convert_array_apply(Convert *c, const FlatExpression *e, Operation op, uint32_t count,
                                  const Bundle *v)
{
    uint32_t dims[ARRAY_MOST_RANK];
    ArrayShape *shapes = ARENA_ARRAY(c->arena, count + 1, ArrayShape);
    int64_t *numbers = ARENA_ARRAY(c->arena, count + 1, int64_t);
    for (uint32_t i = 0; i < count; i++) {
        shapes[i] = (ArrayShape){v[i].rank, v[i].dims};
        if (array_takes_number(op, i) &&
            !bundle_integer(c, &v[i], e->span, "size of an array", &numbers[i]))
            return (Bundle){0};
    }
    ArrayCall a = {.op = op,
                   .type = e->type,
                   .count = count,
                   .shapes = shapes,
                   .numbers = numbers,
                   .dims = dims,
                   .elements = &bundle_functions,
                   .scratch = c->arena,
                   .caller = c,
                   .operands = v,
                   .span = e->span};
    if (!array_shape(&a))
        return convert_fail(c, e->span, "argument %u of '%s' must be %s", (unsigned)a.wrong + 1,
                            operation_info(op)->text, a.wanted);
    const Bundle result = bundle_new(c, e->span, e->type, a.rank, a.dims);
    a.result = result.items;
    if (bundle_is_fine(&result))
        array_fill(&a);
    return result;
}

static Bundle convert_array_matrix_power(Convert *c, const FlatExpression *e, const Bundle *v)
{
    int64_t exponent;
    if (!bundle_integer(c, &v[1], e->span, "exponent", &exponent))
        return (Bundle){0};
    if (exponent < 0 || exponent > 1000 || v[0].dims[0] != v[0].dims[1])
        return convert_fail(c, e->span, "a matrix to the power %lld", (long long)exponent);
    const Bundle size = bundle_scalar(c, &flat_type_integer, dag_integer(c->dag, v[0].dims[0]));
    Bundle pair[] = {v[0], v[0]};
    if (exponent == 0)
        return convert_array_apply(c, e, OPERATION_IDENTITY, 1, &size);
    for (int64_t i = 1; i < exponent && bundle_is_fine(&pair[0]); i++)
        pair[0] = convert_array_apply(c, e, OPERATION_MULTIPLY, 2, pair);
    return pair[0];
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
static Bundle convert_array_range(Convert *c, const FlatExpression *e, const Bundle *v)
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
    const double count = array_range_size(is_real, x[0], x[1], x[2]);
    if (!(count <= CONVERT_MOST_SCALARS))
        return convert_fail(c, e->span, "an array of this size cannot be used in a function");
    const uint32_t size = (uint32_t)count;
    Bundle b = bundle_new(c, e->span, e->type, 1, &size);
    for (uint32_t i = 0; i < size; i++)
        b.items[i] = is_real ? dag_real(c->dag, x[0] + i * x[1])
                             : dag_integer(c->dag, (int64_t)(x[0] + i * x[1]));
    return b;
}

// ---------------------------------------------------------------------------
// Elements and comprehensions
// ---------------------------------------------------------------------------

Bundle convert_elements(const ConvertScope *s, const FlatExpression *e)
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
static Bundle convert_array_comprehension(const ConvertScope *s, const FlatExpression *e)
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
    return convert_array_apply(s->c, e, OPERATION_STACK, values.count, items);
}

// ---------------------------------------------------------------------------
// Subscripts
// ---------------------------------------------------------------------------

// The values of one subscript: numbers or nodes from 1; a colon is the whole dimension.
static Bundle subscript(const ConvertScope *s, const FlatExpression *e, uint32_t size)
{
    if (e->kind != FLAT_COLON) {
        Bundle given = convert_bundle(s, e);
        Dag *d = s->c->dag;
        for (uint32_t i = 0; e->type->kind == FLAT_TYPE_BOOLEAN && i < given.count; i++)
            given.items[i] = dag_if(d, given.items[i], dag_integer(d, 2), dag_integer(d, 1));
        return given;
    }
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

Bundle convert_places(const ConvertScope *s, const FlatExpression *e, const Bundle *array)
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

// ---------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------

// size(a, k); other forms are spelt out in the flat model.
static Bundle convert_array_size_of(Convert *c, const FlatExpression *e, const Bundle *v)
{
    int64_t k;
    if (!bundle_integer(c, &v[1], e->span, "dimension", &k))
        return (Bundle){0};
    if (k < 1 || k > v[0].rank)
        return convert_fail(c, e->span, "there is no dimension %lld", (long long)k);
    return bundle_scalar(c, e->type, dag_integer(c->dag, v[0].dims[k - 1]));
}

Bundle convert_array_operation(const ConvertScope *s, const FlatExpression *e)
{
    if (e->kind == FLAT_COMPREHENSION)
        return convert_array_comprehension(s, e);
    Bundle *operands = ARENA_ARRAY(s->c->arena, e->count, Bundle);
    for (uint32_t i = 0; i < e->count; i++) {
        operands[i] = convert_bundle(s, e->operands[i]);
        if (!bundle_is_fine(&operands[i]))
            return operands[i];
    }
    switch ((Operation)e->operation) {
    case OPERATION_POWER:
        return convert_array_matrix_power(s->c, e, operands);
    case OPERATION_SIZE:
        return convert_array_size_of(s->c, e, operands);
    case OPERATION_RANGE:
        return convert_array_range(s->c, e, operands);
    default:
        return convert_array_apply(s->c, e, (Operation)e->operation, e->count, operands);
    }
}
