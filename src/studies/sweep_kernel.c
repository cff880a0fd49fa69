// SPDX-License-Identifier: MIT

#include "studies/sweep_kernel.h"

#include "studies/observe_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct SweepKernel {
    const Study *study;
    Arena *arena;
    KernelDef def;
    KernelCode *kernel;
    RunObserver *observer;
    ParameterValue *given; // of the axes
    double *parameters;
    bool has_parameters; // observations ask for them
    char reason[512];
};

static void sweep_kernel_fail(SweepKernel *k, const char *reason)
{
    if (!k->reason[0])
        snprintf(k->reason, sizeof k->reason, "%s", reason);
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
    double *base = ARENA_ARRAY(k->arena, model_list_parameters(loaded->model).count + 1u, double);
    memcpy(base, k->parameters, model_list_parameters(loaded->model).count * sizeof *base);
    k->def.parameters = base;
    return true;
}

static void sweep_kernel_make(SweepKernel *k, const Axis *axes, size_t axis_count,
                              KernelDevice device)
{
    const Observations *o = study_observations(k->study);
    const SaltusOptions *options = study_options(k->study, &k->def.stop_time);
    k->def.model = study_model(k->study);
    k->def.method = options->method;
    k->def.start_time = options->start_time;
    if (options->backstep != SALTUS_BACKSTEP)
        sweep_kernel_fail(k, "events are not to be located");
    sweep_kernel_allocate(k, axes, axis_count);
    const char *reason = observe_kernel_plan(o, k->arena, &k->def);
    if (reason)
        sweep_kernel_fail(k, reason);
    k->has_parameters = observe_kernel_has_parameters(o);
    k->observer = observer_create(o);
    k->kernel = k->reason[0] ? NULL : kernel_create(&k->def, device);
    if (!k->observer || (!k->kernel && !k->reason[0]))
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

SweepKernel *sweep_kernel_create(const Study *study, const Axis *axes, size_t axis_count,
                                 KernelDevice device)
{
    SweepKernel *k = calloc(1, sizeof *k);
    if (!k || !(k->arena = arena_create(NULL))) {
        free(k);
        return NULL;
    }
    k->study = study;
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

bool sweep_kernel_read(SweepKernel *k, const double *values, const double *results,
                       double *observed, const char **message)
{
    const Observations *o = study_observations(k->study);
    SaltusError error = {0};
    for (uint32_t i = 0; i < k->def.axis_count; i++)
        k->given[i].value = values[i];
    if (k->has_parameters && loaded_parameters(study_loaded(k->study), k->given, k->def.axis_count,
                                               k->parameters, &error) != SALTUS_OK)
        return false;
    if (!observe_kernel_read(k->observer, &k->def, k->parameters, results))
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
