// SPDX-License-Identifier: MIT
//
// Working memory of evaluations: every run has its own for every mode it enters, made once and
// destroyed with the run.

#include "support/hybrid.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// What the test knows about all of it.
typedef struct Counts {
    int made, destroyed, refuse_from;
} Counts;

typedef struct Work {
    Counts *counts;
    long evaluations;
} Work;

static void *create(const SaltusContext *c)
{
    Counts *counts = c->user;
    if (counts->refuse_from && counts->made >= counts->refuse_from)
        return NULL;
    Work *work = calloc(1, sizeof *work);
    assert_non_null(work);
    work->counts = counts;
    counts->made++;
    return work;
}

static void destroy(void *memory)
{
    Work *work = memory;
    assert_true(work->evaluations > 0);
    work->counts->destroyed++;
    free(work);
}

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z, (void)x;
    ((Work *)c->work)->evaluations++;
    dx[0] = 1.0;
    return 0;
}

static int event_functions(const SaltusContext *c, double t, const double *x, const double *z,
                           double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] - 1.0;
    return 0;
}

static void switch_mode(SaltusEvent *event)
{
    saltus_switch_mode(event, 1 - event->mode);
    event->x[0] = 0.0;
}

static SaltusSystem *make_system(Counts *counts)
{
    static const double start = 0.0;
    static const SaltusEventDef event = {.direction = SALTUS_RISING, .action = switch_mode};
    SaltusModeDef modes[2];
    for (int i = 0; i < 2; i++) {
        modes[i] = saltus_default_mode();
        modes[i].name = i ? "second" : "first";
        modes[i].state_count = 1;
        modes[i].start = &start;
        modes[i].rhs = rhs;
        modes[i].event_count = 1;
        modes[i].events = &event;
        modes[i].event_functions = event_functions;
        modes[i].work.create = create;
        modes[i].work.destroy = destroy;
    }
    SaltusSystemDef def = saltus_default_system();
    def.user = counts;
    def.mode_count = 2;
    def.modes = modes;
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    return system;
}

static void one_for_each_run_and_mode(void **state)
{
    (void)state;
    Counts counts = {0};
    SaltusSystem *system = make_system(&counts);
    SaltusOptions options = saltus_default_options();
    SaltusRun *run = NULL, *copy = NULL;
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    assert_int_equal(counts.made, 1);
    assert_int_equal(saltus_run_advance(run, 10.5), SALTUS_OK);
    assert_int_equal(counts.made, 2);
    assert_int_equal(saltus_run_copy(run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 12.5), SALTUS_OK);
    assert_int_equal(counts.made, 4);
    assert_int_equal(counts.destroyed, 0);
    saltus_run_destroy(copy);
    assert_int_equal(counts.destroyed, 2);
    saltus_run_destroy(run);
    assert_int_equal(counts.destroyed, 4);
    saltus_system_destroy(system);
}

static void none_left(void **state)
{
    (void)state;
    Counts counts = {.refuse_from = 1};
    SaltusSystem *system = make_system(&counts);
    SaltusOptions options = saltus_default_options();
    SaltusRun *run = NULL;
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(run, 2.0), SALTUS_ERROR_MEMORY);
    saltus_run_destroy(run);
    assert_int_equal(counts.destroyed, 1);
    saltus_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_for_each_run_and_mode),
        cmocka_unit_test(none_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
