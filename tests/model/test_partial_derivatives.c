// SPDX-License-Identifier: MIT
//
// function g = der(f, x, ...) in models that run, against closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

static const double rounding = 1e-13;

#define CLOCK "Real s(start = 1, fixed = true); "

// g = c1 p^2 t^3 + (c2 + c3 + ...) sin(p T) with t = T / 10
#define GIBBS                                                                                      \
    "function gibbs input Real p, T; input Real c[:] = {1, 2}; output Real g; "                    \
    "protected Real t = T / 10; algorithm g := c[1] * p ^ 2 * t ^ 3; "                             \
    "for i in 2:size(c, 1) loop g := g + c[i] * sin(p * T); end for; end gibbs; "                  \
    "function gibbs_pT = der(gibbs, p, T); function gibbs_Tp = der(gibbs_T, p); "                  \
    "function gibbs_T = der(gibbs, T); function gibbs_p = der(gibbs, p); "

static void once_and_twice(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " GIBBS CLOCK "parameter Real q = gibbs_p(2, 3); Real a, b, c, d, e; "
        "equation der(s) = 1; a = gibbs_p(s, s + 1); b = gibbs_pT(s, s + 1); "
        "c = gibbs_Tp(s, s + 1); d = gibbs_T(s, s + 1, {1, 2, 3}); e = q; end M;",
        1.0);
    const double p = 2.0, T = 3.0;
    const double by_p = 2.0 * p * 0.027 + 2.0 * T * cos(p * T);
    const double by_both =
        2.0 * p * 3.0 * 0.09 / 10.0 + 2.0 * cos(p * T) - 2.0 * p * T * sin(p * T);
    ASSERT_VALUE(t, "a", by_p);
    ASSERT_VALUE(t, "b", by_both);
    ASSERT_VALUE(t, "c", by_both);
    ASSERT_VALUE(t, "d", p * p * 3.0 * 0.09 / 10.0 + 5.0 * p * cos(p * T));
    ASSERT_VALUE(t, "e", by_p);
    trial_end(t);
}

// The derivative is differentiated again: by Newton's method, and by time.
static void differentiated_again(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M function f input Real x; output Real y; algorithm "
                              "y := x ^ 4; end f; function f1 = der(f, x); " CLOCK
                              "Real x(start = 1), v, w; equation der(s) = 1; "
                              "f1(x) = 4 * s ^ 3; der(x) = v; w = der(f1(s)); end M;",
                              1.0);
    trial_assert_value(t, "x", 2.0, 1e-8); // a hundredth of the relative tolerance
    trial_assert_value(t, "v", 1.0, 1e-8);
    ASSERT_VALUE(t, "w", 12.0 * 4.0);
    trial_end(t);
}

// The derivative of an expression with a call by time, before anything else calls the function.
static void by_time(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M function cube input Real x; output Real y; algorithm "
                              "y := x * x * x; end cube; " CLOCK
                              "Real a; equation der(s) = 1; a = der(cube(2 * s)); end M;",
                              1.0);
    ASSERT_VALUE(t, "a", 6.0 * 16.0);
    trial_end(t);
}

// Arrays and several results, whose size depends on an input and on what is protected.
static void arrays_and_results(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function powers input Real x; input Integer n; output Real v[m]; "
        "output Real w = x ^ 3; protected parameter Integer m = n; algorithm "
        "for i in 1:n loop v[i] := x ^ i; end for; end powers; "
        "function slopes = der(powers, x); " CLOCK
        "Real v[3], u[2], w; equation der(s) = 1; v = slopes(s, 3); (u, w) = slopes(2 * s, 2); "
        "end M;",
        1.0);
    ASSERT_VALUE(t, "v[1]", 1.0);
    ASSERT_VALUE(t, "v[3]", 12.0);
    ASSERT_VALUE(t, "u[2]", 8.0);
    ASSERT_VALUE(t, "w", 48.0);
    trial_end(t);
}

// A function that calls a derivative is differentiated; the annotation 'derivative' is used; a
// derivative is an argument of a function.
static void together_with_other_functions(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M partial function F input Real u; output Real y; end F; "
        "function square extends F; input Real a = 0; algorithm y := u ^ 2 - a; end square; "
        "function slope = der(square, u); "
        "function outer_ extends F; algorithm y := u * slope(u); end outer_; "
        "function outer_slope = der(outer_, u); "
        "function newton input F f, df; input Real u0; output Real u; algorithm u := u0; "
        "for i in 1:10 loop u := u - f(u) / df(u); end for; end newton; "
        "function known extends F; algorithm y := 0; annotation(derivative = known_der); "
        "end known; "
        "function known_der input Real u, du; output Real dy; algorithm dy := 7 * du; "
        "end known_der; function known_slope = der(known, u); " CLOCK
        "Real a, b, c; equation der(s) = 1; a = outer_slope(s); "
        "b = newton(function square(a = s), function slope(a = s), 1); c = known_slope(s); "
        "end M;",
        1.0);
    ASSERT_VALUE(t, "a", 8.0); // (2 u^2)' at 2
    ASSERT_VALUE(t, "b", sqrt(2.0));
    ASSERT_VALUE(t, "c", 7.0);
    trial_end(t);
}

static void what_has_none(void **state)
{
    (void)state;
    trial_expect_refusal("model M function f input Real x; output Real y; algorithm "
                         "y := x * g(x); end f; function g = der(f, x); "
                         "Real y = f(time); end M;",
                         "'M.f' cannot be differentiated by 'x': it depends on its own derivative");
    trial_expect_refusal("model M impure function dice input Real x; output Real y; algorithm "
                         "y := x; end dice; function f input Real x; output Real y; algorithm "
                         "y := dice(x); end f; function g = der(f, x); Real y = g(time); end M;",
                         "'M.f' cannot be differentiated by 'x': an impure function");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_and_twice),
        cmocka_unit_test(differentiated_again),
        cmocka_unit_test(by_time),
        cmocka_unit_test(arrays_and_results),
        cmocka_unit_test(together_with_other_functions),
        cmocka_unit_test(what_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
