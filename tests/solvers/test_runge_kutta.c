// SPDX-License-Identifier: MIT
//
// The explicit solvers as solvers: order, exactness, grids, costs. What all one-step solvers do:
// test_one_step.c; failing evaluations: test_rejection.c; algebraic variables:
// test_stage_algebraics.c.

#include "solvers/runge_kutta.h"

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

static const SolverKind *const kinds[] = {&solver_EULER, &solver_HEUN, &solver_RK4, &solver_DOPRI5,
                                          &solver_DOP853};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void test_kinds_agree_with_tableaux(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        const Tableau *tableau = tableau_of(kinds[k]->id);
        assert_non_null(tableau);
        assert_int_equal(tableau->order, kinds[k]->order);
        assert_int_equal(tableau->dense_order, kinds[k]->dense_order);
        assert_true(kinds[k]->traits & SOLVER_ONE_STEP);
    }
}

// ---------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------

// Root mean square of the errors at the ends of n equal steps up to t_end. (The error at the
// end alone may happen to be small.)
static double trajectory_error(const SolverKind *kind, double t_end, int n)
{
    SaltusModeDef mode = smooth_mode();
    SaltusMethod method = method_of_steps(kind->id, (t_end - SMOOTH_START) / n);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    double sum = 0.0;
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
    // dop853 is at rounding before its error is asymptotic on the shorter interval.
    static const int steps[KINDS] = {256, 128, 64, 40, 12};
    for (int k = 0; k < KINDS; k++) {
        double t_end = kinds[k]->order < 8 ? 1.5 : 2.25, errors[3];
        for (int i = 0; i < 3; i++)
            errors[i] = trajectory_error(kinds[k], t_end, steps[k] << i);
        assert_true(fabs(observed_order(errors, 3) - kinds[k]->order) < 0.1);
    }
}

static int polynomial_degree;

// x = (1 + t)^degree
static int polynomial(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = polynomial_degree * pow(1.0 + t, polynomial_degree - 1);
    return 0;
}

static double polynomial_error(const SolverKind *kind, int degree, bool inside)
{
    polynomial_degree = degree;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.rhs = polynomial;
    mode.start = (const double[]){1.0};
    SaltusMethod method = method_of_steps(kind->id, 0.5);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_step(&it, 0.5), 0);
    double most = 0.0;
    for (int i = 1; i <= 8; i++) {
        double t = 0.0625 * i, x;
        assert_int_equal(kind->interpolate(it.solver, t, &x, NULL), 0);
        if (inside || i == 8)
            most = fmax(most, fabs(x - pow(1.0 + t, degree)));
    }
    integration_end(&it);
    return most;
}

// A method of order p integrates polynomials of degree p exactly, and not p + 1; so does dense
// output with its order. The bound is rounding of numbers up to 1.5^8 = 26, and of dop853's
// coefficients up to 500.
static void test_exact_for_polynomials(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        double rounding = kinds[k]->order < 8 ? 1e-14 : 1e-12;
        int order = kinds[k]->order, dense_order = kinds[k]->dense_order;
        assert_true(polynomial_error(kinds[k], order, false) < rounding);
        assert_true(polynomial_error(kinds[k], order + 1, false) > 1e-9);
        assert_true(polynomial_error(kinds[k], dense_order, true) < rounding);
        assert_true(polynomial_error(kinds[k], dense_order + 1, true) > 1e-9);
    }
}

// ---------------------------------------------------------------------------
// Limits and grids
// ---------------------------------------------------------------------------

static void test_max_step(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = smooth_mode();
        SaltusMethod method = method_of(kinds[k]->id, 1e-2, 1e-2, 0.1);
        method.max_step = 0.01;
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
        while (it.solver->t < 1.5) {
            assert_int_equal(integration_step(&it, 1.5), 0);
            assert_true(it.solver->t - it.solver->t_old <= 0.01 * (1.0 + 2e-9));
        }
        assert_int_equal(it.statistics.steps, 100); // and no splinter at the end
        integration_end(&it);
    }
}

static int constant(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 1.0;
    return 0;
}

static SaltusModeDef constant_mode(void)
{
    static const double start[1] = {0.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.rhs = constant;
    mode.start = start;
    return mode;
}

static void test_fixed_grid_does_not_drift(void **state)
{
    (void)state;
    SaltusModeDef mode = constant_mode();
    SaltusMethod method = method_of(SALTUS_SOLVER_RK4, 1e-6, 1e-9, 0.1);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.25), 0);
    for (int i = 1; i <= 10000; i++) {
        assert_int_equal(integration_step(&it, 1e6), 0);
        assert_true(it.solver->t == 0.25 + i * 0.1);
        assert_true(it.solver->step_next == 0.1);
    }
    integration_end(&it);
}

// A limit cuts a step; the next one ends on the grid again. A limit next to a grid point stands
// for it: no step for the rest.
static void test_fixed_grid_after_limits(void **state)
{
    (void)state;
    SaltusModeDef mode = constant_mode();
    SaltusMethod method = method_of(SALTUS_SOLVER_EULER, 1e-6, 1e-9, 0.25);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    static const double limits[] = {10.0, 0.3, 10.0, 0.75 - 1e-12, 10.0, 1.25 + 1e-12, 10.0};
    static const double ends[] = {0.25, 0.3, 0.5, 0.75 - 1e-12, 1.0, 1.25 + 1e-12, 1.5};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(integration_step(&it, limits[i]), 0);
        assert_true(it.solver->t == ends[i]);
        assert_true(fabs(it.solver->x[0] - ends[i]) < 1e-15);
    }
    integration_end(&it);
}

static void test_fixed_step_needs_a_step(void **state)
{
    (void)state;
    SaltusModeDef mode = constant_mode();
    static const double steps[] = {0.0, -0.1, NAN};
    for (int i = 0; i < 3; i++) {
        SaltusMethod method = method_of(SALTUS_SOLVER_HEUN, 1e-6, 1e-9, steps[i]);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), SALTUS_ERROR_ARGUMENT);
        assert_non_null(it.problem->failure.what);
        integration_end(&it);
    }
}

static void test_fixed_step_below_resolution(void **state)
{
    (void)state;
    SaltusModeDef mode = constant_mode();
    SaltusMethod method = method_of(SALTUS_SOLVER_EULER, 1e-6, 1e-9, 1e-9);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 1e10), 0);
    assert_int_equal(integration_step(&it, 2e10), SALTUS_ERROR_STEP_SIZE);
    assert_int_equal(it.problem->failure.status, SALTUS_ERROR_STEP_SIZE);
    integration_end(&it);
}

// ---------------------------------------------------------------------------
// Dense output and closing steps
// ---------------------------------------------------------------------------

// Right after a reset there is no step yet; its one point can be asked for.
static void test_interpolation_after_reset(void **state)
{
    (void)state;
    SaltusModeDef mode = constant_mode();
    SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-9, 0.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 3.0), 0);
    double x = 1.0;
    assert_int_equal(it.solver->kind->interpolate(it.solver, 3.0, &x, NULL), 0);
    assert_true(x == 0.0);
    assert_true(it.solver->dx[0] == 1.0);
    integration_end(&it);
}

// Evaluations per step: s, with k[0] from the step before; dop853's 3 more only if dense output
// is asked for, once per step.
static void test_evaluations(void **state)
{
    (void)state;
    static const long per_step[KINDS] = {1, 2, 4, 6, 12}, dense[KINDS] = {0, 0, 0, 0, 3};
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = smooth_mode();
        SaltusMethod method = method_of_steps(kinds[k]->id, 0.05);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
        assert_int_equal(it.statistics.f_evaluations, 1);
        for (int i = 1; i <= 5; i++) {
            assert_int_equal(integration_step(&it, 10.0), 0);
            assert_int_equal(it.statistics.f_evaluations, 1 + i * per_step[k]);
        }
        double x[2], t = it.solver->t - 0.02;
        for (int i = 0; i < 3; i++)
            assert_int_equal(kinds[k]->interpolate(it.solver, t, x, NULL), 0);
        assert_int_equal(it.statistics.f_evaluations, 1 + 5 * per_step[k] + dense[k]);
        assert_int_equal(kinds[k]->closing_step(it.solver, t, x, NULL), 0);
        assert_int_equal(it.statistics.f_evaluations, 6 * per_step[k] + dense[k]);
        assert_int_equal(it.statistics.closing_steps, 1);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Hénon's trick with a free step
// ---------------------------------------------------------------------------

// A ball falls from 1 with g = 9.81; the independent variable is its height s:
// y = (t, v), dt/ds = 1 / v, dv/ds = -g / v.
static int falling(void *user, double s, const double *y, double *dy)
{
    (void)user, (void)s;
    dy[0] = 1.0 / y[1];
    dy[1] = -9.81 / y[1];
    return 0;
}

static void test_free_step_to_an_event(void **state)
{
    (void)state;
    // One step from t = 0.4 to the impact at sqrt(2 / g), during which v changes by 13 %: the
    // error is of the size of that to the power of order + 1 and less.
    double t = 0.4, height = 1.0 - 0.5 * 9.81 * t * t, impact = sqrt(2.0 / 9.81);
    for (int k = 0; k < KINDS; k++) {
        double y[2] = {t, -9.81 * t}, y_new[2], work[2 * (TABLEAU_STAGES + 1)];
        assert_int_equal(runge_kutta_free_step(tableau_of(kinds[k]->id), falling, NULL, 2, height,
                                               -height, y, y_new, NULL, work),
                         0);
        double bound = pow(0.13, kinds[k]->order + 1);
        assert_true(fabs(y_new[0] - impact) < bound);
        assert_true(fabs(y_new[1] + 9.81 * impact) < 9.81 * bound);
    }
}

// x' = -k (x - cos t): for k = 1e4 the steps are limited by stability as soon as x follows the
// cosine, for k = 1 they never are.
static int follow(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    dx[0] = -c->p[0] * (x[0] - cos(t));
    return 0;
}

static void test_limited_by_stability(void **state)
{
    (void)state;
    static const double slow = 1.0, fast = 1e4;
    const double start = 1.0;
    const SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-9, 0.0);
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.start = &start;
    mode.rhs = follow;
    for (int k = 0; k < 2; k++) {
        Integration it;
        int limited = 0, steps = 0;
        assert_int_equal(integration_begin_with(&it, &mode, &method, 0.0, k ? &fast : &slow), 0);
        while (it.solver->t < (k ? 0.1 : 10.0)) {
            assert_int_equal(integration_step(&it, 10.0), 0);
            limited += runge_kutta_is_limited(it.solver);
            steps++;
        }
        // (The first steps, which are short, are not.)
        assert_true(k ? limited > steps - 20 : limited == 0);
        integration_end(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_agree_with_tableaux),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_exact_for_polynomials),
        cmocka_unit_test(test_max_step),
        cmocka_unit_test(test_fixed_grid_does_not_drift),
        cmocka_unit_test(test_fixed_grid_after_limits),
        cmocka_unit_test(test_fixed_step_needs_a_step),
        cmocka_unit_test(test_fixed_step_below_resolution),
        cmocka_unit_test(test_interpolation_after_reset),
        cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_free_step_to_an_event),
        cmocka_unit_test(test_limited_by_stability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
