// SPDX-License-Identifier: MIT
//
// Bindings and attributes of components, from their layers of modifications.
//
// A value written at an array of components is distributed: element (i, j) of the array takes
// element [i, j] of the value, unless the modification says `each` (section 7.2.5).

#include "flatten/elaborate.h"
#include "flatten/evaluate.h"

Scope scope_of_instance(Instance *i, Class *text)
{
    return (Scope){.class_ = text, .instance = i};
}

Scope scope_of_class(Class *text)
{
    return (Scope){.class_ = text};
}

Scope scope_of_layer(Flattener *f, const Layer *layer, Instance *at)
{
    Instance *context = layer->context;
    if (!context)
        context = instance_of_scope(f, at, layer->scope);
    return scope_of_instance(context, layer->scope);
}

// ---------------------------------------------------------------------------
// Values of layers
// ---------------------------------------------------------------------------

// The value of a modification of an array of components is elaborated once, not once per element.
static FlatExpression *elaborate_layer(Flattener *f, const Layer *layer, Instance *at)
{
    const Expression *e = layer_value(layer);
    Scope s = scope_of_layer(f, layer, at);
    if (!layer->subscripts)
        return elaborate(f, &s, e);
    FlatExpression *value = map_find(&f->seen.values, e);
    if (value && map_find(&f->seen.contexts, e) == s.instance)
        return value;
    value = elaborate(f, &s, e);
    map_set(f->arena, &f->seen.values, e, value);
    map_set(f->arena, &f->seen.contexts, e, s.instance);
    return value;
}

static uint32_t count_subscripts(const Subscripts *s)
{
    uint32_t count = 0;
    for (; s; s = s->outer)
        count += instance_parent(s->element)->flat->rank;
    return count;
}

// The part of a distributed value that belongs to the elements on the way.
static FlatExpression *distribute(Flattener *f, const Layer *layer, FlatExpression *value)
{
    const uint32_t count = count_subscripts(layer->subscripts);
    // a[n](x(start = {...}, each fixed = true)): one value for all of them, wherever `each` stands.
    const bool is_for_all = layer->argument && layer->argument->is_each && value->rank == 0;
    if (!count || is_for_all || expression_is_none(value))
        return value;
    FlatExpression **subscripts = ARENA_ARRAY(f->arena, count, FlatExpression *);
    uint32_t *sizes = ARENA_ARRAY(f->arena, count, uint32_t);
    uint32_t at = count;
    for (const Subscripts *s = layer->subscripts; s; s = s->outer) {
        const FlatComponent *array = s->element->flat->parent;
        uint32_t place = s->element->flat->element;
        for (uint32_t k = array->rank; k-- > 0;) {
            subscripts[--at] = build_integer(f, place % array->dims[k] + 1, value->span);
            sizes[at] = array->dims[k];
            place /= array->dims[k];
        }
    }
    bool fits = value->rank >= count;
    for (uint32_t k = 0; fits && k < count; k++)
        fits = value->dims[k] == sizes[k];
    if (!fits) {
        report_error(f, value->span,
                     "this modifies an array of components: the value must have the sizes %s "
                     "first, but it is %s; with 'each' all elements get the same value",
                     type_text(f, &flat_type_none, count, sizes), expression_type_text(f, value));
        return build_none(f, value->span);
    }
    return build_subscripted(f, value, count, subscripts, value->span);
}

// ---------------------------------------------------------------------------
// Bindings
// ---------------------------------------------------------------------------

static bool has_fields(Flattener *f, const Instance *i)
{
    return i && i->class_ && (i->kind == INSTANCE_COMPLEX || i->kind == INSTANCE_ARRAY) &&
           (i->is_element || i->flat->name) && !class_is_model(f, i->class_);
}

static FlatExpression *share_of_parent(Flattener *f, Instance *i, uint32_t *depth)
{
    Instance *parent = instance_parent(i);
    if (!has_fields(f, parent))
        return NULL;
    FlatExpression *whole = instance_binding(f, parent);
    if (!whole)
        return NULL;
    *depth = parent->bound.depth;
    if (expression_is_none(whole))
        return whole;
    if (!i->is_element)
        return build_member(f, whole, i->flat->name, whole->span);
    FlatExpression *subscripts[UINT8_MAX];
    uint32_t place = i->flat->element;
    for (uint32_t k = parent->flat->rank; k-- > 0;) {
        subscripts[k] = build_integer(f, place % parent->flat->dims[k] + 1, whole->span);
        place /= parent->flat->dims[k];
    }
    return build_subscripted(f, whole, parent->flat->rank, subscripts, whole->span);
}

// What is bound to a parameter must not change during a run, to a constant not between runs
// (section 3.8).
static void check_variability(Flattener *f, Instance *i)
{
    const bool can_be_told = i->stage >= INSTANCE_DECLARED && i->kind == INSTANCE_SIMPLE;
    if (!i->bound.to || expression_is_none(i->bound.to) || !can_be_told ||
        i->variability > FLAT_PARAMETER || i->bound.to->variability <= (uint8_t)i->variability)
        return;
    const char *other = i->bound.to->variability == FLAT_PARAMETER ? "a parameter"
                        : i->bound.to->variability == FLAT_DISCRETE
                            ? "a value that changes at events"
                            : "a value that changes during a run";
    report_error(f, i->bound.to->span, "the %s '%s' cannot depend on %s",
                 i->variability == FLAT_CONSTANT ? "constant" : "parameter", instance_name(f, i),
                 other);
}

// parameter R r = if p then a else b, where R has constants: these have the values that they have
// in a or b, which then is chosen before the run.
static void settle_constant(Flattener *f, Instance *i)
{
    const bool is_settled = i->kind == INSTANCE_SIMPLE && i->stage >= INSTANCE_DECLARED &&
                            i->variability == FLAT_CONSTANT && !expression_is_none(i->bound.to) &&
                            i->bound.to->variability == FLAT_PARAMETER;
    FlatExpression *known = is_settled ? evaluate(f, i->bound.to, NULL) : NULL;
    i->bound.to = known ? known : i->bound.to;
}

static FlatExpression *make_binding(Flattener *f, Instance *i)
{
    if (i->bound.is_bound || i->bound.is_binding || (!i->flat->name && !i->is_element))
        return i->bound.to;
    i->bound.is_binding = true; // one that depends on itself is found by the evaluation
    const Layer *own = i->is_element ? NULL : layers_value(i->layers);
    uint32_t depth = UINT32_MAX;
    FlatExpression *shared = share_of_parent(f, i, &depth);
    if (shared && !(own && own->depth < depth)) {
        i->bound.to = shared;
        i->bound.depth = depth;
    } else if (own) {
        i->bound.to = distribute(f, own, elaborate_layer(f, own, i));
        i->bound.depth = own->depth;
    }
    if (i->bound.to && i->stage >= INSTANCE_DECLARED && !expression_is_none(i->bound.to)) {
        const FlatType *type = instance_type(f, i);
        const bool is_simple = !i->flat->rank && !i->bound.to->rank && type == i->bound.to->type;
        if (type->kind != FLAT_TYPE_NONE && !is_simple) {
            Arena *scratch = arena_scratch(f->passing);
            const ArenaMark mark = arena_mark(scratch);
            StringBuilder what = builder_create(scratch);
            builder_append_text(&what, "the binding of '");
            flat_component_name(&what, i->flat);
            builder_append_text(&what, "'");
            i->bound.to = build_expect(f, i->bound.to, type, i->flat->rank, i->flat->dims,
                                       builder_string(&what).text);
            arena_release(scratch, mark);
        }
    }
    if (shared && i->bound.to == shared)
        settle_constant(f, i);
    check_variability(f, i);
    i->bound.is_binding = false;
    i->bound.is_bound = true;
    return i->bound.to;
}

// Bindings stay as long as the model, also those that are first asked for in an equation.
FlatExpression *instance_binding(Flattener *f, Instance *i)
{
    Arena *const before = f->nodes;
    f->nodes = f->arena;
    FlatExpression *binding = make_binding(f, i);
    f->nodes = before;
    return binding;
}

static FlatExpression *make_variable_binding(Flattener *f, FlatVariable *v)
{
    Instance *i = variable_instance(v);
    FlatExpression *whole = instance_binding(f, i);
    if (!whole || expression_is_none(whole))
        return whole;
    if (i->flat->rank == 0)
        return v->binding = build_convert(f, whole, FLAT_TYPE(v));
    if (!expression_is_explicit(whole) || expression_size(whole) != i->count)
        return NULL;
    return v->binding = build_convert(f, expression_element(whole, v->element), FLAT_TYPE(v));
}

FlatExpression *variable_binding(Flattener *f, FlatVariable *v)
{
    if (v->binding)
        return v->binding;
    Arena *const before = f->nodes;
    f->nodes = f->arena;
    FlatExpression *binding = make_variable_binding(f, v);
    f->nodes = before;
    return binding;
}

// ---------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------

// The value with the type and the sizes of an attribute; NULL after a message.
static FlatExpression *fit_attribute(Flattener *f, FlatExpression *value, const FlatType *type,
                                     uint32_t rank, const uint32_t *dims, const Name *name)
{
    bool fits = value->rank == rank;
    for (uint32_t k = 0; fits && dims && k < rank; k++)
        fits = value->dims[k] == dims[k];
    FlatExpression *converted = fits ? build_convert(f, value, type) : NULL;
    if (converted)
        return converted;
    StringBuilder what = builder_create(f->arena);
    builder_append_format(&what, "attribute '%s'", name->text);
    build_expect(f, value, type, rank, dims, builder_string(&what).text);
    return NULL;
}

static bool is_in_state(const Instance *i)
{
    for (const FlatGuard *g = i->guard; g; g = g->outer)
        if (g->state)
            return true;
    return false;
}

// The value of an attribute for all variables of `i`: one scalar for all, or one for each.
static FlatExpression *attribute_value(Flattener *f, Instance *i, const Layer *layers,
                                       const Name *name, const FlatType *type)
{
    Layer layer;
    if (!layers_find_value(layers, name, &layer))
        return NULL;
    FlatExpression *value = distribute(f, &layer, elaborate_layer(f, &layer, i));
    if (expression_is_none(value))
        return NULL;
    // A state that is entered by a reset may begin with what others are then.
    const bool may_change = name == f->known.start && is_in_state(i);
    if (value->variability > FLAT_PARAMETER && !may_change) {
        report_error(f, value->span, "attribute '%s' cannot depend on a value that changes",
                     name->text);
        return NULL;
    }
    const uint32_t rank = i->flat->rank;
    const bool is_of_type = !layer.context;
    if (value->rank == 0 && rank > 0 && !layer.argument->is_each && !is_of_type &&
        !layer.subscripts)
        report_warning(f, layer_span(&layer),
                       "'%s' of an array is given one value for all elements; write 'each %s'",
                       name->text, name->text);
    // A type's attribute holds for all its variables; an array type's for its own dimensions.
    const uint32_t skipped = value->rank < rank ? rank - value->rank : 0;
    return fit_attribute(f, value, type, rank - skipped,
                         rank > skipped ? i->flat->dims + skipped : NULL, name);
}

static const char *text_attribute(Flattener *f, Instance *i, const Layer *layers, const Name *name)
{
    const FlatExpression *value = attribute_value(f, i, layers, name, &flat_type_string);
    if (value && value->rank)
        value = value->count ? value->operands[0] : NULL;
    const FlatExpression *text = value ? evaluate(f, value, "a text attribute") : NULL;
    return text && text->kind == FLAT_STRING && text->string[0] ? text->string : NULL;
}

// Those of all elements of an array: what may differ between them can be an array itself. Whether
// they are fixed comes as an expression, too; NULL: not given.
static FlatAttributes read_attributes(Flattener *f, Instance *i, const FlatType *type,
                                      FlatExpression **fixed)
{
    const KnownNames *k = &f->known;
    const Layer *layers = i->layers;
    FlatAttributes a = {.state_select = FLAT_SELECT_DEFAULT};
    *fixed = NULL;
    if (!layers)
        return a;
    a.start = attribute_value(f, i, layers, k->start, type);
    *fixed = attribute_value(f, i, layers, k->fixed, &flat_type_boolean);
    a.quantity = text_attribute(f, i, layers, k->quantity);
    if (type->kind != FLAT_TYPE_STRING && type->kind != FLAT_TYPE_BOOLEAN) {
        a.minimum = attribute_value(f, i, layers, k->min, type);
        a.maximum = attribute_value(f, i, layers, k->max, type);
    }
    if (type->kind == FLAT_TYPE_REAL) {
        a.nominal = attribute_value(f, i, layers, k->nominal, type);
        a.unit = text_attribute(f, i, layers, k->unit);
        a.display_unit = text_attribute(f, i, layers, k->displayUnit);
        const FlatType *select = class_type(f, f->state_select);
        FlatExpression *value = attribute_value(f, i, layers, k->stateSelect, select);
        if (value && value->rank && value->count)
            value = value->operands[0];
        value = value && !value->rank ? evaluate(f, value, "the stateSelect attribute") : NULL;
        if (value && value->kind == FLAT_ENUMERATION)
            a.state_select = (FlatStateSelect)value->integer;
    }
    return a;
}

static bool literal_number(const FlatExpression *e, double *number)
{
    if (!e || (e->kind != FLAT_REAL && e->kind != FLAT_INTEGER && e->kind != FLAT_ENUMERATION))
        return false;
    *number = e->kind == FLAT_REAL ? e->real : (double)e->integer;
    return true;
}

// No value is between limits that are turned around: the assertions of section 4.9 always fail. And
// tolerances are parts of a nominal value.
static void check_attributes(Flattener *f, const FlatAttributes *a)
{
    double least, most, nominal;
    if (literal_number(a->minimum, &least) && literal_number(a->maximum, &most) && least > most)
        report_error(f, a->maximum->span,
                     "no value is at least 'min' = %.15g and at most 'max' = "
                     "%.15g",
                     least, most);
    if (literal_number(a->nominal, &nominal) && !(nominal > 0.0))
        report_warning(f, a->nominal->span,
                       "'nominal' is the size of a variable, more than 0; %.15g counts as 1",
                       nominal);
}

// Element `k` of an attribute of an array with `count` elements; of a type's array: repeated.
static FlatExpression *attribute_element(FlatExpression *value, uint32_t k)
{
    if (!value || !value->rank)
        return value;
    const uint64_t size = expression_size(value);
    return size ? expression_element(value, k % size) : NULL;
}

static const FlatAttributes *element_attributes(Flattener *f, const FlatAttributes *a,
                                                FlatExpression *all_fixed, uint32_t k)
{
    FlatAttributes *result = ARENA_NEW(f->arena, FlatAttributes);
    *result = *a;
    result->start = attribute_element(a->start, k);
    result->minimum = attribute_element(a->minimum, k);
    result->maximum = attribute_element(a->maximum, k);
    result->nominal = attribute_element(a->nominal, k);
    check_attributes(f, result);
    const FlatExpression *fixed = attribute_element(all_fixed, k);
    if (fixed) {
        result->has_fixed = true;
        evaluate_boolean(f, fixed, "the fixed attribute", &result->is_fixed);
    }
    return result;
}

static bool is_uniform(const FlatAttributes *a, const FlatExpression *fixed)
{
    const FlatExpression *const all[] = {a->start, a->minimum, a->maximum, a->nominal, fixed};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] && all[k]->rank)
            return false;
    return true;
}

// The only layer before `end` that says something about attributes; NULL: there are none. Several:
// *is_only is false.
static const Layer *attribute_layer(const Layer *layers, const Layer *end, bool *is_only)
{
    const Layer *found = NULL;
    *is_only = true;
    for (const Layer *layer = layers; layer && layer != end; layer = layer->next) {
        if (!layer_argument(layer, 0))
            continue;
        *is_only = *is_only && !found;
        found = layer;
    }
    return found;
}

// The attributes that a declaration, or a modification in an extends clause, gives to the variables
// of all instances.
static bool are_literals(const FlatAttributes *a)
{
    const FlatExpression *const all[] = {a->start, a->minimum, a->maximum, a->nominal};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] && !expression_is_literal(all[k]))
            return false;
    return true;
}

static void remember(Flattener *f, Instance *i, const Layer *layer, const FlatAttributes *a)
{
    if (!layer) {
        i->class_->shared = a;
    } else if (layer->modification && !layer->subscripts && are_literals(a)) {
        map_set(f->arena, &f->seen.declared, layer->modification, (void *)(uintptr_t)a);
        map_set(f->arena, &f->seen.declarers, layer->modification, i->class_);
    }
}

static const FlatAttributes *recall(Flattener *f, const Instance *i, const Layer *layer)
{
    if (!layer)
        return i->class_->shared;
    const bool is_declared = layer->modification && !layer->subscripts &&
                             map_find(&f->seen.declarers, layer->modification) == i->class_;
    return is_declared ? map_find(&f->seen.declared, layer->modification) : NULL;
}

static void make_attributes(Flattener *f, Instance *i)
{
    if (i->seen.is_attributed || i->kind != INSTANCE_SIMPLE || i->stage != INSTANCE_OPEN)
        return;
    i->seen.is_attributed = true;
    Class *c = i->class_;
    bool is_only;
    const Layer *layer = attribute_layer(i->layers, c->attributes, &is_only);
    const FlatAttributes *shared = is_only ? recall(f, i, layer) : NULL;
    FlatAttributes all = {0};
    FlatExpression *fixed = NULL;
    if (!shared) {
        all = read_attributes(f, i, class_type(f, c), &fixed);
        if (is_uniform(&all, fixed)) {
            shared = element_attributes(f, &all, fixed, 0);
            if (is_only && !i->flat->rank)
                remember(f, i, layer, shared);
        }
    }
    for (uint32_t k = 0; k < i->count; k++)
        i->variables[k].attributes = shared ? shared : element_attributes(f, &all, fixed, k);
}

void instance_attributes(Flattener *f, Instance *i)
{
    Arena *const before = f->nodes;
    f->nodes = f->arena;
    make_attributes(f, i);
    f->nodes = before;
}
