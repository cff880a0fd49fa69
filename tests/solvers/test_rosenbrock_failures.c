// SPDX-License-Identifier: MIT
//
// What rodas does when its matrix is singular: smaller steps, then a status and what failed where.
// Failures that all one-step solvers share: test_rejection.c.

#include "solvers/rosenbrock.h"

#include "support/integrate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SolverKind *const kind = &solver_RODAS;

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
    mode.hints.jacobian = growth_jacobian;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_singular_for_one_step_size),
        cmocka_unit_test(test_singular_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
