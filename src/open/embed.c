// SPDX-License-Identifier: MIT
//
// The compiler's public interface: models for programs with Saltus inside. See saltus/model.h.

#include "open/embed.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <string.h>

SaltusModelDef saltus_default_model(void)
{
    return (SaltusModelDef){.library_path = flatten_default_options().library_path,
                            .allocator = memory_default()};
}

static const BackendChoice embed_backends[] = {[SALTUS_BACKEND_INTERPRET] = BACKEND_INTERPRET,
                                               [SALTUS_BACKEND_C] = BACKEND_C,
                                               [SALTUS_BACKEND_AUTO] = BACKEND_AUTO,
                                               [SALTUS_BACKEND_WHOLE] = BACKEND_WHOLE};

// ---------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------

// The messages as one text; the arena may be exhausted.
static const char *render(const Loaded *l)
{
    jmp_buf exhaustion;
    Arena *arena = l->compilation->arena;
    const char *volatile text = "out of memory\n";
    jmp_buf *before = arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        StringBuilder out = builder_create(arena);
        diagnostics_render_text(l->compilation->diagnostics, false, &out);
        if (l->refusal)
            builder_append_format(&out, "error: %s\n", l->refusal);
        text = builder_string(&out).text;
    }
    arena_on_exhaustion(arena, before);
    return text;
}

static Loaded *embed_load(const SaltusModelDef *def, EnableWhole *enable_whole)
{
    NamedSetting *settings = MEMORY_NEW(&def->allocator, def->setting_count + 1, NamedSetting);
    if (!settings)
        return NULL;
    for (int i = 0; i < def->setting_count; i++)
        settings[i] =
            (NamedSetting){.name = def->settings[i].name, .value = def->settings[i].value};
    Loaded *l = loaded_create(&(LoadedDef){.file_count = (size_t)def->file_count,
                                           .files = def->files,
                                           .text = def->text,
                                           .model = def->name,
                                           .modification = def->modification,
                                           .library_path = def->library_path,
                                           .setting_count = (size_t)def->setting_count,
                                           .settings = settings,
                                           .has_live_inputs = def->live_inputs,
                                           .backend = embed_backends[def->backend],
                                           .enable_whole = enable_whole,
                                           .allocator = &def->allocator});
    memory_free(&def->allocator, settings);
    return l;
}

bool embed_list_inputs(SaltusModel *m)
{
    const Parameters p = model_list_parameters(m->loaded->model);
    m->inputs = MEMORY_NEW(&m->allocator, p.count + 1u, EmbeddedInput);
    const FlatVariable *last = NULL;
    for (uint32_t i = 0; m->inputs && i < p.count; i++) {
        size_t length;
        const int part = live_part(p.flat[i], &length);
        if (part == LIVE_COUNT)
            continue;
        if (p.flat[i]->live != last) { // the parameters of an input follow each other
            EmbeddedInput *input = &m->inputs[m->input_count++];
            input->name = p.flat[i]->live->name;
            for (int k = 0; k < LIVE_COUNT; k++)
                input->numbers[k] = UINT32_MAX;
        }
        last = p.flat[i]->live;
        m->inputs[m->input_count - 1].numbers[part] = i;
    }
    return m->inputs;
}

SaltusStatus embed_create(const SaltusModelDef *def, EnableWhole *enable_whole, SaltusModel **model)
{
    *model = NULL;
    if (def->file_count < 0 || (def->file_count == 0 && !def->text && !def->name) ||
        def->setting_count < 0 || (unsigned)def->backend > SALTUS_BACKEND_WHOLE)
        return SALTUS_ERROR_ARGUMENT;
    SaltusModel *m = MEMORY_NEW(&def->allocator, 1, SaltusModel);
    if (!m)
        return SALTUS_ERROR_MEMORY;
    m->allocator = def->allocator;
    m->loaded = embed_load(def, enable_whole);
    if (!m->loaded) {
        memory_free(&def->allocator, m);
        return SALTUS_ERROR_MEMORY;
    }
    m->messages = render(m->loaded);
    if (embed_model(m) && !embed_list_inputs(m)) {
        saltus_model_destroy(m);
        return SALTUS_ERROR_MEMORY;
    }
    *model = m;
    return embed_model(m) ? SALTUS_OK : SALTUS_ERROR_MODEL;
}

void saltus_model_destroy(SaltusModel *m)
{
    if (!m)
        return;
    const SaltusAllocator allocator = m->allocator;
    loaded_destroy(m->loaded);
    memory_free(&allocator, m->inputs);
    memory_free(&allocator, m);
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

const char *saltus_model_messages(const SaltusModel *m)
{
    return m->messages;
}

const char *saltus_model_name(const SaltusModel *m)
{
    return m->loaded->flat ? m->loaded->flat->name : "";
}

int saltus_model_parameter_count(const SaltusModel *m)
{
    return embed_model(m) ? (int)model_list_parameters(m->loaded->model).count : 0;
}

const char *saltus_model_parameter_name(const SaltusModel *m, int index)
{
    if (index < 0 || index >= saltus_model_parameter_count(m))
        return NULL;
    return model_list_parameters(m->loaded->model).names[index];
}

int saltus_model_variable_count(const SaltusModel *m)
{
    return embed_model(m) ? (int)model_output_count(m->loaded->model) : 0;
}

const char *saltus_model_variable_name(const SaltusModel *m, int index)
{
    if (index < 0 || index >= saltus_model_variable_count(m))
        return NULL;
    return model_output_names(m->loaded->model)[index];
}

const char *saltus_model_variable_unit(const SaltusModel *m, int index)
{
    if (index < 0 || index >= saltus_model_variable_count(m))
        return NULL;
    const char *unit = model_output_variables(m->loaded->model)[index]->attributes->unit;
    return unit ? unit : "";
}

int saltus_model_find_variable(const SaltusModel *m, const char *name)
{
    for (int i = 0; i < saltus_model_variable_count(m); i++)
        if (strcmp(model_output_names(m->loaded->model)[i], name) == 0)
            return i;
    return -1;
}

int saltus_model_find_parameter(const SaltusModel *m, const char *name)
{
    for (int i = 0; i < saltus_model_parameter_count(m); i++)
        if (strcmp(saltus_model_parameter_name(m, i), name) == 0)
            return i;
    return -1;
}

int saltus_model_input_count(const SaltusModel *m)
{
    return m->input_count;
}

const char *saltus_model_input_name(const SaltusModel *m, int index)
{
    return index < 0 || index >= m->input_count ? NULL : m->inputs[index].name;
}

int saltus_model_find_input(const SaltusModel *m, const char *name)
{
    for (int i = 0; i < m->input_count; i++)
        if (strcmp(m->inputs[i].name, name) == 0)
            return i;
    return -1;
}

SaltusOptions saltus_model_options(const SaltusModel *m, double *stop_time)
{
    SaltusOptions o = saltus_default_options();
    const FlatExperiment e = loaded_experiment(m->loaded);
    o.start_time = e.start_time;
    if (!isnan(e.tolerance)) {
        o.method.relative_tolerance = e.tolerance;
        o.method.absolute_tolerance = 1e-3 * e.tolerance;
    }
    if (!isnan(e.interval)) {
        o.record = SALTUS_RECORD_INTERVALS;
        o.output_interval = e.interval;
    }
    // What depends on time alone is not to be stepped over.
    o.method.max_step = (e.stop_time - e.start_time) / 50.0;
    if (stop_time)
        *stop_time = e.stop_time;
    return o;
}

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

// A name that is no parameter, or one that cannot be changed: with an arena for the message.
static SaltusStatus embed_find_parameter(const SaltusModel *m, const char *name, uint32_t *number,
                                         SaltusError *error)
{
    Arena *arena = arena_create(&m->allocator);
    const char *why;
    SaltusStatus status = SALTUS_OK;
    if (!arena)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    if (!loaded_find_parameter(m->loaded, arena, name, number, &why))
        status = error_set(error, SALTUS_ERROR_ARGUMENT, "%s", why);
    arena_destroy(arena);
    return status;
}

SaltusStatus embed_read_settings(const SaltusModel *m, const SaltusSetting *settings, int count,
                                 ParameterValue *values, SaltusError *error)
{
    const Parameters p = model_list_parameters(m->loaded->model);
    for (int i = 0; i < count; i++) {
        const int input = saltus_model_find_input(m, settings[i].name);
        const int found = input >= 0 ? -1 : saltus_model_find_parameter(m, settings[i].name);
        values[i].value = settings[i].value;
        if (input >= 0)
            values[i].number = m->inputs[input].numbers[LIVE_VALUE];
        else if (found >= 0 && p.flat[found]->kind == FLAT_PARAMETER && !p.flat[found]->is_final)
            values[i].number = (uint32_t)found;
        else {
            const SaltusStatus status =
                embed_find_parameter(m, settings[i].name, &values[i].number, error);
            if (status != SALTUS_OK)
                return status;
        }
    }
    return SALTUS_OK;
}

SaltusStatus embed_check_values(const SaltusModel *m, const ParameterValue *values, int count,
                                SaltusError *error)
{
    const Parameters p = model_list_parameters(m->loaded->model);
    for (int i = 0; i < count; i++) {
        if (!loaded_is_value(p.flat[values[i].number], values[i].value))
            return error_set(error, SALTUS_ERROR_ARGUMENT, "%g is no value for %s", values[i].value,
                             p.names[values[i].number]);
    }
    return SALTUS_OK;
}

static SaltusStatus embed_make_system(const SaltusModel *m, const ParameterValue *values,
                                      uint32_t count, SaltusSystem **system, SaltusError *error)
{
    const Loaded *v = loaded_variant(m->loaded, values, count);
    if (!v)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    if (!v->model || v->refusal)
        return error_set(error, SALTUS_ERROR_MODEL, "%s", loaded_first_error(v));
    return loaded_system(v, values, count, system, error);
}

SaltusStatus saltus_model_system(const SaltusModel *m, const SaltusSetting *settings, int count,
                                 SaltusSystem **system, SaltusError *error)
{
    *system = NULL;
    if (!embed_model(m))
        return error_set(error, SALTUS_ERROR_MODEL, "the model has errors");
    ParameterValue *values = MEMORY_NEW(&m->allocator, count > 0 ? count : 1, ParameterValue);
    SaltusStatus status = values ? embed_read_settings(m, settings, count, values, error)
                                 : error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    if (status == SALTUS_OK)
        status = embed_check_values(m, values, count, error);
    if (status == SALTUS_OK)
        status = embed_make_system(m, values, (uint32_t)count, system, error);
    memory_free(&m->allocator, values);
    return status;
}

SaltusStatus saltus_model_finish(const SaltusModel *m, SaltusRun *run)
{
    return embed_model(m) ? loaded_finish(m->loaded, run, SALTUS_OK) : SALTUS_OK;
}

// ---------------------------------------------------------------------------
// Values from outside
// ---------------------------------------------------------------------------

static SaltusStatus embed_refuse_index(const SaltusAssignment *a, SaltusError *error)
{
    static const char *const kinds[] = {"input", "parameter", "variable"};
    return error_set(error, SALTUS_ERROR_ARGUMENT, "there is no %s %d", kinds[a->target], a->index);
}

static void embed_put(ModelAssignment *list, uint32_t *count, bool is_state, uint32_t number,
                      double value)
{
    if (number != UINT32_MAX)
        list[(*count)++] = (ModelAssignment){is_state, number, value};
}

// Adds what an assignment comes to, at most LIVE_COUNT, to the list.
static SaltusStatus embed_assign(const SaltusModel *m, const SaltusAssignment *a, double t,
                                 ModelAssignment *list, uint32_t *count, SaltusError *error)
{
    const int counts[] = {m->input_count, saltus_model_parameter_count(m),
                          saltus_model_variable_count(m)};
    if (a->target < SALTUS_TARGET_INPUT || a->target > SALTUS_TARGET_STATE)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "there is no such target");
    if (a->index < 0 || a->index >= counts[a->target])
        return embed_refuse_index(a, error);
    const Parameters p = model_list_parameters(m->loaded->model);
    const uint32_t value_number = a->target == SALTUS_TARGET_INPUT
                                      ? m->inputs[a->index].numbers[LIVE_VALUE]
                                      : (uint32_t)a->index;
    if (a->target != SALTUS_TARGET_STATE && !loaded_is_value(p.flat[value_number], a->value))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "this is no value for %s",
                         a->target == SALTUS_TARGET_INPUT ? m->inputs[a->index].name
                                                          : p.names[value_number]);
    if (a->target != SALTUS_TARGET_INPUT) {
        embed_put(list, count, a->target == SALTUS_TARGET_STATE, (uint32_t)a->index, a->value);
        return SALTUS_OK;
    }
    const uint32_t *numbers = m->inputs[a->index].numbers;
    embed_put(list, count, false, numbers[LIVE_VALUE], a->value);
    for (int i = 0; i < 3; i++) {
        if (a->rates[i] != 0.0 && numbers[LIVE_RATE + i] == UINT32_MAX)
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "%s changes at events only: it has no rates",
                             m->inputs[a->index].name);
        embed_put(list, count, false, numbers[LIVE_RATE + i], a->rates[i]);
    }
    embed_put(list, count, false, numbers[LIVE_SINCE], t);
    return SALTUS_OK;
}

// Numbers of a variant in place of those of the model.
static SaltusStatus embed_renumber(const SaltusModel *m, const Model *variant,
                                   ModelAssignment *list, uint32_t list_count, SaltusError *error)
{
    const Model *base = m->loaded->model;
    if (variant == base || !variant)
        return SALTUS_OK;
    const Parameters from = model_list_parameters(base), to = model_list_parameters(variant);
    for (uint32_t i = 0; i < list_count; i++) {
        ModelAssignment *item = &list[i];
        const char *const *names = item->is_state ? model_output_names(variant) : to.names;
        const uint32_t count = item->is_state ? model_output_count(variant) : to.count;
        const char *name = (item->is_state ? model_output_names(base) : from.names)[item->number];
        uint32_t k = 0;
        while (k < count && strcmp(names[k], name) != 0)
            k++;
        if (k == count)
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "%s is not there with the parameters of this run", name);
        item->number = k;
    }
    return SALTUS_OK;
}

SaltusStatus saltus_model_set(const SaltusModel *m, SaltusRun *run,
                              const SaltusAssignment *assignments, int count, SaltusError *error)
{
    if (!m || !run || count < 0 || (count > 0 && !assignments) || !embed_model(m))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no model, run or assignments");
    ModelAssignment *list =
        MEMORY_NEW(&m->allocator, (size_t)count * LIVE_COUNT + 1u, ModelAssignment);
    uint32_t list_count = 0;
    if (!list)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    SaltusStatus status = SALTUS_OK;
    for (int i = 0; i < count && status == SALTUS_OK; i++)
        status = embed_assign(m, &assignments[i], saltus_run_time(run), list, &list_count, error);
    if (status == SALTUS_OK)
        status = embed_renumber(m, model_of_run(run), list, list_count, error);
    if (status == SALTUS_OK) {
        char *message = NULL;
        status = model_assign(run, list, list_count, &message);
        if (message)
            error_set(error, status, "%s", message);
        else
            error_copy(error, saltus_run_error(run));
        free(message);
    }
    memory_free(&m->allocator, list);
    return status;
}

SaltusStatus saltus_model_parameters(const SaltusModel *m, const SaltusSetting *settings, int count,
                                     double *p, SaltusError *error)
{
    if (!embed_model(m))
        return error_set(error, SALTUS_ERROR_MODEL, "the model has errors");
    ParameterValue *values = MEMORY_NEW(&m->allocator, count > 0 ? count : 1, ParameterValue);
    SaltusStatus status = values ? embed_read_settings(m, settings, count, values, error)
                                 : error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    const Parameters list = model_list_parameters(m->loaded->model);
    if (status == SALTUS_OK)
        status = embed_check_values(m, values, count, error);
    for (int i = 0; i < count && status == SALTUS_OK; i++)
        if (list.flat[values[i].number]->is_structural)
            status = error_set(error, SALTUS_ERROR_ARGUMENT, "%s shapes the model",
                               list.names[values[i].number]);
    if (status == SALTUS_OK)
        status = loaded_parameters(m->loaded, values, (uint32_t)count, p, error);
    memory_free(&m->allocator, values);
    return status;
}
