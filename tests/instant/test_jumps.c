// SPDX-License-Identifier: MIT
//
// What jumps at an event, and how far: constraints that begin, constraints whose own value steps
// although the structure stays, capacitors and coils that are joined, ropes that become slack and
// taut. Right answers follow from the balance of momentum, charge or flux.

#include "instant/example.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const Example steps[] = {
    // the same charge through both: du1 = 3 du2, du1 + du2 = 12
    {.name = "capacitive divider on a step",
     .text = "model M Real u1(start = 0, fixed = true), u2, i, E = if time < 1 then 0 else 12;\n"
             "equation der(u1) = i; 3*der(u2) = i; u1 + u2 = E; end M;\n",
     .stop_time = 2.0,
     .values = {{"u1", 9.0}, {"u2", 3.0}}},
    // du1 = 3 du2, du1 + du2 = 3
    {.name = "divider that is charged",
     .text = "model M Real u1(start = 1, fixed = true), u2, i, E = if time < 1 then 2 else 5;\n"
             "equation der(u1) = i; 3*der(u2) = i; u1 + u2 = E; end M;\n",
     .stop_time = 2.0,
     .values = {{"u1", 3.25}, {"u2", 1.75}}},
    // dw1 = 4 dw2, dw1 + dw2 = 20
    {.name = "differential whose third shaft steps",
     .text = "model M Real w1(start = 0, fixed = true), w2, t, w3 = if time < 1 then 0 else 10;\n"
             "equation der(w1) = t; 4*der(w2) = t; w1 + w2 = 2*w3; end M;\n",
     .stop_time = 2.0,
     .values = {{"w1", 16.0}, {"w2", 4.0}}},
    // w1 + 3 w2 = 12 is kept
    {.name = "offset of speeds that steps",
     .text = "model M Real w1(start = 3, fixed = true), w2, t, d = if time < 1 then 0 else 2;\n"
             "equation der(w1) = -t; 3*der(w2) = t; w1 = w2 + d; end M;\n",
     .stop_time = 2.0,
     .values = {{"w1", 4.5}, {"w2", 2.5}}},
    {.name = "offset as an if-equation",
     .text = "model M Real w1(start = 3, fixed = true), w2, t;\n"
             "equation der(w1) = -t; 3*der(w2) = t;\n"
             "if time < 1 then w1 = w2; else w1 = w2 + 2; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"w1", 4.5}, {"w2", 2.5}}},
    // by the new ratio the impulse is 3 - p = 1.5 (1 + 1.5 p / 2), w2 = 1.529; along a ratio that
    // glides, energy is kept, w2^2 (2 + i^2) = 11, w2 = 1.609: the equations do not say which
    {.name = "gear ratio that changes",
     .text = "model M Real w1(start = 3, fixed = true), w2, t, i = if time < 1 then 3 else 1.5;\n"
             "equation der(w1) = -t; 2*der(w2) = i*t; w1 = i*w2; end M;\n",
     .stop_time = 2.0,
     .refusal =
         "makes an impulse just when its factor changes from 3 to 1.5: which of the two counts"},
    {.name = "gear ratio that changes, other states",
     .text = "model M Real w1(start = 3), w2(start = 1, fixed = true, stateSelect = "
             "StateSelect.always), t;\n"
             "Real i = if time < 1 then 3 else 1.5;\n"
             "equation der(w1) = -t; 2*der(w2) = i*t; w1 = i*w2; end M;\n",
     .stop_time = 2.0,
     .refusal =
         "makes an impulse just when its factor changes from 3 to 1.5: which of the two counts"},
    {.name = "discrete gear ratio",
     .text = "model M Real w1(start = 3, fixed = true), w2, t; discrete Real i(start = 3, fixed = "
             "true);\n"
             "equation der(w1) = -t; 2*der(w2) = i*t; w1 = i*w2;\n"
             "when time > 1 then i = 1.5; end when; end M;\n",
     .stop_time = 2.0,
     .refusal =
         "makes an impulse just when its factor changes from 3 to 1.5: which of the two counts"},
    // shifts from 3.5 to 2 at 326.58 and 93.31: p = (w1 - 2 w2) / (1/0.2 + 4/1.5), then
    // w1' = (10 i - 5) / (1.5/i + 0.2 i)
    {.name = "gearbox with torques",
     .text =
         "model M Real w1(start = 300, fixed = true), w2, t1, t2;\n"
         "equation 0.2*der(w1) = 10 - t1; 1.5*der(w2) = t2 - 5;\n"
         "if time > 1 then w1 = 2*w2; t2 = 2*t1; else w1 = 3.5*w2; t2 = 3.5*t1; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"w1", 248.34499567576069}, {"w2", 124.17249783788034}}},
    {.name = "gearbox as a state machine",
     .text = "model M Real w1(start = 300, fixed = true), w2; inner Real t1, t2;\n"
             "model Gear outer output Real t1, t2; parameter Real i; input Real a, b;\n"
             "equation a = i*b; t2 = i*t1; end Gear;\n"
             "Gear first(i = 3.5, a = w1, b = w2), second(i = 2, a = w1, b = w2);\n"
             "equation 0.2*der(w1) = 10 - t1; 1.5*der(w2) = t2 - 5;\n"
             "initialState(first); transition(first, second, time > 1); end M;\n",
     .stop_time = 2.0,
     .values = {{"w1", 248.34499567576069}, {"w2", 124.17249783788034}}},
    // at rest without gravity until the pivot pulls: velocity d (d . (0.5, 0)), d = (0.6, -0.8);
    // then around the pivot with -0.4 rad/s
    {.name = "pivot that begins to move",
     .text = "model M Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = "
             "true), v, lam;\n"
             "Real p = if time < 1 then 0 else 0.5*(time - 1);\n"
             "equation der(x) = u; der(y) = v; der(u) = -lam*(x - p); der(v) = -lam*y;\n"
             "(x - p)^2 + y^2 = 1; end M;\n",
     .stop_time = 2.0,
     .values = {{"x", 0.7411019225548107}, {"y", -0.9704998005874984}}},
    // no finite impulse moves a position
    {.name = "rod that gets shorter",
     .text = "model M Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = "
             "true), v, lam;\n"
             "Real l = if time < 1 then 1 else 0.8;\n"
             "equation der(x) = u; der(y) = v; der(u) = -lam*x; der(v) = -lam*y - 9.81;\n"
             "x^2 + y^2 = l^2; end M;\n",
     .stop_time = 2.0,
     .refusal = "no finite impulse moves it"},
    {.name = "rod that gets shorter, as an if-equation",
     .text = "model M Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = "
             "true), v, lam;\n"
             "equation der(x) = u; der(y) = v; der(u) = -lam*x; der(v) = -lam*y - 9.81;\n"
             "if time < 1 then x^2 + y^2 = 1; else x^2 + y^2 = 0.64; end if; end M;\n",
     .stop_time = 2.0,
     .refusal = "no finite impulse moves it"},
};

static const Example impulses[] = {
    // charge 10 + 3 * 2 is kept
    {.name = "two capacitors joined",
     .text =
         "model M Real a(start = 10, fixed = true), b(start = 2, fixed = true), i;\n"
         "equation der(a) = -i; 3*der(b) = i; if time > 1 then a = b; else i = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"a", 4.0}, {"b", 4.0}}},
    // 4 exp(-1/2)
    {.name = "capacitor on a source",
     .text = "model M Real a(start = 10, fixed = true), i;\n"
             "equation der(a) = i; if time > 1 and time < 2 then a = 4; else i = -a/2; end if; end "
             "M;\n",
     .stop_time = 3.0,
     .values = {{"a", 2.4261226388505337}}},
    // flux 5 + 3 is kept
    {.name = "two coils put in series",
     .text =
         "model M Real a(start = 5, fixed = true), b(start = 1, fixed = true), u;\n"
         "equation der(a) = u; 3*der(b) = -u; if time > 1 then a = b; else u = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"a", 2.0}, {"b", 2.0}}},
    // begins anew at 2: 2 (1 - exp(-2))
    {.name = "coil that is cut off",
     .text = "model M Real i(start = 0, fixed = true), s;\n"
             "equation der(i) = 4 - 2*i - s; if time < 1 or time > 2 then s = 0; else i = 0; end "
             "if; end M;\n",
     .stop_time = 3.0,
     .values = {{"i", 1.7293294335267746}}},
    // z does not feel p: only x jumps
    {.name = "jump along one equation",
     .text =
         "model M Real x(start = 1, fixed = true), z(start = 5, fixed = true), p;\n"
         "equation der(x) = p; der(z) = -z; if time > 1 then x = z; else p = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"x", 0.6766764161830635}, {"z", 0.6766764161830635}}},
    // dx = 2 dy, dx + dy = -3
    {.name = "jump with given ratio",
     .text = "model M Real x(start = 1, fixed = true), y(start = 2, fixed = true), p, q;\n"
             "equation der(x) = p; der(y) = q;\n"
             "if time > 1 then x + y = 0; p = 2*q; else p = 0; q = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"x", -1.0}, {"y", 1.0}}},
    // with its final value 2 (w - 1) = 3 - w, with the one before w - 1 = 3 - w
    {.name = "inertia that changes as the clutch closes",
     .text = "model M Real w1(start = 1, fixed = true), w2(start = 3, fixed = true), tau; Boolean "
             "e = time > 1;\n"
             "equation (if e then 2 else 1)*der(w1) = tau; der(w2) = -tau;\n"
             "if e then w1 = w2; else tau = 0; end if; end M;\n",
     .stop_time = 2.0,
     .refusal = "jumps just when the factor of its derivative changes from 1 to 2"},
    {.name = "impulse that is not linear",
     .text = "model M Real w1(start = 1, fixed = true), w2(start = 3, fixed = true), tau; Boolean "
             "e = time > 1;\n"
             "equation der(w1) = tau^3; der(w2) = -tau; if e then w1 = w2; else tau = 0; end if; "
             "end M;\n",
     .stop_time = 2.0,
     .refusal = "is not linear in it"},
    {.name = "impulse that is not determined",
     .text = "model M Real x(start = 1, fixed = true), y(start = 2, fixed = true), p, q;\n"
             "equation der(x) = p; der(y) = q;\n"
             "if time > 1 then x + y = 0; p*q = -1; else p = 0; q = 0; end if; end M;\n",
     .stop_time = 2.0,
     .refusal = "is not linear in it"},
    // x(1) = 0.5
    {.name = "position that does not fit",
     .text = "model M Real x(start = 0, fixed = true), v(start = 1, fixed = true), a;\n"
             "equation v = der(x); a = der(v);\n"
             "if time < 1 then a = -1; else x = 0.6 + 0.1*sin(time - 1); end if; end M;\n",
     .stop_time = 2.0,
     .refusal = "x would have to jump from 0.5 to 0.6"},
    // friction stops the motion (0.3 * 4.86 > 1) and does not reverse it: that is no value of F
    {.name = "oblique impact with friction",
     .text = "model M Real x(start = 0, fixed = true), y(start = 1, fixed = true), u(start = 1, "
             "fixed = true);\n"
             "Real v(start = -2, fixed = true), N, F; Boolean c(start = false, fixed = true);\n"
             "equation der(x) = u; der(y) = v; der(u) = F; der(v) = N - 9.81;\n"
             "F = if u > 0 then -0.3*N elseif u < 0 then 0.3*N else 0;\n"
             "if c then y = 0; else N = 0; end if; when y < 0 then c = true; end when; end M;\n",
     .stop_time = 0.35,
     .refusal = "N makes an impulse just when its factor"},
};

static const Example ropes[] = {
    // Masses 2 and 1 over a pulley, a = g/3: the heavy one lands at t1 = sqrt(6/g) with v = 2.557
    // and the rope slackens; the light one flies until t1 + 2 v/g, then pulls the heavy one up with
    // v/3.
    {.name = "pulley with a floor",
     .text =
         "model M Real y1(start = 1, fixed = true), y2(start = 0.2), v1(start = 0, fixed = true), "
         "v2, T, N;\n"
         "Boolean taut(start = true, fixed = true), floor(start = false, fixed = true);\n"
         "equation der(y1) = v1; der(y2) = v2; 2*der(v1) = -2*9.81 + T + N; der(v2) = -9.81 + T;\n"
         "taut = if pre(taut) then T > 0 else y1 + y2 <= 1.2;\n"
         "floor = if pre(floor) then N > 0 else y1 <= 0;\n"
         "if taut then y1 + y2 = 1.2; else T = 0; end if; if floor then y1 = 0; else N = 0; end "
         "if; end M;\n",
     .stop_time = 1.6,
     .values = {{"y1", 0.10900669673954108},
                {"y2", 1.0909933032604588},
                {"v1", -0.11731525898223161}},
     .events = 2},
    {.name = "pulley with a floor, strict",
     .text =
         "model M Real y1(start = 1, fixed = true), y2(start = 0.2), v1(start = 0, fixed = true), "
         "v2, T, N;\n"
         "Boolean taut(start = true, fixed = true), floor(start = false, fixed = true);\n"
         "equation der(y1) = v1; der(y2) = v2; 2*der(v1) = -2*9.81 + T + N; der(v2) = -9.81 + T;\n"
         "taut = if pre(taut) then T > 0 else y1 + y2 < 1.2;\n"
         "floor = if pre(floor) then N > 0 else y1 <= 0;\n"
         "if taut then y1 + y2 = 1.2; else T = 0; end if; if floor then y1 = 0; else N = 0; end "
         "if; end M;\n",
     .stop_time = 1.6,
     .values = {{"y1", 0.10900669673954108},
                {"y2", 1.0909933032604588},
                {"v1", -0.11731525898223161}},
     .events = 2},
    // until the rope is taut again
    {.name = "pulley with when",
     .text =
         "model M Real y1(start = 1, fixed = true), y2(start = 0.2), v1(start = 0, fixed = true), "
         "v2, T, N;\n"
         "Boolean taut(start = true, fixed = true), floor(start = false, fixed = true);\n"
         "equation der(y1) = v1; der(y2) = v2; 2*der(v1) = -2*9.81 + T + N; der(v2) = -9.81 + T;\n"
         "when y1 <= 0 then floor = true; elsewhen N < 0 then floor = false; end when;\n"
         "when floor then taut = false; elsewhen y1 + y2 < 1.2 then taut = true; end when;\n"
         "if taut then y1 + y2 = 1.2; else T = 0; end if; if floor then y1 = 0; else N = 0; end "
         "if; end M;\n",
     .stop_time = 1.2,
     .values = {{"y1", 0.0}, {"y2", 1.4120433784426445}},
     .events = 1},
    {.name = "pulley with both ways",
     .text =
         "model M Real y1(start = 1, fixed = true), y2(start = 0.2), v1(start = 0, fixed = true), "
         "v2, T, N;\n"
         "Boolean taut(start = true, fixed = true), floor(start = false, fixed = true);\n"
         "equation der(y1) = v1; der(y2) = v2; 2*der(v1) = -2*9.81 + T + N; der(v2) = -9.81 + T;\n"
         "when y1 <= 0 then floor = true; end when;\n"
         "taut = if pre(taut) then T > 0 else y1 + y2 < 1.2;\n"
         "if taut then y1 + y2 = 1.2; else T = 0; end if; if floor then y1 = 0; else N = 0; end "
         "if; end M;\n",
     .stop_time = 1.2,
     .values = {{"y1", 0.0}, {"y2", 1.4120433784426445}},
     .events = 1},
    {.name = "pulley begun on the floor",
     .text =
         "model M Real y1(start = 0), y2(start = 1.2, fixed = true), v1, v2(start = "
         "2.5573423705088842, fixed = true), T, N;\n"
         "Boolean taut(start = false, fixed = true), floor(start = true, fixed = true);\n"
         "equation der(y1) = v1; der(y2) = v2; 2*der(v1) = -2*9.81 + T + N; der(v2) = -9.81 + T;\n"
         "taut = if pre(taut) then T > 0 else y1 + y2 < 1.2;\n"
         "floor = if pre(floor) then N > 0 else y1 <= 0;\n"
         "if taut then y1 + y2 = 1.2; else T = 0; end if; if floor then y1 = 0; else N = 0; end "
         "if; end M;\n",
     .stop_time = 0.4,
     .values = {{"y1", 0.0}, {"y2", 1.4381369482035535}}},
    // the reinit decides v1; the rope slackens, so that v2 is kept
    {.name = "bounce on a rope",
     .text = "model M Real y1(start = 1, fixed = true), y2(start = 0.2), v1(start = 0, fixed = "
             "true), v2, T;\n"
             "Boolean taut(start = true, fixed = true);\n"
             "equation der(y1) = v1; der(y2) = v2; 2*der(v1) = -2*9.81 + T; der(v2) = -9.81 + T;\n"
             "taut = if pre(taut) then T > 0 else y1 + y2 <= 1.2;\n"
             "if taut then y1 + y2 = 1.2; else T = 0; end if;\n"
             "when y1 <= 0 then reinit(v1, -0.5*pre(v1)); end when; end M;\n",
     .stop_time = 1.0,
     .values = {{"y1", 0.04569829678109524}, {"y2", 1.5243694820355373}}},
};

static void test_steps(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(steps);
}

static void test_impulses(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(impulses);
}

static void test_ropes(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(ropes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_impulses),
        cmocka_unit_test(test_ropes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
