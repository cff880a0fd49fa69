// SPDX-License-Identifier: MIT
//
// Linear algebra of the SUNDIALS solvers: dense and KLU solve the same systems, and a changed
// pivot order is found.

#include "base/memory.h"
#include "solvers/sundials_linear.h"
#include "support/heat.h"
#include "support/integrate.h"
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// One linear system
// ---------------------------------------------------------------------------

typedef struct System {
    Integration it;
    SUNContext context;
    N_Vector x, b;
    SundialsLinear linear;
} System;

static void system_create(System *s, const SaltusModeDef *mode, bool reduced)
{
    SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-6, 0.0);
    if (mode->residual)
        method.solver = SALTUS_SOLVER_IDA;
    *s = (System){0};
    assert_int_equal(integration_begin(&s->it, mode, &method, 0.0), 0);
    assert_int_equal(SUNContext_Create(NULL, &s->context), 0);
    int n = reduced ? s->it.problem->nx : s->it.problem->n;
    s->x = N_VNew_Serial(n, s->context);
    s->b = N_VNew_Serial(n, s->context);
    assert_true(sundials_linear_create(&s->linear, s->it.problem, s->x, reduced, s->context));
}

static void system_destroy(System *s)
{
    sundials_linear_destroy(&s->linear);
    N_VDestroy(s->x);
    N_VDestroy(s->b);
    SUNContext_Free(&s->context);
    integration_end(&s->it);
}

static void solve(System *s)
{
    double *b = N_VGetArrayPointer(s->b);
    for (int i = 0; i < s->linear.n; i++)
        b[i] = cos(i);
    assert_int_equal(SUNLinSolSetup(s->linear.solver, s->linear.matrix), 0);
    assert_int_equal(SUNLinSolSolve(s->linear.solver, s->linear.matrix, s->x, s->b, 0.0), 0);
}

// (I - gamma J) x = b, in both storages: the same x up to rounding, which a condition of 1e3
// amplifies.
static void dense_and_sparse(void **state)
{
    (void)state;
    const int m = 8, n = m * m;
    double *jacobian = calloc((size_t)(n * n), sizeof *jacobian);
    Heat dense_heat, sparse_heat;
    System dense, sparse;
    heat_create(&dense_heat, m, HEAT_ODE, false);
    heat_create(&sparse_heat, m, HEAT_ODE, true);
    system_create(&dense, &dense_heat.mode, true);
    system_create(&sparse, &sparse_heat.mode, true);
    assert_false(dense.linear.is_sparse);
    assert_true(sparse.linear.is_sparse);
    for (double gamma = 1e-3; gamma < 1e4; gamma *= 10.0) {
        System *both[] = {&dense, &sparse};
        for (int i = 0; i < 2; i++) {
            System *s = both[i];
            assert_int_equal(jacobian_evaluate(s->linear.jacobian, 0.0, s->it.solver->x, NULL, NULL,
                                               0.0, jacobian),
                             0);
            SUNMatZero(s->linear.matrix); // SUNDIALS does so
            sundials_linear_shift(&s->linear, gamma, jacobian);
            solve(s);
        }
        const double *a = N_VGetArrayPointer(dense.x), *b = N_VGetArrayPointer(sparse.x);
        for (int i = 0; i < n; i++)
            assert_true(fabs(a[i] - b[i]) < 1e5 * DBL_EPSILON);
    }
    system_destroy(&dense);
    system_destroy(&sparse);
    heat_destroy(&dense_heat);
    heat_destroy(&sparse_heat);
    free(jacobian);
}

enum { PAIRED = 40 };

static int paired_residual(const SaltusContext *c, double t, const double *x, const double *z,
                           const double *dx, double *r)
{
    (void)c, (void)t, (void)z;
    for (int i = 0; i < PAIRED; i++)
        r[i] = dx[i] + x[i] + x[i ^ 1];
    return 0;
}

// Pairs of unknowns: first (1, 0; 0, 1), then (0, 1; 1, 0), for which the pivot order of
// before meets zeros; then a matrix that is singular, and one that is not.
static void pivot_order_changes(void **state)
{
    (void)state;
    int start[PAIRED + 1], rows[2 * PAIRED];
    for (int c = 0; c < PAIRED; c++) {
        start[c] = 2 * c;
        rows[2 * c] = c / 2 * 2;
        rows[2 * c + 1] = c / 2 * 2 + 1;
    }
    start[PAIRED] = 2 * PAIRED;
    SaltusSparsity sparsity = {start, rows};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "pairs";
    mode.state_count = PAIRED;
    mode.residual = paired_residual;
    mode.hints.sparsity = &sparsity;
    System s;
    system_create(&s, &mode, false);
    assert_true(s.linear.is_sparse);

    double *values = sundials_linear_values(&s.linear);
    const double *x = N_VGetArrayPointer(s.x);
    for (int round = 0; round < 4; round++) {
        for (int c = 0; c < PAIRED; c++) {
            double first = round % 2 == c % 2 ? 1.0 : 0.0;
            values[2 * c] = first;
            values[2 * c + 1] = 1.0 - first;
        }
        // The linear solver is told to begin anew, as at a restart of the integrator.
        SUNLinSolInitialize(s.linear.solver);
        solve(&s);
        for (int i = 0; i < PAIRED; i++)
            assert_true(x[i] == cos(round % 2 == 0 ? i : i ^ 1));
    }
    memset(values, 0, 2 * PAIRED * sizeof *values);
    assert_true(SUNLinSolSetup(s.linear.solver, s.linear.matrix) != 0);
    for (int c = 0; c < PAIRED; c++) {
        values[2 * c] = c % 2 == 0 ? 2.0 : 0.0;
        values[2 * c + 1] = c % 2 == 0 ? 0.0 : 2.0;
    }
    solve(&s);
    for (int i = 0; i < PAIRED; i++)
        assert_true(x[i] == 0.5 * cos(i));
    system_destroy(&s);
}

// A zero pivot of a dense matrix names its column.
static void singular_dense(void **state)
{
    (void)state;
    Heat heat;
    System s;
    heat_create(&heat, 2, HEAT_ODE, true);
    system_create(&s, &heat.mode, true);
    assert_false(s.linear.is_sparse); // too small
    double *values = sundials_linear_values(&s.linear);
    memset(values, 0, 16 * sizeof *values);
    values[0] = values[5] = values[15] = 1.0;
    assert_true(SUNLinSolSetup(s.linear.solver, s.linear.matrix) > 0);
    assert_int_equal(SUNLinSolLastFlag(s.linear.solver), 3);
    system_destroy(&s);
    heat_destroy(&heat);
}

// ---------------------------------------------------------------------------
// Whole integrations
// ---------------------------------------------------------------------------

// With KLU and dense the results differ by what rounding makes of the step sizes: by much less
// than the tolerance. The coloured differences of the sparse one need far fewer evaluations.
static void heat_equation(void **state)
{
    (void)state;
    static const struct {
        SaltusSolver solver;
        HeatForm form;
    } cases[] = {
        {SALTUS_SOLVER_CVODE, HEAT_ODE},           {SALTUS_SOLVER_IDA, HEAT_ODE},
        {SALTUS_SOLVER_IDA, HEAT_SEMI_EXPLICIT},   {SALTUS_SOLVER_IDA, HEAT_IMPLICIT},
        {SALTUS_SOLVER_CVODE, HEAT_SEMI_EXPLICIT},
    };
    enum { M = 7, CELLS = M * M };
    const double tolerance = 1e-6;
    double reference[2 * CELLS];
    Heat heat;
    heat_create(&heat, M, HEAT_ODE, false);
    SaltusMethod exact = method_of(SALTUS_SOLVER_CVODE, 1e-10, 1e-10, 0.0);
    integrate(&heat.mode, &exact, 0.0, 3.0, reference);
    heat_destroy(&heat);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SaltusMethod method = method_of(cases[i].solver, tolerance, tolerance, 0.0);
        double x[2][2 * CELLS];
        long evaluations[2];
        for (int sparse = 0; sparse < 2; sparse++) {
            heat_create(&heat, M, cases[i].form, sparse);
            SaltusStatistics s = integrate(&heat.mode, &method, 0.0, 3.0, x[sparse]);
            evaluations[sparse] = s.f_evaluations;
            heat_destroy(&heat);
        }
        for (int k = 0; k < CELLS; k++) {
            assert_true(fabs(x[0][k] - x[1][k]) < 10.0 * tolerance);
            assert_true(fabs(x[1][k] - reference[k]) < 100.0 * tolerance);
        }
        assert_true(evaluations[1] < evaluations[0]);
    }
}

// Thousands of unknowns, which dense matrices would take minutes for.
static void large_heat_equation(void **state)
{
    (void)state;
    Heat heat;
    heat_create(&heat, 40, HEAT_ODE, true);
    double *x = calloc(1600, sizeof *x), *y = calloc(1600, sizeof *y);
    SaltusMethod method = method_of(SALTUS_SOLVER_CVODE, 1e-5, 1e-5, 0.0);
    integrate(&heat.mode, &method, 0.0, 1.0, x);
    method = method_of(SALTUS_SOLVER_IDA, 1e-5, 1e-5, 0.0);
    integrate(&heat.mode, &method, 0.0, 1.0, y);
    for (int i = 0; i < 1600; i++)
        assert_true(fabs(x[i] - y[i]) < 1e-3);
    free(x);
    free(y);
    heat_destroy(&heat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_and_sparse),    cmocka_unit_test(pivot_order_changes),
        cmocka_unit_test(singular_dense),      cmocka_unit_test(heat_equation),
        cmocka_unit_test(large_heat_equation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
