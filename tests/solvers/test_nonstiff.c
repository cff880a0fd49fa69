// SPDX-License-Identifier: MIT
//
// The adaptive explicit solvers on two classical problems with published end values (Hairer,
// Nørsett, Wanner I, II.0 and II.10): Arenstorf's orbit and the Pleiades.

#include "support/integrate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

// ---------------------------------------------------------------------------
// Arenstorf: a periodic orbit around earth and moon, in the plane that rotates with them
// ---------------------------------------------------------------------------

static const double arenstorf_start[4] = {0.994, 0.0, 0.0, -2.00158510637908252240537862224};
static const double arenstorf_period = 17.0652165601579625588917206249;

static int arenstorf(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    const double moon = 0.012277471, earth = 1.0 - moon;
    double to_earth = pow((x[0] + moon) * (x[0] + moon) + x[1] * x[1], 1.5);
    double to_moon = pow((x[0] - earth) * (x[0] - earth) + x[1] * x[1], 1.5);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = x[0] + 2.0 * x[3] - earth * (x[0] + moon) / to_earth - moon * (x[0] - earth) / to_moon;
    dx[3] = x[1] - 2.0 * x[2] - earth * x[1] / to_earth - moon * x[1] / to_moon;
    return 0;
}

static double arenstorf_error(SaltusSolver solver, double tolerance)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 4;
    mode.start = arenstorf_start;
    mode.rhs = arenstorf;
    SaltusMethod method = method_of(solver, tolerance, tolerance, 0.0);
    double end[4], most = 0.0;
    integrate(&mode, &method, 0.0, arenstorf_period, end);
    for (int i = 0; i < 4; i++)
        most = fmax(most, fabs(end[i] - arenstorf_start[i]));
    return most;
}

// A disturbance of the velocity at the start, next to the moon, is 1.4e4 times as large after the
// period (by two runs at 1e-14). The steps near the moon, some ten of them, each add one of the
// size of the tolerance.
static void test_arenstorf(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        for (double tolerance = 1e-6; tolerance > 1e-14; tolerance *= 1e-2)
            assert_true(arenstorf_error(solvers[s], tolerance) < 1.4e5 * tolerance);
        // And the tolerance is what decides: 6 digits more of it give at least 5 digits.
        double rough = arenstorf_error(solvers[s], 1e-6), fine = arenstorf_error(solvers[s], 1e-12);
        assert_true(fine < 1e-5 * rough);
    }
}

// ---------------------------------------------------------------------------
// Pleiades: seven stars in the plane, masses 1 ... 7
// ---------------------------------------------------------------------------

// x (7), y (7), x' (7), y' (7)
static const double pleiades_start[28] = {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
                                          0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};

static int pleiades(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    const double *y = x + 7;
    for (int i = 0; i < 14; i++)
        dx[i] = x[14 + i];
    for (int i = 0; i < 7; i++) {
        dx[14 + i] = dx[21 + i] = 0.0;
        for (int j = 0; j < 7; j++) {
            double square = (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]);
            double pull = j == i ? 0.0 : (j + 1) / pow(square, 1.5);
            dx[14 + i] += pull * (x[j] - x[i]);
            dx[21 + i] += pull * (y[j] - y[i]);
        }
    }
    return 0;
}

// Disturbances of all components at the start appear 350 times as large in the first two at the
// end (by runs at 1e-14); coordinates up to 4 and the tolerance for absolute and relative error
// allow for 5 times the tolerance.
static void test_pleiades(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 28;
    mode.start = pleiades_start;
    mode.rhs = pleiades;
    for (int s = 0; s < SOLVERS; s++) {
        for (double tolerance = 1e-4; tolerance > 1e-13; tolerance *= 1e-2) {
            SaltusMethod method = method_of(solvers[s], tolerance, tolerance, 0.0);
            double end[28];
            integrate(&mode, &method, 0.0, 3.0, end);
            assert_true(fabs(end[0] - 0.3706139143970502) < 5.0 * 350.0 * tolerance);
            assert_true(fabs(end[1] - 3.237284092057233) < 5.0 * 350.0 * tolerance);
        }
    }
}

// At tight tolerances the higher order pays.
static void test_dop853_is_cheaper_at_tight_tolerances(void **state)
{
    (void)state;
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 28;
    mode.start = pleiades_start;
    mode.rhs = pleiades;
    SaltusStatistics statistics[SOLVERS];
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-10, 1e-10, 0.0);
        statistics[s] = integrate(&mode, &method, 0.0, 3.0, NULL);
    }
    assert_true(3 * statistics[1].f_evaluations < 2 * statistics[0].f_evaluations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arenstorf),
        cmocka_unit_test(test_pleiades),
        cmocka_unit_test(test_dop853_is_cheaper_at_tight_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
