// SPDX-License-Identifier: MIT
//
// What always holds: value references count from 0 without gaps, in the order of the manifest's
// lines; variables stand in the order of the flat model, aliases among them with the reference of
// the first of their class, `time` at the end.

#include "fmi/describe.h"

#include "base/message.h"
#include "base/number.h"
#include "flatten/pack.h"
#include "modes/model_parts.h"

#include <math.h>
#include <stdio.h>

typedef struct Describer {
    const Loaded *loaded;
    Arena *arena;
    StringBuilder *manifest;
    FmuDescription *description;
    double *parameters;
    uint32_t *numbers;  // of flat variables: the parameter, if is_parameter, or the output
    uint8_t *roles;     // ROLE_...
    uint32_t *alias_of; // of flat variables: one that is always equal; itself: none
    uint32_t *places;   // of flat variables: their index in the description
    uint32_t reference_count;
    bool has_starts;
} Describer;

enum { ROLE_NOTHING, ROLE_PARAMETER, ROLE_OUTPUT };

// ---------------------------------------------------------------------------
// Aliases
// ---------------------------------------------------------------------------

static uint32_t describe_class(const Describer *d, uint32_t v)
{
    while (d->alias_of[v] != v)
        v = d->alias_of[v];
    return v;
}

static bool may_be_alias(const Describer *d, const FlatExpression *e)
{
    return e && e->kind == FLAT_VARIABLE && d->roles[e->variable->index] == ROLE_OUTPUT &&
           !e->variable->guard && e->variable->direction == FLAT_LOCAL_VARIABLE &&
           FLAT_TYPE(e->variable)->kind == FLAT_TYPE_REAL && e->variable->kind == FLAT_CONTINUOUS &&
           !(e->variable->attributes->has_fixed && e->variable->attributes->is_fixed);
}

// Equations a = b that hold in all modes. The class is named by its first variable.
static void find_aliases(Describer *d)
{
    const FlatModel *flat = flat_unpack(d->loaded->compilation->arena, d->loaded->flat);
    for (uint32_t i = 0; i < flat->variable_count; i++)
        d->alias_of[i] = i;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatEquation *e = flat->equations[i];
        if (e->kind == FLAT_EQUATION_CALL || e->guard || e->tick || e->clock ||
            !may_be_alias(d, e->left) || !may_be_alias(d, e->right))
            continue;
        const uint32_t a = describe_class(d, e->left->variable->index);
        const uint32_t b = describe_class(d, e->right->variable->index);
        d->alias_of[a > b ? a : b] = a > b ? b : a;
    }
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static FmuType describe_type(const FlatVariable *v)
{
    switch (FLAT_TYPE(v)->kind) {
    case FLAT_TYPE_INTEGER:
        return FMU_INT32;
    case FLAT_TYPE_BOOLEAN:
        return FMU_BOOLEAN;
    case FLAT_TYPE_ENUMERATION:
        return FMU_ENUMERATION;
    case FLAT_TYPE_STRING:
        return FMU_STRING;
    default:
        return FMU_FLOAT64;
    }
}

static const char *describe_text(Arena *arena, String text)
{
    return text.text && text.length ? arena_copy_text(arena, text.text, text.length) : NULL;
}

// A quoted name, from the second time on with a number.
static void describe_quote(StringBuilder *out, const char *text, size_t length, uint32_t number)
{
    builder_append_character(out, '\'');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'' || text[i] == '\\')
            builder_append_character(out, '\\');
        builder_append_character(out, text[i] == '\n' ? ' ' : text[i]);
    }
    if (number > 1)
        builder_append_format(out, " %u", number);
    builder_append_character(out, '\'');
}

// The names of what Saltus adds to a model have blanks in them, "clock 1.tick": by the structured
// naming convention (FMI 3.0, section 2.4.7.5.1) 'clock 1'.tick.
static const char *describe_name(Arena *arena, const char *name)
{
    const size_t length = strcspn(name, ".'[(");
    if (memchr(name, ' ', length) == NULL)
        return name;
    StringBuilder out = builder_create(arena);
    describe_quote(&out, name, length, 1);
    builder_append_text(&out, name + length);
    return builder_string(&out).text;
}

static FmuVariable describe_common(Describer *d, const FlatVariable *v)
{
    const FlatAttributes *a = v->attributes;
    const double nominal = flat_literal(a->nominal);
    const FmuType type = describe_type(v);
    return (FmuVariable){
        .name = describe_name(d->arena, v->name),
        .text = describe_text(d->arena, v->component->declared->description),
        .unit = a->unit && a->unit[0] && type == FMU_FLOAT64 ? a->unit : NULL,
        .quantity = a->quantity && a->quantity[0] ? a->quantity : NULL,
        .enumeration = type == FMU_ENUMERATION ? FLAT_TYPE(v)->name : NULL,
        .type = type,
        .minimum = flat_literal(a->minimum),
        .maximum = flat_literal(a->maximum),
        .nominal = nominal > 0.0 ? nominal : NAN,
        .start = NAN,
        .state = FMU_NOTHING,
        .alias = FMU_NOTHING,
        .size = 1,
    };
}

// A line of the manifest; texts end at the line's end.
static void describe_line(Describer *d, FmuVariable *v, const char *kind, const char *text)
{
    builder_append_format(d->manifest, "%s ", kind);
    for (; *text; text++) {
        if (*text == '\n' || *text == '\\')
            builder_append_character(d->manifest, '\\');
        builder_append_character(d->manifest, *text == '\n' ? 'n' : *text);
    }
    builder_append_character(d->manifest, '\n');
    v->reference = d->reference_count++;
}

static void describe_constant(Describer *d, FmuVariable *v, double value)
{
    char text[NUMBER_LENGTH];
    number_print(value, text);
    v->variability = FMU_CONSTANT;
    v->initial = FMU_EXACT;
    v->start = value;
    describe_line(d, v, "constant", text);
}

// Constants, and parameters that shaped the model.
static bool describe_evaluated(Describer *d, FmuVariable *v, const FlatVariable *flat)
{
    switch (v->type) {
    case FMU_STRING:
        v->variability = FMU_CONSTANT;
        v->initial = FMU_EXACT;
        v->start_text = flat->value.string ? flat->value.string : "";
        describe_line(d, v, "string", v->start_text);
        return true;
    case FMU_FLOAT64:
        describe_constant(d, v, flat->value.real);
        return true;
    default:
        describe_constant(d, v, (double)flat->value.integer);
        return true;
    }
}

static bool describe_is_discrete(const FlatVariable *flat)
{
    return flat->kind == FLAT_DISCRETE || FLAT_TYPE(flat)->kind != FLAT_TYPE_REAL;
}

// A value that others give, and that may be given here instead.
static bool describe_is_free(const Loaded *l, const FlatVariable *flat)
{
    bool is_set = false; // by a setting of the command
    const Parameters p = model_list_parameters(l->model);
    for (uint32_t i = 0; i < l->given_count && !is_set; i++)
        is_set = p.flat[l->given[i].number] == flat;
    return is_set || !flat->binding || flat->binding->variability == FLAT_CONSTANT;
}

static void describe_parameter(Describer *d, FmuVariable *v, const FlatVariable *flat)
{
    const double value = d->parameters[d->numbers[flat->index]];
    const bool is_found = flat->attributes->has_fixed && !flat->attributes->is_fixed;
    if (flat->direction == FLAT_INPUT && !flat->binding) {
        v->causality = FMU_INPUT;
        v->variability = describe_is_discrete(flat) ? FMU_DISCRETE : FMU_CONTINUOUS;
        v->start = value;
        describe_line(d, v, "input", flat->name);
    } else if (flat->is_structural) {
        describe_constant(d, v, value);
    } else if (flat->is_final || is_found || flat->is_protected ||
               !describe_is_free(d->loaded, flat)) {
        v->causality = FMU_CALCULATED_PARAMETER;
        v->variability = is_found ? FMU_FIXED : FMU_TUNABLE;
        v->initial = FMU_CALCULATED;
        describe_line(d, v, "fixed", flat->name);
    } else {
        v->causality = FMU_PARAMETER;
        v->variability = FMU_TUNABLE;
        v->initial = FMU_EXACT;
        v->start = value;
        describe_line(d, v, "parameter", flat->name);
    }
}

static void describe_output(Describer *d, FmuVariable *v, const FlatVariable *flat)
{
    const FlatAttributes *a = flat->attributes;
    const uint32_t first = describe_class(d, flat->index);
    v->causality = flat->direction == FLAT_OUTPUT ? FMU_OUTPUT : FMU_LOCAL;
    v->variability = describe_is_discrete(flat) ? FMU_DISCRETE : FMU_CONTINUOUS;
    v->initial = FMU_CALCULATED;
    if (first != flat->index) {
        v->alias = d->places[first];
        v->reference = d->description->variables[v->alias].reference;
        return;
    }
    const double start = flat_literal(a->start);
    const bool is_state = flat->is_differentiated && v->type == FMU_FLOAT64;
    if (d->has_starts && is_state && a->has_fixed && a->is_fixed && !isnan(start) &&
        !flat->is_protected && !flat->is_final) {
        v->initial = FMU_EXACT;
        v->start = start;
    }
    if (v->initial != FMU_EXACT) {
        describe_line(d, v, "variable", flat->name);
        return;
    }
    char text[NUMBER_LENGTH];
    number_print(start, text);
    builder_append_format(d->manifest, "start %s", text);
    describe_line(d, v, "", flat->name);
}

// False: it is nothing that an FMU has.
static bool describe_variable(Describer *d, FmuVariable *v, const FlatVariable *flat)
{
    *v = describe_common(d, flat);
    if (d->roles[flat->index] == ROLE_PARAMETER)
        describe_parameter(d, v, flat);
    else if (d->roles[flat->index] == ROLE_OUTPUT)
        describe_output(d, v, flat);
    else
        return flat->kind <= FLAT_PARAMETER && flat->is_evaluated &&
               FLAT_TYPE(flat)->kind <= FLAT_TYPE_ENUMERATION &&
               FLAT_TYPE(flat)->kind != FLAT_TYPE_CLOCK && describe_evaluated(d, v, flat);
    return true;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

static void describe_roles(Describer *d)
{
    const Parameters p = model_list_parameters(d->loaded->model);
    for (uint32_t i = 0; i < p.count; i++) {
        d->roles[p.flat[i]->index] = ROLE_PARAMETER;
        d->numbers[p.flat[i]->index] = i;
    }
    const FlatVariable *const *outputs = model_output_variables(d->loaded->model);
    for (uint32_t i = 0; i < model_output_count(d->loaded->model); i++) {
        if (d->roles[outputs[i]->index] == ROLE_PARAMETER)
            continue; // an input, which is both
        d->roles[outputs[i]->index] = ROLE_OUTPUT;
        d->numbers[outputs[i]->index] = i;
    }
}

static void describe_enumerations(Describer *d)
{
    const FlatModel *flat = d->loaded->flat;
    const FlatType **found = ARENA_ARRAY(d->arena, flat->variable_count + 1u, const FlatType *);
    uint32_t count = 0;
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatType *type = FLAT_TYPE(flat->variables[i]);
        bool is_new = type->kind == FLAT_TYPE_ENUMERATION;
        for (uint32_t k = 0; k < count && is_new; k++)
            is_new = strcmp(found[k]->name, type->name) != 0;
        if (is_new)
            found[count++] = type;
    }
    d->description->enumerations = found;
    d->description->enumeration_count = count;
}

static void describe_experiment(const Loaded *l, FmuDescription *f)
{
    const FlatExperiment e = loaded_experiment(l);
    f->start_time = e.start_time;
    f->stop_time = e.stop_time;
    f->tolerance = isnan(e.tolerance) ? 1e-6 : e.tolerance;
    f->step = isnan(e.interval) ? (e.stop_time - e.start_time) / 500.0 : e.interval;
    if (!(f->step > 0.0))
        f->step = NAN;
}

// A continuous variable that is none of the flat model.
static FmuVariable describe_plain(const char *name)
{
    return (FmuVariable){.name = name,
                         .causality = FMU_LOCAL,
                         .variability = FMU_CONTINUOUS,
                         .initial = FMU_CALCULATED,
                         FMU_VARIABLE_PLAIN};
}

// FMU_NOTHING: there is none of this name. Of aliases the first.
static uint32_t describe_find(const FmuDescription *f, const char *name)
{
    for (uint32_t i = 0; i < f->variable_count; i++)
        if (strcmp(f->variables[i].name, name) == 0)
            return f->variables[i].alias != FMU_NOTHING ? f->variables[i].alias : i;
    return FMU_NOTHING;
}

// The derivative of "x", "der(x)", "der(x,2)" by the structured naming convention (FMI 2.0.4,
// section 2.2.9).
static const char *describe_derivative(Arena *arena, const char *name)
{
    StringBuilder out = builder_create(arena);
    uint32_t order = 1;
    size_t length = strlen(name);
    while (length > 5 && strncmp(name, "der(", 4) == 0 && name[length - 1] == ')') {
        name += 4;
        length -= 5;
        order++;
    }
    builder_append_text(&out, "der(");
    builder_append(&out, name, length);
    if (order > 1)
        builder_append_format(&out, ",%u", order);
    builder_append_text(&out, ")");
    return builder_string(&out).text;
}

static const char *describe_indicator(Describer *d, uint32_t number)
{
    StringBuilder out = builder_create(d->arena);
    builder_append_format(&out, "'event indicator %u'", number + 1);
    return builder_string(&out).text;
}

// States, their derivatives, and in FMI 3.0 the event functions.
static void describe_exchange(Describer *d, const DescribeStates *states)
{
    FmuDescription *f = d->description;
    uint32_t *derivatives = ARENA_ARRAY(d->arena, states->count + 1u, uint32_t);
    uint32_t *indicators = ARENA_ARRAY(d->arena, states->indicator_count + 1u, uint32_t);
    for (uint32_t i = 0; i < states->count; i++) {
        const char *name = describe_name(d->arena, states->names[i]);
        uint32_t state = describe_find(f, name);
        if (state == FMU_NOTHING) {
            state = f->variable_count++;
            f->variables[state] = describe_plain(name);
            describe_line(d, &f->variables[state], "state", states->names[i]);
        }
        derivatives[i] = f->variable_count++;
        FmuVariable *v = &f->variables[derivatives[i]];
        *v = describe_plain(describe_derivative(d->arena, name));
        v->state = state;
        f->variables[state].is_reinit = true;
        builder_append_format(d->manifest, "derivative %u", f->variables[state].reference);
        describe_line(d, v, "", states->names[i]);
    }
    for (uint32_t i = 0; i < states->indicator_count && f->version == 3; i++) {
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        indicators[i] = f->variable_count++;
        f->variables[indicators[i]] = describe_plain(describe_indicator(d, i));
        describe_line(d, &f->variables[indicators[i]], "indicator", number);
    }
    f->derivatives = derivatives;
    f->derivative_count = states->count;
    f->indicators = indicators;
    f->indicator_count = states->indicator_count;
}

// A text as a quoted name, for the second time with a number.
static const char *describe_clock_name(const Describer *d, const char *text)
{
    const FmuDescription *f = d->description;
    for (uint32_t number = 1;; number++) {
        StringBuilder out = builder_create(d->arena);
        describe_quote(&out, text, strlen(text), number);
        bool is_new = true;
        for (uint32_t i = 0; i < f->variable_count && is_new; i++)
            is_new = strcmp(f->variables[i].name, builder_string(&out).text) != 0;
        if (is_new)
            return builder_string(&out).text;
    }
}

static void describe_clock(Describer *d, const char *name, int sample, const char *count,
                           uint32_t *outputs)
{
    FmuDescription *f = d->description;
    FmuVariable *v = &f->variables[f->variable_count];
    *v = describe_plain(describe_clock_name(d, name));
    v->type = FMU_CLOCK;
    v->causality = FMU_OUTPUT;
    v->variability = FMU_DISCRETE;
    v->initial = FMU_NO_INITIAL;
    builder_append_format(d->manifest, "clock %d", sample);
    describe_line(d, v, "", count);
    outputs[f->output_count++] = f->variable_count++;
}

// Samples and clocks of the model as output clocks, which are triggered: clocks that are known by
// time are inputs in FMI 3.0 (section 2.2.8.1), for an importer to activate, but these times are
// the model's own. Clocks are known by their counters, "clock 1.count" (flatten/clock_lower.c).
static void describe_clocks(Describer *d, uint32_t *outputs)
{
    static const char begin[] = "sample(clocks.start,", counter[] = ".count";
    const Model *m = d->loaded->model;
    const FlatModel *flat = d->loaded->flat;
    if (d->description->version != 3)
        return;
    for (uint32_t i = 0; i < m->samples.count; i++)
        if (strncmp(model_time_event(m, (int)i), begin, sizeof begin - 1) != 0)
            describe_clock(d, model_time_event(m, (int)i), (int)i, "", outputs);
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const char *name = flat->variables[i]->name;
        const size_t length = strlen(name), end = sizeof counter - 1;
        if (strncmp(name, "clock ", 6) == 0 && length > end &&
            strcmp(name + length - end, counter) == 0)
            describe_clock(d, arena_copy_text(d->arena, name, length - end), -1, name, outputs);
    }
}

static void describe_all(Describer *d, const DescribeStates *states)
{
    const FlatModel *flat = d->loaded->flat;
    FmuDescription *f = d->description;
    const uint32_t clocks = d->loaded->model->samples.count + flat->variable_count; // at most
    uint32_t *outputs = ARENA_ARRAY(d->arena, flat->variable_count + clocks + 1u, uint32_t);
    const uint32_t more = states ? 2 * states->count + states->indicator_count : 0;
    f->variables = ARENA_ARRAY(d->arena, flat->variable_count + more + clocks + 1u, FmuVariable);
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        FmuVariable *v = &f->variables[f->variable_count];
        if (!describe_variable(d, v, flat->variables[i]))
            continue;
        d->places[i] = f->variable_count;
        if (v->causality == FMU_OUTPUT)
            outputs[f->output_count++] = f->variable_count;
        f->variable_count++;
    }
    describe_clocks(d, outputs);
    if (states)
        describe_exchange(d, states);
    FmuVariable *time = &f->variables[f->variable_count++];
    *time = describe_plain("time");
    time->unit = "s";
    time->causality = FMU_INDEPENDENT;
    time->initial = FMU_NO_INITIAL;
    describe_line(d, time, "time", "");
    f->outputs = outputs;
}

FmuDescription *describe_model(const Loaded *l, int version, bool has_starts,
                               const DescribeStates *states, StringBuilder *manifest,
                               char **message)
{
    Arena *arena = l->compilation->arena;
    const uint32_t count = l->flat->variable_count + 1;
    SaltusError error = {0};
    Describer d = {.loaded = l,
                   .arena = arena,
                   .manifest = manifest,
                   .has_starts = has_starts,
                   .description = ARENA_NEW(arena, FmuDescription),
                   .parameters =
                       ARENA_ARRAY(arena, model_list_parameters(l->model).count + 1u, double),
                   .numbers = ARENA_ARRAY(arena, count, uint32_t),
                   .roles = ARENA_ARRAY(arena, count, uint8_t),
                   .alias_of = ARENA_ARRAY(arena, count, uint32_t),
                   .places = ARENA_ARRAY(arena, count, uint32_t)};
    if (loaded_parameters(l, NULL, 0, d.parameters, &error) != SALTUS_OK) {
        message_set(message, "%s", error.message);
        saltus_error_clear(&error);
        return NULL;
    }
    *d.description = (FmuDescription){.version = version,
                                      .name = l->flat->name,
                                      .text = describe_text(arena, l->flat->description)};
    describe_roles(&d);
    find_aliases(&d);
    describe_enumerations(&d);
    describe_experiment(l, d.description);
    describe_all(&d, states);
    return d.description;
}
