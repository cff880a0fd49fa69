// SPDX-License-Identifier: MIT
//
// Hénon's change of independent variable: with Euler's method it is the tangent method, with
// others it has their order; on the constrained pendulum it finds the pin; where dh/dt vanishes
// or has the wrong sign it says so.

#include "events/henon.h"
#include "support/hybrid.h"
#include "support/integrate.h"
#include "support/smooth.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A mode at a point
// ---------------------------------------------------------------------------

typedef struct Setup {
    Integration it;
    Henon henon;
    double t, x[3], z[1], h[2];
} Setup;

static void begin(Setup *s, const SaltusModeDef *mode, SaltusSolver solver, double t, int direction)
{
    SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-10, 1e-12, 0.0);
    *s = (Setup){.t = t};
    assert_int_equal(integration_begin(&s->it, mode, &method, t), 0);
    memcpy(s->x, s->it.solver->x, (size_t)mode->state_count * sizeof(double));
    memcpy(s->z, s->it.solver->z, (size_t)mode->algebraic_count * sizeof(double));
    s->henon = (Henon){.problem = s->it.problem,
                       .solver = solver,
                       .direction = direction,
                       .work = calloc(henon_work_size(&s->it.mode), sizeof(double))};
    assert_int_equal(problem_events(s->it.problem, t, s->x, s->z, s->h), 0);
}

static int step(Setup *s)
{
    return henon_step(&s->henon, &s->t, s->x, s->z, s->h[0]);
}

static void end(Setup *s)
{
    free(s->henon.work);
    integration_end(&s->it);
}

static const SaltusEventDef event = {.name = "event"};

// ---------------------------------------------------------------------------
// Euler's method: the tangent method
// ---------------------------------------------------------------------------

static int logistic_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[0] * (1.0 - x[0]) + 0.25 * t;
    dx[1] = x[0] - 0.5 * x[1];
    return 0;
}

static int curve(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] * x[0] + x[1] - 2.0 + 0.125 * t;
    return 0;
}

static int curve_flow(const SaltusContext *c, double t, const double *x, const double *z,
                      const double *dx, double *dh)
{
    (void)c, (void)t, (void)z;
    dh[0] = 2.0 * x[0] * dx[0] + dx[1] + 0.125;
    return 0;
}

static SaltusModeDef curve_mode(const double *start)
{
    SaltusModeDef mode = hybrid_mode("curve", 2, start, logistic_rhs, 1, &event, curve);
    mode.event_flow = curve_flow;
    return mode;
}

static void test_euler_is_the_tangent_method(void **state)
{
    (void)state;
    // With h' a power of two every operation is exact: not a bit differs.
    const double exact[] = {0.5, -0.25};
    SaltusModeDef mode = curve_mode(exact);
    Setup s;
    begin(&s, &mode, SALTUS_SOLVER_EULER, 0.0, 1);
    s.henon.most = 1;
    double dx[2], dh;
    logistic_rhs(NULL, 0.0, exact, NULL, dx);
    curve_flow(NULL, 0.0, exact, NULL, dx, &dh);
    assert_true(dh == 1.0); // 2 (1/2) (1/4) + (1/2 + 1/8) + 1/8
    double tangent = 0.0 - s.h[0] / dh;
    assert_int_equal(step(&s), 0);
    assert_true(s.t == tangent);
    assert_true(s.x[0] == exact[0] + tangent * dx[0]);
    assert_true(s.x[1] == exact[1] + tangent * dx[1]);
    assert_int_equal(s.henon.iterations, 1);
    end(&s);
    // In general up to the rounding of 1 / h'.
    for (int i = 0; i < 100; i++) {
        const double start[] = {0.3 + 0.013 * i, 0.1 + 0.007 * i};
        double t = 0.1 * i;
        mode = curve_mode(start);
        logistic_rhs(NULL, t, start, NULL, dx);
        curve_flow(NULL, t, start, NULL, dx, &dh);
        begin(&s, &mode, SALTUS_SOLVER_EULER, t, 1);
        s.henon.most = 1;
        double delta = -s.h[0] / dh;
        if (dh > 0.0) {
            assert_int_equal(step(&s), 0);
            double unit = 4.0 * DBL_EPSILON;
            assert_close(s.t, t + delta, unit * (fabs(t) + fabs(delta)));
            assert_close(s.x[0], start[0] + delta * dx[0], unit * (2.0 + fabs(delta * dx[0])));
            assert_close(s.x[1], start[1] + delta * dx[1], unit * (2.0 + fabs(delta * dx[1])));
        }
        end(&s);
    }
}

// ---------------------------------------------------------------------------
// Orders
// ---------------------------------------------------------------------------

// x1 = exp(sin t^2): where does it reach 1.5 ? sin t^2 = log 1.5.
static int smooth_level(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.5;
    return 0;
}

static int smooth_level_flow(const SaltusContext *c, double t, const double *x, const double *z,
                             const double *dx, double *dh)
{
    UNUSED_ARGUMENTS;
    dh[0] = dx[0];
    return 0;
}

// One step from `width` before the event: the error of its time.
static double error_of_step(SaltusSolver solver, double root, double width)
{
    SaltusModeDef mode = smooth_mode();
    double start[2];
    smooth_solution(root - width, start);
    mode.start = start;
    mode.event_count = 1;
    mode.events = &event;
    mode.event_functions = smooth_level;
    mode.event_flow = smooth_level_flow;
    Setup s;
    begin(&s, &mode, solver, root - width, 1);
    s.henon.most = 1;
    assert_int_equal(step(&s), 0);
    double error = fabs(s.t - root);
    assert_close(s.x[0], 1.5, 100.0 * error + 1e-14); // on the surface
    end(&s);
    return error;
}

static void test_orders(void **state)
{
    (void)state;
    const struct {
        SaltusSolver solver;
        int order; // of the error of a single step: one more than the method's
        double width;
    } cases[] = {{SALTUS_SOLVER_EULER, 2, 0.02},
                 {SALTUS_SOLVER_HEUN, 3, 0.02},
                 {SALTUS_SOLVER_RK4, 5, 0.1},
                 {SALTUS_SOLVER_DOPRI5, 6, 0.1}};
    double root = sqrt(asin(log(1.5)));
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double errors[4], width = cases[k].width;
        for (int i = 0; i < 4; i++, width *= 0.5)
            errors[i] = error_of_step(cases[k].solver, root, width);
        double observed = observed_order(errors, 4);
        if (fabs(observed - cases[k].order) > 0.25)
            fail_msg("%s: order %.2f of one step, not %d", saltus_solver_name(cases[k].solver),
                     observed, cases[k].order);
    }
}

// As many steps as it takes from far away, to the accuracy from which a closing step in time and
// corrections go on: 1e-6 of the states.
static void test_fractions(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                    SALTUS_SOLVER_RODAS, // has no tableau: dopri5's
                                    SALTUS_SOLVER_CVODE};
    double root = sqrt(asin(log(1.5)));
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        SaltusModeDef mode = smooth_mode();
        double start[2];
        smooth_solution(root - 0.4, start);
        mode.start = start;
        mode.event_count = 1;
        mode.events = &event;
        mode.event_functions = smooth_level;
        Setup s;
        begin(&s, &mode, solvers[k], root - 0.4, 1);
        assert_int_equal(step(&s), 0);
        assert_close(s.t, root, 1e-5);
        assert_true(s.henon.iterations > 1);
        end(&s);
    }
}

// ---------------------------------------------------------------------------
// The constrained pendulum: the pin is hit at phi = -pi/12
// ---------------------------------------------------------------------------

static const double pi = 3.14159265358979323846;

// C7: m = 1.02, l = 1, d = 0.2, g = 9.81, phi(0) = pi/6
static int pendulum_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -9.81 * sin(x[0]) - 0.2 / 1.02 * x[1];
    return 0;
}

static int pin(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] + pi / 12.0;
    return 0;
}

static void test_constrained_pendulum(void **state)
{
    (void)state;
    SaltusModeDef mode =
        hybrid_mode("long", 2, (double[]){pi / 6.0, 0.0}, pendulum_rhs, 1, &event, pin);
    double times[2];
    for (int k = 0; k < 2; k++) {
        SaltusOptions options = saltus_default_options();
        options.method.solver = SALTUS_SOLVER_DOP853;
        options.method.relative_tolerance = 1e-12;
        options.method.absolute_tolerance = 1e-13;
        options.method.locate = k == 0 ? SALTUS_LOCATE_BRENT : SALTUS_LOCATE_HENON;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 0.9), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        times[k] = saltus_run_event(hybrid.run, 0).t;
        assert_int_equal(saltus_run_statistics(hybrid.run).fallbacks, 0);
        hybrid_end(&hybrid);
    }
    assert_close(times[0], 0.703459, 5e-7); // by several simulators
    assert_close(times[1], times[0], 1e-13);
    // The step in phi itself, from the lowest point of the swing on.
    Integration it;
    SaltusMethod method = method_of(SALTUS_SOLVER_DOP853, 1e-12, 1e-13, 0.0);
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_run(&it, 0.6), 0);
    const double at[] = {it.solver->x[0], it.solver->x[1]};
    integration_end(&it);
    mode.start = at;
    Setup s;
    begin(&s, &mode, SALTUS_SOLVER_DOP853, 0.6, -1);
    assert_true(henon_suits(&s.henon, s.t, s.x, s.z, s.h[0], 0.2));
    assert_int_equal(step(&s), 0);
    assert_close(s.t, times[0], 1e-6);
    assert_close(s.x[0], -pi / 12.0, 1e-10); // as good as the difference quotient for dh/dt
    end(&s);
}

// ---------------------------------------------------------------------------
// Where it does not suit
// ---------------------------------------------------------------------------

// x' = 1, h = (x - 1)^2 - depth: h' vanishes at 1.
static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int valley(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = (x[0] - 1.0) * (x[0] - 1.0) - 0.04;
    return 0;
}

static void test_vanishing_slope(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){1.0}, clock_rhs, 1, &event, valley);
    Setup s;
    begin(&s, &mode, SALTUS_SOLVER_DOPRI5, 0.0, 1); // at the bottom: h' = 0
    assert_false(henon_suits(&s.henon, s.t, s.x, s.z, s.h[0], 0.5));
    assert_int_not_equal(step(&s), 0);
    end(&s);
    mode.start = (double[]){0.95};
    begin(&s, &mode, SALTUS_SOLVER_DOPRI5, 0.0, 1); // falls first, then rises
    assert_false(henon_suits(&s.henon, s.t, s.x, s.z, s.h[0], 0.5));
    assert_int_not_equal(step(&s), 0);
    end(&s);
    mode.start = (double[]){1.001};
    begin(&s, &mode, SALTUS_SOLVER_DOPRI5, 0.0, 1); // rises, but so slowly that the guess is wild
    assert_false(henon_suits(&s.henon, s.t, s.x, s.z, s.h[0], 0.5));
    end(&s);
    mode.start = (double[]){1.1};
    begin(&s, &mode, SALTUS_SOLVER_DOPRI5, 0.0, 1);
    assert_true(henon_suits(&s.henon, s.t, s.x, s.z, s.h[0], 0.5));
    assert_int_equal(step(&s), 0);
    assert_close(s.t, 0.1, 1e-4); // t = 1 - sqrt(h + 0.04) - 0.1 has no Taylor series of use
    end(&s);
}

// In a run the bracket is narrowed until h' has the right sign.
static void test_valley_in_a_run(void **state)
{
    (void)state;
    SaltusEventDef both = {.name = "valley"};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &both, valley);
    SaltusOptions options = saltus_default_options();
    options.method.locate = SALTUS_LOCATE_HENON;
    options.method.step = 0.5;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    assert_close(saltus_run_event(hybrid.run, 0).t, 0.8, 1e-13);
    assert_close(saltus_run_event(hybrid.run, 1).t, 1.2, 1e-13);
    assert_int_equal(saltus_run_statistics(hybrid.run).fallbacks, 0);
    hybrid_end(&hybrid);
}

// A jump has no slope on either side: the locator falls back and counts it.
static int jump(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] < 0.55 ? -1.0 : 1.0;
    return 0;
}

static void test_fallback_in_a_run(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, jump);
    SaltusOptions options = saltus_default_options();
    options.method.locate = SALTUS_LOCATE_HENON;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_close(saltus_run_event(hybrid.run, 0).t, 0.55, 1e-15);
    assert_int_equal(saltus_run_statistics(hybrid.run).fallbacks, 1);
    hybrid_end(&hybrid);
}

// A triple root: h' vanishes at the event itself.
static int triple(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    double s = x[0] - 0.7;
    h[0] = s * s * s;
    return 0;
}

static void test_triple_root_in_a_run(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, triple);
    SaltusOptions options = saltus_default_options();
    options.method.locate = SALTUS_LOCATE_HENON;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    // |h| is below its rounding, 1e-15 at the beginning of the step, where |t - 0.7| < 1e-5.
    assert_close(saltus_run_event(hybrid.run, 0).t, 0.7, 2e-5);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Algebraic unknowns
// ---------------------------------------------------------------------------

static int force_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x;
    dx[0] = z[0];
    return 0;
}

static int force(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] * z[0] * z[0] - x[0]; // x' = cbrt(x), x = (2 t / 3 + 1)^(3/2)
    return 0;
}

static int force_level(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    (void)c, (void)t, (void)x;
    h[0] = z[0] - 2.0; // z = sqrt(2 t / 3 + 1)
    return 0;
}

static void test_algebraic(void **state)
{
    (void)state;
    SaltusModeDef mode =
        hybrid_mode("force", 1, (double[]){1.0, 1.0}, force_rhs, 1, &event, force_level);
    mode.algebraic_count = 1;
    mode.algebraic = force;
    Setup s;
    begin(&s, &mode, SALTUS_SOLVER_DOPRI5, 0.0, 1);
    assert_int_equal(step(&s), 0);
    assert_close(s.t, 4.5, 1e-5);
    assert_close(s.x[0], 8.0, 1e-5);
    assert_close(s.z[0], 2.0, 1e-6);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_euler_is_the_tangent_method),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_fractions),
        cmocka_unit_test(test_constrained_pendulum),
        cmocka_unit_test(test_vanishing_slope),
        cmocka_unit_test(test_valley_in_a_run),
        cmocka_unit_test(test_fallback_in_a_run),
        cmocka_unit_test(test_triple_root_in_a_run),
        cmocka_unit_test(test_algebraic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
