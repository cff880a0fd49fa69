// SPDX-License-Identifier: MIT
//
// Layers of modifications: see modification.h (chapter 7 of the specification).
//
// With `model M  A a(b(x = 1));  end M;` and `M m(a.b.x = 3)`, the layers of m.a.b.x are "= 3",
// then
// "= 1": outermost first. Layers come about by selection, one name at a time: layers_select takes
// from each layer of m the arguments that are about `a`, and makes the layers of m.a from these.
// What is dotted (a.b.x) stays one argument, of which `part` counts the names that are matched
// already. No modification is ever merged or copied, and `final`, `each` and `redeclare` are looked
// up where they are written.

#include "flatten/modification.h"

#include "flatten/instance.h"
#include "flatten/lookup.h"

const Layer *layer_create(Flattener *f, const Modification *modification, Class *scope,
                          Instance *context, const Layer *next)
{
    if (!modification || (!modification->count && !modification->value && !modification->is_break))
        return next;
    Layer *layer = ARENA_NEW(f->passing, Layer);
    *layer = (Layer){.next = next,
                     .modification = modification,
                     .scope = scope,
                     .context = context,
                     .depth = context ? context->depth : UINT32_MAX};
    return layer;
}

static bool is_unmatched(const Layer *layer)
{
    return layer->argument && layer->argument->name && layer->part < layer->argument->name->count;
}

const Argument *layer_argument(const Layer *layer, uint32_t index)
{
    if (is_unmatched(layer))
        return index == 0 ? layer->argument : NULL;
    const Modification *m = layer->modification;
    return m && index < m->count ? m->arguments[index] : NULL;
}

const Name *layer_argument_name(const Layer *layer, uint32_t index, Span *span)
{
    const Argument *a = layer_argument(layer, index);
    if (a->kind == ARGUMENT_ELEMENT) {
        const Element *e = a->element;
        const bool is_class = e->kind == ELEMENT_CLASS;
        if (span)
            *span = is_class ? e->class_definition->name_span : e->component->name_span;
        return is_class ? e->class_definition->name : e->component->name;
    }
    if (a->kind != ARGUMENT_MODIFICATION)
        return NULL;
    const ReferencePart *part = &a->name->parts[is_unmatched(layer) ? layer->part : 0];
    if (span)
        *span = part->span;
    return part->name;
}

const Expression *layer_value(const Layer *layer)
{
    return !is_unmatched(layer) && layer->modification ? layer->modification->value : NULL;
}

Span layer_span(const Layer *layer)
{
    if (layer->redeclaration)
        return layer->redeclaration->span;
    if (layer->argument)
        return layer->argument->span;
    return layer->modification->value ? layer->modification->value->span
                                      : layer->modification->span;
}

// The layer for what argument `index` of `outer` modifies.
static Layer inner_layer(const Layer *outer, uint32_t index)
{
    const Argument *a = layer_argument(outer, index);
    Layer layer = *outer;
    layer.next = NULL;
    layer.argument = a;
    layer.part = is_unmatched(outer) ? outer->part + 1 : 1;
    layer.redeclaration = NULL;
    layer.is_final = outer->is_final || a->is_final;
    layer.modification = a->modification;
    if (a->kind == ARGUMENT_ELEMENT) {
        const Element *e = a->element;
        layer.redeclaration = e;
        layer.modification = e->kind == ELEMENT_COMPONENT ? e->component->modification : NULL;
    }
    return layer;
}

static Layer *layer_inside(Flattener *f, const Layer *outer, uint32_t index,
                           const Instance *element)
{
    const Argument *a = layer_argument(outer, index);
    Layer *layer = ARENA_NEW(f->passing, Layer);
    *layer = inner_layer(outer, index);
    if (element && !a->is_each) {
        Subscripts *subscripts = ARENA_NEW(f->passing, Subscripts);
        *subscripts = (Subscripts){outer->subscripts, element};
        layer->subscripts = subscripts;
    }
    return layer;
}

const Layer *layers_select(Flattener *f, const Layer *layers, const Name *name,
                           const Instance *element)
{
    Layer *first = NULL;
    Layer **end = &first;
    for (const Layer *layer = layers; layer; layer = layer->next) {
        for (uint32_t i = 0; layer_argument(layer, i); i++) {
            if (layer_argument_name(layer, i, NULL) != name)
                continue;
            Layer *inside = layer_inside(f, layer, i, element);
            *end = inside;
            end = (Layer **)(void *)&inside->next;
        }
    }
    return first;
}

const Layer *layers_join(Flattener *f, const Layer *first, const Layer *second)
{
    if (!first || !second)
        return first ? first : second;
    Layer *head = NULL;
    Layer **end = &head;
    for (const Layer *layer = first; layer; layer = layer->next) {
        Layer *copy = ARENA_NEW(f->passing, Layer);
        *copy = *layer;
        *end = copy;
        end = (Layer **)(void *)&copy->next;
    }
    *end = (Layer *)second;
    return head;
}

const Layer *layers_before(Flattener *f, const Layer *layers, const Layer *stop)
{
    Layer *head = NULL;
    Layer **end = &head;
    for (const Layer *layer = layers; layer && layer != stop; layer = layer->next) {
        Layer *copy = ARENA_NEW(f->passing, Layer);
        *copy = *layer;
        copy->next = NULL;
        *end = copy;
        end = (Layer **)(void *)&copy->next;
    }
    return head;
}

const Layer *layers_without_replaced(Flattener *f, const Layer *layers)
{
    const Layer *redeclaration = layers_redeclaration(layers);
    if (!redeclaration || !layers_redeclaration(redeclaration->next))
        return layers;
    Layer *kept = NULL, **end = &kept;
    for (const Layer *layer = redeclaration->next; layer; layer = layer->next)
        if (!layer->redeclaration) {
            *end = ARENA_NEW(f->arena, Layer);
            **end = *layer;
            (*end)->next = NULL;
            end = (Layer **)(void *)&(*end)->next;
        }
    return layers_join(f, layers_before(f, layers, redeclaration->next), kept);
}

const Layer *layers_bind(Flattener *f, const Layer *layers, Instance *instance)
{
    Layer *head = NULL;
    Layer **end = &head;
    for (const Layer *layer = layers; layer; layer = layer->next) {
        Layer *copy = ARENA_NEW(f->passing, Layer);
        *copy = *layer;
        if (!copy->context) {
            copy->context = instance_of_scope(f, instance, copy->scope);
            copy->depth = copy->context ? copy->context->depth : instance->depth;
        }
        *end = copy;
        end = (Layer **)(void *)&copy->next;
    }
    return head;
}

const Layer *layers_value(const Layer *layers)
{
    for (const Layer *layer = layers; layer; layer = layer->next) {
        if (is_unmatched(layer) || !layer->modification)
            continue;
        if (layer->modification->is_break)
            return NULL;
        if (layer->modification->value)
            return layer;
    }
    return NULL;
}

bool layers_find_value(const Layer *layers, const Name *name, Layer *found)
{
    for (const Layer *layer = layers; layer; layer = layer->next) {
        for (uint32_t i = 0; layer_argument(layer, i); i++) {
            if (layer_argument_name(layer, i, NULL) != name)
                continue;
            *found = inner_layer(layer, i);
            if (is_unmatched(found) || !found->modification)
                continue;
            if (found->modification->is_break)
                return false;
            if (found->modification->value)
                return true;
        }
    }
    return false;
}

const Layer *layers_redeclaration(const Layer *layers)
{
    for (const Layer *layer = layers; layer; layer = layer->next)
        if (layer->redeclaration)
            return layer;
    return NULL;
}

// ---------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------

static bool is_attribute(const Flattener *f, Predefined simple, const Name *name)
{
    const KnownNames *k = &f->known;
    if (name == k->quantity || name == k->start || name == k->fixed)
        return true;
    if (name == k->min || name == k->max)
        return simple == PREDEFINED_REAL || simple == PREDEFINED_INTEGER ||
               simple == PREDEFINED_ENUMERATION;
    return simple == PREDEFINED_REAL &&
           (name == k->unit || name == k->displayUnit || name == k->nominal ||
            name == k->stateSelect || name == k->unbounded);
}

static const char *nearest_attribute(const Flattener *f, Predefined simple, const Name *name)
{
    const Name *all[] = {f->known.start,    f->known.fixed,       f->known.min,
                         f->known.max,      f->known.nominal,     f->known.unit,
                         f->known.quantity, f->known.displayUnit, f->known.stateSelect};
    const char *candidates[sizeof all / sizeof *all];
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is_attribute(f, simple, all[i]))
            candidates[count++] = all[i]->text;
    return text_nearest(name->text, candidates, count);
}

static void report_no_attribute(Flattener *f, Class *c, const Name *name, Span span)
{
    const char *nearest = nearest_attribute(f, c->simple, name);
    const char *type = class_name(f, c);
    if (nearest)
        report_error(f, span, "type '%s' has no attribute '%s'; did you mean '%s'?", type,
                     name->text, nearest);
    else
        report_error(f, span, "type '%s' has no attribute '%s'", type, name->text);
}

static void report_no_member(Flattener *f, Class *c, const Name *name, Span span)
{
    const char *nearest = lookup_nearest_member(f, c, name);
    if (nearest)
        report_error(f, span, "'%s' has no element '%s' to modify; did you mean '%s'?",
                     class_name(f, c), name->text, nearest);
    else
        report_error(f, span, "'%s' has no element '%s' to modify", class_name(f, c), name->text);
}

// Whether what `a` redeclares is replaceable there: the last redeclaration before it says so.
static bool is_replaceable(const Member *member, const Argument *a)
{
    const Layer *inner = member->layers;
    for (const Layer *layer = member->layers; layer; layer = layer->next)
        if (layer->argument == a)
            inner = layer->next;
    const Layer *redeclaration = layers_redeclaration(inner);
    return redeclaration ? redeclaration->redeclaration->is_replaceable
                         : member->element && member->element->is_replaceable;
}

// A component that is not replaceable may still get other sizes, with the type that it has
// (section 7.3.3): x[:, :] becomes x[2, 3].
static bool is_resized(const Member *member, const Argument *a)
{
    const Element *e = a->element;
    if (e->kind != ELEMENT_COMPONENT || !member->is_component || !member->element ||
        e->component->subscript_count == 0)
        return false;
    const Component *before = member->element->component;
    const Reference *new = e->component->clause->type, *old = before->clause->type;
    bool is_same = new->count == old->count && !e->is_replaceable &&
                   e->component->subscript_count == before->subscript_count;
    for (uint32_t i = 0; i < new->count &&is_same; i++)
        is_same = new->parts[i].name == old->parts[i].name;
    for (uint32_t i = 0; i < before->subscript_count && is_same; i++)
        is_same = before->subscripts[i]->kind == EXPRESSION_COLON;
    return is_same;
}

static bool modification_is_constant(const Member *member)
{
    return member->is_component &&
           member->element->component->clause->variability == VARIABILITY_CONSTANT;
}

static void check_member_argument(Flattener *f, const Argument *a, Class *c, const Member *member,
                                  Span span, bool is_outside)
{
    const Name *name = member->name;
    bool is_final = member->is_final;
    for (const Layer *layer = member->layers; layer && !is_final; layer = layer->next)
        is_final = layer->is_final && layer->argument != a && !layer->redeclaration;
    if (is_final) {
        Diagnostic *d = report_error(f, span, "'%s' is final in '%s' and cannot be modified",
                                     name->text, class_name(f, c));
        if (member->element)
            report_note(f, d, member->element->span, "it is declared here");
    } else if (is_outside && member->is_protected) {
        report_error(f, span, "'%s' is protected in '%s' and cannot be modified from outside",
                     name->text, class_name(f, c));
    } else if (a->kind == ARGUMENT_ELEMENT && a->element->is_redeclare &&
               !is_replaceable(member, a) && !is_resized(member, a)) {
        report_error(f, span, "'%s' cannot be redeclared: it is not declared 'replaceable'",
                     name->text);
    } else if (a->kind == ARGUMENT_ELEMENT && modification_is_constant(member)) {
        report_error(f, span, "'%s' is a constant and cannot be redeclared", name->text);
    } else if (a->kind == ARGUMENT_ELEMENT &&
               (a->element->kind == ELEMENT_COMPONENT) != member->is_component) {
        report_error(f, span, "'%s' is a %s and cannot be redeclared as a %s", name->text,
                     member->is_component ? "component" : "class",
                     member->is_component ? "class" : "component");
    }
}

// Whether two modifications of one thing say the same of it (section 7.2.4): x = 1 and x(start = 2)
// do not, nor do a(x = 1) and a.y = 2. A value and that of a part of it do.
static bool layers_clash(const Flattener *f, const Layer *a, const Layer *b)
{
    const bool has_a = layer_value(a) != NULL, has_b = layer_value(b) != NULL;
    if ((a->redeclaration && b->redeclaration) || (has_a && has_b))
        return true;
    for (uint32_t k = 0; has_a && layer_argument(b, k); k++)
        if (!is_attribute(f, PREDEFINED_REAL, layer_argument_name(b, k, NULL)))
            return true;
    for (uint32_t i = 0; layer_argument(a, i); i++) {
        const Name *name = layer_argument_name(a, i, NULL);
        if (has_b && !is_attribute(f, PREDEFINED_REAL, name))
            return true;
        for (uint32_t k = 0; name && layer_argument(b, k); k++) {
            const Layer in_a = inner_layer(a, i), in_b = inner_layer(b, k);
            if (layer_argument_name(b, k, NULL) == name && layers_clash(f, &in_a, &in_b))
                return true;
        }
    }
    return false;
}

// Whether argument `index` says what one before it says.
static bool is_said_before(const Flattener *f, const Layer *layer, uint32_t index)
{
    const Name *name = layer_argument_name(layer, index, NULL);
    const Layer late = inner_layer(layer, index);
    for (uint32_t i = 0; i < index; i++) {
        const Layer early = inner_layer(layer, i);
        if (layer_argument_name(layer, i, NULL) == name && layers_clash(f, &early, &late))
            return true;
    }
    return false;
}

static void check_layer(Flattener *f, const Layer *layer, Class *c, bool is_outside)
{
    enum { FEW = 8 }; // need no map
    Map seen = {0};
    const Argument *a;
    const bool are_many = layer_argument(layer, FEW) != NULL;
    for (uint32_t i = 0; (a = layer_argument(layer, i)) != NULL; i++) {
        Span span;
        const Name *name = layer_argument_name(layer, i, &span);
        if (!name)
            continue;
        if ((!are_many || map_find(&seen, name)) && is_said_before(f, layer, i))
            report_error(f, span, "'%s' is modified twice", name->text);
        if (are_many)
            map_set(f->passing, &seen, name, (void *)a);
        const Member *member = class_member(f, c, name);
        if (member)
            check_member_argument(f, a, c, member, span, is_outside);
        else if (c->simple != PREDEFINED_NONE && !is_attribute(f, c->simple, name))
            report_no_attribute(f, c, name, span);
        else if (c->simple == PREDEFINED_NONE && !c->is_broken)
            report_no_member(f, c, name, span);
    }
}

// An attribute that an inner layer, as of the type, has made final.
static void check_final_attributes(Flattener *f, const Layer *layer)
{
    for (uint32_t i = 0; layer_argument(layer, i); i++) {
        Span span;
        const Name *name = layer_argument_name(layer, i, &span);
        for (const Layer *inner = layer->next; inner; inner = inner->next)
            for (uint32_t k = 0; layer_argument(inner, k); k++) {
                const Argument *a = layer_argument(inner, k);
                if (!a->is_final || a == layer_argument(layer, i) ||
                    layer_argument_name(inner, k, NULL) != name)
                    continue;
                Diagnostic *d = report_error(
                    f, span, "the attribute '%s' is final and cannot be modified", name->text);
                report_note(f, d, a->span, "it is made final here");
            }
    }
}

void layers_check(Flattener *f, const Layer *layers, Class *c, bool is_outside)
{
    class_expand(f, c);
    for (const Layer *layer = layers; layer; layer = layer->next)
        check_layer(f, layer, c, is_outside);
    for (const Layer *layer = layers; layer && c->simple != PREDEFINED_NONE; layer = layer->next)
        check_final_attributes(f, layer);
}
