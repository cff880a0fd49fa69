// SPDX-License-Identifier: MIT
//
// The compiled kernels do what the tableau says, and dense output and error estimates of
// one step have the orders that the tableau promises (orders of solutions: test_runge_kutta.c).

#include "solvers/kernel.h"
#include "solvers/solver.h"

#include "solvers/runge_kutta.h"
#include "solvers/tableau.h"
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

static const struct {
    SaltusSolver id;
    const SolverKind *kind;
} methods[] = {
    {SALTUS_SOLVER_EULER, &solver_EULER},   {SALTUS_SOLVER_HEUN, &solver_HEUN},
    {SALTUS_SOLVER_RK4, &solver_RK4},       {SALTUS_SOLVER_DOPRI5, &solver_DOPRI5},
    {SALTUS_SOLVER_DOP853, &solver_DOP853},
};
enum { METHODS = sizeof methods / sizeof methods[0], N = 2 };

// One step of a kernel from the exact solution at SMOOTH_START, with all its stages.
typedef struct OneStep {
    double x[N], x_new[N], k[TABLEAU_STAGES * N], r[TABLEAU_DENSE_TERMS * N];
    double t, t_new;
} OneStep;

static Integration scene; // a problem with absolute tolerance 1 and next to no relative one

static int set_up(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    SaltusMethod method = method_of(SALTUS_SOLVER_RK4, DBL_MIN, 1.0, 0.1);
    return integration_begin(&scene, &mode, &method, SMOOTH_START);
}

static int tear_down(void **state)
{
    (void)state;
    integration_end(&scene);
    return 0;
}

static OneStep one_step(const Kernel *kernel, const Tableau *tableau, double h)
{
    OneStep s = {.t = SMOOTH_START, .t_new = SMOOTH_START + h};
    double work[N];
    smooth_solution(s.t, s.x);
    Problem *problem = scene.problem;
    assert_int_equal(kernel_evaluate(problem, s.t, s.x, NULL, s.k), 0);
    assert_int_equal(kernel->stages(problem, s.t, s.t_new, s.x, s.k, NULL, s.k, s.x_new), 0);
    assert_int_equal(kernel_evaluate(problem, s.t_new, s.x_new, NULL, s.k + tableau->stages * N),
                     0);
    assert_true(!kernel->more_stages == (tableau->all_stages == tableau->stages + 1));
    if (kernel->more_stages)
        assert_int_equal(kernel->more_stages(problem, s.t, s.t_new, s.x, NULL, s.k, work), 0);
    kernel->dense(N, h, s.x, s.x_new, s.k, s.r);
    return s;
}

// The kernel sums h (w1 k1 + w2 k2 ...), the free step h w1 k1 + h w2 k2 ...: rounding of at most
// 16 terms, which for dop853 are up to 50 times as large as the sum.
static const double rounding = 16 * 50 * DBL_EPSILON;

static void test_same_as_free_step(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const Tableau *tableau = tableau_of(methods[m].id);
        OneStep s = one_step(methods[m].kind->kernels, tableau, 0.125);
        double work[(TABLEAU_STAGES + 1) * N], x_new[N];
        assert_true(runge_kutta_free_work(tableau, N) <= sizeof work / sizeof work[0]);
        assert_int_equal(runge_kutta_free_step(tableau, smooth_function, NULL, N, s.t, 0.125, s.x,
                                               x_new, NULL, work),
                         0);
        for (int i = 0; i < N; i++)
            assert_true(fabs(x_new[i] - s.x_new[i]) < rounding);
    }
}

// Dense output from an exact start has error C h^(dense_order + 1) inside the step; this is
// its own, local order, whatever the order of the solution at the ends.
static void test_order_of_dense_output(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const Tableau *tableau = tableau_of(methods[m].id);
        double errors[4] = {0};
        double h = tableau->order < 8 ? 0.05 : 0.4;
        for (int i = 0; i < 4; i++, h /= 2.0) {
            OneStep s = one_step(methods[m].kind->kernels, tableau, h);
            for (double theta = 0.05; theta < 1.0; theta += 0.05) {
                double x[N];
                methods[m].kind->kernels->values(N, 0.0, 1.0, s.x, s.r, 1, &theta, x);
                errors[i] = fmax(errors[i], smooth_error(s.t + theta * h, x));
            }
        }
        assert_true(fabs(observed_order(errors, 4) - (tableau->dense_order + 1)) < 0.15);
    }
}

// The estimate of a single embedded solution behaves like h^(error_order + 1); of dop853 this is
// the vector of order 5, its norm combines it with that of order 3 to h^8.
static void test_order_of_error_estimate(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const Tableau *tableau = tableau_of(methods[m].id);
        if (tableau->error_order == 0)
            continue;
        double errors[4], h = 0.1, x[N], x_new[N], error[N], work[(TABLEAU_STAGES + 1) * N];
        smooth_solution(SMOOTH_START, x);
        for (int i = 0; i < 4; i++, h /= 2.0) {
            runge_kutta_free_step(tableau, smooth_function, NULL, N, SMOOTH_START, h, x, x_new,
                                  error, work);
            errors[i] = fmax(fabs(error[0]), fabs(error[1]));
        }
        assert_true(fabs(observed_order(errors, 4) - (tableau->error_order + 1)) < 0.15);
    }
}

static void test_order_of_error_norm(void **state)
{
    (void)state;
    static const int orders[METHODS] = {0, 0, 0, 5, 8};
    for (int m = 0; m < METHODS; m++) {
        const Kernel *kernel = methods[m].kind->kernels;
        assert_true(!kernel->error == (orders[m] == 0));
        double norms[4], h = 0.05;
        for (int i = 0; i < 4 && kernel->error; i++, h /= 2.0) {
            OneStep s = one_step(kernel, tableau_of(methods[m].id), h);
            norms[i] = kernel->error(scene.problem, h, s.x, s.x_new, s.k);
        }
        if (kernel->error)
            assert_true(fabs(observed_order(norms, 4) - orders[m]) < 0.2);
    }
}

// With absolute tolerance 1 the norm is the root mean square of the estimate itself.
static void test_error_norm_is_the_estimate(void **state)
{
    (void)state;
    const Tableau *tableau = tableau_of(SALTUS_SOLVER_DOPRI5);
    OneStep s = one_step(solver_DOPRI5.kernels, tableau, 0.25);
    double x_new[N], error[N], work[(TABLEAU_STAGES + 1) * N];
    runge_kutta_free_step(tableau, smooth_function, NULL, N, s.t, 0.25, s.x, x_new, error, work);
    double expected = sqrt((error[0] * error[0] + error[1] * error[1]) / 2.0);
    double norm = solver_DOPRI5.kernels->error(scene.problem, 0.25, s.x, s.x_new, s.k);
    assert_true(fabs(norm - expected) < rounding);
}

static int constant_then_failing(void *user, double s, const double *y, double *dy)
{
    (void)y;
    dy[0] = 1.0;
    int *calls = user;
    ++*calls;
    return s > 0.5 ? 7 : 0;
}

static void test_free_step_returns_what_the_function_returned(void **state)
{
    (void)state;
    double y = 0.0, y_new, error, work[TABLEAU_STAGES + 1];
    int calls = 0;
    const Tableau *tableau = tableau_of(SALTUS_SOLVER_DOPRI5);
    assert_int_equal(runge_kutta_free_step(tableau, constant_then_failing, &calls, 1, 0.0, 1.0, &y,
                                           &y_new, &error, work),
                     7);
    assert_int_equal(calls, 4); // c = 0, 1/5, 3/10, 4/5
    calls = 0;
    assert_int_equal(runge_kutta_free_step(tableau, constant_then_failing, &calls, 1, 0.0, 0.5, &y,
                                           &y_new, &error, work),
                     0);
    assert_int_equal(calls, 7); // 6, and one more for the error
    assert_true(fabs(y_new - 0.5) < DBL_EPSILON && fabs(error) < DBL_EPSILON);
}

static int nan_beyond(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = 1.0;
    dx[1] = x[1] < 2.0 ? 1.0 : NAN;
    return 0;
}

static void test_values_not_finite_are_recoverable(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    mode.rhs = nan_beyond;
    SaltusMethod method = method_of(SALTUS_SOLVER_RK4, 1e-6, 1e-9, 0.1);
    Integration it;
    mode.start = (const double[]){0.0, 0.0};
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    double dx[2];
    assert_int_equal(kernel_evaluate(it.problem, 1.0, (double[]){0.0, 1.0}, NULL, dx), 0);
    assert_int_equal(kernel_evaluate(it.problem, 1.5, (double[]){0.0, 2.0}, NULL, dx), 1);
    assert_int_equal(it.problem->failure.status, SALTUS_ERROR_EVALUATION);
    assert_string_equal(it.problem->failure.variable, "x1");
    assert_true(it.problem->failure.t == 1.5);
    integration_end(&it);
}

// ---------------------------------------------------------------------------
// Kernels of small and of large systems
// ---------------------------------------------------------------------------

enum { LARGEST = PROBLEM_MANY + 5 };

// Everything a kernel computes in a step of length 0.3 from (0, x), and its norm of the error.
typedef struct Computed {
    double k[TABLEAU_STAGES * LARGEST], x_new[LARGEST], r[TABLEAU_DENSE_TERMS * LARGEST];
    double values[2 * LARGEST], norm;
} Computed;

// A ring in which each component drives the one before it.
static int ring(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    int n = *(const int *)c->data;
    for (int i = 0; i < n; i++)
        dx[i] = cos(t + i + x[(i + 1) % n]) - 0.5 * x[i];
    return 0;
}

static Computed compute(const Kernel *kernel, const Tableau *tableau, Problem *problem,
                        const double *x)
{
    Computed c;
    memset(&c, 0, sizeof c);
    int n = problem->nx;
    double h = 0.3, work[LARGEST], times[2] = {0.1, 0.2};
    assert_int_equal(kernel_evaluate(problem, 0.0, x, NULL, c.k), 0);
    assert_int_equal(kernel->stages(problem, 0.0, h, x, c.k, NULL, c.k, c.x_new), 0);
    assert_int_equal(kernel_evaluate(problem, h, c.x_new, NULL, c.k + tableau->stages * n), 0);
    if (kernel->more_stages)
        assert_int_equal(kernel->more_stages(problem, 0.0, h, x, NULL, c.k, work), 0);
    kernel->dense(n, h, x, c.x_new, c.k, c.r);
    kernel->values(n, 0.0, h, x, c.r, 2, times, c.values);
    c.norm = kernel->error ? kernel->error(problem, h, x, c.x_new, c.k) : 0.0;
    return c;
}

// They do the same operations in the same order: the same bits as with any number of components.
static void check_kernel(int n, int place)
{
    double start[LARGEST];
    for (int i = 0; i < n; i++)
        start[i] = 0.7 - 0.9 * i + 0.4 * i * i;
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "ring";
    mode.state_count = n;
    mode.start = start;
    mode.rhs = ring;
    mode.data = &n;
    SaltusMethod method = method_of(SALTUS_SOLVER_RK4, 1e-6, 1e-9, 0.1);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    for (int m = 0; m < METHODS; m++) {
        const Tableau *tableau = tableau_of(methods[m].id);
        Computed any = compute(&methods[m].kind->kernels[0], tableau, it.problem, start);
        Computed other = compute(&methods[m].kind->kernels[place], tableau, it.problem, start);
        assert_memory_equal(&any, &other, sizeof any);
    }
    integration_end(&it);
}

static void test_small_systems(void **state)
{
    (void)state;
    for (int n = 1; n < KERNEL_SIZES; n++) {
        assert_int_equal(kernel_place(n), n);
        check_kernel(n, n);
    }
}

static void test_wide_vectors(void **state)
{
    (void)state;
    if (!kernel_has_machine())
        skip();
    for (int n = PROBLEM_MANY; n <= LARGEST; n++) {
        assert_int_equal(kernel_place(n), KERNEL_WIDE);
        check_kernel(n, KERNEL_WIDE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_free_step),
        cmocka_unit_test(test_order_of_dense_output),
        cmocka_unit_test(test_order_of_error_estimate),
        cmocka_unit_test(test_order_of_error_norm),
        cmocka_unit_test(test_error_norm_is_the_estimate),
        cmocka_unit_test(test_free_step_returns_what_the_function_returned),
        cmocka_unit_test(test_values_not_finite_are_recoverable),
        cmocka_unit_test(test_small_systems),
        cmocka_unit_test(test_wide_vectors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
