// SPDX-License-Identifier: MIT
//
// spatialDistribution (Modelica specification, section 3.7.4.2) against the characteristics: at the
// end where it leaves, z is what came in when the position x was less by 1, or what was there at
// the start.

#include "model/example.h"

// Of the tolerance 1e-6: the profile adds a tenth of it.
static const double rounding = 2e-6;

#define PIPE                                                                                       \
    "model M Real x(start = 0.3, fixed = true), v, a, b, in0, in1; equation der(x) = v; "          \
    "(a, b) = spatialDistribution(in0, in1, x, v >= 0, "

// With a constant velocity it is a delay.
static void constant_velocity(void **state)
{
    (void)state;
    const char *text = PIPE "{0, 1}, {1, 3}); v = 0.8; in0 = sin(3*time); in1 = 7; end M;";
    for (int k = 1; k < 10; k++) {
        const double t = 0.31 * k;
        Trial *trial = trial_run_text(text, t);
        ASSERT_VALUE(trial, "a", sin(3.0 * t));
        ASSERT_VALUE(trial, "b", 0.8 * t < 1.0 ? 3.0 - 1.6 * t : sin(3.0 * (t - 1.25)));
        trial_end(trial);
    }
}

// x(s) = x(t) - 1 for x = s + (1 - cos(s))/2, by halving.
static double entered(double t)
{
    const double wanted = t + 0.5 * (1.0 - cos(t)) - 1.0;
    double low = 0.0, high = t;
    for (int k = 0; k < 100; k++) {
        const double s = 0.5 * (low + high);
        if (s + 0.5 * (1.0 - cos(s)) < wanted)
            low = s;
        else
            high = s;
    }
    return low;
}

static void varying_velocity(void **state)
{
    (void)state;
    const char *text = PIPE "{0, 1}, {0, 0}); v = 1 + 0.5*sin(time); in0 = exp(-time); in1 = 0; "
                            "end M;";
    for (int k = 1; k < 9; k++) {
        Trial *trial = trial_run_text(text, 1.0 * k);
        ASSERT_VALUE(trial, "b", k < 1 ? 0.0 : exp(-entered(1.0 * k)));
        trial_end(trial);
    }
}

// x = 0.7 sin(t). Until pi/2 it moves 0.7 to the right: at y = 1 comes out what was at 1 - x. Then
// back: at y = 0 comes out what came in when x was the same before, and from pi on what was at
// y = -x at the start, as long as that did not leave at y = 1 (where 0.3 was at last); then what
// came in there at the time s, x(s) = 1 + x(t). From 3 pi/2 on it goes to the right again, and what
// came in at y = 1 at the time 3 pi - t comes out there.
static void reversing_velocity(void **state)
{
    (void)state;
    const char *text =
        "model M Real x(start = 0, fixed = true), v = 0.7*cos(time), a, b; equation der(x) = v; "
        "(a, b) = spatialDistribution(time, -time, x, v >= 0, {0, 0.5, 0.5, 1}, {1, 1, 2, 3}); "
        "end M;";
    const double pi = 3.141592653589793;
    static const double times[] = {0.5, 1.2, 2.0, 2.9, 3.5, 4.2, 4.6, 5.0, 6.0};
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
        const double t = times[k], x = 0.7 * sin(t);
        const bool is_right = cos(t) >= 0.0;
        Trial *trial = trial_run_text(text, t);
        const double left = 1.0 - x, initial = left < 0.5 ? 1.0 : 2.0 + 2.0 * (left - 0.5);
        const double out1 = t < 0.5 * pi ? initial : 3.0 * pi - t;
        const double out0 = t < pi ? pi - t : -x < 0.3 ? 1.0 : asin((1.0 + x) / 0.7) - pi;
        ASSERT_VALUE(trial, "a", is_right ? t : out0);
        ASSERT_VALUE(trial, "b", !is_right ? -t : t < 0.5 * pi ? out1 : -out1);
        trial_end(trial);
    }
}

// What leaves one pipe enters the next, in both directions: two pipes are one of twice the length.
static void pipes_in_a_row(void **state)
{
    (void)state;
    Trial *trial = trial_run_text(
        "model M Real x(start = 0, fixed = true), v = 1.5*cos(time), a, b, c, d, e, f; "
        "equation der(x) = v; (a, b) = spatialDistribution(sin(time), c, x, v >= 0); "
        "(c, d) = spatialDistribution(b, cos(time), x, v >= 0); "
        "(e, f) = spatialDistribution(sin(time), cos(time), x/2, v >= 0); end M;",
        11.0);
    for (long row = 0; row < saltus_run_row_count(trial_get_run(trial)); row++) {
        // both pipes, and their corners: kinks of the profile that the polynomials round off
        assert_true(fabs(trial_value_at(trial, "a", row) - trial_value_at(trial, "e", row)) < 1e-5);
        assert_true(fabs(trial_value_at(trial, "d", row) - trial_value_at(trial, "f", row)) < 1e-5);
    }
    trial_end(trial);
}

// A state that follows what comes out: z = 1 arrives at t = 1 (x = t), s = 1 - exp(-(t - 1)).
static void a_front_arrives(void **state)
{
    (void)state;
    Trial *trial = trial_run_text(
        "model M Real x(start = 0, fixed = true), s(start = 0, fixed = true), a, b; "
        "equation der(x) = 1; (a, b) = spatialDistribution(1, 0, x, true); der(s) = b - s; end M;",
        3.0);
    ASSERT_VALUE(trial, "s", 1.0 - exp(-2.0));
    trial_end(trial);
}

// Fronts that came in at 1 and 1.5, and one of the initial profile, leave at x = 0.75, 1.8 and 2.2
// with x = 0.8 t: each is an event, at that time to rounding, and the integral of what leaves is
// exact, however long the steps are.
static void fronts_are_events(void **state)
{
    (void)state;
    Trial *trial = trial_run_text(
        "model M Real x(start = 0, fixed = true), s(start = 0, fixed = true), a, b, u; "
        "discrete Real t1(start = 0), t2(start = 0), t3(start = 0); equation der(x) = 0.8; "
        "u = if time < 1 then 0 elseif time < 1.5 then 5 else 2; der(s) = b; "
        "(a, b) = spatialDistribution(u, 0, x, true, {0, 0.25, 0.25, 1}, {0, 0, 3, 3}); "
        "when b < 1 then t1 = time; end when; when b > 4 then t2 = time; end when; "
        "when b < 4 and time > 2.5 then t3 = time; end when; end M;",
        4.0);
    assert_true(fabs(trial_value(trial, "t1") - 0.9375) < 1e-14);
    assert_true(fabs(trial_value(trial, "t2") - 2.25) < 1e-14);
    assert_true(fabs(trial_value(trial, "t3") - 2.75) < 1e-14);
    assert_true(fabs(trial_value(trial, "s") - (3.0 * 0.9375 + 5.0 * 0.5 + 2.0 * 1.25)) < 1e-12);
    // one more where a step would move by nearly the length of the pipe
    const SaltusStatistics n = saltus_run_statistics(trial_get_run(trial));
    assert_in_range(n.events, 3, 4);
    assert_int_equal(n.time_events, 3); // with that of the test
    trial_end(trial);
}

// x = 0.7 sin(t): a front that came in at y = 0 (1 from x = 0.35 on, 0 before it) turns with the
// flow, and leaves there, when x is the same again: u = 1 until t = pi - asin(0.5). What turns
// before it is 1. Nothing of it reaches y = 1.
static void a_front_turns(void **state)
{
    (void)state;
    Trial *trial = trial_run_text(
        "model M Real x(start = 0, fixed = true), v = 0.7*cos(time), a, b; "
        "discrete Real t1(start = 0); equation der(x) = v; "
        "(a, b) = spatialDistribution(if time > asin(0.5) then 1 else 0, 0, x, v >= 0); "
        "when v < 0 and a < 0.5 then t1 = time; end when; end M;",
        3.0);
    const double pi = 3.141592653589793;
    // what is left is the error of x, 1e-6 of tolerance
    assert_true(fabs(trial_value(trial, "t1") - (pi - asin(0.5))) < 2e-6);
    ASSERT_VALUE(trial, "a", 0.0);
    ASSERT_VALUE(trial, "b", 0.0);
    trial_end(trial);
}

// What leaves at t = 1 + k is what enters again, with 1 more: stairs whose steps are events.
static void a_loop_of_fronts(void **state)
{
    (void)state;
    Trial *trial =
        trial_run_text("model M Real x(start = 0, fixed = true), s(start = 0, fixed = true), a, b; "
                       "equation der(x) = 1; der(s) = b; "
                       "(a, b) = spatialDistribution(b + 1, 0, x, true); end M;",
                       6.5);
    ASSERT_VALUE(trial, "b", 6.0);
    assert_true(fabs(trial_value(trial, "s") - (0.0 + 1 + 2 + 3 + 4 + 5 + 3)) < 1e-9);
    assert_in_range(saltus_run_statistics(trial_get_run(trial)).events, 6, 12);
    trial_end(trial);
}

static void wrong_uses(void **state)
{
    (void)state;
    trial_expect_refusal(PIPE "{0, 1}, {1, 2, 3}); v = 1; in0 = 1; in1 = 1; end M;",
                         "2 points, but 3 values");
    trial_expect_refusal(PIPE "{0, time}, {1, 2}); v = 1; in0 = 1; in1 = 1; end M;",
                         "must not change during a run");
    trial_expect_refusal("model M Real a, b, c; equation (a, b, c) = "
                         "spatialDistribution(1, 2, time, true); end M;",
                         "has two results, not 3");
    trial_expect_refusal("model M Real a; algorithm a := spatialDistribution(1, 2, time, true); "
                         "end M;",
                         "cannot be used in an algorithm");
    trial_expect_error(PIPE "{0.5, 1}, {1, 2}); v = 1; in0 = 1; in1 = 1; end M;", 1.0,
                       "do not rise from 0 to 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_velocity),  cmocka_unit_test(varying_velocity),
        cmocka_unit_test(reversing_velocity), cmocka_unit_test(pipes_in_a_row),
        cmocka_unit_test(a_front_arrives),    cmocka_unit_test(fronts_are_events),
        cmocka_unit_test(a_front_turns),      cmocka_unit_test(a_loop_of_fronts),
        cmocka_unit_test(wrong_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
