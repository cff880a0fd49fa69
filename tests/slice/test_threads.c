// SPDX-License-Identifier: MIT
//
// One system, many runs in many threads: modes are provided once, whoever enters them first, and
// every run ends with the same bits.

#include "slice/slice.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { THREADS = 4, CYCLES = 8 };

// x' = y, y' = -x, z' = 1 while free; x = z while fixed, which takes a force f.
enum { X, Y, Z, F };
enum { FIXED };
static const Variable variables[] = {{"x", 1.0}, {"y", 0.0}, {"z", 0.0}, {"f", 0.0}};
static const Equation equations[] = {
    {0, 0, SUB(DER(VAR(X)), ADD(VAR(Y), VAR(F))), "der(x) = y + f"},
    {0, 0, ADD(DER(VAR(Y)), VAR(X)), "der(y) = -x"},
    {0, 0, ADD(SUB(DER(VAR(Z)), NUM(1)), VAR(F)), "der(z) = 1 - f"},
    {1u << FIXED, 0, SUB(VAR(X), VAR(Z)), "x = z"},
    {0, 1u << FIXED, VAR(F), "f = 0"},
};
static const double times[] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
static const Flag flags[] = {[FIXED] = {.name = "fixed", .times = times, .time_count = 6}};
static const Model model = {.name = "shared",
                            .variables = variables,
                            .variable_count = 4,
                            .equations = equations,
                            .equation_count = 5,
                            .flags = flags,
                            .flag_count = 1};

typedef struct Job {
    const SaltusSystem *system;
    SaltusStatus status;
    double end[3];
    pthread_t thread;
} Job;

static void *work(void *user)
{
    Job *job = user;
    SaltusOptions options = saltus_default_options();
    SaltusRun *run = NULL;
    job->status = saltus_run_create(job->system, &options, &run, NULL);
    if (job->status == SALTUS_OK)
        job->status = saltus_run_advance(run, 4.0);
    for (int i = 0; job->status == SALTUS_OK && i < 3; i++)
        job->end[i] = saltus_run_states(run)[i];
    saltus_run_destroy(run);
    return NULL;
}

static void test_shared_system(void **state)
{
    (void)state;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        Slice *slice = slice_create(&model);
        Job jobs[THREADS];
        for (int i = 0; i < THREADS; i++) {
            jobs[i] = (Job){.system = slice_system(slice)};
            assert_int_equal(pthread_create(&jobs[i].thread, NULL, work, &jobs[i]), 0);
        }
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(jobs[i].status, SALTUS_OK);
            assert_memory_equal(jobs[i].end, jobs[0].end, sizeof jobs[0].end);
        }
        slice_destroy(slice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_system)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
