// SPDX-License-Identifier: MIT
//
// Users' functions in models that run: wherever an expression may stand, with arrays, records,
// several results, loops and recursion; and what happens when one fails. Expected values are closed
// forms; continuous parts are lines, which every solver integrates exactly.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

static const double rounding = 1e-13;

#define CLOCK "Real x(start = 1, fixed = true); "

#define CUBE                                                                                       \
    "function cube input Real x; output Real y; algorithm y := x * x * x; end cube; "              \
    "function factorial input Integer n; output Integer r; algorithm "                             \
    "r := if n <= 1 then 1 else n * factorial(n - 1); end factorial; "

static void everywhere(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CUBE CLOCK "parameter Real p = 2; parameter Real q = cube(p); "
                       "parameter Real s = cube(3); Real y(start = cube(p), fixed = true), z, a; "
                       "Integer n(start = 0, fixed = true); "
                       "initial equation z = cube(0.5); "
                       "equation der(x) = 1; der(y) = 0; der(z) = 0; a = cube(x) + q; "
                       "when cube(x) > 8 then n = factorial(integer(x) + 3); end when; end M;",
                       1.5);
    ASSERT_VALUE(t, "a", 2.5 * 2.5 * 2.5 + 8.0);
    ASSERT_VALUE(t, "y", 8.0);
    ASSERT_VALUE(t, "z", 0.125);
    ASSERT_VALUE(t, "n", 120.0);
    trial_end(t);
}

// A given parameter reaches what a function makes of it.
static void parameters_through_functions(void **state)
{
    (void)state;
    Trial *t = trial_text("model M " CUBE "parameter Real p = 2; parameter Real q = cube(p); "
                          "Real y; equation y = q; end M;");
    trial_parameter(t, "p", 3.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "y", 27.0);
    trial_end(t);
}

// Loops with known bounds, however many rounds they take: their values are no array. 1 + 2 + ... +
// n is n(n + 1)/2, and of every third from n down to 1, n = 3k + 1, (k + 1)(n + 1)/2.
static void long_loops(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function f input Real x; output Real y; algorithm y := 0; "
        "for i in 1:100000 loop y := y + i*x; end for; end f; "
        "function g input Real x; output Real y; algorithm y := 0; "
        "for i in 30001:-3:1 loop y := y + i*x; end for; for i in 5:1 loop y := 0; end for; end g; "
        "Real x = f(time), y = g(time); end M;",
        1.0);
    ASSERT_VALUE(t, "x", 5000050000.0);
    ASSERT_VALUE(t, "y", 10001.0 * 30002.0 / 2.0);
    trial_end(t);
}

static void several_results(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function split input Real x, y; output Real s, d; output Real v[2]; "
        "algorithm s := x + y; d := x - y; v := {x, y}; end split; " CLOCK
        "Real s, d, v[2], e, w[2]; discrete Real a(start = 0), b(start = 0); "
        "equation der(x) = 1; (s, d, v) = split(x, 2); (, e) = split(2, x); "
        "w = {{1, 2}, {3, 4}} * v; "
        "when x > 1.5 then (a, b) = split(x, 1); end when; end M;",
        1.0);
    ASSERT_VALUE(t, "s", 4.0);
    ASSERT_VALUE(t, "d", 0.0);
    ASSERT_VALUE(t, "v[2]", 2.0);
    ASSERT_VALUE(t, "e", 0.0);
    ASSERT_VALUE(t, "w[2]", 14.0);
    ASSERT_VALUE(t, "a", 2.5);
    ASSERT_VALUE(t, "b", 0.5);
    trial_end(t);
}

// The results of a call as unknowns of an implicit equation: the function is differentiated.
static void inside_loops_of_equations(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " CUBE CLOCK "Real y(start = 1); "
                              "equation der(x) = 1; cube(y) + y = cube(x) + x; end M;",
                              1.0);
    ASSERT_VALUE(t, "y", 2.0);
    trial_end(t);
}

static void arrays_and_records(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M record R Real a; Real b[2]; end R; "
        "function make input Real s; output R r; algorithm "
        "r.a := s; r.b := {s, 2 * s}; end make; "
        "function total input R r; input Real k = 10; output Real t; algorithm "
        "t := r.a + k * sum(r.b); end total; "
        "function norm2 input Real v[:]; output Real n; algorithm n := 0; "
        "for i in 1:size(v, 1) loop n := n + v[i] ^ 2; end for; end norm2; " CLOCK
        "R r; Real t, u, n2, n3; equation der(x) = 1; r = make(x); t = total(r); "
        "u = total(k = 1, r = make(2 * x)); n2 = norm2({x, 2}); n3 = norm2({x, x, x}); "
        "end M;",
        1.0);
    ASSERT_VALUE(t, "r.b[2]", 4.0);
    ASSERT_VALUE(t, "t", 2.0 + 10.0 * 6.0);
    ASSERT_VALUE(t, "u", 4.0 + 12.0);
    ASSERT_VALUE(t, "n2", 8.0);
    ASSERT_VALUE(t, "n3", 12.0);
    trial_end(t);
}

static void loops_in_functions(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M function root input Real a; output Real x; protected Real d; "
                       "algorithm x := a; while true loop d := (x ^ 2 - a) / (2 * x); x := x - d; "
                       "if abs(d) < 1e-15 * x then break; end if; end while; end root; "
                       "function firstAbove input Real v[:]; input Real bound; output Integer i; "
                       "algorithm for k in 1:size(v, 1) loop i := k; if v[k] > bound then return; "
                       "end if; end for; i := 0; end firstAbove; " CLOCK
                       "Real r, i; Integer none; equation der(x) = 1; r = root(x); "
                       "i = firstAbove({1, 1.75, 3, 4}, x); "
                       "none = firstAbove({1, 2}, 5); end M;",
                       1.0);
    ASSERT_VALUE(t, "r", sqrt(2.0));
    ASSERT_VALUE(t, "i", 3.0);
    ASSERT_VALUE(t, "none", 0.0);
    trial_end(t);
}

// Which function failed, in which line, why.
static void failures(void **state)
{
    (void)state;
    trial_expect_error("model M\nfunction f input Real x; output Real y; algorithm\n"
                       "assert(x < 1.5, \"too large: \" + String(x)); y := x; end f;\n" CLOCK
                       "equation der(x) = f(x); end M;",
                       2.0, "line 3): too large: 1.5");
    trial_expect_error(
        "model M\nfunction f input Real v[:]; input Integer i; output Real y; algorithm\n"
        "y := v[i]; end f;\n" CLOCK
        "Real y; equation der(x) = 1; y = f({1, 2}, integer(x)); end M;",
        3.0, "line 3): a subscript of v is out of bounds");
    trial_expect_error("model M\nfunction f input Real x; output Real y; algorithm y := x;\n"
                       "while y > 0 loop y := y + 1; end while; end f;\n" CLOCK
                       "equation der(x) = f(x); end M;",
                       2.0, "line 3): a loop does not end");
    trial_expect_error("model M function f input Real x; output Real y; algorithm y := f(x + 1); "
                       "end f; " CLOCK "equation der(x) = f(x); end M;",
                       2.0, "function M.f calls itself without end");
}

// The failure of a parameter's binding names the parameter.
static void failing_parameters(void **state)
{
    (void)state;
    Trial *t = trial_text("model M function f input Real x; output Real y; algorithm "
                          "assert(x < 1, \"no\"); y := x; end f; parameter Real a = 0; "
                          "parameter Real p = f(a); Real x; equation x = p; end M;");
    const Parameters list = model_list_parameters(trial_model(t));
    assert_int_equal(list.count, 2);
    double p[2];
    SaltusError error;
    assert_int_equal(model_find_parameters(trial_model(t), NULL, 0, p, &error), SALTUS_OK);
    const ParameterValue given = {0, 2.0};
    assert_true(model_find_parameters(trial_model(t), &given, 1, p, &error) < 0);
    assert_non_null(strstr(error.message, "parameter p has no value: in function M.f"));
    saltus_error_clear(&error);
    trial_end(t);
}

#define MODES                                                                                      \
    "function scale input Real x; input String mode = \"linear\"; output Real y; "                 \
    "protected String full = \"mode \" + mode; algorithm if mode == \"linear\" then y := 2 * x; "  \
    "elseif full >= \"mode cubic\" and full <> \"mode z\" then y := x ^ 3; "                       \
    "else assert(false, \"there is no \" + full); y := 0; end if; end scale; "

// Strings that are known before the run: as arguments, in records and arrays, compared, joined.
static void strings(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " MODES "record R String name = \"square\"; Real k = 2; end R; "
        "function apply input R r; input Real x; output Real y; algorithm "
        "y := r.k * (if r.name == \"square\" then x ^ 2 else x); end apply; "
        "function count input Real x; input String names[:]; output Real n; algorithm n := x; "
        "for s in names loop if s == \"b\" then n := n + 1; end if; end for; end count; " CLOCK
        "parameter String m = \"cubic\"; parameter R r; Real a, b, c, d, e; "
        "equation der(x) = 1; a = scale(x); b = scale(x, m); c = apply(r, x); "
        "d = apply(R(name = \"line\", k = 3), x); e = count(x, {\"a\", \"b\", \"b\"}); end M;",
        1.0);
    ASSERT_VALUE(t, "a", 4.0);
    ASSERT_VALUE(t, "b", 8.0);
    ASSERT_VALUE(t, "c", 8.0);
    ASSERT_VALUE(t, "d", 6.0);
    ASSERT_VALUE(t, "e", 4.0);
    trial_end(t);
    trial_expect_error("model M " MODES "Real y = scale(time, \"z\"); end M;", 1.0,
                       "there is no mode z");
}

// Strings that change in the run can be assigned, returned and compared for equality.
static void strings_that_change(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function name input Real x; output String s; algorithm "
        "s := if x > 1.5 then \"late\" else \"early\"; end name; "
        "function value input Real x; output Real y; protected String s; algorithm s := name(x); "
        "y := if s == \"late\" then 10 else 20; end value; " CLOCK
        "Real a, b, c; equation der(x) = 1; a = value(x); b = value(x - 1); "
        "c = if name(x) <> \"early\" then 5 else 6; end M;",
        1.0);
    ASSERT_VALUE(t, "a", 10.0);
    ASSERT_VALUE(t, "b", 20.0);
    ASSERT_VALUE(t, "c", 5.0);
    trial_end(t);
}

static void strings_that_cannot_be(void **state)
{
    (void)state;
    trial_expect_refusal("model M function f input Real x; output Real y; protected String s; "
                         "algorithm s := if x > 1 then \"a\" else \"b\"; "
                         "y := if s < \"b\" then 1 else 2; end f; Real y = f(time); end M;",
                         "a String that is not known before the run cannot be used");
    trial_expect_refusal("model M function f input Real x; output Real y; "
                         "algorithm y := if String(x) == \"b\" then 1 else 2; end f; "
                         "Real y = f(time); end M;",
                         "a String that is not known before the run cannot be used");
#define ENDLESS(more)                                                                              \
    "model M function f input Real x; input String s; output Real y; algorithm "                   \
    "y := if x > 3 then x else f(x + 1, s + " more "); end f; Real y = f(time, \"ab\"); end M;"
    trial_expect_refusal(ENDLESS("s"), "a String becomes longer than 10000 characters");
    trial_expect_refusal(ENDLESS("\"a\""), "more than 200 different sizes or Strings");
}

// Members of an output begin with what its modifiers or, as literals, their declarations say.
static void members_have_values_of_their_own(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  record R Real x = 3; Real y; Real z; end R;\n"
                              "  function f input Real u, w; output R r(y = 2 * u, z = w);\n"
                              "  algorithm if u > 0.5 then r.x := 5; end if; end f;\n"
                              "  R r = f(time, 7); parameter R p = f(0.25, 8);\n"
                              "  Real a = p.x, b = p.y, c = p.z;\n"
                              "end M;",
                              1.0);
    assert_true(trial_value_at(t, "r.x", 0) == 3.0);
    assert_true(trial_value(t, "r.x") == 5.0 && trial_value(t, "r.y") == 2.0);
    assert_true(trial_value(t, "r.z") == 7.0 && trial_value(t, "a") == 3.0);
    assert_true(trial_value(t, "b") == 0.5 && trial_value(t, "c") == 8.0);
    trial_end(t);
    // a record that is declared before everything else
    t = trial_run_text("model M\n"
                       "  record R Real x = 3; Real y; end R;\n"
                       "  function f output R r(y = 2 * u); input Real u;\n"
                       "  algorithm if u > 0.5 then r.x := 5; end if; end f;\n"
                       "  R r = f(time);\n"
                       "end M;",
                       1.0);
    assert_true(trial_value_at(t, "r.x", 0) == 3.0);
    assert_true(trial_value(t, "r.x") == 5.0 && trial_value(t, "r.y") == 2.0);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everywhere),
        cmocka_unit_test(parameters_through_functions),
        cmocka_unit_test(long_loops),
        cmocka_unit_test(several_results),
        cmocka_unit_test(inside_loops_of_equations),
        cmocka_unit_test(arrays_and_records),
        cmocka_unit_test(loops_in_functions),
        cmocka_unit_test(failures),
        cmocka_unit_test(failing_parameters),
        cmocka_unit_test(strings),
        cmocka_unit_test(strings_that_change),
        cmocka_unit_test(strings_that_cannot_be),
        cmocka_unit_test(members_have_values_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
