// SPDX-License-Identifier: MIT
//
// Function classes to FlatFunctions: see function.h. A record class gives its constructor, a
// function without statements whose inputs are the record's fields.

#include "flatten/function.h"

#include "flatten/evaluate.h"
#include "flatten/external.h"
#include "flatten/lookup.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Locals
// ---------------------------------------------------------------------------

FlatExpression *function_local(Flattener *f, FunctionBuilder *builder, const Name *name)
{
    (void)f;
    FlatLocal *local = map_find(&builder->names, name);
    return local ? &local->reference : NULL;
}

FlatLocal *function_variable(Flattener *f, const Name *name, FlatLocalRole role,
                             const FlatType *type, Span span)
{
    FlatLocal *local = ARENA_NEW(f->arena, FlatLocal);
    local->name = name;
    local->role = role;
    local->span = span;
    local->reference = (FlatExpression){
        .kind = FLAT_LOCAL, .variability = FLAT_CONTINUOUS, .span = span, .type = type};
    local->reference.local = local;
    return local;
}

FlatLocal *function_iterator(Flattener *f, FunctionBuilder *builder, const Name *name,
                             const FlatType *type, Span span)
{
    FlatLocal *local = function_variable(f, name, FLAT_ROLE_ITERATOR, type, span);
    List *list = builder ? &builder->locals : &f->made.iterators;
    local->index = list->count;
    list_append(f->arena, list, local);
    return local;
}

const Component *function_component(const Member *member)
{
    const Layer *redeclaration = layers_redeclaration(member->layers);
    return redeclaration && redeclaration->redeclaration->kind == ELEMENT_COMPONENT
               ? redeclaration->redeclaration->component
               : member->element->component;
}

// The prefix of the declaration, or else of its type: `type T = input Real`.
static Direction direction_of_member(Flattener *f, Member *member)
{
    const Layer *redeclaration = layers_redeclaration(member->layers);
    const bool is_one = redeclaration && redeclaration->redeclaration->kind == ELEMENT_COMPONENT;
    const Direction declared =
        member_direction(member, is_one ? redeclaration->redeclaration : NULL);
    Class *type = declared == DIRECTION_NONE ? member_class(f, member) : NULL;
    return type ? class_direction(f, type) : declared;
}

// The value that a declaration, or a modification of it, gives; NULL: none.
static const Layer *declared_value(Flattener *f, const Member *member)
{
    const Modification *own = function_component(member)->modification;
    return layers_value(
        layers_join(f, member->layers, layer_create(f, own, member->scope, NULL, NULL)));
}

// A member of a record is an input of its constructor unless it is final, or a constant that has
// its value (section 12.6.1).
static FlatLocalRole role_of(Flattener *f, const Component *component, bool is_constructor,
                             Member *member)
{
    if (is_constructor) {
        const bool is_constant = component->clause->variability == VARIABILITY_CONSTANT;
        return member->is_final || (is_constant && declared_value(f, member)) ? FLAT_ROLE_PROTECTED
                                                                              : FLAT_ROLE_INPUT;
    }
    switch (direction_of_member(f, member)) {
    case DIRECTION_INPUT:
        return FLAT_ROLE_INPUT;
    case DIRECTION_OUTPUT:
        return FLAT_ROLE_OUTPUT;
    default:
        return FLAT_ROLE_PROTECTED;
    }
}

bool function_is_functional(Flattener *f, Member *member)
{
    if (!member->is_component || direction_of_member(f, member) != DIRECTION_INPUT)
        return false;
    Class *c = member_class(f, member);
    return c && class_is_function(f, c);
}

bool function_takes_functions(Flattener *f, Class *c)
{
    class_expand(f, c);
    if (class_is_record(f, c))
        return false;
    for (uint32_t i = 0; i < c->component_count; i++)
        if (function_is_functional(f, c->components[i]))
            return true;
    return false;
}

FlatLocal *function_input(const FlatFunction *fn, const Name *name)
{
    for (uint32_t i = 0; i < fn->input_count; i++)
        if (fn->locals[i]->name == name)
            return fn->locals[i];
    return NULL;
}

static void add_local_of(Flattener *f, FunctionBuilder *b, FlatLocal *local)
{
    local->index = b->locals.count;
    list_append(f->arena, &b->locals, local);
    map_set(f->arena, &b->names, local->name, local);
}

static bool flatten_function_add_local(Flattener *f, FunctionBuilder *b, Member *member,
                                       FlatLocalRole role, bool is_constructor)
{
    const Component *component = function_component(member);
    Class *c = member_class(f, member);
    if (!c)
        return false;
    const FlatType *type = class_type(f, c);
    if (type->kind == FLAT_TYPE_NONE) {
        if (class_is_function(f, c))
            report_error(f, component->clause->type->span,
                         "a variable of a function that is a function must be an input");
        else if (!c->is_broken)
            report_error(f, component->clause->type->span,
                         "a variable of a function cannot be of type '%s'", class_name(f, c));
        return false;
    }
    if (!is_constructor && role == FLAT_ROLE_PROTECTED && !member->is_protected &&
        component->clause->variability == VARIABILITY_NONE)
        report_error(f, component->name_span,
                     "'%s' is a public variable of a function: it must be input, output or "
                     "protected",
                     member->name->text);
    add_local_of(f, b, function_variable(f, member->name, role, type, component->name_span));
    return true;
}

// The subscripts of a declaration and of its type, and the classes they are looked up in.
static void function_declared_sizes(Flattener *f, Member *member, List *subscripts, List *scopes)
{
    const Component *component = function_component(member);
    if (!component->subscript_count && !component->clause->subscript_count)
        component = member->element->component; // a redeclaration has the sizes of what it replaces
    for (uint32_t i = 0; i < component->subscript_count; i++) {
        list_append(f->arena, subscripts, component->subscripts[i]);
        list_append(f->arena, scopes, member->scope);
    }
    for (uint32_t i = 0; i < component->clause->subscript_count; i++) {
        list_append(f->arena, subscripts, component->clause->subscripts[i]);
        list_append(f->arena, scopes, member->scope);
    }
    class_sizes(f, member_class(f, member), subscripts, scopes);
}

// The number of dimensions, known before any size: `input Real a[:, size(a, 1)]`.
static void give_rank(Flattener *f, FunctionBuilder *b, Member *member)
{
    FlatLocal *local = map_find(&b->names, member->name);
    List subscripts = {0}, scopes = {0};
    if (!local)
        return;
    function_declared_sizes(f, member, &subscripts, &scopes);
    uint32_t *dims = ARENA_ARRAY(f->arena, subscripts.count + 1, uint32_t);
    for (uint32_t i = 0; i < subscripts.count; i++)
        dims[i] = FLAT_UNKNOWN_SIZE;
    local->reference.rank = (uint8_t)subscripts.count;
    local->reference.dims = dims;
}

// Sizes and values may use all other locals, so they come after them.
static void give_sizes(Flattener *f, FunctionBuilder *b, Member *member)
{
    FlatLocal *local = map_find(&b->names, member->name);
    List subscripts = {0}, scopes = {0};
    if (!local)
        return;
    function_declared_sizes(f, member, &subscripts, &scopes);
    uint32_t *dims = ARENA_ARRAY(f->arena, subscripts.count + 1, uint32_t);
    local->sizes = ARENA_ARRAY(f->arena, subscripts.count + 1, FlatExpression *);
    for (uint32_t i = 0; i < subscripts.count; i++) {
        const Expression *e = subscripts.items[i];
        dims[i] = FLAT_UNKNOWN_SIZE;
        if (e->kind == EXPRESSION_COLON)
            continue;
        Scope s = {.class_ = scopes.items[i], .function = b};
        local->sizes[i] = elaborate_size(f, &s, e, false);
        int64_t size;
        if (local->sizes[i] && evaluate_integer(f, local->sizes[i], NULL, &size) && size >= 0 &&
            size <= LIMIT_SCALARS)
            dims[i] = (uint32_t)size;
    }
    local->reference.dims = dims;
}

static void give_value(Flattener *f, FunctionBuilder *b, Member *member)
{
    FlatLocal *local = map_find(&b->names, member->name);
    if (!local)
        return;
    const Layer *value = declared_value(f, member);
    if (!value)
        return;
    // function f = lin(k = g) in a model: g is the parameter of the instance that calls f.
    if (local->role == FLAT_ROLE_INPUT && value->scope != member->scope &&
        class_is_model(f, value->scope)) {
        local->late = value;
        return;
    }
    Scope s = {.class_ = value->scope};
    if (value->scope == member->scope)
        s.function = b;
    StringBuilder what = builder_create(f->arena);
    builder_append_format(&what, "the value of '%s'", member->name->text);
    FlatExpression *e = elaborate(f, &s, layer_value(value));
    e = build_expect(f, e, local->reference.type, local->reference.rank, local->reference.dims,
                     builder_string(&what).text);
    local->value = expression_is_none(e) ? NULL : e;
}

// ---------------------------------------------------------------------------
// Functions as inputs
// ---------------------------------------------------------------------------

// The input through which the value comes that input `of` of the function `member` is bound to.
static FlatLocal *add_hidden(Flattener *f, FunctionBuilder *b, const Member *member,
                             const FlatLocal *of)
{
    const uint32_t rank = of->reference.rank;
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "%s.%s", member->name->text, of->name->text);
    const String text = builder_string(&name);
    FlatLocal *local =
        function_variable(f, names_intern(f->names, text.text, text.length), FLAT_ROLE_INPUT,
                          of->reference.type, function_component(member)->name_span);
    build_shape(f, &local->reference, rank, of->reference.dims);
    local->sizes = ARENA_ARRAY(f->arena, rank + 1u, FlatExpression *);
    for (uint32_t k = 0; k < rank; k++)
        if (of->reference.dims[k] != FLAT_UNKNOWN_SIZE)
            local->sizes[k] = build_integer(f, of->reference.dims[k], local->span);
    add_local_of(f, b, local);
    return local;
}

static void add_functionals(Flattener *f, FunctionBuilder *b)
{
    const Functional *given = b->given;
    for (uint32_t i = 0; given && i < b->class_->component_count; i++) {
        const Member *member = b->class_->components[i];
        if (!function_is_functional(f, b->class_->components[i]))
            continue;
        Functional *inside = ARENA_NEW(f->arena, Functional);
        *inside = *given;
        inside->bound = ARENA_ARRAY(f->arena, given->function->input_count + 1, FlatExpression *);
        for (uint32_t k = 0; k < given->function->input_count; k++)
            if (given->bound[k])
                inside->bound[k] = &add_hidden(f, b, member, given->function->locals[k])->reference;
        map_set(f->arena, &b->functionals, member->name, inside);
        given++;
    }
}

static bool add_locals(Flattener *f, FunctionBuilder *b, bool is_constructor)
{
    Class *c = b->class_;
    bool is_fine = true;
    static const FlatLocalRole roles[] = {FLAT_ROLE_INPUT, FLAT_ROLE_OUTPUT, FLAT_ROLE_PROTECTED};
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        for (uint32_t i = 0; i < c->component_count; i++) {
            Member *member = c->components[i];
            if (role_of(f, function_component(member), is_constructor, member) == roles[r] &&
                (is_constructor || !function_is_functional(f, member)))
                is_fine =
                    flatten_function_add_local(f, b, member, roles[r], is_constructor) && is_fine;
        }
        if (roles[r] == FLAT_ROLE_INPUT) {
            add_functionals(f, b);
            b->function->input_count = b->locals.count;
        }
        if (roles[r] == FLAT_ROLE_OUTPUT)
            b->function->output_count = b->locals.count - b->function->input_count;
    }
    b->function->local_count = b->locals.count;
    b->function->locals = (FlatLocal **)(void *)b->locals.items;
    for (uint32_t i = 0; is_fine && i < c->component_count; i++)
        give_rank(f, b, c->components[i]);
    for (uint32_t i = 0; is_fine && i < c->component_count; i++)
        give_sizes(f, b, c->components[i]);
    for (uint32_t i = 0; is_fine && i < c->component_count; i++)
        give_value(f, b, c->components[i]);
    return is_fine;
}

// ---------------------------------------------------------------------------
// The body
// ---------------------------------------------------------------------------

static void add_sections(Flattener *f, FunctionBuilder *b, Class *c, List *out)
{
    for (uint32_t i = 0; i < c->base_count; i++)
        add_sections(f, b, c->bases[i].class_, out);
    const ClassDefinition *d = c->definition;
    if (!d || (d->form != FORM_LONG && d->form != FORM_EXTENDING))
        return;
    for (uint32_t i = 0; i < d->body.section_count; i++) {
        const Section *section = d->body.sections[i];
        if (!section->is_algorithm) {
            report_error(
                f, section->span,
                "a function cannot have equations; it computes in an 'algorithm', with ':='");
            continue;
        }
        Scope s = {.class_ = c, .function = b, .in_algorithm = true};
        statements_translate(f, &s, section->count, section->statements, out);
    }
}

// A function that is called must compute its outputs (section 12.2). Whether it does so on every
// path is not asked; the fields of a record may have values of their own.
static void check_outputs(Flattener *f, const FlatFunction *fn)
{
    for (uint32_t i = fn->input_count; i < fn->input_count + fn->output_count; i++) {
        const FlatLocal *output = fn->locals[i];
        if (!output->value && !output->is_assigned && expression_size(&output->reference) > 0 &&
            output->reference.type->kind != FLAT_TYPE_RECORD)
            report_error(f, output->span, "output '%s' of function '%s' is never assigned",
                         output->name->text, fn->name);
    }
}

// y = sin(u) in C, of the inputs as they are: C's functions of Reals have the names of Modelica's
// and the same meaning, apart from those with events.
static bool is_of_c_library(const Class *c, const External *external, const OperationInfo *info)
{
    const Operator op = operation_operator((Operation)(info - operation_info((Operation)0)));
    if (op == OPERATOR_COUNT || operator_info(op)->traits & (OPERATOR_STEPS | OPERATOR_JUMPS) ||
        strncmp(info->signature, "!R", 2) != 0 || !external->function || !external->result)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->component_count; i++) {
        const Member *member = c->components[i];
        if (member->element->component->clause->direction != DIRECTION_INPUT)
            continue;
        const Expression *e = count < external->count ? external->arguments[count] : NULL;
        if (!e || e->kind != EXPRESSION_REFERENCE || e->reference->count != 1 ||
            e->reference->parts[0].subscript_count || e->reference->parts[0].name != member->name)
            return false;
        count++;
    }
    return count == external->count && count == strlen(info->signature) - 3; // "!RR>R"
}

Operation function_operation(Flattener *f, Class *c)
{
    class_expand(f, c);
    const External *external = external_of(c);
    const bool is_c = external && (!external->language.text ||
                                   string_equal(external->language, string_from("C")));
    if (!external || class_is_partial(c) || // which is no function to call
        (!is_c && !string_equal(external->language, string_from("builtin"))))
        return OPERATION_COUNT;
    const Name *name = external->function ? external->function : c->name;
    const OperationInfo *info = map_find(&f->operations, name);
    return info && (!is_c || is_of_c_library(c, external, info))
               ? (Operation)(info - operation_info((Operation)0))
               : OPERATION_COUNT;
}

// ---------------------------------------------------------------------------
// The entry
// ---------------------------------------------------------------------------

// NULL for one that could not be made.
static FlatFunction *named(FlatFunction *fn)
{
    return fn->name ? fn : NULL;
}

static bool is_impure(const Class *c)
{
    if (c->definition && c->definition->purity == PURITY_IMPURE)
        return true;
    for (uint32_t i = 0; i < c->base_count; i++)
        if (is_impure(c->bases[i].class_))
            return true;
    return false;
}

static bool can_be_called(Flattener *f, Class *c, Span use)
{
    const External *external = external_of(c);
    if (c->is_broken)
        return false;
    Diagnostic *d = NULL;
    if (class_is_partial(c))
        d = report_error(f, use, "'%s' is partial and cannot be called", class_name(f, c));
    else if (external && !external_is_known(f, c, external, use))
        return false;
    else if (c->definition->kind == CLASS_CLASS && c->definition->form == FORM_SHORT)
        d = report_error(f, use, "'%s' is a class and cannot be called: 'function %s = ...' can",
                         class_name(f, c), c->name->text);
    else
        return true;
    report_note(f, d, c->definition->name_span, "it is declared here");
    return false;
}

// Two functions of one name, from different redeclarations of a package, get different names.
const char *function_unique_name(Flattener *f, const char *name)
{
    unsigned number = 1;
    const Name *key = names_intern(f->names, name, strlen(name));
    while (map_find(&f->calls.function_names, key)) {
        StringBuilder text = builder_create(f->arena);
        builder_append_format(&text, "%s_%u", name, ++number);
        const String s = builder_string(&text);
        key = names_intern(f->names, s.text, s.length);
    }
    map_set(f->arena, &f->calls.function_names, key, f);
    return key->text;
}

// The inputs, outputs and protected variables; false after a message.
static bool function_declare(Flattener *f, FunctionBuilder *b, bool is_constructor)
{
    Class *c = b->class_;
    b->function->span = c->definition->name_span;
    b->function->is_impure = is_impure(c);
    b->function->smooth_order = -1;
    c->busy.is_declaring = true;
    const bool is_fine = add_locals(f, b, is_constructor);
    c->busy.is_declaring = false;
    return is_fine;
}

// The order of outputs and protected variables by what their sizes and values need
// (section 12.4.4).
typedef struct Ordering {
    Flattener *f;
    const FlatFunction *fn;
    uint8_t *marks; // 1: being placed, 2: placed
    uint32_t *order, count;
    uint32_t sized; // whose size is being looked at
    bool has_cycle;
} Ordering;

static void place_local(Ordering *o, uint32_t index);

static void place_needed(Ordering *o, const FlatExpression *e)
{
    if (e->kind == FLAT_LOCAL && e->local->index < o->fn->local_count &&
        o->fn->locals[e->local->index] == e->local)
        place_local(o, e->local->index);
    for (uint32_t i = 0; i < e->count && e->kind != FLAT_VARIABLE; i++)
        if (e->operands[i])
            place_needed(o, e->operands[i]);
}

static void place_local(Ordering *o, uint32_t index)
{
    const FlatLocal *local = o->fn->locals[index];
    if (index < o->fn->input_count || o->marks[index] == 2)
        return;
    if (o->marks[index] == 1 && index == o->sized)
        return; // Real a[2, size(a, 1)]
    if (o->marks[index] == 1) {
        if (!o->has_cycle)
            report_error(o->f, local->span, "the value of '%s' in '%s' depends on itself",
                         local->name->text, o->fn->name);
        o->has_cycle = true;
        return;
    }
    o->marks[index] = 1;
    for (uint32_t k = 0; local->sizes && k < local->reference.rank; k++)
        if (local->sizes[k]) {
            o->sized = index;
            place_needed(o, local->sizes[k]);
        }
    o->sized = UINT32_MAX;
    if (local->value)
        place_needed(o, local->value);
    o->marks[index] = 2;
    o->order[o->count++] = index;
}

static void order_locals(Flattener *f, FlatFunction *fn)
{
    Ordering o = {.f = f,
                  .fn = fn,
                  .marks = ARENA_ARRAY(f->arena, fn->local_count + 1, uint8_t),
                  .order = ARENA_ARRAY(f->arena, fn->local_count + 1, uint32_t)};
    for (uint32_t i = fn->input_count; i < fn->local_count; i++)
        place_local(&o, i);
    fn->order = o.order;
}

static void make_body(Flattener *f, FunctionBuilder *b)
{
    FlatFunction *fn = b->function;
    List statements = b->beginning;
    add_sections(f, b, b->class_, &statements);
    if (external_of(b->class_))
        external_bind(f, b, external_of(b->class_));
    fn->statements = (FlatStatement **)(void *)statements.items;
    fn->count = statements.count;
    if (!b->given) // annotations speak of functions with functions as inputs
        function_annotations(f, b, b->class_);
    fn->locals = (FlatLocal **)(void *)b->locals.items;
    fn->local_count = b->locals.count;
    fn->is_made = true;
}

static void make_derivative(Flattener *f, Class *c, FlatFunction *fn)
{
    c->busy.is_declaring = true;
    const bool is_fine = function_derivative(f, c, fn);
    c->busy.is_declaring = false;
    if (!is_fine)
        return;
    fn->name = function_unique_name(f, class_name(f, c));
    fn->sequence = f->made.functions.count;
    list_append(f->arena, &f->made.functions, fn);
}

static FlatFunction *function_build(Flattener *f, FunctionBuilder *b, Span use)
{
    Class *c = b->class_;
    const bool is_constructor = class_is_record(f, c);
    if (!can_be_called(f, c, use))
        return NULL;
    if (f->limits.function_depth >= LIMIT_FUNCTION_DEPTH) {
        report_error(f, use, "functions call functions more than %d deep", LIMIT_FUNCTION_DEPTH);
        return NULL;
    }
    const char *name = class_name(f, c);
    const size_t errors = f->diagnostics->error_count;
    f->limits.function_depth++;
    if (c->definition->form == FORM_DERIVATIVE) {
        make_derivative(f, c, b->function);
    } else if (function_declare(f, b, is_constructor)) {
        // from here on the function can be called, by itself too
        b->function->name = is_constructor ? name : function_unique_name(f, name);
        if (!is_constructor) {
            list_append(f->arena, &f->made.functions, b->function);
            for (uint32_t i = 0; i < c->component_count; i++)
                function_record_values(f, b, c->components[i]);
            order_locals(f, b->function);
            make_body(f, b);
            if (f->diagnostics->error_count == errors)
                check_outputs(f, b->function);
        }
    }
    f->limits.function_depth--;
    return b->function->name ? b->function : NULL;
}

// Functions stay as long as the model, also those that are first called in an equation.
static FlatFunction *function_make(Flattener *f, FunctionBuilder *b, Span use)
{
    Arena *const before = f->nodes;
    f->nodes = f->arena;
    FlatFunction *function = function_build(f, b, use);
    f->nodes = before;
    return function;
}

// Whether the values of inputs are being made, which then cannot call the function.
static bool is_declaring(Flattener *f, Class *c, Span use)
{
    if (c->busy.is_declaring)
        report_error(f, use,
                     c->definition->form == FORM_DERIVATIVE
                         ? "'%s' is the derivative of itself"
                         : "'%s' is called by the declaration of one of its own variables",
                     class_name(f, c));
    return c->busy.is_declaring;
}

FlatFunction *function_of(Flattener *f, Class *c, Span use)
{
    class_expand(f, c);
    if (c->function)
        return is_declaring(f, c, use) ? NULL : named(c->function);
    c->function = ARENA_NEW(f->arena, FlatFunction);
    if (function_takes_functions(f, c)) {
        report_error(f, use, "'%s' takes functions as arguments: it cannot be used here",
                     class_name(f, c));
        return NULL;
    }
    FunctionBuilder *b = ARENA_NEW(f->arena, FunctionBuilder);
    *b = (FunctionBuilder){.class_ = c, .function = c->function};
    return function_make(f, b, use);
}

// Whether two values of a function input are the same function with the same inputs bound.
static bool same_functional(const Functional *a, const Functional *b)
{
    if (a->function != b->function || a->visible != b->visible)
        return false;
    for (uint32_t i = 0; i < a->function->input_count; i++)
        if (!a->bound[i] != !b->bound[i])
            return false;
    return true;
}

static FunctionBuilder *find_specialised(const List *list, uint32_t count, const Functional *given)
{
    for (uint32_t i = 0; list && i < list->count; i++) {
        FunctionBuilder *b = list->items[i];
        bool is_same = true;
        for (uint32_t k = 0; k < count && is_same; k++)
            is_same = same_functional(&b->given[k], &given[k]);
        if (is_same)
            return b;
    }
    return NULL;
}

FlatFunction *function_specialised(Flattener *f, Class *c, uint32_t count, const Functional *given,
                                   Span use)
{
    List *list = map_find(&f->calls.specialised, c);
    FunctionBuilder *b = find_specialised(list, count, given);
    if (b)
        return is_declaring(f, c, use) ? NULL : named(b->function);
    if (list && list->count >= LIMIT_SPECIALISATIONS) {
        report_error(f, use, "'%s' is called with more than %d different functions as arguments",
                     class_name(f, c), LIMIT_SPECIALISATIONS);
        return NULL;
    }
    if (!list) {
        list = ARENA_NEW(f->arena, List);
        map_set(f->arena, &f->calls.specialised, c, list);
    }
    b = ARENA_NEW(f->arena, FunctionBuilder);
    *b = (FunctionBuilder){.class_ = c, .function = ARENA_NEW(f->arena, FlatFunction)};
    Functional *kept = ARENA_ARRAY(f->arena, count, Functional);
    copy_items(kept, given, count * sizeof *kept);
    b->given = kept;
    list_append(f->arena, list, b);
    return function_make(f, b, use);
}

FlatFunction *function_signature(Flattener *f, Class *c, Span use)
{
    class_expand(f, c);
    FlatFunction *known = map_find(&f->calls.signatures, c);
    if (known)
        return named(known);
    FunctionBuilder *b = ARENA_NEW(f->arena, FunctionBuilder);
    *b = (FunctionBuilder){.class_ = c, .function = ARENA_NEW(f->arena, FlatFunction)};
    map_set(f->arena, &f->calls.signatures, c, b->function);
    if (c->is_broken || is_declaring(f, c, use))
        return NULL;
    if (function_takes_functions(f, c)) {
        report_error(f, use, "a function as an argument cannot take functions itself");
        return NULL;
    }
    if (function_declare(f, b, false))
        b->function->name = class_name(f, c);
    return named(b->function);
}

FlatFunction *function_identity(Flattener *f, uint32_t count, FlatExpression *const *values)
{
    StringBuilder name = builder_create(f->arena);
    builder_append_text(&name, "'(");
    for (uint32_t i = 0; i < count; i++)
        builder_append_format(&name, "%s%s", i ? ", " : "", values[i]->type->name);
    builder_append_text(&name, ")'");
    const String s = builder_string(&name);
    const Name *key = names_intern(f->names, s.text, s.length);
    FlatFunction *fn = map_find(&f->calls.identities, key);
    if (fn)
        return fn;
    fn = ARENA_NEW(f->arena, FlatFunction);
    *fn = (FlatFunction){.name = key->text,
                         .smooth_order = -1,
                         .input_count = count,
                         .output_count = count,
                         .local_count = 2 * count,
                         .count = count};
    fn->locals = ARENA_ARRAY(f->arena, 2 * count, FlatLocal *);
    fn->statements = ARENA_ARRAY(f->arena, count, FlatStatement *);
    for (uint32_t i = 0; i < 2 * count; i++) {
        char text[32];
        const bool is_input = i < count;
        snprintf(text, sizeof text, "%c%u", is_input ? 'x' : 'y', (unsigned)(i % count + 1));
        fn->locals[i] = function_variable(f, names_intern_text(f->names, text),
                                          is_input ? FLAT_ROLE_INPUT : FLAT_ROLE_OUTPUT,
                                          values[i % count]->type, values[i % count]->span);
        fn->locals[i]->index = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        FlatStatement *st = fn->statements[i] = ARENA_NEW(f->arena, FlatStatement);
        st->kind = FLAT_ASSIGN;
        st->target = &fn->locals[count + i]->reference;
        st->value = &fn->locals[i]->reference;
    }
    map_set(f->arena, &f->calls.identities, key, fn);
    return fn;
}

bool function_output_sizes(Flattener *f, const FlatFunction *fn, uint32_t output,
                           FlatExpression **arguments, uint32_t *dims)
{
    while (fn->derivative_of) // has the same sizes
        fn = fn->derivative_of;
    const FlatLocal *local = fn->locals[fn->input_count + output];
    for (uint32_t k = 0; k < local->reference.rank; k++) {
        dims[k] = local->reference.dims[k];
        if (dims[k] != FLAT_UNKNOWN_SIZE)
            continue;
        int64_t size;
        if (!local->sizes[k] || !evaluate_size(f, fn, arguments, local->sizes[k], &size) ||
            size < 0 || size > LIMIT_SCALARS)
            return false;
        dims[k] = (uint32_t)size;
    }
    return true;
}
