// SPDX-License-Identifier: MIT

#include "cli/overrides.h"

#include "base/number.h"
#include "base/whole.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

static FlatVariable *find_variable(const FlatModel *flat, const char *name)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strcmp(flat->variables[i]->name, name) == 0)
            return flat->variables[i];
    return NULL;
}

// The first element of an array by the name of the whole.
static FlatVariable *find_array(const FlatModel *flat, const char *name)
{
    const size_t length = strlen(name);
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strncmp(flat->variables[i]->name, name, length) == 0 &&
            flat->variables[i]->name[length] == '[')
            return flat->variables[i];
    return NULL;
}

static bool is_settable(const FlatVariable *v, bool is_start)
{
    return is_start ? v->kind >= FLAT_DISCRETE : v->kind == FLAT_PARAMETER;
}

static void complain_unknown(const OptionTable *table, Arena *arena, const FlatModel *flat,
                             const char *name, bool is_start)
{
    const char **names = ARENA_ARRAY(arena, flat->variable_count + 1, const char *);
    size_t count = 0;
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (is_settable(flat->variables[i], is_start))
            names[count++] = flat->variables[i]->name;
    const char *nearest = text_nearest(name, names, count);
    options_complain(table, "there is no %s '%s'%s%s%s", is_start ? "variable" : "parameter", name,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// The literal of an enumeration, from 1: by its name alone or with that of its type.
static bool read_enumeration(const FlatType *type, const char *text, double *value)
{
    const char *last = strrchr(text, '.');
    for (uint32_t i = 0; i < type->count; i++)
        if (strcmp(last ? last + 1 : text, type->literals[i]->text) == 0) {
            *value = i + 1;
            return true;
        }
    return false;
}

// A literal that a variable of this type can have; others are expressions of Modelica.
static bool read_literal(const FlatVariable *v, const char *text, double *value)
{
    const FlatTypeKind kind = FLAT_TYPE(v)->kind;
    const bool is_negative = text[0] == '-';
    if (kind == FLAT_TYPE_ENUMERATION)
        return read_enumeration(FLAT_TYPE(v), text, value);
    if (kind == FLAT_TYPE_BOOLEAN) {
        *value = strcmp(text, "true") == 0;
        return *value == 1.0 || strcmp(text, "false") == 0;
    }
    if (kind != FLAT_TYPE_REAL && kind != FLAT_TYPE_INTEGER)
        return false;
    if (!number_read(text + is_negative, strlen(text + is_negative), value) || !isfinite(*value))
        return false;
    *value = is_negative ? -*value : *value;
    // A larger Integer is not the double nearest to it: the compiler says what is wrong with it.
    return kind == FLAT_TYPE_REAL ||
           (*value == floor(*value) && fabs(*value) <= (double)WHOLE_MOST_STORED);
}

typedef struct Reader {
    const OptionTable *table;
    Arena *arena;
    FlatModel *flat;
    Overrides *overrides;
    StringBuilder modification;
    const char *unknown; // the first name that the model does not have
    bool is_unknown_start;
} Reader;

// The value as an expression: enumeration literals with their types, Strings in quotes.
static const char *expression_text(Reader *r, const FlatVariable *v, const char *text)
{
    double value;
    StringBuilder out = builder_create(r->arena);
    if (v && FLAT_TYPE(v)->kind == FLAT_TYPE_ENUMERATION &&
        read_enumeration(FLAT_TYPE(v), text, &value))
        builder_append_format(&out, ".%s.%s", FLAT_TYPE(v)->name,
                              FLAT_TYPE(v)->literals[(uint32_t)value - 1]->text);
    else if (v && FLAT_TYPE(v)->kind == FLAT_TYPE_STRING && text[0] != '"' && text[0] != '{')
        builder_append_quoted(&out, text, strlen(text));
    else
        return text;
    return builder_string(&out).text;
}

static bool complain_value(Reader *r, const FlatVariable *v, const char *name, const char *text)
{
    StringBuilder out = builder_create(r->arena);
    for (uint32_t i = 0; i < FLAT_TYPE(v)->count; i++)
        builder_append_format(&out, "%s%s", i ? ", " : "", FLAT_TYPE(v)->literals[i]->text);
    options_complain(r->table, "'%s' is no value for %s: %s", text, name,
                     builder_string(&out).text);
    return false;
}

static bool modify(Reader *r, const FlatVariable *v, const char *name, const char *value,
                   bool is_start)
{
    if (strchr(name, '[')) {
        options_complain(r->table, "'%s' is no value for %s alone: set the whole array", value,
                         name);
        return false;
    }
    builder_append_text(&r->modification, r->modification.length ? ", " : "(");
    builder_append_format(&r->modification, is_start ? "%s(start = %s)" : "%s = %s", name,
                          expression_text(r, v, value));
    return true;
}

static FlatExpression *literal_of(Reader *r, const FlatVariable *v, double value)
{
    FlatExpression *e = ARENA_NEW(r->arena, FlatExpression);
    *e = (FlatExpression){.kind = FLAT_REAL, .type = FLAT_TYPE(v), .span = v->reference.span};
    e->real = value;
    if (FLAT_TYPE(v)->kind == FLAT_TYPE_BOOLEAN) {
        e->kind = FLAT_BOOLEAN;
        e->boolean = value != 0.0;
    } else if (FLAT_TYPE(v)->kind != FLAT_TYPE_REAL) {
        e->kind = FLAT_TYPE(v)->kind == FLAT_TYPE_INTEGER ? FLAT_INTEGER : FLAT_ENUMERATION;
        e->integer = (int64_t)value;
    }
    return e;
}

// A start value that is a literal replaces that of the flat model.
static void set_start(Reader *r, FlatVariable *v, double value)
{
    FlatAttributes *attributes = ARENA_NEW(r->arena, FlatAttributes);
    *attributes = *v->attributes;
    attributes->start = literal_of(r, v, value);
    v->attributes = attributes;
}

// A parameter gets its value with the run; one that has none in the model is not without one.
static void set_parameter(Reader *r, FlatVariable *v, const char *name, double value)
{
    r->overrides->values[r->overrides->count++] = (OverrideValue){name, value};
    if (!v->binding && (v->attributes->is_fixed || !v->attributes->has_fixed))
        v->binding = literal_of(r, v, value);
}

// ---------------------------------------------------------------------------
// Both together
// ---------------------------------------------------------------------------

static bool complain(Reader *r, const FlatVariable *v, const char *name, bool is_start)
{
    if (v->kind == FLAT_CONSTANT)
        options_complain(r->table, "%s is a constant: it cannot be changed", name);
    else if (!is_settable(v, is_start))
        options_complain(r->table, "%s is %s", name,
                         is_start ? "a parameter: change it with -p"
                                  : "no parameter; where it begins is given with --start");
    else
        options_complain(r->table, "%s is final: it cannot be changed", name);
    return false;
}

// A name that the model has.
static bool read_known(Reader *r, FlatVariable *v, FlatVariable *array, const char *name,
                       const char *text, bool is_start)
{
    FlatVariable *any = v ? v : array;
    double value;
    if (!is_settable(any, is_start) || any->is_final)
        return complain(r, any, name, is_start);
    const bool is_literal = v && read_literal(v, text, &value);
    if (v && !is_literal && FLAT_TYPE(v)->kind == FLAT_TYPE_ENUMERATION && !strpbrk(text, ".( "))
        return complain_value(r, v, name, text);
    if (!is_literal || (!is_start && v->is_structural))
        return modify(r, any, name, text, is_start);
    if (is_start)
        set_start(r, v, value);
    else
        set_parameter(r, v, name, value);
    return true;
}

static bool read_one(Reader *r, const char *text, bool is_start)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        options_complain(r->table, "%s needs NAME=VALUE, not '%s'", is_start ? "--start" : "-p",
                         text);
        return false;
    }
    const char *name = arena_copy_text(r->arena, text, (size_t)(equals - text));
    const char *last = strrchr(name, '.');
    const bool is_own = r->flat && find_variable(r->flat, name); // a parameter called "start"
    if (last && strcmp(last, ".start") == 0 && !is_own) {
        name = arena_copy_text(r->arena, name, (size_t)(last - name));
        is_start = true;
    }
    if (!r->flat)
        return modify(r, NULL, name, equals + 1, is_start);
    FlatVariable *v = find_variable(r->flat, name), *array = find_array(r->flat, name);
    if (v || array)
        return read_known(r, v, array, name, equals + 1, is_start);
    if (!r->unknown) {
        r->unknown = name;
        r->is_unknown_start = is_start;
    }
    return true; // the model may have it once other parameters have their values
}

// Of two values for one name it would be unclear which one is meant.
static bool check_twice(const Reader *r, const OptionList *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++) {
            const size_t length = strcspn(list->items[i], "=");
            if (strcspn(list->items[k], "=") != length ||
                strncmp(list->items[i], list->items[k], length) != 0)
                continue;
            options_complain(r->table, "%.*s is given twice", (int)length, list->items[i]);
            return false;
        }
    return true;
}

static bool read_all(Reader *r, const OptionList *parameters, const OptionList *starts)
{
    if (!check_twice(r, parameters) || !check_twice(r, starts))
        return false;
    for (size_t i = 0; i < parameters->count; i++)
        if (!read_one(r, parameters->items[i], false))
            return false;
    for (size_t i = 0; i < starts->count; i++)
        if (!read_one(r, starts->items[i], true))
            return false;
    return true;
}

bool overrides_read(const OptionTable *table, Arena *arena, FlatModel *flat,
                    const OptionList *parameters, const OptionList *starts, bool is_again,
                    Overrides *overrides)
{
    Reader r = {.table = table,
                .arena = arena,
                .flat = flat,
                .overrides = overrides,
                .modification = builder_create(arena)};
    overrides->count = 0;
    if (!read_all(&r, parameters, starts))
        return false;
    if (r.modification.length && !is_again) {
        builder_append_character(&r.modification, ')');
        overrides->modification = builder_string(&r.modification).text;
        return true;
    }
    if (flat && r.unknown)
        complain_unknown(table, arena, flat, r.unknown, r.is_unknown_start);
    return !r.unknown;
}

bool overrides_values(const OptionTable *table, const Overrides *overrides, const Model *model,
                      ParameterValue values[OPTION_LIST_LENGTH])
{
    const ModelParameters p = model_list_parameters(model);
    for (size_t i = 0; i < overrides->count; i++) {
        uint32_t k = 0;
        while (k < p.count && strcmp(p.names[k], overrides->values[i].name) != 0)
            k++;
        if (k == p.count) {
            options_complain(table, "%s has no influence on the model", overrides->values[i].name);
            return false;
        }
        values[i] = (ParameterValue){k, overrides->values[i].value};
    }
    return true;
}

ExitStatus overrides_run(const OptionTable *table, const ModelArguments *arguments,
                         const OptionList *parameters, const OptionList *starts, OverridesRun *run,
                         const void *user)
{
    Compilation *compilations[2] = {NULL, NULL}; // the modification is a text of the first
    Overrides overrides = {.count = 0};
    const char *modification = NULL;
    ExitStatus status = EXIT_FINE;
    for (int i = 0; i < 2; i++) {
        Compilation *compilation = compilations[i] = compilation_create(NULL);
        if (!compilation) {
            fprintf(stderr, "saltus %s: out of memory\n", table->command);
            status = EXIT_RUN_FAILED;
            break;
        }
        bool is_readable;
        FlatModel *flat = model_read_modified(compilation, arguments, modification, &is_readable);
        if (!is_readable || ((flat || !modification) &&
                             !overrides_read(table, compilation->arena, flat, parameters, starts,
                                             modification != NULL, &overrides))) {
            status = EXIT_USAGE;
            break;
        }
        if (overrides.modification == modification) {
            status = run(user, compilation, flat, &overrides);
            break;
        }
        modification = overrides.modification;
    }
    compilation_destroy(compilations[1]);
    compilation_destroy(compilations[0]);
    return status;
}
