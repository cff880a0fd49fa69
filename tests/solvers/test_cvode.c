// SPDX-License-Identifier: MIT
//
// The solvers cvode and adams on problems with published end values.

#include "support/integrate.h"
#include "support/stiff.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The error falls with the tolerance: it stays within `allowed` of it over four orders of
// magnitude. `absolute` is relative to the relative tolerance.
static void check_tolerances(const StiffProblem *problem, double absolute, double allowed)
{
    for (double tolerance = 1e-4; tolerance > 5e-9; tolerance *= 1e-2) {
        SaltusMethod method = method_of(SALTUS_SOLVER_CVODE, tolerance, absolute * tolerance, 0.0);
        double values[8];
        SaltusStatistics statistics = integrate(&problem->mode, &method, 0.0, problem->end, values);
        double error = stiff_error(problem, values, tolerance, absolute * tolerance);
        assert_true(error < allowed);
        // An explicit method would need millions.
        assert_true(statistics.steps < 10000);
    }
}

// Robertson's reactions forget their errors: some tolerances. The absolute tolerance has to suit
// the second species, which ends at 1e-13.
static void robertson(void **state)
{
    (void)state;
    StiffProblem problem = stiff_robertson();
    check_tolerances(&problem, 1e-10, 50.0);
    problem = stiff_robertson_dae();
    check_tolerances(&problem, 1e-10, 50.0);
}

// HIRES contracts, but the end is chosen where the solution moves: some tolerances.
static void hires(void **state)
{
    (void)state;
    StiffProblem problem = stiff_hires();
    check_tolerances(&problem, 1e-4, 20.0);
}

// Relaxation oscillations: errors of the phase add up over the steps, of which there are
// thousands, most of them on the slow parts.
static void oscillations(void **state)
{
    (void)state;
    StiffProblem problem = stiff_van_der_pol();
    check_tolerances(&problem, 1e-4, 1000.0);
    problem = stiff_oregonator();
    check_tolerances(&problem, 1e-4, 1000.0);
}

// The same without the Jacobian of the mode: differences serve as well.
static void differences_as_jacobian(void **state)
{
    (void)state;
    StiffProblem problem = stiff_van_der_pol();
    SaltusMethod method = method_of(SALTUS_SOLVER_CVODE, 1e-6, 1e-10, 0.0);
    double values[8];
    SaltusStatistics given = integrate(&problem.mode, &method, 0.0, problem.end, values);
    problem.mode.hints.jacobian = NULL;
    SaltusStatistics differences = integrate(&problem.mode, &method, 0.0, problem.end, values);
    assert_true(stiff_error(&problem, values, 1e-6, 1e-10) < 1000.0);
    assert_true(differences.steps < 2 * given.steps && given.steps < 2 * differences.steps);
    assert_true(differences.jacobians < 2 * given.jacobians);
}

// Algebraic variables are solved for in each evaluation. The node voltages amplify the errors of
// the capacitors' voltages by about 100 a stage.
static void amplifier(void **state)
{
    (void)state;
    StiffProblem problem = stiff_amplifier_semi_explicit();
    for (double tolerance = 1e-4; tolerance > 5e-9; tolerance *= 1e-2) {
        SaltusMethod method = method_of(SALTUS_SOLVER_CVODE, tolerance, tolerance, 0.0);
        double values[8], nodes[8];
        integrate(&problem.mode, &method, 0.0, problem.end, values);
        stiff_amplifier_nodes(values, values + 5, nodes);
        assert_true(stiff_error(&problem, nodes, tolerance, tolerance) < 10.0);
    }
}

// ---------------------------------------------------------------------------
// Adams
// ---------------------------------------------------------------------------

// Seven stars in the plane: x, y, x', y' of each.
static int pleiades_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    (void)c, (void)t, (void)z;
    memcpy(dx, x + 14, 14 * sizeof *dx);
    for (int i = 0; i < 7; i++) {
        dx[14 + i] = dx[21 + i] = 0.0;
        for (int j = 0; j < 7; j++) {
            if (j == i)
                continue;
            double across = x[j] - x[i], up = x[7 + j] - x[7 + i];
            double distance = hypot(across, up), force = (j + 1) / pow(distance, 3.0);
            dx[14 + i] += force * across;
            dx[21 + i] += force * up;
        }
    }
    return 0;
}

// Close encounters amplify errors by about 1e4. More than ten states: fixed-point iteration.
static void pleiades(void **state)
{
    (void)state;
    static const double start[] = {3.0, 3.0,  -1.0, -3.0,  2.0, -2.0, 2.0,  // x
                                   3.0, -3.0, 2.0,  0.0,   0.0, -4.0, 4.0,  // y
                                   0.0, 0.0,  0.0,  0.0,   0.0, 1.75, -1.5, // x'
                                   0.0, 0.0,  0.0,  -1.25, 1.0, 0.0,  0.0}; // y'
    StiffProblem problem = {.mode = saltus_default_mode(),
                            .end = 3.0,
                            .count = 2,
                            .values = {0.3706139143970502, 3.237284092057233}};
    problem.mode.name = "pleiades";
    problem.mode.state_count = 28;
    problem.mode.start = start;
    problem.mode.rhs = pleiades_rhs;
    for (double tolerance = 1e-8; tolerance > 5e-12; tolerance *= 1e-1) {
        SaltusMethod method = method_of(SALTUS_SOLVER_ADAMS, tolerance, tolerance, 0.0);
        double x[28];
        SaltusStatistics statistics = integrate(&problem.mode, &method, 0.0, problem.end, x);
        assert_true(stiff_error(&problem, x, tolerance, tolerance) < 1e4);
        assert_int_equal(statistics.jacobians, 0);
        assert_true(statistics.f_evaluations < 6000);
    }
}

// A rate of 1000 against a smooth solution: with two states adams iterates with Newton, whose
// steps are bounded by stability (a thousand or two), not by the iteration's convergence.
static int mildly_stiff(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    (void)c, (void)z;
    dx[0] = -1000.0 * (x[0] - cos(t)) - sin(t);
    dx[1] = x[0];
    return 0;
}

static void adams_with_newton(void **state)
{
    (void)state;
    static const double start[] = {1.0, 0.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "mildly stiff";
    mode.state_count = 2;
    mode.start = start;
    mode.rhs = mildly_stiff;
    SaltusMethod method = method_of(SALTUS_SOLVER_ADAMS, 1e-6, 1e-6, 0.0);
    double x[2];
    SaltusStatistics statistics = integrate(&mode, &method, 0.0, 3.0, x);
    assert_true(fabs(x[0] - cos(3.0)) < 1e-5 && fabs(x[1] - sin(3.0)) < 1e-4);
    assert_true(statistics.jacobians > 0);
    assert_true(statistics.steps < 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robertson),         cmocka_unit_test(hires),
        cmocka_unit_test(oscillations),      cmocka_unit_test(differences_as_jacobian),
        cmocka_unit_test(amplifier),         cmocka_unit_test(pleiades),
        cmocka_unit_test(adams_with_newton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
