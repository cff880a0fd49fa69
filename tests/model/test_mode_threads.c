// SPDX-License-Identifier: MIT
//
// Runs in several threads that share one model, and meet its modes at the same time: each gives the
// bits that it gives alone.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/flatten.h"
#include "modes/model.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, RUNS = 6, MOST_VALUES = 16 };

typedef struct Job {
    const Model *model;
    uint32_t vx; // the parameter's number
    double values[RUNS][MOST_VALUES];
    int failures;
} Job;

// Loose and taut, with x or y as state.
static const char rope[] =
    "model M parameter Real v0 = 1; Real x(start = 0.6, fixed = true), y(start = 0.2, fixed = "
    "true), "
    "vx(start = v0, fixed = true), vy(start = 0, fixed = true), lambda; "
    "Boolean taut(start = false, fixed = true); equation der(x) = vx; der(y) = vy; "
    "der(vx) = -lambda*x; der(vy) = -lambda*y - 9.81; "
    "taut = if pre(taut) then lambda > 0 else x^2 + y^2 >= 1; "
    "if taut then x^2 + y^2 = 1; else lambda = 0; end if; end M;";

// Seven parts, six of which have two modes each.
static const char switches[] =
    "model M parameter Real v0 = 1; Real x[6](each start = 0, each fixed = true); equation "
    "for i in 1:6 loop if sin((v0 + 0.1*i)*i*time) < 0.5 then der(x[i]) = v0; else x[i] = -i; "
    "end if; end for; end M;";

static bool run(const Job *job, double v0, double *values)
{
    double p[8] = {0};
    SaltusSystem *system = NULL;
    SaltusRun *r = NULL;
    SaltusError error;
    SaltusOptions options = saltus_default_options();
    const ParameterValue given = {job->vx, v0};
    bool is_fine = model_parameters(job->model, &given, 1, p) &&
                   model_system(job->model, p, &system, &error) == SALTUS_OK &&
                   saltus_run_create(system, &options, &r, &error) == SALTUS_OK &&
                   saltus_run_advance(r, 3.0) == SALTUS_OK;
    if (is_fine) {
        const SaltusRow row = saltus_run_row(r, saltus_run_row_count(r) - 1);
        for (int i = 0; i < row.y_count && i < MOST_VALUES; i++)
            values[i] = row.y[i];
    }
    if (r)
        saltus_run_destroy(r);
    if (system)
        saltus_system_destroy(system);
    return is_fine;
}

static void *work(void *user)
{
    Job *job = user;
    for (int i = 0; i < RUNS; i++)
        job->failures += !run(job, 1.0 + 0.25 * i, job->values[i]);
    return NULL;
}

static const Model *make_model(Compilation *c, const char *text)
{
    const FlattenOptions options = flatten_default_options();
    char path[] = "/tmp/saltus-threads-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    const FlatModel *flat = flatten_files(c, 1, (const char *const[]){path}, NULL, &options);
    remove(path);
    return flat ? model_create(c->arena, flat, c->diagnostics) : NULL;
}

static uint32_t parameter_of(const Model *model)
{
    const Parameters p = model_list_parameters(model);
    for (uint32_t i = 0; i < p.count; i++)
        if (p.names[i][0] == 'v')
            return i;
    return 0;
}

// kept: modes that nobody uses.
static void compare(const char *text, uint32_t fewest, uint32_t most, uint32_t kept)
{
    Job alone = {0}, *jobs = calloc(THREADS, sizeof *jobs);
    assert_non_null(jobs);
    Compilation *first = compilation_create(NULL), *second = compilation_create(NULL);
    const Model *a = make_model(first, text), *b = make_model(second, text);
    assert_non_null(a);
    assert_non_null(b);
    model_limit_modes(b, kept, 0);
    alone.model = a;
    alone.vx = parameter_of(a);
    work(&alone);
    assert_int_equal(alone.failures, 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (Job){.model = b, .vx = parameter_of(b)};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(jobs[i].failures, 0);
        assert_memory_equal(jobs[i].values, alone.values, sizeof alone.values);
    }
    assert_in_range(model_mode_count(b), fewest, most);
    model_release(a);
    model_release(b);
    compilation_destroy(first);
    compilation_destroy(second);
    free(jobs);
}

static void same_bits(void **state)
{
    (void)state;
    compare(rope, 2, 4, 1000);
}

static void same_bits_of_parts(void **state)
{
    (void)state;
    compare(switches, 13, 13, 1000);
}

// What one thread has left another one may be about to enter.
static void same_bits_if_modes_are_forgotten(void **state)
{
    (void)state;
    compare(rope, 2, 4, 1);
    compare(switches, 13, 13, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits),
                                       cmocka_unit_test(same_bits_of_parts),
                                       cmocka_unit_test(same_bits_if_modes_are_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
