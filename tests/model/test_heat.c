// SPDX-License-Identifier: MIT
//
// Heat, tanks and waves of models/examples/ against closed forms.

#include "model/example.h"

static const double bound = EXAMPLE_BOUND;

// x of x' = -(x - y) / 160, y' = (x - y) / 40 - y / 200 from x = 70, y = 0.
static void cooling_coffee(void **state)
{
    (void)state;
    const double time = 1000.0;
    Trial *t = example_run("CoolingCoffee", time);
    const double p = 0.5 * (1.0 / 160.0 + 0.03), q = 0.03 / 160.0 - 0.025 / 160.0;
    const double root = sqrt(p * p - q), a = -p + root, b = -p - root;
    // x = A e^(a t) + B e^(b t) with A + B = 70, a A + b B = -70 / 160
    const double A = 70.0 * (-1.0 / 160.0 - b) / (a - b), B = 70.0 - A;
    ASSERT_LAST(t, "coffee.T", 293.15 + A * exp(a * time) + B * exp(b * time), 300.0 * bound);
    trial_end(t);
}

static void radiation_cooling(void **state)
{
    (void)state;
    Trial *t = example_run("RadiationCooling", 2000.0);
    const double cubed = pow(1500.0, -3.0) + 3.0 * 5.670374419e-8 * 0.01 * 2000.0 / 1000.0;
    ASSERT_LAST(t, "body.T", pow(cubed, -1.0 / 3.0), 1000.0 * bound);
    trial_end(t);
}

// x = T - 300: C x' = V^2 / (R (1 + alpha x)) - G x, solved for the time by partial fractions.
static void heated_wire(void **state)
{
    (void)state;
    Trial *t = example_run("HeatedWire", 20.0);
    const double C = 2.0, G = 0.1, alpha = 0.004, x = trial_value(t, "mass.T") - 300.0;
    const double root = sqrt(1.0 + 4.0 * alpha * 100.0);
    const double a = (-1.0 + root) / (2.0 * alpha), b = (-1.0 - root) / (2.0 * alpha);
    const double A = (1.0 + alpha * a) / (a - b), B = -(1.0 + alpha * b) / (a - b);
    const double time = -C / (G * alpha) * (A * log((a - x) / a) + B * log((x - b) / -b));
    ASSERT_NEAR(time, 20.0, 300.0 * bound); // an error of x of 3e-5, and x' = 1.7 there
    trial_end(t);
}

// In the steady state all cells have the same difference d between the streams:
// d (1 + NTU + NTU / n) = Thot - Tcold.
static void heat_exchanger(void **state)
{
    (void)state;
    Trial *t = example_run("HeatExchanger", 200.0);
    const double ntu = 3.0, d = 60.0 / (1.0 + ntu + ntu / 10.0);
    ASSERT_LAST(t, "h[10]", 360.0 - ntu * d, 400.0 * bound);
    ASSERT_LAST(t, "c[1]", 300.0 + ntu * d, 400.0 * bound);
    trial_end(t);
}

static double squared(double x)
{
    return x * x;
}

// Eigenvectors of the discretised operators.
static void heat_equations(void **state)
{
    (void)state;
    Trial *t = example_run("HeatRod", 0.1);
    double rate = 4.0 * 41.0 * 41.0 * squared(sin(example_pi / 82.0));
    ASSERT_LAST(t, "T[7]", sin(7.0 * example_pi / 41.0) * exp(-rate * 0.1), bound);
    trial_end(t);

    t = example_run("HotPlate", 0.05);
    rate = 4.0 * 81.0 * (squared(sin(example_pi / 18.0)) + squared(sin(example_pi / 9.0)));
    ASSERT_LAST(t, "T[3,2]",
                sin(3.0 * example_pi / 9.0) * sin(4.0 * example_pi / 9.0) * exp(-rate * 0.05),
                bound);
    trial_end(t);
}

// A sum of the modes sin(j k pi / (n + 1)) with w = 2 (n + 1) sin(j pi / (2 n + 2)).
static void wave_string(void **state)
{
    (void)state;
    enum { n = 20 };
    Trial *t = example_run("WaveString", 4.0);
    double u = 0.0, energy = 0.0;
    for (int j = 1; j <= n; j++) {
        const double q = j * example_pi / (n + 1), w = 2.0 * (n + 1) * sin(0.5 * q);
        double a = 0.0;
        for (int k = 1; k <= n; k++)
            a += 2.0 / (n + 1) * fmin(k, n + 1 - k) / (n + 1) * sin(k * q);
        u += a * sin(5.0 * q) * cos(w * 4.0);
        energy += 0.25 * squared(a * w);
    }
    ASSERT_LAST(t, "u[5]", u, 100.0 * bound); // the fastest mode swings 27 times
    ASSERT_LAST(t, "energy", energy, 100.0 * bound);
    trial_end(t);
}

// sqrt(h) falls in a straight line, down to h = 1e-6.
static void emptying_tank(void **state)
{
    (void)state;
    Trial *t = example_run("EmptyingTank", 50.0);
    const double rate = 0.5 * 0.01 * sqrt(2.0 * 9.81);
    ASSERT_LAST(t, "h", squared(sqrt(2.0) - rate * 50.0), bound);
    assert_int_equal(trial_run(t, 100.0), SALTUS_OK);
    ASSERT_NEAR(example_change(t, "empty", 0), (sqrt(2.0) - 1e-3) / rate, 1e3 * bound);
    ASSERT_LAST(t, "h", 1e-6, 1e-9);
    trial_end(t);
}

// What has come through the upper tank.
static double passed(double t)
{
    return t - 4.0 * (1.0 - exp(-t / 4.0));
}

// The time from `t` on when the lower level has risen (rate of draining 0) or fallen (2) so much.
static double level_time(double t, double drain, double change)
{
    double low = t, high = t + 20.0;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        const double level = passed(middle) - passed(t) - drain * (middle - t);
        *(fabs(level) < fabs(change) ? &low : &high) = middle;
    }
    return high;
}

static void two_tanks(void **state)
{
    (void)state;
    Trial *t = example_run("TwoTanks", 30.0);
    ASSERT_LAST(t, "h1", 2.0 * (1.0 - exp(-7.5)), bound);
    ASSERT_NEAR(2.0 * trial_value(t, "h1") + trial_value(t, "h2") + trial_value(t, "drained"), 30.0,
                100.0 * bound);
    double at = level_time(0.0, 0.0, 1.5);
    int changes = 0;
    for (; at < 30.0; changes++) {
        // 52 switchings pass their errors on
        ASSERT_NEAR(example_change(t, "open", changes), at, 100.0 * bound);
        at = changes % 2 == 0 ? level_time(at, 2.0, -0.5) : level_time(at, 0.0, 0.5);
    }
    const double more = example_change(t, "open", changes);
    assert_true(more != more);
    ASSERT_LAST(t, "openings", (changes + 1) / 2, 0.0);
    trial_end(t);
}

// The water loses 1 m3/s in all: the tanks are empty after 2 s, and the run ends there.
static void zeno_tanks(void **state)
{
    (void)state;
    Trial *t = example_run_to("ZenoTanks", 3.0, SALTUS_ZENO);
    ASSERT_NEAR(saltus_run_time(trial_get_run(t)), 2.0, 1e-9);
    ASSERT_NEAR(example_change(t, "first", 0), 0.5, 1e-12);
    ASSERT_NEAR(example_change(t, "first", 1), 1.25, 1e-12);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cooling_coffee), cmocka_unit_test(radiation_cooling),
        cmocka_unit_test(heated_wire),    cmocka_unit_test(heat_exchanger),
        cmocka_unit_test(heat_equations), cmocka_unit_test(wave_string),
        cmocka_unit_test(emptying_tank),  cmocka_unit_test(two_tanks),
        cmocka_unit_test(zeno_tanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
