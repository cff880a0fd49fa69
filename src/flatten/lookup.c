// SPDX-License-Identifier: MIT
//
// Lookup of class names: see lookup.h.
//
// A simple name is looked for in the class at hand (its own elements and the inherited ones), then
// in its imports by name, then in those with `.*` (two different finds there are an error), then
// the same in the enclosing class. Beyond an encapsulated class only predefined names are seen. Of
// a composite name the first part is looked up like this, each further one in what was found.

#include "flatten/lookup.h"

#include "flatten/library.h"
#include "flatten/rules.h"

#include <strings.h>

static Found found_in(Flattener *f, Class *c, const Name *name)
{
    Member *member = c->name ? class_member(f, c, name) : library_top(f, name);
    return member ? (Found){c, member} : (Found){0};
}

// Names of libraries begin with a capital letter: of Name.something it may be the library that is
// missing.
static void note_library(Flattener *f, Diagnostic *error, const Reference *r)
{
    const char *name = r->parts[0].name->text;
    if (r->count > 1 && name[0] >= 'A' && name[0] <= 'Z')
        library_note_missing(f, error, r->parts[0].name, r->parts[0].span);
}

// Resolves A.B.C of an import, from the top level (section 13.2.1).
static Found import_path(Flattener *f, const ImportEntry *entry)
{
    const Reference *path = entry->import->path;
    const Name *last = entry->last;
    const Span span = entry->span;
    Class *c = library_root(f->library);
    Found found = {0};
    const uint32_t count = path->count + (last != NULL);
    for (uint32_t i = 0; i < count; i++) {
        const Name *name = i < path->count ? path->parts[i].name : last;
        found = name && c ? found_in(f, c, name) : (Found){0};
        if (!found.member) {
            if (name && c && i == 0)
                lookup_report_unknown_first(f, c, path, "imported element");
            else if (name && c)
                lookup_report_unknown(f, c, name, i < path->count ? path->parts[i].span : span,
                                      "imported element");
            return (Found){0};
        }
        if (i + 1 < count)
            c = found.member->is_component ? NULL : member_class(f, found.member);
    }
    if (entry->import->kind == IMPORT_UNQUALIFIED)
        return found; // its elements are asked for later
    if (c != library_root(f->library) && !class_is_package(f, c))
        report_error(f, span, "'%s' is a %s: only elements of packages can be imported",
                     class_name(f, c), class_kind_text(class_kind(f, c)));
    else if (found.member && found.member->is_protected)
        report_error(f, span, "'%s' is protected in '%s' and cannot be imported",
                     found.member->name->text, class_name(f, c));
    return found;
}

static Found import_resolve(Flattener *f, ImportEntry *entry)
{
    if (!entry->is_resolved) {
        entry->is_resolved = true;
        const Found found = import_path(f, entry);
        entry->scope = found.scope;
        entry->member = found.member;
    }
    return (Found){entry->scope, entry->member};
}

// The package of `import P.*`; NULL: none.
static Class *import_package(Flattener *f, ImportEntry *entry)
{
    const Found found = import_resolve(f, entry);
    Class *c = found.member && !found.member->is_component ? member_class(f, found.member) : NULL;
    if (c && !class_is_package(f, c)) {
        report_error(f, entry->span, "'%s' is a %s: only elements of packages can be imported",
                     class_name(f, c), class_kind_text(class_kind(f, c)));
        return NULL;
    }
    return c;
}

static Found lookup_imports(Flattener *f, Class *c, const Name *name)
{
    ImportEntry *entry = map_find(&c->imports.names, name);
    if (entry)
        return import_resolve(f, entry);
    Found first = {0};
    for (uint32_t i = 0; i < c->imports.wildcards.count; i++) {
        const ImportEntry *wildcard = c->imports.wildcards.items[i];
        Class *in = import_package(f, c->imports.wildcards.items[i]);
        const Found found = in && in != c ? found_in(f, in, name) : (Found){0};
        if (!found.member || found.member->is_protected)
            continue;
        if (first.member && first.member->element != found.member->element)
            report_error(f, wildcard->span,
                         "'%s' is imported from both '%s' and '%s'; import the one that is meant "
                         "by its name",
                         name->text, class_name(f, first.scope), class_name(f, found.scope));
        first = first.member ? first : found;
    }
    return first;
}

static Found lookup_from(Flattener *f, Class *from, const Name *name, bool is_given)
{
    bool is_sealed = false; // beyond an encapsulated class only predefined names are seen
    for (Class *c = from; c; c = c->enclosing) {
        if (is_sealed && c->name)
            continue;
        Found found =
            c->name || !is_given ? found_in(f, c, name) : (Found){c, library_given(f, name)};
        if (!found.member)
            found = lookup_imports(f, c, name);
        const bool is_predefined =
            found.member && found.member->class_ && !found.member->class_->definition;
        if (found.member && (!is_sealed || is_predefined || library_is_prelude(f, found.member)))
            return found;
        is_sealed |= c->definition && c->definition->is_encapsulated;
    }
    return (Found){0};
}

Found lookup_simple(Flattener *f, Class *from, const Name *name)
{
    return lookup_from(f, from, name, false);
}

Found lookup_given(Flattener *f, Class *from, const Name *name)
{
    return lookup_from(f, from, name, true);
}

Class *lookup_class_in(Flattener *f, Class *in, const Name *name)
{
    const Found found = found_in(f, in, name);
    return found.member && !found.member->is_component ? member_class(f, found.member) : NULL;
}

// The first part of a name.
static Found lookup_first(Flattener *f, Class *from, const Reference *r)
{
    return r->is_global ? found_in(f, library_root(f->library), r->parts[0].name)
                        : lookup_simple(f, from, r->parts[0].name);
}

static void report_unknown_part(Flattener *f, Class *in, const Reference *r, uint32_t part,
                                const char *what)
{
    if (part == 0)
        lookup_report_unknown_first(f, in, r, what);
    else
        lookup_report_unknown(f, in, r->parts[part].name, r->parts[part].span, what);
}

static Class *lookup_path(Flattener *f, Class *from, const Reference *r, const char *what)
{
    Class *in = r->is_global ? library_root(f->library) : from;
    Found found = lookup_first(f, from, r);
    for (uint32_t i = 0;; i++) {
        const ReferencePart *part = &r->parts[i];
        if (!found.member) {
            if (what && part->name)
                report_unknown_part(f, in, r, i, what);
            return NULL;
        }
        if (found.member->is_component) {
            if (what)
                report_error(f, part->span, "'%s' is a component, not a %s", part->name->text,
                             what);
            return NULL;
        }
        Class *c = member_class(f, found.member);
        if (!c || i + 1 == r->count)
            return c;
        in = c;
        class_expand(f, c);
        if (c->is_broken && !map_find(&c->table, r->parts[i + 1].name))
            return NULL;
        found = found_in(f, c, r->parts[i + 1].name);
        if (found.member && what)
            rules_check_member(f, c, found.member, r->parts[i + 1].span);
    }
}

Class *lookup_class(Flattener *f, Class *from, const Reference *r, const char *what)
{
    return r && r->parts[0].name ? lookup_path(f, from, r, what) : NULL;
}

Class *lookup_class_quietly(Flattener *f, Class *from, const Reference *r)
{
    return r && r->parts[0].name ? lookup_path(f, from, r, NULL) : NULL;
}

// ---------------------------------------------------------------------------
// Proposals
// ---------------------------------------------------------------------------

static void add_members(Flattener *f, Class *c, List *names)
{
    for (uint32_t i = 0; i < c->member_count; i++)
        list_append(f->arena, names, (void *)c->members[i]->name->text);
}

// The encapsulated class that hides a name from `from`; NULL: none does.
static Class *hiding_class(Flattener *f, Class *from, const Name *name)
{
    for (Class *c = from; c && c->enclosing; c = c->enclosing)
        if (c->definition && c->definition->is_encapsulated &&
            lookup_simple(f, c->enclosing, name).member)
            return c;
    return NULL;
}

// The nearest of some names; if none is near, the shortest that ends with the whole of it: what is
// a Diode elsewhere may be an IdealDiode here.
static const char *nearest_of(const List *names, const Name *name)
{
    enum { WORD = 4 };
    const char *meant =
        text_nearest(name->text, (const char *const *)(void *)names->items, names->count);
    const size_t length = strlen(name->text);
    size_t shortest = SIZE_MAX;
    for (uint32_t i = 0; (!meant || shortest < SIZE_MAX) && length >= WORD && i < names->count;
         i++) {
        const char *other = names->items[i];
        const size_t n = strlen(other);
        if (n > length && n < shortest && strcasecmp(other + n - length, name->text) == 0)
            meant = other, shortest = n;
    }
    return meant;
}

const char *lookup_nearest_member(Flattener *f, Class *in, const Name *name)
{
    List names = {0};
    class_expand(f, in);
    if (!in->name)
        library_list_top(f, &names);
    add_members(f, in, &names);
    return nearest_of(&names, name);
}

static void add_imports(Flattener *f, Class *c, List *names)
{
    const ClassDefinition *d = c->definition;
    if (!d || (d->form != FORM_LONG && d->form != FORM_EXTENDING))
        return;
    for (uint32_t i = 0; i < d->body.element_count; i++) {
        const Element *e = d->body.elements[i];
        if (e->kind != ELEMENT_IMPORT)
            continue;
        const Import *import = e->import;
        const Name *last = import->path->parts[import->path->count - 1].name;
        if (import->kind == IMPORT_RENAMED)
            last = import->alias.name;
        if (import->kind != IMPORT_LIST && import->kind != IMPORT_UNQUALIFIED && last)
            list_append(f->arena, names, (void *)last->text);
        Class *whole =
            import->kind == IMPORT_UNQUALIFIED ? lookup_class_quietly(f, c, import->path) : NULL;
        if (whole && !whole->is_broken) {
            class_expand(f, whole);
            add_members(f, whole, names);
        }
        for (uint32_t k = 0; import->kind == IMPORT_LIST && k < import->count; k++)
            if (import->imported[k].name)
                list_append(f->arena, names, (void *)import->imported[k].name->text);
    }
}

// What is called by another name in other languages; NULL: nothing.
static const char *foreign_word(const char *word, const char *what)
{
    static const struct {
        const char *what, *word, *meant;
    } table[] = {
        {"type", "double", "Real"},
        {"type", "float", "Real"},
        {"type", "real", "Real"},
        {"type", "int", "Integer"},
        {"type", "long", "Integer"},
        {"type", "bool", "Boolean"},
        {"type", "string", "String"},
        {"type", "char", "String"},
        {"variable", "t", "time"},
        {"variable", "pi", "2 * asin(1.0)"},
        {"variable", "True", "true"},
        {"variable", "False", "false"},
        {"function", "ln", "log"},
        {"function", "fabs", "abs"},
        {"function", "arcsin", "asin"},
        {"function", "arccos", "acos"},
        {"function", "arctan", "atan"},
        {"function", "arctan2", "atan2"},
        {"function", "sgn", "sign"},
        {"function", "pow", "x ^ y"},
        {"function", "round", "floor(x + 0.5)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].what, what) == 0 && strcmp(table[i].word, word) == 0)
            return table[i].meant;
    return NULL;
}

// dx, xdot, x_dot for a variable x that can be seen: "der(x)"; NULL: it is none of them.
static const char *derivative_word(Flattener *f, Class *from, const char *word)
{
    static const char *const ends[] = {"_dot", "dot", "_der"};
    const size_t length = strlen(word);
    size_t begin = word[0] == 'd', end = length;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && end == length; i++) {
        const size_t tail = strlen(ends[i]);
        if (length > tail && strcmp(word + length - tail, ends[i]) == 0) {
            begin = 0;
            end = length - tail;
        }
    }
    const Name *name =
        end - begin < length ? names_find(f->names, word + begin, end - begin) : NULL;
    const Found found = name ? lookup_given(f, from, name) : (Found){NULL, NULL};
    if (!found.member || !found.member->is_component)
        return NULL;
    StringBuilder text = builder_create(f->arena);
    builder_append_format(&text, "der(%s)", name->text);
    return builder_string(&text).text;
}

// The enumeration that has a literal of that name, among the types that can be seen: "Color.red".
static const char *literal_word(Flattener *f, Class *from, const Name *name)
{
    for (Class *c = from; c; c = c->enclosing)
        for (uint32_t i = 0; i < c->member_count; i++) {
            const Element *e = c->members[i]->element;
            const ClassDefinition *d = e && e->kind == ELEMENT_CLASS ? e->class_definition : NULL;
            for (uint32_t k = 0; d && d->form == FORM_ENUMERATION && k < d->enumeration.count;
                 k++) {
                if (d->enumeration.literals[k].name != name || !d->name)
                    continue;
                StringBuilder text = builder_create(f->arena);
                builder_append_format(&text, "%s.%s", d->name->text, name->text);
                return builder_string(&text).text;
            }
        }
    return NULL;
}

// A variable of that name in one of the components of `from`: "a.x"; NULL: none.
static const char *inner_word(Flattener *f, Class *from, const Name *name)
{
    for (uint32_t i = 0; from && i < from->component_count; i++) {
        Member *component = from->components[i];
        Class *type = component->is_resolved
                          ? component->class_
                          : lookup_class_quietly(f, component->scope,
                                                 component->element->component->clause->type);
        if (!type || type->is_broken)
            continue;
        class_expand(f, type);
        const Member *inner = map_find(&type->table, name);
        if (!inner || !inner->is_component || inner->is_protected)
            continue;
        StringBuilder text = builder_create(f->arena);
        builder_append_format(&text, "%s.%s", component->name->text, name->text);
        return builder_string(&text).text;
    }
    return NULL;
}

// The nearest name that can be seen from `from`; for what is no function or variable, without
// those that are built in.
static const char *find_nearest(Flattener *f, Class *from, const Name *name, const char *what)
{
    const bool is_value = strcmp(what, "function") == 0 || strcmp(what, "variable") == 0;
    const char *meant = foreign_word(name->text, what);
    if (!meant && is_value)
        meant = derivative_word(f, from, name->text);
    if (!meant && is_value)
        meant = literal_word(f, from, name);
    if (!meant && strcmp(what, "variable") == 0)
        meant = inner_word(f, from, name);
    if (meant)
        return meant;
    List names = {0};
    for (Class *c = from; c; c = c->enclosing) {
        add_members(f, c, &names);
        add_imports(f, c, &names);
    }
    library_list_top(f, &names);
    for (int op = 0; op < OPERATION_COUNT && is_value; op++) {
        const char *text = operation_info((Operation)op)->text;
        if (names_find(f->names, text, strlen(text)) &&
            map_find(&f->operations, names_find(f->names, text, strlen(text))))
            list_append(f->arena, &names, (void *)text);
    }
    return nearest_of(&names, name);
}

static Diagnostic *report_unknown(Flattener *f, Class *from, const Name *name, Span span,
                                  const char *what, const char *hint)
{
    const bool is_inside = from && from->name;
    return report_error(f, span, "there is no %s '%s'%s%s%s%s", what, name->text,
                        is_inside ? " in '" : "", is_inside ? class_name(f, from) : "",
                        is_inside ? "'" : "", hint);
}

static const char *proposal(Flattener *f, const char *nearest)
{
    StringBuilder text = builder_create(f->arena);
    if (nearest)
        builder_append_format(&text, "; did you mean '%s'?", nearest);
    return builder_string(&text).text;
}

// A name that an import should have brought in, and the import has its message already.
static bool is_failed_import(const Class *from, const Name *name)
{
    for (const Class *c = from; c; c = c->enclosing) {
        const ImportEntry *entry = map_find(&c->imports.names, name);
        if (entry)
            return entry->is_resolved && !entry->member;
    }
    return false;
}

void lookup_report_unknown(Flattener *f, Class *in, const Name *name, Span span, const char *what)
{
    Diagnostic *error = report_unknown(f, in, name, span, what,
                                       proposal(f, in ? lookup_nearest_member(f, in, name) : NULL));
    if (in && in->name)
        library_note_conversion(f, error, in, name, span);
}

void lookup_report_unknown_first(Flattener *f, Class *from, const Reference *r, const char *what)
{
    const Name *name = r->parts[0].name;
    const Span span = r->parts[0].span;
    Class *hiding = hiding_class(f, from, name);
    if (is_failed_import(from, name))
        return;
    if (hiding) {
        StringBuilder text = builder_create(f->arena);
        builder_append_format(&text, "; '%s' is encapsulated and must import it",
                              class_name(f, hiding));
        report_unknown(f, from, name, span, what, builder_string(&text).text);
        return;
    }
    const char *nearest = find_nearest(f, from, name, what);
    Diagnostic *error = report_unknown(f, from, name, span, what, proposal(f, nearest));
    if (!nearest)
        note_library(f, error, r);
}
