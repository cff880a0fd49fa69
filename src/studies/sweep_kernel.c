// SPDX-License-Identifier: MIT

#include "studies/sweep_kernel.h"

#include "modes/model_parts.h"
#include "studies/observe_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct SweepKernel {
    Study *study;
    Arena *arena;
    KernelDef def;
    KernelDevice device;
    KernelCode *kernel;
    uint32_t modes[KERNEL_MOST_MODES];
    RunObserver *observer;
    ParameterValue *given; // of the axes
    double *parameters;
    bool has_parameters; // observations ask for them
    char *reason;        // NULL: there is none
};

static void sweep_kernel_fail(SweepKernel *k, const char *reason)
{
    if (!k->reason && reason)
        k->reason = arena_copy_text(k->arena, reason, strlen(reason));
}

static bool sweep_kernel_allocate(SweepKernel *k, const Axis *axes, size_t axis_count)
{
    const Loaded *loaded = study_loaded(k->study);
    SaltusError error = {0};
    uint32_t *numbers = ARENA_ARRAY(k->arena, axis_count + 1, uint32_t);
    k->given = ARENA_ARRAY(k->arena, axis_count + 1, ParameterValue);
    k->parameters = ARENA_ARRAY(k->arena, model_list_parameters(loaded->model).count + 1u, double);
    for (size_t i = 0; i < axis_count; i++) {
        numbers[i] = axes[i].parameter;
        k->given[i].number = axes[i].parameter;
        k->given[i].value = axis_sample(&axes[i], 0.5);
        if (loaded_variant(loaded, &k->given[i], 1) != loaded)
            sweep_kernel_fail(k, "a parameter that is varied shapes the model");
    }
    k->def.axes = numbers;
    k->def.given = loaded->given;
    k->def.given_count = loaded->given_count;
    k->def.axis_count = (uint32_t)axis_count;
    if (loaded_parameters(loaded, k->given, (uint32_t)axis_count, k->parameters, &error) !=
        SALTUS_OK)
        sweep_kernel_fail(k, error.message);
    saltus_error_clear(&error);
    double *base = ARENA_ARRAY(k->arena, model_list_parameters(loaded->model).count + 1u, double);
    memcpy(base, k->parameters, model_list_parameters(loaded->model).count * sizeof *base);
    k->def.parameters = base;
    return true;
}

// Modes that runs have been in. False: no more than are known.
static bool sweep_kernel_find_modes(SweepKernel *k)
{
    const uint32_t all = model_used_modes(k->def.model, k->modes, KERNEL_MOST_MODES);
    const uint32_t before = k->def.mode_count;
    k->def.modes = k->modes;
    k->def.mode_count = all < KERNEL_MOST_MODES ? all : KERNEL_MOST_MODES;
    return k->def.mode_count > before;
}

// A part of an axis for the i-th run of a sample: the radical inverse of i (J. H. Halton: On the
// efficiency of certain quasi-random sequences of points, Numerische Mathematik 2, 1960).
static double sweep_kernel_part(unsigned i, size_t axis)
{
    static const unsigned bases[] = {2, 3, 5, 7, 11, 13, 17, 19};
    const unsigned base = bases[axis % (sizeof bases / sizeof *bases)];
    double part = 0.0, digit = 1.0;
    for (; i > 0; i /= base) {
        digit /= base;
        part += digit * (i % base);
    }
    return part;
}

// Runs of a sample, which are not kept: the modes that they meet are those of the kernel. The same
// points for everybody, so that all ranks of a crew have the same kernel.
static void sweep_kernel_sample(SweepKernel *k, const Axis *axes, size_t axis_count)
{
    enum { SAMPLE = 8 };
    StudyOutcome outcome;
    StudyRunner *runner = study_runner(k->study);
    if (!runner) {
        sweep_kernel_fail(k, "out of memory");
        return;
    }
    for (unsigned i = 0; i < SAMPLE && !study_is_interrupted(k->study); i++) {
        for (size_t a = 0; a < axis_count; a++)
            k->given[a].value = axis_sample(&axes[a], sweep_kernel_part(i + 1, a));
        study_run(runner, k->given, (uint32_t)axis_count, &outcome);
    }
    study_runner_destroy(runner);
    sweep_kernel_find_modes(k);
}

static void sweep_kernel_make(SweepKernel *k, const Axis *axes, size_t axis_count,
                              KernelDevice device)
{
    const Observations *o = study_observations(k->study);
    const SaltusOptions *options = study_options(k->study, &k->def.stop_time);
    k->def.model = study_model(k->study);
    k->def.method = options->method;
    k->def.start_time = options->start_time;
    if (study_has_inputs(k->study))
        sweep_kernel_fail(k, "inputs follow a table");
    if (options->backstep != SALTUS_BACKSTEP)
        sweep_kernel_fail(k, "events are not to be located");
    sweep_kernel_allocate(k, axes, axis_count);
    const char *reason = observe_kernel_plan(o, k->arena, &k->def);
    if (reason)
        sweep_kernel_fail(k, reason);
    if (!k->reason && model_has_modes(k->def.model))
        sweep_kernel_sample(k, axes, axis_count);
    k->has_parameters = observe_kernel_has_parameters(o);
    k->observer = observer_create(o);
    k->kernel = k->reason ? NULL : kernel_create(&k->def, device);
    if (!k->observer || (!k->kernel && !k->reason))
        sweep_kernel_fail(k, "out of memory");
    if (k->kernel)
        sweep_kernel_fail(k, kernel_reason(k->kernel));
}

static void sweep_kernel_try(SweepKernel *k, const Axis *axes, size_t axis_count,
                             KernelDevice device)
{
    jmp_buf exhaustion;
    arena_on_exhaustion(k->arena, &exhaustion);
    if (setjmp(exhaustion) == 0)
        sweep_kernel_make(k, axes, axis_count, device);
    else
        sweep_kernel_fail(k, "out of memory");
    arena_on_exhaustion(k->arena, NULL);
}

SweepKernel *sweep_kernel_create(Study *study, const Axis *axes, size_t axis_count,
                                 KernelDevice device)
{
    SweepKernel *k = calloc(1, sizeof *k);
    if (!k || !(k->arena = arena_create(NULL))) {
        free(k);
        return NULL;
    }
    k->study = study;
    k->device = device;
    sweep_kernel_try(k, axes, axis_count, device);
    return k;
}

void sweep_kernel_destroy(SweepKernel *k)
{
    if (!k)
        return;
    kernel_destroy(k->kernel);
    observer_destroy(k->observer);
    arena_destroy(k->arena);
    free(k);
}

bool sweep_kernel_renew(SweepKernel *k)
{
    if (!model_has_modes(k->def.model) || !sweep_kernel_find_modes(k))
        return false;
    KernelCode *kernel = kernel_create(&k->def, k->device);
    if (!kernel || kernel_reason(kernel)[0] ||
        kernel_mode_count(kernel) <= kernel_mode_count(k->kernel)) {
        kernel_destroy(kernel);
        return false;
    }
    kernel_destroy(k->kernel);
    k->kernel = kernel;
    return true;
}

const char *sweep_kernel_reason(const SweepKernel *k)
{
    return k->reason;
}

const KernelCode *sweep_kernel_code(const SweepKernel *k)
{
    return k->kernel;
}

size_t sweep_kernel_result_count(const SweepKernel *k)
{
    return kernel_result_count(&k->def);
}

bool sweep_kernel_run(SweepKernel *k, const double *values, size_t count, double *results,
                      int *status)
{
    const bool is_fine = kernel_run(k->kernel, values, count, results, status);
    if (!is_fine)
        sweep_kernel_fail(k, kernel_reason(k->kernel));
    return is_fine;
}

// With the name of the mode at the end, if it is asked for.
static bool sweep_kernel_observe(SweepKernel *k, const double *results)
{
    ModelInstant instant;
    const Mode *mode = NULL;
    if (!k->def.has_mode)
        return observe_kernel_read(k->observer, &k->def, k->parameters, results, NULL);
    model_begin_instant(k->def.model, &instant);
    mode = model_mode_of(k->def.model, (uint32_t)results[kernel_result_count(&k->def) - 1]);
    const bool is_read =
        mode && observe_kernel_read(k->observer, &k->def, k->parameters, results, mode->name);
    model_end_instant(k->def.model, &instant);
    return is_read;
}

bool sweep_kernel_read(SweepKernel *k, const double *values, const double *results,
                       double *observed, const char **message)
{
    const Observations *o = study_observations(k->study);
    for (uint32_t i = 0; i < k->def.axis_count; i++)
        k->given[i].value = values[i];
    if (k->has_parameters && loaded_parameters(study_loaded(k->study), k->given, k->def.axis_count,
                                               k->parameters, NULL) != SALTUS_OK)
        return false;
    if (!sweep_kernel_observe(k, results))
        return false;
    size_t next = 0;
    *message = "";
    for (size_t i = 0; i < observations_count(o); i++) {
        const ObserveResult r = observer_result(k->observer, i);
        for (size_t j = 0; j < (size_t)observations_length(o, i); j++)
            observed[next++] = j < r.count ? r.values[j] : NAN;
        if (r.reason[0] && !(*message)[0])
            *message = r.reason;
    }
    return true;
}
