// SPDX-License-Identifier: MIT
//
// What the settings of a loaded model mean: see loaded.h.

#include "base/number.h"
#include "base/whole.h"
#include "flatten/live.h"
#include "open/loaded_parts.h"

#include <math.h>

static const char start_suffix[] = ".start";

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

static const FlatVariable *judge_variable(const FlatModel *flat, const char *name, size_t length)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strncmp(flat->variables[i]->name, name, length) == 0 &&
            flat->variables[i]->name[length] == '\0')
            return flat->variables[i];
    return NULL;
}

// The first element of an array by the name of the whole.
static const FlatVariable *judge_array(const FlatModel *flat, const char *name, size_t length)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strncmp(flat->variables[i]->name, name, length) == 0 &&
            flat->variables[i]->name[length] == '[')
            return flat->variables[i];
    return NULL;
}

// The length of x in "x.start"; 0: that is no name of a start value.
static size_t start_length(const char *name)
{
    const size_t length = strlen(name), end = sizeof start_suffix - 1;
    return length > end && strcmp(name + length - end, start_suffix) == 0 ? length - end : 0;
}

static bool is_settable(const FlatVariable *v, bool is_start)
{
    return is_start ? v->kind >= FLAT_DISCRETE : v->kind == FLAT_PARAMETER;
}

// What users call it: a live input is a group of parameters (flatten/live.h), of which the first
// has its name. NULL: one of the others.
static const char *settable_name(Arena *arena, const FlatVariable *v)
{
    size_t length;
    const int part = live_part(v, &length);
    return part == LIVE_COUNT   ? v->name
           : part == LIVE_VALUE ? arena_copy_text(arena, v->name, length)
                                : NULL;
}

// If there are no more, all of them are named.
enum { SHOWN_NAMES = 8 };

static const char *unknown_text(Arena *arena, const FlatModel *flat, const char *name)
{
    const char **names = ARENA_ARRAY(arena, flat->variable_count + 1u, const char *);
    StringBuilder out = builder_create(arena);
    const size_t length = start_length(name);
    size_t count = 0;
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (is_settable(flat->variables[i], length > 0) &&
            (names[count] = settable_name(arena, flat->variables[i])))
            count++;
    if (length)
        name = arena_copy_text(arena, name, length);
    const char *nearest = text_nearest(name, names, count);
    builder_append_format(&out, "there is no %s '%s'", length ? "variable" : "parameter", name);
    if (nearest)
        builder_append_format(&out, "; did you mean '%s'?", nearest);
    for (size_t i = 0; i < count && !nearest && count <= SHOWN_NAMES; i++)
        builder_append_format(&out, "%s%s", i ? ", " : "; there are ", names[i]);
    return builder_string(&out).text;
}

// Why the value of a variable that the model has cannot be set; NULL: it can.
static const char *fixed_text(Arena *arena, const FlatVariable *v, const char *name, bool is_start)
{
    StringBuilder out = builder_create(arena);
    if (v->kind == FLAT_CONSTANT)
        builder_append_format(&out, "%s is a constant: it cannot be changed",
                              is_start ? v->name : name);
    else if (!is_settable(v, is_start) && is_start)
        builder_append_format(&out, "%s is a parameter: change its value, not its start", v->name);
    else if (!is_settable(v, is_start))
        builder_append_format(&out, "%s is no parameter; where it begins is %s.start", name, name);
    else if (v->is_final)
        builder_append_format(&out, "%s is final: it cannot be changed", name);
    else
        return NULL;
    return builder_string(&out).text;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// The literal of an enumeration, from 1: by its name alone or with that of its type.
static bool read_literal_name(const FlatType *type, const char *text, double *value)
{
    const char *last = strrchr(text, '.');
    for (uint32_t i = 0; i < type->count; i++)
        if (strcmp(last ? last + 1 : text, type->literals[i]->text) == 0) {
            *value = i + 1;
            return true;
        }
    return false;
}

static bool is_value_of(FlatTypeKind kind, const FlatType *type, double value)
{
    // A larger Integer is not the double nearest to it: the compiler says what is wrong with it.
    const bool is_whole = value == floor(value) && fabs(value) <= (double)WHOLE_MOST_STORED;
    return kind == FLAT_TYPE_REAL ? isfinite(value)
           : kind == FLAT_TYPE_BOOLEAN
               ? value == 0.0 || value == 1.0
               : is_whole && (kind == FLAT_TYPE_INTEGER || (value >= 1.0 && value <= type->count));
}

bool loaded_is_value(const FlatVariable *v, double value)
{
    return is_value_of(FLAT_TYPE(v)->kind, FLAT_TYPE(v), value);
}

bool loaded_read_value(const FlatVariable *v, const char *text, double *value)
{
    const FlatType *type = FLAT_TYPE(v);
    const bool is_negative = text[0] == '-';
    if (type->kind == FLAT_TYPE_STRING)
        return false;
    if (type->kind == FLAT_TYPE_ENUMERATION && read_literal_name(type, text, value))
        return true;
    if (type->kind == FLAT_TYPE_BOOLEAN &&
        (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        *value = text[0] == 't';
        return true;
    }
    if (!number_read(text + is_negative, strlen(text + is_negative), value))
        return false;
    *value = is_negative ? -*value : *value;
    return is_value_of(type->kind, type, *value);
}

// Strings need no quotes: they get them here.
static const char *expression_of(Arena *arena, const FlatVariable *v, const char *text)
{
    StringBuilder out = builder_create(arena);
    if (!v || FLAT_TYPE(v)->kind != FLAT_TYPE_STRING || text[0] == '"' || text[0] == '{')
        return text;
    builder_append_quoted(&out, text, strlen(text));
    return builder_string(&out).text;
}

static const char *value_text(Arena *arena, const FlatVariable *v, const NamedSetting *s)
{
    StringBuilder out = builder_create(arena);
    if (s->text)
        builder_append_format(&out, "'%s' is no value for %s", s->text, s->name);
    else
        builder_append_format(&out, "%.17g is no value for %s", s->value, s->name);
    for (uint32_t i = 0; i < FLAT_TYPE(v)->count; i++)
        builder_append_format(&out, "%s%s", i ? ", " : ": ", FLAT_TYPE(v)->literals[i]->text);
    return builder_string(&out).text;
}

// ---------------------------------------------------------------------------
// Settings
// ---------------------------------------------------------------------------

static bool loaded_settings_refuse(Loaded *l, const char *message)
{
    l->refusal = message;
    return false;
}

static bool judge_modify(Loaded *l, const FlatVariable *v, const NamedSetting *s, bool is_start)
{
    const size_t length = is_start ? start_length(s->name) : strlen(s->name);
    const char *name = arena_copy_text(l->compilation->arena, s->name, length);
    double value = s->value;
    const bool is_number = v && s->text ? loaded_read_value(v, s->text, &value) : !s->text;
    if (strchr(name, '[')) {
        StringBuilder out = builder_create(l->compilation->arena);
        builder_append_format(&out, "'%s' is no value for %s alone: set the whole array",
                              s->text ? s->text : "a number", name);
        return loaded_settings_refuse(l, builder_string(&out).text);
    }
    l->parts->next_shape[l->parts->next_count++] = (FlattenSetting){
        .name = name,
        .is_start = is_start,
        .text = is_number ? NULL : expression_of(l->compilation->arena, v, s->text),
        .value = value,
        .type = v ? FLAT_TYPE(v) : NULL};
    return true;
}

static bool judge_given(Loaded *l, const char *name, double value)
{
    l->parts->given_names[l->given_count] = name;
    l->given[l->given_count++].value = value;
    return true;
}

// A name that the model has: v, or an array whose first element is `any`.
static bool judge_known(Loaded *l, const FlatVariable *v, const FlatVariable *any,
                        const NamedSetting *s, bool is_start)
{
    const FlatType *type = FLAT_TYPE(any);
    const char *fixed = fixed_text(l->compilation->arena, any, s->name, is_start);
    double value = s->value;
    if (fixed)
        return loaded_settings_refuse(l, fixed);
    const bool is_literal = v && (s->text ? loaded_read_value(v, s->text, &value)
                                          : is_value_of(type->kind, type, value));
    const bool is_word =
        type->kind == FLAT_TYPE_ENUMERATION && v && s->text && !strpbrk(s->text, ".( ");
    if (!is_literal && (!s->text || is_word))
        return loaded_settings_refuse(l, value_text(l->compilation->arena, any, s));
    // Zero may shape the model, which is known once it is made with it: see modes/zeros.h.
    const bool may_shape = value == 0.0 && !is_start && type->kind == FLAT_TYPE_REAL &&
                           any->kind == FLAT_PARAMETER && !strchr(s->name, '[');
    if (is_literal && !any->is_structural && !may_shape)
        return judge_given(l, s->name, value);
    return judge_modify(l, any, s, is_start);
}

// *unknown: the first name that the model does not have.
static bool judge_setting(Loaded *l, const NamedSetting *s, const char **unknown)
{
    const size_t length = strlen(s->name), start = start_length(s->name);
    // A start value that is varied is a parameter called "x.start": see settings_vary.
    const FlatVariable *v = l->flat ? judge_variable(l->flat, s->name, length) : NULL;
    const FlatVariable *array = l->flat ? judge_array(l->flat, s->name, length) : NULL;
    if (!length)
        return loaded_settings_refuse(l, "a setting has no name");
    if (!l->flat)
        return judge_modify(l, NULL, s, start > 0);
    if (v || array)
        return judge_known(l, v, v ? v : array, s, false);
    if (start) {
        v = judge_variable(l->flat, s->name, start);
        array = judge_array(l->flat, s->name, start);
    }
    if (v || array)
        return judge_known(l, v, v ? v : array, s, true);
    if (!*unknown)
        *unknown = s->name;
    return true; // the model may have it once others have their values
}

// Whether the model was flattened with it.
static bool is_in_shape(const Loaded *l, const char *name)
{
    const size_t start = start_length(name);
    for (uint32_t i = 0; i < l->shape_count; i++) {
        const FlattenSetting *s = &l->shape[i];
        if (s->is_start ? start && strlen(s->name) == start && !strncmp(s->name, name, start)
                        : strcmp(s->name, name) == 0)
            return true;
    }
    return false;
}

// Of two values for one name it would be unclear which one is meant.
static bool judge_twice(Loaded *l, const LoadedDef *def)
{
    for (size_t i = 0; i < def->setting_count; i++)
        for (size_t k = 0; k < i; k++) {
            if (strcmp(def->settings[i].name, def->settings[k].name) != 0)
                continue;
            StringBuilder out = builder_create(l->compilation->arena);
            builder_append_format(&out, "%s is given twice", def->settings[i].name);
            return loaded_settings_refuse(l, builder_string(&out).text);
        }
    return true;
}

bool settings_judge(Loaded *l)
{
    const LoadedDef *def = &l->parts->def;
    Arena *arena = l->compilation->arena;
    const size_t most = l->shape_count + def->setting_count + 1;
    const char *unknown = NULL;
    l->parts->next_shape = ARENA_ARRAY(arena, most, FlattenSetting);
    l->parts->next_count = l->shape_count;
    l->parts->given_names = ARENA_ARRAY(arena, most, const char *);
    l->given = ARENA_ARRAY(arena, most, ParameterValue);
    l->given_count = 0; // of the first judgement, before there was a model
    if (l->shape_count)
        memcpy(l->parts->next_shape, l->shape, l->shape_count * sizeof *l->shape);
    if (!judge_twice(l, def))
        return false;
    for (size_t i = 0; i < def->setting_count; i++)
        if (!is_in_shape(l, def->settings[i].name) &&
            !judge_setting(l, &def->settings[i], &unknown))
            return false;
    const bool is_done = l->parts->next_count == l->shape_count;
    if (unknown && is_done)
        return loaded_settings_refuse(l, unknown_text(arena, l->flat, unknown));
    return is_done;
}

void settings_number(Loaded *l)
{
    const Parameters p = model_list_parameters(l->model);
    ParameterValue *given = l->given;
    for (uint32_t i = 0; i < l->given_count; i++) {
        while (given[i].number < p.count &&
               strcmp(p.names[given[i].number], l->parts->given_names[i]) != 0)
            given[i].number++;
        if (given[i].number < p.count)
            continue;
        StringBuilder out = builder_create(l->compilation->arena);
        builder_append_format(&out, "%s has no influence on the model", l->parts->given_names[i]);
        l->refusal = builder_string(&out).text;
        return;
    }
}

bool loaded_find_parameter(const Loaded *l, Arena *arena, const char *name, uint32_t *number,
                           const char **message)
{
    const Parameters p = model_list_parameters(l->model);
    const FlatVariable *v = judge_variable(l->flat, name, strlen(name));
    for (*number = 0; *number < p.count; ++*number)
        if (strcmp(p.names[*number], name) == 0)
            break;
    *message = v ? fixed_text(arena, v, name, false) : unknown_text(arena, l->flat, name);
    if (!*message && *number == p.count)
        *message = unknown_text(arena, l->flat, name);
    return !*message;
}
