// SPDX-License-Identifier: MIT
//
// Newton's method for the algebraic equations: solutions up to rounding, from far away, with and
// without a Jacobian; failures that are named; no memory of earlier solutions.

#include "solvers/algebraic.h"

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

typedef struct Fixture {
    SaltusModeDef mode;
    SaltusContext context;
    SaltusStatistics statistics;
    SaltusAllocator allocator;
    SaltusSystem *system;
    Problem *problem;
} Fixture;

static const char *const names[] = {"u", "v", "w"};

static int no_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 0.0;
    return 0;
}

static void begin_mode(Fixture *f, const SaltusModeDef *mode)
{
    *f = (Fixture){.allocator = memory_default()};
    f->system = integration_system(mode, &f->mode);
    SaltusMethod method = saltus_default_method();
    f->problem = problem_create(&f->mode, &f->context, &method, &f->statistics, &f->allocator);
    assert_non_null(f->problem);
}

static SaltusModeDef mode_of(int unknowns, SaltusAlgebraic algebraic, SaltusJacobian jacobian)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.algebraic_count = unknowns;
    mode.rhs = no_rhs;
    mode.algebraic = algebraic;
    mode.hints.jacobian = jacobian;
    return mode;
}

static void begin(Fixture *f, int unknowns, SaltusAlgebraic algebraic, SaltusJacobian jacobian)
{
    SaltusModeDef mode = mode_of(unknowns, algebraic, jacobian);
    mode.algebraic_names = names;
    begin_mode(f, &mode);
}

static void end(Fixture *f)
{
    problem_destroy(f->problem);
    saltus_system_destroy(f->system);
}

static int solve(Fixture *f, double x, double *z)
{
    return algebraic_solve(f->problem->newton, 0.25, &x, z);
}

// ---------------------------------------------------------------------------
// Solutions
// ---------------------------------------------------------------------------

// z^2 = x
static int square(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] * z[0] - x[0];
    return 0;
}

// Columns x, z of (f, g).
static int square_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                           double *j)
{
    (void)c, (void)t, (void)x;
    j[0] = j[2] = 0.0;
    j[1] = -1.0;
    j[3] = 2.0 * z[0];
    return 0;
}

// Down to rounding from guesses near and far, at quadratic speed: from 10% off, 5 iterations are
// enough for any number of digits that doubles have.
static void test_square_root(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Fixture f;
        begin(&f, 1, square, k ? square_jacobian : NULL);
        static const double guesses[] = {1.9, 1.5, 1.0, 0.01, 300.0, -0.7};
        for (int i = 0; i < 6; i++) {
            double z = guesses[i];
            long before = f.statistics.newton_iterations;
            assert_int_equal(solve(&f, 3.0, &z), 0);
            assert_true(fabs(z - copysign(sqrt(3.0), guesses[i])) <= 8.0 * DBL_EPSILON);
            if (i == 0)
                assert_in_range(f.statistics.newton_iterations - before, 1, 5);
        }
        assert_int_equal(f.statistics.newton_failures, 0);
        end(&f);
    }
}

// From the solution itself: one Jacobian, one residual and none of the rest.
static void test_solution_as_guess(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 1, square, square_jacobian);
    double z = 2.0;
    assert_int_equal(solve(&f, 4.0, &z), 0);
    assert_true(z == 2.0);
    assert_int_equal(f.statistics.g_evaluations, 1);
    assert_int_equal(f.statistics.jacobians, 1);
    end(&f);
}

// A diode and a resistor: u + r i = x, i = 1e-12 (exp(u / 0.025) - 1). From u = 0 a full Newton
// step at x = 5 would evaluate exp(200); damping keeps the iteration in range.
static int diode(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + 1e3 * z[1] - x[0];
    g[1] = z[1] - 1e-12 * (exp(z[0] / 0.025) - 1.0);
    return 0;
}

static void test_diode_from_far(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 2, diode, NULL);
    static const double voltages[] = {5.0, 0.6, 50.0, -5.0};
    for (int i = 0; i < 4; i++) {
        double z[2] = {0.0, 0.0}, g[2];
        assert_int_equal(solve(&f, voltages[i], z), 0);
        diode(NULL, 0.0, &voltages[i], z, g);
        // Rounding of u makes relative errors of u / 0.025 eps < 30 eps in i; currents far below
        // absolute / relative tolerance, 1e-3, are known to 4 eps of that.
        assert_true(fabs(g[0]) <= 4.0 * DBL_EPSILON * fabs(voltages[i]));
        assert_true(fabs(g[1]) <= 100.0 * DBL_EPSILON * fabs(z[1]) + 4e-3 * DBL_EPSILON);
    }
    end(&f);
}

// Badly scaled equations and unknowns, linear: u = x, 1e-8 v = u, w = 1e9 v.
static int scaled(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = 1e12 * (z[0] - x[0]);
    g[1] = 1e-10 * (1e-8 * z[1] - z[0]);
    g[2] = z[2] - 1e9 * z[1];
    return 0;
}

static void test_scaling_does_not_matter(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 3, scaled, NULL);
    double z[3] = {0.0, 0.0, 0.0};
    assert_int_equal(solve(&f, 2.0, z), 0);
    static const double expected[] = {2.0, 2e8, 2e17};
    for (int i = 0; i < 3; i++)
        assert_true(fabs(z[i] / expected[i] - 1.0) <= 8.0 * DBL_EPSILON);
    end(&f);
}

// Equations with noise of 1e-9, a thousandth of the tolerance: solved as well as they can be.
static int noisy(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] - x[0] + 1e-9 * sin(1e12 * z[0]);
    return 0;
}

static int noisy_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                          double *j)
{
    (void)c, (void)t, (void)x, (void)z;
    j[0] = j[2] = 0.0;
    j[1] = -1.0;
    j[3] = 1.0;
    return 0;
}

static void test_noise_is_no_failure(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 1, noisy, noisy_jacobian);
    for (int i = 0; i < 20; i++) {
        double z = 0.1 * i;
        assert_int_equal(solve(&f, 1.0, &z), 0);
        assert_true(fabs(z - 1.0) < 1e-8); // 0.01 of the relative tolerance 1e-6
    }
    end(&f);
}

// ---------------------------------------------------------------------------
// Large and sparse: a chain, z_i^3 + 3 z_i - z_(i-1) - z_(i+1) = x
// ---------------------------------------------------------------------------

enum { LINKS = 20000 };

static int chain(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    for (int i = 0; i < LINKS; i++) {
        double left = i > 0 ? z[i - 1] : 0.0, right = i < LINKS - 1 ? z[i + 1] : 0.0;
        g[i] = z[i] * z[i] * z[i] + 3.0 * z[i] - left - right - x[0];
    }
    return 0;
}

static int chain_start[LINKS + 2], chain_rows[4 * LINKS + 1];

// Of (f, g) with respect to (x, z): x acts on everything.
static SaltusSparsity chain_sparsity(void)
{
    int count = 0;
    for (int i = 0; i < LINKS; i++)
        chain_rows[count++] = 1 + i;
    for (int i = 0; i < LINKS; i++) {
        chain_start[1 + i] = count;
        for (int k = i - 1; k <= i + 1; k++) {
            if (k >= 0 && k < LINKS)
                chain_rows[count++] = 1 + k;
        }
    }
    chain_start[1 + LINKS] = count;
    return (SaltusSparsity){.column_start = chain_start, .rows = chain_rows};
}

static int chain_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                          double *values)
{
    (void)c, (void)t, (void)x;
    for (int i = 0; i < LINKS; i++)
        values[i] = -1.0;
    for (int i = 0; i < LINKS; i++) {
        for (int k = chain_start[1 + i]; k < chain_start[2 + i]; k++)
            values[k] = chain_rows[k] == 1 + i ? 3.0 * z[i] * z[i] + 3.0 : -1.0;
    }
    return 0;
}

static void test_large_and_sparse(void **state)
{
    (void)state;
    static double z[LINKS], g[LINKS];
    SaltusSparsity sparsity = chain_sparsity();
    for (int k = 0; k < 2; k++) {
        SaltusModeDef mode = mode_of(LINKS, chain, k ? chain_jacobian : NULL);
        mode.hints.sparsity = &sparsity;
        Fixture f;
        begin_mode(&f, &mode);
        memset(z, 0, sizeof z);
        double x = 2.0;
        assert_int_equal(solve(&f, x, z), 0);
        chain(NULL, 0.0, &x, z, g);
        for (int i = 0; i < LINKS; i++)
            assert_true(fabs(g[i]) < 40.0 * DBL_EPSILON); // rounding of terms up to 5
        // In the middle z^3 + z = 2.
        assert_true(fabs(z[LINKS / 2] - 1.0) < 4.0 * DBL_EPSILON);
        // Three colours make a Jacobian; an iteration tries one damping or two.
        long jacobians = k ? 0 : 3 * f.statistics.jacobians;
        long most = 1 + 2 * f.statistics.newton_iterations + jacobians;
        assert_in_range(f.statistics.g_evaluations, jacobians, most);
        end(&f);
    }
}

// ---------------------------------------------------------------------------
// A pure function
// ---------------------------------------------------------------------------

static int coupled(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c;
    g[0] = z[0] + 0.3 * sin(z[1]) - x[0];
    g[1] = z[1] - 0.4 * cos(z[0] + t) + x[0] * x[0];
    return 0;
}

static void test_pure_function(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 2, coupled, NULL);
    double first[2] = {0.1, 0.2}, again[2] = {0.1, 0.2}, other[2] = {-3.0, 5.0};
    assert_int_equal(solve(&f, 0.5, first), 0);
    assert_int_equal(solve(&f, -2.0, other), 0);
    assert_int_equal(solve(&f, 0.5, again), 0);
    assert_memory_equal(first, again, sizeof first);
    end(&f);
}

// z(x) is smooth: its second difference over 1e-4 shows no more than rounding, 4 eps / 1e-8.
static void test_smooth(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 1, square, NULL);
    double h = 1e-4, z[3], guess = 1.2;
    for (int i = 0; i < 3; i++) {
        z[i] = guess;
        assert_int_equal(solve(&f, 2.0 + (i - 1) * h, &z[i]), 0);
    }
    double second = (z[2] - 2.0 * z[1] + z[0]) / (h * h);
    assert_true(fabs(second + 0.25 * pow(2.0, -1.5)) < 8.0 * DBL_EPSILON / (h * h));
    end(&f);
}

// ---------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------

// z^2 + 1 = 0
static int impossible(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t, (void)x;
    g[0] = z[0] - 2.0;
    g[1] = z[1] * z[1] + 1.0;
    return 0;
}

static void test_no_solution(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 2, impossible, NULL);
    static const double guesses[] = {0.5, 3.0, -1e3};
    for (int i = 0; i < 3; i++) {
        double z[2] = {2.0, guesses[i]};
        assert_true(solve(&f, 0.0, z) > 0);
        assert_true(z[0] == 2.0 && z[1] == guesses[i]); // the guess is untouched
        const ProblemFailure *failure = &f.problem->failure;
        assert_true(failure->status == SALTUS_ERROR_NEWTON ||
                    failure->status == SALTUS_ERROR_SINGULAR);
        assert_string_equal(failure->variable, "v");
        assert_true(failure->t == 0.25);
        assert_int_equal(f.statistics.newton_failures, i + 1);
    }
    end(&f);
}

// u + v = x twice: w is determined, the others are not.
static int dependent(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + z[1] - x[0];
    g[1] = z[2];
    g[2] = 2.0 * z[0] + 2.0 * z[1] - 2.0 * x[0];
    return 0;
}

static void test_singular(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 3, dependent, NULL);
    double z[3] = {0.0, 0.0, 0.0};
    assert_true(solve(&f, 1.0, z) > 0);
    assert_int_equal(f.problem->failure.status, SALTUS_ERROR_SINGULAR);
    assert_string_equal(f.problem->failure.variable, "v");
    assert_int_equal(f.statistics.newton_failures, 1);
    end(&f);
}

// Defined for z > 0 only: log(z) = x. A full step from z = 5 leaves the domain.
static int logarithm(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    if (z[0] <= 0.0)
        return 1;
    g[0] = log(z[0]) - x[0];
    return 0;
}

static int logarithm_nan(const SaltusContext *c, double t, const double *x, const double *z,
                         double *g)
{
    (void)c, (void)t;
    g[0] = log(z[0]) - x[0];
    return 0;
}

static void test_steps_out_of_the_domain(void **state)
{
    (void)state;
    static const SaltusAlgebraic functions[] = {logarithm, logarithm_nan};
    for (int k = 0; k < 2; k++) {
        Fixture f;
        begin(&f, 1, functions[k], NULL);
        double z = 5.0;
        assert_int_equal(solve(&f, -1.0, &z), 0);
        assert_true(fabs(z - exp(-1.0)) <= 4.0 * DBL_EPSILON);
        // A guess outside of it is a failure that a smaller step may avoid.
        z = -1.0;
        assert_true(solve(&f, -1.0, &z) > 0);
        assert_int_equal(f.problem->failure.status, SALTUS_ERROR_EVALUATION);
        end(&f);
    }
}

static int fatal(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t, (void)x;
    g[0] = z[0] - 1.0;
    return z[0] > 0.5 ? -3 : 0;
}

static void test_fatal_failure_ends_it(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, 1, fatal, NULL);
    double z = 0.0;
    assert_int_equal(solve(&f, 0.0, &z), -3);
    assert_int_equal(f.statistics.newton_failures, 0); // it did not fail to converge
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_root),
        cmocka_unit_test(test_solution_as_guess),
        cmocka_unit_test(test_diode_from_far),
        cmocka_unit_test(test_scaling_does_not_matter),
        cmocka_unit_test(test_noise_is_no_failure),
        cmocka_unit_test(test_large_and_sparse),
        cmocka_unit_test(test_pure_function),
        cmocka_unit_test(test_smooth),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_steps_out_of_the_domain),
        cmocka_unit_test(test_fatal_failure_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
