// SPDX-License-Identifier: MIT

#include "flatten/examples.h"

#include "flatten/flatten.h"
#include "flatten/library.h"

static bool is_example(Flattener *f, const Class *c)
{
    const ClassDefinition *d = c->definition;
    const bool is_model =
        d->kind == CLASS_MODEL || d->kind == CLASS_BLOCK || d->kind == CLASS_CLASS;
    return is_model && !d->is_partial && class_annotation(f, c, f->known.experiment);
}

// Only packages are looked into: what is inside of a model is part of it.
static void examples_walk(Flattener *f, Class *c, bool are_all, List *examples)
{
    const ClassDefinition *d = c->definition;
    if (d && (are_all || is_example(f, c))) {
        FlattenExample *e = ARENA_NEW(f->arena, FlattenExample);
        *e = (FlattenExample){.name = class_name(f, c),
                              .description = d->description,
                              .kind = class_kind_text(d->kind),
                              .is_partial = d->is_partial};
        list_append(f->arena, examples, e);
    }
    if (!d || d->kind != CLASS_PACKAGE || d->form != FORM_LONG)
        return;
    class_expand(f, c);
    for (uint32_t i = 0; i < c->member_count; i++) {
        Member *m = c->members[i];
        if (m->is_component || m->is_inherited || m->is_protected)
            continue;
        Class *inner = member_class(f, m);
        if (inner)
            examples_walk(f, inner, are_all, examples);
    }
}

void examples_find(Flattener *f, Class *c, bool are_all, List *examples)
{
    List given = {0};
    if (c)
        list_append(f->arena, &given, c);
    else
        library_list_given(f, &given);
    for (uint32_t i = 0; i < given.count; i++)
        examples_walk(f, given.items[i], are_all, examples);
}
