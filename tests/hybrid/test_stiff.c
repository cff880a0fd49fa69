// SPDX-License-Identifier: MIT
//
// The automatic choice of the solver: explicit at first, then what gets further for an evaluation.

#include "support/heat.h"
#include "support/hybrid.h"
#include "support/stiff.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static SaltusOptions options_with(double relative, double absolute)
{
    SaltusOptions options = saltus_default_options();
    options.method.relative_tolerance = relative;
    options.method.absolute_tolerance = absolute;
    options.record = SALTUS_RECORD_NOTHING;
    return options;
}

// Found stiff after some dozens of steps, and then no dearer than rodas from the beginning.
static void expect_stiff(StiffProblem problem, double floor, double bound, long most_steps)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-10}; // the last one begins with dop853
    for (int i = 0; i < 3; i++) {
        const double relative = tolerances[i], absolute = relative * floor;
        const SaltusOptions options = options_with(relative, absolute);
        problem.mode.name = "stiff";
        Hybrid h = hybrid_begin_mode(&problem.mode, &options);
        const SaltusSolver first = saltus_run_solver(h.run);
        assert_int_equal(first, relative < 1e-9 ? SALTUS_SOLVER_DOP853 : SALTUS_SOLVER_DOPRI5);
        assert_int_equal(saltus_run_advance(h.run, problem.end), SALTUS_OK);
        assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
        const double error = stiff_error(&problem, saltus_run_states(h.run), relative, absolute);
        if (!(error <= bound))
            fail_msg("error of %g tolerances at %g", error, relative);
        if (relative == 1e-6)
            assert_in_range(saltus_run_statistics(h.run).steps, 10, most_steps);
        hybrid_end(&h);
    }
}

static void robertson(void **state)
{
    (void)state;
    expect_stiff(stiff_robertson(), 1e-8, 3.0, 1000);
}

static void van_der_pol(void **state)
{
    (void)state;
    expect_stiff(stiff_van_der_pol(), 1.0, 20.0, 1500);
}

// A copy knows it, too, and goes on with the same bits.
static void copies(void **state)
{
    (void)state;
    StiffProblem problem = stiff_van_der_pol();
    const SaltusOptions options = options_with(1e-6, 1e-6);
    problem.mode.name = "stiff";
    Hybrid h = hybrid_begin_mode(&problem.mode, &options);
    SaltusRun *copy = NULL;
    assert_int_equal(saltus_run_advance(h.run, 500.0), SALTUS_OK);
    assert_int_equal(saltus_run_copy(h.run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_solver(copy), SALTUS_SOLVER_RODAS);
    assert_int_equal(saltus_run_advance(h.run, 1000.0), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 1000.0), SALTUS_OK);
    assert_memory_equal(saltus_run_states(h.run), saltus_run_states(copy), 2 * sizeof(double));
    saltus_run_destroy(copy);
    hybrid_end(&h);
}

static int oscillate(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -100.0 * x[0] - 0.01 * x[1];
    return 0;
}

// What is fast but not stiff stays with explicit solvers, and a long way without events goes to the
// one of higher order. (With 1e-2 the method itself damps the
// oscillation until nothing but stability is left to limit the steps: stiff, indeed.)
static void not_stiff(void **state)
{
    (void)state;
    static const double start[] = {1.0, 0.0};
    const SaltusModeDef mode = hybrid_mode("oscillator", 2, start, oscillate, 0, NULL, NULL);
    for (double tolerance = 1e-4; tolerance > 1e-12; tolerance *= 1e-3) {
        const SaltusOptions options = options_with(tolerance, tolerance);
        Hybrid h = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(h.run, 100.0), SALTUS_OK);
        assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_DOP853);
        hybrid_end(&h);
    }
}

static int look_at_zero(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    return 0;
}

static void turn_back(SaltusEvent *event)
{
    event->x[1] = -event->x[1];
}

// Where events cut the way into short pieces, the lower order stays.
static void many_events(void **state)
{
    (void)state;
    static const double start[] = {1.0, 0.0};
    const SaltusEventDef event = {.name = "zero", .direction = SALTUS_FALLING, .action = turn_back};
    const SaltusModeDef mode =
        hybrid_mode("oscillator", 2, start, oscillate, 1, &event, look_at_zero);
    const SaltusOptions options = options_with(1e-6, 1e-6);
    Hybrid h = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(h.run, 100.0), SALTUS_OK);
    assert_int_equal(saltus_run_statistics(h.run).events, 318); // at (2 k + 1) pi / 20
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_DOPRI5);
    hybrid_end(&h);
}

static int follow(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)z;
    dx[0] = -(t < 5.0 ? 1e4 : 1.0) * (x[0] - cos(x[2])); // stiff for a while
    dx[1] = -9.81 * sin(x[2]);
    dx[2] = x[1];
    return 0;
}

static Hybrid run_to(const SaltusModeDef *mode, const SaltusOptions *options, double t)
{
    Hybrid h = hybrid_begin_mode(mode, options);
    assert_int_equal(saltus_run_advance(h.run, t), SALTUS_OK);
    return h;
}

// From implicit solvers it goes back when they are not needed any more.
static void stiff_for_a_while(void **state)
{
    (void)state;
    static const double start[] = {0.0, 0.0, 1.0};
    const SaltusModeDef mode = hybrid_mode("follower", 3, start, follow, 0, NULL, NULL);
    const SaltusOptions options = options_with(1e-6, 1e-9), tight = options_with(1e-12, 1e-14);
    Hybrid h = hybrid_begin_mode(&mode, &options), reference = run_to(&mode, &tight, 100.0);
    assert_int_equal(saltus_run_advance(h.run, 4.0), SALTUS_OK);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
    assert_int_equal(saltus_run_advance(h.run, 100.0), SALTUS_OK);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_DOP853);
    // the phase of 48 swings adds up the errors of about 1000 steps
    for (int i = 0; i < 3; i++)
        assert_true(fabs(saltus_run_states(h.run)[i] - saltus_run_states(reference.run)[i]) < 1e-3);
    hybrid_end(&h);
    hybrid_end(&reference);
}

static int ring(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -100.0 * x[1] - 1e6 * (x[0] + 0.1 * x[0] * x[0] * x[0] - x[2]);
    dx[2] = -0.1 * x[2] * x[2];
    return 0;
}

// A fast oscillation that has died out is stiff, although its eigenvalues, -50 and 1000 i, are far
// from where the test for stiffness looks: the negative real axis.
static void oscillation_that_died(void **state)
{
    (void)state;
    static const double start[] = {0.0, 0.0, 1.0};
    const SaltusModeDef mode = hybrid_mode("ringing", 3, start, ring, 0, NULL, NULL);
    const SaltusOptions options = options_with(1e-6, 1e-9);
    SaltusOptions one = options;
    one.method.solver = SALTUS_SOLVER_DOPRI5;
    Hybrid h = run_to(&mode, &options, 20.0), slow = run_to(&mode, &one, 20.0);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
    assert_true(saltus_run_statistics(h.run).f_evaluations <
                saltus_run_statistics(slow.run).f_evaluations / 3);
    assert_true(fabs(saltus_run_states(h.run)[2] - 1.0 / 3.0) < 1e-5); // 1/(1 + 0.1 t)
    hybrid_end(&h);
    hybrid_end(&slow);
}

static int look_at_clock(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    (void)c, (void)x, (void)z;
    h[0] = sin(M_PI * t / 0.2);
    return 0;
}

static void kick(SaltusEvent *event)
{
    event->x[2] += 1e-10; // far below the tolerance
}

static int ring_driven(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)c, (void)z;
    dx[0] = -50.0 * (x[0] - x[2]) - 1000.0 * x[1];
    dx[1] = 1000.0 * (x[0] - x[2]) - 50.0 * x[1];
    dx[2] = 30.0 * cos(30.0 * t);
    return 0;
}

// A driven one with an event every 0.2 s, for which dopri5 needs about 70 steps and rodas 20,
// no more than a trial: what is learnt about solvers is not lost at events.
static void stiff_with_events(void **state)
{
    (void)state;
    static const double start[] = {0.0, 0.0, 1.0};
    const SaltusEventDef event = {.name = "clock", .direction = SALTUS_BOTH, .action = kick};
    const SaltusModeDef mode =
        hybrid_mode("ringing", 3, start, ring_driven, 1, &event, look_at_clock);
    const SaltusOptions options = options_with(1e-6, 1e-6);
    SaltusOptions one = options;
    one.method.solver = SALTUS_SOLVER_RODAS;
    Hybrid h = run_to(&mode, &options, 30.05), best = run_to(&mode, &one, 30.05);
    assert_int_equal(saltus_run_statistics(h.run).events, 150);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
    assert_true((double)saltus_run_statistics(h.run).f_evaluations <
                1.3 * (double)saltus_run_statistics(best.run).f_evaluations);
    hybrid_end(&h);
    hybrid_end(&best);
}

static void go_to_other(SaltusEvent *event)
{
    saltus_switch_mode(event, 1 - event->mode);
}

static int always_follow(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    return follow(c, t < 5.0 ? t : 0.0, x, z, dx);
}

static int swing(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    follow(c, t, x, z, dx);
    dx[0] = 0.0;
    return 0;
}

// Two modes in turn: each keeps its own solver, which does not have to be found in each visit.
static void two_modes(void **state)
{
    (void)state;
    static const double start[] = {1.0, 0.0, 1.0};
    const SaltusEventDef event = {.name = "clock", .direction = SALTUS_BOTH, .action = go_to_other};
    const SaltusModeDef modes[] = {
        hybrid_mode("follower", 3, start, always_follow, 1, &event, look_at_clock),
        hybrid_mode("swing", 3, start, swing, 1, &event, look_at_clock)};
    const SaltusSystemDef def = hybrid_system(2, modes);
    const SaltusOptions options = options_with(1e-6, 1e-6);
    Hybrid h = hybrid_begin(&def, &options);
    // From 0.2 to 0.4 s, 0.6 to 0.8 s and so on it swings.
    assert_int_equal(saltus_run_advance(h.run, 40.1), SALTUS_OK);
    assert_int_equal(saltus_run_mode(h.run), 0);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
    assert_int_equal(saltus_run_advance(h.run, 40.3), SALTUS_OK);
    assert_int_equal(saltus_run_mode(h.run), 1);
    assert_int_not_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
    // An explicit solver takes 600 steps in a visit, rodas at most 30, and 100 visits there are.
    assert_in_range(saltus_run_statistics(h.run).steps, 100, 6000);
    hybrid_end(&h);
}

enum { MANY = 40 };

// Rates from 1 to 8000.
static int follow_all(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)c, (void)z;
    for (int i = 0; i < MANY; i++)
        dx[i] = -pow(10.0, 0.1 * i) * (x[i] - cos(t));
    return 0;
}

// Where an evaluation is dear, the method that evaluates least goes on: rodas takes 8 and one for
// each column of the matrix in a step.
static void dear_evaluations(void **state)
{
    (void)state;
    for (int is_dear = 0; is_dear < 2; is_dear++) {
        static const double start[MANY];
        SaltusModeDef mode = hybrid_mode("followers", MANY, start, follow_all, 0, NULL, NULL);
        mode.hints.evaluation_cost = is_dear ? 1e6 : 10.0 * MANY;
        const SaltusOptions options = options_with(1e-6, 1e-6);
        Hybrid h = run_to(&mode, &options, 100.0);
        assert_int_equal(saltus_run_solver(h.run),
                         is_dear ? SALTUS_SOLVER_CVODE : SALTUS_SOLVER_RODAS);
        hybrid_end(&h);
    }
}

// Large problems go to cvode.
static void large(void **state)
{
    (void)state;
    Heat heat;
    heat_create(&heat, 46, HEAT_ODE, true); // 2116 states
    heat.mode.name = "heat";
    const SaltusOptions options = options_with(1e-4, 1e-4);
    Hybrid h = hybrid_begin_mode(&heat.mode, &options);
    assert_int_equal(saltus_run_advance(h.run, 20.0), SALTUS_OK);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_CVODE);
    hybrid_end(&h);
    heat_destroy(&heat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robertson),
        cmocka_unit_test(van_der_pol),
        cmocka_unit_test(copies),
        cmocka_unit_test(not_stiff),
        cmocka_unit_test(many_events),
        cmocka_unit_test(stiff_for_a_while),
        cmocka_unit_test(oscillation_that_died),
        cmocka_unit_test(stiff_with_events),
        cmocka_unit_test(two_modes),
        cmocka_unit_test(dear_evaluations),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
