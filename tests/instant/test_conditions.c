// SPDX-License-Identifier: MIT
//
// Conditions: functions that rest at zero and leave it, that jump, that meet the edge of where the
// equations are defined, several at one instant; loops through `when`. Closed forms.

#include "instant/example.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const Example conditions[] = {
    // y is never negative
    {.name = "maximum that rests at zero",
     .text =
         "model M Real u(start = 0.63, fixed = true), v(start = 0, fixed = true), y = max(0, u);\n"
         "equation der(u) = -1; der(v) = if y < 0 then 1 else 0; end M;\n",
     .values = {{"v", 0.0}}},
    // from 0.26 on
    {.name = "minimum that leaves zero",
     .text =
         "model M Real u(start = 0.13, fixed = true), v(start = 0, fixed = true), y = min(0, u);\n"
         "equation der(u) = -0.5; der(v) = if y < 0 then 1 else 0; end M;\n",
     .stop_time = 2.0,
     .values = {{"v", 1.74}}},
    {.name = "function that leaves rest",
     .text = "model M Integer n(start = 0, fixed = true); Real y = noEvent(max(0, time - 0.537));\n"
             "equation when y > 0 then n = pre(n) + 1; end when; end M;\n",
     .values = {{"n", 1.0}},
     .events = 1},
    // up for 0.4, rest, down for 0.4
    {.name = "dead zone",
     .text =
         "model M\n"
         "function zone input Real u; output Real y;\n"
         "algorithm y := if u > 0.1 then u - 0.1 elseif u < -0.1 then u + 0.1 else 0; end zone;\n"
         "Real u(start = 0.5, fixed = true), v(start = 0, fixed = true), y = zone(u);\n"
         "equation der(u) = -1; der(v) = if y < 0 then -1 elseif y > 0 then 1 else 0; end M;\n",
     .values = {{"v", 0.0}}},
    {.name = "relation on a value that jumps with noEvent",
     .text = "model M discrete Real n(start = 0, fixed = true); Real y, x(start = 0, fixed = "
             "true); Boolean b;\n"
             "equation when time >= 2 then n = pre(n) + 1; end when;\n"
             "y = noEvent(if time >= 2 then 1 else 0); b = y >= 0.5; der(x) = if b then 1 else 0; "
             "end M;\n",
     .stop_time = 10.0,
     .values = {{"b", 1.0}, {"x", 8.0}}},
    {.name = "relation on a table that jumps",
     .text = "model M\n"
             "function step input Real t, next; output Real y;\n"
             "algorithm y := if t >= 4 and next > 4 then 0 elseif t >= 2 and next > 2 then 1 else "
             "0; end step;\n"
             "discrete Real next(start = 0, fixed = true); Real y, x(start = 0, fixed = true); "
             "Boolean b;\n"
             "equation\n"
             "when {time >= pre(next), initial()} then next = if time < 2 then 2 elseif time < 4 "
             "then 4 else 100; end when;\n"
             "y = step(time, next); b = y >= 0.5; der(x) = if b then 1 else 0; end M;\n",
     .stop_time = 10.0,
     .values = {{"b", 0.0}, {"x", 2.0}}},
    // at pi/2 and 5 pi/2
    {.name = "condition on a derivative",
     .text = "model M Real x(start = 0, fixed = true), y; Integer n(start = 0, fixed = true);\n"
             "equation der(x) = 1; y = 2*sin(x); when der(y) < 0 then n = pre(n) + 1; end when; "
             "end M;\n",
     .stop_time = 10.0,
     .values = {{"n", 2.0}}},
    {.name = "sample is true at an instant only",
     .text = "model M Boolean b; Real x(start = 0, fixed = true);\n"
             "equation b = sample(0.5, 1); der(x) = if b then 1 else 0; end M;\n",
     .stop_time = 3.0,
     .values = {{"x", 0.0}, {"b", 0.0}}},
    // x = 2 + t, y = 3 - t at the sample 0.8
    {.name = "loop through when",
     .text = "model M Real x, y; equation when sample(0, 0.2) then y = 7 - 2*x + time; end when; x "
             "+ y = 5; end M;\n",
     .stop_time = 0.9,
     .values = {{"x", 2.8}, {"y", 2.2}}},
    // h = (1 - 0.4 t)^2, empty at 2.5: with the error 1e-9, 1e-4 before or after
    {.name = "tank that runs empty",
     .text =
         "model M Real h(start = 1, fixed = true), q; Boolean empty(start = false, fixed = true);\n"
         "equation q = 0.8*sqrt(h); if empty then h = 0; else der(h) = -q; end if;\n"
         "when h <= 0 then empty = true; end when; end M;\n",
     .stop_time = 5.0,
     .values = {{"h", 0.0}, {"empty", 1.0}},
     .bound = 1e-5,
     .apart = 1e-4},
    // The equation has no solution at 1.9, only up to it: the time event begins just before.
    // x is the integral of q up to 1.9, by Simpson's rule
    {.name = "mode that ends at the edge of its equations",
     .text = "model M Real w = if time < 1.9 then 2*(1.9 - time) else 0;\n"
             "Real q(start = 0.1), y(start = 1, fixed = true), x(start = 0, fixed = true);\n"
             "equation if noEvent(abs(w) < 1e-60) then y = 2; q = 0;\n"
             "else der(y) = -1; q*q*q + q = sin(w)/w; end if; der(x) = q; end M;\n",
     .stop_time = 3.0,
     .values = {{"x", 0.6726883870385373}, {"y", 2.0}, {"q", 0.0}},
     .events = 1},
    // The same within one mode: q jumps without an event, at the end of all steps that lead there.
    {.name = "jump that no event announces",
     .text = "model M Real w = if time < 1.9 then 2*(1.9 - time) else 0;\n"
             "Real q(start = 0.1), x(start = 0, fixed = true);\n"
             "equation if noEvent(abs(w) < 1e-60) then q = 0; else q*q*q + q = sin(w)/w; end if;\n"
             "der(x) = q; end M;\n",
     .stop_time = 3.0,
     .values = {{"x", 0.6726883870385373}, {"q", 0.0}},
     .apart = 1e-3},
    // three tenths are not 0.3 in binary numbers, but one instant: b = a = 4, 7, 10
    {.name = "samples that are apart by rounding",
     .text = "model M Integer a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
             "Integer c(start = 0, fixed = true), s(start = 0, fixed = true); equation\n"
             "when sample(0, 0.1) then a = pre(a) + 1; end when;\n"
             "when sample(0, 0.3) then b = a; s = pre(s) + b; end when;\n"
             "when {time >= 0.3, time >= 3*0.1} then c = pre(c) + 1; end when; end M;\n",
     .values = {{"a", 11.0}, {"b", 10.0}, {"s", 22.0}, {"c", 1.0}},
     .events = 10},
    // from 1 on there is none
    {.name = "equation that loses its solution",
     .text = "model M Real x(start = 1); equation abs(x) = 1 - time; end M;\n",
     .stop_time = 2.0,
     .refusal = "'x >= 0.0' (line 1) chatter"},
    // 5 for two thirds of each period, 5 for the other third
    {.name = "two switches by modulo",
     .text = "model M parameter Real T = 0.178794718127733, f = 1.8702513252829538;\n"
             "Boolean a = mod(f*time - 2*T/3, T) < T/3, b = mod(f*time, T) < 2*T/3;\n"
             "Real q(start = 0, fixed = true), p(start = 0, fixed = true), u, i, v, j;\n"
             "equation u + 2*i = 10; der(q) = i; v + 2*j = 10; der(p) = j;\n"
             "if a then u = 0; else i = 0; end if; if b then v = 0; else j = 0; end if; end M;\n",
     .stop_time = 1.9,
     .values = {{"p", 6.373286688289797}, {"q", 3.126713311710203}}},
    // ten times 0.04 at 5
    {.name = "switch by modulo",
     .text = "model M Boolean on = mod(time, 0.1) < 0.04; Real q(start = 0, fixed = true), u, i;\n"
             "Integer n(start = 0, fixed = true);\n"
             "equation u + 2*i = 10; der(q) = i; if on then u = 0; else i = 0; end if;\n"
             "when on then n = pre(n) + 1; end when; end M;\n",
     .stop_time = 0.99,
     .values = {{"q", 2.0}, {"n", 9.0}}},
    // from 2 on both exits are true for ever
    {.name = "endless cascade",
     .text = "model M\n"
             "model S Real t(start = 0); equation der(t) = 1; end S;\n"
             "S a, b;\n"
             "equation initialState(a); transition(a, b, a.t > 0.8, reset = false);\n"
             "transition(b, a, b.t > 1.2, reset = false); end M;\n",
     .stop_time = 6.0,
     .refusal = "transitions go on without end"},
    {.name = "coefficient that takes the state away",
     .text = "model M Real x(start = 1, fixed = true); equation (if time < 1 then 1 else 0)*der(x) "
             "+ x = 3; end M;\n",
     .stop_time = 2.0,
     .values = {{"x", 3.0}}},
    // x = 2 at 2, then 2 x' = y - x: x = y - 2 + 2 exp(-(t - 2)/2)
    {.name = "coefficient that gives the state back",
     .text = "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); equation\n"
             "der(y) = 1; y - x = der(x)*(if time < 1 then 1 elseif time < 2 then 0 else 2);\n"
             "end M;\n",
     .stop_time = 3.0,
     .values = {{"x", 2.2130613194252668}, {"y", 3.0}},
     .events = 2},
    // at (2 pi k - 1) / 199.719
    {.name = "many crossings from the first steps on",
     .text = "model M Real s(start = 0, fixed = true); Integer n(start = 0, fixed = true);\n"
             "equation der(s) = 1; when sin(199.719*s + 1) > 0 then n = pre(n) + 1; end when;\n"
             "end M;\n",
     .stop_time = 1.0,
     .values = {{"n", 31.0}}},
    {.name = "crossings that touch the grid",
     .text = "model M Real s(start = 0, fixed = true); Integer n(start = 0, fixed = true);\n"
             "equation der(s) = 1;\n"
             "when {(s - 5)*(s - 5.05)*(s - 5.1) > 0, (s - 5)*(s - 5.05)*(s - 5.1) < 0} then n = "
             "pre(n) + 1; end when; end M;\n",
     .stop_time = 10.0,
     .values = {{"n", 3.0}},
     .events = 3},
    {.name = "discrete equations in any order",
     .text = "model M Boolean a = time > 0.5, b, c; equation b = c; a = b; end M;\n",
     .values = {{"b", 1.0}, {"c", 1.0}}},
    {.name = "integer equations in any order",
     .text = "model M Integer a = if time > 0.5 then 1 else 0; Integer b, c; equation b = c; a = "
             "b; end M;\n",
     .values = {{"b", 1.0}, {"c", 1.0}}},
    {.name = "negated equation",
     .text = "model M Boolean a = time > 0.5, b; equation a = not b; end M;\n",
     .values = {{"b", 0.0}}},
    {.name = "linear integer equation",
     .text =
         "model M Integer a = if time > 0.5 then 1 else 0; Integer b; equation a = b + 1; end M;\n",
     .values = {{"b", 0.0}}},
    {.name = "discrete reals in any order",
     .text = "model M discrete Real a, b, c; equation when time > 0.5 then a = 3*time; end when; b "
             "= c; a = b; end M;\n",
     .values = {{"b", 1.5}, {"c", 1.5}}},
    {.name = "integers beyond 2^53",
     .text = "model M Integer a = 9007199254740993, d; equation d = a - 9007199254740992; end M;\n",
     .values = {{"d", 1.0}},
     .is_open = true,
     .today = TODAY_REFUSED},
    // 10^36
    {.name = "integer that overflows",
     .text = "model M Integer n(start = 1, fixed = true);\n"
             "equation when sample(0.1, 0.1) then n = pre(n)*10000; end when; end M;\n",
     .refusal = "Integer overflow in pre(n) * 10000"},
    {.name = "first of two conditions of when",
     .text = "model M Integer n(start = 0, fixed = true), m(start = 0, fixed = true);\n"
             "equation when time > 0.5 then n = 1; elsewhen time > 0.5 then n = 2; end when;\n"
             "when time > 0.3 then m = 1; elsewhen time > 0.7 then m = 2; end when; end M;\n",
     .values = {{"n", 1.0}, {"m", 2.0}}},
    // its bounces accumulate at 2.5587; then it rests. Those of the last millisecond count as one.
    {.name = "ball that comes to rest",
     .text = "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
             "Boolean flying(start = true, fixed = true), impact; discrete Real new(start = 0, "
             "fixed = true);\n"
             "equation impact = h <= 0; der(h) = v; der(v) = if flying then -9.81 else 0;\n"
             "when {h <= 0 and v <= 0, impact} then\n"
             "new = if edge(impact) then -0.7*pre(v) else 0; flying = new > 0; reinit(v, new);\n"
             "end when; end M;\n",
     .stop_time = 3.0,
     .values = {{"h", 0.0}, {"v", 0.0}, {"flying", 0.0}},
     .bound = 1e-5,
     .apart = 1e-3},
    {.name = "outputs that depend on each other",
     .text = "model M\n"
             "function f input Real x; output Real y = z; protected Real z = y; algorithm end f;\n"
             "Real z = f(time); end M;\n",
     .refusal = "depends on itself"},
    {.name = "crossing in the first step",
     .text = "model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);\n"
             "equation der(x) = 1; when x > 1e-9 then n = pre(n) + 1; end when; end M;\n",
     .values = {{"n", 1.0}},
     .events = 1},
    // neither lost nor doubled
    {.name = "event at the stop time",
     .text = "model M Integer n(start = 0, fixed = true);\n"
             "equation when time >= 0.5 then n = pre(n) + 1; end when; end M;\n",
     .stop_time = 0.5,
     .values = {{"n", 1.0}}},
    // both from 0.2 on
    {.name = "relation and time event at one instant",
     .text = "model M Real y = sin(15.707963267948966*time), x(start = 0, fixed = true); Boolean b "
             "= y < 0, c = time > 0.2;\n"
             "equation der(x) = (if b then 1 else 0) + (if c then 10 else 0); end M;\n",
     .stop_time = 0.35,
     .values = {{"x", 1.65}}},
    // both turn at 1
    {.name = "two relations at one instant",
     .text = "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true); Integer n(start "
             "= 0, fixed = true);\n"
             "Boolean a = sin(3.141592653589793*x) < 0, b = (x - 1)^3 > 0;\n"
             "equation der(x) = 1; der(y) = (if a then 1 else 0) + (if b then 10 else 0);\n"
             "when a and b then n = pre(n) + 1; end when; end M;\n",
     .stop_time = 1.5,
     .values = {{"y", 5.5}, {"n", 1.0}},
     .bound = 1e-4},
    // all in one iteration: equations are sorted
    {.name = "when on what another when sets",
     .text =
         "model M Integer n(start = 0, fixed = true), m(start = 0, fixed = true); Boolean b(start "
         "= false, fixed = true);\n"
         "equation when time > 0.5 then b = true; end when; when b then n = pre(n) + 1; end when;\n"
         "when n > 0 then m = pre(n) + 10*n; end when; end M;\n",
     .values = {{"n", 1.0}, {"m", 10.0}}},
    // 10 - 16 exp(-t) up to 4.99, then to and fro between +-4.99 in log(14.99/5.01): where one
    // limit
    // of the amplifier ends, the values between the limits end, too
    {.name = "comparator with feedback",
     .text = "model M Real c(start = -6, fixed = true), u, y(start = 10);\n"
             "equation der(c) = y - c; u = 1000*(0.5*y - c);\n"
             "  y = if u > 10 then 10 elseif u < -10 then -10 else u; end M;\n",
     .stop_time = 5.0,
     .values = {{"c", 1.3602097119002448}, {"y", 10.0}},
     .events = 4},
    // sqrt(0.02), not its negative, which is nearer to what was before
    {.name = "pipe that becomes turbulent",
     .text = "model M Real x(start = 0, fixed = true), V, p;\n"
             "equation der(x) = V; p = if time > 0.5 then 2 else -0.2;\n"
             "  p = if V > 0.1 then 100*V^2 elseif V < -0.1 then -100*V^2 else 10*V; end M;\n",
     .values = {{"V", 0.1414213562373095}, {"x", 0.06071067811865475}},
     .events = 1},
};

static void test_conditions(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(conditions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
