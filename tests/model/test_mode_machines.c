// SPDX-License-Identifier: MIT
//
// The models in models/modes/ that are state machines, against closed forms and a trace by hand.

#include "model/example.h"

static const double g = 9.81;

// K. E. Tsiolkovsky: the speed gained is that of the exhaust times the logarithm of the masses.
static void rocket(void **state)
{
    (void)state;
    Trial *t = example_run_mode("Rocket.mo", NULL, 200.0);
    const double dropped = 2500.0 * log(5030.0 / 1030.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 2);
    ASSERT_NEAR(saltus_run_event(r, 0).t, 100.0, 1e-6);
    ASSERT_NEAR(saltus_run_event(r, 1).t, 180.0, 1e-6);
    for (long row = 0; row < saltus_run_row_count(r); row++)
        if (saltus_run_row(r, row).kind == SALTUS_ROW_AFTER_EVENT &&
            saltus_run_row(r, row).t < 150.0) {
            ASSERT_NEAR(trial_value_at(t, "v", row), dropped, 1e-3);
            ASSERT_NEAR(trial_value_at(t, "total", row), 530.0, 1e-6);
        }
    ASSERT_LAST(t, "v", dropped + 2500.0 * log(530.0 / 130.0), 1e-3);
    trial_end(t);
}

// The k-th impact has the speed sqrt(2 g) / 2^k; the first one below 1e-3 is the 14th.
static void resting_ball(void **state)
{
    (void)state;
    Trial *t = example_run_mode("RestingBall.mo", NULL, 3.0);
    double speed = sqrt(2.0 * g), time = speed / g;
    int bounces = 0;
    for (; speed > 1e-3; bounces++) {
        speed *= 0.5;
        time += 2.0 * speed / g;
    }
    ASSERT_LAST(t, "bounces", bounces, 0.0);
    const SaltusRun *r = trial_get_run(t);
    const SaltusLogEntry last = saltus_run_event(r, saltus_run_event_count(r) - 1);
    ASSERT_NEAR(last.t, time, 1e-9);
    ASSERT_LAST(t, "h", 0.0, 0.0);
    ASSERT_LAST(t, "v", 0.0, 0.0);
    ASSERT_LAST(t, "lying.floor", g, 1e-12);
    trial_end(t);
}

// Down to the line, where the relay is too weak to hold it: through it, and up until it is met
// again; from there x = -v dies away.
static void relay(void **state)
{
    (void)state;
    Trial *t = example_run_mode("Relay.mo", NULL, 6.0);
    const double first = sqrt(7.0) - 1.0, second = first + 2.0 * (first - 1.0);
    const double x = first - first * (second - first) + (second - first) * (second - first) / 2.0;
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 2);
    ASSERT_NEAR(saltus_run_event(r, 0).t, first, EXAMPLE_BOUND);
    ASSERT_NEAR(saltus_run_event(r, 1).t, second, EXAMPLE_BOUND);
    ASSERT_LAST(t, "x", x * exp(second - 6.0), EXAMPLE_BOUND);
    ASSERT_LAST(t, "v", -x * exp(second - 6.0), EXAMPLE_BOUND);
    ASSERT_LAST(t, "u", x * exp(second - 6.0), EXAMPLE_BOUND);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// A statechart
// ---------------------------------------------------------------------------

typedef struct Moment {
    double t;
    bool is_working, is_fast, is_day;
} Moment;

// Worked out by hand. Work is interrupted with slow.age = 1.5 at 2.5 and 6.5, and goes on so a
// second later.
static void statechart(void **state)
{
    (void)state;
    static const Moment moments[] = {
        {1.0, true, false, true},  {1.75, true, false, false}, {2.5, false, false, false},
        {3.0, false, false, true}, {3.5, true, false, true},   {4.0, true, true, true},
        {4.75, true, true, false}, {5.0, true, false, false},  {6.0, true, false, true},
        {6.5, false, false, true}, {7.5, true, false, true},   {7.75, true, false, false},
    };
    Trial *t = example_run_mode("Statechart.mo", NULL, 7.9);
    const SaltusRun *r = trial_get_run(t);
    size_t k = 0;
    for (long row = 0; row < saltus_run_row_count(r); row++) {
        if (saltus_run_row(r, row).kind != SALTUS_ROW_AFTER_EVENT)
            continue;
        if (k > 0 && fabs(saltus_run_row(r, row).t - moments[k - 1].t) < 1e-8)
            continue; // a condition that changed nothing
        if (k == sizeof moments / sizeof moments[0])
            fail_msg("an event at %g", saltus_run_row(r, row).t);
        ASSERT_NEAR(saltus_run_row(r, row).t, moments[k].t, 1e-8);
        ASSERT_NEAR(trial_value_at(t, "isWorking", row), moments[k].is_working, 0.0);
        ASSERT_NEAR(trial_value_at(t, "working.isFast", row), moments[k].is_fast, 0.0);
        ASSERT_NEAR(trial_value_at(t, "isDay", row), moments[k].is_day, 0.0);
        k++;
    }
    assert_int_equal(k, sizeof moments / sizeof moments[0]);
    ASSERT_LAST(t, "working.slow.age", 1.5 + 0.4, 1e-8);
    ASSERT_LAST(t, "working.fast.age", 1.0, 1e-8);
    trial_end(t);
}

// Equations have no order: the state is named after its use. x = t until 1, then 2 - t.
static void states_named_after_their_use(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M model S end S; S a, b; Real x(start = 0, fixed = true);\n"
                              "equation\n"
                              "  if activeState(a) then der(x) = 1; else der(x) = -1; end if;\n"
                              "  initialState(a); transition(a, b, x >= 1);\n"
                              "end M;",
                              1.5);
    trial_assert_value(t, "x", 0.5, 1e-9); // lines, an event located to rounding
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rocket),
        cmocka_unit_test(resting_ball),
        cmocka_unit_test(relay),
        cmocka_unit_test(statechart),
        cmocka_unit_test(states_named_after_their_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
