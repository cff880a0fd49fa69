// SPDX-License-Identifier: MIT
//
// What the annotations of a function say: derivatives (section 12.7), inverses (section 12.8),
// how smooth it is, whether it should be put in place.

#include "flatten/function.h"

#include "flatten/lookup.h"

static Class *annotated_function(Flattener *f, Class *scope, const Expression *e)
{
    const Reference *r = e && e->kind == EXPRESSION_REFERENCE ? e->reference
                         : e && e->kind == EXPRESSION_CALL    ? e->call.function
                                                              : NULL;
    return r ? lookup_class(f, scope, r, "function") : NULL;
}

static uint64_t input_bit(Flattener *f, const FunctionBuilder *b, const Expression *e)
{
    if (!e || e->kind != EXPRESSION_REFERENCE || e->reference->count != 1)
        return 0;
    const FlatLocal *local = map_find(&b->names, e->reference->parts[0].name);
    if (!local || local->role != FLAT_ROLE_INPUT || local->index >= 64) {
        report_error(f, e->span, "'%s' is not an input of '%s'", e->reference->parts[0].name->text,
                     b->function->name);
        return 0;
    }
    return (uint64_t)1 << local->index;
}

static bool read_derivative(Flattener *f, FunctionBuilder *b, Class *scope, const Argument *a,
                            FlatDerivative *d)
{
    const Modification *m = a->modification;
    if (!m || !m->value)
        return false;
    *d = (FlatDerivative){.order = 1};
    for (uint32_t i = 0; i < m->count; i++) {
        const Argument *option = m->arguments[i];
        if (option->kind != ARGUMENT_MODIFICATION)
            continue;
        const Name *name = option->name->parts[0].name;
        const Expression *value = option->modification ? option->modification->value : NULL;
        if (name == f->known.order && value && value->kind == EXPRESSION_INTEGER)
            d->order = (uint32_t)value->integer;
        else if (name == f->known.zeroDerivative)
            d->zero_derivative |= input_bit(f, b, value);
        else if (name == f->known.noDerivative)
            d->no_derivative |= input_bit(f, b, value);
    }
    Class *c = annotated_function(f, scope, m->value);
    d->function = c ? function_of(f, c, m->value->span) : NULL;
    return d->function != NULL;
}

// The local that an argument of an inverse names: the output, or an input that is known; NULL after
// a message.
static FlatLocal *inverse_argument(Flattener *f, const FunctionBuilder *b, const FlatLocal *solved,
                                   const Expression *e)
{
    const FlatFunction *fn = b->function;
    FlatLocal *local = e->kind == EXPRESSION_REFERENCE && e->reference->count == 1
                           ? map_find(&b->names, e->reference->parts[0].name)
                           : NULL;
    if (!local || local->index >= fn->input_count + fn->output_count) {
        report_error(f, e->span, "an inverse takes the inputs and the output of '%s'", fn->name);
        return NULL;
    }
    if (local == solved) {
        report_error(f, e->span, "the inverse computes '%s', so it cannot take it as an argument",
                     local->name->text);
        return NULL;
    }
    return local;
}

// Gives input `place` of the inverse its argument; false after a message.
static bool give_argument(Flattener *f, const FunctionBuilder *b, FlatInverse *inverse,
                          uint32_t place, const Expression *e)
{
    const FlatFunction *fn = b->function, *g = inverse->function;
    FlatLocal *local = inverse_argument(f, b, fn->locals[inverse->input], e);
    if (!local)
        return false;
    const FlatExpression *given = &local->reference, *wanted = &g->locals[place]->reference;
    if (inverse->arguments[place]) {
        report_error(f, e->span, "input '%s' of '%s' is given twice", g->locals[place]->name->text,
                     g->name);
        return false;
    }
    if (!flat_type_equal(given->type, wanted->type) || given->rank != wanted->rank) {
        report_error(f, e->span, "'%s' is %s, but input '%s' of '%s' is %s", local->name->text,
                     expression_type_text(f, given), g->locals[place]->name->text, g->name,
                     expression_type_text(f, wanted));
        return false;
    }
    inverse->arguments[place] = local;
    return true;
}

// The place of a named input; -1 after a message.
static int64_t named_input(Flattener *f, const FlatFunction *g, const NamedExpression *named)
{
    for (uint32_t i = 0; i < g->input_count; i++)
        if (g->locals[i]->name == named->name)
            return i;
    report_error(f, named->span, "function '%s' has no input '%s'", g->name,
                 named->name ? named->name->text : "");
    return -1;
}

static bool function_annotation_give_arguments(Flattener *f, const FunctionBuilder *b,
                                               const Expression *call, FlatInverse *inverse)
{
    const FlatFunction *g = inverse->function;
    if (call->call.count > g->input_count) {
        report_error(f, call->span, "function '%s' takes %u argument%s, but %u are given", g->name,
                     (unsigned)g->input_count, g->input_count == 1 ? "" : "s",
                     (unsigned)call->call.count);
        return false;
    }
    inverse->arguments = ARENA_ARRAY(f->arena, g->input_count + 1, FlatLocal *);
    for (uint32_t i = 0; i < call->call.count; i++)
        if (!give_argument(f, b, inverse, i, call->call.arguments[i]))
            return false;
    for (uint32_t i = 0; i < call->call.named_count; i++) {
        const int64_t place = named_input(f, g, &call->call.named[i]);
        if (place < 0 || !give_argument(f, b, inverse, (uint32_t)place, call->call.named[i].value))
            return false;
    }
    return true;
}

// The output of the function has to be among the arguments, and what else the inverse needs.
static bool check_arguments(Flattener *f, const FunctionBuilder *b, const FlatInverse *inverse,
                            Span span)
{
    const FlatFunction *fn = b->function, *g = inverse->function;
    const FlatLocal *output = fn->locals[fn->input_count];
    bool has_output = false;
    for (uint32_t i = 0; i < g->input_count; i++) {
        has_output = has_output || inverse->arguments[i] == output;
        if (!inverse->arguments[i] && !g->locals[i]->value) {
            report_error(f, span, "input '%s' of function '%s' is missing",
                         g->locals[i]->name->text, g->name);
            return false;
        }
    }
    if (!has_output)
        report_error(f, span, "an inverse of '%s' needs its output '%s' as an argument", fn->name,
                     output->name->text);
    return has_output;
}

// What the inverse computes must be the input's kind of value.
static bool check_result(Flattener *f, const FunctionBuilder *b, const FlatInverse *inverse,
                         Span span)
{
    const FlatFunction *g = inverse->function;
    const FlatExpression *input = &b->function->locals[inverse->input]->reference;
    if (g->output_count != 1) {
        report_error(f, span, "'%s' has %u outputs; an inverse must have one", g->name,
                     (unsigned)g->output_count);
        return false;
    }
    const FlatExpression *result = &g->locals[g->input_count]->reference;
    if (!flat_type_equal(result->type, input->type) || result->rank != input->rank) {
        report_error(f, span, "'%s' gives %s, but input '%s' of '%s' is %s", g->name,
                     expression_type_text(f, result),
                     b->function->locals[inverse->input]->name->text, b->function->name,
                     expression_type_text(f, input));
        return false;
    }
    return true;
}

// inverse(u = g(y, p)): one for each argument (section 12.8).
static bool read_inverse(Flattener *f, FunctionBuilder *b, Class *scope, const Argument *a,
                         FlatInverse *inverse)
{
    const FlatFunction *fn = b->function;
    const Expression *call = a->modification ? a->modification->value : NULL;
    if (a->kind != ARGUMENT_MODIFICATION || !call || call->kind != EXPRESSION_CALL) {
        report_error(f, a->span, "an inverse is written as input = function(arguments)");
        return false;
    }
    if (fn->output_count != 1) {
        report_error(f, a->span, "'%s' has %u outputs; only a function with one has an inverse",
                     fn->name, (unsigned)fn->output_count);
        return false;
    }
    const FlatLocal *input = map_find(&b->names, a->name->parts[0].name);
    if (!input || input->role != FLAT_ROLE_INPUT || a->name->count != 1) {
        report_error(f, a->span, "'%s' is not an input of '%s'", a->name->parts[0].name->text,
                     fn->name);
        return false;
    }
    Class *c = annotated_function(f, scope, call);
    inverse->function = c ? function_of(f, c, call->span) : NULL;
    inverse->input = input->index;
    inverse->span = a->span;
    return inverse->function && check_result(f, b, inverse, call->span) &&
           function_annotation_give_arguments(f, b, call, inverse) &&
           check_arguments(f, b, inverse, call->span);
}

static bool is_true(const Argument *a)
{
    return a && a->modification && a->modification->value &&
           a->modification->value->kind == EXPRESSION_BOOLEAN && a->modification->value->boolean;
}

void function_annotations(Flattener *f, FunctionBuilder *b, Class *c)
{
    FlatFunction *fn = b->function;
    const KnownNames *k = &f->known;
    const Argument *order = class_annotation(f, c, k->smoothOrder);
    fn->smooth_order = -1;
    if (order && order->modification && order->modification->value &&
        order->modification->value->kind == EXPRESSION_INTEGER)
        fn->smooth_order = (int)order->modification->value->integer;
    fn->is_inline = fn->is_inline || is_true(class_annotation(f, c, k->Inline)) ||
                    is_true(class_annotation(f, c, k->LateInline)) ||
                    is_true(class_annotation(f, c, k->InlineAfterIndexReduction));
    for (uint32_t i = 0; i < c->base_count; i++)
        function_annotations(f, b, c->bases[i].class_);
    const ClassDefinition *d = c->definition;
    if (!d) // a predefined type, which is no base of a function: reported elsewhere
        return;
    List derivatives = {0};
    List inverses = {0};
    for (uint32_t i = 0; i < d->annotation_count; i++) {
        for (uint32_t n = 0; n < d->annotations[i]->count; n++) {
            const Argument *a = d->annotations[i]->arguments[n];
            if (a->kind != ARGUMENT_MODIFICATION)
                continue;
            if (a->name->parts[0].name == k->derivative) {
                FlatDerivative *derivative = ARENA_NEW(f->arena, FlatDerivative);
                if (read_derivative(f, b, c, a, derivative))
                    list_append(f->arena, &derivatives, derivative);
            } else if (a->name->parts[0].name == k->inverse && a->modification) {
                for (uint32_t m = 0; m < a->modification->count; m++) {
                    FlatInverse *inverse = ARENA_NEW(f->arena, FlatInverse);
                    if (read_inverse(f, b, c, a->modification->arguments[m], inverse))
                        list_append(f->arena, &inverses, inverse);
                }
            }
        }
    }
    if (derivatives.count) {
        fn->derivatives = ARENA_ARRAY(f->arena, derivatives.count, FlatDerivative);
        fn->derivative_count = derivatives.count;
        for (uint32_t i = 0; i < derivatives.count; i++)
            fn->derivatives[i] = *(FlatDerivative *)derivatives.items[i];
    }
    if (inverses.count) {
        fn->inverses = ARENA_ARRAY(f->arena, inverses.count, FlatInverse);
        fn->inverse_count = inverses.count;
        for (uint32_t i = 0; i < inverses.count; i++)
            fn->inverses[i] = *(FlatInverse *)inverses.items[i];
    }
}
