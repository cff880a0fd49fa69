// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/flatten.h"
#include "kernel/whole.h"
#include "model/trial.h"

#include "base/error.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct Trial {
    Compilation *compilation;
    const Model *model;
    double stop_time; // of the experiment annotation, or NAN
    ParameterValue given[16];
    uint32_t given_count;
    double *parameters;
    SaltusOptions options;
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
};

static Trial *begin(void)
{
    Trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->compilation = compilation_create(NULL);
    t->options = saltus_default_options();
    assert_non_null(t->compilation);
    return t;
}

static void make_model(Trial *t, const FlatModel *flat)
{
    t->stop_time = flat ? flat->experiment.stop_time : NAN;
    if (flat)
        t->model = model_create(t->compilation->arena, flat, t->compilation->diagnostics);
}

Trial *trial_example(const char *file, const char *model)
{
    char path[512];
    snprintf(path, sizeof path, "examples/%s", file);
    return trial_file(path, model);
}

Trial *trial_file(const char *file, const char *model)
{
    Trial *t = begin();
    char path[1024];
    snprintf(path, sizeof path, SALTUS_SOURCE_DIR "/models/%s", file);
    const FlattenOptions options = flatten_default_options();
    make_model(t, flatten_files(t->compilation, 1, (const char *const[]){path}, model, &options));
    if (!t->model)
        fail_msg("%s", trial_messages(t));
    return t;
}

Trial *trial_text(const char *text)
{
    Trial *t = begin();
    char path[] = "/tmp/saltus-trial-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    const FlattenOptions options = flatten_default_options();
    make_model(t, flatten_files(t->compilation, 1, (const char *const[]){path}, NULL, &options));
    remove(path);
    return t;
}

void trial_end(Trial *t)
{
    if (t->run)
        saltus_run_destroy(t->run);
    if (t->system)
        saltus_system_destroy(t->system);
    if (t->model)
        model_release(t->model);
    compilation_destroy(t->compilation);
    free(t->parameters);
    saltus_error_clear(&t->error);
    free(t);
}

const char *trial_messages(Trial *t)
{
    StringBuilder out = builder_create(t->compilation->arena);
    diagnostics_render_text(t->compilation->diagnostics, false, &out);
    return builder_string(&out).text;
}

const Model *trial_model(const Trial *t)
{
    return t->model;
}

struct ExternalStore *trial_externals(const Trial *t)
{
    return t->compilation->externals;
}

bool trial_is_model(const Trial *t)
{
    return t->model != NULL;
}

SaltusOptions *trial_options(Trial *t)
{
    return &t->options;
}

void trial_backend(Trial *t, BackendChoice backend, const NativeOptions *options)
{
    model_set_backend(t->model, backend, options);
    if (backend == BACKEND_WHOLE)
        assert_true(whole_enable(t->model));
}

bool trial_is_compiled(const Trial *t)
{
    const char *reason;
    return model_is_compiled(t->model, &reason);
}

double trial_stop_time(const Trial *t)
{
    return isnan(t->stop_time) ? 1.0 : t->stop_time;
}

void trial_parameter(Trial *t, const char *name, double value)
{
    const Parameters p = model_list_parameters(t->model);
    for (uint32_t i = 0; i < p.count; i++) {
        if (strcmp(p.names[i], name) != 0)
            continue;
        t->given[t->given_count++] = (ParameterValue){i, value};
        return;
    }
    fail_msg("no parameter %s", name);
}

SaltusStatus trial_run(Trial *t, double stop_time)
{
    if (!t->model)
        fail_msg("%s", trial_messages(t));
    if (!t->run) {
        t->parameters = calloc(model_list_parameters(t->model).count + 1u, sizeof(double));
        assert_non_null(t->parameters);
        assert_true(model_parameters(t->model, t->given, t->given_count, t->parameters));
        assert_int_equal(model_system(t->model, t->parameters, &t->system, &t->error), SALTUS_OK);
        const SaltusStatus status = saltus_run_create(t->system, &t->options, &t->run, &t->error);
        if (status != SALTUS_OK)
            return status;
    }
    const SaltusStatus status = saltus_run_advance(t->run, stop_time);
    saltus_error_clear(&t->error);
    error_copy(&t->error, saltus_run_error(t->run));
    return status;
}

const SaltusRun *trial_get_run(const Trial *t)
{
    return t->run;
}

static SaltusContext trial_context(const Trial *t, const SaltusModeDef *mode)
{
    SaltusContext context = {.p = saltus_run_parameters(t->run),
                             .u = saltus_run_inputs(t->run),
                             .memory = saltus_run_memory(t->run),
                             .user = (void *)(uintptr_t)t->model,
                             .data = mode->data};
    context.work = mode->work.create(&context);
    assert_non_null(context.work);
    return context;
}

bool trial_jacobian(const Trial *t, double time, const double *x, double *values)
{
    const SaltusModeDef *mode = saltus_system_mode(t->system, saltus_run_mode(t->run));
    const SaltusSparsity *s = mode->hints.sparsity;
    const int n = mode->state_count;
    double given[400];
    if (!mode->hints.jacobian)
        return false;
    assert_in_range(n, 0, 20);
    SaltusContext context = trial_context(t, mode);
    assert_int_equal(mode->hints.jacobian(&context, time, x, NULL, given), 0);
    mode->work.destroy(context.work);
    for (int i = 0; i < n * n; i++)
        values[i] = s ? 0.0 : given[i];
    for (int j = 0; s && j < n; j++)
        for (int k = s->column_start[j]; k < s->column_start[j + 1]; k++)
            values[j * n + s->rows[k]] = given[k];
    return true;
}

void trial_evaluate(const Trial *t, double time, const double *x, const SaltusValues *out)
{
    const SaltusModeDef *mode = saltus_system_mode(t->system, saltus_run_mode(t->run));
    SaltusContext context = trial_context(t, mode);
    if (mode->evaluate) {
        assert_int_equal(mode->evaluate(&context, time, x, saltus_run_algebraics(t->run), out), 0);
    } else {
        double dx[100];
        assert_in_range(mode->state_count, 0, 100);
        assert_int_equal(mode->rhs(&context, time, x, NULL, dx), 0);
        if (out->dx)
            memcpy(out->dx, dx, (size_t)mode->state_count * sizeof *dx);
        if (out->h)
            assert_int_equal(mode->event_functions(&context, time, x, NULL, out->h), 0);
        if (out->dh)
            assert_int_equal(mode->event_flow(&context, time, x, NULL, dx, out->dh), 0);
        if (out->y)
            assert_int_equal(mode->outputs(&context, time, x, NULL, out->y), 0);
    }
    mode->work.destroy(context.work);
}

const char *trial_error(const Trial *t)
{
    return t->error.message ? t->error.message : "";
}

double trial_value_at(const Trial *t, const char *name, long row)
{
    for (uint32_t i = 0; i < model_output_count(t->model); i++)
        if (strcmp(model_output_names(t->model)[i], name) == 0)
            return saltus_run_row(t->run, row).y[i];
    fail_msg("no variable %s", name);
    return 0.0;
}

const char *trial_mode_name(const Trial *t, int mode)
{
    const SaltusModeDef *def = saltus_system_mode(t->system, mode);
    return def ? def->name : "";
}

double trial_value(const Trial *t, const char *name)
{
    return trial_value_at(t, name, saltus_run_row_count(t->run) - 1);
}

// ---------------------------------------------------------------------------
// In one call
// ---------------------------------------------------------------------------

static Trial *compile_text(const char *text)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    return t;
}

static void assert_contains(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("'%s' lacks '%s'", text, expected);
}

Trial *trial_run_text(const char *text, double stop_time)
{
    Trial *t = compile_text(text);
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    return t;
}

void trial_expect_error(const char *text, double stop_time, const char *expected)
{
    Trial *t = compile_text(text);
    assert_true(trial_run(t, stop_time) < 0);
    assert_contains(trial_error(t), expected);
    trial_end(t);
}

void trial_expect_refusal(const char *text, const char *expected)
{
    Trial *t = trial_text(text);
    assert_false(trial_is_model(t));
    assert_contains(trial_messages(t), expected);
    trial_end(t);
}

void trial_expect_message(const char *text, const char *expected)
{
    Trial *t = trial_text(text);
    assert_contains(trial_messages(t), expected);
    trial_end(t);
}

void trial_assert_value(const Trial *t, const char *name, double expected, double tolerance)
{
    const double value = trial_value(t, name);
    if (!(fabs(value - expected) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%s = %.17g, not %.17g", name, value, expected);
}
