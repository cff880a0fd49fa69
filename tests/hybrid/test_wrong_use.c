// SPDX-License-Identifier: MIT
//
// Wrong use of a run: stop times, limits, interruptions, actions and providers that fail, endless
// iterations. Each ends with a status and a message that says which mode, which event, what time
// and what; the rows and events so far can be read; going on behaves as the header says.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A clock whose event functions are zero at 1, 2, 3, ...
// ---------------------------------------------------------------------------

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int ticks(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    h[1] = x[0] - 2.0;
    return 0;
}

static const char *const clock_names[] = {"clock"};
static const double zero[1] = {0.0};

// A mode with events "first" at 1 and "second" at 2.
static SaltusModeDef clock_mode(SaltusEventDef events[2], SaltusAction first, SaltusAction second)
{
    events[0] = (SaltusEventDef){.name = "first", .condition = "x > 1", .action = first};
    events[1] = (SaltusEventDef){.name = "second", .condition = "x > 2", .action = second};
    SaltusModeDef mode = hybrid_mode("ticking", 1, zero, clock_rhs, 2, events, ticks);
    mode.state_names = clock_names;
    return mode;
}

static void observe(SaltusEvent *event)
{
    saltus_record(event, "x", event->x[0]);
}

// The run has stopped where it should, says so, and what it did before can be read.
static void assert_stopped(const SaltusRun *run, SaltusStatus status, double t, int event)
{
    const SaltusError *error = saltus_run_error(run);
    assert_int_equal(error->status, status);
    assert_close(error->time, t, 1e-12);
    assert_int_equal(error->mode, 0);
    assert_int_equal(error->event, event);
    assert_contains(error->message, "mode ticking");
    char time[32];
    snprintf(time, sizeof time, "t = %.10g", t);
    assert_contains(error->message, time);
    assert_true(saltus_run_row_count(run) > 0);
    for (long i = 0; i < saltus_run_row_count(run); i++) {
        SaltusRow row = saltus_run_row(run, i);
        assert_true(row.t <= saltus_run_time(run));
        assert_close(row.x[0], row.t, 1e-12);
    }
    for (long i = 0; i < saltus_run_event_count(run); i++)
        assert_true(saltus_run_event(run, i).t <= saltus_run_time(run));
}

// ---------------------------------------------------------------------------
// Stop times
// ---------------------------------------------------------------------------

// Rows without end are refused; the run can go on to a time that has fewer.
static void test_output_interval(void **state)
{
    (void)state;
    static const double intervals[] = {1e-300, 1e-10, 1e-17};
    SaltusEventDef events[2];
    const SaltusModeDef mode = clock_mode(events, observe, NULL);
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        SaltusOptions options = saltus_default_options();
        options.record = SALTUS_RECORD_INTERVALS;
        options.output_interval = intervals[i];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        hybrid_assert_ends(hybrid.run, 0.9, SALTUS_ERROR_ARGUMENT, "output interval");
        if (i == 1)
            assert_int_equal(saltus_run_advance(hybrid.run, 1e-8), SALTUS_OK);
        hybrid_end(&hybrid);
    }
}

static void test_stop_times(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, observe);
    SaltusOptions options = saltus_default_options();
    options.start_time = 0.5;
    mode.start = (double[]){0.5};
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    const double bad[] = {0.25, -INFINITY, INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hybrid_assert_ends(hybrid.run, bad[i], SALTUS_ERROR_ARGUMENT, "cannot advance to");
        assert_stopped(hybrid.run, SALTUS_ERROR_ARGUMENT, 0.5, -1);
    }
    assert_int_equal(saltus_run_advance(NULL, 1.0), SALTUS_ERROR_ARGUMENT);
    // A wrong argument does no harm: the run goes on.
    assert_int_equal(saltus_run_advance(hybrid.run, 0.5), SALTUS_OK);
    assert_int_equal(saltus_run_error(hybrid.run)->status, SALTUS_OK);
    assert_string_equal(saltus_run_error(hybrid.run)->message, "");
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    assert_true(saltus_run_time(hybrid.run) == 3.0);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Limits and interruptions
// ---------------------------------------------------------------------------

static void test_step_limit(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("ticking", 1, zero, clock_rhs, 0, NULL, NULL);
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_EULER;
    options.method.step = 0.125;
    options.max_steps = 8;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK); // eight suffice
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_STEP_LIMIT, "8 steps");
    assert_stopped(hybrid.run, SALTUS_ERROR_STEP_LIMIT, 2.0, -1);
    // A failed run stays where it failed.
    long rows = saltus_run_row_count(hybrid.run);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_ERROR_STEP_LIMIT);
    assert_int_equal(saltus_run_apply(hybrid.run, observe), SALTUS_ERROR_STEP_LIMIT);
    assert_int_equal(saltus_run_row_count(hybrid.run), rows);
    assert_true(saltus_run_time(hybrid.run) == 2.0);
    hybrid_end(&hybrid);
}

static void test_event_limit(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, observe);
    SaltusOptions options = saltus_default_options();
    options.max_events = 1;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.5), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    hybrid_end(&hybrid);
    hybrid = hybrid_begin_mode(&mode, &options);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_STEP_LIMIT, "1 event");
    assert_stopped(hybrid.run, SALTUS_ERROR_STEP_LIMIT, 2.0, -1);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    hybrid_end(&hybrid);
}

// Time events that come again a moment later, for ever.
static void again_soon(SaltusEvent *event)
{
    saltus_schedule(event, 1, nextafter(event->t, INFINITY));
}

static void test_event_limit_counts_time_events(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("ticking", 1, zero, clock_rhs, 0, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.start = again_soon;
    def.time_action = again_soon;
    SaltusOptions options = saltus_default_options();
    options.max_events = 100;
    options.start_time = 1.0;
    Hybrid hybrid = hybrid_begin(&def, &options);
    hybrid_assert_ends(hybrid.run, 2.0, SALTUS_ERROR_STEP_LIMIT, "100 events");
    hybrid_end(&hybrid);
}

typedef struct Patience {
    int calls;
    int last; // interrupts at this call
} Patience;

static int lose_patience(void *user, double t, double stop_time)
{
    (void)t;
    Patience *patience = user;
    assert_true(stop_time == 3.0);
    return ++patience->calls == patience->last;
}

static void test_progress(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, observe);
    // Whenever it is interrupted: going on gives what an uninterrupted run gives.
    for (int last = 1; last < 12; last++) {
        Patience patience = {.last = last};
        SaltusOptions options = saltus_default_options();
        options.progress = lose_patience;
        options.user = &patience;
        options.method.max_step = 0.4;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        SaltusStatus status = saltus_run_advance(hybrid.run, 3.0);
        if (status == SALTUS_INTERRUPTED) {
            assert_int_equal(patience.calls, last);
            assert_stopped(hybrid.run, SALTUS_INTERRUPTED, saltus_run_time(hybrid.run), -1);
            assert_contains(saltus_run_error(hybrid.run)->message, "interrupted");
            status = saltus_run_advance(hybrid.run, 3.0);
        }
        assert_int_equal(status, SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 2);
        assert_close(saltus_run_event(hybrid.run, 0).t, 1.0, 1e-15);
        assert_close(saltus_run_event(hybrid.run, 1).t, 2.0, 1e-15);
        hybrid_end(&hybrid);
    }
}

typedef struct Rows {
    int count, last;
    int kinds[SALTUS_ROW_END + 1];
    double t;
} Rows;

static int take_row(void *user, const SaltusRow *row)
{
    Rows *rows = user;
    assert_true(row->t >= rows->t);
    rows->t = row->t;
    rows->kinds[row->kind]++;
    return ++rows->count == rows->last;
}

// An interruption by the row callback, also by one of the rows at an event, loses nothing.
static void test_row_callback(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, observe);
    int interrupted = 0;
    for (int last = 0; last < 25; last++) {
        Rows rows = {.last = last};
        SaltusOptions options = saltus_default_options();
        options.row = take_row;
        options.user = &rows;
        options.record = SALTUS_RECORD_STEPS | SALTUS_RECORD_INTERVALS;
        options.output_interval = 0.5;
        options.method.max_step = 0.4;
        SaltusSystemDef def = hybrid_system(1, &mode);
        Hybrid hybrid = {0};
        assert_int_equal(saltus_system_create(&def, &hybrid.system, NULL), SALTUS_OK);
        SaltusStatus status =
            saltus_run_create(hybrid.system, &options, &hybrid.run, &hybrid.error);
        assert_int_equal(status, last == 1 ? SALTUS_INTERRUPTED : SALTUS_OK);
        for (int calls = 0; (status = saltus_run_advance(hybrid.run, 3.0)) != SALTUS_OK; calls++) {
            assert_int_equal(status, SALTUS_INTERRUPTED);
            assert_contains(saltus_run_error(hybrid.run)->message, "row callback");
            assert_int_equal(calls, 0);
            interrupted++;
        }
        assert_int_equal(saltus_run_event_count(hybrid.run), 2);
        assert_int_equal(saltus_run_row_count(hybrid.run), 0); // handed over, not kept
        assert_int_equal(rows.kinds[SALTUS_ROW_START], 1);
        assert_int_equal(rows.kinds[SALTUS_ROW_INTERVAL], 6);
        assert_int_equal(rows.kinds[SALTUS_ROW_BEFORE_EVENT], 2);
        assert_int_equal(rows.kinds[SALTUS_ROW_AFTER_EVENT], 2);
        hybrid_end(&hybrid);
    }
    assert_true(interrupted > 10);
}

// ---------------------------------------------------------------------------
// Actions
// ---------------------------------------------------------------------------

static void stop_here(SaltusEvent *event)
{
    saltus_stop(event, "enough");
    saltus_stop(event, "twice");
}

static void test_action_stops(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, stop_here, observe);
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_TERMINATED, "event first");
    assert_stopped(hybrid.run, SALTUS_TERMINATED, 1.0, 0);
    assert_contains(saltus_run_error(hybrid.run)->message, "enough");
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusRow last = saltus_run_row(hybrid.run, saltus_run_row_count(hybrid.run) - 1);
    assert_int_equal(last.kind, SALTUS_ROW_END);
    // Calling again continues.
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    assert_string_equal(saltus_run_error(hybrid.run)->message, "");
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    hybrid_end(&hybrid);
}

static void test_start_stops(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.start = stop_here;
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
    SaltusOptions options = saltus_default_options();
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_create(system, &options, &run, &error), SALTUS_TERMINATED);
    assert_non_null(run);
    assert_contains(error.message, "enough");
    saltus_error_clear(&error);
    assert_int_equal(saltus_run_advance(run, 3.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(run), 2);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static void fail_here(SaltusEvent *event)
{
    saltus_fail(event, "the valve is stuck");
    saltus_stop(event, "not any more");
}

static void fail_after_switching(SaltusEvent *event)
{
    saltus_switch_mode(event, 1);
    saltus_fail(event, "the valve is stuck");
}

static void test_action_fails(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, fail_here);
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_ACTION, "event second");
    assert_stopped(hybrid.run, SALTUS_ERROR_ACTION, 2.0, 1);
    assert_contains(saltus_run_error(hybrid.run)->message, "the valve is stuck");
    assert_int_equal(saltus_run_event_count(hybrid.run), 1); // the first one
    assert_int_equal(saltus_run_event(hybrid.run, 0).record_count, 1);
    hybrid_assert_ends(hybrid.run, 4.0, SALTUS_ERROR_ACTION, "the valve is stuck");
    SaltusRun *copy = NULL;
    SaltusError error;
    assert_int_equal(saltus_run_copy(hybrid.run, &copy, &error), SALTUS_ERROR_ACTION);
    assert_null(copy); // a failed run is no checkpoint
    assert_contains(error.message, "the valve is stuck");
    saltus_error_clear(&error);
    hybrid_end(&hybrid);
    // The event stays the one that fired, whatever its action did before.
    SaltusModeDef modes[2];
    modes[0] = clock_mode(events, observe, fail_after_switching);
    modes[1] = hybrid_mode("other", 1, zero, clock_rhs, 0, NULL, NULL);
    SaltusSystemDef def = hybrid_system(2, modes);
    hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_ERROR_ACTION);
    const SaltusError *failure = saltus_run_error(hybrid.run);
    assert_contains(failure->message, "mode other");
    assert_contains(failure->message, "event second of mode ticking");
    assert_int_equal(failure->mode, 1);
    assert_int_equal(failure->event, -1); // mode 1 has none
    hybrid_end(&hybrid);
}

static void schedule_nonsense(SaltusEvent *event)
{
    saltus_schedule(event, 3, NAN);
}

static void ask_nonsense(SaltusEvent *event)
{
    double h = 0.0;
    assert_int_equal(saltus_event_value(event, 2, &h), SALTUS_ERROR_ARGUMENT);
}

static void choose_solver(SaltusEvent *event)
{
    event->method->solver = (SaltusSolver)99;
}

static void choose_tolerance(SaltusEvent *event)
{
    event->method->relative_tolerance = -1.0;
}

static void choose_locator(SaltusEvent *event)
{
    event->method->locate = SALTUS_LOCATE_SUNDIALS; // with dopri5
}

static void test_action_mistakes(void **state)
{
    (void)state;
    const struct {
        SaltusAction action;
        SaltusStatus status;
        const char *says;
    } cases[] = {
        {schedule_nonsense, SALTUS_ERROR_ARGUMENT, "time event 3"},
        {ask_nonsense, SALTUS_ERROR_ARGUMENT, "no event function 2"},
        {choose_solver, SALTUS_ERROR_ARGUMENT, "solver number 99"},
        {choose_tolerance, SALTUS_ERROR_ARGUMENT, "relative tolerance"},
        {choose_locator, SALTUS_ERROR_SOLVER, "goes with cvode"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SaltusEventDef events[2];
        SaltusModeDef mode = clock_mode(events, observe, cases[i].action);
        Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
        hybrid_assert_ends(hybrid.run, 3.0, cases[i].status, cases[i].says);
        assert_stopped(hybrid.run, cases[i].status, 2.0, 1);
        assert_contains(saltus_run_error(hybrid.run)->message, "event second");
        assert_int_equal(saltus_run_advance(hybrid.run, 3.0), cases[i].status);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

static void switch_to_5(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, 5), SALTUS_ERROR_MODE);
    assert_int_equal(saltus_switch_mode(event, 0), SALTUS_ERROR_MODE); // too late
}

static void switch_to_minus(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, -1), SALTUS_ERROR_MODE);
}

static void test_unknown_mode(void **state)
{
    (void)state;
    const SaltusAction actions[] = {switch_to_5, switch_to_minus};
    const char *const says[] = {"no mode 5", "no mode -1"};
    for (int i = 0; i < 2; i++) {
        SaltusEventDef events[2];
        SaltusModeDef mode = clock_mode(events, observe, actions[i]);
        Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
        hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_MODE, "event second");
        assert_stopped(hybrid.run, SALTUS_ERROR_MODE, 2.0, 1);
        assert_contains(saltus_run_error(hybrid.run)->message, says[i]);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        hybrid_end(&hybrid);
    }
}

static int provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    (void)user;
    if (mode == 5) {
        saltus_say(message, "the structure is singular");
        return 1;
    }
    def->name = "unfinished"; // no equations
    def->state_count = 1;
    return 0;
}

static void switch_to_6(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, 6), SALTUS_ERROR_ARGUMENT);
}

static void test_provider(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, switch_to_5);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.provider = provide;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_MODE,
                       "mode 5 could not be provided: the structure is singular");
    assert_stopped(hybrid.run, SALTUS_ERROR_MODE, 2.0, 1);
    hybrid_end(&hybrid);
    mode = clock_mode(events, observe, switch_to_6);
    hybrid = hybrid_begin(&def, NULL);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_ARGUMENT,
                       "mode unfinished: states, but neither");
    assert_stopped(hybrid.run, SALTUS_ERROR_ARGUMENT, 2.0, 1);
    assert_null(saltus_system_mode(hybrid.system, 6));
    assert_null(saltus_system_mode(hybrid.system, -1));
    hybrid_end(&hybrid);
    // The initial mode itself.
    def.initial_mode = 5;
    hybrid_assert_refused(&def, SALTUS_ERROR_MODE, "the structure is singular");
}

// No initial mode, and a start action that chooses none, or asks before it has chosen.
static void choose_nothing(SaltusEvent *event)
{
    saltus_schedule(event, 1, 2.0);
    saltus_record(event, "nothing", 0.0);
}

static void test_no_initial_mode(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.initial_mode = -1;
    def.start = choose_nothing;
    hybrid_assert_refused(&def, SALTUS_ERROR_MODE, "initial_mode is -1");
}

// Entering a mode whose other states nobody sets.
static void switch_to_1(SaltusEvent *event)
{
    saltus_switch_mode(event, 1);
}

static int larger_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = dx[1] = dx[2] = 0.0;
    return 0;
}

static void test_undetermined(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef modes[2];
    modes[0] = clock_mode(events, observe, switch_to_1);
    modes[1] = hybrid_mode("larger", 3, NULL, larger_rhs, 0, NULL, NULL);
    modes[1].state_names = (const char *[]){"speed", "clock", "charge"};
    SaltusSystemDef def = hybrid_system(2, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_ERROR_UNDETERMINED);
    const SaltusError *error = saltus_run_error(hybrid.run);
    assert_int_equal(error->mode, 1);
    assert_close(error->time, 2.0, 1e-12);
    assert_contains(error->message, "mode larger");
    assert_contains(error->message, "event second of mode ticking");
    assert_contains(error->message, "undetermined: speed, charge");
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    hybrid_end(&hybrid);
    // The same when a run begins there.
    def.initial_mode = 1;
    hybrid_assert_refused(&def, SALTUS_ERROR_UNDETERMINED, "speed, clock, charge");
    modes[1].start = (double[]){1.0, NAN, 2.0};
    hybrid_assert_refused(&def, SALTUS_ERROR_UNDETERMINED, "undetermined: clock");
}

// ---------------------------------------------------------------------------
// Endless iterations
// ---------------------------------------------------------------------------

// Each action moves the clock over the other one's zero.
static void jump_forward(SaltusEvent *event)
{
    event->x[0] = 3.0;
}

static void jump_back(SaltusEvent *event)
{
    event->x[0] = 0.0;
}

static void test_endless_jumps(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, jump_forward, jump_back);
    events[0].direction = SALTUS_FALLING;
    events[1].direction = SALTUS_RISING;
    SaltusOptions options = saltus_default_options();
    options.max_event_iterations = 50;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_ERROR_EVENT_ITERATION);
    const SaltusError *error = saltus_run_error(hybrid.run);
    assert_close(error->time, 2.0, 1e-12);
    assert_int_equal(error->mode, 0);
    assert_true(error->event == 0 || error->event == 1);
    assert_contains(error->message, "50 iterations");
    assert_contains(error->message, events[error->event].condition);
    hybrid_end(&hybrid);
}

static void now_again(SaltusEvent *event)
{
    saltus_schedule(event, 4, event->t);
}

static void test_endless_time_events(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, observe, now_again);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.time_action = now_again;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_EVENT_ITERATION, "mode ticking");
    assert_contains(saltus_run_error(hybrid.run)->message, "t = 2");
    assert_contains(saltus_run_error(hybrid.run)->message, "1000 iterations");
    assert_contains(saltus_run_error(hybrid.run)->message, "time event 4");
    hybrid_end(&hybrid);
}

static unsigned never_satisfied(SaltusEvent *event)
{
    return event->occasion & SALTUS_AT_START ? SALTUS_NOTHING_CHANGED : SALTUS_AGAIN;
}

static void test_endless_updates(void **state)
{
    (void)state;
    SaltusEventDef events[2];
    SaltusModeDef mode = clock_mode(events, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.event_update = never_satisfied;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    hybrid_assert_ends(hybrid.run, 3.0, SALTUS_ERROR_EVENT_ITERATION, "event first");
    assert_contains(saltus_run_error(hybrid.run)->message, "update asks for more");
    hybrid_end(&hybrid);
}

// Two modes that are left as soon as they are entered.
static void switch_to_0(SaltusEvent *event)
{
    saltus_switch_mode(event, 0);
}

static void test_endless_cascade(void **state)
{
    (void)state;
    SaltusEventDef events[2], back[2];
    SaltusModeDef modes[2];
    modes[0] = clock_mode(events, switch_to_1, NULL);
    modes[1] = clock_mode(back, switch_to_0, NULL);
    modes[1].name = "tocking";
    events[0].direction = back[0].direction = SALTUS_RISING;
    events[0].at_entry = back[0].at_entry = true;
    back[0].condition = "x > 1 in the other mode";
    SaltusSystemDef def = hybrid_system(2, modes);
    def.parameter_count = 0;
    modes[0].start = (double[]){2.5};
    hybrid_assert_refused(&def, SALTUS_ERROR_EVENT_ITERATION, "x > 1");
    hybrid_assert_refused(&def, SALTUS_ERROR_EVENT_ITERATION, "1000 iterations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_interval),
        cmocka_unit_test(test_stop_times),
        cmocka_unit_test(test_step_limit),
        cmocka_unit_test(test_event_limit),
        cmocka_unit_test(test_event_limit_counts_time_events),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_row_callback),
        cmocka_unit_test(test_action_stops),
        cmocka_unit_test(test_start_stops),
        cmocka_unit_test(test_action_fails),
        cmocka_unit_test(test_action_mistakes),
        cmocka_unit_test(test_unknown_mode),
        cmocka_unit_test(test_provider),
        cmocka_unit_test(test_no_initial_mode),
        cmocka_unit_test(test_undetermined),
        cmocka_unit_test(test_endless_jumps),
        cmocka_unit_test(test_endless_time_events),
        cmocka_unit_test(test_endless_updates),
        cmocka_unit_test(test_endless_cascade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
