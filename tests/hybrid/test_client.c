// SPDX-License-Identifier: MIT
//
// What a client with an event_update and joint evaluations of its own relies on, a compiler of
// models above all: guesses that are used, signs that are not rounding, a change of the
// selection of states that nobody notices, values in the log over a change of structure.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// The circle x^2 + y^2 = 1, x' = -y, y' = x, with one of the two as state
// ---------------------------------------------------------------------------

enum { STATE_X, STATE_Y };
static const char *const x_name[] = {"x"}, *const y_name[] = {"y"};
static const SaltusEventDef axis[] = {{.name = "axis", .condition = "x > 0"}};

typedef struct Notes {
    int updates, armings;
} Notes;

// Newton's method from the guess: which half of the circle is in the guess alone.
static int circle(const SaltusContext *c, double t, const double *x, const double *z_guess,
                  const SaltusValues *out)
{
    (void)t;
    double z = z_guess[0];
    for (int i = 0; i < 30; i++) {
        double step = (x[0] * x[0] + z * z - 1.0) / (2.0 * z);
        z -= step;
        if (fabs(step) < 1e-12)
            break;
    }
    if (!isfinite(z))
        return 1;
    bool by_x = *(const int *)c->data == STATE_X;
    if (out->z)
        out->z[0] = z;
    if (out->dx)
        out->dx[0] = by_x ? -z : z;
    if (out->h)
        out->h[0] = by_x ? x[0] : z;
    return 0;
}

static SaltusModeDef circle_mode(const int *which, const double *start)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = *which == STATE_X ? "by x" : "by y";
    mode.data = which;
    mode.state_count = 1;
    mode.algebraic_count = 1;
    mode.state_names = *which == STATE_X ? x_name : y_name;
    mode.algebraic_names = *which == STATE_X ? y_name : x_name;
    mode.start = start;
    mode.evaluate = circle;
    mode.event_count = 1;
    mode.events = axis;
    return mode;
}

static void reselect(SaltusEvent *event)
{
    if (fabs(event->z[0]) < 0.5 * fabs(event->x[0]))
        assert_int_equal(saltus_switch_mode(event, event->mode == STATE_X ? STATE_Y : STATE_X),
                         SALTUS_OK);
}

static unsigned note_update(SaltusEvent *event)
{
    Notes *notes = event->user;
    notes->updates++;
    notes->armings += (event->occasion & SALTUS_AT_ARMING) != 0;
    return SALTUS_NOTHING_CHANGED;
}

static SaltusSystemDef circle_system(SaltusModeDef modes[2], Notes *notes)
{
    static const int which[] = {STATE_X, STATE_Y};
    static const double start[] = {0.6, -0.8};
    modes[STATE_X] = circle_mode(&which[STATE_X], start);
    modes[STATE_Y] = circle_mode(&which[STATE_Y], start);
    SaltusSystemDef def = hybrid_system(2, modes);
    def.user = notes;
    return def;
}

static void other_half(SaltusEvent *event)
{
    event->z[0] = 0.8;
}

static void test_guesses_of_a_joint_evaluation(void **state)
{
    (void)state;
    SaltusModeDef modes[2];
    SaltusSystemDef def = circle_system(modes, NULL);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_close(saltus_run_algebraics(hybrid.run)[0], -0.8, 1e-15);
    assert_int_equal(saltus_run_apply(hybrid.run, other_half), SALTUS_OK);
    assert_close(saltus_run_algebraics(hybrid.run)[0], 0.8, 1e-15);
    hybrid_end(&hybrid);
}

// x = cos(t + a) with cos a = 0.6, sin a = -0.8 crosses zero at t = (k + 1/2) pi - a.
static void test_reselection(void **state)
{
    (void)state;
    Notes notes = {0};
    SaltusModeDef modes[2];
    SaltusSystemDef def = circle_system(modes, &notes);
    def.accepted = reselect;
    def.event_update = note_update;
    SaltusOptions options = saltus_default_options();
    options.method.relative_tolerance = 1e-9;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 20.0), SALTUS_OK);
    SaltusStatistics statistics = saltus_run_statistics(hybrid.run);
    assert_true(statistics.reselections >= 12); // four in each turn
    assert_int_equal(saltus_run_event_count(hybrid.run), 6);
    for (int k = 0; k < 6; k++) // the error of 20 s at 1e-9 per unit step
        assert_close(saltus_run_event(hybrid.run, k).t, (k + 0.5) * M_PI + asin(0.8), 1e-7);
    // No update is called for a reselection: one at the start, one per event.
    assert_int_equal(notes.updates, 7);
    assert_int_equal(notes.armings, 0);
    // The step size is kept: where the state changes, the next step is of the size of the last.
    double last = 0.0;
    for (long i = 2; i < saltus_run_row_count(hybrid.run); i++) {
        SaltusRow a = saltus_run_row(hybrid.run, i - 1), b = saltus_run_row(hybrid.run, i);
        bool steps = a.kind == SALTUS_ROW_STEP && b.kind == SALTUS_ROW_STEP && b.t < 20.0;
        if (steps && a.mode != b.mode && last > 0.0)
            assert_true(b.t - a.t > 0.3 * last);
        last = steps ? b.t - a.t : 0.0;
    }
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// A crossing that is just about to happen when the states are selected anew
// ---------------------------------------------------------------------------

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

// Still positive by rounding alone when x = 1/2.
static int nearly_half(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = nextafter(0.5, 1.0) - x[0];
    return 0;
}

static void switch_at_half(SaltusEvent *event)
{
    if (event->x[0] == 0.5 && event->mode == 0)
        assert_int_equal(saltus_switch_mode(event, 1), SALTUS_OK);
}

static void test_crossing_right_after_a_reselection(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "half", .direction = SALTUS_FALLING};
    const double start[] = {0.0};
    SaltusModeDef modes[2];
    for (int i = 0; i < 2; i++)
        modes[i] = hybrid_mode(i ? "second" : "first", 1, start, clock_rhs, 1, &event, nearly_half);
    SaltusSystemDef def = hybrid_system(2, modes);
    def.accepted = switch_at_half;
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_EULER;
    options.method.step = 0.125; // hits 1/2 exactly
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_statistics(hybrid.run).reselections, 1);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_int_equal(saltus_run_event(hybrid.run, 0).from, 1);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// The entry of a mode
// ---------------------------------------------------------------------------

// Three event functions: one far from zero, one that is zero up to rounding and will rise, one
// beyond zero, which fires at entry.
static int at_entry_functions(const SaltusContext *c, double t, const double *x, const double *z,
                              double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = -1.0 - x[0];
    h[1] = x[0] - nextafter(0.25, 1.0);
    h[2] = x[0];
    return 0;
}

static int at_quarter(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.25;
    return 0;
}

typedef struct Entry {
    int calls;
    signed char sign[3];  // of the zero function, per call
    SaltusFired fired[3]; // what fired first, per call
    unsigned occasions[3];
} Entry;

static unsigned enter_second(SaltusEvent *event)
{
    Entry *entry = event->user;
    if (event->occasion & SALTUS_AT_START)
        return SALTUS_NOTHING_CHANGED;
    assert_in_range(entry->calls, 0, 2);
    assert_int_equal(event->fired_count, 1);
    if (event->mode == 0)
        assert_int_equal(saltus_switch_mode(event, 1), SALTUS_OK);
    else
        entry->sign[entry->calls] = event->sign[1];
    entry->fired[entry->calls] = event->fired[0];
    entry->occasions[entry->calls++] = event->occasion;
    return SALTUS_NOTHING_CHANGED;
}

static void test_entry(void **state)
{
    (void)state;
    Entry entry = {0};
    SaltusEventDef one = {.name = "quarter"};
    SaltusEventDef three[] = {{.name = "far"},
                              {.name = "zero"},
                              {.name = "beyond", .direction = SALTUS_RISING, .at_entry = true}};
    SaltusModeDef modes[2] = {
        hybrid_mode("first", 1, (double[]){0.0}, clock_rhs, 1, &one, at_quarter),
        hybrid_mode("second", 1, NULL, clock_rhs, 3, three, at_entry_functions)};
    SaltusSystemDef def = hybrid_system(2, modes);
    def.user = &entry;
    def.event_update = enter_second;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(entry.calls, 3);
    // The second call is for the function beyond zero, though the mode left has only one.
    assert_true(entry.occasions[1] & SALTUS_AT_ENTRY);
    assert_int_equal(entry.fired[1].event, 2);
    assert_int_equal(entry.sign[1], 0); // -1 would be rounding
    // The third is for the one that was zero, and takes the sign of the flow.
    assert_int_equal(entry.occasions[2], SALTUS_AT_ARMING);
    assert_int_equal(entry.fired[2].event, 1);
    assert_int_equal(entry.fired[2].direction, 1);
    // The log says what began it all.
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_int_equal(saltus_run_event(hybrid.run, 0).fired[0].event, 0);
    hybrid_end(&hybrid);
}

// One that misses zero by more than rounding, but the client knows better.
static int missing_functions(const SaltusContext *c, double t, const double *x, const double *z,
                             double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.25 - 1e-11;
    return 0;
}

static unsigned enter_and_say_zero(SaltusEvent *event)
{
    Entry *entry = event->user;
    if (event->occasion & SALTUS_AT_START)
        return SALTUS_NOTHING_CHANGED;
    assert_in_range(entry->calls, 0, 2);
    if (event->mode == 0) {
        assert_int_equal(saltus_switch_mode(event, 1), SALTUS_OK);
        assert_int_equal(saltus_set_zero(event, 0, 1e-10), SALTUS_OK);
    } else {
        entry->sign[entry->calls] = event->sign[0];
    }
    entry->occasions[entry->calls++] = event->occasion;
    return SALTUS_NOTHING_CHANGED;
}

// It takes the sign of the flow, and there is no crossing of it later.
static void test_entry_on_what_is_said_to_be_zero(void **state)
{
    (void)state;
    Entry entry = {0};
    SaltusEventDef one = {.name = "quarter"}, other = {.name = "missing"};
    SaltusModeDef modes[2] = {
        hybrid_mode("first", 1, (double[]){0.0}, clock_rhs, 1, &one, at_quarter),
        hybrid_mode("second", 1, NULL, clock_rhs, 1, &other, missing_functions)};
    SaltusSystemDef def = hybrid_system(2, modes);
    def.user = &entry;
    def.event_update = enter_and_say_zero;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(entry.calls, 3);
    assert_int_equal(entry.sign[1], 0);
    assert_int_equal(entry.occasions[2], SALTUS_AT_ARMING);
    assert_int_equal(entry.sign[2], 1);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    hybrid_end(&hybrid);
}

// Zero up to t = 0.5, then it rises like a cube.
static int resting_function(const SaltusContext *c, double t, const double *x, const double *z,
                            double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] < 0.5 ? 0.0 : (x[0] - 0.5) * (x[0] - 0.5) * (x[0] - 0.5);
    return 0;
}

static unsigned say_rest(SaltusEvent *event)
{
    if (event->occasion & SALTUS_AT_START)
        assert_int_equal(saltus_set_rest(event, 0, *(const int *)event->user), SALTUS_OK);
    return SALTUS_NOTHING_CHANGED;
}

// To leave zero is a crossing if the function counts to the other side of it.
static void test_function_at_rest(void **state)
{
    (void)state;
    for (int rest = -1; rest <= 1; rest++) {
        int sign = rest;
        SaltusEventDef one = {.name = "resting"};
        SaltusModeDef mode =
            hybrid_mode("only", 1, (double[]){0.0}, clock_rhs, 1, &one, resting_function);
        SaltusSystemDef def = hybrid_system(1, &mode);
        def.user = &sign;
        def.event_update = say_rest;
        Hybrid hybrid = hybrid_begin(&def, NULL);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), rest < 0);
        if (rest < 0) // where it has left its noise, of the size of the cube root of rounding
            assert_close(saltus_run_event(hybrid.run, 0).t, 0.5, 1e-4);
        hybrid_end(&hybrid);
    }
}

// Without rounding the function is zero at entry and rises: no crossing. So is it with rounding.
static void go_on(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, 1), SALTUS_OK);
}

static void test_entry_on_zero_is_no_crossing(void **state)
{
    (void)state;
    SaltusEventDef one = {.name = "quarter", .action = go_on};
    SaltusEventDef three[] = {{.name = "far", .is_muted = true},
                              {.name = "zero", .direction = SALTUS_RISING},
                              {.name = "beyond", .is_muted = true}};
    SaltusModeDef modes[2] = {
        hybrid_mode("first", 1, (double[]){0.0}, clock_rhs, 1, &one, at_quarter),
        hybrid_mode("second", 1, NULL, clock_rhs, 3, three, at_entry_functions)};
    SaltusSystemDef def = hybrid_system(2, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_int_equal(saltus_run_event(hybrid.run, 0).iterations, 1);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// What is not monitored need not exist
// ---------------------------------------------------------------------------

static int muted_and_not(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = NAN;
    h[1] = x[0] - 0.25;
    return 0;
}

static void test_muted_function_may_be_nan(void **state)
{
    (void)state;
    const SaltusLocate locators[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_HENON};
    for (int i = 0; i < 2; i++) {
        SaltusEventDef events[] = {{.name = "muted", .is_muted = true}, {.name = "quarter"}};
        SaltusModeDef mode =
            hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 2, events, muted_and_not);
        SaltusOptions options = saltus_default_options();
        options.method.locate = locators[i];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        assert_close(saltus_run_event(hybrid.run, 0).t, 0.25, 1e-15);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// The log over a change of structure
// ---------------------------------------------------------------------------

static int pair_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = dx[1] = dx[2] = 1.0;
    return 0;
}

static int twice(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] - 2.0 * x[0];
    return 0;
}

static void test_state_becomes_algebraic(void **state)
{
    (void)state;
    static const char *const abc[] = {"a", "b", "gone"};
    SaltusModeDef modes[2] = {saltus_default_mode(), saltus_default_mode()};
    modes[0].state_count = 3;
    modes[0].state_names = abc;
    modes[0].start = (double[]){1.0, 7.0, 3.0};
    modes[0].rhs = pair_rhs;
    modes[1].state_count = 1;
    modes[1].algebraic_count = 1;
    modes[1].state_names = abc;
    modes[1].algebraic_names = abc + 1;
    modes[1].rhs = clock_rhs;
    modes[1].algebraic = twice;
    SaltusSystemDef def = hybrid_system(2, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_apply(hybrid.run, go_on), SALTUS_OK);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.change_count, 2); // "a" is a state as before
    assert_string_equal(entry.changes[0].name, "b");
    assert_close(entry.changes[0].before, 7.0, 0.0);
    assert_close(entry.changes[0].after, 2.0, 1e-12);
    assert_string_equal(entry.changes[1].name, "gone");
    assert_true(isnan(entry.changes[1].after));
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guesses_of_a_joint_evaluation),
        cmocka_unit_test(test_reselection),
        cmocka_unit_test(test_crossing_right_after_a_reselection),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_function_at_rest),
        cmocka_unit_test(test_entry_on_what_is_said_to_be_zero),
        cmocka_unit_test(test_entry_on_zero_is_no_crossing),
        cmocka_unit_test(test_muted_function_may_be_nan),
        cmocka_unit_test(test_state_becomes_algebraic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
