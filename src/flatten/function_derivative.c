// SPDX-License-Identifier: MIT
//
// Partial derivatives of functions, function g = der(f, x, y) (section 12.7.2 of the
// specification). What is differentiated and by what is found here; the derivative itself is made
// where the equations are.

#include "flatten/functional.h"
#include "flatten/lookup.h"

// The function that is differentiated; NULL after a message.
static FlatFunction *function_derivative_differentiated(Flattener *f, Class *c)
{
    const Reference *r = c->definition->derivative.function;
    Scope s = scope_of_class(c->enclosing);
    Operation op = elaborate_operation(f, &s, r);
    Class *of = op == OPERATION_COUNT ? lookup_class(f, c->enclosing, r, "function") : NULL;
    if (op == OPERATION_COUNT && !of)
        return NULL;
    if (of && !class_is_function(f, of)) {
        report_error(f, r->span, "'%s' is a %s, but only functions have partial derivatives",
                     reference_text(f, r), class_kind_text(class_kind(f, of)));
        return NULL;
    }
    if (of)
        op = function_operation(f, of);
    return op == OPERATION_COUNT ? function_of(f, of, r->span)
                                 : functional_operation(f, op, r->span);
}

// The function must be one of numbers that can be differentiated.
static bool check_function(Flattener *f, const FlatFunction *of, Span span)
{
    if (of->is_impure) {
        report_error(f, span, "'%s' is impure and has no derivative", of->name);
        return false;
    }
    for (uint32_t i = 0; i < of->output_count; i++) {
        const FlatLocal *output = of->locals[of->input_count + i];
        if (output->reference.type->kind != FLAT_TYPE_REAL) {
            report_error(f, span, "output '%s' of '%s' is %s and has no derivative",
                         output->name->text, of->name, expression_type_text(f, &output->reference));
            return false;
        }
    }
    return true;
}

// Whether an annotation says that the input is not differentiated.
static bool is_excluded(const FlatFunction *of, uint32_t input)
{
    for (; of; of = of->derivative_of)
        for (uint32_t i = 0; i < of->derivative_count; i++)
            if (input < 64 && of->derivatives[i].no_derivative >> input & 1)
                return true;
    return false;
}

static bool function_derivative_find_input(Flattener *f, const FlatFunction *of,
                                           const ReferencePart *name, uint32_t *index)
{
    const FlatLocal *input = function_input(of, name->name);
    if (!input) {
        report_error(f, name->span, "'%s' is not an input of '%s'", name->name->text, of->name);
        return false;
    }
    if (input->reference.rank || input->reference.type->kind != FLAT_TYPE_REAL) {
        report_error(f, name->span, "'%s' is %s, but a function is differentiated by scalar Reals",
                     name->name->text, expression_type_text(f, &input->reference));
        return false;
    }
    if (is_excluded(of, input->index)) {
        report_error(f, name->span, "the annotation 'derivative' of '%s' excludes '%s'", of->name,
                     name->name->text);
        return false;
    }
    *index = input->index;
    return true;
}

// The inputs are those of the function, the outputs have their names and sizes.
static void give_locals(Flattener *f, const FlatFunction *of, FlatFunction *fn)
{
    fn->input_count = of->input_count;
    fn->output_count = of->output_count;
    fn->local_count = of->input_count + of->output_count;
    fn->locals = ARENA_ARRAY(f->arena, fn->local_count + 1, FlatLocal *);
    copy_items(fn->locals, of->locals, of->input_count * sizeof *fn->locals);
    for (uint32_t i = of->input_count; i < fn->local_count; i++) {
        FlatLocal *output = ARENA_NEW(f->arena, FlatLocal);
        *output = *of->locals[i];
        output->reference.local = output;
        output->is_assigned = true;
        output->value = NULL;
        output->sizes = NULL; // as those of the function, whatever they depend on
        fn->locals[i] = output;
    }
}

bool function_derivative(Flattener *f, Class *c, FlatFunction *fn)
{
    const ClassDefinition *d = c->definition;
    FlatFunction *of = function_derivative_differentiated(f, c);
    if (!of || !check_function(f, of, d->derivative.function->span))
        return false;
    uint32_t *by = ARENA_ARRAY(f->arena, d->derivative.count, uint32_t);
    for (uint32_t i = 0; i < d->derivative.count; i++)
        if (!function_derivative_find_input(f, of, &d->derivative.variables[i], &by[i]))
            return false;
    fn->span = d->name_span;
    fn->smooth_order = -1;
    fn->derivative_of = of;
    fn->by_count = d->derivative.count;
    fn->by = by;
    give_locals(f, of, fn);
    return true;
}
