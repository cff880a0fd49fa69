// SPDX-License-Identifier: MIT

#include "flatten/functional.h"

#include "flatten/lookup.h"

Functional functional_of(Flattener *f, FlatFunction *fn)
{
    return (Functional){.function = fn,
                        .bound = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *),
                        .visible = fn->input_count};
}

const Functional *functional_input(const Scope *s, const Reference *r)
{
    return s->function && r->count == 1 && !r->is_global && r->parts[0].name
               ? map_find(&s->function->functionals, r->parts[0].name)
               : NULL;
}

// The free input of that place; NULL: there are not so many.
static FlatLocal *free_input(const Functional *value, uint32_t place)
{
    for (uint32_t i = 0; i < value->function->input_count; i++)
        if (!value->bound[i] && place-- == 0)
            return value->function->locals[i];
    return NULL;
}

FlatLocal *functional_named(const Functional *value, const Name *name)
{
    if (value->expected) {
        const FlatLocal *input = function_input(value->expected, name);
        return input ? free_input(value, input->index) : NULL;
    }
    FlatLocal *input = function_input(value->function, name);
    for (uint32_t k = 0; input && !value->bound[input->index]; k++) {
        const FlatLocal *visible = k < value->visible ? free_input(value, k) : NULL;
        if (!visible || visible == input)
            return visible ? input : NULL;
    }
    return input;
}

// ---------------------------------------------------------------------------
// Built-in functions
// ---------------------------------------------------------------------------

// The name of an argument of an operation, from a list separated by blanks.
static const Name *argument_name(Flattener *f, const char *list, uint32_t place)
{
    for (; place > 0; place--)
        list += strcspn(list, " ") + 1;
    return names_intern(f->names, list, strcspn(list, " "));
}

static FlatLocal *functional_add_local(Flattener *f, FlatFunction *fn, const Name *name,
                                       FlatLocalRole role, char letter)
{
    const FlatType *type = letter == 'I' ? &flat_type_integer : &flat_type_real;
    FlatLocal *local = function_variable(f, name, role, type, fn->span);
    local->index = fn->local_count;
    local->is_assigned = role == FLAT_ROLE_OUTPUT;
    fn->locals[fn->local_count++] = local;
    return local;
}

// function sin_function input Real u; output Real y; algorithm y := sin(u); of the operations on
// numbers; NULL after a message.
FlatFunction *functional_operation(Flattener *f, Operation op, Span span)
{
    const OperationInfo *info = operation_info(op);
    FlatFunction *fn = map_find(&f->calls.wrapped, info);
    if (fn)
        return fn;
    if (!operation_is_function(op)) {
        report_error(f, span, "'%s' is no function of numbers: write a function that calls it",
                     info->text);
        return NULL;
    }
    const char *letters = info->signature + 1, *end = strchr(letters, '>');
    const uint32_t count = (uint32_t)(end - letters);
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "%s_function", info->text);
    fn = ARENA_NEW(f->arena, FlatFunction);
    *fn = (FlatFunction){.name = function_unique_name(f, builder_string(&name).text),
                         .smooth_order = -1,
                         .span = span,
                         .input_count = count,
                         .output_count = 1,
                         .count = 1};
    fn->locals = ARENA_ARRAY(f->arena, count + 1, FlatLocal *);
    FlatExpression **operands = ARENA_ARRAY(f->arena, count, FlatExpression *);
    for (uint32_t i = 0; i < count; i++)
        operands[i] = &functional_add_local(f, fn, argument_name(f, info->arguments, i),
                                            FLAT_ROLE_INPUT, letters[i])
                           ->reference;
    FlatStatement *st = ARENA_NEW(f->arena, FlatStatement);
    st->kind = FLAT_ASSIGN;
    st->span = span;
    st->target = &functional_add_local(f, fn, names_intern_text(f->names, "result"),
                                       FLAT_ROLE_OUTPUT, end[1])
                      ->reference;
    st->value = build_call(f, op, count, operands, span);
    fn->statements = ARENA_ARRAY(f->arena, 1, FlatStatement *);
    fn->statements[0] = st;
    list_append(f->arena, &f->made.functions, fn);
    map_set(f->arena, &f->calls.wrapped, info, fn);
    return fn;
}

// ---------------------------------------------------------------------------
// Compatibility
// ---------------------------------------------------------------------------

// What a function is given for.
typedef struct FunctionalPlace {
    const Member *member;         // the input
    const FlatFunction *expected; // its type
    const char *taker;            // the function whose input it is
    Span span;                    // of the argument
} FunctionalPlace;

static bool misfit(Flattener *f, const FunctionalPlace *p, const char *text)
{
    Diagnostic *d = report_error(f, p->span, "%s, so it cannot be input '%s' of '%s'", text,
                                 p->member->name->text, p->taker);
    report_note(f, d, p->expected->span, "what is expected is declared here");
    return false;
}

static bool functional_same_shape(const FlatExpression *a, const FlatExpression *b)
{
    if (!flat_type_equal(a->type, b->type) || a->rank != b->rank)
        return false;
    for (uint32_t k = 0; k < a->rank; k++)
        if (a->dims[k] != b->dims[k] && a->dims[k] != FLAT_UNKNOWN_SIZE &&
            b->dims[k] != FLAT_UNKNOWN_SIZE)
            return false;
    return true;
}

// Inputs and outputs must have the names and types expected; operations have no names.
static bool check_local(Flattener *f, const FunctionalPlace *p, const FlatFunction *fn,
                        const FlatLocal *given, const FlatLocal *expected, bool has_names)
{
    const char *role = expected->role == FLAT_ROLE_INPUT ? "input" : "output";
    StringBuilder text = builder_create(f->arena);
    if (!given || (has_names && given->name != expected->name)) {
        builder_append_format(&text, "'%s' has no %s '%s'%s", fn->name, role, expected->name->text,
                              given && given->role == expected->role ? " in that place" : "");
        return misfit(f, p, builder_string(&text).text);
    }
    if (!functional_same_shape(&given->reference, &expected->reference)) {
        builder_append_format(&text, "%s '%s' of '%s' is %s, not %s", role, given->name->text,
                              fn->name, expression_type_text(f, &given->reference),
                              expression_type_text(f, &expected->reference));
        return misfit(f, p, builder_string(&text).text);
    }
    if (expected->role == FLAT_ROLE_INPUT && expected->value && !given->value) {
        builder_append_format(&text, "input '%s' of '%s' has no default value", given->name->text,
                              fn->name);
        return misfit(f, p, builder_string(&text).text);
    }
    return true;
}

static bool check_inputs(Flattener *f, const FunctionalPlace *p, const Functional *value)
{
    const FlatFunction *fn = value->function;
    uint32_t place = 0;
    for (uint32_t i = 0; i < fn->input_count; i++) {
        const FlatLocal *input = fn->locals[i];
        if (value->bound[i])
            continue;
        if (place < p->expected->input_count) {
            if (place >= value->visible)
                break;
            if (!check_local(f, p, fn, input, p->expected->locals[place++], !value->is_operation))
                return false;
        } else if (!input->value) {
            StringBuilder text = builder_create(f->arena);
            builder_append_format(&text, "input '%s' of '%s' has no value", input->name->text,
                                  fn->name);
            return misfit(f, p, builder_string(&text).text);
        }
    }
    return place == p->expected->input_count ||
           check_local(f, p, fn, NULL, p->expected->locals[place], true);
}

static bool has_bound(const Functional *value)
{
    for (uint32_t i = 0; i < value->function->input_count; i++)
        if (value->bound[i])
            return true;
    return false;
}

// Definition 6.8 of the specification: the inputs and outputs expected come first, in their order;
// further inputs have default values. The outputs of `function f(a = 1)` may have other names, as
// in the examples of section 12.4.2.1.
static bool check_fit(Flattener *f, const FunctionalPlace *p, Functional *value)
{
    const FlatFunction *fn = value->function, *expected = p->expected;
    if (!check_inputs(f, p, value))
        return false;
    for (uint32_t i = 0; i < expected->output_count; i++) {
        const FlatLocal *given = i < fn->output_count ? fn->locals[fn->input_count + i] : NULL;
        if (!check_local(f, p, fn, given, expected->locals[expected->input_count + i],
                         !value->is_operation && !has_bound(value)))
            return false;
    }
    if (fn->is_impure && !expected->is_impure) {
        StringBuilder text = builder_create(f->arena);
        builder_append_format(&text, "'%s' is impure", fn->name);
        return misfit(f, p, builder_string(&text).text);
    }
    value->visible = expected->input_count;
    value->expected = expected;
    return true;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// function g(a = 2): binds inputs of the function.
static bool bind_inputs(Flattener *f, Scope *s, Functional *value, uint32_t count,
                        const NamedExpression *named)
{
    const FlatFunction *fn = value->function;
    FlatExpression **bound = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *);
    copy_items(bound, value->bound, fn->input_count * sizeof *bound);
    for (uint32_t i = 0; i < count; i++) {
        const FlatLocal *input = named[i].name ? functional_named(value, named[i].name) : NULL;
        if (!input || bound[input->index]) {
            report_error(f, named[i].span,
                         input ? "function '%s' has its input '%s' bound already"
                               : "function '%s' has no input '%s'",
                         fn->name, named[i].name ? named[i].name->text : "");
            return false;
        }
        StringBuilder what = builder_create(f->arena);
        builder_append_format(&what, "input '%s' of '%s'", input->name->text, fn->name);
        FlatExpression *e =
            build_expect(f, elaborate(f, s, named[i].value), input->reference.type,
                         input->reference.rank, input->reference.dims, builder_string(&what).text);
        if (expression_is_none(e))
            return false;
        bound[input->index] = e;
    }
    value->bound = bound;
    value->visible -= count;
    value->expected = count ? NULL : value->expected; // what is left has other places there
    return true;
}

// What a name in the place of a function means; `rest` gets what is still to be bound.
static bool named_function(Flattener *f, Scope *s, const Expression *call, Functional *value,
                           Expression *rest)
{
    const Reference *r = call->call.function;
    const Functional *input = functional_input(s, r);
    *rest = *call;
    if (input) {
        *value = *input;
        return true;
    }
    Operation op = elaborate_operation(f, s, r);
    Class *c = op == OPERATION_COUNT ? elaborate_called_class(f, s, r) : NULL;
    if (op == OPERATION_COUNT && !c)
        return false;
    if (c && !class_is_function(f, c)) {
        report_error(f, r->span, "'%s' is a %s, but a function is expected here",
                     reference_text(f, r), class_kind_text(class_kind(f, c)));
        return false;
    }
    if (c && (op = function_operation(f, c)) == OPERATION_COUNT)
        return functional_callee(f, s, c, call, value, rest);
    FlatFunction *fn = functional_operation(f, op, r->span);
    if (!fn)
        return false;
    *value = functional_of(f, fn);
    value->is_operation = true;
    return true;
}

static bool evaluate_functional(Flattener *f, Scope *s, const Expression *e,
                                const FunctionalPlace *p, Functional *value)
{
    Expression call = {.kind = EXPRESSION_CALL, .span = e->span};
    if (e->kind == EXPRESSION_REFERENCE) {
        call.call.function = e->reference;
    } else if (e->kind == EXPRESSION_PARTIAL) {
        call.call.function = e->partial.function;
        call.call.named = e->partial.named;
        call.call.named_count = e->partial.named_count;
    } else {
        report_error(f, e->span, "input '%s' of '%s' is a function: give the name of one",
                     p->member->name->text, p->taker);
        return false;
    }
    Expression rest;
    return named_function(f, s, &call, value, &rest) &&
           bind_inputs(f, s, value, rest.call.named_count, rest.call.named) &&
           check_fit(f, p, value);
}

// ---------------------------------------------------------------------------
// Calls of functions that take functions
// ---------------------------------------------------------------------------

// The default of an input that is a function; NULL: it has none.
static const Layer *default_of(Flattener *f, const Member *member)
{
    const Component *component = function_component(member);
    const Layer *own = layer_create(f, component->modification, member->scope, NULL, NULL);
    return layers_value(layers_join(f, member->layers, own));
}

// A call, taken apart.
typedef struct Taking {
    Class *class_;
    const Expression *call;
    Expression *rest;
    Functional *given; // for its inputs that are functions
    uint32_t count;
} Taking;

static const Expression *named_argument(const Taking *t, const Name *name)
{
    for (uint32_t k = 0; k < t->call->call.named_count; k++)
        if (t->call->call.named[k].name == name)
            return t->call->call.named[k].value;
    return NULL;
}

static bool take_function(Flattener *f, Scope *s, Taking *t, Member *member, const Expression *e)
{
    const Component *component = function_component(member);
    FunctionalPlace p = {.member = member, .taker = class_name(f, t->class_)};
    p.expected = function_signature(f, member_class(f, member), component->clause->type->span);
    if (!p.expected)
        return false;
    if (component->subscript_count || component->clause->subscript_count) {
        report_error(f, component->name_span, "there are no arrays of functions");
        return false;
    }
    const Layer *value = e ? NULL : default_of(f, member);
    Scope outside = {.class_ = value ? value->scope : NULL};
    if (value) {
        e = layer_value(value);
        s = &outside;
    }
    p.span = e ? e->span : t->call->span;
    if (!e) {
        report_error(f, t->call->span, "input '%s' of function '%s' is missing", member->name->text,
                     p.taker);
        return false;
    }
    return evaluate_functional(f, s, e, &p, &t->given[t->count++]);
}

static bool is_functional_name(Flattener *f, Class *c, const Name *name)
{
    Member *member = name ? class_member(f, c, name) : NULL;
    return member && function_is_functional(f, member);
}

// Sorts the arguments into those that are functions and the rest.
static bool take_functions(Flattener *f, Scope *s, Taking *t)
{
    const Expression *call = t->call;
    Expression *rest = t->rest;
    *rest = *call;
    rest->call.count = rest->call.named_count = 0;
    rest->call.arguments = ARENA_ARRAY(f->arena, call->call.count + 1, Expression *);
    rest->call.named = ARENA_ARRAY(f->arena, call->call.named_count + 1, NamedExpression);
    t->given = ARENA_ARRAY(f->arena, t->class_->component_count + 1, Functional);
    uint32_t place = 0;
    for (uint32_t i = 0; i < t->class_->component_count; i++) {
        Member *member = t->class_->components[i];
        if (function_component(member)->clause->direction != DIRECTION_INPUT)
            continue;
        Expression *e = place < call->call.count ? call->call.arguments[place] : NULL;
        const Expression *by_name = named_argument(t, member->name);
        place++;
        if (!function_is_functional(f, member)) {
            if (e)
                rest->call.arguments[rest->call.count++] = e;
            continue;
        }
        if (e && by_name) {
            report_error(f, by_name->span, "input '%s' of '%s' is given twice", member->name->text,
                         class_name(f, t->class_));
            return false;
        }
        if (!take_function(f, s, t, member, e ? e : by_name))
            return false;
    }
    if (place < call->call.count) {
        report_error(f, call->span, "function '%s' takes %u argument%s, but %u are given",
                     class_name(f, t->class_), (unsigned)place, place == 1 ? "" : "s",
                     (unsigned)call->call.count);
        return false;
    }
    for (uint32_t k = 0; k < call->call.named_count; k++)
        if (!is_functional_name(f, t->class_, call->call.named[k].name))
            rest->call.named[rest->call.named_count++] = call->call.named[k];
    return true;
}

bool functional_callee(Flattener *f, Scope *s, Class *c, const Expression *call, Functional *callee,
                       Expression *rest)
{
    const Span use = call->call.function->span;
    if (!function_takes_functions(f, c)) {
        FlatFunction *fn = function_of(f, c, use);
        *rest = *call;
        if (fn)
            *callee = functional_of(f, fn);
        return fn != NULL;
    }
    Taking t = {.class_ = c, .call = call, .rest = rest};
    if (!take_functions(f, s, &t))
        return false;
    FlatFunction *fn = function_specialised(f, c, t.count, t.given, use);
    if (!fn)
        return false;
    *callee = functional_of(f, fn);
    // What the functions are bound to comes last.
    uint32_t next = fn->input_count;
    for (uint32_t i = t.count; i-- > 0;)
        for (uint32_t k = t.given[i].function->input_count; k-- > 0;)
            if (t.given[i].bound[k])
                callee->bound[--next] = t.given[i].bound[k];
    callee->visible = next;
    return true;
}
