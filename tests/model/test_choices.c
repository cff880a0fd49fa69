// SPDX-License-Identifier: MIT
//
// Instants at which several combinations of conditions agree: the event log says so, and only then.

#include "model/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static Trial *run_with_notes(const char *text, double stop_time)
{
    Trial *trial = trial_text(text);
    assert_true(trial_is_model(trial));
    trial_options(trial)->notes = true;
    assert_int_equal(trial_run(trial, stop_time), SALTUS_OK);
    return trial;
}

// The note of the only event at a time; NULL: it has none. Notes of other events are counted.
static const char *note_at(const Trial *trial, double time, long *others)
{
    const char *note = NULL;
    *others = 0;
    for (long e = 0; e < saltus_run_event_count(trial_get_run(trial)); e++) {
        const SaltusLogEntry entry = saltus_run_event(trial_get_run(trial), e);
        if (entry.t == time)
            note = entry.note;
        else
            *others += entry.note != NULL;
    }
    return note;
}

static void expect_note(const char *text, double time, const char *expected)
{
    Trial *trial = run_with_notes(text, 2.0);
    long others;
    const char *note = note_at(trial, time, &others);
    if (expected) {
        assert_non_null(note);
        assert_string_equal(note, expected);
    } else {
        assert_null(note);
    }
    assert_int_equal(others, 0);
    trial_end(trial);
}

// y = 1 and y = -1 both agree while |u| < 1; at t = 1.5 only y = -1 does.
static void a_loop_with_two_solutions_at_the_start(void **state)
{
    (void)state;
    expect_note("model M\n  Real u = time - 0.5;\n  Real y = if y > u then 1 else -1;\nend M;\n",
                0.0, "choice: y > u is false; the opposite agrees, too");
    // u < -1: y = -1 > u, so that only y = 1 agrees, until the end.
    expect_note(
        "model M\n  Real u = -2;\n  Real y = if y > u*cos(0*time) then 1 else -1;\nend M;\n", 0.0,
        NULL);
}

// w = q + A z with A = (1 2; 2 1) and q = -1 has the solutions z = (1, 0), (0, 1), (1/3, 1/3).
// Before t = 1, q = 1 has z = 0 alone.
static const char two_switches[] = "model M\n"
                                   "  parameter Real k = %s;\n"
                                   "  Real u = if time < 1 then -1 else 1;\n"
                                   "  Real a, b, s, r;\n"
                                   "equation\n"
                                   "  a = if s > 0 then s else 0;\n"
                                   "  b = if r > 0 then r else 0;\n"
                                   "  s = u - k*b;\n"
                                   "  r = u - k*a;\n"
                                   "end M;\n";

static void two_switches_that_exclude_each_other(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, two_switches, "2");
    Trial *trial = run_with_notes(text, 2.0);
    long others;
    const char *note = note_at(trial, 1.0, &others);
    assert_non_null(note);
    assert_non_null(strstr(note, "s > 0.0 is true"));
    assert_int_equal(others, 0);
    trial_end(trial);
    // Weak coupling: A is positive definite, and there is one solution.
    snprintf(text, sizeof text, two_switches, "0.5");
    expect_note(text, 1.0, NULL);
}

// In the other combination x would move at once, x' = 1/0: there is no time in which it can be
// followed.
static void a_choice_without_a_flow(void **state)
{
    (void)state;
    Trial *trial = run_with_notes("model M Real x(start = 0, fixed = true), y; Boolean b = y > 0;\n"
                                  "equation der(x) = 1/(if b then 0 else 1);\n"
                                  "y = if b then x else x - 1; end M;\n",
                                  0.5);
    trial_assert_value(trial, "x", 0.5, 1e-9);
    trial_end(trial);
}

// What keeps its value though it might have the other one was not decided at the event.
static void what_stays_is_no_choice(void **state)
{
    (void)state;
    expect_note("model M\n"
                "  Real x(start = -1, fixed = true), y = if y > u then 1 else -1, u;\n"
                "  Boolean high = time > 0.5;\n"
                "  Boolean late(start = false, fixed = true);\n"
                "equation\n"
                "  der(x) = 1;\n"
                "  u = if high then 0.1 else 3;\n"
                "  when x > 0 then late = true; end when;\n"
                "end M;\n",
                1.0, NULL);
}

// The bounce is at zero: the value that it has there, or the other one, would not last.
static void a_ball_has_no_choice(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"h < 0", ""}, {"h <= 0", ""}, {"h <= 0", "Boolean was_up = delay(v, 0.3) > 0;"}};
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M\n"
                 "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                 "  Real f = if h < 0.2 then 0.1*f + 1 else 0.2*f;\n"
                 "  %s\n"
                 "equation\n"
                 "  der(h) = v;\n"
                 "  der(v) = -9.81 + f;\n"
                 "  when %s then reinit(v, -0.8*pre(v)); end when;\n"
                 "end M;\n",
                 words[i][1], words[i][0]);
        Trial *trial = run_with_notes(text, 1.5);
        long others;
        assert_null(note_at(trial, 0.0, &others));
        assert_int_equal(others, 0);
        assert_true(saltus_run_event_count(trial_get_run(trial)) > 3);
        trial_end(trial);
    }
}

// Notes are looked for only if somebody wants them, and change nothing of the run.
static void notes_change_nothing(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, two_switches, "2");
    Trial *with = run_with_notes(text, 2.0), *without = trial_run_text(text, 2.0);
    long others;
    assert_null(note_at(without, 1.0, &others));
    assert_int_equal(others, 0);
    static const char *const names[] = {"a", "b", "s", "r"};
    for (int i = 0; i < 4; i++)
        assert_true(trial_value(with, names[i]) == trial_value(without, names[i]));
    trial_end(with);
    trial_end(without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_with_two_solutions_at_the_start),
        cmocka_unit_test(two_switches_that_exclude_each_other),
        cmocka_unit_test(a_choice_without_a_flow),
        cmocka_unit_test(what_stays_is_no_choice),
        cmocka_unit_test(a_ball_has_no_choice),
        cmocka_unit_test(notes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
