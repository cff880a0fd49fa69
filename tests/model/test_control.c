// SPDX-License-Identifier: MIT
//
// Controllers, sampled systems and logic of models/examples/ against closed forms, recursions, and
// values of Runge and Kutta's method with 20000 steps or more, which agree with those of twice as
// many to 12 digits.

#include "model/example.h"

static const double bound = EXAMPLE_BOUND;

// At full power v = vmax tanh(t / tau), up to where the controller asks for less: at v = target -
// Fmax / k.
static void cruise_control(void **state)
{
    (void)state;
    Trial *t = example_run("CruiseControl", 60.0);
    const double time = 1200.0 / sqrt(4000.0 * 0.5) * atanh((25.0 - 4000.0 / 600.0) / sqrt(8000.0));
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    ASSERT_NEAR(saltus_run_event(trial_get_run(t), 0).t, time, 10.0 * bound);
    ASSERT_LAST(t, "v", 25.0057435365137, 25.0 * bound);
    ASSERT_LAST(t, "x", 0.525682387114163, 10.0 * bound);
    trial_end(t);
}

static void pid_servo(void **state)
{
    (void)state;
    Trial *t = example_run("PIDServo", 3.0);
    ASSERT_LAST(t, "plant.y", 0.955016746558703, bound);
    ASSERT_LAST(t, "controller.I.y", 0.215588734219655, bound);
    trial_end(t);
}

// y rises to 0.2 on the way to 1, then swings between 0.2 and -0.2 on the way to -1 and 1.
static void relay_loop(void **state)
{
    (void)state;
    Trial *t = example_run("RelayLoop", 20.0);
    const double first = 2.0 * log(1.0 / 0.8), half = 2.0 * log(1.2 / 0.8);
    for (int n = 0; first + n * half < 20.0; n++)
        ASSERT_NEAR(example_change(t, "relay.y", n), first + n * half, 10.0 * bound);
    trial_end(t);
}

static void sampled_servo(void **state)
{
    (void)state;
    Trial *t = example_run("SampledServo", 2.1);
    double x = 0.0, y = 0.0, u = 0.0;
    for (int k = 0; k <= 10; k++) {
        y = k ? u + (y - u) * exp(-0.2) : 0.0;
        x += (2.0 - y) * 0.2 / 0.5;
        u = 0.8 * (2.0 - y + x);
    }
    ASSERT_LAST(t, "controller.x", x, bound);
    ASSERT_LAST(t, "plant.y", u + (y - u) * exp(-0.1), bound);
    trial_end(t);
}

// The staircase lies as much above the line as below. 20 events, each at the resolution of time.
static void quantization(void **state)
{
    (void)state;
    Trial *t = example_run("Quantization", 9.0);
    ASSERT_LAST(t, "integrator.y", 40.5, 1e-12);
    ASSERT_LAST(t, "quantizer.y", 9.0, 0.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 18);
    trial_end(t);
}

static void stepper_motor(void **state)
{
    (void)state;
    Trial *t = example_run("StepperMotor", 2.09);
    ASSERT_LAST(t, "phi", 6.320157241246287, 10.0 * bound);
    ASSERT_LAST(t, "w", -0.5554855707855706, 100.0 * bound);
    ASSERT_LAST(t, "count", 20.0, 0.0);
    trial_end(t);
}

static void binary_counter(void **state)
{
    (void)state;
    Trial *t = example_run("BinaryCounter", 0.05);
    for (int n = 1; n < 40; n++) {
        assert_int_equal(trial_run(t, 0.1 * n + 0.05), SALTUS_OK);
        ASSERT_LAST(t, "value", n % 16, 0.0);
    }
    trial_end(t);
}

// 40 s a turn: 20 red, 2 red and amber, 15 green, 3 amber.
static void traffic_light(void **state)
{
    (void)state;
    Trial *t = example_run("TrafficLight", 100.0);
    ASSERT_LAST(t, "phase", 2.0, 0.0); // changes just then
    ASSERT_LAST(t, "greenTime", 30.0, 1e-12);
    assert_int_equal(trial_run(t, 110.0), SALTUS_OK);
    ASSERT_LAST(t, "green", 1.0, 0.0);
    ASSERT_LAST(t, "red", 0.0, 0.0);
    ASSERT_LAST(t, "greenTime", 38.0, 1e-12);
    trial_end(t);
}

// Lines between the points: a ramp of the speed v from a to b in d seconds loses c d (b^4 - a^4) /
// (4 (b - a)).
static void drive_cycle(void **state)
{
    (void)state;
    Trial *t = example_run("DriveCycle", 50.0);
    ASSERT_LAST(t, "way", 75.0 + 300.0 + 87.5 + 150.0, 600.0 * bound);
    ASSERT_LAST(t, "drag", 0.4 * (8437.5 + 67500.0 + 27343.75 + 30000.0), 5e4 * bound);
    trial_end(t);
}

// The window holds the samples 0.73, 0.75, 100.77, 100.79, 0.81: the third is 0.81.
static void median_filter(void **state)
{
    (void)state;
    Trial *t = example_run("MedianFilter", 0.6);
    ASSERT_LAST(t, "median", 0.55, 1e-14);
    assert_int_equal(trial_run(t, 0.82), SALTUS_OK);
    ASSERT_LAST(t, "median", 0.81, 1e-14);
    ASSERT_LAST(t, "window[3]", 100.77, 1e-12);
    trial_end(t);
}

// Proportional: y = 3/4 (1 - exp(-2 t)). With the integral part the controller's zero and the
// plant's pole are the same: y = 1 - exp(-3/2 t).
static void exchange(void **state)
{
    (void)state;
    Trial *t = example_run("Exchange", 1.5);
    ASSERT_LAST(t, "p.plant.y", 0.75 * (1.0 - exp(-3.0)), bound);
    ASSERT_LAST(t, "pi.plant.y", 1.0 - exp(-2.25), bound);
    trial_end(t);
}

static void cascade(void **state)
{
    (void)state;
    Trial *t = example_run("Cascade", 1.0);
    ASSERT_LAST(t, "load.phi", 8.957796935, 10.0 * bound);
    ASSERT_LAST(t, "load.w", 10.0, 10.0 * bound); // the limit of the speed
    assert_int_equal(trial_run(t, 5.0), SALTUS_OK);
    ASSERT_LAST(t, "load.phi", 20.0, 20.0 * bound);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cruise_control), cmocka_unit_test(pid_servo),
        cmocka_unit_test(relay_loop),     cmocka_unit_test(sampled_servo),
        cmocka_unit_test(quantization),   cmocka_unit_test(stepper_motor),
        cmocka_unit_test(binary_counter), cmocka_unit_test(traffic_light),
        cmocka_unit_test(drive_cycle),    cmocka_unit_test(median_filter),
        cmocka_unit_test(exchange),       cmocka_unit_test(cascade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
