// SPDX-License-Identifier: MIT
//
// What rodas does when an evaluation fails, yields NaN, the matrix is singular, or the error
// cannot be made small: smaller steps, then a status and what failed where.

#include "solvers/rosenbrock.h"

#include "support/integrate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SolverKind *const kind = &solver_rodas;

// A tank that runs empty: x' = -sqrt(x), x = (1 - t / 2)^2, defined up to t = 2.
static int tank_that_fails(const SaltusContext *c, double t, const double *x, const double *z,
                           double *dx)
{
    (void)c, (void)t, (void)z;
    if (x[0] < 0.0)
        return 1;
    dx[0] = -sqrt(x[0]);
    return 0;
}

static int tank_with_nan(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -sqrt(x[0]);
    return 0;
}

static SaltusModeDef mode_with(SaltusRhs rhs)
{
    static const double start[1] = {1.0};
    static const char *const names[1] = {"level"};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.state_names = names;
    mode.start = start;
    mode.rhs = rhs;
    return mode;
}

static void test_steps_into_failure_are_taken_back(void **state)
{
    (void)state;
    static const SaltusRhs tanks[] = {tank_that_fails, tank_with_nan};
    for (int i = 0; i < 2; i++) {
        SaltusModeDef mode = mode_with(tanks[i]);
        SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-8, 1e-8, 50.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 1.5), 0);
        assert_true(it.statistics.rejected_steps > 0);
        // x' contracts errors; so they are at most the tolerance in each step.
        assert_true(fabs(it.solver->x[0] - 0.0625) < 1e-8 * (double)it.statistics.steps);
        // Beyond the end of the domain it cannot go.
        assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_EVALUATION);
        assert_int_equal(it.problem->failure.status, SALTUS_ERROR_EVALUATION);
        assert_true(fabs(it.solver->t - 2.0) < 0.05);
        assert_true(it.solver->dx[0] == -sqrt(it.solver->x[0]));
        integration_end(&it);
    }
}

static int fatal_after_one(const SaltusContext *c, double t, const double *x, const double *z,
                           double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = 1.0;
    return t > 1.0 ? -5 : 0;
}

static void test_fatal_failure_ends_at_once(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_with(fatal_after_one);
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-8, 1e-8, 0.3);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_EVALUATION);
    assert_int_equal(it.statistics.rejected_steps, 0);
    assert_true(it.solver->t <= 1.0 && fabs(it.solver->x[0] - 1.0 - it.solver->t) < 1e-12);
    integration_end(&it);
}

// x' = x^2 from 1 is infinite at t = 1.
static int blow_up(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[0] * x[0];
    return 0;
}

static void test_step_size_becomes_too_small(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_with(blow_up);
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-8, 1e-8, 0.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_STEP_SIZE);
    assert_string_equal(it.problem->failure.variable, "level");
    assert_true(fabs(it.solver->t - 1.0) < 1e-8 * (double)it.statistics.steps);
    integration_end(&it);
}

// x' = rate x: the matrix 1 / (h gamma) - rate is zero for one step size; a smaller one is taken.
static double rate = 1.0;

static int growth(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = rate * x[0];
    return 0;
}

static int growth_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                           double *j)
{
    (void)c, (void)t, (void)x, (void)z;
    j[0] = rate;
    return 0;
}

static void test_singular_for_one_step_size(void **state)
{
    (void)state;
    double step = 0.5;
    rate = 1.0 / (step * rosenbrock_rodas5p.gamma);
    SaltusModeDef mode = mode_with(growth);
    mode.jacobian = growth_jacobian;
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 10.0, 10.0, step);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_step(&it, 100.0), 0);
    assert_int_equal(it.statistics.rejected_steps, 1);
    assert_true(fabs(it.solver->t - 0.25 * step) < 1e-12);
    integration_end(&it);
}

// z = t
static int determined(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)x;
    g[0] = z[0] - t;
    return 0;
}

// 0 = 0 does not determine z.
static int undetermined(const SaltusContext *c, double t, const double *x, const double *z,
                        double *g)
{
    (void)c, (void)x, (void)z;
    g[0] = t - t;
    return 0;
}

static void test_singular_for_all(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_with(growth);
    mode.start = (const double[]){1.0, 0.0};
    mode.algebraic_count = 1;
    mode.algebraic_names = (const char *const[]){"force"};
    mode.algebraic = determined;
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 0.1);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    it.mode.algebraic = undetermined;
    assert_int_equal(kind->reset(it.solver, 0.0, it.solver->x, it.solver->z, NULL, 0.0), 0);
    assert_int_equal(integration_step(&it, 1.0), SALTUS_ERROR_SINGULAR);
    assert_int_equal(it.problem->failure.status, SALTUS_ERROR_SINGULAR);
    assert_string_equal(it.problem->failure.variable, "force");
    assert_true(it.solver->t == 0.0);
    integration_end(&it);
}

static int implicit_residual(const SaltusContext *c, double t, const double *x, const double *z,
                             const double *dx, double *r)
{
    (void)c, (void)t, (void)z;
    r[0] = dx[0] + x[0];
    return 0;
}

static void test_implicit_equations_are_refused(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_with(NULL);
    mode.residual = implicit_residual;
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 0.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), SALTUS_ERROR_SOLVER);
    integration_end(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_into_failure_are_taken_back),
        cmocka_unit_test(test_fatal_failure_ends_at_once),
        cmocka_unit_test(test_step_size_becomes_too_small),
        cmocka_unit_test(test_singular_for_one_step_size),
        cmocka_unit_test(test_singular_for_all),
        cmocka_unit_test(test_implicit_equations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
