// SPDX-License-Identifier: MIT

#include "flatten/subtype.h"

#include "flatten/lookup.h"
#include "flatten/modification.h"

enum { DEEPEST = 4 }; // components of components

typedef struct Redeclaration {
    const Element *element;
    Class *scope, *given;
    Span span; // of what must fit
} Redeclaration;

// key: each is checked once.
static void subtype_add(Flattener *f, const void *key, Redeclaration redeclaration)
{
    if (map_find(&f->seen.redeclared, key))
        return;
    Redeclaration *r = ARENA_NEW(f->arena, Redeclaration);
    *r = redeclaration;
    map_set(f->arena, &f->seen.redeclared, key, r);
    list_append(f->arena, &f->seen.redeclarations, r);
}

void subtypes_note(Flattener *f, const Element *element, Class *scope, const Element *redeclared,
                   Class *given)
{
    if (element && given && element->kind == redeclared->kind)
        subtype_add(f, redeclared, (Redeclaration){element, scope, given, redeclared->span});
}

void subtypes_note_constraint(Flattener *f, const Element *element, Class *scope,
                              const Element *redeclared, Class *redeclared_scope, Class *given)
{
    const Constraint *c = redeclared->constraint;
    if (!c || !given)
        return;
    // (Redeclarations have their own element as a key; a clause has two questions.)
    const Span span = redeclared->kind == ELEMENT_COMPONENT
                          ? redeclared->component->name_span
                          : redeclared->class_definition->name_span;
    subtype_add(f, c, (Redeclaration){redeclared, redeclared_scope, given, span});
    Class *wanted = element && element->kind == redeclared->kind
                        ? lookup_class_quietly(f, redeclared_scope, c->type)
                        : NULL;
    if (wanted)
        subtype_add(f, c->type, (Redeclaration){element, scope, wanted, c->span});
}

void subtypes_note_redeclaration(Flattener *f, const Member *member, const Layer *inner,
                                 const Element *redeclared, Class *scope, Class *given)
{
    const Element *element = member->constraint ? member->constraint : member->element;
    Class *element_scope = member->constraint ? member->constraint_scope : member->scope;
    while (inner && !(inner->redeclaration && inner->redeclaration->constraint))
        inner = inner->next;
    if (inner) {
        element = inner->redeclaration;
        element_scope = inner->scope;
    }
    subtypes_note(f, element, element_scope, redeclared, given);
    subtypes_note_constraint(f, element, element_scope, redeclared, scope, given);
}

static Class *constraining_class(Flattener *f, const Redeclaration *r)
{
    if (r->element->constraint)
        return lookup_class_quietly(f, r->scope, r->element->constraint->type);
    return r->element->kind == ELEMENT_CLASS
               ? class_create(f, r->element->class_definition, r->scope)
               : lookup_class_quietly(f, r->scope, r->element->component->clause->type);
}

// ---------------------------------------------------------------------------
// What does not fit
// ---------------------------------------------------------------------------

// Each of these says why something does not fit; NULL: it does.

static const char *subtype_fail(Flattener *f, const char *format, ...) TEXT_FORMAT(2, 3);
static const char *subtype_fail(Flattener *f, const char *format, ...)
{
    StringBuilder reason = builder_create(f->arena);
    va_list arguments;
    va_start(arguments, format);
    builder_append_formatted(&reason, format, arguments);
    va_end(arguments);
    return builder_string(&reason).text;
}

static Direction subtype_direction_of(const Member *m)
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
static const char *compare_functions(Flattener *f, const Class *wanted, const Class *given)
{
    for (int output = 0; output < 2; output++) {
        const Direction direction = output ? DIRECTION_OUTPUT : DIRECTION_INPUT;
        uint32_t k = 0;
        for (uint32_t i = 0; i < wanted->component_count; i++) {
            const Member *w = wanted->components[i];
            if (subtype_direction_of(w) != direction)
                continue;
            while (k < given->component_count &&
                   subtype_direction_of(given->components[k]) != direction)
                k++;
            if (k == given->component_count || given->components[k]->name != w->name)
                return subtype_fail(f, "its %ss are not those of the constraining type: '%s' is %s",
                                    output ? "output" : "input", w->name->text,
                                    map_find(&given->table, w->name) ? "at another place"
                                                                     : "missing");
            k++;
        }
        for (; !output && k < given->component_count; k++)
            if (subtype_direction_of(given->components[k]) == DIRECTION_INPUT &&
                !has_default(given->components[k]))
                return subtype_fail(
                    f,
                    "its input '%s' has no default value, and the constraining type "
                    "has no such input",
                    given->components[k]->name->text);
    }
    return NULL;
}

static const char *subtype_kind_text(Flattener *f, Class *c)
{
    return class_is_simple(f, c) ? class_type(f, c)->name : class_kind_text(class_kind(f, c));
}

static const char *subtype_compare(Flattener *f, Class *wanted, Class *given, const char *path,
                                   int depth);

// path: the component whose member it is, "a.b", or nothing.
static const char *compare_member(Flattener *f, Member *w, Class *given, const char *path,
                                  int depth)
{
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "%s%s%s", path, path[0] ? "." : "", w->name->text);
    const char *full = builder_string(&name).text;
    Member *g = class_member(f, given, w->name);
    if (!g || g->is_protected || g->is_removed || g->is_component != w->is_component)
        return subtype_fail(f, "it has no %s '%s'", w->is_component ? "component" : "class", full);
    if (!w->is_component || depth == DEEPEST || g->origin == w || g == w)
        return NULL;
    Class *a = member_class(f, w), *b = member_class(f, g);
    if (!a || !b || a == b)
        return NULL;
    return subtype_compare(f, a, b, full, depth + 1);
}

// Of simple types: the same one, or any enumeration for `enumeration(:)` (section 4.8.5.3).
static bool is_subtype(const Class *wanted, const Class *given)
{
    const ClassDefinition *d = wanted->simple_type->definition;
    const bool is_open = d && d->form == FORM_ENUMERATION && d->enumeration.is_open;
    return wanted->simple_type == given->simple_type ||
           (is_open && given->simple == PREDEFINED_ENUMERATION);
}

static const char *subtype_compare(Flattener *f, Class *wanted, Class *given, const char *path,
                                   int depth)
{
    class_expand(f, wanted);
    class_expand(f, given);
    if (wanted->is_broken || given->is_broken || class_inherits(f, given, wanted))
        return NULL;
    const bool is_simple = class_is_simple(f, wanted);
    const bool differ = is_simple != class_is_simple(f, given) ||
                        (is_simple && !is_subtype(wanted, given)) ||
                        class_is_function(f, wanted) != class_is_function(f, given) ||
                        class_is_package(f, wanted) != class_is_package(f, given);
    if (differ)
        return subtype_fail(f, "%s%s%sis %s, not %s", path[0] ? "its '" : "it ", path,
                            path[0] ? "' " : "", subtype_kind_text(f, given),
                            subtype_kind_text(f, wanted));
    if (class_is_function(f, wanted))
        return compare_functions(f, wanted, given);
    const char *misfit = NULL;
    for (uint32_t i = 0; i < wanted->member_count && !is_simple && !misfit; i++) {
        Member *m = wanted->members[i];
        if (!m->is_protected && !m->is_removed)
            misfit = compare_member(f, m, given, path, depth);
    }
    return misfit;
}

static uint32_t subtype_rank(Flattener *f, Class *c)
{
    List sizes = {0};
    List scopes = {0};
    class_sizes(f, c, &sizes, &scopes);
    return sizes.count;
}

// An array type and its constraining type have as many dimensions, not counting those that the
// declaration adds itself (section 7.3.2).
static const char *subtype_compare_rank(Flattener *f, const Element *element, Class *wanted,
                                        Class *given)
{
    uint32_t rank = subtype_rank(f, given);
    if (!element->constraint || !class_is_simple(f, wanted) || !class_is_simple(f, given))
        return NULL;
    if (element->kind == ELEMENT_CLASS && given->definition &&
        given->definition->form == FORM_SHORT)
        rank -= given->definition->alias.subscript_count;
    return rank == subtype_rank(f, wanted)
               ? NULL
               : subtype_fail(f, "it has %u dimension%s, not %u", (unsigned)rank,
                              rank == 1 ? "" : "s", (unsigned)subtype_rank(f, wanted));
}

const char *subtype_misfit(Flattener *f, Class *wanted, Class *given)
{
    return subtype_compare(f, wanted, given, "", 0);
}

void subtypes_check(Flattener *f)
{
    for (uint32_t i = 0; i < f->seen.redeclarations.count; i++) {
        const Redeclaration *r = f->seen.redeclarations.items[i];
        Class *wanted = constraining_class(f, r);
        if (!wanted || wanted == r->given)
            continue;
        const char *misfit = subtype_misfit(f, wanted, r->given);
        if (!misfit)
            misfit = subtype_compare_rank(f, r->element, wanted, r->given);
        if (!misfit)
            continue;
        Diagnostic *d = report_error(f, r->span, "'%s' cannot take this place: %s",
                                     class_name(f, r->given), misfit);
        report_note(f, d, r->element->constraint ? r->element->constraint->span : r->element->span,
                    "the constraining type is '%s'", class_name(f, wanted));
    }
}
