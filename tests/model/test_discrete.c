// SPDX-License-Identifier: MIT
//
// Discrete equations in any direction: which variable each determines, and for which it is solved
// (appendix B of the specification: equations of discrete variables are sorted like others). All
// expected values are by hand.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

// Discrete values are exact.
static const double rounding = 0.0;

// b = c is read first and could determine either.
static void test_copies_in_a_chain(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Boolean a = time > 0.5, b, c, y;\n"
                              "  Integer i = if a then 7 else 3, j, k;\n"
                              "equation\n"
                              "  b = c; a = b; y = c;\n"
                              "  j = k; i = j;\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "c", 0) == 0.0 && trial_value_at(t, "k", 0) == 3.0);
    ASSERT_VALUE(t, "b", 1.0);
    ASSERT_VALUE(t, "c", 1.0);
    ASSERT_VALUE(t, "y", 1.0);
    ASSERT_VALUE(t, "j", 7.0);
    ASSERT_VALUE(t, "k", 7.0);
    trial_end(t);
}

// Two levels of connectors: o.x = o.c.fire is read before a.y = o.x.
static void test_signals_over_two_connections(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  connector I = input Boolean; connector O = output Boolean;\n"
                              "  model Source O y; equation y = time > 0.5; end Source;\n"
                              "  model Cell I fire; Integer k; equation\n"
                              "    k = if fire then 1 else 0; end Cell;\n"
                              "  model Outer I x[2]; Cell c[2]; equation\n"
                              "    connect(x, c.fire); end Outer;\n"
                              "  Source a; Outer o;\n"
                              "equation\n"
                              "  connect(a.y, o.x[1]); connect(a.y, o.x[2]);\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "o.c[2].k", 0) == 0.0);
    ASSERT_VALUE(t, "o.c[1].k", 1.0);
    ASSERT_VALUE(t, "o.c[2].k", 1.0);
    trial_end(t);
}

static void test_equations_are_solved(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Boolean a = time > 0.5, b, c, d;\n"
                              "  Integer i = if a then 7 else 3, j, k, l;\n"
                              "  discrete Real r, s, u;\n"
                              "equation\n"
                              "  not b = a; (c == a) = true; (a <> d) = b;\n"
                              "  -j = i; 1 = k + i; 10 - l = 2 + j;\n"
                              "  when a then r = time; end when;\n"
                              "  2*s + 1 = r; r = -(u - 1);\n"
                              "end M;",
                              1.0);
    ASSERT_VALUE(t, "b", 0.0);
    ASSERT_VALUE(t, "c", 1.0);
    ASSERT_VALUE(t, "d", 1.0);
    ASSERT_VALUE(t, "j", -7.0);
    ASSERT_VALUE(t, "k", -6.0);
    ASSERT_VALUE(t, "l", 15.0);
    ASSERT_VALUE(t, "s", -0.25);
    ASSERT_VALUE(t, "u", 0.5);
    trial_end(t);
}

// In one branch b = a determines a, in the other a = not b: each branch has its own way, and the
// equation of b itself comes last.
static void test_branches_have_their_own_direction(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Boolean late = time > 0.5, a, b;\n"
                              "equation\n"
                              "  if late then b = a; else a = not b; end if;\n"
                              "  b = time < 0.25;\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "a", 0) == 0.0);
    ASSERT_VALUE(t, "a", 0.0);
    ASSERT_VALUE(t, "b", 0.0);
    trial_end(t);
    t = trial_run_text("model M\n"
                       "  Boolean late = time > 0.5, a, b;\n"
                       "equation\n"
                       "  if late then b = a; else a = not b; end if;\n"
                       "  b = time < 0.25;\n"
                       "end M;",
                       0.4);
    ASSERT_VALUE(t, "a", 1.0);
    trial_end(t);
}

static void test_what_cannot_be_solved_is_named(void **state)
{
    (void)state;
    trial_expect_refusal("model M Integer i = if time > 0.5 then 4 else 2, j;\n"
                         "equation 2*j = i; end M;",
                         "this discrete equation cannot be solved exactly for j");
    trial_expect_refusal("model M Boolean a = time > 0.5, b; equation (a or b) = true; end M;",
                         "this discrete equation cannot be solved exactly for b");
    trial_expect_refusal("model M Boolean a, b, c; equation a = b; b = a; c = time > 0.5; end M;",
                         "discrete variables depend on each other in a circle (a, b)");
    trial_expect_refusal("model M Boolean b, c; equation b = not c; c = b; end M;",
                         "discrete variables depend on each other in a circle (b, c)");
}

// Three thousand equations, of which the last turns the direction of all.
static void test_long_chains(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  parameter Integer n = 3000;\n"
                              "  Integer i[n];\n"
                              "equation\n"
                              "  for k in 1:n-1 loop i[k] = i[k+1] + 1; end for;\n"
                              "  i[1] = if time > 0.5 then 1 else 0;\n"
                              "end M;",
                              1.0);
    ASSERT_VALUE(t, "i[3000]", 1.0 - 2999.0);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// Loops through the continuous equations
// ---------------------------------------------------------------------------

// Linear equations, to the rounding of a few operations.
static const double solved = 1e-14;

// At each sample x = 2 + t, y = 3 - t; the plain iteration has the factor 2.
static void test_when_clause_in_a_loop(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x, y; equation\n"
                              "  when sample(0, 0.25) then y = 7 - 2*x + time; end when;\n"
                              "  x + y = 5;\n"
                              "end M;",
                              0.9);
    trial_assert_value(t, "x", 2.75, solved);
    trial_assert_value(t, "y", 2.25, solved);
    trial_end(t);
}

// Two discrete Reals and a Boolean by the solution: x = 10 - 3 (4 - 2 x) + 1 + x = 7 x - 1, so
// x = 1/6, y = 11/3, z = 7/6.
static void test_two_in_a_loop(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x; discrete Real y, z; Boolean b; Integer n;\n"
                              "equation\n"
                              "  when time > 0.5 then y = 4 - 2*x; z = 1 + x; end when;\n"
                              "  x = 10 - 3*y + z; b = x < 5; n = if b then 1 else 0;\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "x", 0) == 10.0 && trial_value_at(t, "n", 0) == 0.0);
    trial_assert_value(t, "x", 1.0 / 6.0, solved);
    trial_assert_value(t, "y", 11.0 / 3.0, solved);
    trial_assert_value(t, "z", 7.0 / 6.0, solved);
    ASSERT_VALUE(t, "n", 1.0);
    trial_end(t);
}

// The same in any unit: nominal values that follow from parameters count, and steps, Newton's
// method and differences are parts of the sizes, so that only rounding differs.
static void test_a_loop_in_small_units(void **state)
{
    (void)state;
    static const double units[] = {1.0, 1e-9, 1e-15, 1e9};
    double first = 0.0;
    for (int i = 0; i < 4; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "model M\n"
                 "  parameter Real A = %g;\n"
                 "  discrete Real u(start = 0, fixed = true, nominal = A);\n"
                 "  Real y(nominal = A), z(nominal = A), x(start = 0, fixed = true, nominal = A);\n"
                 "equation\n"
                 "  y = A * exp(-u / A) + 0.3 * x;\n"
                 "  z + 0.5 * z * z * z / A ^ 2 = y;\n"
                 "  der(x) = u - x;\n"
                 "  when sample(0, 0.25) then u = 2 * z - 0.2 * y; end when;\n"
                 "end M;",
                 units[i]);
        Trial *t = trial_run_text(text, 1.0);
        const double x = trial_value(t, "x") / units[i];
        first = i == 0 ? x : first;
        assert_true(x > 0.5 && fabs(x - first) <= 1e-10);
        trial_end(t);
    }
}

// y = 6 - x and y = 5 - x.
static void test_a_loop_without_solution(void **state)
{
    (void)state;
    trial_expect_error("model M Real x, y; equation\n"
                       "  when time > 0.5 then y = 6 - x; end when;\n"
                       "  x + y = 5;\n"
                       "end M;",
                       1.0, "no consistent values at an event; look at y");
}

// ---------------------------------------------------------------------------
// Initial equations
// ---------------------------------------------------------------------------

// As the steps of a state graph are written: active = true says what pre(newActive) is.
static void test_initial_equation_through_pre(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Boolean active, localActive, newActive, oldActive;\n"
                              "initial equation\n"
                              "  pre(newActive) = pre(localActive);\n"
                              "  pre(oldActive) = pre(localActive);\n"
                              "  active = true;\n"
                              "equation\n"
                              "  active = localActive;\n"
                              "  localActive = pre(newActive);\n"
                              "  newActive = localActive and time < 0.5;\n"
                              "  oldActive = pre(localActive);\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "active", 0) == 1.0);
    assert_true(trial_value_at(t, "oldActive", 0) == 1.0);
    ASSERT_VALUE(t, "active", 0.0);
    ASSERT_VALUE(t, "oldActive", 0.0);
    trial_end(t);
}

// k = 2 pre(k) and r = 2 pre(r) at the initialization: pre(k) = 1, pre(r) = 1.5; then doubled at 1.
static void test_initial_equation_of_an_active_when_clause(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Integer k; Real r; initial equation\n"
                              "  k = 2; r = 3;\n"
                              "equation\n"
                              "  when {initial(), time > 0.5} then\n"
                              "    k = 2*pre(k); r = 2*pre(r);\n"
                              "  end when;\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "k", 0) == 2.0 && trial_value_at(t, "r", 0) == 3.0);
    ASSERT_VALUE(t, "k", 4.0);
    ASSERT_VALUE(t, "r", 6.0);
    trial_end(t);
    trial_expect_error("model M Integer k; initial equation k = 3; equation\n"
                       "  when {initial(), time > 0.5} then k = 2*pre(k); end when; end M;",
                       1.0, "the initial equation of k");
}

// d = 2 with d = 3 x - 1 at the initialization determines x.
static void test_initial_equation_of_a_continuous_value(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x; discrete Real d; initial equation d = 2; equation\n"
                              "  der(x) = 0; when initial() then d = 3*x - 1; end when; end M;",
                              1.0);
    trial_assert_value(t, "x", 1.0, solved);
    trial_assert_value(t, "d", 2.0, solved);
    trial_end(t);
}

static void test_initial_equations_are_solved(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Integer n; Boolean b; parameter Integer p(fixed = false);\n"
                              "initial equation pre(n) + 1 = 4; not pre(b) = false; p = n;\n"
                              "equation when time > 0.5 then n = pre(n) + p; b = not pre(b);\n"
                              "  end when; end M;",
                              1.0);
    assert_true(trial_value_at(t, "n", 0) == 3.0 && trial_value_at(t, "b", 0) == 1.0);
    ASSERT_VALUE(t, "n", 6.0);
    ASSERT_VALUE(t, "b", 0.0);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_in_a_chain),
        cmocka_unit_test(test_signals_over_two_connections),
        cmocka_unit_test(test_equations_are_solved),
        cmocka_unit_test(test_branches_have_their_own_direction),
        cmocka_unit_test(test_what_cannot_be_solved_is_named),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_when_clause_in_a_loop),
        cmocka_unit_test(test_two_in_a_loop),
        cmocka_unit_test(test_a_loop_in_small_units),
        cmocka_unit_test(test_a_loop_without_solution),
        cmocka_unit_test(test_initial_equation_through_pre),
        cmocka_unit_test(test_initial_equation_of_an_active_when_clause),
        cmocka_unit_test(test_initial_equation_of_a_continuous_value),
        cmocka_unit_test(test_initial_equations_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
