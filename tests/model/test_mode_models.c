// SPDX-License-Identifier: MIT
//
// The models in models/modes/ whose structure changes, against closed forms, conserved quantities,
// and values made by other methods.

#include "model/example.h"

#include <stdio.h>

static const double g = 9.81;

// ---------------------------------------------------------------------------
// Mechanics
// ---------------------------------------------------------------------------

// The time in which a pendulum of length l falls from the horizontal to the angle a below it:
// integral of 1 / sqrt(2 g / l sin a), with a = z^2 so that it is smooth, by Simpson's rule.
static double fall_time(double l, double a)
{
    enum { PIECES = 2000 };
    const double h = sqrt(a) / PIECES;
    double sum = 0.0;
    for (int k = 0; k <= PIECES; k++) {
        const double z = k * h;
        const double f = k ? 2.0 * z / sqrt(2.0 * g / l * sin(z * z)) : 2.0 / sqrt(2.0 * g / l);
        sum += f * (k == 0 || k == PIECES ? 1.0 : k % 2 ? 4.0 : 2.0);
    }
    return sum * h / 3.0;
}

// The force of the rope is 3 m g sin a, and the speed there sqrt(2 g l sin a).
static void breaking_rope(void **state)
{
    (void)state;
    Trial *t = example_run_mode("BreakingRope.mo", NULL, 1.5);
    const double l = 2.0, sine = 30.0 / (3.0 * 1.5 * g), cosine = sqrt(1.0 - sine * sine);
    const double at = example_change(t, "broken", 0), s = sqrt(2.0 * g * l * sine);
    ASSERT_NEAR(at, fall_time(l, asin(sine)), EXAMPLE_BOUND);
    const double rest = 1.5 - fall_time(l, asin(sine));
    ASSERT_LAST(t, "x", l * cosine - s * sine * rest, EXAMPLE_BOUND);
    ASSERT_LAST(t, "y", -l * sine - s * cosine * rest - g / 2.0 * rest * rest, 10 * EXAMPLE_BOUND);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).mode_changes, 1);
    trial_end(t);
}

// One block under the force 2 sin(time): from rest it moves when the force is 1.5, and stops when
// 2 (cos t0 - cos t) = t - t0; in every half period the same.
static void friction_of_one_block(void **state)
{
    (void)state;
    Trial *t = example_run_mode("FrictionChain.mo", "FrictionChain.One", 9.5);
    const double t0 = asin(0.75);
    double low = 2.0, high = 4.0;
    for (int k = 0; k < 60; k++) {
        const double mid = 0.5 * (low + high);
        *(2.0 * (cos(t0) - cos(mid)) > mid - t0 ? &low : &high) = mid;
    }
    const double times[] = {t0, low, t0 + example_pi, low + example_pi, t0 + 2.0 * example_pi};
    for (int k = 0; k < 5; k++)
        ASSERT_NEAR(example_change(t, "b[1].motion", k), times[k], EXAMPLE_BOUND);
    ASSERT_LAST(t, "b[1].v", 2.0 * (cos(t0) - cos(9.5)) - (9.5 - times[4]), EXAMPLE_BOUND);
    // forwards, back, and a part forwards again
    const double s = 9.5 - times[4];
    ASSERT_LAST(t, "b[1].x", 2.0 * (cos(t0) * s - sin(9.5) + sin(times[4])) - s * s / 2.0,
                10 * EXAMPLE_BOUND);
    ASSERT_LAST(t, "balance", 0.0, 10 * EXAMPLE_BOUND);
    trial_end(t);
}

// What the force does is in the blocks, the springs and the floor. What sticks does not move.
static void friction_of_chains(void **state)
{
    (void)state;
    static const char *const models[] = {"FrictionChain.Two", "FrictionChain.Eight"};
    static const double stops[] = {20.0, 40.0};
    static const int least_events[] = {6, 40};
    for (int k = 0; k < 2; k++) {
        Trial *t = example_run_mode("FrictionChain.mo", models[k], stops[k]);
        const SaltusRun *r = trial_get_run(t);
        assert_true(saltus_run_event_count(r) >= least_events[k]);
        for (long row = 0; row < saltus_run_row_count(r); row++) {
            ASSERT_NEAR(trial_value_at(t, "balance", row), 0.0, 1e-6);
            if (trial_value_at(t, "b[1].motion", row) == 0.0)
                ASSERT_NEAR(trial_value_at(t, "b[1].v", row), 0.0, 1e-9);
        }
        // to pull the first block the others had to be drawn apart
        assert_true(trial_value(t, "work") > 1.0);
        trial_end(t);
    }
}

// Each wagon joins when the slack before it is used up; the momentum is the force times the time.
static void train(void **state)
{
    (void)state;
    static const double m[] = {80, 20, 25, 30, 20, 15};
    const double force = 40.0, slack = 0.5;
    Trial *t = example_run_mode("Train.mo", "Train.Start", 8.0);
    double mass = m[0], speed = 0.0, time = 0.0;
    for (int k = 0; k < 5; k++) {
        const double a = force / mass;
        const double fly = (sqrt(speed * speed + 2.0 * a * slack) - speed) / a;
        char name[32];
        time += fly;
        speed = (speed + a * fly) * mass / (mass + m[k + 1]);
        mass += m[k + 1];
        snprintf(name, sizeof name, "k[%d].taut", k + 1);
        ASSERT_NEAR(example_change(t, name, 0), time, 1e-9);
    }
    ASSERT_LAST(t, "v[1]", speed + force / mass * (8.0 - time), 1e-9);
    ASSERT_LAST(t, "v[6]", speed + force / mass * (8.0 - time), 1e-9);
    const SaltusRun *r = trial_get_run(t);
    for (long row = 0; row < saltus_run_row_count(r); row++)
        ASSERT_NEAR(trial_value_at(t, "momentum", row), force * saltus_run_row(r, row).t, 1e-10);
    trial_end(t);
}

// The first ball swings for a quarter of its period, the last one for a half, the first for a half.
static void cradle(void **state)
{
    (void)state;
    Trial *t = example_run_mode("Cradle.mo", NULL, 5.0);
    const double w = 3.0, start = 0.1, quarter = example_pi / 2.0 / w;
    const SaltusRun *r = trial_get_run(t);
    for (long row = 0; row < saltus_run_row_count(r); row++) {
        const double time = saltus_run_row(r, row).t, phase = w * (time - quarter);
        const double half = floor(phase / example_pi);
        if (fabs(phase - example_pi * round(phase / example_pi)) < 1e-6)
            continue; // at the impact itself
        const bool is_first = fmod(half + 100.0, 2.0) != 0.0;
        ASSERT_NEAR(trial_value_at(t, "x[1]", row), is_first ? -start * fabs(sin(phase)) : 0.0,
                    EXAMPLE_BOUND);
        ASSERT_NEAR(trial_value_at(t, "x[3]", row), 0.0, EXAMPLE_BOUND);
        ASSERT_NEAR(trial_value_at(t, "x[5]", row), is_first ? 0.0 : start * fabs(sin(phase)),
                    EXAMPLE_BOUND);
    }
    assert_true(trial_value(t, "impacts") >= 4.0 * 4.0);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// Tanks
// ---------------------------------------------------------------------------

static void overflow_tank(void **state)
{
    (void)state;
    Trial *t = example_run_mode("OverflowTank.mo", NULL, 20.0);
    const double full = 4.0 * log(1.8), spilt = 0.5 * (5.0 - full);
    ASSERT_NEAR(example_change(t, "full", 0), full, EXAMPLE_BOUND);
    ASSERT_NEAR(example_change(t, "full", 1), 5.0, 0.0);
    ASSERT_LAST(t, "spilt", spilt, EXAMPLE_BOUND);
    ASSERT_LAST(t, "h", 0.2 + 0.8 * exp(-15.0 / 4.0), EXAMPLE_BOUND);
    // nothing is lost: area * (h - 0.2) = balance - spilt
    const SaltusRun *r = trial_get_run(t);
    for (long row = 0; row < saltus_run_row_count(r); row++)
        ASSERT_NEAR(2.0 * (trial_value_at(t, "h", row) - 0.2),
                    trial_value_at(t, "balance", row) - trial_value_at(t, "spilt", row),
                    EXAMPLE_BOUND);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaking_rope),
        cmocka_unit_test(friction_of_one_block),
        cmocka_unit_test(friction_of_chains),
        cmocka_unit_test(train),
        cmocka_unit_test(cradle),
        cmocka_unit_test(overflow_tank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
