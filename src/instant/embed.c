// SPDX-License-Identifier: MIT
//
// The compiler's public interface: models for programs with Saltus inside. See saltus.h.

#include "base/memory.h"
#include "flatten/flatten.h"
#include "modes/model.h"

#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <string.h>

struct SaltusModel {
    SaltusAllocator allocator;
    Compilation *compilation;
    const FlatModel *flat; // NULL: it has errors
    const Model *model;    // likewise
    const char *messages;
};

SaltusModelDef saltus_default_model(void)
{
    return (SaltusModelDef){.library_path = flatten_default_options().library_path,
                            .allocator = memory_default()};
}

// ---------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------

static bool parse_file(Compilation *c, const char *path, StoredDefinition **definition)
{
    const SourceFile *file;
    if (sources_read(c->sources, path, &file) != SOURCE_OK) {
        diagnostics_error(c->diagnostics, (Span){0, 0}, "cannot read '%s'", path);
        return false;
    }
    *definition = parser_parse(c, file);
    return *definition != NULL;
}

// Files and text together: all of it parsed here.
static const FlatModel *flatten_text(Compilation *c, const SaltusModelDef *def,
                                     const FlattenOptions *options)
{
    StoredDefinition **definitions =
        ARENA_ARRAY(c->arena, (size_t)def->file_count + 1, StoredDefinition *);
    const SourceFile *file;
    size_t count = 0;
    if (!definitions)
        return NULL;
    for (int i = 0; i < def->file_count; i++)
        if (!parse_file(c, def->files[i], &definitions[count++]))
            return NULL;
    if (sources_add(c->sources, "text", def->text, strlen(def->text), &file) != SOURCE_OK ||
        !(definitions[count++] = parser_parse(c, file)) || c->diagnostics->error_count)
        return NULL;
    return flatten_definitions(c, count, definitions, def->name, options);
}

static void translate(SaltusModel *m, const SaltusModelDef *def)
{
    Compilation *c = m->compilation;
    FlattenOptions options = flatten_default_options();
    options.library_path = def->library_path;
    options.modification = def->modification;
    if (def->text)
        m->flat = flatten_text(c, def, &options);
    else
        m->flat = flatten_files(c, (size_t)def->file_count, def->files, def->name, &options);
    if (m->flat)
        m->model = model_create(c->arena, m->flat, c->diagnostics);
}

// The messages as one text; the arena may be exhausted.
static const char *render(const Compilation *c)
{
    jmp_buf exhaustion;
    const char *volatile text = "out of memory\n";
    jmp_buf *before = arena_on_exhaustion(c->arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        StringBuilder out = builder_create(c->arena);
        diagnostics_render_text(c->diagnostics, false, &out);
        text = builder_string(&out).text;
    }
    arena_on_exhaustion(c->arena, before);
    return text;
}

SaltusStatus saltus_model_create(const SaltusModelDef *def, SaltusModel **model)
{
    *model = NULL;
    if (def->file_count < 0 || (def->file_count == 0 && !def->text && !def->name))
        return SALTUS_ERROR_ARGUMENT;
    SaltusModel *m = MEMORY_NEW(&def->allocator, 1, SaltusModel);
    if (!m)
        return SALTUS_ERROR_MEMORY;
    m->allocator = def->allocator;
    m->compilation = compilation_create(&m->allocator);
    if (!m->compilation) {
        memory_free(&def->allocator, m);
        return SALTUS_ERROR_MEMORY;
    }
    translate(m, def);
    m->messages = render(m->compilation);
    *model = m;
    return m->model ? SALTUS_OK : SALTUS_ERROR_MODEL;
}

void saltus_model_destroy(SaltusModel *m)
{
    if (!m)
        return;
    const SaltusAllocator allocator = m->allocator;
    if (m->model)
        model_release(m->model);
    compilation_destroy(m->compilation);
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
    return m->flat ? m->flat->name : "";
}

int saltus_model_parameter_count(const SaltusModel *m)
{
    return m->model ? (int)model_list_parameters(m->model).count : 0;
}

const char *saltus_model_parameter_name(const SaltusModel *m, int index)
{
    if (index < 0 || index >= saltus_model_parameter_count(m))
        return NULL;
    return model_list_parameters(m->model).names[index];
}

int saltus_model_variable_count(const SaltusModel *m)
{
    return m->model ? (int)model_output_count(m->model) : 0;
}

const char *saltus_model_variable_name(const SaltusModel *m, int index)
{
    if (index < 0 || index >= saltus_model_variable_count(m))
        return NULL;
    return model_output_names(m->model)[index];
}

const char *saltus_model_variable_unit(const SaltusModel *m, int index)
{
    if (index < 0 || index >= saltus_model_variable_count(m))
        return NULL;
    const char *unit = model_output_variables(m->model)[index]->attributes->unit;
    return unit ? unit : "";
}

int saltus_model_find_variable(const SaltusModel *m, const char *name)
{
    for (int i = 0; i < saltus_model_variable_count(m); i++)
        if (strcmp(model_output_names(m->model)[i], name) == 0)
            return i;
    return -1;
}

SaltusOptions saltus_model_options(const SaltusModel *m, double *stop_time)
{
    SaltusOptions o = saltus_default_options();
    const FlatExperiment none = {NAN, NAN, NAN, NAN};
    const FlatExperiment *e = m->flat ? &m->flat->experiment : &none;
    if (!isnan(e->start_time))
        o.start_time = e->start_time;
    if (!isnan(e->tolerance)) {
        o.method.relative_tolerance = e->tolerance;
        o.method.absolute_tolerance = 1e-3 * e->tolerance;
    }
    if (!isnan(e->interval)) {
        o.record = SALTUS_RECORD_INTERVALS;
        o.output_interval = e->interval;
    }
    const double end = isnan(e->stop_time) ? o.start_time + 1.0 : e->stop_time;
    // What depends on time alone is not to be stepped over.
    o.method.max_step = (end - o.start_time) / 50.0;
    if (stop_time)
        *stop_time = end;
    return o;
}

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

static SaltusStatus fail(SaltusError *error, SaltusStatus status, const char *format,
                         const char *name)
{
    if (error) {
        *error = (SaltusError){.status = status, .time = NAN, .mode = -1, .event = -1};
        snprintf(error->message, sizeof error->message, format, name);
    }
    return status;
}

static SaltusStatus read_settings(const SaltusModel *m, const SaltusSetting *settings, int count,
                                  ParameterValue *values, SaltusError *error)
{
    const ModelParameters p = model_list_parameters(m->model);
    for (int i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < p.count && strcmp(p.names[k], settings[i].name) != 0)
            k++;
        if (k == p.count)
            return fail(error, SALTUS_ERROR_ARGUMENT, "there is no parameter %.200s",
                        settings[i].name);
        if (p.flat[k]->is_final || p.flat[k]->is_structural)
            return fail(error, SALTUS_ERROR_ARGUMENT,
                        "%.200s is final or shapes the model: it cannot be set", settings[i].name);
        values[i] = (ParameterValue){k, settings[i].value};
    }
    return SALTUS_OK;
}

SaltusStatus saltus_model_system(const SaltusModel *m, const SaltusSetting *settings, int count,
                                 SaltusSystem **system, SaltusError *error)
{
    *system = NULL;
    if (!m->model)
        return fail(error, SALTUS_ERROR_MODEL, "%s", "the model has errors");
    const uint32_t parameter_count = model_list_parameters(m->model).count;
    ParameterValue *values = MEMORY_NEW(&m->allocator, count > 0 ? count : 1, ParameterValue);
    double *p = MEMORY_NEW(&m->allocator, parameter_count + 1u, double);
    SaltusStatus status = values && p ? read_settings(m, settings, count, values, error)
                                      : fail(error, SALTUS_ERROR_MEMORY, "%s", "out of memory");
    if (status == SALTUS_OK)
        status = model_find_parameters(m->model, values, (uint32_t)count, p, error);
    if (status == SALTUS_OK)
        status = model_system(m->model, p, system, error);
    memory_free(&m->allocator, values);
    memory_free(&m->allocator, p);
    return status;
}

SaltusStatus saltus_model_finish(const SaltusModel *m, SaltusRun *run)
{
    return m->model && model_has_terminal(m->model) ? saltus_run_apply(run, model_terminal)
                                                    : SALTUS_OK;
}
