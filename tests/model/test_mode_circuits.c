// SPDX-License-Identifier: MIT
//
// Circuits with ideal diodes, models/modes/Circuits.mo, against values made by other methods.

#include "model/example.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Circuits
// ---------------------------------------------------------------------------

// i' = (largest - smallest phase - R i) / L, by the classical Runge-Kutta method with steps of
// 1e-6; at the kinks of the voltage its error is of the order of the square of the step.
static double bridge_slope(double time, double i)
{
    double largest = -1e9, smallest = 1e9;
    for (int k = 0; k < 3; k++) {
        const double phase = 0.3 + (k == 0 ? 0.0 : k == 1 ? -1.0 : 1.0) * 2.0 * example_pi / 3.0;
        const double u = 325.0 * sin(100.0 * example_pi * time + phase);
        largest = fmax(largest, u);
        smallest = fmin(smallest, u);
    }
    return (largest - smallest - 10.0 * i) / 0.05;
}

static double bridge_current(double stop_time)
{
    const double h = 1e-6;
    double i = 5.0;
    const long steps = lround(stop_time / h);
    for (long n = 0; n < steps; n++) {
        const double t = (double)n * h, k1 = bridge_slope(t, i);
        const double k2 = bridge_slope(t + h / 2.0, i + h / 2.0 * k1);
        const double k3 = bridge_slope(t + h / 2.0, i + h / 2.0 * k2);
        i += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + bridge_slope(t + h, i + h * k3));
    }
    return i;
}

static void bridge(void **state)
{
    (void)state;
    Trial *t = example_run_mode("Circuits.mo", "Circuits.Bridge", 0.4);
    const SaltusRun *r = trial_get_run(t);
    // six commutations in each of twenty periods
    assert_int_equal(saltus_run_event_count(r), 120);
    assert_in_range(saltus_run_statistics(r).modes_entered, 6, 12);
    ASSERT_LAST(t, "inductor.i", bridge_current(0.4), 1e-6 * 54.0);
    trial_end(t);
}

// A diode with a resistor behind it lets through max(0, u / R).
static void ladder_slopes(int n, double time, const double *u, double *slopes)
{
    double before = 10.0 * sin(2.0 * example_pi * time), in = fmax(0.0, before - u[0]);
    for (int k = 0; k < n; k++) {
        const double out = k + 1 < n ? fmax(0.0, u[k] - u[k + 1]) : 0.0;
        slopes[k] = (in - out - u[k] / 50.0) / 0.02;
        in = out;
    }
}

static void ladder_reference(int n, double stop_time, double *u)
{
    const double h = 1e-4;
    double k[4][64], at[64];
    static const double c[4] = {0.0, 0.5, 0.5, 1.0};
    for (long step = 0; step < lround(stop_time / h); step++) {
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < n; j++)
                at[j] = u[j] + (s ? c[s] * h * k[s - 1][j] : 0.0);
            ladder_slopes(n, ((double)step + c[s]) * h, at, k[s]);
        }
        for (int j = 0; j < n; j++)
            u[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

static void ladder(void **state)
{
    (void)state;
    Trial *t = example_run_mode("Circuits.mo", "Circuits.Ladder", 3.0);
    double u[64] = {0.0};
    ladder_reference(10, 3.0, u);
    for (int k = 0; k < 10; k++) {
        char name[32];
        snprintf(name, sizeof name, "capacitor[%d].u", k + 1);
        // the reference has errors of h^2 = 1e-8 at each of some hundred kinks
        ASSERT_LAST(t, name, u[k], 1e-6);
    }
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bridge),
        cmocka_unit_test(ladder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
