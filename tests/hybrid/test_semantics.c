// SPDX-License-Identifier: MIT
//
// What users of other tools complain about in event handling, each as a test: roots accepted
// on the wrong side, lost, doubled or found again; arming of conditions that are zero;
// events at the ends of steps and of the run; accumulation; events that change nothing.

#include "support/hybrid.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------

// x' = 1: time as a state, so that h(x) is any function of time.
static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int fall_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -9.81;
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

static const SaltusLocate all_locators[] = {SALTUS_LOCATE_BRENT,     SALTUS_LOCATE_BISECTION,
                                            SALTUS_LOCATE_SECANT,    SALTUS_LOCATE_TANGENT,
                                            SALTUS_LOCATE_QUADRATIC, SALTUS_LOCATE_HENON};
enum { LOCATORS = sizeof all_locators / sizeof all_locators[0] };

static void bounce(SaltusEvent *event)
{
    event->x[1] *= -0.9;
}

// ---------------------------------------------------------------------------
// 1. After the event the relation has really flipped
// ---------------------------------------------------------------------------

static int level(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = sin(3.0 * x[0]) - 0.3;
    return 0;
}

static void check_flipped(SaltusEvent *event)
{
    double h = 0.0;
    assert_int_equal(saltus_event_value(event, 0, &h), SALTUS_OK);
    assert_int_equal(event->fired_count, 1);
    assert_true(h * event->fired[0].direction >= 0.0);
    assert_int_equal(event->sign[0], event->fired[0].direction);
}

static void test_flipped(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "level", .direction = SALTUS_BOTH, .action = check_flipped};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, level);
    for (int k = 0; k < LOCATORS; k++) {
        if (all_locators[k] == SALTUS_LOCATE_HENON)
            continue; // lands on h = 0 from either side
        SaltusOptions options = saltus_default_options();
        options.method.locate = all_locators[k];
        options.method.max_step = 1.0; // a clock says nothing about how fast its functions are
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 10.0), SALTUS_OK);
        // sin(3 t) = 0.3 twice in each period 2 pi / 3 of the 4.77 that fit into 10
        assert_int_equal(saltus_run_event_count(hybrid.run), 10);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// 2. Close, simultaneous and duplicate crossings in one step
// ---------------------------------------------------------------------------

static int crowd(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.5;
    h[1] = x[0] - 0.5;         // the same
    h[2] = 2.0 * (x[0] - 0.5); // at the same time
    h[3] = x[0] - 0.5 - 1e-9;  // just after
    h[4] = 0.5 - 1e-9 - x[0];  // just before, falling
    return 0;
}

static void test_simultaneous(void **state)
{
    (void)state;
    SaltusEventDef events[5] = {
        {.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "late"}, {.name = "early"}};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 5, events, crowd);
    for (int k = 0; k < LOCATORS; k++) {
        SaltusOptions options = saltus_default_options();
        options.method.locate = all_locators[k];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 3);
        SaltusLogEntry early = saltus_run_event(hybrid.run, 0);
        SaltusLogEntry middle = saltus_run_event(hybrid.run, 1);
        SaltusLogEntry late = saltus_run_event(hybrid.run, 2);
        assert_int_equal(early.fired_count, 1);
        assert_int_equal(early.fired[0].event, 4);
        assert_int_equal(early.fired[0].direction, -1);
        assert_int_equal(middle.fired_count, 3); // together
        assert_int_equal(late.fired[0].event, 3);
        // The clock is exact, so only the resolution of time and rounding remain.
        assert_close(early.t, 0.5 - 1e-9, 1e-15);
        assert_close(middle.t, 0.5, 1e-15);
        assert_close(late.t, 0.5 + 1e-9, 1e-15);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// 3. and 4. Conditions that are zero on entering; roots just handled
// ---------------------------------------------------------------------------

// h = power(t) - small, zero at t = 0 to the given order, then again at the given time.
typedef struct Bump {
    int order;   // of the zero at 0
    double back; // h crosses zero there
} Bump;

static int bump(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    const Bump *b = c->user;
    h[0] = pow(x[0], b->order) * (b->back - x[0]);
    return 0;
}

static void test_armed_by_the_flow(void **state)
{
    (void)state;
    const Bump bumps[] = {{1, 0.7}, {2, 0.7}, {3, 0.7}, {1, 1e-3}, {2, 1e-3}, {3, 1e-2}};
    SaltusEventDef event = {.name = "back", .direction = SALTUS_FALLING};
    for (size_t i = 0; i < sizeof bumps / sizeof bumps[0]; i++) {
        Bump b = bumps[i];
        SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, bump);
        SaltusSystemDef def = hybrid_system(1, &mode);
        def.user = &b;
        Hybrid hybrid = hybrid_begin(&def, NULL);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        assert_close(saltus_run_event(hybrid.run, 0).t, b.back, 1e-14);
        hybrid_end(&hybrid);
    }
}

// The ball lands a little below the floor; its next fall must be seen, and the same contact
// must not be found again, whichever way events are located.
static void test_handled_once(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "bounce", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef mode =
        hybrid_mode("flight", 2, (double[]){10.0, 0.0}, fall_rhs, 1, &event, height);
    for (int k = 0; k < LOCATORS; k++) {
        SaltusOptions options = saltus_default_options();
        options.method.locate = all_locators[k];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 20.0), SALTUS_OK);
        double times[64];
        int count = hybrid_times(hybrid.run, 0, times, 64);
        // t_m = sqrt(2 x0 / g) (2 (1 - mu^m) / (1 - mu) - 1)
        double fall = sqrt(20.0 / 9.81);
        int expected = 0;
        while (fall * (20.0 * (1.0 - pow(0.9, expected + 1)) - 1.0) < 20.0)
            expected++;
        assert_int_equal(count, expected);
        for (int m = 1; m <= count; m++)
            assert_close(times[m - 1], fall * (20.0 * (1.0 - pow(0.9, m)) - 1.0), 1e-12);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// 5. Three roots in one step
// ---------------------------------------------------------------------------

static int cubic(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    const double *roots = c->user;
    h[0] = (x[0] - roots[0]) * (x[0] - roots[1]) * (x[0] - roots[2]);
    return 0;
}

static void test_three_roots_in_a_step(void **state)
{
    (void)state;
    double sets[][3] = {{0.2, 0.5, 0.8}, {0.41, 0.45, 0.49}, {0.5, 0.501, 0.502}, {0.1, 0.11, 0.9}};
    SaltusEventDef event = {.name = "root"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, cubic);
        SaltusSystemDef def = hybrid_system(1, &mode);
        def.user = sets[i];
        SaltusOptions options = saltus_default_options();
        options.method.step = 1.0; // one step for everything
        Hybrid hybrid = hybrid_begin(&def, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 3);
        for (int k = 0; k < 3; k++) // h is a product of differences: its noise is about 1e-16
            assert_close(saltus_run_event(hybrid.run, k).t, sets[i][k], 1e-14);
        assert_int_equal(saltus_run_statistics(hybrid.run).steps, 1);
        hybrid_end(&hybrid);
    }
}

// A window that is open for a hundredth of the step only is two events.
static int window(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = (x[0] - 0.333) * (x[0] - 0.343);
    return 0;
}

static void test_two_roots_between_samples(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "window"};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, window);
    SaltusOptions options = saltus_default_options();
    options.method.step = 1.0;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    assert_close(saltus_run_event(hybrid.run, 0).t, 0.333, 1e-13);
    assert_close(saltus_run_event(hybrid.run, 1).t, 0.343, 1e-13);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// 6. Events at the ends of steps and of the run
// ---------------------------------------------------------------------------

static int at_quarter(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.25;
    return 0;
}

static void test_event_at_the_end_of_a_step(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "quarter"};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, at_quarter);
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_EULER;
    options.method.step = 0.125; // binary: the second step ends exactly there
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_true(saltus_run_event(hybrid.run, 0).t == 0.25);
    hybrid_end(&hybrid);
}

static void test_event_at_the_stop_time(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "quarter"};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, at_quarter);
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.25), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1); // not lost
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1); // not doubled
    hybrid_end(&hybrid);
}

static void test_event_at_the_start(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "quarter", .direction = SALTUS_RISING};
    // Zero at the start and rising: armed above, no crossing.
    SaltusModeDef mode =
        hybrid_mode("clock", 1, (double[]){0.25}, clock_rhs, 1, &event, at_quarter);
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 0);
    hybrid_end(&hybrid);
    // Beyond zero at the start: fires only if it is meant to.
    mode.start = (double[]){0.5};
    hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_event_count(hybrid.run), 0);
    hybrid_end(&hybrid);
    event.at_entry = true;
    hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_true(saltus_run_event(hybrid.run, 0).t == 0.0);
    hybrid_end(&hybrid);
}

// A crossing at the very time of a time event is one event, not two.
static void count_time(SaltusEvent *event)
{
    assert_int_equal(event->time_count, 1);
    assert_int_equal(event->time_ids[0], 7);
}

static void schedule_quarter(SaltusEvent *event)
{
    saltus_schedule(event, 7, 0.25);
}

static void test_event_at_a_time_event(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "quarter"};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, at_quarter);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.start = schedule_quarter;
    def.time_action = count_time;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.fired_count, 1);
    assert_int_equal(entry.time_count, 1);
    assert_true(entry.t == 0.25);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// 7. Zero over an interval
// ---------------------------------------------------------------------------

static int plateau(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] < 1.0 ? 1.0 - x[0] : x[0] > 2.0 ? 2.0 - x[0] : 0.0; // + 0 -
    h[1] = x[0] < 1.0 ? 1.0 - x[0] : x[0] > 2.0 ? x[0] - 2.0 : 0.0; // + 0 +
    h[2] = 0.0;                                                     // always
    return 0;
}

static void test_zero_over_an_interval(void **state)
{
    (void)state;
    SaltusEventDef events[3] = {{.name = "through"}, {.name = "touch"}, {.name = "never"}};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 3, events, plateau);
    SaltusOptions options = saltus_default_options();
    options.method.max_step = 0.3;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    double times[8];
    assert_int_equal(hybrid_times(hybrid.run, 0, times, 8), 1); // when it reaches zero
    assert_close(times[0], 1.0, 1e-14);
    assert_int_equal(hybrid_times(hybrid.run, 1, times, 8), 1);
    assert_int_equal(hybrid_times(hybrid.run, 2, times, 8), 0);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// 8. Accumulation and chattering
// ---------------------------------------------------------------------------

static void test_zeno(void **state)
{
    (void)state;
    SaltusEventDef event = {
        .name = "bounce", .condition = "x <= 0", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef mode =
        hybrid_mode("flight", 2, (double[]){10.0, 0.0}, fall_rhs, 1, &event, height);
    double limit = 19.0 * sqrt(2000.0 / 981.0);
    for (int zeno = SALTUS_ZENO_STOP; zeno <= SALTUS_ZENO_ERROR; zeno++) {
        SaltusOptions options = saltus_default_options();
        options.zeno = (SaltusZeno)zeno;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        SaltusStatus status = saltus_run_advance(hybrid.run, 30.0);
        assert_int_equal(status, zeno == SALTUS_ZENO_STOP ? SALTUS_ZENO : SALTUS_ERROR_ZENO);
        assert_true(saltus_run_event_count(hybrid.run) > 100);
        assert_close(saltus_run_time(hybrid.run), limit, 1e-10);
        const SaltusError *error = saltus_run_error(hybrid.run);
        assert_contains(error->message, "x <= 0");
        assert_contains(error->message, "27.12901933");
        assert_int_equal(error->event, 0);
        hybrid_end(&hybrid);
    }
}

// x' = -sign(x), switched by a parameter: a sliding mode.
static int relay_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = -c->p[0];
    return 0;
}

static void relay(SaltusEvent *event)
{
    event->p[0] = event->fired[0].direction;
}

static void test_chattering(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "relay", .condition = "x > 0", .action = relay};
    SaltusModeDef mode = hybrid_mode("slide", 1, (double[]){1.0}, relay_rhs, 1, &event, height);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.parameter_count = 1;
    def.parameters = (double[]){1.0};
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_ZENO);
    assert_close(saltus_run_time(hybrid.run), 1.0, 1e-9);
    assert_contains(saltus_run_error(hybrid.run)->message, "x > 0");
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// 9. An action that changes nothing does not change the trajectory
// ---------------------------------------------------------------------------

static int orbit_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -x[0] - 0.1 * x[0] * x[0] * x[0];
    return 0;
}

static void observe(SaltusEvent *event)
{
    saltus_record(event, "x", event->x[0]);
}

static void test_observation_changes_nothing(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RK4};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        options.method.step = 0.1;
        SaltusEventDef event = {.name = "cross", .action = observe};
        SaltusModeDef with =
            hybrid_mode("orbit", 2, (double[]){1.0, 0.5}, orbit_rhs, 1, &event, height);
        SaltusModeDef without =
            hybrid_mode("orbit", 2, (double[]){1.0, 0.5}, orbit_rhs, 0, NULL, NULL);
        Hybrid a = hybrid_begin_mode(&with, &options), b = hybrid_begin_mode(&without, &options);
        assert_int_equal(saltus_run_advance(a.run, 50.0), SALTUS_OK);
        assert_int_equal(saltus_run_advance(b.run, 50.0), SALTUS_OK);
        assert_true(saltus_run_event_count(a.run) > 10);
        assert_int_equal(saltus_run_statistics(a.run).restarts, 1);
        assert_memory_equal(saltus_run_states(a.run), saltus_run_states(b.run), 2 * sizeof(double));
        assert_int_equal(saltus_run_event(a.run, 0).classes, SALTUS_SE_O);
        hybrid_end(&a);
        hybrid_end(&b);
    }
}

// ---------------------------------------------------------------------------
// 11. The log says which condition fired, when, and what it changed
// ---------------------------------------------------------------------------

static void test_log(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "bounce", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef mode =
        hybrid_mode("flight", 2, (double[]){10.0, 0.0}, fall_rhs, 1, &event, height);
    mode.state_names = (const char *[]){"x", "v"};
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.classes, SALTUS_SE_X);
    assert_int_equal(entry.from, 0);
    assert_int_equal(entry.to, 0);
    assert_int_equal(entry.change_count, 1);
    assert_string_equal(entry.changes[0].name, "v");
    double speed = sqrt(2.0 * 9.81 * 10.0);
    assert_close(entry.changes[0].before, -speed, 1e-13);
    assert_close(entry.changes[0].after, 0.9 * speed, 1e-13);
    // Two rows at the event, before and after.
    int rows = 0;
    for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
        SaltusRow row = saltus_run_row(hybrid.run, i);
        if (row.t == entry.t) {
            assert_true(row.x[1] == (rows == 0 ? entry.changes[0].before : entry.changes[0].after));
            rows++;
        }
    }
    assert_int_equal(rows, 2);
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_armed_by_the_flow),
        cmocka_unit_test(test_handled_once),
        cmocka_unit_test(test_three_roots_in_a_step),
        cmocka_unit_test(test_two_roots_between_samples),
        cmocka_unit_test(test_event_at_the_end_of_a_step),
        cmocka_unit_test(test_event_at_the_stop_time),
        cmocka_unit_test(test_event_at_the_start),
        cmocka_unit_test(test_event_at_a_time_event),
        cmocka_unit_test(test_zero_over_an_interval),
        cmocka_unit_test(test_zeno),
        cmocka_unit_test(test_chattering),
        cmocka_unit_test(test_observation_changes_nothing),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
