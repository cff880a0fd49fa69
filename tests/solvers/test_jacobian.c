// SPDX-License-Identifier: MIT
//
// Jacobians: every combination of callback or differences, sparsity or not, dense or sparse
// storage, against derivatives by hand; what differences cost; what they do where the equations
// are not defined.
//
// The problem, semi-explicit, with y = (x0, x1, x2, z0, z1):
//   x0' = z0 sin x0 + t^2          0 = z0 + z0^3 / 5 - x0
//   x1' = x0 x1 - exp(z1) / 10     0 = 2 z1 + x1 x2 + t z0
//   x2' = x1^2 z1                  (x2' does not depend on x2: no place for the diagonal)

#include "solvers/jacobian.h"

#include "base/memory.h"
#include "support/integrate.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 5, NX = 3, NZ = 2 };

static const double t0 = 0.7, x0[NX] = {0.8, -1.3, 0.6}, z0[NZ] = {0.75, -0.4};

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c;
    dx[0] = z[0] * sin(x[0]) + t * t;
    dx[1] = x[0] * x[1] - 0.1 * exp(z[1]);
    dx[2] = x[1] * x[1] * z[1];
    return 0;
}

static int algebraic(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c;
    g[0] = z[0] + 0.2 * z[0] * z[0] * z[0] - x[0];
    g[1] = 2.0 * z[1] + x[1] * x[2] + t * z[0];
    return 0;
}

// Column by column; the elements that are not written are zero.
static void exact(double t, const double *x, const double *z, double j[N * N])
{
    memset(j, 0, N * N * sizeof *j);
    j[0 * N + 0] = z[0] * cos(x[0]);
    j[0 * N + 1] = x[1];
    j[0 * N + 3] = -1.0;
    j[1 * N + 1] = x[0];
    j[1 * N + 2] = 2.0 * x[1] * z[1];
    j[1 * N + 4] = x[2];
    j[2 * N + 4] = x[1];
    j[3 * N + 0] = sin(x[0]);
    j[3 * N + 3] = 1.0 + 0.6 * z[0] * z[0];
    j[3 * N + 4] = t;
    j[4 * N + 1] = -0.1 * exp(z[1]);
    j[4 * N + 2] = x[1] * x[1];
    j[4 * N + 4] = 2.0;
}

static const int pattern_start[N + 1] = {0, 3, 6, 7, 10, 13};
static const int pattern_rows[] = {0, 1, 3, 1, 2, 4, 4, 0, 3, 4, 1, 2, 4};
static const SaltusSparsity pattern = {.column_start = pattern_start, .rows = pattern_rows};

static int dense_callback(const SaltusContext *c, double t, const double *x, const double *z,
                          double *j)
{
    (void)c;
    exact(t, x, z, j);
    return 0;
}

static int sparse_callback(const SaltusContext *c, double t, const double *x, const double *z,
                           double *values)
{
    (void)c;
    double j[N * N];
    exact(t, x, z, j);
    for (int column = 0, k = 0; column < N; column++) {
        for (; k < pattern_start[column + 1]; k++)
            values[k] = j[column * N + pattern_rows[k]];
    }
    return 0;
}

// ---------------------------------------------------------------------------
// A problem without a solver
// ---------------------------------------------------------------------------

typedef struct Fixture {
    SaltusModeDef mode;
    SaltusContext context;
    SaltusStatistics statistics;
    SaltusAllocator allocator;
    SaltusSystem *system;
    Problem *problem;
    Jacobian *jacobian;
} Fixture;

static void begin(Fixture *f, const SaltusModeDef *mode, JacobianStorage storage)
{
    *f = (Fixture){.allocator = memory_default()};
    f->system = integration_system(mode, &f->mode);
    SaltusMethod method = saltus_default_method();
    f->problem = problem_create(&f->mode, &f->context, &method, &f->statistics, &f->allocator);
    assert_non_null(f->problem);
    f->jacobian = jacobian_create(f->problem, storage);
    assert_non_null(f->jacobian);
}

static void end(Fixture *f)
{
    jacobian_destroy(f->jacobian);
    problem_destroy(f->problem);
    saltus_system_destroy(f->system);
}

static SaltusModeDef semi_explicit(bool callback, bool sparse)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = NX;
    mode.algebraic_count = NZ;
    mode.rhs = rhs;
    mode.algebraic = algebraic;
    if (callback)
        mode.hints.jacobian = sparse ? sparse_callback : dense_callback;
    if (sparse)
        mode.hints.sparsity = &pattern;
    return mode;
}

// Values in either storage as a dense matrix.
static void to_dense(const Jacobian *j, const double *values, double *matrix)
{
    int n = j->n;
    if (j->storage == JACOBIAN_DENSE) {
        memcpy(matrix, values, (size_t)(n * n) * sizeof *matrix);
        return;
    }
    memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
    for (int column = 0; column < n; column++) {
        for (int k = j->column_start[column]; k < j->column_start[column + 1]; k++) {
            if (k > j->column_start[column])
                assert_true(j->rows[k] > j->rows[k - 1]);
            matrix[column * n + j->rows[k]] = values[k];
        }
    }
}

// Truncation of a forward difference, sqrt(eps) |f''| / 2, and rounding, 2 sqrt(eps) |f|, with
// values, first and second derivatives of these equations up to 3.
static const double forward_error = 1e-7;

static void assert_near(const double *a, const double *b, int count, double bound)
{
    for (int i = 0; i < count; i++)
        assert_true(fabs(a[i] - b[i]) <= bound);
}

// ---------------------------------------------------------------------------
// d(f, g)/d(x, z)
// ---------------------------------------------------------------------------

static void test_all_combinations(void **state)
{
    (void)state;
    double expected[N * N];
    exact(t0, x0, z0, expected);
    for (int k = 0; k < 8; k++) {
        bool callback = k & 1, sparse = k & 2;
        JacobianStorage storage = k & 4 ? JACOBIAN_SPARSE : JACOBIAN_DENSE;
        SaltusModeDef mode = semi_explicit(callback, sparse);
        Fixture f;
        begin(&f, &mode, storage);
        // With a sparsity the diagonal of x2 is added.
        bool all = storage == JACOBIAN_DENSE || !sparse;
        assert_int_equal(f.jacobian->value_count, all ? N * N : pattern_start[N] + 1);
        double values[N * N], matrix[N * N];
        memset(values, 0xff, sizeof values);
        assert_int_equal(jacobian_evaluate(f.jacobian, t0, x0, z0, NULL, 0.1, values), 0);
        to_dense(f.jacobian, values, matrix);
        assert_near(matrix, expected, N * N, callback ? 0.0 : forward_error);
        assert_int_equal(f.statistics.jacobians, 1);
        // One evaluation per group of columns, and one at the point. Columns x0, x1, z0 and z1
        // share rows with each other, x2 does not with x0.
        int groups = sparse ? 4 : N;
        assert_int_equal(f.statistics.f_evaluations, callback ? 0 : groups + 1);
        end(&f);
    }
}

static void test_known_values_save_an_evaluation(void **state)
{
    (void)state;
    SaltusModeDef mode = semi_explicit(false, false);
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double fg[N], with[N * N], without[N * N];
    assert_int_equal(problem_full(f.problem, t0, x0, z0, fg, fg + NX), 0);
    assert_int_equal(jacobian_evaluate(f.jacobian, t0, x0, z0, fg, 0.0, with), 0);
    assert_int_equal(f.statistics.f_evaluations, 1 + N);
    assert_int_equal(jacobian_evaluate(f.jacobian, t0, x0, z0, NULL, 0.0, without), 0);
    assert_memory_equal(with, without, sizeof with);
    end(&f);
}

// ---------------------------------------------------------------------------
// Increments
// ---------------------------------------------------------------------------

static double wall; // equations are not defined beyond it
static double floor_level;

static int guarded(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    if (x[0] > wall || x[0] < floor_level)
        return 1;
    dx[0] = 3.0 * x[0];
    return 0;
}

static int guarded_by_nan(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    dx[0] = guarded(c, t, x, z, dx) ? NAN : 3.0 * x[0];
    return 0;
}

static void test_other_side_where_one_fails(void **state)
{
    (void)state;
    static const SaltusRhs functions[] = {guarded, guarded_by_nan};
    for (int k = 0; k < 2; k++) {
        SaltusModeDef mode = saltus_default_mode();
        mode.state_count = 1;
        mode.rhs = functions[k];
        mode.state_names = (const char *const[]){"level"};
        Fixture f;
        begin(&f, &mode, JACOBIAN_DENSE);
        double x = 1.0, value;
        wall = 1.0;
        floor_level = 0.0;
        assert_int_equal(jacobian_evaluate(f.jacobian, 0.0, &x, NULL, NULL, 0.0, &value), 0);
        assert_true(fabs(value - 3.0) < forward_error);
        floor_level = 1.0;
        assert_true(jacobian_evaluate(f.jacobian, 0.0, &x, NULL, NULL, 0.0, &value) > 0);
        assert_int_equal(f.problem->failure.status, SALTUS_ERROR_EVALUATION);
        if (functions[k] == guarded_by_nan)
            assert_string_equal(f.problem->failure.variable, "level");
        end(&f);
    }
}

static int fatal(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[0];
    return x[0] > 1.0 ? -5 : 0;
}

static void test_fatal_failure_is_handed_on(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.rhs = fatal;
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double x = 1.0, value;
    assert_int_equal(jacobian_evaluate(f.jacobian, 0.0, &x, NULL, NULL, 0.0, &value), -5);
    end(&f);
}

// y' = 3e7 y^2 bends within 1e-8 of y = 1e-6; y' = 3 (y - 1) is 3 up to rounding near y = 0.
static int small_and_zero(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = 3e7 * x[0] * x[0];
    dx[1] = 3.0 * (x[1] - 1.0);
    return 0;
}

static void test_increments_follow_sizes(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 2;
    mode.rhs = small_and_zero;
    mode.absolute_tolerance = (const double[]){1e-12, 1e-9};
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    // The step changes x0 by 3e-7 and x1 by 0.03: increments of 1.5e-14 and 4.5e-10.
    double x[2] = {1e-6, 0.0}, values[4];
    assert_int_equal(jacobian_evaluate(f.jacobian, 0.0, x, NULL, NULL, 0.01, values), 0);
    assert_true(fabs(values[0] - 60.0) < 60.0 * 1e-7);
    // Rounding of 3 over the increment.
    assert_true(fabs(values[3] - 3.0) < 2.0 * 3.0 * DBL_EPSILON / 4.5e-10);
    end(&f);
}

// ---------------------------------------------------------------------------
// Callbacks that fail
// ---------------------------------------------------------------------------

static int failing_callback(const SaltusContext *c, double t, const double *x, const double *z,
                            double *j)
{
    (void)c, (void)t, (void)x, (void)z, (void)j;
    return 2;
}

static int nan_callback(const SaltusContext *c, double t, const double *x, const double *z,
                        double *j)
{
    sparse_callback(c, t, x, z, j);
    j[8] = NAN; // column z0
    return 0;
}

static void test_callback_fails(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        SaltusModeDef mode = semi_explicit(true, true);
        mode.hints.jacobian = k & 1 ? nan_callback : failing_callback;
        mode.algebraic_names = (const char *const[]){"current", "voltage"};
        Fixture f;
        begin(&f, &mode, k & 2 ? JACOBIAN_SPARSE : JACOBIAN_DENSE);
        double values[N * N];
        int code = jacobian_evaluate(f.jacobian, t0, x0, z0, NULL, 0.1, values);
        assert_int_equal(code, k & 1 ? 1 : 2);
        assert_int_equal(f.problem->failure.status, SALTUS_ERROR_EVALUATION);
        assert_string_equal(f.problem->failure.what, "the Jacobian");
        if (k & 1)
            assert_string_equal(f.problem->failure.variable, "current");
        else
            assert_null(f.problem->failure.variable);
        end(&f);
    }
}

// ---------------------------------------------------------------------------
// d/dt
// ---------------------------------------------------------------------------

static void test_time_derivative(void **state)
{
    (void)state;
    SaltusModeDef mode = semi_explicit(true, false);
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double derivative[N], expected[N] = {2.0 * t0, 0.0, 0.0, 0.0, z0[0]};
    assert_int_equal(jacobian_time(f.jacobian, t0, x0, z0, NULL, 0.1, derivative), 0);
    // Quadratic in t: the difference is exact up to rounding, eps |f| / (1e-3 * 0.1).
    assert_near(derivative, expected, N, 1e-11);
    assert_int_equal(f.statistics.f_evaluations, 3);
    end(&f);
}

static void test_time_derivative_of_autonomous_equations(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 2;
    mode.rhs = small_and_zero;
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double x[2] = {0.3, 0.4}, fg[2], derivative[2] = {1.0, 1.0};
    assert_int_equal(problem_full(f.problem, 0.0, x, NULL, fg, NULL), 0);
    assert_int_equal(jacobian_time(f.jacobian, 0.0, x, NULL, fg, 1e-3, derivative), 0);
    assert_true(derivative[0] == 0.0 && derivative[1] == 0.0);
    assert_int_equal(f.statistics.f_evaluations, 2); // one of them ours
    end(&f);
}

static int oscillating(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = sin(1e9 * t);
    return 0;
}

// The time scale is the step's, not that of t: nanoseconds are no problem.
static void test_time_derivative_on_short_scales(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.rhs = oscillating;
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double x = 0.0, t = 3e-9, h = 1e-10, derivative;
    assert_int_equal(jacobian_time(f.jacobian, t, &x, NULL, NULL, h, &derivative), 0);
    // Truncation f''' d1 d2 / 3 with d1 = h / 1000.
    assert_true(fabs(derivative / 1e9 - cos(3.0)) < 2e-8);
    end(&f);
}

// ---------------------------------------------------------------------------
// Implicit forms
// ---------------------------------------------------------------------------

static void test_implicit_of_semi_explicit(void **state)
{
    (void)state;
    double expected[N * N], dx[NX] = {0.0}, alpha = 40.0;
    exact(t0, x0, z0, expected);
    for (int column = 0; column < N; column++) {
        for (int row = 0; row < NX; row++)
            expected[column * N + row] *= -1.0;
        if (column < NX)
            expected[column * N + column] += alpha;
    }
    for (int k = 0; k < 4; k++) {
        SaltusModeDef mode = semi_explicit(true, k & 1);
        Fixture f;
        begin(&f, &mode, k & 2 ? JACOBIAN_SPARSE : JACOBIAN_DENSE);
        double values[N * N], matrix[N * N];
        assert_int_equal(jacobian_implicit(f.jacobian, t0, x0, z0, dx, alpha, 0.1, values), 0);
        to_dense(f.jacobian, values, matrix);
        assert_near(matrix, expected, N * N, 0.0);
        end(&f);
    }
}

// 0 = x0' + 2 x1' - x0 z,  0 = x0 x1' + x1,  0 = z^2 - x0' x1'; columns x0, x1, z
static int residual(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *r)
{
    (void)c, (void)t;
    r[0] = dx[0] + 2.0 * dx[1] - x[0] * z[0];
    r[1] = x[0] * dx[1] + x[1];
    r[2] = z[0] * z[0] - dx[0] * dx[1];
    return 0;
}

static void residual_exact(const double *x, const double *z, const double *dx, double alpha,
                           double j[9])
{
    j[0] = -z[0] + alpha;
    j[1] = dx[1];
    j[2] = -alpha * dx[1];
    j[3] = 2.0 * alpha;
    j[4] = 1.0 + alpha * x[0];
    j[5] = -alpha * dx[0];
    j[6] = -x[0];
    j[7] = 0.0;
    j[8] = 2.0 * z[0];
}

static int residual_callback(const SaltusContext *c, double t, const double *x, const double *z,
                             const double *dx, double alpha, double *j)
{
    (void)c, (void)t;
    residual_exact(x, z, dx, alpha, j);
    return 0;
}

static void test_implicit(void **state)
{
    (void)state;
    double x[2] = {0.9, -0.3}, z = 0.6, dx[2] = {1.1, 0.4}, alpha = 5.0, expected[9];
    residual_exact(x, &z, dx, alpha, expected);
    for (int k = 0; k < 2; k++) {
        SaltusModeDef mode = saltus_default_mode();
        mode.state_count = 2;
        mode.algebraic_count = 1;
        mode.residual = residual;
        mode.hints.implicit_jacobian = k ? residual_callback : NULL;
        Fixture f;
        begin(&f, &mode, JACOBIAN_DENSE);
        double values[9];
        assert_int_equal(jacobian_implicit(f.jacobian, 0.0, x, &z, dx, alpha, 0.0, values), 0);
        // Second derivatives up to 2 alpha.
        assert_near(values, expected, 9, k ? 0.0 : 2.0 * alpha * forward_error);
        end(&f);
    }
}

// ---------------------------------------------------------------------------
// Parts: dg/dz, and df/dx with z solved for
// ---------------------------------------------------------------------------

static void test_algebraic_block(void **state)
{
    (void)state;
    double full[N * N];
    exact(t0, x0, z0, full);
    for (int k = 0; k < 4; k++) {
        bool callback = k & 1;
        SaltusModeDef mode = semi_explicit(callback, k & 2);
        Fixture f;
        begin(&f, &mode, JACOBIAN_DENSE);
        Jacobian *block = jacobian_create_algebraic(f.problem);
        assert_non_null(block);
        double g[NZ], values[NZ * NZ];
        assert_int_equal(problem_constraints(f.problem, t0, x0, z0, g), 0);
        assert_int_equal(jacobian_algebraic(block, t0, x0, z0, g, values), 0);
        for (int column = 0; column < NZ; column++)
            assert_near(values + column * NZ, full + (NX + column) * N + NX, NZ,
                        callback ? 0.0 : forward_error);
        assert_int_equal(f.statistics.f_evaluations, 0); // f is not asked for
        jacobian_destroy(block);
        end(&f);
    }
}

// z0 and z1 follow x:  (1 + 3/5 z0^2) dz0 = dx0,  2 dz1 = -x2 dx1 - x1 dx2 - t dz0.
static void test_reduced(void **state)
{
    (void)state;
    double s = 1.0 / (1.0 + 0.6 * z0[0] * z0[0]), e = -0.1 * exp(z0[1]);
    double dz[NX][NZ] = {{s, -0.5 * t0 * s}, {0.0, -0.5 * x0[2]}, {0.0, -0.5 * x0[1]}};
    double full[N * N], expected[NX * NX];
    exact(t0, x0, z0, full);
    for (int column = 0; column < NX; column++) {
        double *out = expected + column * NX;
        memcpy(out, full + column * N, NX * sizeof *out);
        out[0] += sin(x0[0]) * dz[column][0];
        out[1] += e * dz[column][1];
        out[2] += x0[1] * x0[1] * dz[column][1];
    }
    SaltusModeDef mode = semi_explicit(true, false);
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double values[NX * NX];
    assert_int_equal(jacobian_reduced(f.jacobian, t0, x0, z0, 0.1, values), 0);
    assert_near(values, expected, NX * NX, 1e-14);
    end(&f);
}

static int singular_callback(const SaltusContext *c, double t, const double *x, const double *z,
                             double *j)
{
    (void)c, (void)t, (void)x, (void)z;
    memset(j, 0, N * N * sizeof *j);
    j[3 * N + 3] = 1.0;
    return 0;
}

static void test_reduced_singular(void **state)
{
    (void)state;
    SaltusModeDef mode = semi_explicit(true, false);
    mode.hints.jacobian = singular_callback;
    mode.algebraic_names = (const char *const[]){"current", "voltage"};
    Fixture f;
    begin(&f, &mode, JACOBIAN_DENSE);
    double values[NX * NX];
    assert_true(jacobian_reduced(f.jacobian, t0, x0, z0, 0.1, values) > 0);
    assert_int_equal(f.problem->failure.status, SALTUS_ERROR_SINGULAR);
    assert_string_equal(f.problem->failure.variable, "voltage");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_combinations),
        cmocka_unit_test(test_known_values_save_an_evaluation),
        cmocka_unit_test(test_other_side_where_one_fails),
        cmocka_unit_test(test_fatal_failure_is_handed_on),
        cmocka_unit_test(test_increments_follow_sizes),
        cmocka_unit_test(test_callback_fails),
        cmocka_unit_test(test_time_derivative),
        cmocka_unit_test(test_time_derivative_of_autonomous_equations),
        cmocka_unit_test(test_time_derivative_on_short_scales),
        cmocka_unit_test(test_implicit_of_semi_explicit),
        cmocka_unit_test(test_implicit),
        cmocka_unit_test(test_algebraic_block),
        cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_reduced_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
