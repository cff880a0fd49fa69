// SPDX-License-Identifier: MIT
//
// External functions and objects: see external.h.

#include "flatten/external.h"

#include "base/message.h"
#include "external/external.h"
#include "external/foreign.h"
#include "flatten/library.h"
#include "flatten/lookup.h"
#include <stdlib.h>
#include <unistd.h>

const External *external_of(const Class *c)
{
    const ClassDefinition *d = c->definition;
    if (d && (d->form == FORM_LONG || d->form == FORM_EXTENDING) && d->body.external)
        return d->body.external;
    for (uint32_t i = 0; i < c->base_count; i++) {
        const External *external = external_of(c->bases[i].class_);
        if (external)
            return external;
    }
    return NULL;
}

// The name in C: as written, or that of the function.
static const char *external_name(const Class *c, const External *external)
{
    return external->function ? external->function->text : c->name->text;
}

bool external_is_known(Flattener *f, Class *c, const External *external, Span use)
{
    const char *name = external_name(c, external), *reason = external_refusal(name);
    if (external_find(name) || (!reason && store_allows_foreign(f->compilation->externals)))
        return true;
    Diagnostic *d =
        reason ? report_error(f, use, "'%s' is an external function that is refused: %s",
                              class_name(f, c), reason)
               : report_error(f, use,
                              "'%s' is an external function: '%s' is none of those that Saltus "
                              "has, and foreign code is not run without --allow-external",
                              class_name(f, c), name);
    report_note(f, d, external->span, "it is called here");
    return false;
}

const char *external_resource(Flattener *f, const char *text)
{
    static const char scheme[] = "modelica://";
    if (strncmp(text, scheme, sizeof scheme - 1) != 0)
        return text;
    const char *name = text + sizeof scheme - 1;
    Class *c = NULL;
    for (bool is_first = true; *name && *name != '/'; is_first = false) {
        const size_t length = strcspn(name, "./");
        const Name *part = names_intern(f->names, name, length);
        Member *top = is_first ? library_top(f, part) : NULL;
        c = is_first ? (top ? member_class(f, top) : NULL) : lookup_class_in(f, c, part);
        if (!c || !c->definition)
            return NULL;
        name += length + (name[length] == '.');
    }
    if (!c)
        return NULL;
    const SourcePlace at = sources_locate(f->compilation->sources, c->definition->name_span.begin);
    const char *slash = at.file ? strrchr(at.file->name, '/') : NULL;
    StringBuilder path = builder_create(f->arena);
    if (slash)
        builder_append(&path, at.file->name, (size_t)(slash - at.file->name));
    else
        builder_append_text(&path, ".");
    builder_append_text(&path, name);
    return builder_string(&path).text;
}

// ---------------------------------------------------------------------------
// The clause
// ---------------------------------------------------------------------------

// Whether an argument of the clause can be what the signature says.
static bool external_fits(const FlatExpression *e, char letter)
{
    const FlatTypeKind kind = e->type->kind;
    const bool is_array = letter == 'R' || letter == 'I' || letter == 'S';
    if (is_array != (e->rank > 0))
        return false;
    switch (letter) {
    case 'r':
    case 'R':
        return kind == FLAT_TYPE_REAL || kind == FLAT_TYPE_INTEGER;
    case 'i':
    case 'I':
        return kind == FLAT_TYPE_INTEGER || kind == FLAT_TYPE_BOOLEAN ||
               kind == FLAT_TYPE_ENUMERATION;
    case 'o':
        return kind == FLAT_TYPE_OBJECT;
    default:
        return kind == FLAT_TYPE_STRING;
    }
}

static const char *external_kind(char letter)
{
    switch (letter) {
    case 'r':
        return "a Real";
    case 'i':
        return "an Integer, Boolean or enumeration value";
    case 'o':
        return "an external object";
    case 's':
        return "a String";
    case 'R':
        return "an array of Reals";
    case 'I':
        return "an array of Integers";
    default:
        return "an array of Strings";
    }
}

// The variable that is written as an argument, or the record whose member is; NULL: it is none.
static FlatLocal *external_target(const FlatExpression *e)
{
    const FlatExpression *of = e->kind == FLAT_MEMBER ? e->operands[0] : e;
    return of->kind == FLAT_LOCAL && of->local->role != FLAT_ROLE_INPUT ? of->local : NULL;
}

static bool external_check(Flattener *f, const FlatExternal *x)
{
    for (uint32_t i = 0; i < x->count; i++) {
        bool is_written;
        const char letter = external_letter(x->info->signature, i, &is_written);
        FlatExpression *e = x->arguments[i];
        if (!external_fits(e, letter)) {
            report_error(f, e->span, "this argument of '%s' must be %s, but is %s", x->info->name,
                         external_kind(letter), expression_type_text(f, e));
            return false;
        }
        if (is_written && !external_target(e)) {
            report_error(f, e->span,
                         "'%s' writes this argument: it must be an output or a protected variable",
                         x->info->name);
            return false;
        }
        if (is_written)
            external_target(e)->is_assigned = true;
    }
    return true;
}

// Without a call in the clause: the inputs in their order, one output as the result, more of them
// after the inputs (section 12.9).
static uint32_t external_default(const FlatFunction *fn, FlatExpression **arguments, uint32_t room)
{
    const uint32_t count = fn->input_count + fn->output_count;
    for (uint32_t i = 0; i < count && i < room; i++)
        arguments[i] = &fn->locals[i]->reference;
    return count;
}

// ---------------------------------------------------------------------------
// Code of the user
// ---------------------------------------------------------------------------

// The letter of an argument in a signature; 0 after a message.
static char foreign_letter(Flattener *f, const FlatExpression *e)
{
    const bool is_array = e->rank > 0;
    switch (e->type->kind) {
    case FLAT_TYPE_REAL:
        return is_array ? 'R' : 'r';
    case FLAT_TYPE_INTEGER:
    case FLAT_TYPE_BOOLEAN:
    case FLAT_TYPE_ENUMERATION:
        return is_array ? 'I' : 'i';
    case FLAT_TYPE_STRING:
        return is_array ? 'S' : 's';
    case FLAT_TYPE_OBJECT:
        if (!is_array)
            return 'o';
        break;
    default:
        break;
    }
    report_error(f, e->span,
                 "%s cannot be given to a foreign function: its members can, one by one",
                 expression_type_text(f, e));
    return 0;
}

static const char *foreign_signature(Flattener *f, const FlatFunction *fn, const FlatExternal *x,
                                     bool has_result)
{
    StringBuilder out = builder_create(f->arena);
    builder_append_text(&out, fn->is_impure ? "!" : "");
    for (uint32_t i = 0; i < x->count; i++) {
        const FlatExpression *e = x->arguments[i];
        const char letter = foreign_letter(f, e);
        const bool is_result = has_result && i == x->count - 1;
        if (!letter)
            return NULL;
        if (is_result && e->rank) {
            report_error(f, e->span, "an array cannot be the result of a C function");
            return NULL;
        }
        if (is_result)
            builder_append_character(&out, '>');
        else if (external_target(e))
            builder_append_character(&out, '&');
        builder_append_character(&out, letter);
    }
    return builder_string(&out).text;
}

// Once; NULL is none.
static void foreign_add(ForeignList *list, const char *text)
{
    bool is_new = text && list->count < FOREIGN_MOST;
    for (uint32_t i = 0; is_new && i < list->count; i++)
        is_new = strcmp(list->items[i], text) != 0;
    if (is_new)
        list->items[list->count++] = text;
}

// The texts of an annotation of the clause, as paths if they are to be.
static void foreign_texts(Flattener *f, const External *external, const char *name, bool is_path,
                          ForeignList *list)
{
    const Modification *m = external->annotation;
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        if (a->kind != ARGUMENT_MODIFICATION || a->name->count != 1 || !a->modification ||
            !a->modification->value || strcmp(a->name->parts[0].name->text, name) != 0)
            continue;
        const Expression *value = a->modification->value;
        const bool is_array = value->kind == EXPRESSION_ARRAY;
        for (uint32_t k = 0; k < (is_array ? value->array.count : 1u); k++) {
            const Expression *item = is_array ? value->array.items[k] : value;
            if (item->kind != EXPRESSION_STRING || list->count == FOREIGN_MOST) {
                report_error(f, item->span, "'%s' must be a String or up to %d of them", name,
                             FOREIGN_MOST);
                return;
            }
            const char *text = arena_copy_text(f->arena, item->string.text, item->string.length);
            foreign_add(list, is_path ? external_resource(f, text) : text);
        }
    }
}

// Where headers and libraries are unless the clause says so: beside the outermost package
// (section 12.9.4).
static void foreign_default(Flattener *f, const Class *c, const char *folder, ForeignList *list)
{
    while (c->enclosing && c->enclosing->name && c->enclosing->definition)
        c = c->enclosing;
    StringBuilder uri = builder_create(f->arena);
    builder_append_format(&uri, "modelica://%s/Resources/%s", c->name->text, folder);
    const char *path = external_resource(f, builder_string(&uri).text);
    if (path && access(path, F_OK) == 0)
        foreign_add(list, path);
}

static void foreign_clause(Flattener *f, const External *external, ForeignDef *def)
{
    foreign_texts(f, external, "Include", false, &def->includes);
    foreign_texts(f, external, "IncludeDirectory", true, &def->folders);
    foreign_texts(f, external, "Library", false, &def->libraries);
    foreign_texts(f, external, "LibraryDirectory", true, &def->paths);
}

// What is loaded from where, for those who allowed it.
static void foreign_tell(Flattener *f, const External *external, const ForeignDef *def)
{
    StringBuilder text = builder_create(f->arena);
    for (uint32_t i = 0; i < def->libraries.count; i++)
        builder_append_format(&text, "%s '%s'", i ? "," : " from the library",
                              def->libraries.items[i]);
    for (uint32_t i = 0; def->libraries.count && i < def->paths.count; i++)
        builder_append_format(&text, "%s '%s'", i ? "," : " in", def->paths.items[i]);
    if (def->includes.count)
        builder_append_format(&text, "%s the C code of its annotation Include",
                              def->libraries.count ? ", with" : " from");
    report_warning(f, external->span, "foreign code is run: '%s'%s", def->name,
                   builder_string(&text).text);
}

// Records become their members, for C a struct of them; *members: see ForeignDef. A record that is
// the result is none any more. False after a message.
static bool foreign_members(Flattener *f, const FlatFunction *fn, FlatExternal *x, bool *has_result,
                            const char **members)
{
    FlatExpression **all = ARENA_ARRAY(f->arena, EXTERNAL_MOST_ARGUMENTS + 1, FlatExpression *);
    StringBuilder marks = builder_create(f->arena);
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        FlatExpression *e = x->arguments[i];
        const FlatType *type = e->type;
        const bool is_record = type->kind == FLAT_TYPE_RECORD && e->rank == 0;
        const bool is_result = is_record && *has_result && i == x->count - 1;
        const char *why = NULL;
        for (uint32_t k = 0; is_record && !why && k < type->count; k++)
            if (type->fields[k].rank || type->fields[k].type->kind == FLAT_TYPE_RECORD ||
                type->fields[k].type->kind == FLAT_TYPE_STRING)
                why = "a record for a foreign function has numbers as members, and nothing else";
        if (!why && count + (is_record ? type->count : 1) > EXTERNAL_MOST_ARGUMENTS)
            why = "a foreign function cannot have so many arguments";
        if (why) {
            report_error(f, e->span, "%s: its members can be given one by one, to '%s'", why,
                         fn->name);
            return false;
        }
        for (uint32_t k = 0; is_record && k < type->count; k++) {
            all[count++] = build_member(f, e, type->fields[k].name, e->span);
            builder_append_character(&marks, k ? 'm' : is_result ? 'r' : 'b');
        }
        if (is_result) // it is written like the others
            *has_result = false;
        if (!is_record) {
            all[count++] = e;
            builder_append_character(&marks, ' ');
        }
    }
    x->arguments = all;
    x->count = count;
    *members = builder_string(&marks).text;
    return true;
}

// A function of the user's own; NULL after a message.
static const ExternalInfo *external_foreign(Flattener *f, const FunctionBuilder *b,
                                            const External *external, FlatExternal *x,
                                            bool *has_result)
{
    const FlatFunction *fn = b->function;
    const String language = external->language;
    ForeignDef def = {.name = external_name(b->class_, external)};
    def.is_fortran = string_equal(language, string_from("FORTRAN 77"));
    if (language.text && !def.is_fortran && !string_equal(language, string_from("C"))) {
        report_error(f, external->span,
                     "foreign functions are called in \"C\" or \"FORTRAN 77\", not in \"%.*s\"",
                     (int)language.length, language.text);
        return NULL;
    }
    for (uint32_t i = 0; def.is_fortran && i < x->count; i++)
        if (x->arguments[i]->type->kind == FLAT_TYPE_STRING ||
            x->arguments[i]->type->kind == FLAT_TYPE_RECORD) {
            report_error(f, x->arguments[i]->span, "%s cannot be given to a FORTRAN 77 function",
                         expression_type_text(f, x->arguments[i]));
            return NULL;
        }
    if (!foreign_members(f, fn, x, has_result, &def.members))
        return NULL;
    def.signature = foreign_signature(f, fn, x, *has_result);
    if (!def.signature)
        return NULL;
    foreign_clause(f, external, &def);
    Class *object =
        fn->output_count && fn->locals[fn->input_count]->reference.type->kind == FLAT_TYPE_OBJECT
            ? b->class_->enclosing
            : NULL;
    Class *destructor =
        object ? lookup_class_in(f, object, names_intern(f->names, "destructor", 10)) : NULL;
    const External *end = destructor ? external_of(destructor) : NULL;
    if (object && !end) {
        report_error(f, external->span, "'%s' is an external object without a 'destructor' in C",
                     class_name(f, object));
        return NULL;
    }
    if (end) {
        def.destructor = external_name(destructor, end);
        foreign_clause(f, end, &def);
    }
    if (!def.folders.count)
        foreign_default(f, b->class_, "Include", &def.folders);
    if (!def.paths.count) {
        foreign_default(f, b->class_, "Library/linux64", &def.paths);
        foreign_default(f, b->class_, "Library", &def.paths);
    }
    const char *message;
    const ExternalInfo *info = foreign_load(f->compilation->externals, f->arena, &def, &message);
    if (info)
        foreign_tell(f, external, &def);
    else
        report_error(f, external->span, "the foreign function '%s' cannot be loaded: %s", def.name,
                     message);
    return info;
}

void external_bind(Flattener *f, FunctionBuilder *b, const External *external)
{
    FlatFunction *fn = b->function;
    FlatExternal *x = ARENA_NEW(f->arena, FlatExternal);
    x->info = external_find(external_name(b->class_, external));
    x->arguments = ARENA_ARRAY(f->arena, EXTERNAL_MOST_ARGUMENTS + 1, FlatExpression *);
    Scope s = {.class_ = b->class_, .function = b};
    bool has_result = external->result != NULL;
    if (!external->function) {
        x->count = external_default(fn, x->arguments, EXTERNAL_MOST_ARGUMENTS);
        has_result = fn->output_count == 1;
    }
    for (uint32_t i = 0; i < external->count && x->count < EXTERNAL_MOST_ARGUMENTS; i++)
        x->arguments[x->count++] = elaborate(f, &s, external->arguments[i]);
    if (external->result && x->count < EXTERNAL_MOST_ARGUMENTS) {
        const Name *name = external->result->parts[0].name;
        FlatExpression *result = function_local(f, b, name);
        if (!result || external->result->count != 1) {
            report_error(f, external->result->span, "the result must be an output");
            return;
        }
        x->arguments[x->count++] = result;
    }
    for (uint32_t i = 0; i < x->count; i++)
        if (expression_is_none(x->arguments[i]))
            return;
    if (!x->info)
        x->info = external_foreign(f, b, external, x, &has_result);
    if (!x->info)
        return;
    const uint32_t wanted = external_argument_count(x->info->signature);
    if (x->count != wanted || has_result != external_has_result(x->info->signature)) {
        report_error(f, external->span, "'%s' takes %u argument%s%s", x->info->name,
                     (unsigned)(wanted - external_has_result(x->info->signature)),
                     wanted == 2 ? "" : "s",
                     external_has_result(x->info->signature) ? " and has a result" : "");
        return;
    }
    if (external_check(f, x))
        fn->external = x;
}

// ---------------------------------------------------------------------------
// At compile time
// ---------------------------------------------------------------------------

static double external_to_number(const FlatType *type, Scalar s)
{
    return type->kind == FLAT_TYPE_REAL ? s.real : (double)s.integer;
}

// A value as an argument: numbers and texts of its own.
static ExternalArgument external_argument(Evaluation *ev, Value *v)
{
    const uint64_t count = value_count(v);
    const Scalar *items = value_items(v);
    ExternalArgument a = {.rank = v->rank, .dims = v->dims, .count = (uint32_t)count};
    if (v->type->kind == FLAT_TYPE_STRING) {
        a.texts = ARENA_ARRAY(ev->scratch, count + 1, const char *);
        for (uint64_t i = 0; i < count; i++) {
            const char *text = items[i].string ? items[i].string : "";
            const char *path = external_resource(ev->f, text);
            a.texts[i] = path ? path : text;
        }
        return a;
    }
    a.numbers = ARENA_ARRAY(ev->scratch, count + 1, double);
    for (uint64_t i = 0; i < count; i++)
        a.numbers[i] = external_to_number(v->type, items[i]);
    return a;
}

static void external_store(Evaluation *ev, const FlatLocal *local, const ExternalArgument *a)
{
    Value *v = &ev->frame->locals[local->index];
    const FlatType *type = local->reference.type;
    v->type = type;
    Scalar *items = value_items(v);
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->texts)
            items[i].string = arena_copy_text(ev->f->frames, a->texts[i], strlen(a->texts[i]));
        else if (type->kind == FLAT_TYPE_REAL)
            items[i].real = a->numbers[i];
        else
            items[i].integer = (int64_t)a->numbers[i];
    }
    ev->frame->is_set[local->index] = true;
}

// What a member of a record is before it is written: zero, unless it has a value.
static Value external_member(const Evaluation *ev, const FlatExpression *e)
{
    const Value *record = &ev->frame->locals[e->operands[0]->local->index];
    const Value *field = record->type ? &record->scalar.fields[e->field] : NULL;
    return field && field->type ? *field : (Value){.type = e->type};
}

static bool external_store_member(Evaluation *ev, const FlatExpression *e,
                                  const ExternalArgument *a)
{
    Value v = {.type = e->type};
    if (e->type->kind == FLAT_TYPE_REAL)
        v.scalar.real = a->numbers[0];
    else
        v.scalar.integer = (int64_t)a->numbers[0];
    return interpret_assign(ev, e, &v);
}

bool external_run(Evaluation *ev, const FlatFunction *fn)
{
    const FlatExternal *x = fn->external;
    ExternalArgument arguments[EXTERNAL_MOST_ARGUMENTS];
    for (uint32_t i = 0; i < x->count; i++) {
        bool is_written;
        external_letter(x->info->signature, i, &is_written);
        const FlatExpression *e = x->arguments[i];
        Value v = {.type = e->type};
        if (is_written && e->kind == FLAT_MEMBER)
            v = external_member(ev, e);
        else if (is_written && ev->frame->is_set[e->local->index])
            v = ev->frame->locals[e->local->index];
        else if (is_written && e->rank)
            return evaluate_fail(ev, e->span, "'%s' has no size", e->local->name->text);
        else if (!is_written && !evaluate_expression(ev, e, &v))
            return false;
        if (!evaluate_step(ev, value_count(&v), e->span))
            return false;
        arguments[i] = external_argument(ev, &v);
    }
    ExternalCall call = {.store = ev->f->compilation->externals,
                         .arguments = arguments,
                         .count = x->count,
                         .arena = ev->scratch};
    if (!x->info->function(&call)) {
        char *message = arena_copy_text(ev->scratch, message_text(call.message),
                                        strlen(message_text(call.message)));
        free(call.message);
        return evaluate_fail(ev, fn->span, "in '%s': %s", fn->name, message);
    }
    for (uint32_t i = 0; i < x->count; i++) {
        bool is_written;
        external_letter(x->info->signature, i, &is_written);
        if (is_written && x->arguments[i]->kind == FLAT_MEMBER) {
            if (!external_store_member(ev, x->arguments[i], &arguments[i]))
                return false;
        } else if (is_written) {
            external_store(ev, x->arguments[i]->local, &arguments[i]);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------
// Objects
// ---------------------------------------------------------------------------

void external_check_objects(Flattener *f)
{
    // A value that is wrong was reported.
    for (uint32_t i = 0; !f->diagnostics->error_count && i < f->model->variable_count; i++) {
        const FlatVariable *v = f->model->variables[i];
        if (FLAT_TYPE(v)->kind == FLAT_TYPE_OBJECT && !v->binding && !v->is_evaluated)
            report_error(f, v->reference.span,
                         "the external object '%s' has no value: '%s = %s(...)' makes one", v->name,
                         v->component->name ? v->component->name->text : v->name,
                         FLAT_TYPE(v)->name);
    }
}

Class *external_constructor(Flattener *f, Class *c, Span use)
{
    Class *constructor = lookup_class_in(f, c, f->known.constructor);
    if (constructor && class_is_function(f, constructor))
        return constructor;
    report_error(f, use, "'%s' is an external object without a function 'constructor'",
                 class_name(f, c));
    return NULL;
}
