// SPDX-License-Identifier: MIT
//
// Repeated elements: see repeat.h. Texts are compared, not what they mean: what has the same text
// in the declaration of one base class and in the modification of another is the same.

#include "flatten/repeat.h"

#include "flatten/modification.h"
#include "modelica/equality.h"

// What modifications say about a component, by dotted name ("" is the component itself): an
// Expression, or the Element of a redeclaration. The outermost comes first and stays.
typedef struct Sayings {
    Map values;
    Map elements;
    List names;
} Sayings;

static const Name *repeat_name(Flattener *f, const Name *prefix, const Name *last)
{
    StringBuilder text = builder_create(f->arena);
    if (prefix)
        builder_append_format(&text, "%s.", prefix->text);
    builder_append_text(&text, last->text);
    const String s = builder_string(&text);
    return names_intern(f->names, s.text, s.length);
}

static void repeat_say(Flattener *f, Sayings *s, const Name *name, const void *value, bool is_value)
{
    if (map_find(&s->values, name) || map_find(&s->elements, name))
        return;
    map_set(f->arena, is_value ? &s->values : &s->elements, name, (void *)value);
    list_append(f->arena, &s->names, (void *)name);
}

static void repeat_read(Flattener *f, Sayings *s, const Name *prefix, const Modification *m)
{
    const Name *self = prefix ? prefix : names_intern(f->names, "", 0);
    if (m && m->value)
        repeat_say(f, s, self, m->value, true);
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        if (a->kind == ARGUMENT_ELEMENT) {
            const Element *e = a->element;
            const Name *name =
                e->kind == ELEMENT_CLASS ? e->class_definition->name : e->component->name;
            if (name)
                repeat_say(f, s, repeat_name(f, prefix, name), e, false);
        } else if (a->kind == ARGUMENT_MODIFICATION) {
            const Name *name = prefix;
            for (uint32_t k = 0; k < a->name->count && a->name->parts[k].name; k++)
                name = repeat_name(f, name, a->name->parts[k].name);
            repeat_read(f, s, name, a->modification);
        }
    }
}

static void repeat_read_layers(Flattener *f, Sayings *s, const Layer *layers)
{
    for (const Layer *layer = layers; layer; layer = layer->next) {
        const Name *prefix = NULL;
        if (layer->redeclaration) {
            repeat_say(f, s, names_intern(f->names, "", 0), layer->redeclaration, false);
            continue;
        }
        // a.b.c = 1 as a modification of a says something about b.c
        for (uint32_t k = layer->part;
             layer->argument && layer->argument->name && k < layer->argument->name->count; k++)
            prefix = repeat_name(f, prefix, layer->argument->name->parts[k].name);
        repeat_read(f, s, prefix, layer->modification);
    }
}

static bool repeat_agree(const Sayings *a, const Sayings *b)
{
    for (uint32_t i = 0; i < a->names.count; i++) {
        const Name *name = a->names.items[i];
        const Expression *x = map_find(&a->values, name), *y = map_find(&b->values, name);
        const Element *d = map_find(&a->elements, name), *e = map_find(&b->elements, name);
        const bool is_same = x ? y && expression_equal(x, y) : e && element_means_same(d, e);
        if (!is_same)
            return false;
    }
    return true;
}

// But for their modifications.
static bool repeat_is_declared_alike(const Element *a, const Element *b)
{
    Element x = *a, y = *b;
    Component c = *a->component, d = *b->component;
    c.modification = d.modification = NULL;
    x.component = &c;
    y.component = &d;
    return element_means_same(&x, &y);
}

bool repeat_is_same(Flattener *f, const Member *a, const Layer *of_a, const Member *b,
                    const Layer *of_b)
{
    if (!a->element || !b->element)
        return a->element == b->element;
    if (a->element->kind != ELEMENT_COMPONENT || b->element->kind != ELEMENT_COMPONENT)
        return a->element == b->element || element_means_same(a->element, b->element);
    if (a->element == b->element && !a->layers && !b->layers && !of_a && !of_b)
        return true;
    if (a->element != b->element && !repeat_is_declared_alike(a->element, b->element))
        return false;
    Sayings x = {0};
    Sayings y = {0};
    repeat_read_layers(f, &x, of_a);
    repeat_read_layers(f, &x, a->layers);
    repeat_read(f, &x, NULL, a->element->component->modification);
    repeat_read_layers(f, &y, of_b);
    repeat_read_layers(f, &y, b->layers);
    repeat_read(f, &y, NULL, b->element->component->modification);
    return repeat_agree(&x, &y) && repeat_agree(&y, &x);
}
