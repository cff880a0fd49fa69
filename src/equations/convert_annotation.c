// SPDX-License-Identifier: MIT
//
// Derivatives and inverses of functions by annotation, for the sizes of an instance: the inputs of
// functions as lists of scalars.

#include "equations/convert_parts.h"

// ---------------------------------------------------------------------------
// Derivatives by annotation
// ---------------------------------------------------------------------------

// The scalars of an input that are differentiated.
static bool is_differentiated(const FlatDerivative *by, const FlatFunction *f, uint32_t input)
{
    const bool is_excluded =
        input < 64 && (by->zero_derivative >> input & 1 || by->no_derivative >> input & 1);
    return !is_excluded && f->locals[input]->reference.type->kind == FLAT_TYPE_REAL;
}

static uint32_t padded(uint32_t count)
{
    return count ? count : 1;
}

// The derivative's inputs: those of the function, then the derivatives of the Real ones, of a
// derivative of order n - 1 only of those that are of that order.
static bool annotate(Convert *c, ConvertInstance *of, const FlatDerivative *by,
                     DagFunctionDerivative *out)
{
    const FlatFunction *f = of->function;
    DagFunction *function = &c->dag->functions[of->number];
    const uint32_t first = by->order > 1 ? function->first_of_order : 0;
    Bundle *shapes = ARENA_ARRAY(c->arena, 2 * f->input_count, Bundle);
    bool *must = ARENA_ARRAY(c->arena, function->input_count, bool);
    bool *has = ARENA_ARRAY(c->arena, function->input_count, bool);
    uint32_t *derivative_of = ARENA_ARRAY(c->arena, 2 * function->input_count, uint32_t);
    for (uint32_t k = 0; k < 2 * function->input_count; k++)
        derivative_of[k] = DAG_NONE;
    uint32_t count = f->input_count, scalar = 0, next = function->input_count;
    for (uint32_t i = 0; i < f->input_count; i++) {
        shapes[i] = of->inputs[i];
        const bool is_wanted = is_differentiated(by, f, i) && scalar >= first;
        if (is_wanted)
            shapes[count++] = of->inputs[i];
        for (uint32_t k = 0; k < padded(of->inputs[i].count); k++, scalar++) {
            must[scalar] = i < 64 && by->zero_derivative >> i & 1;
            has[scalar] = is_wanted;
            if (is_wanted)
                derivative_of[next++] = scalar;
        }
    }
    if (by->function->input_count != count)
        return false;
    ConvertInstance *derivative = convert_instance(c, by->function, shapes, by->function->span);
    if (!derivative)
        return false;
    function = &c->dag->functions[of->number];
    for (uint32_t k = 0; function->derivative_of && k < function->input_count; k++)
        if (function->derivative_of[k] != DAG_NONE)
            derivative_of[k] = function->derivative_of[k];
    DagFunction *made = &c->dag->functions[derivative->number];
    made->order = by->order;
    made->first_of_order = function->input_count;
    made->derivative_of = derivative_of;
    *out = (DagFunctionDerivative){derivative->number, by->order, must, has};
    return true;
}

static void annotate_derivatives(Convert *c, ConvertInstance *instance)
{
    const FlatFunction *f = instance->function;
    DagFunctionDerivative *list = ARENA_ARRAY(c->arena, f->derivative_count, DagFunctionDerivative);
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->derivative_count; i++)
        count += annotate(c, instance, &f->derivatives[i], &list[count]);
    c->dag->functions[instance->number].derivatives = list;
    c->dag->functions[instance->number].derivative_count = count;
}

// ---------------------------------------------------------------------------
// Inverses by annotation
// ---------------------------------------------------------------------------

static bool is_real_scalar(const FlatLocal *local)
{
    return local->reference.type->kind == FLAT_TYPE_REAL && local->reference.rank == 0;
}

// The first scalar of each input, and their number.
static uint32_t *input_starts(Convert *c, const ConvertInstance *of)
{
    const uint32_t count = of->function->input_count;
    uint32_t *starts = ARENA_ARRAY(c->arena, count + 1u, uint32_t);
    for (uint32_t i = 0; i < count; i++)
        starts[i + 1] = starts[i] + padded(of->inputs[i].count);
    return starts;
}

// The value of an argument that the annotation leaves out; false: it is not known before the run.
static bool default_argument(Convert *c, const FlatLocal *input, Bundle *value)
{
    const size_t errors = c->diagnostics->error_count;
    if (input->value->variability != FLAT_CONSTANT)
        return false;
    *value = convert_bundle(&(ConvertScope){.c = c}, input->value);
    return c->diagnostics->error_count == errors && bundle_is_fine(value) &&
           bundle_are_numbers(c, value);
}

// Of scalars only; others are left to Newton's method.
static bool annotate_inverse(Convert *c, ConvertInstance *of, const FlatInverse *by,
                             DagFunctionInverse *out)
{
    const FlatFunction *f = of->function, *g = by->function;
    const FlatLocal *output = f->locals[f->input_count];
    if (f->is_impure || g->is_impure || !is_real_scalar(output) ||
        !is_real_scalar(f->locals[by->input]))
        return false;
    Bundle *shapes = ARENA_ARRAY(c->arena, g->input_count, Bundle);
    for (uint32_t i = 0; i < g->input_count; i++) {
        const FlatLocal *from = by->arguments[i];
        if (!from && !default_argument(c, g->locals[i], &shapes[i]))
            return false;
        if (from)
            shapes[i] = from == output ? (Bundle){.type = output->reference.type, .count = 1}
                                       : of->inputs[from->index];
    }
    const ConvertInstance *inverse = convert_instance(c, g, shapes, by->span);
    if (!inverse)
        return false;
    const uint32_t *starts = input_starts(c, of);
    const uint32_t count = c->dag->functions[inverse->number].input_count;
    Node *constants = ARENA_ARRAY(c->arena, count, Node);
    uint32_t *arguments = ARENA_ARRAY(c->arena, count, uint32_t);
    for (uint32_t i = 0, next = 0; i < g->input_count; i++) {
        const FlatLocal *from = by->arguments[i];
        for (uint32_t k = 0; k < padded(shapes[i].count); k++, next++) {
            constants[next] = from              ? NODE_NONE
                              : shapes[i].count ? shapes[i].items[k]
                                                : c->dag->zero;
            arguments[next] = !from || from == output ? DAG_NONE : starts[from->index] + k;
        }
    }
    *out = (DagFunctionInverse){.input = starts[by->input],
                                .function = inverse->number,
                                .constants = constants,
                                .arguments = arguments,
                                .checked = DAG_NONE,
                                .started = DAG_NONE,
                                .span = by->span};
    return true;
}

static void annotate_inverses(Convert *c, ConvertInstance *instance)
{
    const FlatFunction *f = instance->function;
    DagFunctionInverse *list = ARENA_ARRAY(c->arena, f->inverse_count, DagFunctionInverse);
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->inverse_count; i++)
        count += annotate_inverse(c, instance, &f->inverses[i], &list[count]);
    c->dag->functions[instance->number].inverses = list;
    c->dag->functions[instance->number].inverse_count = count;
}

void convert_annotations(Convert *c, ConvertInstance *instance)
{
    annotate_derivatives(c, instance);
    annotate_inverses(c, instance);
}
