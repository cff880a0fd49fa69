// SPDX-License-Identifier: MIT
//
// Time events: scheduled, moved, cancelled, several at one time, periodic sampling, at the start
// and at the stop time; and rows on the grid of output intervals.

#include "support/hybrid.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int decay_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = -x[0];
    return 0;
}

static const double zero[] = {0.0}, one[] = {1.0};

static SaltusSystemDef clock_system(SaltusModeDef *mode, SaltusAction start, SaltusAction action)
{
    *mode = hybrid_mode("clock", 1, zero, clock_rhs, 0, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, mode);
    def.start = start;
    def.time_action = action;
    return def;
}

// What happened: ids and times.
typedef struct Happened {
    int ids[4096];
    double times[4096];
    int count;
} Happened;

// A run of the clock, whose time events are noted.
static Hybrid begin_noting(SaltusAction start, SaltusAction action, Happened *happened)
{
    SaltusModeDef mode;
    SaltusSystemDef def = clock_system(&mode, start, action);
    def.user = happened;
    return hybrid_begin(&def, NULL);
}

static void note(SaltusEvent *event)
{
    Happened *happened = event->user;
    assert_int_equal(event->time_count, 1);
    assert_true(event->occasion & SALTUS_AT_TIME);
    assert_int_equal(event->event, -1);
    assert_close(event->x[0], event->t, 1e-12);
    happened->ids[happened->count] = event->time_ids[0];
    happened->times[happened->count++] = event->t;
}

// ---------------------------------------------------------------------------
// Schedule, move, cancel
// ---------------------------------------------------------------------------

static void plan(SaltusEvent *event)
{
    saltus_schedule(event, 3, 0.5);
    saltus_schedule(event, 1, 0.25);
    saltus_schedule(event, 2, 0.5); // at the same time, after 3
    saltus_schedule(event, 4, 0.75);
    saltus_schedule(event, 5, 0.1);
    saltus_schedule(event, 5, 0.6); // moved
    saltus_schedule(event, 6, 0.3);
    saltus_cancel(event, 6);
    saltus_cancel(event, 99); // was never there
    saltus_schedule(event, 7, INFINITY);
    saltus_schedule(event, 8, -3.0); // not before now
    saltus_schedule(event, 9, 2.0);  // beyond the end
}

static void replan(SaltusEvent *event)
{
    note(event);
    if (event->time_ids[0] == 1) {
        saltus_schedule(event, 4, 0.375); // earlier
        saltus_schedule(event, 10, 0.3);
    }
    if (event->time_ids[0] == 10)
        saltus_cancel(event, 2);
}

static void test_schedule(void **state)
{
    (void)state;
    Happened happened = {.count = 0};
    Hybrid hybrid = begin_noting(plan, replan, &happened);
    assert_int_equal(happened.count, 1); // the one that was due at once
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    const int ids[] = {8, 1, 10, 4, 3, 5};
    const double times[] = {0.0, 0.25, 0.3, 0.375, 0.5, 0.6};
    assert_int_equal(happened.count, 6);
    assert_int_equal(saltus_run_event_count(hybrid.run), 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(happened.ids[i], ids[i]);
        assert_true(happened.times[i] == times[i]); // to the bit
        SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
        assert_true(entry.t == times[i]);
        assert_int_equal(entry.time_count, 1);
        assert_int_equal(entry.time_ids[0], ids[i]);
        assert_int_equal(entry.fired_count, 0);
        assert_true(entry.bracket == 0.0);
        assert_true(entry.occasion & SALTUS_AT_TIME);
    }
    assert_int_equal(saltus_run_statistics(hybrid.run).time_events, 6);
    assert_int_equal(saltus_run_statistics(hybrid.run).events, 0);
    hybrid_end(&hybrid);
}

// Several at one time are one event; each has its own call of the action.
static void plan_crowd(SaltusEvent *event)
{
    for (int id = 0; id < 20; id++)
        saltus_schedule(event, id, 0.5);
}

static void test_several_at_one_time(void **state)
{
    (void)state;
    Happened happened = {.count = 0};
    Hybrid hybrid = begin_noting(plan_crowd, note, &happened);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.time_count, 20);
    assert_int_equal(happened.count, 20);
    for (int id = 0; id < 20; id++) {
        assert_int_equal(entry.time_ids[id], id);
        assert_int_equal(happened.ids[id], id);
        assert_true(happened.times[id] == 0.5);
    }
    hybrid_end(&hybrid);
}

// A chain at one instant ends: each schedules the next for now.
static void chain(SaltusEvent *event)
{
    note(event);
    if (event->time_ids[0] < 5)
        saltus_schedule(event, event->time_ids[0] + 1, event->t);
}

static void plan_first(SaltusEvent *event)
{
    saltus_schedule(event, 0, 0.5);
}

static void test_chain_at_one_instant(void **state)
{
    (void)state;
    Happened happened = {.count = 0};
    Hybrid hybrid = begin_noting(plan_first, chain, &happened);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.iterations, 6);
    assert_int_equal(entry.time_count, 6);
    hybrid_end(&hybrid);
}

// At the stop time: happens in the advance that ends there, once.
static void test_at_the_stop_time(void **state)
{
    (void)state;
    Happened happened = {.count = 0};
    Hybrid hybrid = begin_noting(plan_first, note, &happened);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.5), SALTUS_OK);
    assert_int_equal(happened.count, 1);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.5), SALTUS_OK);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(happened.count, 1);
    hybrid_end(&hybrid);
}

// Scheduled from outside, between two calls.
static void test_by_request(void **state)
{
    (void)state;
    Happened happened = {.count = 0};
    Hybrid hybrid = begin_noting(NULL, note, &happened);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.25), SALTUS_OK);
    assert_int_equal(saltus_run_apply(hybrid.run, plan_first), SALTUS_OK);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(happened.count, 1);
    assert_true(happened.times[0] == 0.5);
    hybrid_end(&hybrid);
}

static void plan_one(SaltusEvent *event)
{
    saltus_schedule(event, 7, 1.0);
}

static int reaches_one(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    return 0;
}

// A crossing and a time event at one time are one entry of the log, which says both.
static void test_with_a_crossing(void **state)
{
    (void)state;
    SaltusModeDef mode;
    SaltusSystemDef def = clock_system(&mode, plan_one, NULL);
    SaltusEventDef crossing = {.name = "one"};
    mode = hybrid_mode("clock", 1, zero, clock_rhs, 1, &crossing, reaches_one);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.occasion, SALTUS_AT_CROSSING | SALTUS_AT_TIME);
    assert_int_equal(entry.fired_count, 1);
    assert_int_equal(entry.time_count, 1);
    assert_int_equal(entry.time_ids[0], 7);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Periodic sampling
// ---------------------------------------------------------------------------

// x' = -u with u = x sampled every 1/64 or every 1/100: x_k+1 = (1 - T) x_k.
typedef struct Sampler {
    double period;
    int k;
} Sampler;

static int driven_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)t, (void)x, (void)z;
    dx[0] = -c->u[0];
    return 0;
}

static void sample(SaltusEvent *event)
{
    Sampler *sampler = event->user;
    assert_true(event->t == sampler->k * sampler->period);
    event->u[0] = event->x[0];
    sampler->k++;
    saltus_schedule(event, 0, sampler->k * sampler->period);
}

static void test_sampling(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_EULER,  SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5,
                                    SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
                                    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    const double periods[] = {0.015625, 0.01, 1.0 / 3.0};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++) {
            Sampler sampler = {.period = periods[p]};
            SaltusModeDef mode = hybrid_mode("driven", 1, one, driven_rhs, 0, NULL, NULL);
            SaltusSystemDef def = hybrid_system(1, &mode);
            def.input_count = 1;
            def.inputs = zero;
            def.start = sample;
            def.time_action = sample;
            def.user = &sampler;
            SaltusOptions options = saltus_default_options();
            options.method.solver = solvers[s];
            options.method.step = solvers[s] <= SALTUS_SOLVER_RK4 ? 0.004 : 0.0;
            options.record = SALTUS_RECORD_NOTHING;
            Hybrid hybrid = hybrid_begin(&def, &options);
            assert_int_equal(saltus_run_advance(hybrid.run, 1000 * sampler.period), SALTUS_OK);
            assert_int_equal(sampler.k, 1001);
            assert_int_equal(saltus_run_event_count(hybrid.run), 1000);
            // Linear between samples, so every method is exact; rounding of a few units in each
            // of the thousand samples remains.
            double expected = pow(1.0 - periods[p], 1000);
            assert_close(saltus_run_states(hybrid.run)[0] / expected, 1.0,
                         1000.0 * 100.0 * DBL_EPSILON);
            hybrid_end(&hybrid);
        }
    }
}

// A time event and an event function that crosses at the same time, and close to it.
static int near_half(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    const double *offset = c->user;
    h[0] = x[0] - 0.5 - *offset;
    return 0;
}

static int crossings;

static void count_crossing(SaltusEvent *event)
{
    (void)event;
    crossings++;
}

static void ignore(SaltusEvent *event)
{
    (void)event;
}

static void test_next_to_a_crossing(void **state)
{
    (void)state;
    const double offsets[] = {0.0, DBL_EPSILON, -DBL_EPSILON, 1e-14, -1e-14, 1e-9, -1e-9};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        double offset = offsets[i];
        SaltusModeDef mode;
        SaltusEventDef event = {.name = "half", .action = count_crossing};
        SaltusSystemDef def = clock_system(&mode, plan_first, ignore);
        mode.event_count = 1;
        mode.events = &event;
        mode.event_functions = near_half;
        def.user = &offset;
        crossings = 0;
        Hybrid hybrid = hybrid_begin(&def, NULL);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(crossings, 1);
        assert_int_equal(saltus_run_statistics(hybrid.run).time_events, 1);
        long count = saltus_run_event_count(hybrid.run);
        assert_true(count == 1 || count == 2);
        for (long k = 0; k < count; k++) {
            SaltusLogEntry entry = saltus_run_event(hybrid.run, k);
            double expected = entry.time_count > 0 ? 0.5 : 0.5 + offset;
            assert_close(entry.t, expected, 4.0 * DBL_EPSILON);
        }
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Rows on the grid
// ---------------------------------------------------------------------------

static void test_intervals(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                    SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,  SALTUS_SOLVER_IDA};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        SaltusModeDef mode = hybrid_mode("decay", 1, one, decay_rhs, 0, NULL, NULL);
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        options.method.step = solvers[s] == SALTUS_SOLVER_RK4 ? 0.07 : 0.0;
        options.record = SALTUS_RECORD_INTERVALS;
        options.output_interval = 0.1;
        options.start_time = 2.0;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        // In pieces that do not fit the grid, and one that ends on it.
        const double stops[] = {2.05, 2.1, 2.100001, 3.33, 12.0};
        for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
            assert_int_equal(saltus_run_advance(hybrid.run, stops[i]), SALTUS_OK);
        int k = 0;
        for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
            SaltusRow row = saltus_run_row(hybrid.run, i);
            assert_int_not_equal(row.kind, SALTUS_ROW_STEP);
            assert_close(row.x[0], exp(2.0 - row.t), 1e-5); // tolerance 1e-6 per step
            if (row.kind == SALTUS_ROW_INTERVAL) {
                k++;
                assert_true(row.t == 2.0 + 0.1 * k); // to the bit: a multiple, not a sum
            }
        }
        assert_int_equal(k, 100);
        hybrid_end(&hybrid);
    }
}

// Two rows at a time event, not three: the step that ends there is the row before.
static void double_it(SaltusEvent *event)
{
    event->x[0] *= 2.0;
}

static void test_rows_at_a_time_event(void **state)
{
    (void)state;
    const unsigned records[] = {SALTUS_RECORD_STEPS, SALTUS_RECORD_EVENTS};
    for (int r = 0; r < 2; r++) {
        SaltusModeDef mode;
        SaltusSystemDef def = clock_system(&mode, plan_first, double_it);
        SaltusOptions options = saltus_default_options();
        options.record = records[r];
        Hybrid hybrid = hybrid_begin(&def, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        int rows = 0;
        for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
            SaltusRow row = saltus_run_row(hybrid.run, i);
            if (row.t != 0.5)
                continue;
            assert_int_equal(row.kind,
                             rows == 0 ? SALTUS_ROW_BEFORE_EVENT : SALTUS_ROW_AFTER_EVENT);
            assert_close(row.x[0], rows == 0 ? 0.5 : 1.0, 1e-15);
            rows++;
        }
        assert_int_equal(rows, 2);
        hybrid_end(&hybrid);
    }
}

static void test_recording_nothing(void **state)
{
    (void)state;
    SaltusModeDef mode;
    SaltusSystemDef def = clock_system(&mode, plan_first, double_it);
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_row_count(hybrid.run), 0);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_close(saltus_run_states(hybrid.run)[0], 1.5, 1e-15);
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_several_at_one_time),
        cmocka_unit_test(test_chain_at_one_instant),
        cmocka_unit_test(test_at_the_stop_time),
        cmocka_unit_test(test_by_request),
        cmocka_unit_test(test_with_a_crossing),
        cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_next_to_a_crossing),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_rows_at_a_time_event),
        cmocka_unit_test(test_recording_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
