// SPDX-License-Identifier: MIT
//
// Calls: functions of the user, record constructors, conversions to enumerations (chapter 12 of the
// specification). Built-in functions are in call_builtin.c.

#include "external/external.h"
#include "flatten/builtin.h"
#include "flatten/evaluate.h"
#include "flatten/external.h"
#include "flatten/functional.h"
#include "flatten/graph.h"
#include "flatten/iterator.h"
#include "flatten/library.h"
#include "flatten/lookup.h"
#include "flatten/machine.h"
#include "flatten/overload.h"
#include "flatten/rules.h"
#include "flatten/stream.h"
#include "flatten/unfold.h"
#include "flatten/walk.h"

// ---------------------------------------------------------------------------
// Functions of the user: arguments
// ---------------------------------------------------------------------------

// The arguments of a call, one for each input; missing ones are the defaults.
typedef struct Arguments {
    FlatExpression **values;
    bool is_record;       // of a record constructor
    uint32_t vector_rank; // dimensions over which the call is repeated
    const uint32_t *vector_dims;
    bool is_looped; // over an array in a function, whose size is not known
    bool in_function;
} Arguments;

static bool assign_named(Flattener *f, Scope *s, const Functional *callee, const Expression *e,
                         Arguments *a)
{
    const FlatFunction *fn = callee->function;
    for (uint32_t i = 0; i < e->call.named_count; i++) {
        const NamedExpression *named = &e->call.named[i];
        const FlatLocal *input = named->name ? functional_named(callee, named->name) : NULL;
        if (!input) {
            report_error(f, named->span,
                         a->is_record ? "record '%s' has no member '%s'"
                                      : "function '%s' has no input '%s'",
                         fn->name, named->name ? named->name->text : "");
            return false;
        }
        if (a->values[input->index]) {
            report_error(f, named->span, "input '%s' of '%s' is given twice", named->name->text,
                         fn->name);
            return false;
        }
        a->values[input->index] = elaborate(f, s, named->value);
    }
    return true;
}

// Replaces the inputs in a default value by the arguments, and final members of a record, which are
// no inputs, by their values. depth: how many of these it is in; more than there are is a cycle.
static FlatExpression *substitute(Flattener *f, const FlatFunction *fn, FlatExpression *e,
                                  FlatExpression **values, uint32_t depth)
{
    const bool is_own = e->kind == FLAT_LOCAL && e->local->index < fn->local_count &&
                        fn->locals[e->local->index] == e->local;
    if (is_own && e->local->index < fn->input_count)
        return values[e->local->index] ? values[e->local->index] : e;
    if (is_own && e->local->value && depth <= fn->local_count)
        return substitute(f, fn, e->local->value, values, depth + 1);
    if (!e->count || e->kind == FLAT_VARIABLE)
        return e;
    FlatExpression *copy = build_node(f, (FlatKind)e->kind, e->type, e->count, e->span);
    FlatExpression **operands = copy->operands;
    *copy = *e;
    copy->operands = operands;
    for (uint32_t i = 0; i < e->count; i++)
        copy->operands[i] = substitute(f, fn, e->operands[i], values, depth);
    copy->variability = FLAT_CONSTANT;
    build_vary(copy);
    FlatExpression *folded =
        e->kind == FLAT_OPERATION && !e->rank
            ? build_folded(f, (Operation)e->operation, e->type, e->count, copy->operands, e->span)
            : NULL;
    return folded ? folded : copy;
}

FlatExpression *call_substitute(Flattener *f, const FlatFunction *fn, FlatExpression *e,
                                FlatExpression **values)
{
    return substitute(f, fn, e, values, 0);
}

static bool fit_argument(Flattener *f, const FlatFunction *fn, uint32_t i, Arguments *a);

// The value of an input that a model gives its function by a modification: function f = g(k = p).
// The names in it are those of the instance around the call, or of the component whose function is
// called: world.gravity(r).
static FlatExpression *late_value(Flattener *f, Scope *s, const FlatFunction *fn,
                                  const FlatLocal *input, const Reference *called)
{
    Scope at = s->instance ? scope_of_layer(f, input->late, s->instance)
                           : (Scope){.class_ = input->late->scope};
    if (s->instance && !at.instance && called->count > 1) {
        Selection component;
        const size_t size = sizeof *called + called->count * sizeof *called->parts;
        Reference *prefix = arena_allocate(f->arena, size);
        memcpy(prefix, called, size);
        prefix->count--;
        if (select_components(f, s, prefix, &component) && component.count == 1 &&
            !component.variables)
            at = scope_of_layer(f, input->late, component.instances[0]);
    }
    StringBuilder what = builder_create(f->arena);
    builder_append_format(&what, "input '%s' of '%s'", input->name->text, fn->name);
    return build_expect(f, elaborate(f, &at, layer_value(input->late)), input->reference.type,
                        input->reference.rank, input->reference.dims, builder_string(&what).text);
}

// A default may use the inputs before it, so they are taken in order.
static bool fill_defaults(Flattener *f, Scope *s, const FlatFunction *fn, const Expression *e,
                          Arguments *a)
{
    for (uint32_t i = 0; i < fn->input_count; i++) {
        if (a->values[i]) {
            if (!fit_argument(f, fn, i, a))
                return false;
            continue;
        }
        FlatLocal *input = fn->locals[i];
        if (input->late) {
            a->values[i] = late_value(f, s, fn, input, e->call.function);
            if (expression_is_none(a->values[i]))
                return false;
            continue;
        }
        if (!input->value) {
            report_error(f, e->span,
                         a->is_record ? "member '%s' of record '%s' is missing"
                                      : "input '%s' of function '%s' is missing",
                         input->name->text, fn->name);
            return false;
        }
        a->values[i] = substitute(f, fn, input->value, a->values, 0);
    }
    return true;
}

enum { LIMIT_REPEATED = 1000 * 1000 }; // calls by an array of a function

// An argument with more dimensions than its input repeats the call over them (section 12.4.6).
static bool fit_argument(Flattener *f, const FlatFunction *fn, uint32_t i, Arguments *a)
{
    const FlatExpression *wanted = &fn->locals[i]->reference;
    FlatExpression *value = a->values[i];
    if (value->rank > wanted->rank) {
        const uint32_t extra = value->rank - wanted->rank;
        const bool fits = a->vector_rank == 0 ||
                          (a->vector_rank == extra &&
                           memcmp(a->vector_dims, value->dims, extra * sizeof *value->dims) == 0);
        FlatExpression *converted = fits ? build_convert(f, value, wanted->type) : NULL;
        for (uint32_t k = 0; converted && k < wanted->rank; k++)
            if (wanted->dims[k] != value->dims[extra + k] && wanted->dims[k] != FLAT_UNKNOWN_SIZE)
                converted = NULL;
        // (In functions arrays are not explicit; where their sizes are known, elements are.)
        const bool is_looped = converted && expression_size(converted) == UINT64_MAX;
        const bool can_loop = a->in_function && a->vector_rank == 0;
        if (converted && !a->is_looped &&
            (is_looped ? can_loop
                       : expression_is_explicit(converted) ||
                             expression_size(converted) <= LIMIT_REPEATED)) {
            a->is_looped = is_looped;
            a->vector_rank = extra;
            a->vector_dims = value->dims;
            a->values[i] = converted;
            return true;
        }
    }
    StringBuilder what = builder_create(f->arena);
    builder_append_format(&what, "%s '%s' of '%s'", a->is_record ? "member" : "input",
                          fn->locals[i]->name->text, fn->name);
    a->values[i] = build_expect(f, value, wanted->type, wanted->rank, wanted->dims,
                                builder_string(&what).text);
    return !expression_is_none(a->values[i]);
}

static bool read_arguments(Flattener *f, Scope *s, const Functional *callee, const Expression *e,
                           Arguments *a)
{
    const FlatFunction *fn = callee->function;
    a->in_function = s->function != NULL;
    a->values = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *);
    if (e->call.count > callee->visible) {
        report_error(f, e->span,
                     a->is_record ? "record '%s' has %u member%s, but %u values are given"
                                  : "function '%s' takes %u argument%s, but %u are given",
                     fn->name, (unsigned)callee->visible, callee->visible == 1 ? "" : "s",
                     (unsigned)e->call.count);
        return false;
    }
    for (uint32_t i = 0, next = 0; i < fn->input_count; i++) {
        if (callee->bound[i])
            a->values[i] = callee->bound[i];
        else if (next < e->call.count)
            a->values[i] = elaborate(f, s, e->call.arguments[next++]);
    }
    if (!assign_named(f, s, callee, e, a))
        return false;
    for (uint32_t i = 0; i < fn->input_count; i++)
        if (a->values[i] && expression_is_none(a->values[i]))
            return false;
    return fill_defaults(f, s, fn, e, a);
}

// ---------------------------------------------------------------------------
// Functions of the user: results
// ---------------------------------------------------------------------------

static FlatExpression *call_node(Flattener *f, FlatFunction *fn, FlatExpression **values, Span span)
{
    const FlatType *type =
        fn->output_count ? fn->locals[fn->input_count]->reference.type : &flat_type_none;
    FlatExpression *call = build_node(f, FLAT_CALL, type, fn->input_count, span);
    call->function = fn;
    for (uint32_t i = 0; i < fn->input_count; i++)
        call->operands[i] = values[i];
    build_vary(call);
    // What an impure function returns may change at any event.
    if (fn->is_impure && call->variability < FLAT_DISCRETE)
        call->variability = FLAT_DISCRETE;
    return call;
}

// The scalars of a result, from *element on.
static FlatExpression *result_value(Flattener *f, FlatExpression *call, uint32_t output,
                                    const FlatType *type, uint32_t rank, const uint32_t *dims,
                                    uint32_t *element)
{
    if (rank) {
        uint64_t total = 1;
        for (uint32_t k = 0; k < rank; k++)
            total *= dims[k];
        if (total > LIMIT_SCALARS) {
            report_error(f, call->span, "the result of '%s' is too large", call->function->name);
            return build_none(f, call->span);
        }
        FlatExpression *array = build_node(f, FLAT_ARRAY, type, (uint32_t)total, call->span);
        build_shape(f, array, rank, dims);
        for (uint32_t i = 0; i < array->count; i++)
            array->operands[i] = result_value(f, call, output, type, 0, NULL, element);
        build_vary(array);
        return array;
    }
    if (type->kind == FLAT_TYPE_RECORD) {
        FlatExpression *record = build_node(f, FLAT_RECORD, type, type->count, call->span);
        for (uint32_t i = 0; i < type->count; i++) {
            const FlatField *field = &type->fields[i];
            for (uint32_t k = 0; k < field->rank; k++) {
                if (field->dims[k] == FLAT_UNKNOWN_SIZE) {
                    report_error(f, call->span,
                                 "the size of '%s' in the result of '%s' is not known",
                                 field->name->text, call->function->name);
                    return build_none(f, call->span);
                }
            }
            record->operands[i] =
                result_value(f, call, output, field->type, field->rank, field->dims, element);
        }
        build_vary(record);
        return record;
    }
    FlatExpression *scalar = build_node(f, FLAT_RESULT, type, 1, call->span);
    scalar->operands[0] = call;
    scalar->result.output = output;
    scalar->result.element = (*element)++;
    build_vary(scalar);
    return scalar;
}

// The result of a call whose sizes are found by running it.
static FlatExpression *constant_result(Flattener *f, FlatExpression *call, uint32_t output)
{
    FlatExpression *probe = build_node(f, FLAT_CALL, call->type, call->count, call->span);
    FlatExpression **operands = probe->operands;
    *probe = *call;
    probe->operands = operands;
    copy_items(operands, call->operands, call->count * sizeof *operands);
    return output == 0 ? evaluate(f, probe, NULL) : NULL;
}

static bool call_slices(const FlatExpression *e, bool in_range, uint32_t depth);

static bool call_slices_here(const void *depth, const FlatExpression *e)
{
    return call_slices(e, false, *(const uint32_t *)depth);
}

// Where a function takes slices whose sizes change while it runs, as X[:, k + 1:n] with a k that it
// assigns: such a function has no code, and can only be evaluated before the run. in_range: inside
// of a range; depth: functions around the expression.
static bool call_slices(const FlatExpression *e, bool in_range, uint32_t depth)
{
    enum { DEEPEST = 8 };
    if (in_range && e->kind == FLAT_LOCAL && e->local->is_assigned &&
        e->type->kind == FLAT_TYPE_INTEGER)
        return true;
    in_range = in_range || (e->kind == FLAT_OPERATION && e->operation == OPERATION_RANGE);
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && call_slices(e->operands[i], in_range, depth))
            return true;
    depth++;
    return e->kind == FLAT_CALL && depth <= DEEPEST &&
           flat_any_in_function(e->function, call_slices_here, &depth);
}

// Whether it only reads a file.
static bool call_reads(const FlatExpression *call)
{
    const FlatExternal *x = call->function->external;
    return x && external_is_reader(x->info) && !external_is_impure(x->info);
}

// A String is known before the run, or not at all; and so is what a function makes of Strings and
// constants, or what can only be known before the run.
static bool is_known_before(const FlatExpression *call)
{
    bool has_text = call->type->kind == FLAT_TYPE_STRING;
    for (uint32_t i = 0; i < call->count; i++) {
        const bool is_text = call->operands[i]->type->kind == FLAT_TYPE_STRING;
        has_text = has_text || is_text;
        if (!is_text && call->operands[i]->variability != FLAT_CONSTANT &&
            call->type->kind != FLAT_TYPE_STRING && !elaborate_is_settled(call->operands[i]))
            return false;
    }
    const FlatExternal *x = call->function->external;
    const bool is_impure = call->function->is_impure && !(x && external_is_reader(x->info));
    if (is_impure || call->type->kind == FLAT_TYPE_OBJECT || has_text)
        return has_text && !is_impure && call->type->kind != FLAT_TYPE_OBJECT;
    const uint32_t depth = 0;
    return flat_any_in_function(call->function, call_slices_here, &depth);
}

// A file that cannot be read, or not before the run: says why.
static FlatExpression *call_unread(Flattener *f, const FlatExpression *call)
{
    evaluate(f, call, "what is read from a file");
    return build_none(f, call->span);
}

FlatExpression *call_output(Flattener *f, const Scope *s, FlatExpression *call, uint32_t output)
{
    const FlatFunction *fn = call->function;
    const FlatExpression *declared = &fn->locals[fn->input_count + output]->reference;
    if (s->function && output == 0) {
        call->rank = declared->rank;
        call->dims = declared->dims;
        return call;
    }
    const bool is_scalar = !declared->rank && declared->type->kind != FLAT_TYPE_RECORD;
    if (is_scalar && output == 0) {
        const bool is_before = is_known_before(call);
        FlatExpression *known = is_before ? evaluate(f, call, NULL) : NULL;
        if (!known && is_before && call_reads(call) && !s->function)
            return call_unread(f, call);
        return known ? known : call;
    }
    const bool is_before = is_known_before(call) && !s->function;
    FlatExpression *known = is_before ? constant_result(f, call, output) : NULL;
    if (known)
        return known;
    if (is_before && call_reads(call) && output == 0)
        return call_unread(f, call);
    uint32_t *dims = ARENA_ARRAY(f->arena, declared->rank + 1u, uint32_t);
    if (declared->rank && !function_output_sizes(f, fn, output, call->operands, dims)) {
        FlatExpression *value = constant_result(f, call, output);
        if (value)
            return value;
        report_error(f, call->span, "the size of output '%s' of '%s' is not known before the run",
                     fn->locals[fn->input_count + output]->name->text, fn->name);
        return build_none(f, call->span);
    }
    uint32_t element = 0;
    return result_value(f, call, output, declared->type, declared->rank, dims, &element);
}

FlatExpression *call_value(Flattener *f, Scope *s, FlatFunction *fn, FlatExpression **values,
                           Span span)
{
    FlatExpression *inside = unfold_call(f, s, fn, values, span);
    return inside ? inside : call_output(f, s, call_node(f, fn, values, span), 0);
}

// In a function the sizes of an argument may not be known: a loop over its elements stays. With
// more of such arguments nothing would look at whether their sizes agree.
static FlatExpression *looping_call(Flattener *f, Scope *s, FlatFunction *fn, const Arguments *a,
                                    uint32_t repeated, Span span)
{
    FlatExpression **values = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *);
    copy_items(values, a->values, fn->input_count * sizeof *values);
    FlatLocal *iterator;
    FlatExpression *range;
    values[repeated] = iterator_over(f, s, a->values[repeated], &iterator, &range);
    Arguments inner = {.values = values, .vector_rank = a->vector_rank - 1};
    inner.vector_dims = a->vector_dims + 1;
    FlatExpression *body = inner.vector_rank ? looping_call(f, s, fn, &inner, repeated, span)
                                             : call_value(f, s, fn, values, span);
    return iterator_loop(f, iterator, range, body, span);
}

static FlatExpression *repeated_call(Flattener *f, Scope *s, FlatFunction *fn, const Arguments *a,
                                     Span span)
{
    uint64_t times = 1;
    for (uint32_t k = 0; k < a->vector_rank; k++)
        times *= a->vector_dims[k];
    FlatExpression **items = ARENA_ARRAY(f->arena, times + 1, FlatExpression *);
    for (uint32_t t = 0; t < times; t++) {
        FlatExpression **values = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *);
        FlatExpression *places[UINT8_MAX];
        uint32_t rest = t;
        for (uint32_t k = a->vector_rank; k-- > 0;) {
            places[k] = build_integer(f, rest % a->vector_dims[k] + 1, span);
            rest /= a->vector_dims[k];
        }
        for (uint32_t i = 0; i < fn->input_count; i++) {
            const bool is_repeated = a->values[i]->rank > fn->locals[i]->reference.rank;
            values[i] = is_repeated
                            ? build_subscripted(f, a->values[i], a->vector_rank, places, span)
                            : a->values[i];
        }
        items[t] = call_value(f, s, fn, values, span);
        if (expression_is_none(items[t]))
            return items[t];
    }
    FlatExpression *all = build_array(f, (uint32_t)times, items, span);
    if (expression_is_none(all) || a->vector_rank == 1)
        return all;
    uint32_t *dims = ARENA_ARRAY(f->arena, a->vector_rank + all->rank, uint32_t);
    copy_items(dims, a->vector_dims, a->vector_rank * sizeof *dims);
    for (uint32_t k = 1; k < all->rank; k++)
        dims[a->vector_rank + k - 1] = all->dims[k];
    all->rank = (uint8_t)(a->vector_rank + all->rank - 1);
    all->dims = dims;
    return all;
}

// A function that is an operation under another name: its inputs are the operands.
static FlatExpression *renamed_operation(Flattener *f, Scope *s, Class *c, const Expression *e,
                                         Operation op)
{
    FlatExpression **operands = ARENA_ARRAY(f->arena, c->component_count + 1, FlatExpression *);
    uint32_t count = 0;
    uint32_t named = 0;
    for (uint32_t i = 0; i < c->component_count; i++) {
        const Member *member = c->components[i];
        if (member->element->component->clause->direction != DIRECTION_INPUT)
            continue;
        if (count < e->call.count) {
            operands[count] = elaborate(f, s, e->call.arguments[count]);
            count++;
            continue;
        }
        for (uint32_t k = 0; k < e->call.named_count; k++)
            if (e->call.named[k].name == member->name) {
                operands[count++] = elaborate(f, s, e->call.named[k].value);
                named++;
            }
    }
    uint32_t least;
    uint32_t most;
    const bool is_limited = operation_arity(op, &least, &most);
    if (count < least || (is_limited && count > most) || count != e->call.count + named ||
        named != e->call.named_count) {
        report_error(f, e->span, "function '%s' is called with wrong arguments", class_name(f, c));
        return build_none(f, e->span);
    }
    return build_call(f, op, count, operands, e->span);
}

// The call of a function, with its arguments: those that are no functions are in `e`.
static FlatExpression *value_call(Flattener *f, Scope *s, const Functional *callee,
                                  const Expression *e)
{
    FlatFunction *fn = callee->function;
    Arguments a = {0};
    if (!read_arguments(f, s, callee, e, &a))
        return build_none(f, e->span);
    if (!fn->output_count) {
        report_error(f, e->span, "function '%s' has no output to be used as a value", fn->name);
        return build_none(f, e->span);
    }
    for (uint32_t i = 0; i < fn->input_count; i++)
        if (expression_size(a.values[i]) == UINT64_MAX &&
            a.values[i]->rank > fn->locals[i]->reference.rank)
            return looping_call(f, s, fn, &a, i, e->span);
    if (a.vector_rank)
        return repeated_call(f, s, fn, &a, e->span);
    return call_value(f, s, fn, a.values, e->span);
}

FlatExpression *call_given(Flattener *f, Scope *s, FlatFunction *fn, FlatExpression **values,
                           Span span)
{
    for (uint32_t i = 0; i < fn->input_count; i++) {
        const FlatExpression *wanted = &fn->locals[i]->reference;
        values[i] = values[i] ? build_convert(f, values[i], wanted->type)
                              : substitute(f, fn, fn->locals[i]->value, values, 0);
    }
    return call_value(f, s, fn, values, span);
}

FlatExpression *call_class(Flattener *f, Scope *s, Class *c, const Expression *e)
{
    const Operation op = function_operation(f, c);
    if (op != OPERATION_COUNT)
        return renamed_operation(f, s, c, e, op);
    Functional callee;
    Expression rest;
    return functional_callee(f, s, c, e, &callee, &rest) ? value_call(f, s, &callee, &rest)
                                                         : build_none(f, e->span);
}

// ---------------------------------------------------------------------------
// Record constructors
// ---------------------------------------------------------------------------

static FlatExpression *record_call(Flattener *f, Scope *s, Class *c, const Expression *e)
{
    const FlatType *type = class_type(f, c);
    FlatFunction *fn = function_of(f, c, e->call.function->span);
    Arguments a = {.is_record = true};
    if (!fn || type->kind != FLAT_TYPE_RECORD)
        return build_none(f, e->span);
    const Functional callee = functional_of(f, fn);
    if (!read_arguments(f, s, &callee, e, &a))
        return build_none(f, e->span);
    FlatExpression *record = build_node(f, FLAT_RECORD, type, type->count, e->span);
    for (uint32_t i = 0; i < type->count; i++) {
        const FlatLocal *input = function_input(fn, type->fields[i].name);
        // A constant or final field is no input: it has its declared value.
        FlatExpression *value = input ? a.values[input->index] : NULL;
        for (uint32_t k = fn->input_count; !value && k < fn->local_count; k++)
            if (fn->locals[k]->name == type->fields[i].name && fn->locals[k]->value)
                value = substitute(f, fn, fn->locals[k]->value, a.values, 0);
        if (!value) {
            report_error(f, e->span, "member '%s' of record '%s' has no value",
                         type->fields[i].name->text, type->name);
            return build_none(f, e->span);
        }
        record->operands[i] = value;
    }
    if (a.vector_rank) {
        report_error(f, e->span, "a record constructor cannot be repeated over arrays");
        return build_none(f, e->span);
    }
    build_vary(record);
    return record;
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

// The class that the parts from `part` on name in the class of a component: classes alone.
static Class *called_in_class(Flattener *f, Class *c, const Reference *r, uint32_t part)
{
    for (; c && part < r->count; part++) {
        Class *in = c;
        Member *member = class_member(f, in, r->parts[part].name);
        c = member && !member->is_component ? member_class(f, member) : NULL;
        if (!c)
            report_error(f, r->parts[part].span, "there is no function '%s' in '%s'",
                         r->parts[part].name->text, class_name(f, in));
        else if (member->is_protected)
            report_error(f, r->parts[part].span, "'%s' is protected in '%s'", member->name->text,
                         class_name(f, in));
    }
    return c;
}

// The class called: by its name, or by the component it is a member of.
Class *elaborate_called_class(Flattener *f, Scope *s, const Reference *r)
{
    Class *c = lookup_class_quietly(f, s->class_, r);
    const Found outer = c && r->count == 1 && !r->is_global
                            ? lookup_simple(f, s->class_, r->parts[0].name)
                            : (Found){0};
    if (outer.member && outer.member->element && outer.member->element->is_outer)
        return instance_target_class(f, outer.member, s->instance);
    if (c || r->count < 2 || !s->instance)
        return c ? c : lookup_class(f, s->class_, r, "function");
    const Found found = lookup_simple(f, s->class_, r->parts[0].name);
    if (!found.member || !found.member->is_component || found.scope != s->class_)
        return lookup_class(f, s->class_, r, "function");
    Instance *i = instance_child(f, s->instance, r->parts[0].name);
    uint32_t k = 1;
    for (Instance *next = i; next && k < r->count; k++) {
        i = instance_target(f, next, r->span);
        if (!i || !i->class_ || !rules_check_function_owner(f, i, r))
            return NULL;
        next = instance_child(f, i, r->parts[k].name);
        if (!next)
            break;
    }
    c = i && i->class_ ? called_in_class(f, i->class_, r, k) : NULL;
    if (c && class_kind(f, c) == CLASS_OPERATOR_FUNCTION) {
        const ReferencePart *last = &r->parts[r->count - 1];
        report_error(f, last->span,
                     "%s is an operator function, which cannot be called by a component (section "
                     "5.3.2)",
                     last->name->text);
        return NULL;
    }
    return c;
}

// rooted(a), as it was written before Connections.rooted(a).
static bool is_old_rooted(Flattener *f, Scope *s, const Reference *r)
{
    return r->count == 1 && r->parts[0].name && strcmp(r->parts[0].name->text, "rooted") == 0 &&
           !lookup_class_quietly(f, s->class_, r);
}

FlatExpression *elaborate_call(Flattener *f, Scope *s, const Expression *e)
{
    const Reference *function = e->call.function;
    const Functional *input = functional_input(s, function);
    if (input)
        return value_call(f, s, input, e);
    const Operation op = elaborate_operation(f, s, function);
    if (op != OPERATION_COUNT)
        return elaborate_builtin(f, s, e, op);
    if (graph_is_operator(f, function) || is_old_rooted(f, s, function))
        return graph_expression(f, s, e);
    Class *c = elaborate_called_class(f, s, function);
    if (!c)
        return build_none(f, e->span);
    if (class_is_simple(f, c) && c->simple == PREDEFINED_ENUMERATION) {
        if (e->call.count != 1 || e->call.named_count) {
            report_error(f, e->span, "an enumeration value is made from one Integer");
            return build_none(f, e->span);
        }
        return build_to_enumeration(f, class_type(f, c), elaborate(f, s, e->call.arguments[0]),
                                    e->span);
    }
    if (class_is_simple(f, c) && c->simple == PREDEFINED_EXTERNAL_OBJECT && c->definition)
        c = external_constructor(f, c, function->span);
    if (!c)
        return build_none(f, e->span);
    if (class_is_function(f, c))
        return call_class(f, s, c, e);
    if (overload_has(f, class_type(f, c), "'constructor'"))
        return overload_call(f, s, class_type(f, c), "'constructor'", e);
    if (class_is_record(f, c))
        return record_call(f, s, c, e);
    report_error(f, function->span, "'%s' is a %s and cannot be called",
                 reference_text(f, function), class_kind_text(class_kind(f, c)));
    return build_none(f, e->span);
}

FlatExpression *elaborate_function(Flattener *f, Class *c, uint32_t count, FlatExpression **values,
                                   Span span)
{
    FlatFunction *fn = function_of(f, c, span);
    if (!fn)
        return build_none(f, span);
    Reference name = {.span = span, .count = 0};
    const Expression call = {.kind = EXPRESSION_CALL, .span = span, .call = {.function = &name}};
    Scope s = scope_of_class(c);
    Arguments a = {.values = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *)};
    if (count > fn->input_count || !fn->output_count) {
        report_error(f, fn->span, "function '%s' must have %u inputs and an output", fn->name,
                     (unsigned)count);
        return build_none(f, span);
    }
    copy_items(a.values, values, count * sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        if (expression_is_none(values[i]))
            return values[i];
    if (!fill_defaults(f, &s, fn, &call, &a) || a.vector_rank)
        return build_none(f, span);
    return call_output(f, &s, call_node(f, fn, a.values, span), 0);
}

// The function that a call with several results, or none, names; false after a message.
static bool whole_callee(Flattener *f, Scope *s, const Expression *e, Functional *callee,
                         Expression *rest)
{
    const Reference *function = e->call.function;
    const Functional *input = functional_input(s, function);
    if (input) {
        *callee = *input;
        *rest = *e;
        return true;
    }
    if (graph_is_operator(f, function)) {
        graph_expression(f, s, e);
        return false;
    }
    const Operation op = elaborate_operation(f, s, function);
    Class *c = op == OPERATION_COUNT ? elaborate_called_class(f, s, function) : NULL;
    if ((!c && op == OPERATION_COUNT) || (!c && call_reject_operation(f, e, op)))
        return false;
    if (!c || !class_is_function(f, c)) {
        report_error(f, function->span, "'%s' does not have several results",
                     reference_text(f, function));
        return false;
    }
    return functional_callee(f, s, c, e, callee, rest);
}

bool elaborate_is_error(Flattener *f, Scope *s, const Expression *e)
{
    const Reference *function = e->call.function;
    if (functional_input(s, function) || graph_is_operator(f, function) ||
        elaborate_operation(f, s, function) != OPERATION_COUNT)
        return false;
    Class *c = elaborate_called_class(f, s, function);
    const External *external = c && class_is_function(f, c) ? external_of(c) : NULL;
    return external && external->function && strcmp(external->function->text, "ModelicaError") == 0;
}

FlatExpression *elaborate_whole_call(Flattener *f, Scope *s, const Expression *e)
{
    Functional callee;
    Expression rest;
    Arguments a = {0};
    if (!whole_callee(f, s, e, &callee, &rest) || !read_arguments(f, s, &callee, &rest, &a))
        return NULL;
    if (a.vector_rank) {
        report_error(f, e->span, "a call with several results cannot be repeated over arrays");
        return NULL;
    }
    return call_node(f, callee.function, a.values, e->span);
}
