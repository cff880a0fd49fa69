// SPDX-License-Identifier: MIT
//
// Calls at the wrong place or with the wrong numbers: a run that is asked to go on from inside its
// own callbacks, rows and events that do not exist, states that an action spoils, steps that are
// too small for the clock.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A clock with an event at 1
// ---------------------------------------------------------------------------

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int tick(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    return 0;
}

static const double zero[] = {0.0};

static Hybrid begin_clock(SaltusAction action, const SaltusOptions *options)
{
    SaltusEventDef event = {.name = "tick", .direction = SALTUS_RISING, .action = action};
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, clock_rhs, 1, &event, tick);
    return hybrid_begin_mode(&mode, options);
}

// ---------------------------------------------------------------------------
// From inside
// ---------------------------------------------------------------------------

static void do_nothing(SaltusEvent *event)
{
    (void)event;
}

static void advance_inside(SaltusEvent *event)
{
    assert_int_equal(saltus_run_advance(event->run, 5.0), SALTUS_ERROR_ARGUMENT);
}

static void apply_inside(SaltusEvent *event)
{
    assert_int_equal(saltus_run_apply(event->run, do_nothing), SALTUS_ERROR_ARGUMENT);
}

static void copy_inside(SaltusEvent *event)
{
    SaltusRun *copy = NULL;
    SaltusError error;
    assert_int_equal(saltus_run_copy(event->run, &copy, &error), SALTUS_ERROR_ARGUMENT);
    assert_null(copy);
    assert_contains(error.message, "callback");
    saltus_error_clear(&error);
}

static void test_action_asks_its_run(void **state)
{
    (void)state;
    static const SaltusAction wrong[] = {advance_inside, apply_inside};
    for (int i = 0; i < 2; i++) {
        Hybrid hybrid = begin_clock(wrong[i], NULL);
        assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_ERROR_ARGUMENT);
        assert_contains(saltus_run_error(hybrid.run)->message, "mode clock, event tick, t = 1");
        assert_contains(saltus_run_error(hybrid.run)->message, "callback");
        hybrid_end(&hybrid);
        hybrid = begin_clock(NULL, NULL);
        assert_int_equal(saltus_run_apply(hybrid.run, wrong[i]), SALTUS_ERROR_ARGUMENT);
        hybrid_end(&hybrid);
    }
    // A copy that was refused harms nobody.
    Hybrid hybrid = begin_clock(copy_inside, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    hybrid_end(&hybrid);
}

static int advance_in_progress(void *user, double t, double stop_time)
{
    (void)t, (void)stop_time;
    assert_int_equal(saltus_run_advance(*(SaltusRun **)user, 5.0), SALTUS_ERROR_ARGUMENT);
    return 0;
}

static void test_progress_asks_its_run(void **state)
{
    (void)state;
    SaltusRun *run = NULL;
    SaltusOptions options = saltus_default_options();
    options.progress = advance_in_progress;
    options.user = &run;
    Hybrid hybrid = begin_clock(NULL, &options);
    run = hybrid.run;
    assert_int_equal(saltus_run_advance(run, 2.0), SALTUS_ERROR_ARGUMENT);
    assert_contains(saltus_run_error(run)->message, "callback");
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// What is not there
// ---------------------------------------------------------------------------

static void test_rows_and_events_that_do_not_exist(void **state)
{
    (void)state;
    Hybrid hybrid = begin_clock(NULL, NULL);
    assert_true(isnan(saltus_run_event(hybrid.run, 0).t)); // none yet
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_close(saltus_run_event(hybrid.run, 0).t, 1.0, 1e-12);
    const long wrong[] = {-1, saltus_run_row_count(hybrid.run), 1000000};
    for (int i = 0; i < 3; i++) {
        SaltusRow row = saltus_run_row(hybrid.run, wrong[i]);
        SaltusLogEntry entry = saltus_run_event(hybrid.run, wrong[i]);
        assert_true(isnan(row.t) && row.mode == -1 && row.x_count == 0);
        assert_true(isnan(entry.t) && entry.to == -1 && entry.fired_count == 0);
    }
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// What spoils a run
// ---------------------------------------------------------------------------

static void spoil(SaltusEvent *event)
{
    event->x[0] = NAN;
}

static void test_action_without_a_value(void **state)
{
    (void)state;
    Hybrid hybrid = begin_clock(spoil, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_ERROR_UNDETERMINED);
    assert_contains(saltus_run_error(hybrid.run)->message, "event tick, t = 1");
    assert_contains(saltus_run_error(hybrid.run)->message,
                    "the action gave no finite value to: x0");
    hybrid_end(&hybrid);
}

static int no_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    (void)dx;
    return 1;
}

static void test_first_evaluation_fails(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "tick"};
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, no_rhs, 1, &event, tick);
    SaltusSystemDef def = hybrid_system(1, &mode);
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    SaltusOptions options = saltus_default_options();
    SaltusRun *run = NULL;
    SaltusError error;
    assert_int_equal(saltus_run_create(system, &options, &run, &error), SALTUS_ERROR_EVALUATION);
    assert_contains(error.message, "the right-hand side failed at the start");
    saltus_error_clear(&error);
    saltus_system_destroy(system);
}

// At t = 1e6 the clock has a resolution of 1.2e-10.
static void test_steps_below_the_resolution_of_time(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "tick"};
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, clock_rhs, 1, &event, tick);
    SaltusSystemDef def = hybrid_system(1, &mode);
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    for (int solver = SALTUS_SOLVER_EULER; solver <= SALTUS_SOLVER_IDA; solver++) {
        bool fixed = solver <= SALTUS_SOLVER_RK4;
        SaltusOptions options = saltus_default_options();
        options.start_time = 1e6;
        options.method.solver = (SaltusSolver)solver;
        options.method.step = fixed ? 1e-12 : 0.0;
        options.method.max_step = fixed ? 0.0 : 1e-12;
        SaltusRun *run = NULL;
        SaltusError error;
        SaltusStatus status = saltus_run_create(system, &options, &run, &error);
        if (status == SALTUS_OK) {
            status = saltus_run_advance(run, 1e6 + 1.0);
            error = *saltus_run_error(run);
        }
        assert_int_equal(status, SALTUS_ERROR_STEP_SIZE);
        assert_contains(error.message, "below the resolution of time");
        saltus_error_clear(&error);
        saltus_run_destroy(run);
    }
    saltus_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_action_asks_its_run),
        cmocka_unit_test(test_progress_asks_its_run),
        cmocka_unit_test(test_rows_and_events_that_do_not_exist),
        cmocka_unit_test(test_action_without_a_value),
        cmocka_unit_test(test_first_evaluation_fails),
        cmocka_unit_test(test_steps_below_the_resolution_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
