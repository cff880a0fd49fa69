// SPDX-License-Identifier: MIT
//
// Variables of functions: records begin with what their members declare, also by modifications of
// base classes and with sizes that depend on members; Strings are put together for messages.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

// Sums of small whole numbers.
static const double rounding = 1e-14;

#define RECORDS                                                                                    \
    "record R parameter Real x = 3; Real z = 2 * x; Real y; end R; "                               \
    "record S extends R(x = 4); end S; "                                                           \
    "record B parameter Integer n; parameter Real a[n]; end B; "                                   \
    "record C extends B(n = 3, a = {1, 2, 3}); end C; "                                            \
    "function f input Real u; output Real y; protected R r; S s; "                                 \
    "  algorithm y := r.x * u + s.x; end f; "                                                      \
    "function g input Real u; output Real y; protected C r; "                                      \
    "  algorithm y := r.a[3] * u + r.n; end g; "                                                   \
    "function h input Real u; output Real y; protected R r(x = 7 * u); "                           \
    "  algorithm y := r.x + r.z; end h; "                                                          \
    "function k input Real u; output Real y; protected C c(n = 2, a = {5, 6}); "                   \
    "  algorithm y := c.a[2] * u + size(c.a, 1); end k; "

// When the model runs, and when a constant is computed before.
static void members_of_records_have_their_values(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " RECORDS "Real a = f(time), b = g(time), c = h(time), "
                              "d = k(time); Real e = f(1) + 0 * time; constant Real x = f(1); "
                              "constant Real y = g(1); constant Real z = k(1); "
                              "Real v[3] = {x, y, z} * time; end M;",
                              1.0);
    ASSERT_VALUE(t, "a", 3.0 + 4.0);
    ASSERT_VALUE(t, "b", 3.0 + 3.0);
    ASSERT_VALUE(t, "c", 7.0 + 14.0);
    ASSERT_VALUE(t, "d", 6.0 + 2.0);
    ASSERT_VALUE(t, "v[1]", 7.0);
    ASSERT_VALUE(t, "v[2]", 6.0);
    ASSERT_VALUE(t, "v[3]", 8.0);
    trial_end(t);
}

#define ARRAYS                                                                                     \
    "record C Real a[3] = {1, 2, 3}; Real z = 9; Real m[2, 2] = {{1, 2}, {3, 4}}; Real w = 8; "    \
    "end C; "                                                                                      \
    "function f input Integer i; output Real y; protected C r; "                                   \
    "  algorithm y := 10 * r.a[i] + r.m[2, if i > 1 then 2 else 1]; end f; "                       \
    "function g input Integer i; output Real y; protected C r; algorithm y := r.a[i]; end g; "     \
    "function h input Integer i; output Real y; protected C r; algorithm y := r.m[1, i]; end h; "  \
    "function k input Integer i; output Real y; "                                                  \
    "  protected Real c[9] = {11, 12, 13, 14, 15, 16, 17, 18, 19}; algorithm y := c[i]; end k; "

// The value of another variable may use the record.
static void records_come_before_what_uses_them(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M record R Real x; Real y = 2; end R; "
        "function g input R r; output Real y; algorithm y := 10 * r.x + r.y; end g; "
        "function f input Real u; output Real y; protected Real z = g(r); R r(x = u); "
        "algorithm y := z; end f; Real y = f(time); constant Real c = f(3); Real d = c * time; "
        "end M;",
        1.0);
    ASSERT_VALUE(t, "y", 12.0);
    ASSERT_VALUE(t, "d", 32.0);
    trial_end(t);
}

// Elements whose place is found when the function runs, of members and of constants; there is
// nothing behind the last one, whatever member follows.
static void subscripts_stay_in_their_member(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " ARRAYS "parameter Integer n[9] = 1:9; "
                              "Integer i = if time > 0.5 then 3 else 1; "
                              "Real y = f(i), z[9] = {k(n[j] + i - i) for j in 1:9}; end M;",
                              1.0);
    ASSERT_VALUE(t, "y", 34.0);
    ASSERT_VALUE(t, "z[1]", 11.0);
    ASSERT_VALUE(t, "z[5]", 15.0);
    ASSERT_VALUE(t, "z[9]", 19.0);
    trial_end(t);
    trial_expect_error("model M " ARRAYS "Real y = g(integer(5 * time) + 1); end M;", 1.0,
                       "a subscript is out of bounds");
    trial_expect_error("model M " ARRAYS "Real y = g(1 - integer(5 * time)); end M;", 1.0,
                       "a subscript is out of bounds");
    trial_expect_error("model M " ARRAYS "Real y = h(integer(5 * time) + 1); end M;", 1.0,
                       "out of bounds");
    trial_expect_error("model M " ARRAYS "Real y = k(integer(9 * time) + 1); end M;", 1.1,
                       "a subscript of c is out of bounds");
}

#define FAILING                                                                                    \
    "function fail input String s; output Real y; algorithm assert(false, s); y := 0; end fail; "  \
    "function f input Real u; output Real y; protected String s; algorithm s := \"u = \"; "        \
    "  y := if u > 0.5 then fail(s + String(u) + \" is too large\") else u; end f; "

// What is not known before the run stands in a message as it is written.
static void messages_may_hold_anything(void **state)
{
    (void)state;
    trial_expect_error("model M " FAILING "Real x = f(time); end M;", 1.0,
                       "String(u) is too large");
    Trial *t = trial_run_text("model M " FAILING "Real x = f(time); end M;", 0.25);
    ASSERT_VALUE(t, "x", 0.25);
    trial_end(t);
}

// But nothing may depend on such a text.
static void texts_of_a_run_are_not_compared(void **state)
{
    (void)state;
    trial_expect_refusal("model M function f input Real u; output Real y; protected String s; "
                         "algorithm s := \"u = \" + String(u); "
                         "y := if s == \"u = 0\" then 1 else 2; end f; Real x = f(time); end M;",
                         "cannot be used where Strings are compared");
}

// An array without sizes has those of what is assigned to it first.
static void arrays_are_sized_by_what_they_are_assigned(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function g input Real u; output Real y[:]; protected Real a; "
        "algorithm a := 2 * u; y := {a, a + 1, u}; y[2] := y[2] + 1; end g; "
        "function two input Real u; output Real y[2], z; algorithm y := {u, 2 * u}; z := u; end "
        "two; "
        "function f input Real u; output Real s; protected Real x[:], v[:], w; "
        "algorithm x := g(u); (v, w) := two(u); "
        "s := x[1] + 10 * x[2] + 100 * x[3] + 1000 * size(x, 1) + 10000 * size(v, 1) + v[2] * w; "
        "end f; Real y = f(time); end M;",
        1.0);
    ASSERT_VALUE(t, "y", 2.0 + 40.0 + 100.0 + 3000.0 + 20000.0 + 2.0);
    trial_end(t);
    trial_expect_refusal("model M function f input Real u; output Real s; protected Real x[:]; "
                         "algorithm x := {u, u}; x := {u}; s := x[1]; end f; "
                         "Real y = f(time); end M;",
                         "another size");
    trial_expect_refusal("model M function f input Real u; output Real s; protected Real x[:, :]; "
                         "algorithm x := [u, 1, u; 2, u, 3]; x := transpose(x); s := x[1, 2]; "
                         "end f; Real y = f(time); end M;",
                         "another size");
    trial_expect_refusal("model M function f input Real u[:]; output Real s; "
                         "protected Real x[:, size(u, 1)]; "
                         "algorithm x := [u, u, u]; s := x[1, 2]; end f; "
                         "Real y = f({time, time}); end M;",
                         "another size");
    trial_expect_refusal("model M function f input Real u; output Real s; protected Real x[:]; "
                         "algorithm s := x[1]; x := {u}; end f; Real y = f(time); end M;",
                         "'x' has no size yet");
    trial_expect_refusal("model M function f input Real u; output Real x[:]; "
                         "algorithm x[1] := u; end f; function k input Real u; output Real s; "
                         "algorithm s := sum(f(u)); end k; Real y = k(time); end M;",
                         "the size of 'x' must be known");
    trial_expect_refusal("model M function f input Real u; output Real x[:]; "
                         "algorithm x := f(u - 1); end f; function k input Real u; output Real s; "
                         "algorithm s := sum(f(u)); end k; Real y = k(time); end M;",
                         "the size of 'x' must be known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_of_records_have_their_values),
        cmocka_unit_test(records_come_before_what_uses_them),
        cmocka_unit_test(subscripts_stay_in_their_member),
        cmocka_unit_test(messages_may_hold_anything),
        cmocka_unit_test(texts_of_a_run_are_not_compared),
        cmocka_unit_test(arrays_are_sized_by_what_they_are_assigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
