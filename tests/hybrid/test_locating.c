// SPDX-License-Identifier: MIT
//
// Where the dense output and the re-stepped states disagree: the event is where the re-stepped
// states have it, no event comes twice, none comes that is not there, and they come in order.

#include "models/bouncing_ball.h"
#include "models/dynamic_contact.h"
#include "models/rlc_shockley.h"
#include "models/rlc_shortcut.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SaltusSolver adaptive[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                        SALTUS_SOLVER_RODAS};
enum { ADAPTIVE = sizeof adaptive / sizeof adaptive[0], LOCATORS = SALTUS_LOCATE_SUNDIALS };

static SaltusOptions options_with(SaltusSolver solver, int locate, double tolerance)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    options.method.solver = solver;
    options.method.locate = (SaltusLocate)locate;
    options.method.relative_tolerance = tolerance;
    options.method.absolute_tolerance = 1e-3 * tolerance;
    return options;
}

static Hybrid begin(SaltusStatus (*create)(SaltusSystem **, SaltusError *),
                    const SaltusOptions *options)
{
    Hybrid hybrid = {0};
    assert_int_equal(create(&hybrid.system, &hybrid.error), SALTUS_OK);
    assert_int_equal(saltus_run_create(hybrid.system, options, &hybrid.run, &hybrid.error),
                     SALTUS_OK);
    return hybrid;
}

// ---------------------------------------------------------------------------
// Flights far below the tolerance
// ---------------------------------------------------------------------------

// Bounce, apex, bounce, apex, ..., each once.
static void assert_alternating(const SaltusRun *run)
{
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        assert_int_equal(entry.fired_count, 1);
        assert_int_equal(entry.fired[0].event, i % 2 == 0 ? BALL_BOUNCE : BALL_APEX);
    }
}

// The last flights of the ball are 1e-22 m high, the tolerance is 1e-6 m: the error of the dense
// output is larger than they are, and rodas' does not even have the right slope at its left end.
static void test_flights_below_the_tolerance(void **state)
{
    (void)state;
    double limit = bouncing_ball_exact(ball_with_drag, 0, NULL, NULL);
    for (int k = 0; k < ADAPTIVE * LOCATORS; k++) {
        double tolerance = k % 2 == 0 ? 1e-3 : 1e-6;
        SaltusOptions options = options_with(adaptive[k / LOCATORS], k % LOCATORS, tolerance);
        options.parameters = ball_with_drag;
        Hybrid hybrid = begin(bouncing_ball_create, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 30.0), SALTUS_ZENO);
        // 27 s 0.9^m is the rest; it reaches the resolution, 1024 ulp = 4e-12 s, with m = 280, and
        // the flight that ends the sequence is a tenth of the rest.
        long bounces = (saltus_run_event_count(hybrid.run) + 1) / 2;
        assert_in_range(bounces, 240, 275);
        // One step per flight: the speed after it is wrong by a few tolerances, and 1 - mu = 0.1 of
        // the rest of the time is that flight's.
        assert_close(saltus_run_time(hybrid.run), limit, 10.0 * tolerance * limit);
        assert_alternating(hybrid.run);
        hybrid_end(&hybrid);
    }
}

// One fixed step of 0.1 s spans all of the last flights: the chord over a part of it says nothing
// about the slope at the zero.
static void test_flights_below_the_step(void **state)
{
    (void)state;
    for (int k = 0; k < LOCATORS; k++) {
        SaltusOptions options = options_with(SALTUS_SOLVER_RK4, k, 1e-3);
        options.method.step = 0.1;
        Hybrid hybrid = begin(bouncing_ball_create, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 30.0), SALTUS_ZENO);
        assert_alternating(hybrid.run);
        double times[100], found[100];
        bouncing_ball_exact(ball_without_drag, 100, times, NULL);
        assert_int_equal(hybrid_times(hybrid.run, BALL_BOUNCE, found, 100), 100);
        for (int i = 0; i < 100; i++)
            assert_close(found[i], times[i], 1e-11);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// A contact that is only touched, and rest
// ---------------------------------------------------------------------------

// Every flight starts tangentially; dop853's first step after it is so long for this tolerance
// that its dense output goes below the ground. At rest, the velocity is rounding, and so is the
// sign of the event function that finds the largest deformation.
static void test_lift_off_and_rest(void **state)
{
    (void)state;
    for (int k = 0; k < ADAPTIVE * LOCATORS; k++) {
        SaltusOptions options = options_with(adaptive[k / LOCATORS], k % LOCATORS, 1e-3);
        Hybrid hybrid = begin(dynamic_contact_create, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 5.0), SALTUS_OK);
        double previous = 0.0;
        int contacts = 0;
        for (long i = 0; i < saltus_run_event_count(hybrid.run); i++) {
            SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
            contacts += entry.from == CONTACT_FLIGHT && entry.to == CONTACT_CONTACT;
            assert_true(entry.t > previous + 1e-12);
            previous = entry.t;
        }
        assert_int_equal(contacts, 10);
        assert_int_equal(saltus_run_mode(hybrid.run), CONTACT_CONTACT);
        // Rest, g/k deep; the absolute tolerance is 1e-6 m.
        assert_close(saltus_run_states(hybrid.run)[CONTACT_W], 9.81e-6, 1e-6);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Two functions that cross at nearly the same time
// ---------------------------------------------------------------------------

static int oscillator(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -x[0];
    return 0;
}

static const double apart = 1e-8;

// The second one crosses first.
static int two_levels(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.5;
    h[1] = x[0] - 0.5 - apart;
    return 0;
}

static void test_order_below_the_tolerance(void **state)
{
    (void)state;
    SaltusEventDef events[] = {{.name = "lower", .direction = SALTUS_FALLING},
                               {.name = "upper", .direction = SALTUS_FALLING}};
    SaltusModeDef mode =
        hybrid_mode("oscillator", 2, (double[]){1.0, 0.0}, oscillator, 2, events, two_levels);
    for (int k = 0; k < ADAPTIVE * LOCATORS; k++) {
        SaltusOptions options = options_with(adaptive[k / LOCATORS], k % LOCATORS, 1e-3);
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 19.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run),
                         6); // cos t = 0.5, falling, three times
        for (long i = 0; i < 6; i += 2) {
            SaltusLogEntry upper = saltus_run_event(hybrid.run, i);
            SaltusLogEntry lower = saltus_run_event(hybrid.run, i + 1);
            assert_int_equal(upper.fired_count, 1);
            assert_int_equal(lower.fired_count, 1);
            assert_int_equal(upper.fired[0].event, 1);
            assert_int_equal(lower.fired[0].event, 0);
            // x' = -sin(pi/3) there, but for the tolerance times the number of steps.
            assert_close(lower.t - upper.t, apart / sin(acos(0.5)), 0.1 * apart);
        }
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Euler's method in h is the tangent in t
// ---------------------------------------------------------------------------

static int cube(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] * x[0] * x[0] - 0.2;
    return 0;
}

static int cube_flow(const SaltusContext *c, double t, const double *x, const double *z,
                     const double *dx, double *dh)
{
    UNUSED_ARGUMENTS;
    dh[0] = 3.0 * x[0] * x[0] * dx[0];
    return 0;
}

// One step of Euler's method with h as independent variable goes along the same tangent as one
// iteration of Newton's method in time: t = t_k - h_k / h'_k (Breitenecker and others, 2012).
static void test_henon_with_euler_is_the_tangent(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "level", .direction = SALTUS_FALLING};
    SaltusModeDef mode =
        hybrid_mode("oscillator", 2, (double[]){1.0, 0.0}, oscillator, 1, &event, cube);
    mode.event_flow = cube_flow;
    double times[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        SaltusOptions options = saltus_default_options();
        options.method.solver = SALTUS_SOLVER_EULER;
        options.method.locate = k == 0 ? SALTUS_LOCATE_TANGENT : SALTUS_LOCATE_HENON;
        options.method.locate_iterations = 1;
        options.method.step = 0.05;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
        assert_int_equal(hybrid_times(hybrid.run, 0, &times[k], 1), 1);
        hybrid_end(&hybrid);
    }
    assert_close(times[0], acos(cbrt(0.2)), 0.05);
    assert_close(times[1], times[0], 4.0 * 2.3e-16);
}

// ---------------------------------------------------------------------------
// Start on the switching surface, and what the log calls it
// ---------------------------------------------------------------------------

// h = h' = 0 at the start, in a mode that holds for h > 0: an event that is meant to fire at entry
// does so by the sign that h takes just after.
static void test_start_on_the_surface(void **state)
{
    (void)state;
    for (int orientation = RLC_DOWN; orientation <= RLC_UP; orientation += 2) {
        SaltusOptions options = options_with(SALTUS_SOLVER_DOPRI5, SALTUS_LOCATE_BRENT, 1e-6);
        options.parameters = orientation == RLC_UP ? rlc_parameters : rlc_parameters_down;
        Hybrid hybrid = begin(rlc_shortcut_create, &options);
        bool up = orientation == RLC_UP;
        assert_int_equal(saltus_run_mode(hybrid.run), up ? RLC_CONDUCTING : RLC_LOCKING);
        assert_int_equal(saltus_run_event_count(hybrid.run), up ? 1 : 0);
        if (up) {
            SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
            assert_true(entry.t == 0.0);
            assert_int_equal(entry.occasion, SALTUS_AT_START);
            assert_int_equal(entry.from, RLC_LOCKING);
            assert_int_equal(entry.to, RLC_CONDUCTING);
            assert_int_equal(entry.classes, SALTUS_SE_F);
        }
        hybrid_end(&hybrid);
    }
}

static SaltusStatus create_shockley(SaltusSystem **system, SaltusError *error)
{
    return rlc_shockley_create(SHOCKLEY_VOLTAGE, system, error);
}

// So loose a tolerance leaves algebraic variables from which no step succeeds, however small,
// unless they are solved for.
static void test_loose_algebraic_variables(void **state)
{
    (void)state;
    SaltusOptions options = options_with(SALTUS_SOLVER_RODAS, SALTUS_LOCATE_BRENT, 1e-2);
    options.parameters = shockley_strong;
    Hybrid hybrid = begin(create_shockley, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 50e-6), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 14);
    hybrid_end(&hybrid);
}

static SaltusStatus create_shockley_by_current(SaltusSystem **system, SaltusError *error)
{
    return rlc_shockley_create(SHOCKLEY_CURRENT, system, error);
}

// h is an algebraic variable, zero at the start and of 1e-8 A, which the nominal value says: what
// Newton's iteration leaves must not fire it, and the tolerance must be one for such a variable.
static void test_algebraic_event_function(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-9};
    for (int k = 0; k < 4 * ADAPTIVE * LOCATORS; k++) {
        SaltusOptions options = options_with(adaptive[k / LOCATORS % ADAPTIVE], k % LOCATORS,
                                             tolerances[k / LOCATORS / ADAPTIVE]);
        options.parameters = shockley_strong;
        Hybrid hybrid = begin(create_shockley_by_current, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 50e-6), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 14);
        // The circuit forgets its errors within some microseconds.
        double first = saltus_run_event(hybrid.run, 0).t;
        assert_close(first, 4.43785230e-6, 50e-6 * options.method.relative_tolerance);
        hybrid_end(&hybrid);
    }
}

// The same differential states, but an algebraic one more: another structure.
static void test_algebraic_variables_are_structure(void **state)
{
    (void)state;
    SaltusOptions options = options_with(SALTUS_SOLVER_RODAS, SALTUS_LOCATE_BRENT, 1e-6);
    Hybrid hybrid = begin(create_shockley, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 10e-6), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    for (long i = 0; i < 2; i++)
        assert_int_equal(saltus_run_event(hybrid.run, i).classes, SALTUS_SE_S);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// What an action makes zero
// ---------------------------------------------------------------------------

static int growing(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = dx[1] = 0.0;
    dx[2] = 1.0;
    return 0;
}

static int sum_when_on(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = c->p[0] > 0.0 ? x[2] - x[0] - x[1] : 1.0;
    h[1] = x[2] - 0.3;
    return 0;
}

static void switch_on(SaltusEvent *event)
{
    event->x[2] = 0.3;
    event->p[0] = 1.0;
}

// 0.3 - 0.1 - 0.2 is negative by rounding and grows: no falling crossing, although the function was
// constant before, without any rounding.
static void test_jump_to_zero(void **state)
{
    (void)state;
    SaltusEventDef events[] = {
        {.name = "sum", .direction = SALTUS_FALLING},
        {.name = "on", .direction = SALTUS_RISING, .action = switch_on},
    };
    SaltusModeDef mode =
        hybrid_mode("sum", 3, (double[]){0.1, 0.2, 0.0}, growing, 2, events, sum_when_on);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.parameter_count = 1;
    def.parameters = (double[]){0.0};
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_int_equal(saltus_run_event(hybrid.run, 0).iterations, 1);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// How near the zero an event is
// ---------------------------------------------------------------------------

static int swinging(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1] / c->p[1];
    dx[1] = -x[0] / c->p[1];
    return 0;
}

// Zero at x = p[0], there with the slope 12: from e^(12 (1 - p)) down, and the same upside down.
static int bent(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = exp(12.0 * (x[0] - c->p[0])) - 1.0;
    h[1] = 1.0 - exp(-12.0 * (x[0] - c->p[0]));
    return 0;
}

// tolerance: in the unit of time that the motion has, p[1].
static double first_event(const double *p, SaltusSolver solver, int event, double tolerance)
{
    SaltusOptions options = options_with(solver, SALTUS_LOCATE_BRENT, 1e-2);
    options.method.event_tolerance = tolerance * p[1];
    options.method.max_step = 1e9;
    options.parameters = p;
    SaltusEventDef events[] = {
        {.name = "convex", .direction = SALTUS_FALLING, .is_muted = event == 1},
        {.name = "concave", .direction = SALTUS_FALLING, .is_muted = event == 0}};
    SaltusModeDef mode = hybrid_mode("bent", 2, (double[]){1.0, 0.0}, swinging, 2, events, bent);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.parameter_count = 2;
    def.parameters = (double[]){0.0, 1.0};
    Hybrid hybrid = hybrid_begin(&def, &options);
    double time = NAN;
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0 * p[1]), SALTUS_OK);
    assert_int_equal(hybrid_times(hybrid.run, event, &time, 1), 1);
    hybrid_end(&hybrid);
    return time / p[1];
}

// With a loose tolerance the dense output is wrong by more than event_tolerance, and the functions
// bend so much that the chords over a part of a step are thousands of times as steep as they are at
// their zeros, or a thousandth of it. Where the event is on re-stepped states is known from the run
// that locates it as well as it can; the steps before it are the same. Others are within what they
// are asked for of it, and beyond the zero; in milliseconds as in minutes.
static void test_bent_functions(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-6}, units[] = {1e-3, 100.0};
    for (int k = 0; k < 4 * ADAPTIVE * 20; k++) {
        const SaltusSolver solver = adaptive[k / 4 % ADAPTIVE];
        const double p[] = {0.9 - 0.09 * (k / 4 / ADAPTIVE), units[k / 2 % 2]};
        const double exact = first_event(p, solver, k % 2, 0.0);
        for (int i = 0; i < 4; i++)
            assert_close(first_event(p, solver, k % 2, tolerances[i]), exact + 0.5 * tolerances[i],
                         0.5 * tolerances[i] + 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flights_below_the_tolerance),
        cmocka_unit_test(test_flights_below_the_step),
        cmocka_unit_test(test_lift_off_and_rest),
        cmocka_unit_test(test_order_below_the_tolerance),
        cmocka_unit_test(test_henon_with_euler_is_the_tangent),
        cmocka_unit_test(test_start_on_the_surface),
        cmocka_unit_test(test_algebraic_variables_are_structure),
        cmocka_unit_test(test_algebraic_event_function),
        cmocka_unit_test(test_loose_algebraic_variables),
        cmocka_unit_test(test_jump_to_zero),
        cmocka_unit_test(test_bent_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
