// SPDX-License-Identifier: MIT
//
// Expandable connectors (section 9.1.3). Before any of them is opened, the connect equations are
// read once to see which components they add. A Bus is an expandable connector, or a component in
// one, declared or not. What is connected is united (union-find): then it has the same components,
// by name, which are united in turn, and so on. Each set learns its type from a declaration, or
// from a connector of another class that is connected with it.
//
// After that every expandable connector gets a class of its own: the components of its set. From
// here on it is a connector like any other. What is only declared, and connected with nothing that
// has a value, is dropped when the equations of sets are made (connect.c).
//
// An array of expandable connectors in one is one Bus: all of its elements have the same
// components, and those that an element has no connection for are dropped like others. Its sources
// are looked at when the equations are made: each element has its own.
//
// The components have no causality of their own: of the connectors that are connected with a set,
// at most one gives the value, and one does unless a declaration says that an equation might.

#include "flatten/bus.h"

#include "flatten/evaluate.h"
#include "flatten/graph.h"

enum { BUS_RANK = 8 }; // most dimensions of a component

typedef struct Bus Bus;
struct Bus {
    Bus *set;      // union-find
    Bus *parent;   // NULL: an expandable connector that is a component of a model
    List children; // of a root of the union-find: one Bus for each name
    const Name *name;
    Instance *instance; // of a bus without parent
    const FlatGuard *guard;
    Span span; // where it is named first
    // Of a root of the union-find:
    Member *member;      // a declaration of it; NULL: none
    Class *class_;       // of its elements; NULL: not known
    const Layer *layers; // of the component that the class is from
    uint32_t rank;
    uint32_t dims[BUS_RANK];
    bool is_expandable;
    bool is_many; // it is an array of expandable connectors, or in one
    bool has_sink;
    bool has_elements;      // of it that are connected one by one
    const Instance *source; // what gives it its value; NULL: none
    Class *expanded;        // of a set of expandable connectors
};

bool bus_is_expandable(Flattener *f, const Instance *i)
{
    return i->class_ && class_kind(f, i->class_) == CLASS_EXPANDABLE_CONNECTOR;
}

bool bus_exists(const Flattener *f)
{
    return f->buses.roots.count > 0;
}

const Instance *bus_around(Flattener *f, const Instance *i)
{
    for (i = instance_parent(i); i && i->class_ && !class_is_model(f, i->class_);
         i = instance_parent(i))
        if (bus_is_expandable(f, i))
            return i;
    return NULL;
}

// ---------------------------------------------------------------------------
// Sets
// ---------------------------------------------------------------------------

static Bus *bus_set(Bus *b)
{
    while (b->set != b) {
        b->set = b->set->set;
        b = b->set;
    }
    return b;
}

static Bus *bus_create(Flattener *f, Bus *parent, const Name *name, Span span)
{
    Bus *b = ARENA_NEW(f->arena, Bus);
    *b = (Bus){.set = b, .parent = parent, .name = name, .span = span};
    return b;
}

static Bus *find_child(Bus *set, const Name *name)
{
    for (uint32_t i = 0; i < set->children.count; i++) {
        Bus *child = set->children.items[i];
        if (child->name == name)
            return child;
    }
    return NULL;
}

static void declare_children(Flattener *f, Bus *b, Class *c, unsigned depth);

// The component `name`, made if there is none.
static Bus *bus_child(Flattener *f, Bus *b, const Name *name, Span span)
{
    Bus *set = bus_set(b);
    Bus *child = find_child(set, name);
    if (!child) {
        child = bus_create(f, set, name, span);
        child->is_many = set->is_many;
        list_append(f->arena, &set->children, child);
    }
    return child;
}

static void declare_child(Flattener *f, Bus *b, Member *member, unsigned depth)
{
    const Component *component = member->element->component;
    Bus *child = bus_child(f, b, member->name, component->name_span);
    child->member = member;
    child->class_ = member_class(f, member);
    child->rank = component->subscript_count + component->clause->subscript_count;
    child->is_expandable =
        child->class_ && class_kind(f, child->class_) == CLASS_EXPANDABLE_CONNECTOR;
    child->is_many = child->is_many || (child->is_expandable && child->rank);
    if (child->rank > BUS_RANK) {
        report_error(f, component->name_span,
                     "this array cannot be a component of an expandable connector");
        child->rank = 0;
    }
    if (child->is_expandable && depth < LIMIT_INSTANCE_DEPTH)
        declare_children(f, child, child->class_, depth + 1);
}

static void declare_children(Flattener *f, Bus *b, Class *c, unsigned depth)
{
    class_expand(f, c);
    for (uint32_t i = 0; i < c->component_count; i++)
        declare_child(f, b, c->components[i], depth);
}

static void bus_mark_many(Bus *set)
{
    set->is_many = true;
    for (uint32_t i = 0; i < set->children.count; i++) {
        Bus *child = bus_set(set->children.items[i]);
        if (!child->is_many)
            bus_mark_many(child);
    }
}

static void unite_buses(Flattener *f, Bus *first, Bus *second)
{
    Bus *a = bus_set(first), *b = bus_set(second);
    if (a == b)
        return;
    if (a->is_many != b->is_many)
        bus_mark_many(a->is_many ? b : a);
    b->set = a;
    a->member = a->member ? a->member : b->member;
    if (!a->class_) {
        a->class_ = b->class_;
        a->layers = b->layers;
        a->rank = b->rank;
    }
    for (uint32_t k = 0; k < BUS_RANK; k++)
        a->dims[k] = a->dims[k] > b->dims[k] ? a->dims[k] : b->dims[k];
    a->is_expandable = a->is_expandable || b->is_expandable;
    a->has_sink = a->has_sink || b->has_sink;
    a->has_elements = a->has_elements || b->has_elements;
    if (a->source && b->source && !a->is_many)
        report_error(f, b->span, "two outputs are connected: '%s' and '%s'",
                     instance_name(f, a->source), instance_name(f, b->source));
    a->source = a->source ? a->source : b->source;
    for (uint32_t i = 0; i < b->children.count; i++) {
        Bus *child = b->children.items[i];
        Bus *same = find_child(bus_set(a), child->name);
        if (same)
            unite_buses(f, same, child);
        else
            list_append(f->arena, &bus_set(a)->children, child);
    }
}

// Only parameters can be modified: they exist whether they are connected or not.
static void check_modifiers(Flattener *f, const Instance *i)
{
    for (const Layer *layer = i->layers; layer; layer = layer->next)
        for (uint32_t k = 0; layer_argument(layer, k); k++) {
            Span span;
            const Name *name = layer_argument_name(layer, k, &span);
            const Member *member = name ? class_member(f, i->class_, name) : NULL;
            const Variability kind = member && member->is_component
                                         ? member->element->component->clause->variability
                                         : VARIABILITY_NONE;
            if (kind != VARIABILITY_PARAMETER)
                report_error(f, layer_argument(layer, k)->span,
                             "the components of an expandable connector cannot be modified: they "
                             "exist only if they are connected");
        }
}

void bus_note(Flattener *f, Instance *i, const FlatGuard *guard)
{
    if (i->stage == INSTANCE_OPEN) {
        report_error(f, i->flat->declared->span,
                     "'%s' is needed before its components are known: sizes and conditions cannot "
                     "depend on an expandable connector",
                     instance_name(f, i));
        return;
    }
    check_modifiers(f, i);
    Bus *b = bus_create(f, NULL, i->flat->name, i->flat->declared->span);
    b->instance = i;
    b->guard = guard;
    b->class_ = i->class_;
    b->is_expandable = true;
    declare_children(f, b, i->class_, 0);
    list_append(f->arena, &f->buses.roots, b);
    map_set(f->arena, &f->buses.instances, i, b);
    graph_note_owner(f, i);
}

// ---------------------------------------------------------------------------
// Connect equations
// ---------------------------------------------------------------------------

// One side of a connect equation that is an expandable connector, or in one.
typedef struct BusPlace {
    Bus *bus;
    uint32_t rank;  // of subscripts
    uint32_t fixed; // of them, those that are numbers
    uint32_t open;  // dimensions of the arrays of expandable connectors around it that have none
    bool is_inside; // of a component that is a connector of its own
} BusPlace;

// The values of the subscripts of a part: the largest of each.
static bool read_subscripts(Flattener *f, Scope *s, const ReferencePart *part, uint32_t *largest,
                            uint32_t *fixed)
{
    *fixed = 0;
    if (part->subscript_count > BUS_RANK) {
        report_error(f, part->span, "too many subscripts");
        return false;
    }
    for (uint32_t k = 0; k < part->subscript_count; k++) {
        const Expression *e = part->subscripts[k];
        largest[k] = 0;
        if (e->kind == EXPRESSION_COLON)
            continue;
        const FlatExpression *value = elaborate(f, s, e);
        value = expression_is_none(value) ? NULL : evaluate(f, value, "a subscript");
        if (!value)
            return false;
        *fixed += value->rank == 0;
        for (uint32_t i = 0; i < (value->rank ? value->count : 1); i++) {
            const FlatExpression *element = value->rank ? value->operands[i] : value;
            if (element->kind != FLAT_INTEGER || element->integer < 1 ||
                element->integer > LIMIT_SCALARS) {
                report_error(f, e->span, "a subscript must be a number from 1 on");
                return false;
            }
            if (element->integer > largest[k])
                largest[k] = (uint32_t)element->integer;
        }
    }
    return true;
}

// The element of an array of components; NULL: it is a part of it, or an error.
static Instance *element_of(Flattener *f, Scope *s, Instance *i, const ReferencePart *part)
{
    uint32_t places[BUS_RANK], fixed;
    if (!i->flat->rank)
        return i;
    if (part->subscript_count != i->flat->rank || !read_subscripts(f, s, part, places, &fixed) ||
        fixed != i->flat->rank)
        return NULL;
    uint32_t place = 0;
    for (uint32_t k = 0; k < i->flat->rank; k++) {
        if (places[k] > i->flat->dims[k])
            return NULL;
        place = place * i->flat->dims[k] + places[k] - 1;
    }
    instance_open(f, i);
    return place < i->count ? &i->children[place] : NULL;
}

// The expandable connector that a reference leads to, and the part that names it. NULL: none.
static Instance *find_bus(Flattener *f, Scope *s, const Reference *r, uint32_t *part)
{
    Instance *i = s->instance;
    for (uint32_t k = 0; k < r->count; k++) {
        const Name *name = r->parts[k].name;
        const Member *member = name && !r->is_global ? class_member(f, i->class_, name) : NULL;
        Instance *child = member && member->is_component ? instance_child(f, i, name) : NULL;
        child = child && !child->is_broken ? instance_target(f, child, r->parts[k].span) : NULL;
        if (!child || child->is_broken || child->is_absent || child->kind == INSTANCE_SIMPLE)
            return NULL;
        const bool is_bus = bus_is_expandable(f, child);
        i = element_of(f, s, child, &r->parts[k]);
        if (!i && is_bus)
            report_error(f, r->parts[k].span,
                         "arrays of expandable connectors are connected element by element");
        if (!i || i->is_absent)
            return NULL;
        *part = k;
        if (is_bus)
            return i;
    }
    return NULL;
}

static bool bus_find_place(Flattener *f, Scope *s, const Reference *r, BusPlace *p)
{
    uint32_t part = 0;
    const Instance *i = find_bus(f, s, r, &part);
    Bus *b = i ? map_find(&f->buses.instances, i) : NULL;
    *p = (BusPlace){0};
    if (!b)
        return false;
    for (uint32_t k = part + 1; k < r->count; k++) {
        const Bus *set = bus_set(b);
        p->is_inside = set->class_ && !set->is_expandable;
        if (p->is_inside || !r->parts[k].name)
            break;
        set = b = bus_child(f, b, r->parts[k].name, r->parts[k].span);
        uint32_t largest[BUS_RANK];
        if (!read_subscripts(f, s, &r->parts[k], largest, &p->fixed))
            return false;
        p->rank = r->parts[k].subscript_count;
        bus_set(b)->has_elements = bus_set(b)->has_elements || p->rank;
        for (uint32_t d = 0; d < p->rank; d++)
            if (largest[d] > bus_set(b)->dims[d])
                bus_set(b)->dims[d] = largest[d];
        if (k + 1 < r->count && !set->class_)
            bus_set(b)->is_expandable = true; // bus.sub.x makes sub one
        if (k + 1 < r->count && bus_set(b)->is_expandable && bus_set(b)->rank > p->fixed)
            p->open += bus_set(b)->rank - p->fixed;
    }
    p->bus = b;
    return true;
}

static Instance *bus_selected(const Selection *s)
{
    return s->variables ? variable_instance(s->variables[0]) : s->instances[0];
}

// A connector of another class is connected with a component of a bus.
static void learn(Flattener *f, const EquationContext *c, const BusPlace *p, const Selection *s,
                  Span span)
{
    Bus *set = bus_set(p->bus);
    Instance *x = bus_selected(s);
    if (set->is_expandable != bus_is_expandable(f, x)) {
        report_error(f, span,
                     "an expandable connector can be connected with expandable connectors only; "
                     "'%s' is none",
                     set->is_expandable ? instance_name(f, x) : set->name->text);
        return;
    }
    if (set->is_expandable) {
        for (uint32_t k = 0; k < s->count; k++) {
            Bus *own = s->variables ? NULL : map_find(&f->buses.instances, s->instances[k]);
            if (own)
                unite_buses(f, p->bus, own);
        }
        return;
    }
    if (!set->class_) {
        set->class_ = x->class_;
        set->layers = class_is_simple(f, x->class_) ? NULL : x->layers;
        const uint32_t open = p->open < s->rank ? p->open : s->rank;
        set->rank = p->fixed + s->rank - open;
        for (uint32_t k = open; k < s->rank && p->fixed + k - open < BUS_RANK; k++)
            if (set->dims[p->fixed + k - open] < s->dims[k])
                set->dims[p->fixed + k - open] = s->dims[k];
    } else if (!p->rank && set->rank == s->rank) {
        for (uint32_t k = 0; k < s->rank; k++)
            if (set->dims[k] < s->dims[k])
                set->dims[k] = s->dims[k];
    }
    const bool is_out = connections_outside(f, x, c->scope.instance);
    const bool is_source = x->direction == (is_out ? DIRECTION_INPUT : DIRECTION_OUTPUT);
    if (x->direction == DIRECTION_NONE || p->rank || set->is_many) // elements have their own
        return;
    if (is_source && set->source)
        report_error(f, span, "two outputs are connected: '%s' and '%s'",
                     instance_name(f, set->source), instance_name(f, x));
    if (is_source)
        set->source = x;
    else if (!is_out)
        set->has_sink = true;
}

void bus_connect(Flattener *f, EquationContext *c, const Equation *equation)
{
    const Reference *sides[] = {equation->connect.from, equation->connect.to};
    BusPlace places[2];
    const bool is_first = bus_find_place(f, &c->scope, sides[0], &places[0]);
    const bool is_second = bus_find_place(f, &c->scope, sides[1], &places[1]);
    if (is_first && is_second) {
        if (places[0].is_inside || places[1].is_inside)
            return;
        if (places[0].rank != places[1].rank && !bus_set(places[0].bus)->is_expandable)
            report_error(f, equation->span,
                         "elements of expandable connectors are connected with elements only");
        else
            unite_buses(f, places[0].bus, places[1].bus);
        return;
    }
    if (!is_first && !is_second)
        return;
    const BusPlace *p = &places[is_second];
    Selection other;
    if (p->is_inside || !select_components(f, &c->scope, sides[is_first], &other) ||
        other.is_absent || !other.count)
        return;
    learn(f, c, p, &other, equation->span);
}

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

static Expression *size_expression(Flattener *f, uint32_t size, Span span)
{
    Expression *e = ARENA_NEW(f->arena, Expression);
    *e = (Expression){.kind = EXPRESSION_INTEGER, .height = 1, .span = span, .integer = size};
    return e;
}

// A declaration of what connections have added, or whose sizes they have given.
static const Element *made_element(Flattener *f, const Bus *set, const Component *like)
{
    Element *element = ARENA_NEW(f->arena, Element);
    Component *component = ARENA_NEW(f->arena, Component);
    ComponentClause *clause = ARENA_NEW(f->arena, ComponentClause);
    Reference *type = arena_allocate(f->arena, sizeof(Reference) + sizeof(ReferencePart));
    *type = (Reference){.span = set->span, .count = 1};
    type->parts[0] = (ReferencePart){.name = set->name, .span = set->span};
    *clause = (ComponentClause){.span = set->span, .type = type};
    *component = (Component){.clause = clause, .name = set->name, .name_span = set->span};
    if (like) {
        *clause = *like->clause;
        *component = *like;
        component->clause = clause;
        clause->subscript_count = 0;
    }
    component->subscript_count = set->rank;
    component->subscripts = ARENA_ARRAY(f->arena, set->rank + 1, Expression *);
    for (uint32_t k = 0; k < set->rank; k++)
        component->subscripts[k] = size_expression(f, set->dims[k], set->span);
    *element = (Element){.kind = ELEMENT_COMPONENT, .span = set->span, .component = component};
    return element;
}

static bool has_open_size(const Component *c)
{
    for (uint32_t k = 0; k < c->subscript_count; k++)
        if (c->subscripts[k]->kind == EXPRESSION_COLON)
            return true;
    for (uint32_t k = 0; k < c->clause->subscript_count; k++)
        if (c->clause->subscripts[k]->kind == EXPRESSION_COLON)
            return true;
    return false;
}

// connector RealInput = input Real: what it is without its causality.
static Class *without_direction(Flattener *f, Class *c)
{
    while (c && c->definition && c->definition->form == FORM_SHORT && class_is_simple(f, c) &&
           c->definition->alias.direction != DIRECTION_NONE && c->base_count)
        c = c->bases[0].class_;
    return c;
}

static Class *expanded_class(Flattener *f, Bus *set, Class *like);

static Member *made_member(Flattener *f, Bus *set, Class *in)
{
    Member *member = ARENA_NEW(f->arena, Member);
    if (set->member) {
        *member = *set->member;
        const Component *component = member->element->component;
        if (has_open_size(component))
            member->element = made_element(f, set, component);
    } else {
        *member = (Member){.name = set->name,
                           .element = made_element(f, set, NULL),
                           .scope = in,
                           .layers = set->layers,
                           .is_component = true};
    }
    member->class_ = set->is_expandable ? expanded_class(f, set, in)
                     : set->member      ? set->class_
                                        : without_direction(f, set->class_);
    member->is_resolved = true;
    return member;
}

static void check_set(Flattener *f, const Bus *set)
{
    if (!set->class_ && !set->is_expandable)
        report_error(f, set->span,
                     "'%s' has no type: neither a declaration nor a connector of another class "
                     "says what it is",
                     set->name->text);
    else if (set->has_sink && !set->source && !set->member && !set->has_elements)
        report_error(f, set->span,
                     "nothing gives '%s' of an expandable connector a value: only inputs are "
                     "connected with it",
                     set->name->text);
}

// A class with the components of a set. `like`: what it is if nothing is declared.
static Class *expanded_class(Flattener *f, Bus *set, Class *like)
{
    if (set->expanded)
        return set->expanded;
    Class *base = set->class_ ? set->class_ : like;
    Class *c = set->expanded = ARENA_NEW(f->arena, Class);
    class_expand(f, base);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the instance of a bus has a class
    *c = *base;
    c->table = (Map){0};
    c->type = NULL;
    c->statics = NULL;
    c->sections.is_made = false;
    c->sections.texts = (List){0};
    c->base_count = 1;
    c->bases = ARENA_ARRAY(f->arena, 1, Base);
    c->bases[0].class_ = base;
    const uint32_t room = base->member_count + set->children.count + 1;
    c->members = ARENA_ARRAY(f->arena, room, Member *);
    c->components = ARENA_ARRAY(f->arena, room, Member *);
    c->member_count = c->component_count = 0;
    for (uint32_t i = 0; i < base->member_count; i++) {
        if (base->members[i]->is_component)
            continue;
        c->members[c->member_count++] = base->members[i];
        map_set(f->arena, &c->table, base->members[i]->name, base->members[i]);
    }
    for (uint32_t i = 0; i < set->children.count; i++) {
        Bus *child = bus_set(set->children.items[i]);
        check_set(f, child);
        if (!child->class_ && !child->is_expandable)
            continue;
        Member *member = made_member(f, child, c);
        member->index = c->component_count;
        c->members[c->member_count++] = member;
        c->components[c->component_count++] = member;
        map_set(f->arena, &c->table, member->name, member);
    }
    return c;
}

void bus_expand(Flattener *f, void (*open)(Flattener *f, Instance *i, const FlatGuard *guard))
{
    const List *roots = &f->buses.roots;
    for (uint32_t i = 0; i < roots->count; i++) {
        Bus *b = roots->items[i];
        b->instance->class_ = expanded_class(f, bus_set(b), b->class_);
    }
    for (uint32_t i = 0; i < roots->count; i++) {
        const Bus *b = roots->items[i];
        open(f, b->instance, b->guard);
    }
}
