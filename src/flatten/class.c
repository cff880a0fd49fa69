// SPDX-License-Identifier: MIT
//
// Classes and their members: see class.h. Expansion has two phases, so that the name of a base
// class can be looked up among the class's own elements (section 5.6.1.4): first the own elements
// and imports get into the table, then the bases' members are merged in, in the order of the text.

#include "flatten/class.h"

#include "flatten/elaborate.h"
#include "flatten/library.h"
#include "flatten/lookup.h"
#include "flatten/modification.h"
#include "flatten/repeat.h"
#include "flatten/rules.h"
#include "flatten/subtype.h"

Class *class_create(Flattener *f, const ClassDefinition *definition, Class *enclosing)
{
    Class *c = ARENA_NEW(f->arena, Class);
    c->definition = definition;
    c->name = definition->name;
    c->enclosing = enclosing;
    return c;
}

// ---------------------------------------------------------------------------
// The own elements
// ---------------------------------------------------------------------------

static void register_import(Flattener *f, Class *c, const Element *element)
{
    const Import *import = element->import;
    const uint32_t count = import->kind == IMPORT_LIST ? import->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        ImportEntry *entry = ARENA_NEW(f->arena, ImportEntry);
        *entry = (ImportEntry){.import = import, .span = element->span};
        const Name *name = import->path->parts[import->path->count - 1].name;
        if (import->kind == IMPORT_UNQUALIFIED) {
            list_append(f->arena, &c->imports.wildcards, entry);
            continue;
        }
        if (import->kind == IMPORT_RENAMED)
            name = import->alias.name;
        if (import->kind == IMPORT_LIST)
            name = entry->last = import->imported[i].name;
        if (!name)
            continue;
        if (map_find(&c->imports.names, name))
            report_error(f, element->span, "'%s' is imported twice", name->text);
        else
            map_set(f->arena, &c->imports.names, name, entry);
    }
}

static const Name *element_name(const Element *element)
{
    return element->kind == ELEMENT_CLASS ? element->class_definition->name
                                          : element->component->name;
}

static Span element_name_span(const Element *element)
{
    return element->kind == ELEMENT_CLASS ? element->class_definition->name_span
                                          : element->component->name_span;
}

static void register_element(Flattener *f, Class *c, const Element *element)
{
    const Name *name = element_name(element);
    if (!name)
        return;
    const Member *other = map_find(&c->table, name);
    if (other) {
        Diagnostic *d = report_error(f, element_name_span(element),
                                     "'%s' is declared twice in '%s'", name->text, c->name->text);
        if (other->element)
            report_note(f, d, element_name_span(other->element), "the first one is here");
        return;
    }
    Member *member = ARENA_NEW(f->arena, Member);
    *member = (Member){.name = name,
                       .element = element,
                       .scope = c,
                       .is_component = element->kind == ELEMENT_COMPONENT,
                       .is_protected = element->is_protected,
                       .is_final = element->is_final};
    map_set(f->arena, &c->table, name, member);
}

static void register_own(Flattener *f, Class *c)
{
    const ClassBody *body = &c->definition->body;
    for (uint32_t i = 0; i < body->element_count; i++) {
        const Element *element = body->elements[i];
        if (element->kind == ELEMENT_IMPORT)
            register_import(f, c, element);
        else if (element->kind != ELEMENT_EXTENDS)
            register_element(f, c, element);
    }
    for (uint32_t i = 0; i < c->additions.count; i++) {
        Member *member = c->additions.items[i];
        if (!map_find(&c->table, member->name))
            map_set(f->arena, &c->table, member->name, member);
    }
}

// ---------------------------------------------------------------------------
// Inheritance
// ---------------------------------------------------------------------------

// The class with what is collected while it is expanded.
typedef struct Expansion {
    Class *class_;
    List members;
    List bases;
    const Layer *redeclarations; // by elements of the class itself, for its bases
} Expansion;

// `redeclare` elements of the class as one modification of its bases.
static const Layer *own_redeclarations(Flattener *f, Class *c)
{
    const ClassBody *body = &c->definition->body;
    List arguments = {0};
    for (uint32_t i = 0; i < body->element_count; i++) {
        Element *element = body->elements[i];
        if (element->kind != ELEMENT_CLASS && element->kind != ELEMENT_COMPONENT)
            continue;
        if (!element->is_redeclare)
            continue;
        Argument *argument = ARENA_NEW(f->arena, Argument);
        *argument = (Argument){.kind = ARGUMENT_ELEMENT, .span = element->span, .element = element};
        list_append(f->arena, &arguments, argument);
    }
    if (!arguments.count)
        return NULL;
    Modification *m = ARENA_NEW(f->arena, Modification);
    *m = (Modification){.span = c->definition->span,
                        .has_arguments = true,
                        .count = arguments.count,
                        .arguments = (Argument **)(void *)arguments.items};
    return layer_create(f, m, c, NULL, NULL);
}

// A member of the class itself meets the inherited one of the same name.
static void override_member(Flattener *f, Expansion *x, Member *own, Member *inherited,
                            const Layer *layers)
{
    const Element *element = own->element;
    const bool is_extending = element && element->kind == ELEMENT_CLASS &&
                              element->class_definition->form == FORM_EXTENDING;
    if (!element || (!element->is_redeclare && !is_extending)) {
        // What modifies the class reaches its own members when it is complete, inherited ones now.
        const Layer *outer = layers_select(f, x->class_->layers, own->name, NULL);
        if (!repeat_is_same(f, own, outer, inherited, layers))
            report_error(f, element ? element_name_span(element) : x->class_->definition->span,
                         "'%s' is inherited already and differs from it; use 'redeclare' to "
                         "replace it",
                         own->name->text);
        return;
    }
    if (own->replaced)
        return;
    own->replaced = inherited;
    own->constraint = inherited->constraint ? inherited->constraint : inherited->element;
    own->constraint_scope = inherited->constraint ? inherited->constraint_scope : inherited->scope;
    rules_check_redeclaration(f, own, inherited);
    list_append(f->arena, &x->members, own);
}

static void inherit_member(Flattener *f, Expansion *x, Member *inherited, const Layer *layers,
                           bool is_protected, Span span)
{
    Member *other = map_find(&x->class_->table, inherited->name);
    const Layer *selected = layers_select(f, layers, inherited->name, NULL);
    if (other && !other->is_inherited) {
        override_member(f, x, other, inherited, selected);
        return;
    }
    if (other) {
        if (!repeat_is_same(f, other, NULL, inherited, selected))
            report_error(f, span, "'%s' is inherited twice, from different declarations",
                         inherited->name->text);
        return;
    }
    Member *member = ARENA_NEW(f->arena, Member);
    *member = *inherited;
    member->origin = inherited;
    member->is_inherited = true;
    member->is_protected = inherited->is_protected || is_protected;
    if (selected) {
        member->layers = layers_join(f, selected, inherited->layers);
        member->origin = NULL;
        member->class_ = NULL;
        member->is_resolved = false;
    }
    map_set(f->arena, &x->class_->table, member->name, member);
    list_append(f->arena, &x->members, member);
}

static bool is_broken_off(const Modification *m, const Name *name)
{
    for (uint32_t i = 0; m && i < m->count; i++)
        if (m->arguments[i]->kind == ARGUMENT_BREAK_COMPONENT &&
            m->arguments[i]->name->parts[0].name == name)
            return true;
    return false;
}

static void check_broken_off(Flattener *f, const Modification *m, Class *base)
{
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        if (a->kind == ARGUMENT_BREAK_COMPONENT && !map_find(&base->table, a->name->parts[0].name))
            report_error(f, a->span, "there is no '%s' in '%s' to be left out",
                         a->name->parts[0].name->text, class_name(f, base));
        if (a->kind == ARGUMENT_BREAK_CONNECT && !class_has_connect(f, base, a->from, a->to))
            report_error(f, a->span, "there is no connect(%s, %s) in '%s' to be left out",
                         reference_text(f, a->from), reference_text(f, a->to), class_name(f, base));
        f->connections.has_breaks |= a->kind == ARGUMENT_BREAK_CONNECT;
    }
}

static void merge_base(Flattener *f, Expansion *x, Class *base, const Modification *modification,
                       const Element *element, Class *scope)
{
    Class *c = x->class_;
    const Layer *own = layer_create(f, modification, scope, NULL, NULL);
    const Layer *inner = layers_join(f, own, c->defaults);
    const Layer *layers = layers_join(f, c->layers, layers_join(f, x->redeclarations, inner));
    class_expand(f, base);
    layers_check(f, own, base, false);
    check_broken_off(f, modification, base);
    Class *modified = class_modified(f, base, layers);
    class_expand(f, modified);
    c->is_broken |= modified->is_broken;
    if (!(c->definition->form == FORM_EXTENDING && !element) &&
        !rules_check_base(f, c, base, element))
        c->is_broken = true;

    Base *entry = ARENA_NEW(f->arena, Base);
    *entry = (Base){modified, element, element && element->is_protected};
    list_append(f->arena, &x->bases, entry);
    if (modified->simple != PREDEFINED_NONE && c->simple == PREDEFINED_NONE) {
        c->simple = modified->simple;
        c->simple_type = modified->simple_type;
        c->attributes = layers_join(f, layers, modified->attributes);
    }
    const Layer *for_members = modified == base ? layers : NULL;
    const Span span = element ? element->span : c->definition->span;
    for (uint32_t i = 0; i < modified->member_count; i++)
        if (!is_broken_off(modification, modified->members[i]->name))
            inherit_member(f, x, modified->members[i], for_members, entry->is_protected, span);
}

static void class_report_cycle(Flattener *f, Class *c, Span span)
{
    report_error(f, span, "'%s' extends itself", class_name(f, c));
    c->is_broken = true;
}

static void merge_extends(Flattener *f, Expansion *x, const Element *element)
{
    Class *c = x->class_;
    const Reference *type = element->extends.type;
    Class *base = lookup_class(f, c, type, "base class");
    if (!base) {
        c->is_broken = true;
    } else if (base->state == CLASS_EXPANDING) {
        class_report_cycle(f, base, element->span);
        c->is_broken = true;
    } else {
        rules_check_base_name(f, c, base, type);
        merge_base(f, x, base, element->extends.modification, element, c);
    }
}

// The class of an inherited member as it was before `element` redeclared it.
static Class *class_before(Flattener *f, Member *member, const Element *element)
{
    while (member->origin)
        member = member->origin;
    if (!member->element)
        return member_class(f, member);
    const Layer *layer = member->layers;
    while (layer && layer->redeclaration != element)
        layer = layer->next;
    if (!layer)
        return member_class(f, member);
    Member *before = ARENA_NEW(f->arena, Member);
    *before = *member;
    before->layers = layer->next;
    before->is_resolved = false;
    return member_class(f, before);
}

// `model extends M(...)`: the inherited class of the same name is the base.
static void merge_extended_class(Flattener *f, Expansion *x)
{
    Class *c = x->class_;
    Member *self = c->enclosing ? map_find(&c->enclosing->table, c->name) : NULL;
    Class *base = NULL;
    if (self && self->replaced)
        base = class_before(f, self->replaced, self->element);
    if (!base || base == c || base->state == CLASS_EXPANDING) {
        report_error(f, c->definition->name_span, "there is no inherited class '%s' to extend",
                     c->name->text);
        c->is_broken = true;
        return;
    }
    merge_base(f, x, base, c->definition->body.modification, NULL, c);
}

static void expand_long(Flattener *f, Expansion *x)
{
    Class *c = x->class_;
    const ClassBody *body = &c->definition->body;
    register_own(f, c);
    if (c->folder)
        library_list_folder(f, c);
    x->redeclarations = own_redeclarations(f, c);
    if (c->definition->form == FORM_EXTENDING)
        merge_extended_class(f, x);
    for (uint32_t i = 0; i < body->element_count; i++) {
        const Element *element = body->elements[i];
        if (element->kind == ELEMENT_EXTENDS) {
            merge_extends(f, x, element);
        } else if (element->kind != ELEMENT_IMPORT && element_name(element)) {
            Member *own = map_find(&c->table, element_name(element));
            if (own && own->element == element && !own->replaced && !element->is_redeclare)
                list_append(f->arena, &x->members, own);
        }
    }
    for (uint32_t i = 0; i < body->element_count; i++) {
        const Element *element = body->elements[i];
        if (element->kind != ELEMENT_CLASS && element->kind != ELEMENT_COMPONENT)
            continue;
        const Member *own = map_find(&c->table, element_name(element));
        if (element->is_redeclare && own && own->element == element && !own->replaced &&
            !c->is_broken)
            report_error(f, element_name_span(element), "there is no inherited '%s' to redeclare",
                         own->name->text);
    }
    for (uint32_t i = 0; i < c->additions.count; i++) {
        Member *added = c->additions.items[i];
        if (map_find(&c->table, added->name) == added)
            list_append(f->arena, &x->members, added);
    }
}

static void expand_short(Flattener *f, Expansion *x)
{
    Class *c = x->class_;
    const ClassDefinition *d = c->definition;
    Class *base = lookup_class(f, c->enclosing, d->alias.type, "class");
    if (!base) {
        c->is_broken = true;
    } else if (base->state == CLASS_EXPANDING) {
        class_report_cycle(f, base, d->alias.type->span);
        c->is_broken = true;
    } else {
        merge_base(f, x, base, d->alias.modification, NULL, c->enclosing);
    }
}

static void class_gather(Flattener *f, Expansion *x)
{
    Class *c = x->class_;
    c->members = (Member **)(void *)x->members.items;
    c->member_count = x->members.count;
    c->components = ARENA_ARRAY(f->arena, c->member_count + 1, Member *);
    for (uint32_t i = 0; i < c->member_count; i++) {
        Member *member = c->members[i];
        // The layers of the class as a whole reach its own members here; inherited ones have got
        // them on the way.
        if (!member->is_inherited && (c->layers || c->defaults)) {
            const Layer *selected = layers_select(f, c->layers, member->name, NULL);
            const Layer *inner = layers_select(f, c->defaults, member->name, NULL);
            member->layers = layers_join(f, selected, layers_join(f, inner, member->layers));
        }
        if (member->is_component) {
            member->index = c->component_count;
            c->components[c->component_count++] = member;
        }
    }
    c->base_count = x->bases.count;
    c->bases = ARENA_ARRAY(f->arena, c->base_count + 1, Base);
    c->way_count = 1;
    for (uint32_t i = 0; i < c->base_count; i++) {
        c->bases[i] = *(Base *)x->bases.items[i];
        c->way_count += c->bases[i].class_->way_count;
    }
    if (c->way_count <= LIMIT_BASES)
        return;
    report_error(f, c->definition->name_span,
                 "'%s' has more than %d base classes and base classes of these", c->name->text,
                 LIMIT_BASES);
    c->way_count = 1;
    c->base_count = 0;
    c->is_broken = true;
}

void class_expand(Flattener *f, Class *c)
{
    if (c->state != CLASS_NEW)
        return;
    if (!c->definition) {
        c->state = CLASS_EXPANDED;
        c->simple = c->predefined;
        c->simple_type = c;
        return;
    }
    c->state = CLASS_EXPANDING;
    Expansion x = {.class_ = c};
    if (++f->limits.class_depth > LIMIT_CLASS_DEPTH) {
        report_error(f, c->definition->name_span,
                     "'%s' is derived over more than %d steps, or from itself", c->name->text,
                     LIMIT_CLASS_DEPTH);
        c->is_broken = true;
    } else if (c->definition->form == FORM_SHORT) {
        expand_short(f, &x);
    } else if (c->definition->form == FORM_ENUMERATION) {
        c->simple = PREDEFINED_ENUMERATION;
        c->simple_type = c;
    } else if (c->definition->form != FORM_DERIVATIVE) {
        expand_long(f, &x);
    }
    f->limits.class_depth--;
    class_gather(f, &x);
    c->state = CLASS_EXPANDED;
    rules_check_class(f, c);
}

Member *class_member(Flattener *f, Class *c, const Name *name)
{
    class_expand(f, c);
    return map_find(&c->table, name);
}

// ---------------------------------------------------------------------------
// The classes of members
// ---------------------------------------------------------------------------

// Classes inside of a class see its other classes and its constants.
static bool is_seen_by_classes(const Class *c, const Member *member)
{
    if (!member->is_component)
        return true;
    return member->element->component->clause->variability == VARIABILITY_CONSTANT &&
           c->component_count < c->member_count;
}

static bool concerns_classes(Flattener *f, Class *c, const Layer *layers)
{
    for (const Layer *layer = layers; layer; layer = layer->next) {
        for (uint32_t i = 0; layer_argument(layer, i) != NULL; i++) {
            const Name *name = layer_argument_name(layer, i, NULL);
            const Member *member = name ? class_member(f, c, name) : NULL;
            if (member && is_seen_by_classes(c, member))
                return true;
        }
    }
    return false;
}

Class *class_modified(Flattener *f, Class *c, const Layer *layers)
{
    if (!layers || !c->definition || !concerns_classes(f, c, layers))
        return c;
    Class *modified = class_create(f, c->definition, c->enclosing);
    modified->layers = layers_join(f, layers, c->layers);
    modified->folder = c->folder;
    for (uint32_t i = 0; i < c->additions.count; i++) {
        Member *added = c->additions.items[i];
        if (added->element && !added->path)
            list_append(f->arena, &modified->additions, added);
    }
    return modified;
}

// The modifications that a constraining clause adds to whatever replaces the element (section
// 7.3.2); without a clause the declaration's own count.
static const Layer *constraint_layer(Flattener *f, const Member *member)
{
    const Element *e = member->constraint ? member->constraint : member->element;
    Class *scope = member->constraint ? member->constraint_scope : member->scope;
    if (!e)
        return NULL;
    if (e->constraint)
        return layer_create(f, e->constraint->modification, scope, NULL, NULL);
    if (e->kind == ELEMENT_CLASS && e->class_definition->form == FORM_SHORT)
        return layer_create(f, e->class_definition->alias.modification, scope, NULL, NULL);
    return NULL;
}

static Class *redeclared_class(Flattener *f, Member *member, const Layer *redeclaration)
{
    const Element *element = redeclaration->redeclaration;
    if (element->kind != ELEMENT_CLASS)
        return NULL; // reported where the modification was checked
    // The redeclare element of the class itself has its own member.
    Class *c = class_create(f, element->class_definition, redeclaration->scope);
    subtypes_note_redeclaration(f, member, redeclaration->next, element, redeclaration->scope, c);
    c->layers = layers_before(f, member->layers, redeclaration);
    // What is said further in of whatever replaces it: modifications, constraining clauses.
    const Layer *inner = NULL;
    for (const Layer *layer = redeclaration->next; layer; layer = layer->next) {
        Layer plain = *layer;
        plain.next = NULL;
        const Constraint *constraint =
            layer->redeclaration ? layer->redeclaration->constraint : NULL;
        const Layer *more =
            !layer->redeclaration ? &plain
            : constraint ? layer_create(f, constraint->modification, layer->scope, NULL, NULL)
                         : NULL;
        inner = layers_join(f, inner, layers_before(f, more, NULL));
    }
    c->defaults = layers_join(f, inner, constraint_layer(f, member));
    return c;
}

static Class *class_of_class_member(Flattener *f, Member *member)
{
    if (member->origin)
        return member_class(f, member->origin);
    if (!member->element && !library_load(f, member->scope, member))
        return NULL;
    const Layer *redeclaration = layers_redeclaration(member->layers);
    if (redeclaration && redeclaration->redeclaration != member->element) {
        // An element that redeclares in the text of a class has a member there; use its class.
        Member *there = redeclaration->argument && redeclaration->argument->name
                            ? NULL
                            : map_find(&redeclaration->scope->table, member->name);
        if (there && there != member && there->element == redeclaration->redeclaration)
            return member_class(f, there);
        return redeclared_class(f, member, redeclaration);
    }
    Class *c = class_create(f, member->element->class_definition, member->scope);
    c->folder = member->path;
    const Constraint *constraint = member->element->constraint;
    const Layer *own =
        constraint ? layer_create(f, constraint->modification, member->scope, NULL, NULL) : NULL;
    if (redeclaration)
        return class_modified(f, c, layers_join(f, member->layers, own));
    subtypes_note_constraint(f, NULL, NULL, member->element, member->scope, c);
    c->layers = member->layers; // A(B(x = 4)): all that is of type B in A has that x
    c->defaults = own;
    return c;
}

static Class *class_of_component_member(Flattener *f, Member *member)
{
    if (member->origin && !member->layers)
        return member_class(f, member->origin);
    const Element *element = member->element;
    Class *scope = member->scope;
    const Layer *layers = member->layers;
    const Layer *redeclaration = layers_redeclaration(layers);
    if (redeclaration && redeclaration->redeclaration->kind == ELEMENT_COMPONENT) {
        element = redeclaration->redeclaration;
        scope = redeclaration->scope;
        layers = layers_before(f, layers, redeclaration);
    }
    const Component *component = element->component;
    Class *type = lookup_class(f, scope, component->clause->type, "type");
    if (!type)
        return NULL;
    if (redeclaration && element != member->element)
        subtypes_note_redeclaration(f, member, redeclaration->next, element, scope, type);
    else
        subtypes_note_constraint(f, NULL, NULL, element, scope, type);
    const Layer *own = layer_create(f, component->modification, scope, NULL, NULL);
    return class_modified(f, type, layers_join(f, layers, own));
}

Class *member_class(Flattener *f, Member *member)
{
    if (!member->is_resolved) {
        member->is_resolved = true;
        member->class_ = member->is_component ? class_of_component_member(f, member)
                                              : class_of_class_member(f, member);
        if (member->replaced && member->element && member->element->is_redeclare)
            subtypes_note(f, member->constraint, member->constraint_scope, member->element,
                          member->class_);
    }
    return member->class_;
}
