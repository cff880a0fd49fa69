// SPDX-License-Identifier: MIT
//
// Runs without backstepping, as real time demands: fixed steps, events handled at the end of the
// step in which they were seen, logged there or at the time that linear interpolation gives.
// Compared with a loop by hand that does the same, and with the closed form of the bouncing ball
// as a function of the step.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81, restitution = 0.9, drop = 10.0;

static int fall_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -g;
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

static void bounce(SaltusEvent *event)
{
    event->x[1] *= -restitution;
}

static const SaltusEventDef bounce_event = {
    .name = "bounce", .direction = SALTUS_FALLING, .action = bounce};

static Hybrid begin_ball(SaltusSolver solver, double step, SaltusBackstep backstep)
{
    SaltusModeDef mode =
        hybrid_mode("flight", 2, (double[]){drop, 0.0}, fall_rhs, 1, &bounce_event, height);
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.step = step;
    options.backstep = backstep;
    return hybrid_begin_mode(&mode, &options);
}

// t_m = sqrt(2 x0 / g) (2 (1 - mu^m) / (1 - mu) - 1)
static double bounce_time(int m)
{
    return sqrt(2.0 * drop / g) * (2.0 * (1.0 - pow(restitution, m)) / (1.0 - restitution) - 1.0);
}

static int bounces_until(double t)
{
    int m = 0;
    while (bounce_time(m + 1) <= t)
        m++;
    return m;
}

// ---------------------------------------------------------------------------
// By hand
// ---------------------------------------------------------------------------

typedef struct Ball {
    double x, v;
    int bounces;
    double times[256];  // ends of the steps
    double linear[256]; // interpolated
} Ball;

static void step_by_hand(Ball *ball, SaltusSolver solver, double h)
{
    double v = ball->v;
    // Euler: x + h v. Heun and the classical method are exact for a parabola.
    ball->x += h * v - (solver == SALTUS_SOLVER_EULER ? 0.0 : 0.5 * g * h * h);
    ball->v -= h * g;
}

static Ball run_by_hand(SaltusSolver solver, double h, int steps)
{
    Ball ball = {.x = drop};
    bool above = true;
    for (int i = 0; i < steps; i++) {
        double before = ball.x;
        step_by_hand(&ball, solver, h);
        bool now_above = ball.x > 0.0;
        if (above && !now_above) {
            double t = (i + 1) * h;
            ball.linear[ball.bounces] = i * h + h * before / (before - ball.x);
            ball.times[ball.bounces++] = t;
            ball.v *= -restitution;
        }
        above = now_above;
    }
    return ball;
}

static const SaltusSolver solvers[] = {SALTUS_SOLVER_EULER, SALTUS_SOLVER_HEUN, SALTUS_SOLVER_RK4};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

static void test_as_by_hand(void **state)
{
    (void)state;
    const double steps[] = {0.0625, 0.015625, 0.0078125}; // binary: the grid is exact
    for (int s = 0; s < SOLVERS; s++) {
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
            int count = (int)(15.0 / steps[k]);
            Ball ball = run_by_hand(solvers[s], steps[k], count);
            for (int linear = 0; linear < 2; linear++) {
                Hybrid hybrid = begin_ball(solvers[s], steps[k],
                                           linear ? SALTUS_NO_BACKSTEP_LINEAR : SALTUS_NO_BACKSTEP);
                assert_int_equal(saltus_run_advance(hybrid.run, count * steps[k]), SALTUS_OK);
                assert_int_equal(saltus_run_event_count(hybrid.run), ball.bounces);
                for (int i = 0; i < ball.bounces; i++) {
                    SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
                    if (linear)
                        assert_close(entry.t, ball.linear[i], 1e-10);
                    else
                        assert_true(entry.t == ball.times[i]);
                    assert_close(entry.bracket, steps[k], 1e-15); // that is what is known
                    assert_int_equal(entry.classes, SALTUS_SE_X);
                }
                // Rounding of sums of some hundred terms of size 10.
                assert_close(saltus_run_states(hybrid.run)[0], ball.x, 1e-9);
                assert_close(saltus_run_states(hybrid.run)[1], ball.v, 1e-9);
                assert_int_equal(saltus_run_statistics(hybrid.run).steps, count);
                assert_int_equal(saltus_run_statistics(hybrid.run).closing_steps, 0);
                hybrid_end(&hybrid);
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Against the closed form
// ---------------------------------------------------------------------------

// The first contact is handled up to a step too late; with linear interpolation its logged time
// is wrong by the deviation of the parabola from its chord, at most h^2 / 8 g / v, and by the
// method's own error.
static void test_first_bounce(void **state)
{
    (void)state;
    const double steps[] = {0.1, 0.03, 0.01, 0.003, 0.001};
    double exact = bounce_time(1), speed = g * exact;
    for (int s = 1; s < SOLVERS; s++) { // heun and rk4 are exact for a parabola
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
            double h = steps[k];
            Hybrid late = begin_ball(solvers[s], h, SALTUS_NO_BACKSTEP);
            Hybrid linear = begin_ball(solvers[s], h, SALTUS_NO_BACKSTEP_LINEAR);
            assert_int_equal(saltus_run_advance(late.run, 1.8), SALTUS_OK);
            assert_int_equal(saltus_run_advance(linear.run, 1.8), SALTUS_OK);
            double late_time = saltus_run_event(late.run, 0).t;
            assert_true(late_time >= exact && late_time <= exact + h * (1.0 + 1e-9));
            assert_close(saltus_run_event(linear.run, 0).t, exact,
                         1.01 * h * h / 8.0 * g / (speed - g * h));
            // Only the log differs.
            assert_memory_equal(saltus_run_states(late.run), saltus_run_states(linear.run),
                                2 * sizeof(double));
            hybrid_end(&late);
            hybrid_end(&linear);
        }
    }
}

// The number of bounces in 20 s comes right, and the time of the tenth converges, with order 1.
static void test_converges_with_the_step(void **state)
{
    (void)state;
    int exact = bounces_until(20.0);
    double before = INFINITY;
    for (int k = 0; k < 4; k++) {
        double h = 0.01 * pow(0.25, k);
        Hybrid hybrid = begin_ball(SALTUS_SOLVER_RK4, h, SALTUS_NO_BACKSTEP);
        assert_int_equal(saltus_run_advance(hybrid.run, 20.0), SALTUS_OK);
        int count = (int)saltus_run_event_count(hybrid.run);
        assert_true(count >= 10);
        double deviation = fabs(saltus_run_event(hybrid.run, 9).t - bounce_time(10));
        // Each contact is late by d < h, so its speed is too high by g d, and the flights after
        // it, of 2 v / g, take longer by 2 d (mu + mu^2 + ...) < 18 d.
        assert_true(deviation <= 10.0 * 19.0 * h);
        assert_true(deviation < before);
        before = deviation;
        if (k == 3)
            assert_int_equal(count, exact);
        hybrid_end(&hybrid);
    }
    // With backstepping the same method has the time to rounding.
    Hybrid hybrid = begin_ball(SALTUS_SOLVER_RK4, 0.01, SALTUS_BACKSTEP);
    assert_int_equal(saltus_run_advance(hybrid.run, 20.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), exact);
    assert_close(saltus_run_event(hybrid.run, 9).t, bounce_time(10), 1e-12);
    hybrid_end(&hybrid);
}

// One iteration of the secant or of the tangent method: the step is taken back to the estimate.
// The chord of a parabola over h misses its zero by at most h^2 / 8 g / v, a tangent from one end
// by at most h^2 / 2 g / v, and the next contacts suffer from that as above.
static void test_one_iteration(void **state)
{
    (void)state;
    const SaltusLocate locators[] = {SALTUS_LOCATE_SECANT, SALTUS_LOCATE_TANGENT};
    int exact = bounces_until(20.0);
    for (int k = 0; k < 2; k++) {
        SaltusModeDef mode =
            hybrid_mode("flight", 2, (double[]){drop, 0.0}, fall_rhs, 1, &bounce_event, height);
        SaltusOptions options = saltus_default_options();
        options.method.solver = SALTUS_SOLVER_RK4;
        options.method.step = 0.01;
        options.method.locate = locators[k];
        options.method.locate_iterations = 1;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 20.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), exact);
        double worst = 0.0, slowest = sqrt(2.0 * g * drop) * pow(restitution, 10);
        for (int m = 1; m <= 10; m++)
            worst = fmax(worst, fabs(saltus_run_event(hybrid.run, m - 1).t - bounce_time(m)));
        assert_true(worst <= 10.0 * 19.0 * 0.01 * 0.01 / 2.0 * g / slowest);
        assert_true(worst > 1e-9); // it is an estimate
        assert_int_equal(saltus_run_statistics(hybrid.run).locator_iterations, exact);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// What else happens in a step
// ---------------------------------------------------------------------------

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int levels(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.3;                   // inside the third step
    h[1] = 0.35 - x[0];                  // likewise
    h[2] = x[0] - 0.5;                   // at the end of the fourth
    h[3] = (x[0] - 0.55) * (x[0] - 0.6); // twice inside the fifth: not seen
    h[4] = x[0] - 0.8;                   // rising only
    h[5] = x[0] - 0.3;                   // muted
    return 0;
}

static void test_events_of_a_step_together(void **state)
{
    (void)state;
    SaltusEventDef events[6] = {{.name = "a"},
                                {.name = "b"},
                                {.name = "c"},
                                {.name = "d"},
                                {.name = "e", .direction = SALTUS_FALLING},
                                {.name = "f", .is_muted = true}};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 6, events, levels);
    for (int linear = 0; linear < 2; linear++) {
        SaltusOptions options = saltus_default_options();
        options.method.solver = SALTUS_SOLVER_EULER;
        options.method.step = 0.125;
        options.backstep = linear ? SALTUS_NO_BACKSTEP_LINEAR : SALTUS_NO_BACKSTEP;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 2);
        SaltusLogEntry first = saltus_run_event(hybrid.run, 0);
        SaltusLogEntry second = saltus_run_event(hybrid.run, 1);
        assert_int_equal(first.fired_count, 2);
        assert_int_equal(first.fired[0].event, 0);
        assert_int_equal(first.fired[1].event, 1);
        assert_close(first.t, linear ? 0.3 : 0.375, 1e-15); // the earlier one
        assert_int_equal(second.fired_count, 1);
        assert_int_equal(second.fired[0].event, 2);
        assert_close(second.t, 0.5, 1e-15);
        // Two rows at an event, not three.
        int rows = 0;
        for (long i = 0; i < saltus_run_row_count(hybrid.run); i++)
            rows += saltus_run_row(hybrid.run, i).t == 0.375;
        assert_int_equal(rows, 2);
        hybrid_end(&hybrid);
    }
}

// A time event cuts a step; the grid stays where it was.
static void at_0_2(SaltusEvent *event)
{
    saltus_schedule(event, 1, 0.2);
}

static void nothing(SaltusEvent *event)
{
    (void)event;
}

static void test_grid(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 0, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.start = at_0_2;
    def.time_action = nothing;
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_RK4;
    options.method.step = 0.125;
    options.backstep = SALTUS_NO_BACKSTEP;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.5), SALTUS_OK);
    const double expected[] = {0.0, 0.125, 0.2, 0.2, 0.25, 0.375, 0.5, 0.5};
    assert_int_equal(saltus_run_row_count(hybrid.run), 8);
    for (long i = 0; i < 8; i++)
        assert_true(saltus_run_row(hybrid.run, i).t == expected[i]);
    hybrid_end(&hybrid);
}

// A mode is changed at the end of the step; the next step is a whole one in the new mode.
static void switch_to_1(SaltusEvent *event)
{
    saltus_switch_mode(event, 1);
}

static int half(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.55;
    return 0;
}

static int faster_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 10.0;
    return 0;
}

static void test_mode_change(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "half", .action = switch_to_1};
    SaltusModeDef modes[2] = {hybrid_mode("slow", 1, (double[]){0.0}, clock_rhs, 1, &event, half),
                              hybrid_mode("fast", 1, NULL, faster_rhs, 0, NULL, NULL)};
    SaltusSystemDef def = hybrid_system(2, modes);
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_HEUN;
    options.method.step = 0.125;
    options.backstep = SALTUS_NO_BACKSTEP;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_true(saltus_run_event(hybrid.run, 0).t == 0.625);
    assert_close(saltus_run_states(hybrid.run)[0], 0.625 + 10.0 * 0.375, 1e-14);
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_by_hand),
        cmocka_unit_test(test_first_bounce),
        cmocka_unit_test(test_converges_with_the_step),
        cmocka_unit_test(test_one_iteration),
        cmocka_unit_test(test_events_of_a_step_together),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_mode_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
