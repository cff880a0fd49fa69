// SPDX-License-Identifier: MIT

#include "cli/overrides.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

static const FlatVariable *find_variable(const FlatModel *flat, const char *name)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strcmp(flat->variables[i]->name, name) == 0)
            return flat->variables[i];
    return NULL;
}

// The first element of an array by the name of the whole.
static const FlatVariable *find_array(const FlatModel *flat, const char *name)
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

// A literal that a variable of this type can have; others are expressions of Modelica.
static bool read_literal(const FlatVariable *v, const char *text, double *value)
{
    const FlatTypeKind kind = FLAT_TYPE(v)->kind;
    const bool is_negative = text[0] == '-';
    if (kind == FLAT_TYPE_BOOLEAN) {
        *value = strcmp(text, "true") == 0;
        return *value == 1.0 || strcmp(text, "false") == 0;
    }
    if (kind != FLAT_TYPE_REAL && kind != FLAT_TYPE_INTEGER)
        return false;
    if (!number_read(text + is_negative, strlen(text + is_negative), value) || !isfinite(*value))
        return false;
    *value = is_negative ? -*value : *value;
    return kind == FLAT_TYPE_REAL || *value == floor(*value);
}

static void modify(StringBuilder *out, const char *name, const char *value, bool is_start)
{
    builder_append_text(out, out->length ? ", " : "(");
    builder_append_format(out, is_start ? "%s(start = %s)" : "%s = %s", name, value);
}

typedef struct Reader {
    const OptionTable *table;
    Arena *arena;
    const FlatModel *flat;
    Overrides *overrides;
    StringBuilder modification;
} Reader;

static bool read_one(Reader *r, const char *text, bool is_start)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        options_complain(r->table, "%s needs NAME=VALUE, not '%s'", is_start ? "--start" : "-p",
                         text);
        return false;
    }
    const char *name = arena_copy_text(r->arena, text, (size_t)(equals - text));
    if (!r->flat) {
        modify(&r->modification, name, equals + 1, is_start);
        return true;
    }
    const FlatVariable *v = find_variable(r->flat, name), *array = find_array(r->flat, name);
    OverrideValue *value = &r->overrides->values[r->overrides->count];
    if (!v && !array) {
        complain_unknown(r->table, r->arena, r->flat, name, is_start);
    } else if (!is_settable(v ? v : array, is_start)) {
        options_complain(r->table, "%s is %s", name,
                         is_start ? "a parameter: change it with -p"
                                  : "no parameter; where it begins is given with --start");
    } else if ((v ? v : array)->is_final) {
        options_complain(r->table, "%s is final: it cannot be changed", name);
    } else if (!is_start && v && !v->is_structural && read_literal(v, equals + 1, &value->value)) {
        value->name = name;
        r->overrides->count++;
        return true;
    } else if (strchr(name, '[')) {
        options_complain(r->table, "'%s' is no value for %s", equals + 1, name);
    } else {
        modify(&r->modification, name, equals + 1, is_start);
        return true;
    }
    return false;
}

bool overrides_read(const OptionTable *table, Arena *arena, const FlatModel *flat,
                    const OptionList *parameters, const OptionList *starts, Overrides *overrides)
{
    *overrides = (Overrides){.count = 0};
    Reader r = {table, arena, flat, overrides, builder_create(arena)};
    for (size_t i = 0; i < parameters->count; i++)
        if (!read_one(&r, parameters->items[i], false))
            return false;
    for (size_t i = 0; i < starts->count; i++)
        if (!read_one(&r, starts->items[i], true))
            return false;
    if (r.modification.length) {
        builder_append_character(&r.modification, ')');
        overrides->modification = builder_string(&r.modification).text;
    }
    return true;
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
