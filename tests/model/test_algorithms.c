// SPDX-License-Identifier: MIT
//
// Algorithm sections of models: order of assignments, loops, subscripts that change, when clauses,
// functions. Expected values are closed forms; continuous parts are lines, which every solver
// integrates exactly.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const double rounding = 1e-13;

// x(t) = t
#define CLOCK "Real x(start = 0, fixed = true); "

// Later statements see what earlier ones assigned; an array is assigned at once.
static void order_of_assignments(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Real a, b, v[2]; equation der(x) = 1; "
                       "algorithm a := x; b := 2 * a; a := a + b; v := {a, b}; v := {v[2], v[1]}; "
                       "end M;",
                       1.0);
    ASSERT_VALUE(t, "a", 3.0);
    ASSERT_VALUE(t, "b", 2.0);
    ASSERT_VALUE(t, "v[1]", 2.0);
    ASSERT_VALUE(t, "v[2]", 3.0);
    trial_end(t);
}

// Partial sums of n x until they exceed 5: at x = 1 these are 1, 3, 6.
static void loops_with_break(void **state)
{
    (void)state;
    const char *const text =
        "model M parameter Integer n = 10; " CLOCK "Real s, v[n], last; equation der(x) = 1; "
        "algorithm s := 0; last := 0; v := zeros(n); "
        "for i in 1:n loop v[i] := i * x; s := s + v[i]; last := i; "
        "if s > 5 then break; end if; end for; end M;";
    Trial *t = trial_run_text(text, 1.0);
    ASSERT_VALUE(t, "s", 6.0);
    ASSERT_VALUE(t, "last", 3.0);
    ASSERT_VALUE(t, "v[3]", 3.0);
    ASSERT_VALUE(t, "v[4]", 0.0);
    // s jumps where the sum of k terms reaches 5: the relations are events.
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_VALUE(t, "s", 6.0);
    ASSERT_VALUE(t, "last", 2.0);
    trial_end(t);
}

// The smallest power of two that is not below x; Euclid's algorithm.
static void while_loops(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Real p; Integer a, b, r, steps; equation der(x) = 1; "
                       "algorithm p := 1; while p < x loop p := 2 * p; end while; "
                       "a := 1071; b := 462; steps := 0; while b > 0 loop r := mod(a, b); a := b; "
                       "b := r; steps := steps + 1; if steps > 100 then break; end if; end while; "
                       "end M;",
                       5.0);
    ASSERT_VALUE(t, "p", 8.0);
    ASSERT_VALUE(t, "a", 21.0);
    ASSERT_VALUE(t, "steps", 3.0);
    trial_end(t);
    trial_expect_error("model M " CLOCK "Real p; equation der(x) = 1;\nalgorithm p := 0;\n"
                       "while p < x + 1 loop p := 0.5 * (p + x); end while; end M;",
                       1.0, "line 3): it does not end");
}

// A loop that is not on the way is not executed, even if it would not end.
static void while_loops_under_conditions(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Real p; equation der(x) = 1; algorithm p := -1; "
                       "if x > 0.5 then p := x; while p < 4 loop p := p + 1; end while; "
                       "elseif x < -1 then while p < 0 loop p := p - x; end while; end if; end M;",
                       1.0);
    ASSERT_VALUE(t, "p", 4.0);
    ASSERT_VALUE(t, "x", 1.0);
    trial_end(t);
}

static void subscripts_that_change(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " CLOCK "Real v[3], m[2, 2], w[3]; Integer k; Integer j; "
                              "equation der(x) = 1; k = if x > 1 then 3 else 1; "
                              "algorithm v := {10, 20, 30}; v[k] := x; m := zeros(2, 2); "
                              "m[if x > 1 then 2 else 1, 2] := 5; w := zeros(3); j := 1; "
                              "while j <= 3 loop w[4 - j] := v[j]; j := j + 1; end while; end M;",
                              0.5);
    ASSERT_VALUE(t, "v[1]", 0.5);
    ASSERT_VALUE(t, "m[1,2]", 5.0);
    ASSERT_VALUE(t, "w[1]", 30.0);
    ASSERT_VALUE(t, "w[3]", 0.5);
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_VALUE(t, "v[1]", 10.0);
    ASSERT_VALUE(t, "v[3]", 2.0);
    ASSERT_VALUE(t, "m[1,2]", 0.0);
    ASSERT_VALUE(t, "m[2,2]", 5.0);
    trial_end(t);
    trial_expect_error("model M " CLOCK
                       "Real v[2]; Integer k; equation der(x) = 1; k = integer(x) + 1; "
                       "algorithm v := {1, 2}; v[k] := x; end M;",
                       3.0, "a subscript is out of bounds");
}

// In an equation: only the branch that is taken counts.
static void subscripts_in_equations(void **state)
{
    (void)state;
    const char *const text = "model M " CLOCK "parameter Real t[3] = {10, 20, 30}; Real y, z; "
                             "Integer k; equation der(x) = 1; k = integer(x) + 1;\n"
                             "y = if k <= 3 then t[k] else -1; z = %s; end M;";
    char model[400];
    snprintf(model, sizeof model, text, "2 * t[min(k, 3)]");
    Trial *t = trial_run_text(model, 1.5);
    ASSERT_VALUE(t, "y", 20.0);
    ASSERT_VALUE(t, "z", 40.0);
    assert_int_equal(trial_run(t, 4.0), SALTUS_OK);
    ASSERT_VALUE(t, "y", -1.0);
    trial_end(t);
    snprintf(model, sizeof model, text, "t[k]");
    trial_expect_error(model, 4.0, "a subscript is out of bounds (");
}

static void when_in_algorithms(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M function split input Real x; output Real a, b; algorithm a := x; "
                       "b := 2 * x; end split; " CLOCK "discrete Real h[3](each start = 0), a, b; "
                       "Integer n(start = 0); equation der(x) = 1; "
                       "algorithm when sample(0.25, 0.25) then n := pre(n) + 1; "
                       "for i in 3:-1:2 loop h[i] := h[i - 1]; end for; h[1] := x; "
                       "(a, b) := split(x); elsewhen x > 0.6 then n := n + 100; end when; end M;",
                       1.1);
    ASSERT_VALUE(t, "n", 104.0);
    ASSERT_VALUE(t, "h[1]", 1.0);
    ASSERT_VALUE(t, "h[3]", 0.5);
    ASSERT_VALUE(t, "b", 2.0);
    trial_end(t);
}

// Outside of when clauses assertions hold at all times.
static void assertions(void **state)
{
    (void)state;
    trial_expect_error("model M " CLOCK "Real y; equation der(x) = 1; algorithm y := 2 * x; "
                       "assert(y < 1, \"y is too large\"); end M;",
                       3.0, "y is too large");
}

// Loops over what is known in the run only run as functions; x = 3.25 at the end, k = 3.
static void for_loops_of_variable_range(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " CLOCK "Integer k = integer(x), n, m; Real v[4], w, r, z, q; "
        "equation der(x) = 1; algorithm n := 0; "
        "for i in 1:k, j in 1:i loop n := n + 1; end for; "
        "v := zeros(4); for i in k:-1:1 loop v[i + 1] := i * x; end for; "
        "w := 0; r := x; for y in {r, 2 * r, 3 * r} loop r := r + y; w := w + y; "
        "end for; "
        "m := 0; for i in 2:100 loop for j in 1:k loop m := m + j; "
        "if j > 1 then break; end if; end for; if i > 10 then break; end if; end for; "
        "z := 1; if x < 1 then for i in 1:k + 2 loop z := z + i; end for; end if; "
        "q := 0; for u in 0:0.5:x loop q := q + u; end for; end M;",
        3.25);
    ASSERT_VALUE(t, "n", 6.0); // 1 + 2 + 3
    ASSERT_VALUE(t, "v[1]", 0.0);
    ASSERT_VALUE(t, "v[4]", 3.0 * 3.25);
    ASSERT_VALUE(t, "w", 6.0 * 3.25); // the values from before the loop
    ASSERT_VALUE(t, "r", 7.0 * 3.25);
    ASSERT_VALUE(t, "m", 30.0); // ten times 1 + 2
    ASSERT_VALUE(t, "z", 1.0);
    ASSERT_VALUE(t, "q", 10.5); // 0 + 0.5 + ... + 3
    trial_end(t);
    trial_expect_error("model M " CLOCK "Integer k = integer(x); Real v[2]; equation der(x) = 1; "
                       "algorithm v := zeros(2); for i in 1:k loop v[i] := 1; end for; end M;",
                       4.0, "a subscript is out of bounds");
    t = trial_text("model M record R Real a, b; end R; R r(a = time, b = 1); Integer n; "
                   "algorithm n := 0; for s in {r, r} loop n := n + 1; end for; end M;");
    assert_false(trial_is_model(t));
    assert_non_null(strstr(trial_messages(t), "a loop over records that change cannot run"));
    trial_end(t);
}

// In when clauses and initial algorithms, too; the range is read when the loop begins.
static void for_loops_of_variable_range_at_events(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " CLOCK "parameter Real p(fixed = false); Real a = p; "
        "discrete Real d(start = 0, fixed = true); Integer n(start = 2, fixed = true); "
        "initial algorithm p := 0; for i in 1:n loop p := p + i; end for; "
        "equation der(x) = 1; algorithm when x > 0.5 then d := 0; "
        "for i in 1:n loop d := d + i; n := n + 1; end for; end when; end M;",
        1.0);
    ASSERT_VALUE(t, "a", 3.0);
    ASSERT_VALUE(t, "d", 3.0);
    ASSERT_VALUE(t, "n", 4.0);
    trial_end(t);
}

// Each round uses the value twice: as a text or a tree the last would be 2^100 long. The logistic
// map goes to its fixed point 1 - 1/r, each round nearer by the factor |2 - r| = 1/2.
static void rounds_share_what_they_have_in_common(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real r = 2.5; Real x, slope; "
                              "algorithm x := 0.3 + 0.01*time; "
                              "for i in 1:100 loop x := r*x*(1 - x); end for; "
                              "equation slope = der(x); end M;",
                              1.0);
    ASSERT_VALUE(t, "x", 0.6);
    ASSERT_VALUE(t, "slope", 0.0);
    trial_end(t);
}

// Section 11.2.6: conditions are evaluated until one of them holds.
static void later_conditions_are_not_called(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M function f input Real u; output Boolean b; algorithm "
                              "assert(u > 0.5, \"too early\"); b := true; end f; Real x; "
                              "algorithm if time <= 0.75 then x := 3; elseif f(time) then x := 4; "
                              "end if; end M;",
                              1.0);
    trial_assert_value(t, "x", 4.0, 0.0);
    trial_end(t);
    trial_expect_error("model M function f input Real u; output Boolean b; algorithm "
                       "assert(u > 0.5, \"too early\"); b := true; end f; Real x; "
                       "algorithm if time >= 0.75 then x := 3; elseif f(time) then x := 4; "
                       "end if; end M;",
                       1.0, "too early");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_conditions_are_not_called),
        cmocka_unit_test(order_of_assignments),
        cmocka_unit_test(loops_with_break),
        cmocka_unit_test(while_loops),
        cmocka_unit_test(while_loops_under_conditions),
        cmocka_unit_test(subscripts_that_change),
        cmocka_unit_test(subscripts_in_equations),
        cmocka_unit_test(when_in_algorithms),
        cmocka_unit_test(assertions),
        cmocka_unit_test(for_loops_of_variable_range),
        cmocka_unit_test(for_loops_of_variable_range_at_events),
        cmocka_unit_test(rounds_share_what_they_have_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
