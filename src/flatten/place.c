// SPDX-License-Identifier: MIT

#include "flatten/place.h"

// The folder of a file, with the slash at its end.
static size_t folder_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

static bool place_is_near(const Sources *sources, const SourceFile *home, Span span)
{
    const SourceFile *file = span_is_known(span) ? sources_find(sources, span.begin) : NULL;
    if (!file || !home || file == home)
        return file;
    const size_t length = folder_length(home->name);
    return length ? strncmp(file->name, home->name, length) == 0
                  : file->name[0] != '/' && strncmp(file->name, "../", 3) != 0;
}

Span place_of(const Sources *sources, const FlatModel *model, Span span,
              const FlatComponent *component)
{
    const SourceFile *home = sources_find(sources, model->span.begin);
    if (place_is_near(sources, home, span))
        return span;
    for (; component && component != model->root; component = component->parent)
        if (component->name && place_is_near(sources, home, component->declared->span))
            return component->declared->span;
    return span;
}

static void append_modification(StringBuilder *out, const FlatComponent *c, const char *inner)
{
    while (c && !c->name && c->parent)
        c = c->parent;
    if (!c || !c->name) {
        builder_append_text(out, inner);
        return;
    }
    StringBuilder text = builder_create(out->arena);
    builder_append_format(&text, "%s(%s)", c->name->text, inner);
    append_modification(out, c->parent, builder_string(&text).text);
}

const char *place_modification(Arena *arena, const FlatVariable *v)
{
    StringBuilder inner = builder_create(arena), out = builder_create(arena);
    builder_append_format(&inner, "%s = ...",
                          v->component->name ? v->component->name->text : v->name);
    append_modification(&out, v->component->parent, builder_string(&inner).text);
    return builder_string(&out).text;
}
