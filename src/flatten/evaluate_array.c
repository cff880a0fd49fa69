// SPDX-License-Identifier: MIT
//
// The built-in functions on arrays, on values: what is left of them inside functions that are run
// before the model is. Which element of the result is made of which elements of the operands is
// said by array_operation.h; here are the five functions that it asks for, over `Value`.

#include "flatten/arithmetic.h"
#include "flatten/array_operation.h"

static bool too_large(Evaluation *ev, const FlatExpression *e)
{
    return evaluate_fail(ev, e->span, "the array is too large");
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

// The operands are an array of Value, the result is one.

static ArrayElement value_get(ArrayCall *c, uint32_t operand, uint64_t from)
{
    const Value *v = (const Value *)c->operands + operand;
    return (ArrayElement){.scalar = v->rank ? v->items[from] : v->scalar};
}

static void value_set(ArrayCall *c, uint64_t to, ArrayElement element)
{
    value_items(c->result)[to] = element.scalar;
}

static void value_take(ArrayCall *c, uint64_t to, uint32_t operand, uint64_t from)
{
    value_set(c, to, value_get(c, operand, from));
}

static ArrayElement value_number(ArrayCall *c, double value)
{
    ArrayElement number = {0};
    if (c->type->kind == FLAT_TYPE_REAL)
        number.scalar.real = value;
    else
        number.scalar.integer = (int64_t)value;
    return number;
}

static bool value_combine(ArrayCall *c, Operation op, uint32_t count, const ArrayElement *x,
                          ArrayElement *result)
{
    const char *reason;
    if (c->type->kind == FLAT_TYPE_REAL && count == 2 && op != OPERATION_DIVIDE) {
        result->scalar.real =
            operator_apply(operation_operator(op), x[0].scalar.real, x[1].scalar.real, 0.0);
        return true; // the short way for what always has a value
    }
    Scalar few[2];
    Scalar *operands = count <= 2 ? few : ARENA_ARRAY(c->scratch, count, Scalar);
    for (uint32_t i = 0; i < count; i++)
        operands[i] = x[i].scalar;
    return arithmetic_apply(c->scratch, op, c->type, count, operands, &result->scalar, &reason) ||
           evaluate_fail(c->caller, c->span, "%s",
                         reason ? reason : "the operation is not defined");
}

static const ArrayElements value_elements = {value_take, value_get, value_set, value_number,
                                             value_combine};

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

static bool evaluate_array_apply(Evaluation *ev, const FlatExpression *e, Operation op,
                                 uint32_t count, Value *v, Value *result)
{
    enum { FEW = 4 };
    uint32_t dims[ARRAY_MOST_RANK];
    ArrayShape few_shapes[FEW], *shapes = few_shapes;
    int64_t few_numbers[FEW], *numbers = few_numbers;
    if (count > FEW) {
        shapes = ARENA_ARRAY(ev->scratch, count, ArrayShape);
        numbers = ARENA_ARRAY(ev->scratch, count, int64_t);
    }
    for (uint32_t i = 0; i < count; i++) {
        shapes[i] = (ArrayShape){v[i].rank, v[i].dims};
        numbers[i] = array_takes_number(op, i) ? v[i].scalar.integer : 0;
        if (!array_takes_number(op, i) && v[i].type != e->type)
            value_convert(ev->scratch, &v[i], e->type);
    }
    ArrayCall c = {.op = op,
                   .type = e->type,
                   .count = count,
                   .shapes = shapes,
                   .numbers = numbers,
                   .dims = dims,
                   .elements = &value_elements,
                   .scratch = ev->scratch,
                   .caller = ev,
                   .operands = v,
                   .result = result,
                   .span = e->span};
    if (!array_shape(&c))
        return evaluate_fail(ev, e->span, "argument %u of '%s' must be %s", (unsigned)c.wrong + 1,
                             operation_info(op)->text, c.wanted);
    if (!value_array(ev->scratch, e->type, c.rank, c.dims, result))
        return too_large(ev, e);
    uint64_t steps = value_count(c.rank ? result : &v[0]);
    if (op == OPERATION_MULTIPLY)
        steps *= v[0].dims[v[0].rank - 1];
    return evaluate_step(ev, steps, e->span) && array_fill(&c);
}

static bool evaluate_array_power(Evaluation *ev, const FlatExpression *e, Value *v, Value *result)
{
    const int64_t exponent = v[1].scalar.integer;
    if (exponent < 0 || exponent > 1000 || v[0].dims[0] != v[0].dims[1])
        return evaluate_fail(ev, e->span, "a matrix to the power %lld", (long long)exponent);
    Value size = value_integer(v[0].dims[0]), pair[] = {v[0], v[0]};
    if (exponent == 0)
        return evaluate_array_apply(ev, e, OPERATION_IDENTITY, 1, &size, result);
    *result = v[0];
    for (int64_t i = 1; i < exponent; i++) {
        pair[0] = *result;
        if (!evaluate_array_apply(ev, e, OPERATION_MULTIPLY, 2, pair, result))
            return false;
    }
    return true;
}

static bool evaluate_array_range(Evaluation *ev, const FlatExpression *e, const Value *v,
                                 Value *result)
{
    const bool is_real = v[0].type->kind == FLAT_TYPE_REAL;
    const double start = is_real ? v[0].scalar.real : (double)v[0].scalar.integer;
    const double step = is_real ? v[1].scalar.real : (double)v[1].scalar.integer;
    const double stop = is_real ? v[2].scalar.real : (double)v[2].scalar.integer;
    if (step == 0.0)
        return evaluate_fail(ev, e->span, "the step of a range is 0");
    const double count = array_range_size(is_real, start, step, stop);
    if (!(count <= LIMIT_SCALARS))
        return too_large(ev, e);
    const uint32_t size = (uint32_t)count;
    if (!value_array(ev->scratch, v[0].type, 1, &size, result))
        return too_large(ev, e);
    for (uint32_t i = 0; i < size; i++) {
        if (is_real)
            result->items[i].real = start + i * step;
        else
            result->items[i].integer =
                (int64_t)((uint64_t)v[0].scalar.integer + i * (uint64_t)v[1].scalar.integer);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Comprehensions
// ---------------------------------------------------------------------------

static bool evaluate_array_comprehension(Evaluation *ev, const FlatExpression *e, Value *result)
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
    return evaluate_array_apply(ev, e, OPERATION_STACK, (uint32_t)count, items, result);
}

// ---------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------

bool evaluate_array_operation(Evaluation *ev, const FlatExpression *e, Value *result)
{
    if (e->kind == FLAT_COMPREHENSION)
        return evaluate_array_comprehension(ev, e, result);
    Value *operands = evaluate_operands(ev, e);
    if (!operands)
        return false;
    switch ((Operation)e->operation) {
    case OPERATION_POWER:
        return evaluate_array_power(ev, e, operands, result);
    case OPERATION_RANGE:
        return evaluate_array_range(ev, e, operands, result);
    default:
        return evaluate_array_apply(ev, e, (Operation)e->operation, e->count, operands, result);
    }
}
