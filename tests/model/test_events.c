// SPDX-License-Identifier: MIT
//
// Events of Modelica: when clauses, left limits, relations, assertions, initialization; and what is
// refused. The continuous parts are lines, which every solver integrates exactly: times and values
// have rounding errors only.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const double rounding = 1e-13;

#define CLOCK "Real x(start = 0, fixed = true); "

// The first branch that becomes true acts; a condition acts when it becomes true, not while it is.
static void when_clauses(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "discrete Real s(start = 0, fixed = true); "
                       "Integer n(start = 0, fixed = true); equation der(x) = 1; "
                       "when x > 0.5 then s = pre(s) + x; elsewhen x > 2 then s = 100; end when; "
                       "when {x > 0.25, x > 0.75, x > 1.5} then n = pre(n) + 1; end when; end M;",
                       1.0);
    ASSERT_VALUE(t, "s", 0.5);
    ASSERT_VALUE(t, "n", 2.0);
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    ASSERT_VALUE(t, "s", 100.0);
    ASSERT_VALUE(t, "n", 3.0);
    trial_end(t);
}

// A chain of when clauses at one instant: each sees the left limits of its iteration.
static void iteration(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " CLOCK
                              "Integer a(start = 0, fixed = true), b(start = 0, fixed = true); "
                              "Boolean done(start = false, fixed = true); equation der(x) = 1; "
                              "when x > 1 then a = 1; end when; "
                              "when pre(a) > 0 then b = pre(b) + 1; end when; "
                              "done = b > 0 and pre(b) > 0; end M;",
                              2.0);
    ASSERT_VALUE(t, "b", 1.0);
    ASSERT_VALUE(t, "done", 1.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 1);
    trial_end(t);
}

// A triangle wave: the left limit of a continuous variable, two directions.
static void reinit_states(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Real v(start = 1, fixed = true); equation der(x) = v; "
                       "der(v) = 0; when x >= 1 then reinit(v, -pre(v)); elsewhen x <= 0 then "
                       "reinit(v, -pre(v)); end when; end M;",
                       3.5);
    ASSERT_VALUE(t, "x", 0.5);
    ASSERT_VALUE(t, "v", -1.0);
    trial_end(t);
    trial_expect_error("model M " CLOCK
                       "equation der(x) = 1; when x > 1 then reinit(x, 0); end when; "
                       "when x >= 1 then reinit(x, 0.5); end when; end M;",
                       2.0, "x is reinitialised twice");
}

// Whole numbers up and down, negative ones too.
static void rounding_functions(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " CLOCK "Real f, c, m; Integer i, d; equation der(x) = -1; "
                              "f = floor(x); c = ceil(x); i = integer(2 * x); m = mod(x, 2); "
                              "d = integer(div(x, 1)); end M;",
                              2.25);
    ASSERT_VALUE(t, "f", -3.0);
    ASSERT_VALUE(t, "c", -2.0);
    ASSERT_VALUE(t, "i", -5.0);
    ASSERT_VALUE(t, "m", 1.75);
    ASSERT_VALUE(t, "d", -2.0);
    trial_end(t);
}

// A line takes one long step over many whole numbers; each is an event.
static void whole_numbers_in_long_steps(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " CLOCK "Real f(start = 0, fixed = true), "
        "c(start = 0, fixed = true), d(start = 0, fixed = true); equation der(x) = 1; "
        "der(f) = floor(2 * x); der(c) = ceil(2 * x); der(d) = div(5 - 2 * x, 1); "
        "end M;",
        10.0);
    // half of 0 + 1 + ... + 19, of 1 + 2 + ... + 20, of 4 + ... + 0 - 0 - ... - 14
    ASSERT_VALUE(t, "f", 95.0);
    ASSERT_VALUE(t, "c", 105.0);
    ASSERT_VALUE(t, "d", 0.5 * (10.0 - 105.0));
    trial_end(t);
}

// A diode without any resistance: whatever is divided by, it is not the zero of the other side.
static void ideal_switches(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M parameter Real on = 0, off = 0; Real u, i, s, e; Boolean locks; "
                       "equation e = 1 - time; locks = s < 0; u = s * (if locks then 1 else on); "
                       "i = s * (if locks then off else 1); e = 2 * i + u; end M;",
                       0.5);
    ASSERT_VALUE(t, "i", 0.25);
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_VALUE(t, "i", 0.0);
    ASSERT_VALUE(t, "u", -1.0);
    trial_end(t);
}

static void if_equations(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Real y, z(start = 0, fixed = true); equation der(x) = 1; "
                       "if x < 1 then y = 1; elseif x < 2 then y = 10; else y = 100; end if; "
                       "der(z) = y; end M;",
                       3.0);
    ASSERT_VALUE(t, "z", 111.0);
    trial_end(t);
}

// A relation that depends on what it decides about: an ideal diode in the form of its curve.
static void mixed_equations(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real u, i, s(start = 1), e; Boolean off; equation "
                              "e = 1 - time; off = s < 0; u = if off then s else 0; "
                              "i = if off then 0 else s; e = 2 * i + u; end M;",
                              2.0);
    ASSERT_VALUE(t, "i", 0.0);
    ASSERT_VALUE(t, "u", -1.0);
    ASSERT_VALUE(t, "off", 1.0);
    trial_end(t);
}

// Assignments one after the other; conditions with the values of their moment.
static void algorithms(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Real y, z; Integer n(start = 0, fixed = true), "
                       "k(start = 0, fixed = true); equation der(x) = 1; "
                       "algorithm y := 2 * x; y := y + 1; if y > 4 then z := y; y := 0; "
                       "elseif y > 2 then z := -1; else z := -2; end if; "
                       "algorithm when {x > 0.5, x > 1} then n := n + 1; n := 10 * n; "
                       "elsewhen x > 2 then n := 7; end when; if n > 5 then k := n; end if; end M;",
                       1.75);
    ASSERT_VALUE(t, "z", 4.5);
    ASSERT_VALUE(t, "y", 0.0);
    ASSERT_VALUE(t, "n", 110.0);
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    ASSERT_VALUE(t, "n", 7.0);
    ASSERT_VALUE(t, "k", 7.0);
    trial_end(t);
}

static void assertions(void **state)
{
    (void)state;
    trial_expect_error("model M " CLOCK "equation der(x) = 1; assert(x < 0.5, \"too far\"); end M;",
                       2.0, "t = 0.5: assertion");
    trial_expect_error("model M " CLOCK
                       "equation der(x) = 1; assert(x > 0.5, \"too near\"); end M;",
                       2.0, "too near");
    Trial *t = trial_text("model M " CLOCK "equation der(x) = 1; when x > 0.5 then "
                          "terminate(\"enough\"); end when; end M;");
    assert_int_equal(trial_run(t, 2.0), SALTUS_TERMINATED);
    ASSERT_VALUE(t, "x", 0.5);
    trial_end(t);
}

static void initialization(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real x, y(start = 3, fixed = true); Integer n(start = 1, fixed = true); "
        "initial equation x = 2 * y; equation der(x) = 0; der(y) = 0; "
        "when initial() then n = 7; elsewhen time > 1 then n = pre(n) + 1; end when; "
        "end M;",
        2.0);
    ASSERT_VALUE(t, "x", 6.0);
    ASSERT_VALUE(t, "n", 8.0);
    trial_end(t);
    trial_expect_error("model M Real y(start = 3, fixed = true); initial equation y = 4; "
                       "equation der(y) = 0; end M;",
                       1.0, "the fixed start value of y (");
}

static void parameters(void **state)
{
    (void)state;
    Trial *t = trial_text("model M parameter Real c = a + b, a = 1, b = 2 * a; " CLOCK
                          "equation der(x) = c; end M;");
    trial_parameter(t, "a", 10.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "x", 30.0);
    trial_end(t);
    trial_expect_refusal("model M Real x; equation x = 1; x = 2; end M;", "error");
}

// Waves of time alone, much shorter than the steps: every end of one is an event, whatever the
// solver. 25 waves per unit of time, and the steps could be 1 long.
static void waves_in_long_steps(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RODAS,  SALTUS_SOLVER_CVODE,
                                           SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    for (int k = 0; k < 6; k++) {
        Trial *t = trial_text("model M " CLOCK "Boolean on = sin(93.75*time) > 0; "
                              "equation der(x) = if on then 1 else 0; end M;");
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.max_step = 1.0;
        if (trial_run(t, 50.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const double pi = 3.14159265358979323846;
        const long ends = (long)floor(93.75 * 50.0 / pi);
        const SaltusRun *r = trial_get_run(t);
        assert_int_equal(saltus_run_event_count(r), ends + 1); // and the start
        for (long i = 1; i <= ends; i++)
            assert_true(fabs(saltus_run_event(r, i).t - (double)i * pi / 93.75) <= 1e-10);
        trial_end(t);
    }
}

// y = 2 sin(x), x = t: der(y) < 0 from pi/2 on, der(y) < -1 from 2 pi/3 to 4 pi/3. Nothing but the
// conditions differentiates y.
static void derivative_in_a_condition(void **state)
{
    (void)state;
    const double pi = 3.14159265358979324;
    Trial *t = trial_run_text("model M Real x(start = 0, fixed = true), y; Boolean b;\n"
                              "  discrete Real t1, t2; Integer n(start = 0, fixed = true);\n"
                              "equation der(x) = 1; y = 2 * sin(x); b = der(y) < -1;\n"
                              "  when der(y) < 0 then n = pre(n) + 1; t1 = time; end when;\n"
                              "  when not b then t2 = time; end when;\n"
                              "end M;",
                              6.0);
    // events are located to rounding, x to the tolerance of a solver that is exact for lines
    trial_assert_value(t, "t1", pi / 2.0, 1e-9);
    trial_assert_value(t, "t2", 4.0 * pi / 3.0, 1e-9);
    trial_assert_value(t, "n", 1.0, 0.0);
    trial_end(t);
}

// Section 8.3.5: the first branch whose condition becomes true; what was true before is no matter.
static void branches_of_when_clauses(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M\n"
        "  Boolean c1 = time > 0.2, c2 = time > 0.4, c3 = time > 0.2, always = true;\n"
        "  Boolean p = time > 0.3 and time < 0.6;\n"
        "  Integer a, b, n, m, k, q, e, c;\n"
        "equation\n"
        "  when c1 then a = 1; elsewhen c3 then a = 2; end when;\n" // both at once
        "  when c1 then b = 1; elsewhen c2 then b = 2; end when;\n" // one after the other
        "  when {c1, c2} then n = pre(n) + 1; end when;\n"
        "  when always then m = pre(m) + 1; end when;\n"
        "  when {initial(), c2} then k = pre(k) + 1; end when;\n"
        "  when edge(p) then e = pre(e) + 1; end when;\n"
        "  when change(p) then c = pre(c) + 1; end when;\n"
        "  when a > 0 then q = pre(q) + 1; end when;\n" // in the next iteration
        "end M;",
        1.0);
    ASSERT_VALUE(t, "a", 1.0);
    ASSERT_VALUE(t, "b", 2.0);
    ASSERT_VALUE(t, "n", 2.0);
    ASSERT_VALUE(t, "m", 0.0);
    ASSERT_VALUE(t, "k", 2.0);
    ASSERT_VALUE(t, "e", 1.0);
    ASSERT_VALUE(t, "c", 2.0);
    ASSERT_VALUE(t, "q", 1.0);
    trial_end(t);
    t = trial_run_text("model M\n"
                       "  Boolean c1 = time > 0.2, c2 = time > 0.4, c3 = time > 0.2;\n"
                       "  Integer a, b, n;\n"
                       "algorithm\n"
                       "  when c1 then a := 1; elsewhen c3 then a := 2; end when;\n"
                       "  when c1 then b := 1; elsewhen c2 then b := 2; end when;\n"
                       "  when {c1, c2} then n := pre(n) + 1; end when;\n"
                       "  when c1 then n := n + 10; end when;\n"
                       "end M;",
                       1.0);
    ASSERT_VALUE(t, "a", 1.0);
    ASSERT_VALUE(t, "b", 2.0);
    ASSERT_VALUE(t, "n", 12.0);
    trial_end(t);
}

// sin(7 t) changes its sign, which does not matter to a bound of its magnitude; where it reaches
// the bound, at asin(0.5) / 7, there is an event. A bound from below is another matter.
static void bounded_magnitudes(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x = sin(7*time); equation "
                              "assert(abs(x) < 2, \"a\"); "
                              "assert(3 >= abs(x) and abs(x) <= 4, \"b\"); end M;",
                              3.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 0);
    trial_end(t);
    trial_expect_error("model M Real x = sin(7*time); equation "
                       "assert(abs(x) < 0.5, \"too large\"); end M;",
                       3.0, "t = 0.07479982509");
    trial_expect_error("model M Real x = 1 - time; equation "
                       "assert(abs(x) > 1e-6, \"too small\"); end M;",
                       3.0, "t = 0.999999");
}

// floor and its like of a value that goes from one whole number to another at events, and rests
// there.
static void whole_numbers_that_jump(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Integer n(start = 3, fixed = true); Real d = n, f = floor(d), c = ceil(d/2), "
        "q = div(d, 2), m = mod(d, 3); Integer k = integer(d); equation "
        "when sample(0.1, 0.1) then n = pre(n) - 1; end when; end M;",
        1.25);
    const long rows = saltus_run_row_count(trial_get_run(t));
    assert_true(rows > 12);
    for (long row = 0; row < rows; row++) {
        const double n = trial_value_at(t, "n", row);
        assert_true(trial_value_at(t, "k", row) == n && trial_value_at(t, "f", row) == n);
        assert_true(trial_value_at(t, "c", row) == ceil(n / 2.0));
        assert_true(trial_value_at(t, "q", row) == trunc(n / 2.0));
        assert_true(trial_value_at(t, "m", row) == n - 3.0 * floor(n / 3.0));
    }
    ASSERT_VALUE(t, "n", -9.0);
    trial_end(t);
}

// At the start the condition is false, and just after it is true: its when clause acts once, on the
// way from 0.4. Then 0.6 s pass to the next time.
static void true_just_after_the_start(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x(start = 0.4, fixed = true);"
                              "Integer n(start = 0, fixed = true);"
                              "equation der(x) = 1;"
                              "when x > 0.4 then n = pre(n) + 1; reinit(x, -0.5*x); end when;"
                              "end M;",
                              1.0);
    ASSERT_VALUE(t, "n", 2.0);
    ASSERT_VALUE(t, "x", 0.2);
    trial_end(t);
}

// A sample and another instant 2e-15 s apart, with a linear flow between: nothing crosses there.
// The states do not depend on what is sampled.
static void instants_next_to_each_other(void **state)
{
    (void)state;
    const char *text =
        "model M parameter Boolean samples = true; Real x(start = 15, fixed = true);"
        "Boolean on(start = true, fixed = true); discrete Real y(start = 0, fixed = true);"
        "discrete Real next(start = 0.3, fixed = true);"
        "equation der(x) = -0.7*(x - 10 - 2*sin(time)) + (if on then 12 else 0);"
        "when x >= 21 then on = false; elsewhen x <= 18 then on = true; end when;"
        "when {samples and sample(0.1, 0.25), time >= pre(next)} then"
        " y = x; next = if time >= pre(next) then pre(next) + 0.7 else pre(next); end when; end M;";
    double end[2] = {0.0};
    for (int i = 0; i < 2; i++) {
        Trial *t = trial_text(text);
        trial_options(t)->method.solver = SALTUS_SOLVER_EXACT;
        trial_parameter(t, "samples", i == 0);
        assert_int_equal(trial_run(t, 20.0), SALTUS_OK);
        end[i] = trial_value(t, "x");
        trial_end(t);
    }
    assert_true(fabs(end[0] - end[1]) < 1e-9); // rounding, through some 20 switchings
}

// A force that a ramp of time takes away: in the last step before the ramp's end it comes to zero,
// or below by rounding, and rests there behind the event. Its condition is true from that time on.
static void ramps_that_end_at_zero(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_AUTO, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_CVODE};
    static const double durations[] = {0.1, 0.2, 0.3, 0.7, 1.0, 1.1, 0.003};
    static const char *const conditions[] = {"f <= 0", "not f > 0", "y >= 1"};
    for (size_t i = 0; i < 3 * 7 * 3; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "model M parameter Real d = 1; Real x(start = 0, fixed = true);"
                 "Real y = if time < 2 then 0 else if time < 2 + d then (time - 2)/d else 1;"
                 "Real f = 160*(1 - y); Boolean free = %s; Integer n(start = 0, fixed = true);"
                 "equation der(x) = if free then 1 else 0;"
                 "when free then n = pre(n) + 1; end when; end M;",
                 conditions[i % 3]);
        Trial *t = trial_text(text);
        trial_options(t)->method.solver = solvers[i / 3 % 3];
        trial_parameter(t, "d", durations[i / 9]);
        assert_int_equal(trial_run(t, 4.0), SALTUS_OK);
        ASSERT_VALUE(t, "n", 1.0);
        ASSERT_VALUE(t, "x", 2.0 - durations[i / 9]);
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_that_jump),
        cmocka_unit_test(when_clauses),
        cmocka_unit_test(iteration),
        cmocka_unit_test(reinit_states),
        cmocka_unit_test(rounding_functions),
        cmocka_unit_test(if_equations),
        cmocka_unit_test(mixed_equations),
        cmocka_unit_test(assertions),
        cmocka_unit_test(initialization),
        cmocka_unit_test(parameters),
        cmocka_unit_test(algorithms),
        cmocka_unit_test(ideal_switches),
        cmocka_unit_test(whole_numbers_in_long_steps),
        cmocka_unit_test(waves_in_long_steps),
        cmocka_unit_test(derivative_in_a_condition),
        cmocka_unit_test(branches_of_when_clauses),
        cmocka_unit_test(bounded_magnitudes),
        cmocka_unit_test(true_just_after_the_start),
        cmocka_unit_test(instants_next_to_each_other),
        cmocka_unit_test(ramps_that_end_at_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
