// SPDX-License-Identifier: MIT

#include "flatten/subtype.h"

#include "flatten/lookup.h"

enum { DEEPEST = 4 }; // components of components

typedef struct Redeclaration {
    const Element *element, *redeclared;
    Class *scope, *given;
} Redeclaration;

void subtypes_note(Flattener *f, const Element *element, Class *scope, const Element *redeclared,
                   Class *given)
{
    if (!element || !given || element->kind != redeclared->kind ||
        map_find(&f->redeclared, redeclared))
        return;
    Redeclaration *r = ARENA_NEW(f->arena, Redeclaration);
    *r = (Redeclaration){element, redeclared, scope, given};
    map_set(f->arena, &f->redeclared, redeclared, r);
    list_append(f->arena, &f->redeclarations, r);
}

static Class *constraining_class(Flattener *f, const Redeclaration *r)
{
    if (r->element->constraint)
        return lookup_class_quietly(f, r->scope, r->element->constraint->type);
    return r->element->kind == ELEMENT_CLASS
               ? class_create(f, r->element->class_definition, r->scope)
               : lookup_class_quietly(f, r->scope, r->element->component->clause->type);
}

// ---- what does not fit
// ---------------------------------------------------------------------------

typedef struct Comparison {
    Flattener *f;
    StringBuilder reason;
} Comparison;

static bool fail(Comparison *c, const char *format, ...) TEXT_FORMAT(2, 3);
static bool fail(Comparison *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    builder_append_formatted(&c->reason, format, arguments);
    va_end(arguments);
    return false;
}

static Direction direction_of(const Member *m)
{
    return m->is_component && m->element ? m->element->component->clause->direction
                                         : DIRECTION_NONE;
}

static bool has_default(const Member *m)
{
    const Modification *value = m->element->component->modification;
    return m->layers || (value && value->value);
}

// Inputs and outputs in the same order; inputs beyond those need defaults.
static bool compare_functions(Comparison *c, const Class *wanted, const Class *given)
{
    for (int output = 0; output < 2; output++) {
        const Direction direction = output ? DIRECTION_OUTPUT : DIRECTION_INPUT;
        uint32_t k = 0;
        for (uint32_t i = 0; i < wanted->component_count; i++) {
            const Member *w = wanted->components[i];
            if (direction_of(w) != direction)
                continue;
            while (k < given->component_count && direction_of(given->components[k]) != direction)
                k++;
            if (k == given->component_count || given->components[k]->name != w->name)
                return fail(c, "its %ss are not those of the constraining type: '%s' is %s",
                            output ? "output" : "input", w->name->text,
                            map_find(&given->table, w->name) ? "at another place" : "missing");
            k++;
        }
        for (; !output && k < given->component_count; k++)
            if (direction_of(given->components[k]) == DIRECTION_INPUT &&
                !has_default(given->components[k]))
                return fail(c,
                            "its input '%s' has no default value, and the constraining type "
                            "has no such input",
                            given->components[k]->name->text);
    }
    return true;
}

static const char *kind_text(Flattener *f, Class *c)
{
    return class_is_simple(f, c) ? class_type(f, c)->name : class_kind_text(class_kind(f, c));
}

static bool compare(Comparison *c, Class *wanted, Class *given, const char *path, int depth);

// path: the component whose member it is, "a.b", or nothing.
static bool compare_member(Comparison *c, Member *w, Class *given, const char *path, int depth)
{
    StringBuilder name = builder_create(c->f->arena);
    builder_append_format(&name, "%s%s%s", path, path[0] ? "." : "", w->name->text);
    const char *full = builder_string(&name).text;
    Member *g = class_member(c->f, given, w->name);
    if (!g || g->is_protected || g->is_removed || g->is_component != w->is_component)
        return fail(c, "it has no %s '%s'", w->is_component ? "component" : "class", full);
    if (!w->is_component || depth == DEEPEST || g->origin == w || g == w)
        return true;
    Class *a = member_class(c->f, w), *b = member_class(c->f, g);
    if (!a || !b || a == b)
        return true;
    return compare(c, a, b, full, depth + 1);
}

static bool compare(Comparison *c, Class *wanted, Class *given, const char *path, int depth)
{
    Flattener *f = c->f;
    class_expand(f, wanted);
    class_expand(f, given);
    if (wanted->is_broken || given->is_broken || class_inherits(f, given, wanted))
        return true;
    const bool is_simple = class_is_simple(f, wanted);
    const bool differ = is_simple != class_is_simple(f, given) ||
                        (is_simple && wanted->simple_type != given->simple_type) ||
                        class_is_function(f, wanted) != class_is_function(f, given) ||
                        class_is_package(f, wanted) != class_is_package(f, given);
    if (differ)
        return fail(c, "%s%s%sis %s, not %s", path[0] ? "its '" : "it ", path, path[0] ? "' " : "",
                    kind_text(f, given), kind_text(f, wanted));
    if (class_is_function(f, wanted))
        return compare_functions(c, wanted, given);
    for (uint32_t i = 0; i < wanted->member_count && !is_simple; i++) {
        Member *m = wanted->members[i];
        if (!m->is_protected && !m->is_removed && !compare_member(c, m, given, path, depth))
            return false;
    }
    return true;
}

const char *subtype_misfit(Flattener *f, Class *wanted, Class *given)
{
    Comparison c = {f, builder_create(f->arena)};
    return compare(&c, wanted, given, "", 0) ? NULL : builder_string(&c.reason).text;
}

void subtypes_check(Flattener *f)
{
    for (uint32_t i = 0; i < f->redeclarations.count; i++) {
        const Redeclaration *r = f->redeclarations.items[i];
        Class *wanted = constraining_class(f, r);
        if (!wanted || wanted == r->given)
            continue;
        Comparison c = {f, builder_create(f->arena)};
        if (compare(&c, wanted, r->given, "", 0))
            continue;
        Diagnostic *d = report_error(f, r->redeclared->span, "'%s' cannot take this place: %s",
                                     class_name(f, r->given), builder_string(&c.reason).text);
        report_note(f, d, r->element->constraint ? r->element->constraint->span : r->element->span,
                    "the constraining type is '%s'", class_name(f, wanted));
    }
}
