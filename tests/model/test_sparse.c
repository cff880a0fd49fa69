// SPDX-License-Identifier: MIT
//
// Large models: sparse Jacobians for the implicit solvers, sparse matrices of algebraic blocks.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static void run_with(Trial *t, SaltusSolver solver, double tolerance, double stop_time)
{
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = tolerance;
    trial_options(t)->method.absolute_tolerance = tolerance;
    trial_options(t)->record = SALTUS_RECORD_EVENTS;
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
}

// v' = v_left - 2 v + v_right, zero at both ends, starts with the eigenvector sin(pi i / (n + 1)),
// which decays with the rate 4 sin^2(pi / (2 (n + 1))). The currents between the cells are
// unknowns. Errors of the steps do not add up, because all modes decay: 10 tolerances are enough.
static void ladder(void **state)
{
    (void)state;
    enum { N = 300 };
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE};
    for (int k = 0; k < 2; k++) {
        Trial *t = trial_text(
            "model Ladder constant Integer n = 300; Real v[n], i[n + 1]; initial equation "
            "for k in 1:n loop v[k] = sin(3.14159265358979323846 * k / (n + 1)); end for; equation "
            "i[1] = -v[1]; for k in 2:n loop i[k] = v[k - 1] - v[k]; end for; i[n + 1] = v[n]; "
            "for k in 1:n loop der(v[k]) = i[k] - i[k + 1]; end for; end Ladder;");
        run_with(t, solvers[k], 1e-6, 2000.0);
        const double half = sin(pi / (2.0 * (N + 1)));
        const double decay = exp(-4.0 * half * half * 2000.0);
        for (int i = 1; i <= N; i++) {
            char name[16];
            snprintf(name, sizeof name, "v[%d]", i);
            const double exact = decay * sin(pi * i / (N + 1));
            if (!(fabs(trial_value(t, name) - exact) <= 1e-5))
                fail_msg("%s = %.17g, not %.17g", name, trial_value(t, name), exact);
        }
        // Three colours, not 300 columns.
        const SaltusStatistics s = saltus_run_statistics(trial_get_run(t));
        assert_true(s.jacobians > 0);
        assert_true(s.f_evaluations < 20 * (s.steps + s.rejected_steps + s.jacobians));
        trial_end(t);
    }
}

// i j is a harmonic function on the grid: every value is the mean of its four neighbours. With its
// values on the rim, times exp(-t), linear equations give it inside, so do nonlinear ones for
// u = g(v). The equations are solved to rounding, with a condition of about n^2 / 2.
static void expect_grid(const char *g, double (*inverse)(double))
{
    enum { N = 40 };
    char text[1000];
    snprintf(text, sizeof text,
             "model Grid constant Integer n = %d; Real u[n, n], v[n, n](each start = 1), "
             "x(start = 1, fixed = true); equation der(x) = -x; "
             "for i in 1:n loop for j in 1:n loop u[i, j] = %s; end for; "
             "u[i, 1] = i * x / n ^ 2; u[i, n] = i * n * x / n ^ 2; end for; "
             "for j in 2:n - 1 loop u[1, j] = j * x / n ^ 2; u[n, j] = n * j * x / n ^ 2; "
             "for i in 2:n - 1 loop u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] "
             "= 4 * u[i, j]; end for; end for; end Grid;",
             N, g);
    Trial *t = trial_text(text);
    run_with(t, SALTUS_SOLVER_DOPRI5, 1e-9, 0.5);
    const double x = trial_value(t, "x");
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            char name[32];
            snprintf(name, sizeof name, "v[%d,%d]", i, j);
            const double exact = inverse(i * j * x / (N * N));
            if (!(fabs(trial_value(t, name) - exact) <= 1e-12))
                fail_msg("%s = %.17g, not %.17g", name, trial_value(t, name), exact);
        }
    trial_end(t);
}

static double itself(double u)
{
    return u;
}

static double logarithm(double u)
{
    return log1p(u);
}

static void linear_grid(void **state)
{
    (void)state;
    expect_grid("v[i, j]", itself);
}

static void nonlinear_grid(void **state)
{
    (void)state;
    expect_grid("exp(v[i, j]) - 1", logarithm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ladder),
        cmocka_unit_test(linear_grid),
        cmocka_unit_test(nonlinear_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
