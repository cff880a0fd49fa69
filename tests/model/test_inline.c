// SPDX-License-Identifier: MIT
//
// Functions with the annotation Inline: the equations are those of their bodies, with their
// structure and values.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <string.h>

// The tolerance of a run is 1e-6; the solutions here are smooth and short.
static const double rounding = 1e-5;

// A mass on a spring along e, in a frame whose orientation is a record: constraints differentiated
// twice go through both functions. s'' = 9.81 - 10 s, s(0) = 1, s'(0) = 0.
static void constraints_go_through_functions(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M record O Real T[3, 3]; Real w[3]; end O; "
        "function r1 input O R; input Real v[3]; output Real u[3]; algorithm "
        "u := transpose(R.T) * v; annotation(Inline = true); end r1; "
        "function r2 input O R; input Real v[3]; output Real u[3]; algorithm "
        "u := R.T * v; annotation(Inline = true); end r2; "
        "parameter Real n[3] = {0, -1, 0}; final parameter Real e[3] = n / sqrt(n * n); "
        "O R(T = identity(3), w = zeros(3)); Real s(start = 1, fixed = true); "
        "Real v(start = 0, fixed = true), r[3], v0[3], a0[3], f[3]; equation "
        "r = r1(R, e * s); v = der(s); v0 = der(r); a0 = der(v0); "
        "f = r2(R, a0 - {0, -9.81, 0}); -10 * s = e * f; end M;",
        1.0);
    ASSERT_VALUE(t, "s", 0.981 + 0.019 * cos(sqrt(10.0)));
    ASSERT_VALUE(t, "a0[2]", 0.19 * cos(sqrt(10.0)));
    trial_end(t);
}

// Locals that get several values, calls in functions, records: the same with and without.
#define BODY                                                                                       \
    "input Real x; input Real y[2]; output Real z[2]; protected Real a; Real b[2]; algorithm "     \
    "a := x + 1; b := a * y; a := a * b[1]; b[2] := a + g(b[2]); z := {a, b[2]} + y; "

static void values_are_those_of_the_call(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function g input Real u; output Real v; algorithm v := sin(u); "
        "annotation(Inline = true); end g; function f " BODY "annotation(Inline = true); end f; "
        "function h " BODY "end h; Real u[2] = f(time, {time, 2}), v[2] = h(time, {time, 2}); "
        "end M;",
        0.7);
    trial_assert_value(t, "u[1]", trial_value(t, "v[1]"), 1e-14);
    trial_assert_value(t, "u[2]", trial_value(t, "v[2]"), 1e-14);
    trial_assert_value(t, "u[1]", 1.7 * 1.7 * 0.7 + 0.7, 1e-14);
    trial_end(t);
}

// Of a result that depends on noDerivative inputs alone, the annotation knows the derivative: here
// 7, which the body does not tell. Where it depends on others, calculus says what the annotation
// says.
static void derivatives_by_annotation_stay(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function p input Real u[2]; input Real t; output Real s; algorithm s := u[1]; "
        "annotation(Inline = true, derivative(noDerivative = u) = q); end p; "
        "function q input Real u[2]; input Real t; input Real dt; output Real s; algorithm "
        "s := u[2] * dt; end q; Real y = p({3, 7}, time), d = der(y); end M;",
        1.0);
    ASSERT_VALUE(t, "y", 3.0);
    ASSERT_VALUE(t, "d", 7.0);
    trial_end(t);
}

// Calls in calls in calls, forty deep, of a function whose call stays: no level does its work
// twice.
static void depth_takes_no_time(void **state)
{
    (void)state;
    char text[2000] = "model M function f input Real x; input Real k; output Real y; algorithm "
                      "y := x * x + k; annotation(derivative(noDerivative = k) = df); end f; "
                      "function df input Real x; input Real k; input Real dx; output Real y; "
                      "algorithm y := 2 * x * dx; end df; parameter Real p = 0.3; Real y = ";
    double expected = 0.3;
    for (int i = 0; i < 40; i++) {
        strcat(text, "f(");
        expected = expected * expected + 0.1;
    }
    strcat(text, "p");
    for (int i = 0; i < 40; i++)
        strcat(text, ", 0.1)");
    strcat(text, "; end M;");
    Trial *t = trial_run_text(text, 1.0);
    ASSERT_VALUE(t, "y", expected);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_go_through_functions),
        cmocka_unit_test(values_are_those_of_the_call),
        cmocka_unit_test(derivatives_by_annotation_stay),
        cmocka_unit_test(depth_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
