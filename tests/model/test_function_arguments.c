// SPDX-License-Identifier: MIT
//
// Functions as arguments of functions in models that run: in equations, algorithms, when clauses,
// bindings and inside other functions, against closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

static const double rounding = 1e-13;

#define CLOCK "Real s(start = 0, fixed = true); "

// Gauss's formula with two points: exact for polynomials up to degree three.
#define GAUSS                                                                                      \
    "partial function F input Real u; output Real y; end F; "                                      \
    "function gauss input Real a, b; input F f; output Real q; "                                   \
    "protected constant Real r = sqrt(1 / 3); Real m = (a + b) / 2, h = (b - a) / 2; "             \
    "algorithm q := h * (f(m - h * r) + f(m + h * r)); end gauss; "                                \
    "function cubic extends F; input Real k = 1; input Real c[:] = {0}; "                          \
    "algorithm y := k * u ^ 3 + sum(c); end cubic; "

static void everywhere(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " GAUSS CLOCK "parameter Real p = gauss(0, 2, cubic); "
        "parameter Real k = 3; Real a, b, c; discrete Real d(start = 0); "
        "Real i(start = gauss(0, 1, function cubic(k = k)), fixed = true); "
        "equation der(s) = 1; der(i) = 0; a = gauss(0, s, function cubic(k = k)); "
        "b = gauss(0, 1, function cubic(c = {s, 2 * s, p}, k = 0)); "
        "when s > 0.5 then d = gauss(0, s, function cubic(k = 2)); end when; "
        "algorithm c := 0; for n in 1:3 loop c := c + gauss(0, s, function cubic(k = n)); "
        "end for; end M;",
        1.0);
    ASSERT_VALUE(t, "a", 3.0 / 4.0);
    ASSERT_VALUE(t, "b", 3.0 + 4.0);
    ASSERT_VALUE(t, "c", 6.0 / 4.0);
    ASSERT_VALUE(t, "i", 3.0 / 4.0);
    trial_assert_value(t, "d", 2.0 * 0.0625 / 4.0, 1e-9); // the tolerance of the event's time
    trial_end(t);
}

// One function hands its own argument on, bound further; calls itself with it.
static void handed_on(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " GAUSS CLOCK
        "function shifted extends F; input F f; input Real by; algorithm y := f(u + by); "
        "end shifted; "
        "function both input F f; input Real x; output Real q; algorithm "
        "q := gauss(0, x, f) + gauss(0, x, function shifted(f = f, by = -x)); end both; "
        "function repeat input F f; input Integer n; input Real x; output Real y; algorithm "
        "y := if n == 0 then x else f(repeat(f, n - 1, x)); end repeat; "
        "function halved extends F; algorithm y := u / 2; end halved; "
        "Real a, b, c; equation der(s) = 1; a = both(function cubic(k = 4), s); "
        "b = repeat(halved, 5, s); c = repeat(cos, 2, s); end M;",
        1.0);
    ASSERT_VALUE(t, "a", 0.0); // x^4 - x^4
    ASSERT_VALUE(t, "b", 1.0 / 32.0);
    ASSERT_VALUE(t, "c", cos(cos(1.0)));
    trial_end(t);
}

// Newton's method needs derivatives through the arguments and through what they are bound to.
static void differentiated(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " GAUSS CLOCK "Real x(start = 1), k(start = 1), v; "
                              "equation der(s) = 1; gauss(0, x, cubic) = (1 + s) ^ 4 / 4; "
                              "gauss(0, 2, function cubic(k = k)) = 4 * s; der(x) = v; end M;",
                              1.0);
    trial_assert_value(t, "x", 2.0, 1e-8); // a hundredth of the relative tolerance
    trial_assert_value(t, "k", 1.0, 1e-8);
    trial_assert_value(t, "v", 1.0, 1e-8);
    trial_end(t);
}

// The function that is given fails.
static void failures(void **state)
{
    (void)state;
    trial_expect_error("model M " GAUSS CLOCK
                       "function fragile extends F; algorithm assert(u < 0.3, \"too far\"); "
                       "y := u; end fragile; "
                       "Real a; equation der(s) = 1; a = gauss(0, s, fragile); end M;",
                       1.0, "too far");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everywhere),
        cmocka_unit_test(handed_on),
        cmocka_unit_test(differentiated),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
