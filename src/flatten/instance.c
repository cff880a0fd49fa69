// SPDX-License-Identifier: MIT
//
// The instance tree: see instance.h.

#include "flatten/instance.h"

#include "flatten/elaborate.h"
#include "flatten/evaluate.h"
#include "flatten/iterator.h"
#include "flatten/lookup.h"
#include "flatten/overload.h"
#include "flatten/rules.h"
#include "flatten/stream.h"
#include "flatten/subtype.h"
#include "modelica/equality.h"

#include <assert.h>

// ---------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------

static const FlatDeclaration undeclared;

static Instance *instance_array(Flattener *f, uint64_t count)
{
    Instance *instances = ARENA_ARRAY(f->passing, count, Instance);
    FlatComponent *components = ARENA_ARRAY(f->arena, count, FlatComponent);
    for (uint64_t k = 0; k < count; k++) {
        instances[k].flat = &components[k];
        components[k].declared = &undeclared;
        components[k].instance = &instances[k];
    }
    return instances;
}

Instance *instance_new(Flattener *f)
{
    return instance_array(f, 1);
}

void instance_be_like(Instance *i, const Instance *other)
{
    *i->flat = *other->flat;
    i->flat->instance = i;
}

Instance *instance_create_top(Flattener *f, Class *c, const Layer *layers)
{
    Instance *i = instance_new(f);
    i->class_ = c;
    i->flat->declared =
        flat_declaration(f->arena, class_name(f, c),
                         c->definition ? c->definition->name_span : (Span){0, 0}, (String){0});
    i->stage = INSTANCE_DECLARED;
    i->kind = INSTANCE_COMPLEX;
    i->variability = FLAT_CONTINUOUS;
    i->layers = layers;
    i->times = 1.0f;
    return i;
}

Instance *instance_statics(Flattener *f, Class *c)
{
    if (!c->statics) {
        class_expand(f, c);
        c->statics = instance_create_top(f, c, NULL);
        c->statics->is_static = true;
    }
    return c->statics;
}

const char *instance_name(Flattener *f, const Instance *i)
{
    StringBuilder out = builder_create(f->arena);
    flat_component_name(&out, i->flat);
    return builder_string(&out).text;
}

Instance *instance_of_scope(Flattener *f, Instance *i, const Class *scope)
{
    for (; i; i = instance_parent(i))
        if (i->class_ && i->kind == INSTANCE_COMPLEX && class_inherits(f, i->class_, scope))
            return i;
    return NULL;
}

// ---------------------------------------------------------------------------
// Declaration
// ---------------------------------------------------------------------------

// What is found about a component while it is declared.
typedef struct Declaration {
    Instance *instance;
    Instance *parent;
    const Layer *outer;         // modifications from the enclosing instances
    const Layer *redeclaration; // NULL: none
    const Component *component;
    Instance *context; // in which the declaration's names are components
} Declaration;

// Those of the constraining clauses of redeclarations.
static const Layer *redeclared_constraints(Flattener *f, const Layer *layers, Instance *parent)
{
    if (!layers)
        return NULL;
    const Layer *rest = redeclared_constraints(f, layers->next, parent);
    const Element *e = layers->redeclaration;
    if (!e || !e->constraint)
        return rest;
    Instance *context = layers->context;
    if (!context)
        context = instance_of_scope(f, parent, layers->scope);
    return layer_create(f, e->constraint->modification, layers->scope, context, rest);
}

// The modifications of the declaration itself. A redeclaration replaces them, unless it is the
// first declaration and has no constraining clause; those of the clause hold in any case (section
// 7.3.2).
static const Layer *remaining_layers(Flattener *f, const Member *member, const Layer *redeclaration,
                                     Instance *parent)
{
    const Element *e = member->element;
    const Layer *layers = NULL;
    if (member->replaced && member->constraint && member->constraint->kind == ELEMENT_COMPONENT) {
        const Element *c = member->constraint;
        const Modification *m =
            c->constraint ? c->constraint->modification : c->component->modification;
        layers = layer_create(f, m, member->constraint_scope, parent, NULL);
    }
    if (e->constraint)
        layers = layer_create(f, e->constraint->modification, member->scope, parent, layers);
    if (!redeclaration || (!e->constraint && !member->replaced))
        layers = layer_create(f, e->component->modification, member->scope, parent, layers);
    if (!redeclaration)
        return layers;
    // What a redeclaration further in says of whatever replaces it.
    const Layer *more = redeclared_constraints(f, redeclaration->next, parent);
    return layers_join(f, more, layers);
}

// What an inner layer has made final, no outer one can modify.
static void check_final(Flattener *f, Instance *i)
{
    const Layer *outer = NULL;
    for (const Layer *layer = i->layers; layer; layer = layer->next) {
        if (!layer->is_final) {
            outer = outer ? outer : layer;
        } else if (outer && outer->argument && outer->argument != layer->argument) {
            Diagnostic *d = report_error(
                f, layer_span(outer), "'%s' is final and cannot be modified", i->flat->name->text);
            report_note(f, d, layer_span(layer), "it is made final here");
            return;
        }
    }
}

static void find_element(Flattener *f, Declaration *d)
{
    Instance *i = d->instance;
    const Member *member = i->member;
    Instance *parent = d->parent;
    d->outer = layers_select(f, parent->layers, member->name, parent->is_element ? parent : NULL);
    const Layer *inherited = layers_bind(f, member->layers, parent);
    const Layer *layers = layers_join(f, d->outer, inherited);
    i->element = member->element;
    i->scope = member->scope;
    d->context = parent;
    d->redeclaration = layers_redeclaration(layers);
    if (d->redeclaration && d->redeclaration->redeclaration->kind != ELEMENT_COMPONENT)
        d->redeclaration = NULL; // by a class, which was reported
    if (d->redeclaration) {
        i->element = d->redeclaration->redeclaration;
        i->scope = d->redeclaration->scope;
        d->context = d->redeclaration->context;
        if (!d->context)
            d->context = instance_of_scope(f, parent, i->scope);
    }
    d->component = i->element->component;
    i->layers = layers_join(f, layers_without_replaced(f, layers),
                            remaining_layers(f, member, d->redeclaration, parent));
    check_final(f, i);
}

static Class *find_class(Flattener *f, const Declaration *d)
{
    Instance *i = d->instance;
    Member *member = i->member;
    bool is_redeclared_outside = false;
    for (const Layer *layer = d->outer; layer; layer = layer->next)
        is_redeclared_outside |= layer->redeclaration != NULL;
    if (!is_redeclared_outside || !d->redeclaration) { // none: by a class, which was reported
        const Reference *name = d->component->clause->type;
        const Found found = name->count == 1 && !name->is_global && name->parts[0].name
                                ? lookup_simple(f, i->scope, name->parts[0].name)
                                : (Found){0};
        const Element *class_ = found.member ? found.member->element : NULL;
        if (class_ && class_->is_outer && class_->kind == ELEMENT_CLASS)
            return instance_target_class(f, found.member, d->parent);
        Class *type = member_class(f, member);
        return type && d->outer ? class_modified(f, type, d->outer) : type;
    }
    Class *type = lookup_class(f, i->scope, d->component->clause->type, "type");
    subtypes_note_redeclaration(f, member, d->redeclaration->next, i->element, i->scope, type);
    return type ? class_modified(f, type, i->layers) : NULL;
}

static FlatVariability declared_variability(const Instance *i)
{
    Variability declared = VARIABILITY_NONE;
    const Component *c;
    for (uint32_t k = 0;
         declared == VARIABILITY_NONE && (c = member_declaration(i->member, i->element, k)) != NULL;
         k++)
        declared = c->clause->variability;
    switch (declared) {
    case VARIABILITY_CONSTANT:
        return FLAT_CONSTANT;
    case VARIABILITY_PARAMETER:
        return FLAT_PARAMETER;
    case VARIABILITY_DISCRETE:
        return FLAT_DISCRETE;
    default:
        return FLAT_CONTINUOUS;
    }
}

static ConnectorRole declared_role(const Instance *i)
{
    const Component *c;
    for (uint32_t k = 0; (c = member_declaration(i->member, i->element, k)) != NULL; k++)
        if (c->clause->role != ROLE_NONE)
            return c->clause->role;
    return ROLE_NONE;
}

static void find_prefixes(Flattener *f, const Declaration *d)
{
    Instance *i = d->instance;
    const Element *e = i->element;
    const Instance *parent = d->parent;
    const FlatVariability declared = declared_variability(i);
    i->variability = declared < parent->variability ? (uint8_t)declared : parent->variability;
    i->direction = (uint8_t)member_direction(i->member, i->element);
    if (i->direction == DIRECTION_NONE)
        i->direction = (uint8_t)class_direction(f, i->class_);
    if (i->direction == DIRECTION_NONE && (parent->flat->name || parent->is_element))
        i->direction = parent->direction;
    const ConnectorRole role = declared_role(i);
    i->role = (uint8_t)(role != ROLE_NONE ? role : parent->role);
    i->prefix.is_inner = e->is_inner || i->member->element->is_inner;
    i->prefix.is_outer = (e->is_outer || i->member->element->is_outer) && !i->prefix.is_twin;
    i->prefix.is_final = i->member->is_final || e->is_final;
    for (const Layer *layer = i->layers; layer && !i->prefix.is_final; layer = layer->next)
        i->prefix.is_final = layer->is_final && layer_value(layer) != NULL;
    i->flat->is_protected = i->member->is_protected || parent->flat->is_protected;
}

// Instances of a member come one after the other, and are nearly always declared alike.
static const FlatDeclaration *instance_declaration(Flattener *f, const Declaration *d)
{
    const Instance *i = d->instance;
    const FlatDeclaration *last = i->member->declared;
    const char *name = i->class_ ? class_name(f, i->class_) : NULL;
    const Span span = d->component->name_span;
    const String description =
        i->element->description ? i->element->description->text : (String){0};
    if (!last || last->span.begin != span.begin || last->description.text != description.text ||
        last->class_name != name)
        i->member->declared = last = flat_declaration(f->arena, name, span, description);
    return last;
}

static void find_condition(Flattener *f, const Declaration *d)
{
    const Expression *condition = d->component->condition;
    Scope s = scope_of_instance(d->context, d->instance->scope);
    if (!condition) { // of what is redeclared; its names are where that is declared
        condition = d->instance->member->element->component->condition;
        s = scope_of_instance(d->parent, d->instance->member->scope);
    }
    if (!condition)
        return;
    const FlatExpression *e = elaborate_condition(f, &s, condition);
    bool is_present = true;
    if (expression_is_none(e) ||
        !evaluate_boolean(f, e, "the condition of a component", &is_present))
        d->instance->is_broken = true;
    d->instance->is_absent = !is_present;
    d->instance->is_conditional = true;
}

// ---------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------

static bool size_from_binding(Flattener *f, const Declaration *d, uint32_t dimension, uint32_t rank,
                              uint32_t *size, Span span)
{
    Instance *i = d->instance;
    const uint8_t stage = i->stage;
    i->flat->rank = (uint8_t)rank;
    FlatExpression *value = instance_binding(f, i);
    i->stage = stage;
    if (!value) {
        // Without a binding a start value can give the size.
        const Layer *start = layers_value(layers_select(f, i->layers, f->known.start, NULL));
        if (start && !start->argument->is_each) {
            Scope s = scope_of_layer(f, start, i);
            value = elaborate(f, &s, layer_value(start));
        }
    }
    if (!value && i->prefix.is_outer) {
        *size = FLAT_UNKNOWN_SIZE; // that of the inner one
        return true;
    }
    if (!value) {
        report_error(f, span,
                     "the size of '%s' is not known: ':' takes it from a binding, and there is "
                     "none",
                     i->flat->name->text);
        return false;
    }
    if (expression_is_none(value))
        return false;
    if (value->rank != rank || value->dims[dimension] == FLAT_UNKNOWN_SIZE) {
        report_error(f, value->span,
                     "the binding of '%s' must be an array of %u dimensions, but "
                     "it is %s",
                     i->flat->name->text, (unsigned)rank, expression_type_text(f, value));
        return false;
    }
    *size = value->dims[dimension];
    return true;
}

static bool size_from_expression(Flattener *f, Scope *s, const Expression *e, uint32_t *size)
{
    const FlatExpression *value = elaborate_size(f, s, e, false);
    int64_t number;
    if (!value || !evaluate_integer(f, value, "an array size", &number))
        return false;
    if (number < 0) {
        report_error(f, e->span, "an array cannot have size %lld", (long long)number);
        return false;
    }
    if (number > LIMIT_SCALARS) {
        report_error(f, e->span, "an array of size %lld is too large", (long long)number);
        return false;
    }
    *size = (uint32_t)number;
    return true;
}

static void instance_declared_sizes(Flattener *f, const Component *component, Class *scope,
                                    List *subscripts, List *scopes)
{
    for (uint32_t k = 0; k < component->subscript_count; k++) {
        list_append(f->arena, subscripts, component->subscripts[k]);
        list_append(f->arena, scopes, scope);
    }
    for (uint32_t k = 0; k < component->clause->subscript_count; k++) {
        list_append(f->arena, subscripts, component->clause->subscripts[k]);
        list_append(f->arena, scopes, scope);
    }
}

static void instance_find_sizes(Flattener *f, const Declaration *d)
{
    Instance *i = d->instance;
    const Component *component = d->component;
    List subscripts = {0};
    List scopes = {0};
    instance_declared_sizes(f, component, i->scope, &subscripts, &scopes);
    class_sizes(f, i->class_, &subscripts, &scopes);
    const Component *before; // what a redeclaration without sizes replaces
    for (uint32_t k = 1;
         !subscripts.count && (before = member_declaration(i->member, i->element, k)) != NULL; k++)
        instance_declared_sizes(f, before, i->member->scope, &subscripts, &scopes);
    if (!subscripts.count)
        return;
    if (subscripts.count > UINT8_MAX) {
        report_error(f, component->name_span, "an array cannot have more than 255 dimensions");
        i->is_broken = true;
        return;
    }
    uint32_t *dims = ARENA_ARRAY(f->arena, subscripts.count, uint32_t);
    uint64_t total = 1;
    for (uint32_t k = 0; k < subscripts.count; k++) {
        const Expression *e = subscripts.items[k];
        Scope s = scopes.items[k] == i->scope ? scope_of_instance(d->context, i->scope)
                  : scopes.items[k] == i->member->scope
                      ? scope_of_instance(d->parent, i->member->scope)
                      : scope_of_class(scopes.items[k]);
        Class *index = e->kind == EXPRESSION_REFERENCE ? iterator_type(f, &s, e) : NULL;
        if (index && !i->indices)
            i->indices = ARENA_ARRAY(f->arena, subscripts.count, Class *);
        if (index)
            i->indices[k] = index;
        bool is_known;
        if (e->kind == EXPRESSION_COLON) {
            is_known = size_from_binding(f, d, k, subscripts.count, &dims[k], e->span);
        } else {
            i->flat->rank = (uint8_t)k; // A[:, size(A, 1)]: the sizes before this one are known
            i->flat->dims = k ? dims : NULL;
            is_known = size_from_expression(f, &s, e, &dims[k]);
            i->flat->dims = NULL;
        }
        if (!is_known)
            i->is_broken = true;
        total *= dims[k] == FLAT_UNKNOWN_SIZE ? 1 : dims[k];
        if (total > LIMIT_SCALARS) {
            report_error(f, component->name_span, "array '%s' has more than %d elements",
                         component->name->text, LIMIT_SCALARS);
            f->limits.has_overflowed = true; // loops over it would not end soon
            i->is_broken = true;
            total = 0;
        }
    }
    if (i->is_broken)
        memset(dims, 0, subscripts.count * sizeof *dims);
    i->flat->rank = (uint8_t)subscripts.count;
    i->flat->dims = dims;
}

// ---------------------------------------------------------------------------
// Checks of the type
// ---------------------------------------------------------------------------

static bool is_recursive(const Instance *i)
{
    for (const Instance *p = instance_parent(i); p; p = instance_parent(p))
        if (p->class_ == i->class_ && !p->is_element)
            return true;
    return false;
}

static void check_class(Flattener *f, const Declaration *d)
{
    Instance *i = d->instance;
    Class *c = i->class_;
    const Span span = d->component->clause->type->span;
    const char *name = class_name(f, c);
    const ClassKind kind = class_kind(f, c);
    i->is_broken = true;
    // Two conditional components of its own class each would make 2^LIMIT_INSTANCE_DEPTH of them.
    if (f->limits.has_overflowed && !class_is_simple(f, c) && is_recursive(i))
        return;
    if (!class_is_simple(f, c) && !d->component->condition && !i->prefix.is_outer &&
        is_recursive(i))
        report_error(f, span, "component '%s' of type '%s' contains itself",
                     d->component->name->text, name);
    else if (!class_is_simple(f, c) && i->depth > LIMIT_INSTANCE_DEPTH) {
        report_error(f, span, "components are nested more than %d deep, '%s' in itself perhaps",
                     LIMIT_INSTANCE_DEPTH, name);
        f->limits.has_overflowed = true;
    } else if (kind == CLASS_PACKAGE || kind == CLASS_FUNCTION || kind == CLASS_OPERATOR_FUNCTION ||
               kind == CLASS_OPERATOR)
        report_error(f, span, "a %s cannot be the type of a component, as '%s' is",
                     class_kind_text(kind), name);
    else if (c->simple == PREDEFINED_EXTERNAL_OBJECT && !c->definition)
        report_error(f, span, "'ExternalObject' is partial: a class must extend it");
    else if (!stream_check(f, i, d->component->clause))
        return;
    else if (class_is_partial(c) && !i->prefix.is_outer && !i->is_static)
        report_error(f, span,
                     "'%s' is partial: a component of it needs a redeclaration or another type",
                     name);
    else
        i->is_broken = c->is_broken || !overload_allows(f, c, i->role, span);
}

static void reject_circle(Flattener *f, Instance *i)
{
    if (!i->is_broken)
        report_error(f, i->member->element->component->name_span,
                     "the type or the size of '%s' depends on itself", i->flat->name->text);
    i->is_broken = true;
}

void instance_declare(Flattener *f, Instance *i)
{
    if (i->stage != INSTANCE_NEW) {
        if (i->stage == INSTANCE_DECLARING && !i->flat->dims)
            reject_circle(f, i);
        return;
    }
    i->stage = INSTANCE_DECLARING;
    Declaration d = {.instance = i, .parent = instance_parent(i)};
    assert(d.parent); // the top is declared when it is made
    i->is_static = d.parent->is_static;
    find_element(f, &d);
    i->class_ = find_class(f, &d);
    i->flat->declared = instance_declaration(f, &d);
    if (!i->class_) {
        i->is_broken = true;
    } else {
        find_prefixes(f, &d);
        if (class_is_simple(f, i->class_) && i->variability > FLAT_PARAMETER &&
            i->class_->simple == PREDEFINED_EXTERNAL_OBJECT)
            i->variability = FLAT_PARAMETER; // it is made once, before the run
        if (!i->is_static || i->variability == FLAT_CONSTANT) {
            find_condition(f, &d);
            if (!i->is_absent) {
                check_class(f, &d);
                rules_check_component(f, i, d.component);
            }
        }
        if (class_is_simple(f, i->class_))
            i->layers = layers_join(f, i->layers, i->class_->attributes);
        // A variable that is inner and outer without a value stands for the outer one alone.
        if (i->prefix.is_twin && class_is_simple(f, i->class_) && !layers_value(i->layers))
            i->is_absent = true;
        if (!i->is_absent && !i->is_broken)
            instance_find_sizes(f, &d);
        i->kind = i->prefix.is_outer                     ? INSTANCE_OUTER
                  : i->class_->simple != PREDEFINED_NONE ? INSTANCE_SIMPLE
                  : i->flat->rank                        ? INSTANCE_ARRAY
                                                         : INSTANCE_COMPLEX;
    }
    i->stage = INSTANCE_DECLARED;
    if (i->prefix.is_outer && !i->is_broken)
        instance_check_outer(f, i);
}

// ---------------------------------------------------------------------------
// Opening
// ---------------------------------------------------------------------------

static bool is_both(const Member *member)
{
    return member->element->is_inner && member->element->is_outer;
}

static void init_child(Instance *child, Member *member, Instance *parent)
{
    child->member = member;
    child->times = parent->times;
    child->is_varied = parent->is_varied;
    child->flat->name = member->name;
    child->flat->parent = parent->flat;
    child->depth = (uint16_t)(parent->depth + 1);
}

// Components of one type, without modifications of their own, one after the other: each of them is
// as large as the first, before any is made.
static uint32_t count_alike(const Class *c, uint32_t first)
{
    uint32_t end = first;
    const Member *before = NULL;
    for (; end < c->component_count; end++) {
        const Member *member = c->components[end];
        const Component *component = member->element->component;
        const ComponentClause *clause = component->clause;
        if (component->condition || component->modification || component->subscript_count ||
            clause->subscript_count || member->element->is_outer)
            break;
        if (before && (before->scope != member->scope ||
                       !reference_equal(before->element->component->clause->type, clause->type)))
            break;
        before = member;
    }
    return end > first ? end - first : 1;
}

static void open_complex(Flattener *f, Instance *i)
{
    Class *c = i->class_;
    class_expand(f, c);
    if (!i->is_element && !i->is_static && i->flat->name)
        layers_check(f, i->layers, c, true);
    uint32_t twins = 0;
    for (uint32_t k = 0; k < c->component_count; k++)
        twins += is_both(c->components[k]);
    i->children = instance_array(f, c->component_count + twins);
    for (uint32_t k = 0, alike = 0; k < c->component_count; k += alike) {
        alike = count_alike(c, k);
        for (uint32_t a = k; a < k + alike; a++) {
            init_child(&i->children[a], c->components[a], i);
            i->children[a].times *= (float)alike;
            i->children[a].is_varied |= alike > 1 && i->layers;
        }
    }
    i->count = c->component_count;
    for (uint32_t k = 0; k < c->component_count; k++) {
        if (!is_both(c->components[k]))
            continue;
        Instance *twin = &i->children[i->count++];
        init_child(twin, c->components[k], i);
        twin->prefix.is_twin = true;
    }
}

// Whether a component has room, and, as far as can be told, all others that are like it. Where
// modifications make them differ, an array may have smaller elements after its first one: hence the
// factor.
static bool take_scalars(Flattener *f, const Instance *i, uint64_t count)
{
    const double most = (i->is_varied ? 10.0 : 1.0) * LIMIT_SCALARS;
    const double all = (double)count * (double)i->times;
    f->at = i->flat->declared->span;
    f->limits.scalar_count += count;
    if (f->limits.scalar_count <= LIMIT_SCALARS && all <= most)
        return true;
    if (!f->limits.has_overflowed && all > most)
        report_error(f, i->flat->declared->span,
                     "the model has more than %d components and variables: %.3g like '%s'",
                     LIMIT_SCALARS, all, instance_name(f, i));
    else if (!f->limits.has_overflowed)
        report_error(f, i->flat->declared->span,
                     "the model has more than %d components and variables", LIMIT_SCALARS);
    f->limits.has_overflowed = true;
    return false;
}

static uint64_t element_count(const Instance *i)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < i->flat->rank; k++)
        count *= i->flat->dims[k];
    return count;
}

static void open_array(Flattener *f, Instance *i)
{
    const uint64_t count = element_count(i);
    if (!take_scalars(f, i, count))
        return;
    class_expand(f, i->class_);
    layers_check(f, i->layers, i->class_, true);
    i->children = instance_array(f, count);
    i->count = (uint32_t)count;
    for (uint32_t k = 0; k < i->count; k++) {
        Instance *child = &i->children[k];
        FlatComponent *flat = child->flat;
        *child = *i;
        child->flat = flat;
        instance_be_like(child, i);
        child->flat->name = NULL;
        child->flat->parent = i->flat;
        child->flat->element = k;
        child->flat->rank = 0;
        child->flat->dims = NULL;
        child->children = NULL;
        child->count = 0;
        child->stage = INSTANCE_DECLARED;
        child->kind = INSTANCE_COMPLEX;
        child->is_element = true;
        child->times = i->times * (float)count;
        child->is_varied |= i->layers != NULL;
        child->bound.is_bound = false;
        child->bound.to = NULL;
        child->depth = (uint16_t)(i->depth + 1);
    }
}

static FlatVariability variable_kind(const Instance *i, const FlatType *type)
{
    const FlatVariability kind = (FlatVariability)i->variability;
    return kind == FLAT_CONTINUOUS && type->kind != FLAT_TYPE_REAL ? FLAT_DISCRETE : kind;
}

static void open_simple(Flattener *f, Instance *i)
{
    const uint64_t count = element_count(i);
    const FlatType *type = class_type(f, i->class_);
    if (!take_scalars(f, i, count))
        return;
    if (!i->is_static)
        layers_check(f, i->layers, i->class_, true);
    f->has_clocks = f->has_clocks || type->kind == FLAT_TYPE_CLOCK;
    i->variables = ARENA_ARRAY(f->arena, count, FlatVariable);
    i->count = (uint32_t)count;
    for (uint32_t k = 0; k < i->count; k++) {
        FlatVariable *v = &i->variables[k];
        v->component = i->flat;
        v->element = k;
        v->kind = (uint8_t)variable_kind(i, type);
        v->is_protected = i->flat->is_protected;
        v->is_final = i->prefix.is_final;
        v->is_flow = i->role == ROLE_FLOW;
        v->reference = (FlatExpression){.kind = FLAT_VARIABLE,
                                        .variability = (uint8_t)v->kind,
                                        .span = i->flat->declared->span,
                                        .type = type};
        v->reference.variable = v;
    }
}

void instance_open(Flattener *f, Instance *i)
{
    if (i->stage == INSTANCE_DECLARING)
        reject_circle(f, i);
    else if (i->stage == INSTANCE_NEW)
        instance_declare(f, i);
    if (i->stage != INSTANCE_DECLARED || i->is_broken || i->is_absent || !i->class_)
        return;
    i->stage = INSTANCE_OPENING;
    if (i->kind == INSTANCE_COMPLEX)
        open_complex(f, i);
    else if (i->kind == INSTANCE_ARRAY)
        open_array(f, i);
    else if (i->kind == INSTANCE_SIMPLE)
        open_simple(f, i);
    i->stage = INSTANCE_OPEN;
}

Instance *instance_child(Flattener *f, Instance *i, const Name *name)
{
    if (i->kind != INSTANCE_COMPLEX || !i->class_)
        return NULL;
    const Member *member = class_member(f, i->class_, name);
    if (!member || !member->is_component)
        return NULL;
    instance_open(f, i);
    if (member->index >= i->count)
        return NULL;
    Instance *child = &i->children[member->index];
    instance_declare(f, child);
    return child;
}

const FlatType *instance_type(Flattener *f, Instance *i)
{
    return i->class_ ? class_type(f, i->class_) : &flat_type_none;
}
