// SPDX-License-Identifier: MIT
//
// Conditions that depend on what they decide about: relays and ideal diodes in algebraic loops,
// Booleans in circles, event iterations without end; and equations that cannot be solved, in the
// words of the model.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"
#include "support/hybrid.h"

#include <math.h>

static const double rounding = 1e-12;

// Positive feedback: a hysteresis. It switches where w + 0.4 y crosses zero, at w = 0.4.
static void relay_with_positive_feedback(void **state)
{
    (void)state;
    const char *const text = "model M Real u, y, w; equation w = time; u = w + 0.4 * y; "
                             "y = if u > 0 then 1 else -1; end M;";
    Trial *t = trial_run_text(text, 0.25);
    ASSERT_VALUE(t, "y", -1.0);
    assert_int_equal(trial_run(t, 0.5), SALTUS_OK);
    ASSERT_VALUE(t, "y", 1.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    trial_end(t);
}

// Negative feedback around zero has no solution: u > 0 makes u negative, u <= 0 positive.
static void relay_without_solution(void **state)
{
    (void)state;
    trial_expect_error(
        "model M Real u, y; equation u = time - 0.4 * y;\ny = if u > 0 then 1 else -1; "
        "end M;",
        1.0, "conditions contradict each other; look at u > 0.0 (");
    trial_expect_error("model M Real u, y; equation u = 1 - time - 0.4 * y;\n"
                       "y = if u > 0 then 1 else -1; end M;",
                       1.0, "conditions contradict each other");
    // Two that chase each other: from any pair of sides one of them must change.
    trial_expect_error("model M Real u, v; equation u = if v > 0 then -1 - time else 1 + time;\n"
                       "v = if u > 0 then 1 + time else -1 - time; end M;",
                       1.0, "conditions contradict each other; look at ");
}

// Two ideal diodes into one node: both conducting, the equations are singular; of the others, the
// diode with the higher voltage conducts.
static void diodes_in_parallel(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real s1, s2, u1, i1, u2, i2, v; equation "
                              "u1 = if s1 > 0 then 0 else s1; i1 = if s1 > 0 then s1 else 0; "
                              "u2 = if s2 > 0 then 0 else s2; i2 = if s2 > 0 then s2 else 0; "
                              "1 - 2 * time - v = u1; -v = u2; v = 2 * (i1 + i2) - 0.5; end M;",
                              0.25);
    ASSERT_VALUE(t, "v", 0.5);
    ASSERT_VALUE(t, "i1", 0.5);
    ASSERT_VALUE(t, "i2", 0.0);
    assert_int_equal(trial_run(t, 0.75), SALTUS_OK);
    ASSERT_VALUE(t, "v", 0.0);
    ASSERT_VALUE(t, "i1", 0.0);
    ASSERT_VALUE(t, "i2", 0.25);
    trial_end(t);
}

static void whole_numbers_in_loops(void **state)
{
    (void)state;
    // u = 2.5 t + 0.3 n passes 1 at t = 0.4 with n = 0; then n = 1 and u = 1.3.
    Trial *t = trial_run_text("model M Integer n; Real u; equation n = integer(u); "
                              "u = 2.5 * time + 0.3 * n; end M;",
                              0.5);
    ASSERT_VALUE(t, "n", 1.0);
    ASSERT_VALUE(t, "u", 1.55);
    trial_end(t);
}

static void booleans_in_circles(void **state)
{
    (void)state;
    trial_expect_refusal("model M Boolean a, b; equation a = not b; b = not a; end M;",
                         "discrete variables depend on each other in a circle (a, b)");
    Trial *t = trial_run_text(
        "model M Boolean a(start = false), b(start = true); equation a = not pre(b); "
        "b = not a; end M;",
        1.0);
    ASSERT_VALUE(t, "a", 0.0);
    trial_end(t);
    trial_expect_error("model M Integer n(start = 0, fixed = true); "
                       "equation n = if time > 0.5 then pre(n) + 1 else pre(n); end M;",
                       1.0, "the iteration of an event does not end: n changes in each");
}

// The discrete variables that have no end are named whatever the limit is.
static void endless_iterations(void **state)
{
    (void)state;
    static const int limits[] = {10, 50, 899, 5000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        Trial *t = trial_text("model M Integer n(start = 0, fixed = true); "
                              "equation n = if time > 0.5 then pre(n) + 1 else pre(n); end M;");
        trial_options(t)->max_event_iterations = limits[i];
        assert_int_equal(trial_run(t, 1.0), SALTUS_ERROR_ACTION);
        assert_contains(saltus_run_error(trial_get_run(t))->message, "n changes in each");
        trial_end(t);
    }
}

// An event that has just the iterations that it needs is not endless: eight that count from 0 to 8,
// and one that sees that nothing changes.
static void just_enough_iterations(void **state)
{
    (void)state;
    for (int limit = 8; limit <= 9; limit++) {
        Trial *t = trial_text("model M Integer n(start = 0, fixed = true); equation "
                              "n = if time > 0.5 and pre(n) < 8 then pre(n) + 1 else pre(n); "
                              "end M;");
        trial_options(t)->max_event_iterations = limit;
        assert_int_equal(trial_run(t, 1.0), limit == 9 ? SALTUS_OK : SALTUS_ERROR_ACTION);
        ASSERT_VALUE(t, "n", limit == 9 ? 8.0 : 0.0);
        trial_end(t);
    }
}

static void singular_equations(void **state)
{
    (void)state;
    trial_expect_error("model M parameter Real a = 2; Real x, y; equation\nx + y = 1;\n"
                       "a * x + 2 * y = 3; end M;",
                       1.0, "line 2)");
    trial_expect_error("model M Real x, y(start = 1); equation x ^ 2 + y ^ 2 = 1; x * y = 5; "
                       "end M;",
                       1.0, "does not converge for x, y: x^2 + y^2 = 1.0 (");
    trial_expect_refusal("model M Real x, y, z; equation x + y = 1; x - y = 2; x * y = 3; end M;",
                         "no equation determines z");
}

// Five nodes, three with sources; node 4 hangs on two diodes that can only lead away from it, and
// the diodes 1 -> 3 -> 2 -> 1 are a circle: with all diodes on, and with all off, the equations are
// singular, and some are to be turned before there is a regular combination to begin from. The
// sources of 1 and 2 are short-circuited by the circle, in either direction; v[4] is at most v[5].
static void singular_whatever_is_on(void **state)
{
    (void)state;
    static const double e1[] = {-4.59, -1.21}, e2[] = {2.25, -3.43}, e5[] = {0.904, 2.74};
    static const char text[] =
        "model M Real v[5], s[6], i[6]; Boolean off[6];\n"
        "  constant Integer from[6] = {4, 3, 2, 3, 4, 1}, to[6] = {5, 2, 1, 5, 5, 3};\n"
        "equation\n"
        "  for k in 1:6 loop\n"
        "    off[k] = s[k] < 0;\n"
        "    v[from[k]] - v[to[k]] = if off[k] then s[k] else 0;\n"
        "    i[k] = if off[k] then 0 else s[k];\n"
        "  end for;\n"
        "  1.27*((if time < 1 then -4.59 else -1.21) - v[1]) + i[3] - i[6] = 0;\n"
        "  0.959*((if time < 1 then 2.25 else -3.43) - v[2]) + i[2] - i[3] = 0;\n"
        "  i[6] - i[2] - i[4] = 0;\n"
        "  i[1] + i[5] = 0;\n"
        "  1.86*((if time < 1 then 0.904 else 2.74) - v[5]) + i[1] + i[4] + i[5] = 0;\n"
        "end M;\n";
    for (int k = 0; k < 2; k++) {
        Trial *t = trial_run_text(text, k ? 2.0 : 0.5);
        const double v = (1.27 * e1[k] + 0.959 * e2[k]) / (1.27 + 0.959);
        trial_assert_value(t, "v[1]", v, 1e-12);
        trial_assert_value(t, "v[2]", v, 1e-12);
        trial_assert_value(t, "v[3]", v, 1e-12);
        trial_assert_value(t, "v[5]", e5[k], 1e-12);
        assert_true(trial_value(t, "v[4]") <= e5[k] + 1e-12);
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relay_with_positive_feedback), cmocka_unit_test(relay_without_solution),
        cmocka_unit_test(diodes_in_parallel),           cmocka_unit_test(whole_numbers_in_loops),
        cmocka_unit_test(booleans_in_circles),          cmocka_unit_test(endless_iterations),
        cmocka_unit_test(just_enough_iterations),       cmocka_unit_test(singular_equations),
        cmocka_unit_test(singular_whatever_is_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
