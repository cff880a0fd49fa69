// SPDX-License-Identifier: MIT
//
// The rules that events, changes of structure and state machines follow, one test for each, with
// models of a few lines. The solutions are polynomials of a degree that the method integrates
// without error, or constants: times and values are exact up to rounding.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// What some hundred operations with numbers around 1 may lose, and the bracket of an event.
static const double rounding = 1e-12;

#define ASSERT_NEAR(actual, expected)                                                              \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= rounding * (1.0 + fabs(e_))))                                       \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

static void expect_times(const Trial *t, const double *times, long count)
{
    const SaltusRun *r = trial_get_run(t);
    for (long i = 0; i < count && i < saltus_run_event_count(r); i++)
        ASSERT_NEAR(saltus_run_event(r, i).t, times[i]);
    assert_int_equal(saltus_run_event_count(r), count);
}

// The k-th row of a kind.
static long row_of(const Trial *t, SaltusRowKind kind, int k)
{
    for (long i = 0; i < saltus_run_row_count(trial_get_run(t)); i++)
        if (saltus_run_row(trial_get_run(t), i).kind == kind && k-- == 0)
            return i;
    fail_msg("no such row");
    return 0;
}

// A relation that is zero takes the sign that the flow leads it to, so that its next crossing is
// seen: at the start as a single, double and triple root (t - t^2, t^2 - t^3, t^3 - t^4), and
// after each bounce.
static void rule_01_arming(void **state)
{
    (void)state;
    static const char *const flows[] = {"-2", "2 - 6*time", "6*time - 12*time^2"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M Real x(start = 0, fixed = true), v(start = %d, fixed = true); "
                 "Integer n(start = 0, fixed = true); Boolean low = x <= 0; equation der(x) = v; "
                 "der(v) = %s; when low then n = pre(n) + 1; end when; end M;",
                 k == 0, flows[k]);
        Trial *t = trial_run_text(text, 0.5);
        ASSERT_NEAR(trial_value(t, "low"), 0.0);
        ASSERT_NEAR(trial_value(t, "n"), 0.0);
        assert_int_equal(trial_run(t, 1.25), SALTUS_OK);
        ASSERT_NEAR(trial_value(t, "low"), 1.0);
        ASSERT_NEAR(trial_value(t, "n"), 1.0);
        ASSERT_NEAR(
            saltus_run_event(trial_get_run(t), saltus_run_event_count(trial_get_run(t)) - 1).t,
            1.0);
        trial_end(t);
    }
    Trial *t =
        trial_run_text("model M Real x(start = 0.25, fixed = true), v(start = 0, fixed = true); "
                       "equation der(x) = v; der(v) = -2; "
                       "when x <= 0 then reinit(v, -pre(v)); end when; end M;",
                       4.0);
    expect_times(t, (double[]){0.5, 1.5, 2.5, 3.5}, 4);
    ASSERT_NEAR(trial_value(t, "x"), 0.25);
    trial_end(t);
}

// The relation that an event was located for has its new value after it, and keeps it, whatever the
// rounding of the state says: one event for each of many thresholds, with each locator.
static void rule_02_fired_relation(void **state)
{
    (void)state;
    for (int locator = 0; locator <= SALTUS_LOCATE_HENON; locator++) {
        for (int k = 1; k < 20; k++) {
            Trial *t = trial_text("model M parameter Real level = 0.5; Real x(start = 1, fixed = "
                                  "true); Boolean low; equation low = x < level; "
                                  "der(x) = if low then 0 else -x; end M;");
            trial_parameter(t, "level", k / 20.0);
            trial_options(t)->method.locate = (SaltusLocate)locator;
            trial_options(t)->method.relative_tolerance = 1e-3;
            trial_options(t)->method.absolute_tolerance = 1e-3;
            assert_int_equal(trial_run(t, 4.0), SALTUS_OK);
            assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
            assert_true(trial_value_at(t, "low", row_of(t, SALTUS_ROW_BEFORE_EVENT, 0)) == 0.0);
            assert_true(trial_value_at(t, "low", row_of(t, SALTUS_ROW_AFTER_EVENT, 0)) == 1.0);
            assert_true(trial_value(t, "low") == 1.0);
            trial_end(t);
        }
    }
    // In a sliding mode, too, however many other event functions there are.
    for (int k = 0; k < 3; k++) {
        static const char *const others[] = {"", "c[1] = x > 1;", "c[1] = x > 1; c[2] = x > 2;"};
        char text[400];
        snprintf(text, sizeof text,
                 "model M Real x(start = 0.25, fixed = true); Boolean c[%d], high; equation %s "
                 "high = x > 0; der(x) = if high then -1 else 1; end M;",
                 k, others[k]);
        Trial *t = trial_text(text);
        trial_options(t)->zeno = SALTUS_ZENO_STOP;
        trial_run(t, 1.0);
        ASSERT_NEAR(saltus_run_event(trial_get_run(t), 0).t, 0.25);
        assert_true(trial_value_at(t, "high", row_of(t, SALTUS_ROW_BEFORE_EVENT, 0)) == 1.0);
        assert_true(trial_value_at(t, "high", row_of(t, SALTUS_ROW_AFTER_EVENT, 0)) == 0.0);
        trial_end(t);
    }
}

// A mass that a floor stops, which pushes and does not pull; a force lifts it from t = 2 to 3.
#define FLOOR                                                                                      \
    "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), f, u; "                  \
    "Boolean contact(start = false, fixed = true); equation der(x) = v; der(v) = u + f; "          \
    "contact = if pre(contact) then f > 0 else x <= 0; "                                           \
    "if contact then x = 0; else f = 0; end if; "

// What a constraint keeps at zero makes no events; when the constraint ends, it is seen again. The
// mass leaves with (t - 2)^2 / 2 and falls with 1/2 + s - s^2, s = t - 3.
static void rule_03_zero_by_constraint(void **state)
{
    (void)state;
    Trial *t = trial_run_text(FLOOR "u = if time < 2 or time > 3 then -2 else 1; end M;", 6.0);
    expect_times(t, (double[]){1.0, 2.0, 3.0, 3.0 + (1.0 + sqrt(3.0)) / 2.0}, 4);
    assert_true(trial_value(t, "x") == 0.0);
    ASSERT_NEAR(trial_value(t, "f"), 2.0);
    ASSERT_NEAR(trial_value_at(t, "x", row_of(t, SALTUS_ROW_AFTER_EVENT, 2)), 0.5);
    trial_end(t);
    // The same with the relation itself as the condition: zero in contact, whichever sign it has.
    t = trial_run_text(
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), f, u; "
        "Boolean contact; equation der(x) = v; der(v) = u + f; contact = x <= 0 and f >= 0; "
        "if contact then x = 0; else f = 0; end if; "
        "u = if time < 2 or time > 3 then -2 else 1; end M;",
        6.0);
    expect_times(t, (double[]){1.0, 2.0, 3.0, 3.0 + (1.0 + sqrt(3.0)) / 2.0}, 4);
    assert_true(trial_value(t, "x") == 0.0);
    trial_end(t);
}

// Relations with time have their right limits after the event, strict or not, and their left ones
// before it.
static void rule_04_time(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Boolean a = time > 1, b = time < 1, c = time >= 1, d = time <= 1; "
                       "end M;",
                       2.0);
    const long before = row_of(t, SALTUS_ROW_BEFORE_EVENT, 0);
    const long after = row_of(t, SALTUS_ROW_AFTER_EVENT, 0);
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        assert_true(trial_value_at(t, names[i], before) == (i & 1));
        assert_true(trial_value_at(t, names[i], after) == !(i & 1));
    }
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    assert_true(saltus_run_event(trial_get_run(t), 0).t == 1.0);
    trial_end(t);
}

// An if-equation whose branches are solved for the same variables is no change of structure. Those
// that are and have nothing to do with each other are analysed one by one: two modes of each, and
// what is common; of the 2^12 combinations the run meets 13.
static void rule_05_structure(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x(start = 0, fixed = true), y; equation der(x) = y; "
                              "if x < 1 then y = 2; else y = 4 - 3*x; end if; end M;",
                              0.75);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    assert_int_equal(saltus_run_event(trial_get_run(t), 0).classes, SALTUS_SE_F);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).mode_changes, 0);
    trial_end(t);
    t = trial_run_text("model M Real x[12](each start = 0, each fixed = true); equation "
                       "for i in 1:12 loop if time < i then der(x[i]) = 1; else x[i] = -i; end if; "
                       "end for; end M;",
                       13.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 12);
    assert_int_equal(saltus_run_statistics(r).modes_entered, 13);
    assert_int_equal(model_mode_count(trial_model(t)), 25);
    assert_int_equal(model_combination_count(trial_model(t)), 13);
    for (long i = 0; i < 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "x[%ld]", i + 1);
        assert_true(saltus_run_event(r, i).classes & SALTUS_SE_S);
        ASSERT_NEAR(trial_value_at(t, name, row_of(t, SALTUS_ROW_BEFORE_EVENT, (int)i)),
                    (double)(i + 1));
        assert_true(trial_value(t, name) == -(double)(i + 1));
    }
    trial_end(t);
}

// Three switches with z >= 0, w >= 0, one of them 0, w = M z + q: turning what disagrees goes in
// circles, from one closed to (1, 2), (2, 3), (3, 1), (1, 2) ... (Murty's matrix). The combination
// that agrees is found, and what was looked at on the way leaves no trace in pre and when.
static void rule_06_search(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "on[k] = z[k] > w[k]; if on[k] then w[k] = 0; else z[k] = 0; end if; ",
        "on[k] = s[k] > 0; w[k] = if on[k] then 0 else -s[k]; z[k] = if on[k] then s[k] else 0; "};
    for (int form = 0; form < 2; form++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "model M Real w[3], z[3], q[3]%s; Boolean on[3](start = {true, false, false}); "
                 "Integer n[3](each start = 0, each fixed = true); "
                 "equation q = if time < 1 then {-1, 1, -1} else {-3, -3, -3}; "
                 "w = {z[1] + 2*z[2] + q[1], z[2] + 2*z[3] + q[2], z[3] + 2*z[1] + q[3]}; "
                 "for k in 1:3 loop %s when change(on[k]) then n[k] = pre(n[k]) + 1; end when; "
                 "end for; end M;",
                 form ? ", s[3]" : "", forms[form]);
        Trial *t = trial_run_text(text, 0.5);
        ASSERT_NEAR(trial_value(t, "z[1]"), 1.0);
        ASSERT_NEAR(trial_value(t, "w[3]"), 1.0);
        assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
        for (int k = 0; k < 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "z[%d]", k + 1);
            ASSERT_NEAR(trial_value(t, name), 1.0);
            name[0] = 'n';
            ASSERT_NEAR(trial_value(t, name), k > 0);
        }
        assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
        trial_end(t);
    }
    // The first branch asks for the second, the second for the first; the third one agrees.
    Trial *t = trial_run_text("model M Real x(start = 0, fixed = true), y, z; "
                              "Boolean late = x >= 1; equation der(x) = 1; y + z = 1; "
                              "if y > 1 then y = -2; elseif y < -1 then y = 2; "
                              "elseif late then z = 1; else y = x; end if; end M;",
                              2.0);
    expect_times(t, (double[]){1.0}, 1);
    assert_true(trial_value(t, "y") == 0.0);
    trial_end(t);
}

// Constraints that begin at one instant make one jump; a coefficient that jumps with them is
// reported; the sign of the impulse decides whether a mode is entered, finite values decide after.
static void rule_07_impulses(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real a(start = 6, fixed = true), b(start = 0, fixed = true), "
                       "c(start = 0, fixed = true), f, g; Boolean on = time > 1; equation "
                       "der(a) = -f; 2*der(b) = f - g; 3*der(c) = g; "
                       "if on then a = b; b = c; else f = 0; g = 0; end if; end M;",
                       2.0);
    ASSERT_NEAR(trial_value(t, "a"), 1.0);
    ASSERT_NEAR(trial_value(t, "b"), 1.0);
    ASSERT_NEAR(trial_value(t, "c"), 1.0);
    trial_end(t);
    trial_expect_error("model M Real a(start = 1, fixed = true), b(start = 2, fixed = true), f; "
                       "Boolean on = time > 1; equation der(a) = -f*a; der(b) = f; "
                       "if on then a = b; else f = 0; end if; end M;",
                       2.0, "f makes an impulse just when its factor changes");
    // By a condition that changes at the same instant; a coefficient that changes before does no
    // harm.
    static const char inertia[] =
        "model M Real a(start = 1, fixed = true), b(start = 4, fixed = true), f; "
        "Boolean on = time > 1; Real m = if time > %s then 2 else 1; "
        "equation m*der(a) = f; der(b) = -f; if on then a = b; else f = 0; end if; end M;";
    char text[512];
    snprintf(text, sizeof text, inertia, "1");
    trial_expect_error(text, 2.0, "just when the factor of its derivative changes from 1 to 2");
    snprintf(text, sizeof text, inertia, "0.5");
    t = trial_run_text(text, 2.0);
    ASSERT_NEAR(trial_value(t, "a"), 2.0);
    trial_end(t);
    // The blow pushes, the force pulls: the mass is stopped at once and leaves again, from rest.
    t = trial_run_text(
        "model M Real x(start = 1, fixed = true), v(start = -3, fixed = true), f; "
        "Boolean contact; equation der(x) = v; der(v) = 1 + f; contact = x <= 0 and f >= 0; "
        "if contact then x = 0; else f = 0; end if; end M;",
        2.0);
    const double hit = 3.0 - sqrt(7.0);
    expect_times(t, (double[]){hit}, 1);
    ASSERT_NEAR(trial_value(t, "x"), (2.0 - hit) * (2.0 - hit) / 2.0);
    ASSERT_NEAR(trial_value(t, "v"), 2.0 - hit);
    trial_end(t);
}

// A blow moves no position: what is off by the accuracy of the event is put right, more is an
// error. What is no longer differentiated simply takes its value.
static void rule_08_positions(void **state)
{
    (void)state;
    Trial *t = trial_run_text(FLOOR "u = -2; end M;", 1.5);
    const long after = row_of(t, SALTUS_ROW_AFTER_EVENT, 0);
    assert_true(trial_value_at(t, "x", after) == 0.0);
    assert_true(trial_value_at(t, "v", after) == 0.0);
    trial_end(t);
    trial_expect_error("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), f; "
                       "equation der(x) = v; der(v) = f; "
                       "if time > 1 then x = 1.001; else f = 0; end if; end M;",
                       2.0, "x would have to jump from 1 to 1.001");
    t = trial_run_text("model M Real x(start = 0, fixed = true); equation "
                       "if time < 0.5 then der(x) = 10; else x = -5; end if; end M;",
                       1.0);
    ASSERT_NEAR(trial_value_at(t, "x", row_of(t, SALTUS_ROW_BEFORE_EVENT, 0)), 5.0);
    assert_true(trial_value_at(t, "x", row_of(t, SALTUS_ROW_AFTER_EVENT, 0)) == -5.0);
    trial_end(t);
}

// reinit acts before constraints: an elastic impact never enters the mode of the contact.
static void rule_09_elastic_impacts(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real x(start = 0.25, fixed = true), v(start = 0, fixed = true), f; "
                       "Boolean contact = x <= 0; equation der(x) = v; der(v) = f - 2; "
                       "if contact then x = 0; else f = 0; end if; "
                       "when contact then reinit(v, -pre(v)); end when; end M;",
                       4.0);
    expect_times(t, (double[]){0.5, 1.5, 2.5, 3.5}, 4);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).mode_changes, 0);
    for (long i = 0; i < 4; i++)
        assert_int_equal(saltus_run_event(trial_get_run(t), i).classes, SALTUS_SE_X);
    ASSERT_NEAR(trial_value(t, "x"), 0.25);
    trial_end(t);
}

// One reinit for a variable in an iteration, in any order with others; one more in the next
// iteration is fine, and sees what the first one made. What a constraint determines has none.
static void rule_10_reinit(void **state)
{
    (void)state;
    static const char *const orders[] = {"reinit(x, pre(y)); reinit(y, pre(x));",
                                         "reinit(y, pre(x)); reinit(x, pre(y));"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M Real x(start = 1, fixed = true), y(start = 2, fixed = true); equation "
                 "der(x) = 0; der(y) = 0; when time > 1 then %s end when; end M;",
                 orders[k]);
        Trial *t = trial_run_text(text, 2.0);
        assert_true(trial_value(t, "x") == 2.0);
        assert_true(trial_value(t, "y") == 1.0);
        trial_end(t);
    }
    Trial *t = trial_run_text(
        "model M Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true); "
        "equation der(x) = 0; when time > 1 then reinit(x, 3); n = 1; end when; "
        "when pre(n) > 0 then reinit(x, 2*pre(x)); end when; end M;",
        2.0);
    assert_true(trial_value(t, "x") == 6.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    trial_end(t);
    // A state together with what becomes one by the same event.
    t = trial_run_text("model M Real x(start = 2), y(start = 1, fixed = true), f; "
                       "Boolean free = time > 1; equation der(x) = f; der(y) = 1; "
                       "if free then f = -1; else x = 2; end if; "
                       "when free then reinit(x, 5); reinit(y, y - 3); end when; end M;",
                       2.0);
    ASSERT_NEAR(trial_value(t, "x"), 4.0);
    ASSERT_NEAR(trial_value(t, "y"), 0.0);
    trial_end(t);
    trial_expect_error("model M Real x(start = 1, fixed = true); equation der(x) = 0; "
                       "when time > 1 then reinit(x, 3); end when; "
                       "when time >= 1 then reinit(x, 3); end when; end M;",
                       2.0, "x is reinitialised twice");
    trial_expect_error(
        "model M Real x(start = 0, fixed = true), v(start = 0, fixed = true), f; "
        "equation der(x) = v; der(v) = f; if time >= 1 then v = 0; else f = 0; end if; "
        "when time >= 1 then reinit(v, 1); end when; end M;",
        2.0, "the value that reinit gives to v contradicts the constraint v = 0");
    // Nor has what is no state, whatever else the clause does.
    static const char *const clauses[] = {"reinit(x, 5); reinit(y, 3);",
                                          "reinit(y, 3); reinit(x, 5);"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M Real x(start = 2), y(start = 1, fixed = true); Boolean free = time > 1; "
                 "equation der(y) = 1; if free then der(x) = -1; else x = 2; end if; "
                 "when time > 0.5 then %s end when; end M;",
                 clauses[k]);
        trial_expect_error(text, 2.0, "x is reinitialised, but it is not a state");
    }
}

// The initial state has its start values, fixed or not, and the entry's when clause does not act.
// Later, reset and reinit act before equations and exits of the entered state are looked at: log
// and the exit would see -1, or the 5 of the last visit.
static void rule_11_entry(void **state)
{
    (void)state;
    static const char *const options[] = {"", ", reset = false"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "model A Real w(start = 7); equation der(w) = 1; end A; "
                 "model B Real y(start = -1), z = log(y), c(start = 0); equation der(y) = 5; "
                 "der(c) = 1; "
                 "end B; "
                 "model M A a; B b; Integer n(start = 0, fixed = true); equation "
                 "initialState(a); transition(a, b, timeInState() >= 1%s); "
                 "transition(b, a, b.y >= 5); "
                 "when activeState(b) then reinit(b.y, 1); end when; "
                 "when activeState(a) then n = pre(n) + 1; reinit(a.w, 3); end when; end M;",
                 options[k]);
        Trial *t = trial_run_text(text, 0.5);
        ASSERT_NEAR(trial_value(t, "a.w"), 7.5);
        ASSERT_NEAR(trial_value(t, "n"), 0.0);
        assert_int_equal(trial_run(t, 4.0), SALTUS_OK);
        expect_times(t, (double[]){1.0, 1.8, 2.8, 3.6}, 4);
        ASSERT_NEAR(trial_value(t, "n"), 2.0);
        ASSERT_NEAR(trial_value(t, "a.w"), 3.4);
        ASSERT_NEAR(trial_value(t, "b.c"), k == 0 ? 0.8 : 1.6);
        trial_end(t);
    }
    // What is reinitialised by the entry and becomes a state by it.
    Trial *t =
        trial_run_text("model M model S Real x(start = 0); equation der(x) = 1; end S; S a, b; "
                       "Boolean flies = activeState(b); Real y(start = 0.5), f; "
                       "equation initialState(a); transition(a, b, a.x > 1); "
                       "der(y) = f; if flies then f = -1; else y = 0.5; end if; "
                       "when flies then reinit(y, 3); end when; end M;",
                       2.0);
    ASSERT_NEAR(trial_value(t, "y"), 2.0);
    trial_end(t);
}

// What is suspended holds, and its left limit is the same; transitions from there make no events.
// What becomes a state begins with its left limit.
static void rule_12_suspension(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model A Real y(start = 1), z = 2*y; equation der(y) = 1; end A; "
        "model B end B; model M A a; B b, c; discrete Real p(start = 0, fixed = true), "
        "q(start = 0, fixed = true); equation initialState(a); "
        "transition(a, b, time >= 1); transition(a, c, a.y >= 1.25 and time > 1.25, "
        "priority = 2); transition(c, a, time >= 1.5); "
        "when time >= 2 then p = pre(a.z); q = a.z; end when; end M;",
        3.0);
    expect_times(t, (double[]){0.25, 1.0, 2.0}, 3);
    ASSERT_NEAR(trial_value(t, "a.y"), 2.0);
    ASSERT_NEAR(trial_value(t, "a.z"), 4.0);
    ASSERT_NEAR(trial_value(t, "p"), 4.0);
    ASSERT_NEAR(trial_value(t, "q"), 4.0);
    trial_end(t);
    t = trial_run_text(
        "model M Real b; equation if time < 1 then b = 3*time; else der(b) = -1; end if; "
        "end M;",
        2.0);
    ASSERT_NEAR(trial_value_at(t, "b", row_of(t, SALTUS_ROW_AFTER_EVENT, 0)), 3.0);
    ASSERT_NEAR(trial_value(t, "b"), 2.0);
    trial_end(t);
}

// Neither output points nor another selection of states is a tick; a delayed transition needs one
// more iteration, and gets it at the same instant.
static void rule_13_ticks(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model S Integer k = ticksInState(); end S; model M S s, z; "
        "Real x(start = 0.6, fixed = true), y(start = 0.8), vx(start = -5.6, fixed = true), "
        "vy(start = 4.2), f; equation der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y; "
        "x^2 + y^2 = 1; initialState(s); transition(s, z, time > 10); end M;");
    trial_options(t)->record = SALTUS_RECORD_INTERVALS;
    trial_options(t)->output_interval = 0.1;
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    assert_true(saltus_run_statistics(trial_get_run(t)).reselections > 3);
    assert_true(saltus_run_row_count(trial_get_run(t)) >= 20);
    ASSERT_NEAR(trial_value(t, "s.k"), 1.0);
    trial_end(t);
    t = trial_run_text("model S end S; model M S a, b, c; equation initialState(a); "
                       "transition(a, b, time >= 1, immediate = false); "
                       "transition(b, c, time >= 0.5, immediate = false); end M;",
                       2.0);
    expect_times(t, (double[]){1.0}, 1);
    assert_string_equal(trial_mode_name(t, saltus_run_mode(trial_get_run(t))), "c");
    trial_end(t);
}

// States are selected anew without events, and not to and fro: a pendulum whose swings, of some ten
// degrees, pass again and again where a selection is half as good as the other, changes once.
static void rule_14_reselection(void **state)
{
    (void)state;
    static const char *const weights[2][2] = {{"5", "10"}, {"10", "5"}};
    static const double starts[2][2] = {{0.6, 0.8}, {0.8, 0.6}};
    long reselections = 0;
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M Real x(start = %g, fixed = true), y(start = %g), "
                 "vx(start = 0, fixed = true), vy, f; equation der(x) = vx; der(y) = vy; "
                 "der(vx) = %s - f*x; der(vy) = %s - f*y; x^2 + y^2 = 1; end M;",
                 starts[k][0], starts[k][1], weights[k][0], weights[k][1]);
        Trial *t = trial_run_text(text, 40.0); // twenty swings
        assert_int_equal(saltus_run_event_count(trial_get_run(t)), 0);
        assert_in_range(saltus_run_statistics(trial_get_run(t)).reselections, 0, 1);
        reselections += saltus_run_statistics(trial_get_run(t)).reselections;
        trial_end(t);
    }
    assert_true(reselections > 0);
}

// A ball stops the run, without an error, where its bounces end, and not before its intervals come
// near the resolution of time: t = T (1 + e) / (1 - e) for a fall of T = 1. The message names the
// condition and its line; also where a relay chatters that a when clause keeps from sliding.
static void rule_15_accumulation(void **state)
{
    (void)state;
    Trial *t = trial_text("model M parameter Real e = 0.9; Real x(start = 1, fixed = true), "
                          "v(start = 0, fixed = true); Integer n(start = 0, fixed = true); "
                          "equation der(x) = v; der(v) = -2; when x <= 0 then "
                          "reinit(v, -e*pre(v)); n = pre(n) + 1; end when; end M;");
    assert_int_equal(trial_run(t, 20.0), SALTUS_ZENO);
    assert_true(trial_value(t, "n") > 100.0);
    // 1024 units in the last place of 19 between events; what is left is nine times as long.
    assert_true(fabs(saltus_run_time(trial_get_run(t)) - 19.0) <
                10.0 * 1024.0 * DBL_EPSILON * 19.0);
    assert_non_null(strstr(trial_error(t), "'x <= 0.0' (line 1) accumulate at t = 19"));
    trial_end(t);
    t = trial_text("model M Real x(start = 0.5, fixed = true); Integer n(start = 0, fixed = true);"
                   "\nequation\nder(x) = if x > 0 then -1 else 1;"
                   "when x > 0 then n = pre(n) + 1; end when; end M;");
    assert_int_equal(trial_run(t, 1.0), SALTUS_ZENO);
    assert_non_null(strstr(trial_error(t), "'x > 0.0' (line 3) chatter"));
    trial_end(t);
}

// A start that is not fixed is taken, one that is missing is 0, both with a warning; one that
// contradicts others is an error.
static void rule_16_starts(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x, y(start = 3), z(start = 4, fixed = true); equation "
                          "der(x) = 1; der(y) = 1; der(z) = 1; end M;");
    const char *messages = trial_messages(t);
    assert_non_null(strstr(messages, "x has no start value and begins with 0"));
    assert_non_null(strstr(messages, "y begins with its start value, though that is not fixed"));
    assert_null(strstr(messages, "z "));
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_NEAR(trial_value(t, "x"), 1.0);
    ASSERT_NEAR(trial_value(t, "y"), 4.0);
    trial_end(t);
    trial_expect_error(
        "model M Real x(start = 1, fixed = true), y(start = 2, fixed = true); equation "
        "x = 2*y; der(x) = 0; end M;",
        1.0, "contradicts the others");
}

// Crossings at one instant are one event, those of one long step come in their order; three roots
// of a cubic are three events.
static void events_of_one_step(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real x(start = 0, fixed = true); Boolean a = x > 1, b = 2*x > 2, "
                       "c = x > 1.0000001, d = (x - 2)*(x - 2.1)*(x - 2.2) > 0; "
                       "equation der(x) = 1; end M;",
                       4.0);
    expect_times(t, (double[]){1.0, 1.0000001, 2.0, 2.1, 2.2}, 5);
    assert_int_equal(saltus_run_event(trial_get_run(t), 0).fired_count, 2);
    ASSERT_NEAR(trial_value(t, "d"), 1.0);
    trial_end(t);
}

// An event at the stop time is neither lost nor there twice when the run goes on; what holds at the
// start is no event there.
static void events_at_both_ends(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true), "
        "k(start = 0, fixed = true); equation der(x) = 1; "
        "when x >= 1 then n = pre(n) + 1; end when; "
        "when x >= 0 then k = pre(k) + 1; end when; end M;",
        1.0);
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_NEAR(trial_value(t, "n"), 1.0);
    ASSERT_NEAR(trial_value(t, "k"), 0.0);
    trial_end(t);
}

// An event that changes nothing leaves the trajectory as it is.
static void events_that_change_nothing(void **state)
{
    (void)state;
    double values[2];
    for (int k = 0; k < 2; k++) {
        Trial *t =
            trial_run_text(k ? "model M Real x(start = 1, fixed = true); Boolean low = x < 0.5; "
                               "equation der(x) = -x*x; end M;"
                             : "model M Real x(start = 1, fixed = true); equation der(x) = -x*x; "
                               "end M;",
                           3.0);
        assert_int_equal(saltus_run_event_count(trial_get_run(t)), k);
        values[k] = trial_value(t, "x");
        trial_end(t);
    }
    // within the tolerance of 1e-6, and so is 1 / (1 + t)
    assert_true(fabs(values[1] - values[0]) <= 1e-6);
    assert_true(fabs(values[0] - 0.25) <= 1e-5);
}

// A relation that rests at zero for a while and then leaves it is an event where it leaves.
static void events_that_rest(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real x(start = 0, fixed = true), y; Boolean on = y > 0; "
                       "equation der(x) = 1; y = noEvent(if x > 1 then x - 1 else 0); end M;",
                       3.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    // x is exact up to rounding, and so is the place: a few units of the resolution of time
    assert_true(fabs(saltus_run_event(trial_get_run(t), 0).t - 1.0) <= 1e-14);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_01_arming),
        cmocka_unit_test(rule_02_fired_relation),
        cmocka_unit_test(rule_03_zero_by_constraint),
        cmocka_unit_test(rule_04_time),
        cmocka_unit_test(rule_05_structure),
        cmocka_unit_test(rule_06_search),
        cmocka_unit_test(rule_07_impulses),
        cmocka_unit_test(rule_08_positions),
        cmocka_unit_test(rule_09_elastic_impacts),
        cmocka_unit_test(rule_10_reinit),
        cmocka_unit_test(rule_11_entry),
        cmocka_unit_test(rule_12_suspension),
        cmocka_unit_test(rule_13_ticks),
        cmocka_unit_test(rule_14_reselection),
        cmocka_unit_test(rule_15_accumulation),
        cmocka_unit_test(rule_16_starts),
        cmocka_unit_test(events_of_one_step),
        cmocka_unit_test(events_at_both_ends),
        cmocka_unit_test(events_that_change_nothing),
        cmocka_unit_test(events_that_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
