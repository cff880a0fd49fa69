// SPDX-License-Identifier: MIT
//
// rodas on stiff problems and DAE with published end values, on problems with closed solutions
// in which stiffness could spoil the order, and on the ball with dynamic contact.

#include "support/heat.h"
#include "support/integrate.h"
#include "support/stiff.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// Published end values
// ---------------------------------------------------------------------------

static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
enum { TOLERANCES = sizeof tolerances / sizeof tolerances[0] };

// Errors at the end, in units of the tolerance, stay below `bound`. `floor`: sizes below which
// errors do not matter, relative to 1. Most: steps allowed at 1e-6.
static void assert_published(StiffProblem problem, double floor, double bound, long most)
{
    for (int i = 0; i < TOLERANCES; i++) {
        double relative = tolerances[i], absolute = relative * floor, end[8];
        SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, relative, absolute, 0.0);
        SaltusStatistics s = integrate(&problem.mode, &method, 0.0, problem.end, end);
        // Values are published to 12 digits and more.
        double digits = 1e-12 / relative;
        assert_true(stiff_error(&problem, end, relative, absolute) < bound + digits);
        if (relative == 1e-6)
            assert_in_range(s.steps + s.rejected_steps, 10, most);
    }
}

// The solution decays to the steady state, and so do errors: the tolerance is kept.
static void test_robertson(void **state)
{
    (void)state;
    StiffProblem problem = stiff_robertson();
    assert_published(problem, 1e-8, 1.0, 400);
    problem.mode.hints.jacobian = NULL;
    assert_published(problem, 1e-8, 3.0, 400);
}

static void test_robertson_dae(void **state)
{
    (void)state;
    assert_published(stiff_robertson_dae(), 1e-8, 3.0, 400);
}

// On the slow branches errors contract; what is left is the phase, in which an error of a jump
// before is at most stretched by the slow flow, |dx/dx0| < 2.
static void test_van_der_pol(void **state)
{
    (void)state;
    StiffProblem problem = stiff_van_der_pol();
    assert_published(problem, 1e-3, 2.0, 1000);
    problem.mode.hints.jacobian = NULL;
    assert_published(problem, 1e-3, 2.0, 1000);
}

static void test_hires(void **state)
{
    (void)state;
    assert_published(stiff_hires(), 1e-4, 1.0, 400);
}

static void test_oregonator(void **state)
{
    (void)state;
    assert_published(stiff_oregonator(), 1e-3, 2.0, 1500);
}

// The published values are those of nodes 1 to 3. Errors decay within a period of the input.
static void test_amplifier(void **state)
{
    (void)state;
    StiffProblem problem = stiff_amplifier_semi_explicit();
    for (int i = 0; i < TOLERANCES - 1; i++) {
        double tolerance = tolerances[i], end[8], nodes[8];
        SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, tolerance, tolerance, 0.0);
        integrate(&problem.mode, &method, 0.0, problem.end, end);
        stiff_amplifier_nodes(end, end + 5, nodes);
        assert_true(stiff_error(&problem, nodes, tolerance, tolerance) < 1.0);
    }
}

// ---------------------------------------------------------------------------
// Prothero and Robinson: x' = lambda (x - sin t) + cos t
// ---------------------------------------------------------------------------

static double lambda;

static int prothero_robinson(const SaltusContext *c, double t, const double *x, const double *z,
                             double *dx)
{
    (void)c, (void)z;
    dx[0] = lambda * (x[0] - sin(t)) + cos(t);
    return 0;
}

static SaltusModeDef prothero_robinson_mode(const double *start)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.start = start;
    mode.rhs = prothero_robinson;
    return mode;
}

// On the smooth solution: however stiff, the tolerance is kept, and the number of steps does not
// grow with stiffness.
static void test_smooth_solution_of_stiff_problem(void **state)
{
    (void)state;
    static const double lambdas[] = {-1.0, -1e3, -1e6, -1e9};
    SaltusModeDef mode = prothero_robinson_mode((const double[]){0.0});
    for (int i = 0; i < 4; i++) {
        lambda = lambdas[i];
        double end[1];
        SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 1e-3);
        SaltusStatistics s = integrate(&mode, &method, 0.0, 10.0, end);
        assert_true(fabs(end[0] - sin(10.0)) < 1e-6);
        assert_in_range(s.steps + s.rejected_steps, 1, 120);
    }
}

// The largest error over 2 with equal steps.
static double error_with_steps(double step)
{
    SaltusModeDef mode = prothero_robinson_mode((const double[]){0.0});
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e10, 1e10, step);
    method.max_step = step;
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    double most = 0.0;
    while (it.solver->t < 2.0) {
        assert_int_equal(integration_step(&it, 2.0), 0);
        most = fmax(most, fabs(it.solver->x[0] - sin(it.solver->t)));
    }
    integration_end(&it);
    return most;
}

// Where most methods of order 5 have errors of h^2 or worse in the stiff limit, those of Rodas5P
// are h^3 / |lambda| (Steinebach 2023): with stiffness the error falls. At h |lambda| = 10 it is
// largest, 20 times that of the problem that is not stiff.
static void test_order_of_stiff_problem(void **state)
{
    (void)state;
    lambda = -1.0;
    double soft = error_with_steps(0.1);
    for (lambda = -1e2; lambda >= -1e6; lambda *= 10.0) {
        double coarse = error_with_steps(0.1), fine = error_with_steps(0.05);
        assert_true(coarse < 20.0 * soft);
        assert_true(log2(coarse / fine) > 2.9);
    }
    // lambda is now -1e7.
    assert_true(error_with_steps(0.1) < 1e-3 / 1e7);
}

// From far off the smooth solution: the transient is damped within few steps, not followed.
static void test_stiff_decay(void **state)
{
    (void)state;
    lambda = -1e8;
    double end[1];
    SaltusModeDef mode = prothero_robinson_mode((const double[]){5.0});
    SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, 1e-6, 1e-6, 0.0);
    SaltusStatistics s = integrate(&mode, &method, 0.0, 1.0, end);
    assert_true(fabs(end[0] - sin(1.0)) < 1e-6);
    assert_in_range(s.steps + s.rejected_steps, 1, 100);
}

// ---------------------------------------------------------------------------
// Ball with dynamic contact, in contact: x' = v, v' = -g - k x - d v, w' = -v
// ---------------------------------------------------------------------------

static int contact(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -9.81 - 1e6 * x[0] - 500.0 * x[1];
    dx[2] = -x[1];
    return 0;
}

// With x + g/k = exp(-a t) (A cos(b t) + B sin(b t)), a = d/2, b^2 = k - a^2.
static void contact_solution(double v0, double t, double x[3])
{
    double a = 250.0, b = sqrt(1e6 - a * a), rest = 9.81 / 1e6;
    double A = rest, B = (v0 + a * A) / b, e = exp(-a * t), c = cos(b * t), s = sin(b * t);
    x[0] = e * (A * c + B * s) - rest;
    x[1] = e * ((b * B - a * A) * c - (b * A + a * B) * s);
    x[2] = -x[0];
}

static void test_contact(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 3;
    mode.start = (const double[]){0.0, -14.0, 0.0};
    mode.nominal = (const double[]){0.01, 10.0, 0.01};
    mode.rhs = contact;
    for (int i = 0; i < TOLERANCES; i++) {
        double tolerance = tolerances[i], exact[3];
        SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, tolerance, 1e-3 * tolerance, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        while (it.solver->t < 3e-3) {
            assert_int_equal(integration_step(&it, 3e-3), 0);
            contact_solution(-14.0, it.solver->t, exact);
            // The tolerance per step; v, whose size is 1000 times that of x, drives x.
            double steps = (double)it.statistics.steps;
            assert_true(fabs(it.solver->x[0] - exact[0]) < steps * tolerance * 0.014);
            assert_true(fabs(it.solver->x[1] - exact[1]) < steps * tolerance * 14.0);
            assert_true(fabs(it.solver->x[0] + it.solver->x[2]) < 1e-15);
        }
        integration_end(&it);
    }
}

// The heat equation with a sparse matrix and with a dense one: both within the tolerance of what
// tight tolerances give. Coloured differences need fewer evaluations.
static void test_sparse(void **state)
{
    (void)state;
    enum { M = 7, CELLS = M * M };
    static const HeatForm forms[] = {HEAT_ODE, HEAT_SEMI_EXPLICIT};
    const double tolerance = 1e-6;
    double reference[2 * CELLS], x[2 * CELLS];
    Heat heat;
    heat_create(&heat, M, HEAT_ODE, false);
    SaltusMethod exact = method_of(SALTUS_SOLVER_RODAS, 1e-10, 1e-10, 0.0);
    integrate(&heat.mode, &exact, 0.0, 3.0, reference);
    heat_destroy(&heat);
    for (int form = 0; form < 2; form++) {
        long evaluations[2];
        for (int sparse = 0; sparse < 2; sparse++) {
            SaltusMethod method = method_of(SALTUS_SOLVER_RODAS, tolerance, tolerance, 0.0);
            heat_create(&heat, M, forms[form], sparse);
            evaluations[sparse] = integrate(&heat.mode, &method, 0.0, 3.0, x).f_evaluations;
            heat_destroy(&heat);
            for (int i = 0; i < CELLS; i++)
                assert_true(fabs(x[i] - reference[i]) < 10.0 * tolerance);
        }
        assert_true(evaluations[1] < evaluations[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robertson),
        cmocka_unit_test(test_robertson_dae),
        cmocka_unit_test(test_van_der_pol),
        cmocka_unit_test(test_hires),
        cmocka_unit_test(test_oregonator),
        cmocka_unit_test(test_amplifier),
        cmocka_unit_test(test_smooth_solution_of_stiff_problem),
        cmocka_unit_test(test_order_of_stiff_problem),
        cmocka_unit_test(test_stiff_decay),
        cmocka_unit_test(test_contact),
        cmocka_unit_test(test_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
