// SPDX-License-Identifier: MIT
//
// Relays whose motion slides along their surface (Filippov): the flow on both sides points to it,
// so that the solution stays on it, with the relay's value such that it does. Closed forms.

#include "instant/example.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const Example surfaces[] = {
    // 1 - t^2/2 - t = 0 at t1 = sqrt(3) - 1, where x = t1; then x' = -x
    {.name = "relay on a double integrator",
     .text = "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), u;\n"
             "equation der(x) = v; der(v) = u; u = if x + v > 0 then -1 else 1; end M;\n",
     .stop_time = 5.0,
     // t1 exp(t1 - 5)
     .values = {{"x", 0.010256387973257461}, {"v", -0.010256387973257461}}},
    {.name = "relay on a double integrator, with sign",
     .text = "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
             "equation der(x) = v; der(v) = -sign(x + v); end M;\n",
     .stop_time = 5.0,
     .values = {{"x", 0.010256387973257461}, {"v", -0.010256387973257461}}},
    // The relay's value on the surface: v' = -v, so that u = -v = x.
    {.name = "equivalent control",
     .text = "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), u;\n"
             "equation der(x) = v; der(v) = u; u = if x + v > 0 then -1 else 1; end M;\n",
     .stop_time = 2.0,
     // t1 exp(t1 - 2)
     .values = {{"u", 0.20600505933540075}}},
    // s = x1 + 2 x2 + x3 = 0 at 0.20607467427564843, then x1'' + 2 x1' + x1 = 0
    {.name = "relay on three integrators",
     .text = "model M Real x1(start = 1, fixed = true), x2(start = 0, fixed = true),\n"
             "    x3(start = 0, fixed = true);\n"
             "equation der(x1) = x2; der(x2) = x3;\n"
             "  der(x3) = if x1 + 2*x2 + x3 > 0 then -4 else 4; end M;\n",
     .stop_time = 4.0,
     .values = {{"x1", 0.1000152768597167}, {"x2", -0.07955111354861441}}},
    // v = 1 - t + t^2/8 = 0 at t1 = 4 - 2 sqrt(2), rest until f = 1 at 4, then v = (t - 4)^2/8
    {.name = "Coulomb friction with sign",
     .text = "model M Real x(start = 0, fixed = true), v(start = 1, fixed = true),\n"
             "    f = 0.25*time;\n"
             "equation der(x) = v; der(v) = f - sign(v); end M;\n",
     .stop_time = 6.0,
     // x = t1 - t1^2/2 + t1^3/24 + 1/3
     .values = {{"x", 0.88561808316412673}, {"v", 0.5}}},
    {.name = "Coulomb friction with relations",
     .text = "model M Real x(start = 0, fixed = true), v(start = 1, fixed = true),\n"
             "    f = 0.25*time;\n"
             "equation der(x) = v;\n"
             "  der(v) = f + (if v > 0 then -1 elseif v < 0 then 1 else 0); end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.88561808316412673}, {"v", 0.5}}},
    // T = 30 - 15 exp(-t/2) = 20 at t1 = 2 log(1.5); then half the power on average
    {.name = "thermostat without hysteresis",
     .text = "model M Real T(start = 15, fixed = true), work(start = 0, fixed = true), u;\n"
             "equation u = if T < 20 then 1 else 0;\n"
             "  der(T) = -0.5*(T - 10) + 10*u; der(work) = u; end M;\n",
     .stop_time = 5.0,
     // t1 + (5 - t1)/2
     .values = {{"T", 20.0}, {"work", 2.9054651081081644}}},
    // Between two bounds that fit: x = t to 1, then it stays, and a third of the quota is taken.
    {.name = "quota",
     .text = "model M Real x(start = 0, fixed = true), taken(start = 0, fixed = true), rate;\n"
             "equation rate = if x > 1 then 3 else 0; der(x) = 1 - rate; der(taken) = rate;\n"
             "end M;\n",
     .stop_time = 4.0,
     .values = {{"x", 1.0}, {"taken", 3.0}}},
    // Slides while |1.5 sin t| < 1, leaves upwards at asin(2/3), returns, leaves downwards at
    // t4 = pi + asin(2/3): x(5) = 5 - t4 + 1.5 (cos t4 - cos 5).
    {.name = "surface that is left on both sides",
     .text = "model M Real x(start = 0.2, fixed = true);\n"
             "equation der(x) = (if x > 0 then -1 else 1) + 1.5*sin(time); end M;\n",
     .stop_time = 5.0,
     .values = {{"x", -0.4148475767614941}}},
    // y = 0 at 7/13; on it sign(y) is -0.3 and x' = -1.06; x = 0 at 1.0754717; then both rest.
    {.name = "two surfaces",
     .text = "model M Real x(start = 1, fixed = true), y(start = 0.7, fixed = true),\n"
             "    p(start = 0, fixed = true), q(start = 0, fixed = true);\n"
             "equation der(p) = x; der(q) = y;\n"
             "  der(x) = (if x > 0 then -1 else 1) + 0.2*(if y > 0 then 1 else -1);\n"
             "  der(y) = (if y > 0 then -1 else 1) - 0.3*(if x > 0 then 1 else -1); end M;\n",
     .stop_time = 3.0,
     // areas of a trapezium and two triangles
     .values = {{"x", 0.0}, {"y", 0.0}, {"p", 0.5753265602322206}, {"q", 0.18846153846153846}}},
    // y slides from 3/28 on with sign -0.4, x too from 17/30 on with 0 and 0.1:
    // z = 2 3/28 + 0.6 (17/30 - 3/28) + 0.1 (6 - 17/30)
    {.name = "two surfaces that pull at each other",
     .text = "model M Real x(start = 1, fixed = true), y(start = 0.3, fixed = true);\n"
             "Real z(start = 0, fixed = true); equation der(x) = -2*sign(x) - sign(y) + 0.1;\n"
             "der(y) = -sign(x) - 2*sign(y) + 0.2; der(z) = sign(x) + sign(y); end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.0}, {"y", 0.0}, {"z", 1.0333333333333334}},
     .events = 2},
    // Of degree 2: the rate of x does not depend on its sign. Only who is at rest on such a surface
    // stays there: sign(x) = sin(t)/2.
    {.name = "at rest on a surface of degree 2",
     .text = "model M Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
             "equation der(x) = v; der(v) = -2*sign(x) + sin(time); end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.0}, {"v", 0.0}}},
    // until the force is as large: then x = (t - 2)^3/6
    {.name = "pulled off a surface of degree 2",
     .text = "model M Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
             "equation der(x) = v; der(v) = -2*sign(x) + time; end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 10.666666666666666}, {"v", 8.0}},
     .events = 1},
    // who comes with a velocity does not: parabolas of height 1, a quarter in sqrt(2)
    {.name = "crossing a surface of degree 2",
     .text = "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
             "equation der(x) = v; der(v) = -sign(x); end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.9411254969542812}, {"v", -0.3431457505076194}},
     .events = 2},
    // Twisting (Levant 1993): the turns get shorter by sqrt((3 - 1)/(3 + 1)) and end at 5.121,
    // where
    // x = v = 0 holds from then on; w = x - 1 + t. Those of the last 2 ms count as one.
    {.name = "twisting comes to rest",
     .text = "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
             "Real w(start = 0, fixed = true);\n"
             "equation der(x) = v; der(v) = -3*sign(x) - sign(v); der(w) = v + 1; end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.0}, {"v", 0.0}, {"w", 5.0}},
     .apart = 2e-3},
    // With a disturbance the turns are uneven, and the last of them ends in other ways: v is zero
    // without a condition that says so, or the mode is entered by the event that would end the run.
    // sign(x) balances the disturbance from then on: u = -d. Turns of the last instants count as
    // one.
    {.name = "twisting against a disturbance",
     .text = "model M Real x(start = -0.623, fixed = true), v(start = 0.461, fixed = true), u, d;\n"
             "equation d = 1.5773*sin(0.3149*time + 3.7018);\n"
             "u = -7.615791*sign(x) - 4.049796*sign(v);\n"
             "der(x) = v; der(v) = u + d; end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.0}, {"v", 0.0}, {"u", 1.0064232163713644}},
     .apart = 1e-2},
    {.name = "twisting against another disturbance",
     .text =
         "model M Real x(start = -0.787, fixed = true), v(start = 1.197, fixed = true), u, d;\n"
         "equation d = 0.6291*sin(1.5787*time + 5.7019);\n"
         "u = (if x > 0 then -3.330866 else 3.330866) + (if v > 0 then -1.094662 else 1.094662);\n"
         "der(x) = v; der(v) = u + d - 0.3*x - 0.2*v; end M;\n",
     .stop_time = 6.0,
     .values = {{"x", 0.0}, {"v", 0.0}, {"u", -0.3201255971164894}},
     .apart = 3e-2},
    // A ball whose speed is kept by an event of its own: it rests from 2.5586 on, where
    // sqrt(2/g) (1 + 2 (0.7 + 0.7^2 + ...)) is. Those of the last bounces count as one.
    {.name = "rest that an edge decides",
     .text = "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
             "Boolean fly(start = true, fixed = true), impact; Real vn(start = 0, fixed = true);\n"
             "equation impact = h <= 0; der(h) = v; der(v) = if fly then -9.81 else 0;\n"
             "when {impact, h <= 0 and v <= 0} then\n"
             "vn = if edge(impact) then -0.7*pre(v) else 0; fly = vn > 0; end when;\n"
             "when {edge(impact), edge(fly), not fly} then reinit(v, vn); end when; end M;\n",
     .stop_time = 3.0,
     .values = {{"h", 0.0}, {"v", 0.0}, {"fly", 0.0}},
     .apart = 1e-3},
    // One part slides from 1 on, the other one counts the seconds.
    {.name = "sliding beside time events",
     .text = "model M Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);\n"
             "equation der(x) = if x > 0 then -1 else 1;\n"
             "  when sample(0.5, 1) then n = pre(n) + 1; end when; end M;\n",
     .stop_time = 4.0,
     .values = {{"x", 0.0}, {"n", 4.0}}},
    // A ball bounces at t1 = sqrt(4/g) while x slides: it has to be left for reinit, and entered
    // again behind it. h = 0.8 g t1 (t - t1) - g/2 (t - t1)^2; z makes one system of both.
    {.name = "reinit while a surface slides",
     .text = "model M Real x(start = 0.5, fixed = true), z(start = 0, fixed = true),\n"
             "    h(start = 2, fixed = true), v(start = 0, fixed = true);\n"
             "equation der(x) = if x < 0 then 1 else -1; der(h) = v; der(v) = -9.81;\n"
             "  when h <= 0 then reinit(v, -0.8*pre(v)); end when;\n"
             "  der(z) = x + h + v; end M;\n",
     .stop_time = 1.3,
     .values = {{"x", 0.0}, {"h", 1.1687403385104125}, {"v", -1.4774689703766058}}},
    {.name = "the same with a Boolean variable",
     .text = "model M Real x(start = 0.5, fixed = true), z(start = 0, fixed = true),\n"
             "    h(start = 2, fixed = true), v(start = 0, fixed = true); Boolean up = x < 0;\n"
             "equation der(x) = (if up then 1 else 0) - (if up then 0 else 1);\n"
             "  der(h) = v; der(v) = -9.81;\n"
             "  when h <= 0 then reinit(v, -0.8*pre(v)); end when;\n"
             "  der(z) = x + h + v; end M;\n",
     .stop_time = 1.3,
     .values = {{"x", 0.0}, {"h", 1.1687403385104125}, {"v", -1.4774689703766058}}},
    // Hysteresis is no sliding: x swings between -0.1 and 0.1 with the slope 1.
    {.name = "relay with hysteresis",
     .text = "model M Real x(start = 0, fixed = true); Boolean p(start = true, fixed = true);\n"
             "equation p = if pre(p) then x > -0.1 else x > 0.1;\n"
             "  der(x) = if p then -1 else 1; end M;\n",
     .stop_time = 1.95,
     // down to -0.1 at 0.1, then turns every 0.2: at 1.95 it is 0.05 behind the tenth turn, up
     .values = {{"x", 0.05}, {"p", 1.0}},
     .events = 10},
    // The flow leaves the surface on both sides: no sliding, x = 0.5 + t.
    {.name = "repelling surface",
     .text = "model M Real x(start = 0.5, fixed = true);\n"
             "equation der(x) = if x > 0 then 1 else -1; end M;\n",
     .stop_time = 2.0,
     .values = {{"x", 2.5}}},
    // The flow passes through: x' = 1, then 2.
    {.name = "surface that is crossed",
     .text = "model M Real x(start = -1, fixed = true);\n"
             "equation der(x) = if x > 0 then 2 else 1; end M;\n",
     .stop_time = 2.0,
     .values = {{"x", 2.0}},
     .events = 1},
};

static void test_surfaces(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(surfaces);
}

// Nothing depends on the unit of time.
static void test_scales(void **state)
{
    static const double scales[] = {1e-9, 1e6};
    (void)state;
    for (int i = 0; i < 2; i++)
        EXAMPLE_CHECK_SCALED(surfaces, scales[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
