// SPDX-License-Identifier: MIT
//
// rodas as a solver: orders for ODE and DAE, costs, dense output and closing steps of DAE. What all
// one-step solvers do: test_one_step.c; failures: test_rosenbrock_failures.c; stiff problems:
// test_rosenbrock_stiff.c; coefficients: test_rosenbrock_tableau.c.

#include "solvers/rosenbrock.h"

#include "support/integrate.h"
#include "support/smooth.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const SolverKind *const kind = &solver_RODAS;

// An index-1 problem that was made for x = sin t, z = cos t:
//   x' = z + x^2 + z^2 - 1,   0 = z + z^3 - c - c^3 + (x - s) z,   s = sin t, c = cos t.
static int wave_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t;
    dx[0] = z[0] + x[0] * x[0] + z[0] * z[0] - 1.0;
    return 0;
}

static int wave_algebraic(const SaltusContext *c, double t, const double *x, const double *z,
                          double *g)
{
    (void)c;
    double co = cos(t), si = sin(t);
    g[0] = z[0] + z[0] * z[0] * z[0] - co - co * co * co + (x[0] - si) * z[0];
    return 0;
}

static int wave_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                         double *j)
{
    (void)c;
    j[0] = 2.0 * x[0];
    j[1] = z[0];
    j[2] = 1.0 + 2.0 * z[0];
    j[3] = 1.0 + 3.0 * z[0] * z[0] + x[0] - sin(t);
    return 0;
}

static SaltusModeDef wave(void)
{
    static const double start[2] = {0.0, 1.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = mode.algebraic_count = 1;
    mode.start = start;
    mode.rhs = wave_rhs;
    mode.algebraic = wave_algebraic;
    mode.hints.jacobian = wave_jacobian;
    return mode;
}

// ---------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------

static void test_kind_agrees_with_tableau(void **state)
{
    (void)state;
    assert_int_equal(kind->order, rosenbrock_rodas5p.order);
    assert_int_equal(kind->dense_order, rosenbrock_rodas5p.dense_order);
    assert_true(kind->traits & SOLVER_ONE_STEP);
    assert_true(kind->traits & SOLVER_DAE);
}

// Root mean square of the errors at the ends of n equal steps.
static double trajectory_error(int n)
{
    double t_end = 2.0, sum = 0.0;
    SaltusModeDef mode = smooth_mode_with_jacobian();
    SaltusMethod method = method_of_steps(SALTUS_SOLVER_RODAS, (t_end - SMOOTH_START) / n);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    while (it.solver->t < t_end) {
        assert_int_equal(integration_step(&it, t_end), 0);
        double error = smooth_error(it.solver->t, it.solver->x);
        sum += error * error;
    }
    assert_int_equal(it.statistics.steps, n);
    integration_end(&it);
    return sqrt(sum / n);
}

static void test_order(void **state)
{
    (void)state;
    double errors[3];
    for (int i = 0; i < 3; i++)
        errors[i] = trajectory_error(60 << i);
    assert_true(fabs(observed_order(errors, 3) - 5.0) < 0.1);
}

// The smooth problem with its logarithms as algebraic variables:
//   x1' = 2 t x1 z1,  x2' = -2 t x2 z2,  0 = exp(z1) - x2,  0 = exp(z2) - x1.
static int logarithms_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)c;
    dx[0] = 2.0 * t * x[0] * z[0];
    dx[1] = -2.0 * t * x[1] * z[1];
    return 0;
}

static int logarithms_algebraic(const SaltusContext *c, double t, const double *x, const double *z,
                                double *g)
{
    (void)c, (void)t;
    g[0] = exp(z[0]) - x[1];
    g[1] = exp(z[1]) - x[0];
    return 0;
}

static int logarithms_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                               double *j)
{
    (void)c;
    memset(j, 0, 16 * sizeof *j);
    j[0] = 2.0 * t * z[0];
    j[3] = -1.0;
    j[5] = -2.0 * t * z[1];
    j[6] = -1.0;
    j[8] = 2.0 * t * x[0];
    j[10] = exp(z[0]);
    j[13] = -2.0 * t * x[1];
    j[15] = exp(z[1]);
    return 0;
}

static SaltusModeDef logarithms(void)
{
    static double start[4];
    smooth_solution(SMOOTH_START, start);
    start[2] = log(start[1]);
    start[3] = log(start[0]);
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = mode.algebraic_count = 2;
    mode.start = start;
    mode.rhs = logarithms_rhs;
    mode.algebraic = logarithms_algebraic;
    mode.hints.jacobian = logarithms_jacobian;
    return mode;
}

static double logarithms_error(double t, const double *z)
{
    return fmax(fabs(z[0] - cos(t * t)), fabs(z[1] - sin(t * t)));
}

// Root mean square of the errors of x and z at the ends of n equal steps.
static void dae_errors(int n, double *x_error, double *z_error)
{
    double t_end = 3.0;
    SaltusModeDef mode = logarithms();
    SaltusMethod method = method_of_steps(SALTUS_SOLVER_RODAS, (t_end - SMOOTH_START) / n);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    *x_error = *z_error = 0.0;
    while (it.solver->t < t_end) {
        assert_int_equal(integration_step(&it, t_end), 0);
        double ex = smooth_error(it.solver->t, it.solver->x);
        double ez = logarithms_error(it.solver->t, it.solver->z);
        *x_error += ex * ex;
        *z_error += ez * ez;
    }
    integration_end(&it);
    *x_error = sqrt(*x_error / n);
    *z_error = sqrt(*z_error / n);
}

// Differential and algebraic variables alike.
static void test_order_for_dae(void **state)
{
    (void)state;
    double x_errors[3], z_errors[3];
    for (int i = 0; i < 3; i++)
        dae_errors(240 << i, &x_errors[i], &z_errors[i]);
    assert_true(fabs(observed_order(x_errors, 3) - 5.0) < 0.1);
    assert_true(fabs(observed_order(z_errors, 3) - 5.0) < 0.1);
}

// The largest errors of x and z inside of one step from the exact solution.
static void dense_errors(double h, double *x_error, double *z_error)
{
    SaltusModeDef mode = logarithms();
    SaltusMethod method = method_of_steps(SALTUS_SOLVER_RODAS, h);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    assert_int_equal(integration_step(&it, 10.0), 0);
    *x_error = *z_error = 0.0;
    for (int i = 1; i < 20; i++) {
        double t = SMOOTH_START + h * i / 20.0, x[2], z[2];
        assert_int_equal(kind->interpolate(it.solver, t, x, z), 0);
        *x_error = fmax(*x_error, smooth_error(t, x));
        *z_error = fmax(*z_error, logarithms_error(t, z));
    }
    integration_end(&it);
}

// Of order 4: states have a local error of order 5. Algebraic variables are not integrated, their
// local error is their error: order 4.
static void test_order_of_dense_output(void **state)
{
    (void)state;
    double x_errors[3], z_errors[3];
    for (int i = 0; i < 3; i++)
        dense_errors(0.02 / (1 << i), &x_errors[i], &z_errors[i]);
    assert_true(fabs(observed_order(x_errors, 3) - 5.0) < 0.1);
    assert_true(fabs(observed_order(z_errors, 3) - 4.0) < 0.1);
}

static void test_tolerance_is_kept(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    for (int k = 0; k < 8; k++) {
        double tolerance = tolerances[k / 2], end[2];
        SaltusModeDef mode = wave();
        if (k % 2)
            mode.hints.jacobian = NULL;
        SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, tolerance, tolerance, 0.0);
        SaltusStatistics statistics = integrate(&mode, &method, 0.0, 1.2, end);
        // Errors grow at most like exp of the integral of 2 x, 3.6; each step adds at most the
        // tolerance.
        double bound = 3.6 * 2.0 * tolerance * (double)statistics.steps;
        assert_true(fabs(end[0] - sin(1.2)) < bound);
        assert_true(fabs(end[1] - cos(1.2)) < bound);
        // The Jacobian by differences makes no more steps necessary.
        assert_true(statistics.rejected_steps <= 2);
    }
}

// The algebraic equations hold at the end of every step, to the tolerance.
static void test_algebraic_equations_hold(void **state)
{
    (void)state;
    SaltusModeDef mode = wave();
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 0.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    while (it.solver->t < 1.5) {
        assert_int_equal(integration_step(&it, 1.5), 0);
        double g, z = it.solver->z[0], slope = 1.0 + 3.0 * z * z;
        wave_algebraic(NULL, it.solver->t, it.solver->x, it.solver->z, &g);
        assert_true(fabs(g) < 1e-6 * slope * (1.0 + fabs(z)));
    }
    integration_end(&it);
}

// ---------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------

static void test_first_and_longest_step(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode_with_jacobian();
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-2, 1e-2, 0.004);
    method.max_step = 0.01;
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    assert_int_equal(integration_step(&it, 1.5), 0);
    assert_true(fabs(it.solver->t - SMOOTH_START - 0.004) < 1e-15);
    while (it.solver->t < 1.5) {
        assert_int_equal(integration_step(&it, 1.5), 0);
        assert_true(it.solver->t - it.solver->t_old <= 0.01 * (1.0 + 2e-9));
    }
    integration_end(&it);
}

// ---------------------------------------------------------------------------
// Dense output and closing steps
// ---------------------------------------------------------------------------

static void test_interpolation_at_the_ends(void **state)
{
    (void)state;
    SaltusModeDef mode = wave();
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 0.1);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(integration_step(&it, 10.0), 0);
    const Solver *s = it.solver;
    double x, z, h = s->t - s->t_old;
    assert_int_equal(kind->interpolate(it.solver, s->t_old, &x, &z), 0);
    assert_true(x == s->x_old[0] && z == s->z_old[0]);
    assert_int_equal(kind->interpolate(it.solver, s->t, &x, &z), 0);
    assert_true(x == s->x[0] && z == s->z[0]);
    assert_int_equal(kind->interpolate(it.solver, s->t - 1e-12 * h, &x, &z), 0);
    assert_true(fabs(x - s->x[0]) < 1e-11 && fabs(z - s->z[0]) < 1e-11);
    assert_int_equal(kind->interpolate(it.solver, s->t_old + 1e-12 * h, &x, &z), 0);
    assert_true(fabs(x - s->x_old[0]) < 1e-11 && fabs(z - s->z_old[0]) < 1e-11);
    integration_end(&it);
}

// A step: 7 stages, the end, and 2 for d/dt (1 where nothing depends on t); the first one also a
// look at its middle. A closing step: the stages alone, with the Jacobian that is there. Dense
// output: nothing.
static void test_evaluations(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode_with_jacobian();
    SaltusMethod method = method_of_steps(SALTUS_SOLVER_RODAS, 0.05);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    assert_int_equal(it.statistics.f_evaluations, 1);
    for (int i = 1; i <= 5; i++) {
        assert_int_equal(integration_step(&it, 10.0), 0);
        assert_int_equal(it.statistics.f_evaluations, 2 + 10 * i);
        assert_int_equal(it.statistics.jacobians, i);
        assert_int_equal(it.statistics.factorizations, i);
    }
    double x[2], t = it.solver->t - 0.02;
    assert_int_equal(kind->interpolate(it.solver, t, x, NULL), 0);
    assert_int_equal(it.statistics.f_evaluations, 52);
    assert_int_equal(kind->closing_step(it.solver, t, x, NULL), 0);
    assert_int_equal(it.statistics.f_evaluations, 59);
    assert_int_equal(it.statistics.jacobians, 5);
    assert_int_equal(it.statistics.factorizations, 6);
    assert_int_equal(it.statistics.closing_steps, 1);
    integration_end(&it);
}

// Closing steps end on the solution, with the method's order and both kinds of variables.
static void test_closing_step_for_dae(void **state)
{
    (void)state;
    SaltusModeDef mode = wave();
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-8, 1e-8, 0.05);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_step(&it, 10.0), 0);
    for (int i = 1; i < 10; i++) {
        double t = it.solver->t * i / 10.0, x, z;
        assert_int_equal(kind->closing_step(it.solver, t, &x, &z), 0);
        assert_true(fabs(x - sin(t)) < 2e-8 && fabs(z - cos(t)) < 2e-8);
    }
    integration_end(&it);
}

// ---------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------

static void test_no_allocation(void **state)
{
    (void)state;
    SaltusModeDef mode = wave();
    mode.hints.jacobian = NULL;
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 0.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    IntegrationRation ration;
    integration_ration(&it, &ration);
    for (int i = 0; i < 5; i++) {
        double x, z;
        assert_int_equal(integration_step(&it, 10.0), 0);
        double middle = 0.5 * (it.solver->t_old + it.solver->t);
        assert_int_equal(kind->interpolate(it.solver, middle, &x, &z), 0);
        assert_int_equal(kind->closing_step(it.solver, middle, &x, &z), 0);
        assert_int_equal(kind->state_changed(it.solver), 0);
    }
    assert_int_equal(kind->reset(it.solver, it.solver->t, it.solver->x, it.solver->z, NULL, 0.0),
                     0);
    assert_int_equal(ration.calls, 0);
    integration_ration_end(&it, &ration);
    integration_end(&it);
}

// ---------------------------------------------------------------------------
// Joint evaluation
// ---------------------------------------------------------------------------

// x' = z, z = -x, as sin and cos: x = cos t, with y = (x, v): z = (-x).
static int joint(const SaltusContext *c, double t, const double *x, const double *z_guess,
                 const SaltusValues *out)
{
    (void)c, (void)t, (void)z_guess;
    if (out->z)
        out->z[0] = -x[0];
    if (out->dx) {
        out->dx[0] = x[1];
        out->dx[1] = -x[0];
    }
    return 0;
}

static void test_joint_evaluation(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 2;
    mode.algebraic_count = 1;
    mode.start = (const double[]){1.0, 0.0, -1.0};
    mode.evaluate = joint;
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-8, 1e-8, 0.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    while (it.solver->t < 5.0) {
        assert_int_equal(integration_step(&it, 5.0), 0);
        assert_true(it.solver->z[0] == -it.solver->x[0]);
        double x[2], z, middle = 0.5 * (it.solver->t_old + it.solver->t);
        assert_int_equal(kind->interpolate(it.solver, middle, x, &z), 0);
        assert_true(z == -x[0]);
        assert_int_equal(kind->closing_step(it.solver, middle, x, &z), 0);
        assert_true(z == -x[0]);
    }
    assert_true(fabs(it.solver->x[0] - cos(5.0)) < 1e-8 * (double)it.statistics.steps);
    integration_end(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kind_agrees_with_tableau),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_order_for_dae),
        cmocka_unit_test(test_order_of_dense_output),
        cmocka_unit_test(test_tolerance_is_kept),
        cmocka_unit_test(test_algebraic_equations_hold),
        cmocka_unit_test(test_first_and_longest_step),
        cmocka_unit_test(test_interpolation_at_the_ends),
        cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_closing_step_for_dae),
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_joint_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
