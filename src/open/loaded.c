// SPDX-License-Identifier: MIT
//
// Opening models, their variants and their runs: see loaded.h; loaded_settings.c has what settings
// mean.

#include "base/error.h"
#include "open/loaded_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Opening
// ---------------------------------------------------------------------------

static const char *loaded_copy_text(Arena *arena, const char *text)
{
    return text ? arena_copy_text(arena, text, strlen(text)) : NULL;
}

static const char *const *loaded_copy_texts(Arena *arena, const char *const *texts, size_t count)
{
    const char **copies = ARENA_ARRAY(arena, count + 1, const char *);
    for (size_t i = 0; i < count; i++)
        copies[i] = loaded_copy_text(arena, texts[i]);
    return copies;
}

static void loaded_copy_def(Arena *arena, const LoadedDef *def, LoadedDef *own)
{
    NamedSetting *settings = ARENA_ARRAY(arena, def->setting_count + 1, NamedSetting);
    for (size_t i = 0; i < def->setting_count; i++) {
        settings[i] = def->settings[i];
        settings[i].name = loaded_copy_text(arena, def->settings[i].name);
        settings[i].text = loaded_copy_text(arena, def->settings[i].text);
    }
    *own = *def;
    own->files = loaded_copy_texts(arena, def->files, def->file_count);
    own->varied = loaded_copy_texts(arena, def->varied, def->varied_count);
    own->text = loaded_copy_text(arena, def->text);
    own->model = loaded_copy_text(arena, def->model);
    own->modification = loaded_copy_text(arena, def->modification);
    own->library_path = loaded_copy_text(arena, def->library_path);
    own->settings = settings;
    if (def->allocator) {
        SaltusAllocator *allocator = ARENA_NEW(arena, SaltusAllocator);
        *allocator = *def->allocator;
        own->allocator = allocator;
    }
}

static const FlatModel *loaded_flatten(Loaded *l, const LoadedDef *def)
{
    Arena *arena = l->compilation->arena;
    FlattenOptions options = flatten_default_options();
    const char **varied =
        ARENA_ARRAY(arena, def->varied_count + def->setting_count + 1, const char *);
    for (size_t i = 0; i < def->varied_count; i++)
        varied[options.varied_count++] = def->varied[i];
    for (size_t i = 0; i < def->setting_count; i++)
        varied[options.varied_count++] = def->settings[i].name;
    options.varied = varied;
    options.text = def->text;
    options.packs_equations = !def->is_flat || def->is_packed;
    options.has_live_inputs = def->has_live_inputs;
    options.modification = def->modification;
    options.setting_count = l->shape_count;
    options.settings = l->shape;
    if (def->library_path)
        options.library_path = def->library_path;
    return flatten_files(l->compilation, def->file_count, def->files, def->model, &options);
}

// What models may read and run.
static void loaded_set_rules(Compilation *c, const LoadedDef *def)
{
    if (def->is_confined)
        store_confine(c->externals, c->sources, def->library_path);
    if (def->invite)
        store_invite(c->externals, def->invite());
    if (def->allows_foreign)
        store_allow_foreign(c->externals);
}

Compilation *loaded_compilation(const LoadedDef *def)
{
    Compilation *c = compilation_create(def->allocator);
    if (c)
        loaded_set_rules(c, def);
    return c;
}

static void loaded_compile(Loaded *l, const LoadedDef *def)
{
    Compilation *c = l->compilation;
    l->parts = ARENA_NEW(c->arena, struct LoadedParts);
    loaded_copy_def(c->arena, def, &l->parts->def);
    def = &l->parts->def;
    loaded_set_rules(c, def);
    l->flat = loaded_flatten(l, def);
    if (!settings_judge(l))
        return;
    if (l->flat && !def->is_flat)
        l->model =
            (def->is_whole ? model_create_whole : model_create)(c->arena, l->flat, c->diagnostics);
    if (l->model && def->backend != BACKEND_INTERPRET)
        model_set_backend(l->model, def->backend, NULL);
    if (l->model && def->backend == BACKEND_WHOLE && def->enable_whole)
        def->enable_whole(l->model); // else it is compiled by its modes
    // Parameters may have turned out to shape the model; see modes/zeros.h.
    if (l->model && settings_judge(l))
        settings_number(l);
}

// With the shape that rounds before have found. NULL: out of memory.
static Loaded *loaded_open(const LoadedDef *def, const FlattenSetting *shape, uint32_t shape_count)
{
    Compilation *c = compilation_create(def->allocator);
    Loaded *l = c ? ARENA_NEW(c->arena, Loaded) : NULL;
    jmp_buf exhaustion;
    if (!l) {
        compilation_destroy(c);
        return NULL;
    }
    *l = (Loaded){.compilation = c, .shape = shape, .shape_count = shape_count};
    jmp_buf *before = arena_on_exhaustion(c->arena, &exhaustion);
    if (setjmp(exhaustion) == 0)
        loaded_compile(l, def);
    else
        diagnostics_out_of_memory(c->diagnostics);
    arena_on_exhaustion(c->arena, before);
    if (l->parts && pthread_mutex_init(&l->parts->lock, NULL) == 0)
        return l;
    compilation_destroy(c);
    return NULL;
}

// As often as settings that were unknown or plain turn out to shape the model: each round has more
// in its shape, and at most all settings.
static Loaded *loaded_rounds(const LoadedDef *def, const FlattenSetting *shape, uint32_t count)
{
    Loaded *l = loaded_open(def, shape, count);
    while (l && !l->refusal && l->parts->next_count > l->shape_count) {
        Loaded *again = loaded_open(def, l->parts->next_shape, l->parts->next_count);
        if (again)
            again->parts->before = l; // whose types are those of the shape
        else
            loaded_destroy(l);
        l = again;
    }
    return l;
}

Loaded *loaded_create(const LoadedDef *def)
{
    return loaded_rounds(def, NULL, 0);
}

void loaded_destroy(Loaded *l)
{
    while (l) {
        Loaded *before = l->parts->before;
        for (Loaded *v = l->parts->variants; v;) {
            Loaded *next = v->parts->next;
            loaded_destroy(v);
            v = next;
        }
        if (l->model)
            model_release(l->model);
        pthread_mutex_destroy(&l->parts->lock);
        free(l->parts->values);
        compilation_destroy(l->compilation);
        l = before;
    }
}

const char *loaded_first_error(const Loaded *l)
{
    for (const Diagnostic *d = l->compilation->diagnostics->first; d; d = d->next)
        if (d->severity == SEVERITY_ERROR)
            return d->message;
    return l->refusal ? l->refusal : "the model cannot be compiled with these parameters";
}

// ---------------------------------------------------------------------------
// Variants
// ---------------------------------------------------------------------------

static bool loaded_is_variant(const Loaded *l, const ParameterValue *values, uint32_t count)
{
    const LoadedParts *parts = l->parts;
    bool is_same = parts->value_count == count;
    for (uint32_t i = 0; i < count && is_same; i++)
        is_same = parts->values[i].number == values[i].number &&
                  parts->values[i].value == values[i].value;
    return is_same;
}

// The model's shape, and these values.
static FlattenSetting *variant_shape(const Loaded *l, const ParameterValue *values, uint32_t count,
                                     uint32_t *shape_count)
{
    const Parameters p = model_list_parameters(l->model);
    FlattenSetting *shape = calloc(l->shape_count + count, sizeof *shape);
    *shape_count = 0;
    for (uint32_t i = 0; shape && i < l->shape_count; i++) {
        bool is_new = false;
        for (uint32_t k = 0; k < count; k++)
            is_new |= strcmp(p.names[values[k].number], l->shape[i].name) == 0;
        if (!is_new)
            shape[(*shape_count)++] = l->shape[i];
    }
    for (uint32_t k = 0; shape && k < count; k++)
        shape[(*shape_count)++] = (FlattenSetting){.name = p.names[values[k].number],
                                                   .value = values[k].value,
                                                   .type = FLAT_TYPE(p.flat[values[k].number])};
    return shape;
}

static Loaded *variant_create(const Loaded *l, ParameterValue *values, uint32_t count)
{
    uint32_t shape_count;
    FlattenSetting *shape = variant_shape(l, values, count, &shape_count);
    Loaded *v = shape ? loaded_rounds(&l->parts->def, shape, shape_count) : NULL;
    if (v) {
        v->shape = NULL; // it was needed for flattening only
        v->shape_count = 0;
        v->base = l;
        v->parts->values = values;
        v->parts->value_count = count;
        v->parts->next = l->parts->variants;
        l->parts->variants = v;
    }
    free(shape);
    return v;
}

// The structural ones of the values, sorted by number; of two for one parameter the last.
static uint32_t structural_values(const Parameters *p, const ParameterValue *values, uint32_t count,
                                  ParameterValue *found)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!p->flat[values[i].number]->is_structural)
            continue;
        uint32_t k = n;
        while (k > 0 && found[k - 1].number > values[i].number)
            k--;
        const bool is_there = k > 0 && found[k - 1].number == values[i].number;
        if (!is_there) {
            memmove(found + k + 1, found + k, (n - k) * sizeof *found);
            n++;
        }
        found[is_there ? k - 1 : k] = values[i];
    }
    return n;
}

const Loaded *loaded_variant(const Loaded *l, const ParameterValue *values, uint32_t count)
{
    const Parameters p = model_list_parameters(l->model);
    bool has_structural = false;
    for (uint32_t i = 0; i < count && !has_structural; i++)
        has_structural = p.flat[values[i].number]->is_structural;
    if (!has_structural)
        return l;
    ParameterValue *found = calloc(count + 1u, sizeof *found);
    if (!found)
        return NULL;
    const uint32_t found_count = structural_values(&p, values, count, found);
    pthread_mutex_lock(&l->parts->lock);
    const Loaded *v = l->parts->variants;
    while (v && !loaded_is_variant(v, found, found_count))
        v = v->parts->next;
    if (!v && (v = variant_create(l, found, found_count)) != NULL)
        found = NULL; // it is the variant's
    pthread_mutex_unlock(&l->parts->lock);
    free(found);
    return v;
}

// ---------------------------------------------------------------------------
// Parameters
// ---------------------------------------------------------------------------

static uint32_t number_by_name(const Parameters *p, const char *name)
{
    uint32_t k = 0;
    while (k < p->count && strcmp(p->names[k], name) != 0)
        k++;
    return k;
}

SaltusStatus loaded_parameters(const Loaded *l, const ParameterValue *values, uint32_t count,
                               double *p, SaltusError *error)
{
    const Parameters own = model_list_parameters(l->model);
    const Parameters base = model_list_parameters(l->base ? l->base->model : l->model);
    ParameterValue *given = calloc(l->given_count + count + 1u, sizeof *given);
    uint32_t n = l->given_count;
    if (!given)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    if (n)
        memcpy(given, l->given, n * sizeof *given);
    for (uint32_t i = 0; i < count; i++) {
        given[n] = values[i];
        if (l->base)
            given[n].number = number_by_name(&own, base.names[values[i].number]);
        // Those that shaped a variant have their values already; others may not matter in it.
        n += given[n].number < own.count && !base.flat[values[i].number]->is_structural;
    }
    const SaltusStatus status = model_find_parameters(l->model, given, n, p, error);
    free(given);
    return status;
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

SaltusStatus loaded_system(const Loaded *l, const ParameterValue *values, uint32_t count,
                           SaltusSystem **system, SaltusError *error)
{
    double *p = calloc(model_list_parameters(l->model).count + 1u, sizeof *p);
    SaltusStatus status = SALTUS_ERROR_MEMORY;
    *system = NULL;
    if (p)
        status = loaded_parameters(l, values, count, p, error);
    else
        error_set(error, status, "out of memory");
    if (status == SALTUS_OK)
        status = model_system(l->model, p, system, error);
    free(p);
    return status;
}

static bool loaded_has_terminal(const Loaded *l)
{
    bool is_found = model_has_terminal(l->model);
    pthread_mutex_lock(&l->parts->lock);
    for (const Loaded *v = l->parts->variants; v && !is_found; v = v->parts->next)
        is_found = v->model && model_has_terminal(v->model);
    pthread_mutex_unlock(&l->parts->lock);
    return is_found;
}

SaltusStatus loaded_finish(const Loaded *l, SaltusRun *run, SaltusStatus status)
{
    if (!run || status < 0 || status == SALTUS_INTERRUPTED || !loaded_has_terminal(l))
        return status;
    const SaltusStatus last = saltus_run_apply(run, model_terminal);
    return last < 0 ? last : status;
}

// The solver exact was asked for, but there is no mode that it could be used in.
static bool loaded_is_inexact(const Loaded *l, const SaltusSystem *system,
                              const SaltusOptions *options, const SaltusRun *run,
                              SaltusError *error)
{
    const int number = saltus_run_mode(run);
    const SaltusModeDef *mode = saltus_system_mode(system, number);
    if (options->method.solver != SALTUS_SOLVER_EXACT || model_has_modes(l->model) || !mode ||
        mode->state_count == 0 || saltus_run_was_exact(run, number))
        return false;
    error_set(error, SALTUS_ERROR_SOLVER,
              "solver exact needs linear equations with constant coefficients: %s",
              mode->hints.nonlinear ? mode->hints.nonlinear
                                    : "some cannot be solved for the derivatives");
    return true;
}

SaltusStatus loaded_begin(const Loaded *l, const SaltusSystem *system, const SaltusOptions *options,
                          SaltusRun **run, SaltusError *error)
{
    *run = NULL;
    SaltusStatus status = saltus_run_create(system, options, run, error);
    if (*run && status == SALTUS_OK && loaded_is_inexact(l, system, options, *run, error)) {
        saltus_run_destroy(*run);
        *run = NULL;
        return SALTUS_ERROR_SOLVER;
    }
    return status;
}

SaltusStatus loaded_run(const Loaded *l, const SaltusSystem *system, const SaltusOptions *options,
                        double stop_time, SaltusRun **run, SaltusError *error)
{
    SaltusStatus status = loaded_begin(l, system, options, run, error);
    if (*run && status == SALTUS_OK)
        status = saltus_run_advance(*run, stop_time);
    status = loaded_finish(l, *run, status);
    if (*run && error) {
        saltus_error_clear(error);
        error_copy(error, saltus_run_error(*run));
    }
    return status;
}

FlatExperiment loaded_experiment(const Loaded *l)
{
    FlatExperiment e = l->flat ? l->flat->experiment : (FlatExperiment){NAN, NAN, NAN, NAN, NULL};
    if (isnan(e.start_time))
        e.start_time = 0.0;
    if (isnan(e.stop_time))
        e.stop_time = e.start_time + 1.0;
    return e;
}
