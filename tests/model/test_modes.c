// SPDX-License-Identifier: MIT
//
// Structural if-equations: modes of other states and other index, the restart in them. Values are
// compared with closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ASSERT_NEAR(actual, expected, bound)                                                       \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= (bound)))                                                           \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

static Trial *run_model(const char *file, const char *model, double tolerance, double stop_time)
{
    char path[256];
    snprintf(path, sizeof path, "modes/%s", file);
    Trial *t = trial_file(path, model);
    trial_options(t)->method.relative_tolerance = tolerance;
    trial_options(t)->method.absolute_tolerance = tolerance;
    const SaltusStatus status = trial_run(t, stop_time);
    if (status != SALTUS_OK)
        fail_msg("%s: %s", file, trial_error(t));
    return t;
}

static Trial *run(const char *file, double tolerance, double stop_time)
{
    return run_model(file, NULL, tolerance, stop_time);
}

// The last row before the first event, and the first one after it.
static long row_of(const Trial *t, SaltusRowKind kind)
{
    for (long i = 0; i < saltus_run_row_count(trial_get_run(t)); i++)
        if (saltus_run_row(trial_get_run(t), i).kind == kind)
            return i;
    fail_msg("no such row");
    return 0;
}

// Linear equations: the solver makes no error but rounding.
static void a_state_ends(void **state)
{
    (void)state;
    Trial *t = run("StateThatEnds.mo", 1e-6, 1.0);
    ASSERT_NEAR(trial_value_at(t, "x", row_of(t, SALTUS_ROW_BEFORE_EVENT)), 5.0, 1e-13);
    assert_true(trial_value_at(t, "x", row_of(t, SALTUS_ROW_AFTER_EVENT)) == -5.0);
    assert_true(trial_value(t, "x") == -5.0);
    const SaltusLogEntry e = saltus_run_event(trial_get_run(t), 0);
    assert_true(e.t == 0.5);
    assert_true(e.classes & SALTUS_SE_S);
    trial_end(t);
}

// It starts from its left limit, though it was no state before.
static void a_state_begins(void **state)
{
    (void)state;
    Trial *t = run("StateThatBegins.mo", 1e-6, 2.0);
    ASSERT_NEAR(trial_value_at(t, "b", row_of(t, SALTUS_ROW_AFTER_EVENT)), 3.0, 1e-13);
    ASSERT_NEAR(trial_value(t, "b"), 2.0, 1e-13);
    trial_end(t);
}

// J1 w1 + J2 w2 is the same before and after.
static void angular_momentum(void **state)
{
    (void)state;
    Trial *t = run("IdealClutch.mo", 1e-6, 3.0);
    const long after = row_of(t, SALTUS_ROW_AFTER_EVENT);
    assert_true(trial_value_at(t, "w1", after) == trial_value_at(t, "w2", after));
    ASSERT_NEAR(trial_value_at(t, "w1", after) + 3.0 * trial_value_at(t, "w2", after), 16.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "w1"), 4.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "w2"), 4.0, 1e-12);
    trial_end(t);
}

// v = E (1 - exp(-t / RC)) reaches Vmax at t = -RC log(1 - Vmax / E); then v = E Rd / (R + Rd).
static void destroyed_capacitor(void **state)
{
    (void)state;
    Trial *t = run("DestroyedCapacitor.mo", 1e-10, 2.0);
    // The error of v at 1e-10, through its slope of 4 V/s, with a margin of 10.
    ASSERT_NEAR(saltus_run_event(trial_get_run(t), 0).t, -log(1.0 - 0.6), 1e-9);
    ASSERT_NEAR(trial_value(t, "v"), 10.0 * 0.01 / 1.01, 1e-14);
    ASSERT_NEAR(trial_value(t, "i"), 10.0 / 1.01, 1e-13);
    trial_end(t);
}

// A state that is solved for in the new mode, by Newton's method from its last value, is one
// change.
static void assert_logged_once(const SaltusRun *r)
{
    for (long e = 0; e < saltus_run_event_count(r); e++) {
        const SaltusLogEntry entry = saltus_run_event(r, e);
        for (int i = 0; i < entry.change_count; i++)
            for (int k = 0; k < i; k++)
                assert_string_not_equal(entry.changes[i].name, entry.changes[k].name);
    }
}

// While the rope is loose or taut the energy is kept; when it becomes taut the radial part of the
// velocity is lost, exactly.
static void inelastic_rope(void **state)
{
    (void)state;
    Trial *t = run_model("CupAndBall.mo", "CupAndBall.Inelastic", 1e-10, 4.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 7);
    assert_true(saltus_run_statistics(r).reselections > 0);
    assert_logged_once(r);
    for (long i = 1; i < saltus_run_row_count(r); i++) {
        const double before = trial_value_at(t, "energy", i - 1);
        const double after = trial_value_at(t, "energy", i);
        const double x = trial_value_at(t, "x", i - 1), y = trial_value_at(t, "y", i - 1);
        const double radial =
            x * trial_value_at(t, "vx", i - 1) + y * trial_value_at(t, "vy", i - 1);
        const bool is_catch = saltus_run_row(r, i).kind == SALTUS_ROW_AFTER_EVENT &&
                              trial_value_at(t, "taut", i) == 1.0;
        // A step's local error of 1e-10 in velocities up to 5.
        ASSERT_NEAR(before - after, is_catch ? radial * radial / 2.0 : 0.0, 1e-8);
        if (trial_value_at(t, "taut", i) == 1.0) {
            const double l = hypot(trial_value_at(t, "x", i), trial_value_at(t, "y", i));
            ASSERT_NEAR(l, 1.0, 1e-12);
        }
    }
    trial_end(t);
}

// The mode of the constraint is never entered; the energy is kept by every impact.
static void elastic_rope(void **state)
{
    (void)state;
    Trial *t = run_model("CupAndBall.mo", "CupAndBall.Elastic", 1e-10, 2.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 5);
    assert_int_equal(saltus_run_statistics(r).mode_changes, 0);
    for (long i = 0; i < 5; i++)
        assert_int_equal(saltus_run_event(r, i).classes, SALTUS_SE_X);
    ASSERT_NEAR(trial_value(t, "energy"), 0.5 + 9.81 * 0.2, 1e-9);
    trial_end(t);
}

// 0 = if c then a else b has structure of its own in each branch: x + y does not jump.
static void choices_in_expressions(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true), f; "
                          "Boolean on = time > 1; equation der(x) = f; der(y) = -f; "
                          "0 = if on then x - y else f - 0.25; end M;");
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_NEAR(trial_value(t, "x"), 1.5, 1e-13);
    ASSERT_NEAR(trial_value(t, "y"), 1.5, 1e-13);
    trial_end(t);
}

// What reinit gives a variable when a mode is entered is kept, and what depends on it solved; later
// as well, whether it is a state or not.
static void reinit_at_entry(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M Real x(start = 1, fixed = true), y(start = 1, fixed = true), f; "
        "Boolean on = time > 1; equation der(x) = f; der(y) = -f; "
        "if on then x = 2*y; else f = 1; end if; when time > 1 then reinit(x, 4); end when; "
        "when time > 1.5 then reinit(y, 1); end when; end M;");
    assert_int_equal(trial_run(t, 1.25), SALTUS_OK);
    ASSERT_NEAR(trial_value(t, "x"), 4.0, 1e-13);
    ASSERT_NEAR(trial_value(t, "y"), 2.0, 1e-13);
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_NEAR(trial_value(t, "x"), 2.0, 1e-13);
    ASSERT_NEAR(trial_value(t, "y"), 1.0, 1e-13);
    trial_end(t);
}

// A condition that the mode before does not know is judged by the left limits: x is above 0.5 when
// its branch comes, and reaches it at t = 2.25.
static void nested_branches(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x(start = 0, fixed = true), f; equation der(x) = f; "
                          "if time < 1 then f = 1; elseif time < 2 then x = 1; "
                          "else if x > 0.5 then f = -2; else x = 0.5; end if; end if; end M;");
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 3);
    ASSERT_NEAR(saltus_run_event(trial_get_run(t), 2).t, 2.25, 1e-12);
    ASSERT_NEAR(trial_value(t, "x"), 0.5, 1e-15);
    trial_end(t);
}

// Both diodes switch at one instant; what the circuit loses is heat.
static void two_diodes(void **state)
{
    (void)state;
    Trial *t = run_model("RLDC2.mo", "RLDC2.Circuit", 1e-10, 5.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 2);
    for (long i = 0; i < 2; i++) {
        assert_int_equal(saltus_run_event(r, i).fired_count, 2);
        assert_true(saltus_run_event(r, i).classes & SALTUS_SE_S);
    }
    for (long i = 0; i < saltus_run_row_count(r); i++) {
        ASSERT_NEAR(trial_value_at(t, "energy", i) + trial_value_at(t, "heat", i), 0.65, 1e-8);
        assert_true(trial_value_at(t, "d1.i", i) > -1e-12);
        assert_true(trial_value_at(t, "d1.v", i) < 1e-12);
    }
    trial_end(t);
}

// The rotating pendulum of benchmark C21 as one Cartesian DAE, and as a state machine in polar and
// Cartesian coordinates: the same events.
static void pendulum_of_c21(void **state)
{
    (void)state;
    static const char *const models[] = {"Pendulum.Cartesian", "Pendulum.Decomposed"};
    double times[2][2];
    for (int k = 0; k < 2; k++) {
        Trial *t = trial_file("../benchmarks/c21/Pendulum.mo", models[k]);
        trial_options(t)->method.relative_tolerance = 1e-12;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        assert_int_equal(trial_run(t, 4.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(trial_get_run(t)), 2);
        for (int i = 0; i < 2; i++)
            times[k][i] = saltus_run_event(trial_get_run(t), i).t;
        trial_end(t);
    }
    ASSERT_NEAR(times[0][0], times[1][0], 1e-9);
    ASSERT_NEAR(times[0][1], times[1][1], 1e-9);
    ASSERT_NEAR(times[0][0], 1.92199901979, 1e-9);
    ASSERT_NEAR(times[0][1], 2.66149889406, 1e-9);
}

// A copy that is made while the rope hangs goes on like the run itself, over the second event and a
// change of the mode, to the last bit.
static void checkpoint(void **state)
{
    (void)state;
    Trial *t = trial_file("../benchmarks/c21/Pendulum.mo", "Pendulum.Cartesian");
    assert_int_equal(trial_run(t, 2.3), SALTUS_OK);
    SaltusRun *copy;
    assert_int_equal(saltus_run_copy(trial_get_run(t), &copy, NULL), SALTUS_OK);
    assert_int_equal(trial_run(t, 4.0), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 4.0), SALTUS_OK);
    const SaltusRun *run = trial_get_run(t);
    const int mode = saltus_run_mode(run);
    assert_int_equal(saltus_run_mode(copy), mode);
    const int count = saltus_system_mode(saltus_run_system(run), mode)->state_count;
    assert_true(count > 0);
    assert_memory_equal(saltus_run_states(copy), saltus_run_states(run),
                        (size_t)count * sizeof(double));
    assert_int_equal(saltus_run_event_count(run), 2);
    // The log of a copy begins with the copy.
    assert_int_equal(saltus_run_event_count(copy), 1);
    assert_true(saltus_run_event(copy, 0).t == saltus_run_event(run, 1).t);
    saltus_run_destroy(copy);
    trial_end(t);
}

// Where the pendulum asks for other states, a stays one: with b in its place, which is as good
// then, nothing would say what a is once b has reached its bound.
static void groups_keep_their_states(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M Real x(start = 1), y(start = 0, fixed = true), vx, vy(start = 0, fixed = true), "
        "f; Real a(start = 0.7), b(start = 0.7, fixed = true), g; "
        "equation der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - 9.81; "
        "x^2 + y^2 = 1; der(a) = -1; der(b) = g; "
        "b = smooth(0, if a > 0.05 then a else 0.05); assert(x + a < 1e30, \"\"); end M;");
    if (trial_run(t, 2.0) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    ASSERT_NEAR(trial_value(t, "a"), -1.3, 1e-12);
    ASSERT_NEAR(trial_value(t, "b"), 0.05, 1e-12);
    assert_true(saltus_run_statistics(trial_get_run(t)).reselections > 0);
    trial_end(t);
}

// Waves that end at one and the same time switch all at once, whatever rounding says of their signs
// there, and however their ends are found.
static void waves_that_end_together(void **state)
{
    (void)state;
    static const SaltusLocate locators[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_BISECTION,
                                            SALTUS_LOCATE_SECANT, SALTUS_LOCATE_HENON};
    const double half = 3.14159265358979323846 / (3.0 * sqrt(2.0)); // of the longest one
    static const double parts[] = {1.0 / 3.0, 1.0 / 2.0, 2.0 / 3.0, 1.0, 4.0 / 3.0};
    for (int k = 0; k < 4; k++) {
        Trial *t = trial_text("model M parameter Real w[3] = {3*sqrt(2.0), 3*sqrt(8.0), "
                              "3*sqrt(18.0)}; Real v[3], i[3]; "
                              "Boolean on[3] = {sin(w[k]*time) > 0 for k in 1:3}; "
                              "equation for k in 1:3 loop v[k] + 2*i[k] = 1; "
                              "if on[k] then v[k] = 0.5; else i[k] = 0; end if; end for; end M;");
        trial_options(t)->method.locate = locators[k];
        if (trial_run(t, 1.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const SaltusRun *r = trial_get_run(t);
        assert_int_equal(saltus_run_event_count(r), 6); // the first one at the start
        for (int n = 0; n < 5; n++)
            ASSERT_NEAR(saltus_run_event(r, n + 1).t, parts[n] * half, 1e-13);
        assert_true(trial_value(t, "on[1]") == 0.0 && trial_value(t, "on[2]") == 1.0);
        assert_true(trial_value(t, "on[3]") == 1.0);
        trial_end(t);
    }
}

// The iteration in which a sample is due goes on in the mode that it leads to: the counter keeps
// what it counted.
static void sample_that_changes_the_mode(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x(start = 0, fixed = true), f; "
                          "Integer n(start = 0, fixed = true); equation der(x) = f; "
                          "when sample(0.5, 1) then n = pre(n) + 1; end when; "
                          "if n < 2 then f = 1; else x = -1; end if; end M;");
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 3);
    assert_true(trial_value(t, "n") == 3.0);
    assert_true(trial_value(t, "x") == -1.0);
    trial_end(t);
}

// Through all quadrants, with no event: energy and length are kept.
static void state_selection(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M Real x(start = 0.6, fixed = true), y(start = 0.8), "
        "vx(start = -5.6, fixed = true), vy(start = 4.2), f; "
        "Real e = (vx^2 + vy^2)/2 + 9.81*y; equation "
        "der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - 9.81; x^2 + y^2 = 1; end M;");
    trial_options(t)->method.relative_tolerance = 1e-10;
    trial_options(t)->method.absolute_tolerance = 1e-10;
    if (trial_run(t, 10.0) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    const SaltusRun *r = trial_get_run(t);
    assert_true(saltus_run_statistics(r).reselections > 20); // some ten turns
    assert_int_equal(saltus_run_event_count(r), 0);
    // Some 500 steps of 1e-10 in velocities up to 8.
    ASSERT_NEAR(trial_value(t, "e"), 24.5 + 9.81 * 0.8, 1e-6);
    ASSERT_NEAR(hypot(trial_value(t, "x"), trial_value(t, "y")), 1.0, 1e-12);
    trial_end(t);
}

// ---- names --------------------------------------------------------------------------------------

static void expect_name(const char *text, const char *expected)
{
    Trial *t = trial_run_text(text, 0.1);
    assert_string_equal(trial_mode_name(t, saltus_run_mode(trial_get_run(t))), expected);
    trial_end(t);
}

// A condition in a loop has its index; three neighbours and more that chose the same are one.
static void modes_of_arrays_are_named_by_ranges(void **state)
{
    (void)state;
    expect_name("model M Integer s[2] = {1, if time < 5 then 1 else 2}; Real x[2]; equation "
                "for i in 1:2 loop if s[i] == 2 then der(x[i]) = 1; else x[i] = i; end if; "
                "end for; end M;",
                "not (s[1] == 2), not (s[2] == 2)");
    expect_name("model M Integer s[7] = {if time < 5 and i <> 4 then 1 else 2 for i in 1:7}; "
                "Real x[7](each start = 0); equation "
                "for i in 1:7 loop if s[i] == 2 then der(x[i]) = 1; else x[i] = i; end if; "
                "end for; end M;",
                "not (s[1:3] == 2), s[4] == 2, not (s[5:7] == 2)");
    expect_name("model M model D Boolean on = time < 5; Real x(start = 0); equation "
                "if on then der(x) = 1; else x = 1; end if; end D; D d[2, 12]; end M;",
                "d[1,1:12].on, d[2,1:12].on");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_ends),
        cmocka_unit_test(a_state_begins),
        cmocka_unit_test(angular_momentum),
        cmocka_unit_test(destroyed_capacitor),
        cmocka_unit_test(inelastic_rope),
        cmocka_unit_test(elastic_rope),
        cmocka_unit_test(choices_in_expressions),
        cmocka_unit_test(reinit_at_entry),
        cmocka_unit_test(nested_branches),
        cmocka_unit_test(two_diodes),
        cmocka_unit_test(pendulum_of_c21),
        cmocka_unit_test(waves_that_end_together),
        cmocka_unit_test(groups_keep_their_states),
        cmocka_unit_test(sample_that_changes_the_mode),
        cmocka_unit_test(state_selection),
        cmocka_unit_test(checkpoint),
        cmocka_unit_test(modes_of_arrays_are_named_by_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
