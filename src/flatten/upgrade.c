// SPDX-License-Identifier: MIT

#include "flatten/upgrade.h"

#include "flatten/collections.h"
#include "modelica/lexer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 32, MOST_BASES = 8, MOST_NOTES = 12 };

// component.old, or old, within the span is new.
typedef struct UpgradeRename {
    Span span;
    const Name *component; // NULL: inherited
    const char *old, *new;
} UpgradeRename;

typedef struct UpgradeEdit {
    Span span; // may be empty
    const char *text;
    uint32_t order;
} UpgradeEdit;

typedef struct Upgrade {
    Flattener *f;
    const UpgradeDef *def;
    const StoredDefinition *stored; // what is converted
    Map aliases;                    // Name -> path: what an import's name stands for
    List classes;                   // ClassDefinition: those of the text that have a body
    List renames, edits;
} Upgrade;

const ClassDefinition *upgrade_script(Flattener *f, const char *path)
{
    const SourceFile *script, *function;
    if (sources_read(f->compilation->sources, path, &script) != SOURCE_OK)
        return NULL;
    StringBuilder text = builder_create(f->arena);
    builder_append_text(&text, "function script algorithm ");
    builder_append(&text, script->text, script->length);
    builder_append_text(&text, "\nend script;");
    const String whole = builder_string(&text);
    if (sources_add(f->compilation->sources, path, whole.text, whole.length, &function) !=
        SOURCE_OK)
        return NULL;
    const size_t errors = f->diagnostics->error_count;
    const StoredDefinition *stored = parser_parse(f->compilation, function);
    return stored && stored->count == 1 && f->diagnostics->error_count == errors
               ? stored->classes[0]
               : NULL;
}

// ---------------------------------------------------------------------------
// Rules
// ---------------------------------------------------------------------------

// Goes through the rules of one kind; NULL: there is no other one.
static const Expression *upgrade_next(const Upgrade *u, const char *kind, uint32_t *at)
{
    const ClassBody *body = &u->def->script->body;
    const Section *section = body->section_count ? body->sections[0] : NULL;
    while (section && *at < section->count) {
        const Statement *s = section->statements[(*at)++];
        const Expression *call = s->kind == STATEMENT_CALL ? s->call : NULL;
        if (call && call->kind == EXPRESSION_CALL && call->call.function->count == 1 &&
            strcmp(call->call.function->parts[0].name->text, kind) == 0)
            return call;
    }
    return NULL;
}

static uint32_t upgrade_text_count(const Expression *call, uint32_t argument)
{
    const Expression *e = argument < call->call.count ? call->call.arguments[argument] : NULL;
    return !e                             ? 0
           : e->kind == EXPRESSION_STRING ? 1
           : e->kind == EXPRESSION_ARRAY  ? e->array.count
                                          : 0;
}

// A String of an argument, which may be an array of them; empty: it is none.
static String upgrade_string(const Expression *call, uint32_t argument, uint32_t k)
{
    if (k >= upgrade_text_count(call, argument))
        return (String){"", 0};
    const Expression *e = call->call.arguments[argument];
    e = e->kind == EXPRESSION_ARRAY ? e->array.items[k] : e;
    return e->kind == EXPRESSION_STRING ? e->string : (String){"", 0};
}

static const char *upgrade_argument(const Upgrade *u, const Expression *call, uint32_t argument,
                                    uint32_t k)
{
    const String text = upgrade_string(call, argument, k);
    return arena_copy_text(u->f->arena, text.text, text.length);
}

static bool upgrade_is_about_part(const Expression *call, String class_)
{
    bool is_found = false;
    for (uint32_t k = 0; k < upgrade_text_count(call, 0) && !is_found; k++)
        is_found = string_equal(upgrade_string(call, 0, k), class_);
    return is_found;
}

static bool upgrade_is_about(const Expression *call, const char *class_)
{
    return upgrade_is_about_part(call, string_from(class_));
}

// The present name of a class, by the longest beginning of its name that there is a rule for.
static const char *upgrade_class(const Upgrade *u, const char *old)
{
    for (size_t length = strlen(old); length; length--) {
        if (old[length] && old[length] != '.')
            continue;
        const Expression *call;
        for (uint32_t at = 0; (call = upgrade_next(u, "convertClass", &at));)
            if (upgrade_is_about_part(call, (String){old, length})) {
                StringBuilder new = builder_create(u->f->arena);
                builder_append_format(&new, "%s%s", upgrade_argument(u, call, 1, 0), old + length);
                return builder_string(&new).text;
            }
    }
    return old;
}

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

static void upgrade_edit(Upgrade *u, Span span, const char *text)
{
    UpgradeEdit *edit = ARENA_NEW(u->f->arena, UpgradeEdit);
    *edit = (UpgradeEdit){span, text, u->edits.count};
    list_append(u->f->arena, &u->edits, edit);
}

static const char *upgrade_join(const Upgrade *u, const char *first, const Name *const *rest,
                                uint32_t count)
{
    StringBuilder out = builder_create(u->f->arena);
    builder_append_text(&out, first);
    for (uint32_t i = 0; i < count; i++)
        builder_append_format(&out, ".%s", rest[i]->text);
    return builder_string(&out).text;
}

// What the first part of a name stands for in the library; NULL: it has nothing to do with it.
static const char *upgrade_first(const Upgrade *u, const Name *name)
{
    const char *path = map_find(&u->aliases, name);
    return path ? path : strcmp(name->text, u->def->library) == 0 ? name->text : NULL;
}

static const char *upgrade_full(const Upgrade *u, const Reference *r)
{
    const Name *rest[MOST_PARTS] = {0};
    const char *first = r->count <= MOST_PARTS ? upgrade_first(u, r->parts[0].name) : NULL;
    for (uint32_t i = 1; first && i < r->count; i++)
        rest[i - 1] = r->parts[i].name;
    return first ? upgrade_join(u, first, rest, r->count - 1) : NULL;
}

static void upgrade_add_alias(Upgrade *u, const Name *name, const char *path)
{
    if (!map_find(&u->aliases, name))
        map_set(u->f->arena, &u->aliases, name, (void *)(uintptr_t)path);
}

// import A.B: what was called B is called so still.
static void upgrade_import(Upgrade *u, const Import *import)
{
    const char *path = upgrade_full(u, import->path);
    if (!path)
        return;
    const Name *last = import->path->parts[import->path->count - 1].name;
    if (import->kind == IMPORT_RENAMED)
        upgrade_add_alias(u, import->alias.name, path);
    for (uint32_t i = 0; import->kind == IMPORT_LIST && i < import->count; i++)
        upgrade_add_alias(u, import->imported[i].name,
                          upgrade_join(u, path, &import->imported[i].name, 1));
    if (import->kind != IMPORT_QUALIFIED || import->path->count < 2)
        return;
    const char *new = upgrade_class(u, path), *dot = strrchr(new, '.');
    if (strcmp(dot ? dot + 1 : new, last->text) != 0) {
        StringBuilder text = builder_create(u->f->arena);
        builder_append_format(&text, "%s = %s", last->text, new);
        upgrade_edit(u, import->path->span, builder_string(&text).text);
    }
    upgrade_add_alias(u, last, path);
}

// ---------------------------------------------------------------------------
// Declarations
// ---------------------------------------------------------------------------

// A component or an extends clause.
typedef struct UpgradeUse {
    const Reference *type;
    const Modification *modification; // NULL: none
    Span span;                        // of the class that it is in
    const Name *component;            // NULL: it is extended
    uint32_t end;                     // where a modification would begin
    bool is_array;
} UpgradeUse;

const Argument *upgrade_modifier(const Modification *m, const char *name)
{
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        if (a->kind == ARGUMENT_MODIFICATION && a->name->count == 1 &&
            strcmp(a->name->parts[0].name->text, name) == 0)
            return a;
    }
    return NULL;
}

static const char *upgrade_value(const Upgrade *u, const Argument *a)
{
    if (!a->modification || !a->modification->value)
        return NULL;
    const String text = sources_text(u->f->compilation->sources, a->modification->value->span);
    return arena_copy_text(u->f->arena, text.text, text.length);
}

static void upgrade_elements(Upgrade *u, const char *class_, const UpgradeUse *use)
{
    const Expression *call;
    for (uint32_t at = 0; (call = upgrade_next(u, "convertElement", &at));) {
        if (!upgrade_is_about(call, class_))
            continue;
        for (uint32_t k = 0; k < upgrade_text_count(call, 1); k++) {
            UpgradeRename *rename = ARENA_NEW(u->f->arena, UpgradeRename);
            *rename = (UpgradeRename){.span = use->span,
                                      .component = use->component,
                                      .old = upgrade_argument(u, call, 1, k),
                                      .new = upgrade_argument(u, call, 2, k)};
            const Argument *a = upgrade_modifier(use->modification, rename->old);
            if (a)
                upgrade_edit(u, a->name->span, rename->new);
            list_append(u->f->arena, &u->renames, rename);
        }
    }
}

// %name% of a rule's text is what was given for it, or its default value, which stands behind '='.
static const char *upgrade_fill(const Upgrade *u, const Expression *call, const UpgradeUse *use,
                                const char *pattern)
{
    StringBuilder out = builder_create(u->f->arena);
    for (const char *at = pattern; *at; at++) {
        const char *end = *at == '%' ? strchr(at + 1, '%') : NULL;
        if (!end) {
            builder_append_character(&out, *at);
            continue;
        }
        const char *name = arena_copy_text(u->f->arena, at + 1, (size_t)(end - at - 1));
        const Argument *a = upgrade_modifier(use->modification, name);
        const char *value = a ? upgrade_value(u, a) : NULL;
        for (uint32_t k = 0; !value && k < upgrade_text_count(call, 1); k++) {
            const char *old = upgrade_argument(u, call, 1, k);
            if (strncmp(old, name, strlen(name)) == 0 && old[strlen(name)] == '=')
                value = old + strlen(name) + 1;
        }
        if (!value)
            return NULL;
        const bool is_alone = at > pattern && at[-1] == '=' && !end[1];
        builder_append_format(&out, is_alone ? "%s" : "(%s)", value);
        at = end;
    }
    return builder_string(&out).text;
}

// A modifier goes, with a comma beside it; or another text comes in its place.
static void upgrade_replace(Upgrade *u, const UpgradeUse *use, const Argument *a, const char *text)
{
    const SourceFile *file = u->stored->file;
    Span span = a->span;
    if (*text) {
        upgrade_edit(u, span, text);
        return;
    }
    const char *end = file->text + (span.end - file->base),
               *begin = file->text + (span.begin - file->base);
    const bool is_first = a == use->modification->arguments[0];
    while (!is_first && begin > file->text && *begin != ',')
        begin--;
    const char *comma = end + strspn(end, " \t\r\n");
    if (is_first && *comma == ',')
        end = comma + 1;
    upgrade_edit(u,
                 (Span){file->base + (uint32_t)(begin - file->text),
                        file->base + (uint32_t)(end - file->text)},
                 "");
}

static void upgrade_insert(Upgrade *u, const UpgradeUse *use, const char *text)
{
    const Modification *m = use->modification;
    StringBuilder out = builder_create(u->f->arena);
    if (m && m->count) {
        builder_append_format(&out, ", %s", text);
        const uint32_t end = m->arguments[m->count - 1]->span.end;
        upgrade_edit(u, (Span){end, end}, builder_string(&out).text);
    } else {
        builder_append_format(&out, "(%s)", text);
        const uint32_t end = m && m->has_arguments ? m->span.begin : use->end;
        // '()' goes
        upgrade_edit(u, (Span){end, m && m->has_arguments && !m->value ? m->span.end : end},
                     builder_string(&out).text);
    }
}

// The modifier that a rule's text, name or name=default, is about; NULL: it is not there.
static const Argument *upgrade_old(const Upgrade *u, const Expression *call, const UpgradeUse *use,
                                   uint32_t k)
{
    const char *old = upgrade_argument(u, call, 1, k);
    return upgrade_modifier(use->modification,
                            arena_copy_text(u->f->arena, old, strcspn(old, "=")));
}

static void upgrade_modifiers(Upgrade *u, const char *class_, const UpgradeUse *use)
{
    const Expression *call;
    for (uint32_t at = 0; (call = upgrade_next(u, "convertModifiers", &at));) {
        if (!upgrade_is_about(call, class_))
            continue;
        StringBuilder all = builder_create(u->f->arena);
        const uint32_t olds = upgrade_text_count(call, 1);
        bool is_there = olds == 0, is_known = true, is_each = olds == 0 && use->is_array;
        for (uint32_t k = 0; k < olds; k++) {
            const Argument *a = upgrade_old(u, call, use, k);
            is_there |= a != NULL;
            is_each |= a && a->is_each;
        }
        for (uint32_t k = 0; is_there && k < upgrade_text_count(call, 2); k++) {
            const char *text = upgrade_fill(u, call, use, upgrade_argument(u, call, 2, k));
            is_known = is_known && text;
            builder_append_format(&all, "%s%s%s", k ? ", " : "", is_each ? "each " : "",
                                  text ? text : "");
        }
        if (!is_there)
            continue;
        if (!is_known) {
            report_warning(u->f, use->type->span, "a modifier of '%s' has to be converted by hand",
                           class_);
            continue;
        }
        const char *text = builder_string(&all).text;
        if (olds == 0)
            upgrade_insert(u, use, text);
        for (uint32_t k = 0; k < olds; k++) {
            const Argument *a = upgrade_old(u, call, use, k);
            if (a)
                upgrade_replace(u, use, a, text);
            text = a ? "" : text; // once
        }
    }
}

// The class is another one if a modifier has a value.
static void upgrade_class_if(Upgrade *u, const char *class_, const UpgradeUse *use)
{
    const Expression *call;
    for (uint32_t at = 0; (call = upgrade_next(u, "convertClassIf", &at));) {
        const Argument *a =
            upgrade_is_about(call, class_)
                ? upgrade_modifier(use->modification, upgrade_argument(u, call, 1, 0))
                : NULL;
        const char *value = a ? upgrade_value(u, a) : NULL;
        if (value && strcmp(value, upgrade_argument(u, call, 2, 0)) == 0)
            upgrade_edit(u, use->type->span, upgrade_argument(u, call, 3, 0));
    }
}

// By the rules for its class, and for what that extends in the text.
static void upgrade_use(Upgrade *u, const Reference *type, const UpgradeUse *use, int depth)
{
    const char *class_ = upgrade_full(u, type);
    if (class_) {
        if (depth == 0)
            upgrade_class_if(u, class_, use);
        upgrade_elements(u, class_, use);
        upgrade_modifiers(u, class_, use);
        return;
    }
    for (uint32_t i = 0; i < u->classes.count && depth < MOST_BASES; i++) {
        const ClassDefinition *d = u->classes.items[i];
        for (uint32_t k = 0; k < d->body.element_count; k++)
            if (d->name == type->parts[type->count - 1].name &&
                d->body.elements[k]->kind == ELEMENT_EXTENDS)
                upgrade_use(u, d->body.elements[k]->extends.type, use, depth + 1);
    }
}

// Imports and classes first, then uses.
static void upgrade_visit(Upgrade *u, const ClassDefinition *d, bool is_first)
{
    const SourceFile *file = u->stored->file;
    const bool has_body = d->form == FORM_LONG || d->form == FORM_EXTENDING;
    if (has_body && is_first && d->name)
        list_append(u->f->arena, &u->classes, (void *)(uintptr_t)d);
    for (uint32_t i = 0; has_body && i < d->body.element_count; i++) {
        const Element *e = d->body.elements[i];
        if (e->kind == ELEMENT_CLASS) {
            upgrade_visit(u, e->class_definition, is_first);
        } else if (e->kind == ELEMENT_IMPORT && is_first) {
            upgrade_import(u, e->import);
        } else if (e->kind == ELEMENT_EXTENDS && !is_first) {
            const UpgradeUse use = {.type = e->extends.type,
                                    .modification = e->extends.modification,
                                    .span = d->span,
                                    .end = e->extends.type->span.end};
            upgrade_use(u, use.type, &use, 0);
        } else if (e->kind == ELEMENT_COMPONENT && !is_first) {
            const Component *c = e->component;
            uint32_t end = c->name_span.end;
            if (c->subscript_count) {
                end = c->subscripts[c->subscript_count - 1]->span.end;
                end += (uint32_t)strcspn(file->text + (end - file->base), "]") + 1;
            }
            const UpgradeUse use = {.type = c->clause->type,
                                    .modification = c->modification,
                                    .span = d->span,
                                    .component = c->name,
                                    .end = end,
                                    .is_array = c->subscript_count > 0};
            upgrade_use(u, use.type, &use, 0);
        }
    }
}

// ---------------------------------------------------------------------------
// The text
// ---------------------------------------------------------------------------

static void upgrade_message(Upgrade *u, const char *class_, Span span)
{
    const Expression *call;
    for (uint32_t at = 0; (call = upgrade_next(u, "convertMessage", &at));)
        if (upgrade_is_about(call, class_))
            report_warning(u->f, span, "'%s' of an earlier version: %s", class_,
                           upgrade_argument(u, call, 1, 0));
}

// A name in the text: identifiers with dots between them, subscripts left out.
static void upgrade_name(Upgrade *u, uint32_t count, const Name *const *parts, const Span *spans,
                         bool has_subscripts)
{
    for (uint32_t i = 0; i < u->renames.count; i++) {
        const UpgradeRename *r = u->renames.items[i];
        const uint32_t k = r->component ? 1 : 0;
        if (spans[0].begin >= r->span.begin && spans[0].end <= r->span.end && count > k &&
            (!r->component || parts[0] == r->component) && strcmp(parts[k]->text, r->old) == 0)
            upgrade_edit(u, spans[k], r->new);
    }
    const char *first = upgrade_first(u, parts[0]);
    if (!first || has_subscripts)
        return;
    const char *old = upgrade_join(u, first, parts + 1, count - 1);
    const char *new = upgrade_class(u, old);
    const Span span = {spans[0].begin, spans[count - 1].end};
    upgrade_message(u, old, span);
    // An import's name stands for what the import is now.
    if (strcmp(new,
               upgrade_join(u, strcmp(first, parts[0]->text) == 0 ? first : upgrade_class(u, first),
                            parts + 1, count - 1)) != 0)
        upgrade_edit(u, span, new);
}

static void upgrade_names(Upgrade *u)
{
    Lexer lexer;
    lexer_start(&lexer, u->f->compilation, u->stored->file);
    lexer.is_silent = true;
    const Name *parts[MOST_PARTS];
    Span spans[MOST_PARTS];
    uint32_t count = 0;
    bool has_subscripts = false;
    bool is_open = false; // a dot stands behind it
    int depth = 0;        // of subscripts behind it
    for (Token t = lexer_next(&lexer); t.kind != TOKEN_END_OF_FILE; t = lexer_next(&lexer)) {
        const bool is_member = is_open && t.kind == TOKEN_IDENTIFIER;
        if (depth && t.kind == TOKEN_RIGHT_BRACKET) {
            depth--;
            continue;
        }
        if (count && t.kind == TOKEN_LEFT_BRACKET) {
            depth++;
            has_subscripts = true;
            continue;
        }
        if (depth)
            continue;
        if (count && t.kind == TOKEN_DOT) {
            is_open = true;
            continue;
        }
        if (!is_member && count) {
            upgrade_name(u, count, parts, spans, has_subscripts);
            count = 0;
            has_subscripts = false;
        }
        is_open = false;
        if (t.kind == TOKEN_IDENTIFIER && count < MOST_PARTS) {
            parts[count] = t.name;
            spans[count++] = t.span;
        }
    }
}

static int upgrade_compare(const void *a, const void *b)
{
    const UpgradeEdit *x = *(UpgradeEdit *const *)a, *y = *(UpgradeEdit *const *)b;
    const uint32_t first = x->span.begin == y->span.begin ? x->order : x->span.begin;
    const uint32_t second = x->span.begin == y->span.begin ? y->order : y->span.begin;
    return (int)(first > second) - (int)(first < second);
}

// Of edits of one place the first counts.
static const char *upgrade_apply(Upgrade *u)
{
    const SourceFile *file = u->stored->file;
    StringBuilder out = builder_create(u->f->arena);
    uint32_t at = file->base, notes = 0;
    if (u->edits.count)
        qsort(u->edits.items, u->edits.count, sizeof *u->edits.items, upgrade_compare);
    for (uint32_t i = 0; i < u->edits.count; i++) {
        const UpgradeEdit *edit = u->edits.items[i];
        if (edit->span.begin < at)
            continue;
        builder_append(&out, file->text + (at - file->base), edit->span.begin - at);
        builder_append_text(&out, edit->text);
        at = edit->span.end;
        if (u->def->warning && ++notes <= MOST_NOTES)
            report_note(u->f, u->def->warning, edit->span,
                        *edit->text ? "this is '%s' now" : "this is left out%s", edit->text);
    }
    if (notes > MOST_NOTES)
        report_note(u->f, u->def->warning, (Span){0, 0}, "and %u more", notes - MOST_NOTES);
    builder_append(&out, file->text + (at - file->base), file->base + file->length - at);
    return builder_string(&out).text;
}

const char *upgrade_text(Flattener *f, const UpgradeDef *def, const StoredDefinition *stored,
                         const Expression *wanted)
{
    Upgrade u = {.f = f, .def = def, .stored = stored};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < stored->count; i++)
            upgrade_visit(&u, stored->classes[i], pass == 0);
    upgrade_names(&u);
    if (wanted) {
        StringBuilder version = builder_create(f->arena);
        builder_append_format(&version, "\"%s\"", def->version);
        upgrade_edit(&u, wanted->span, builder_string(&version).text);
    }
    return u.edits.count ? upgrade_apply(&u) : NULL;
}
