// SPDX-License-Identifier: MIT
//
// Components of models/Saltus/ that no example uses, in small models with closed forms.

#include "model/example.h"

#include <stdlib.h>

static const double bound = EXAMPLE_BOUND;

static int set_up(void **state)
{
    (void)state;
    return setenv("MODELICAPATH", SALTUS_SOURCE_DIR "/models", 1);
}

static Trial *run(const char *text, double stop_time)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    trial_options(t)->method.relative_tolerance = EXAMPLE_TOLERANCE;
    trial_options(t)->method.absolute_tolerance = 1e-3 * EXAMPLE_TOLERANCE;
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    return t;
}

// 8 ohms behind a transformer of 2 to 1 are 32 for the source; two gyrators in a row turn the
// voltage around twice.
static void two_ports(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Electrical.*; ConstantVoltage s(V = 16); Ground g; "
                   "IdealTransformer x(n = 2); Resistor r(R = 8); CurrentSensor i; "
                   "VoltageSensor v; equation connect(s.p, i.p); connect(i.n, x.p1); "
                   "connect(x.n1, s.n); connect(s.n, g.p); connect(x.n2, g.p); "
                   "connect(x.p2, r.p); connect(r.n, x.n2); connect(v.p, r.p); "
                   "connect(v.n, r.n); end M;",
                   1.0);
    ASSERT_LAST(t, "i.y", 0.5, 1e-14);
    ASSERT_LAST(t, "v.y", 8.0, 1e-14);
    trial_end(t);

    // a gyrator makes a coil of a capacitor: L = C / G^2
    t = run("model M import Saltus.Electrical.*; ConstantVoltage s(V = 1); Ground g; "
            "Gyrator y(G = 0.5); Resistor r(R = 2); Capacitor c(C = 1, v(start = 0, fixed = "
            "true)); equation connect(s.p, r.p); connect(r.n, y.p1); connect(y.n1, s.n); "
            "connect(s.n, g.p); connect(y.n2, g.p); connect(y.p2, c.p); connect(c.n, y.n2); end M;",
            1.0);
    ASSERT_LAST(t, "r.i", 0.5 * (1.0 - exp(-2.0 / 4.0)), bound);
    trial_end(t);
}

// An inverting amplifier of gain -10 at its limit, and below it: -10 / (1 + 11 / gain).
static void amplifier(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Electrical.*; SignalVoltage s(u = time); Ground g; "
                   "Resistor a(R = 1e3), b(R = 1e4); LimitedOpAmp x(gain = 1e4, Vmax = 12); "
                   "equation connect(s.p, a.p); connect(a.n, x.inN); connect(a.n, b.p); "
                   "connect(b.n, x.out); connect(x.inP, g.p); connect(s.n, g.p); end M;",
                   1.0);
    ASSERT_LAST(t, "x.out.v", -10.0 / (1.0 + 11.0 / 1e4), 1e-12);
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    ASSERT_LAST(t, "x.out.v", -12.0, 1e-14);
    trial_end(t);
}

static void currents(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Electrical.*; ConstantCurrent s(I = -2); Ground g; "
                   "SignalCurrent more(u = -3); Resistor r(R = 4); ShockleyDiode d(Is = 1e-6); "
                   "equation connect(s.p, r.p); connect(more.p, r.p); connect(r.n, d.p); "
                   "connect(d.n, g.p); connect(s.n, g.p); connect(more.n, g.p); end M;",
                   1.0);
    ASSERT_LAST(t, "r.v", 20.0, 1e-12);
    ASSERT_LAST(t, "d.v", 0.025 * log1p(5.0 / 1e-6), 1e-10);
    trial_end(t);
}

static void heat(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Thermal.*; HeatCapacitor c(C = 10, T(start = 300, "
                   "fixed = true)); FixedHeatFlow f(Q = 5); SignalHeatFlow s(Q = time); "
                   "TemperatureSensor m; equation connect(f.port, c.port); "
                   "connect(s.port, c.port); connect(m.port, c.port); end M;",
                   2.0);
    ASSERT_LAST(t, "m.T", 300.0 + (10.0 + 2.0) / 10.0, 300.0 * bound);
    trial_end(t);

    t = run("model M import Saltus.Thermal.*; HeatCapacitor c(C = 10, T(start = 300, fixed = "
            "true)); SignalTemperature s(T = 300 + time); Conductor g(G = 5); equation "
            "connect(s.port, g.a); connect(g.b, c.port); end M;",
            4.0);
    ASSERT_LAST(t, "c.T", 300.0 + 4.0 - 2.0 * (1.0 - exp(-2.0)), 300.0 * bound);
    trial_end(t);
}

// A mass between a moving end and a spring with a damper; a force from a signal.
static void translation(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Translational.*; Position p(s = sin(time)); "
                   "Mass a(m = 2), b(m = 3, s(start = 0, fixed = true), v(start = 0, fixed = "
                   "true)); Force f(f = 6 * time); equation connect(p.flange, a.a); "
                   "connect(f.flange, b.a); end M;",
                   2.0);
    // what moves the mass a is its acceleration times its mass: index 3
    ASSERT_LAST(t, "p.flange.f", 2.0 * sin(2.0), 1e-12);
    ASSERT_LAST(t, "b.s", 8.0 / 3.0, bound);
    trial_end(t);

    t = run("model M import Saltus.Translational.*; Mass m(m = 1, s(start = 1, fixed = true), "
            "v(start = 0, fixed = true)); SpringDamper d(c = 5, d = 2); Speed e(v = 0); "
            "equation connect(e.flange, d.a); connect(d.b, m.a); end M;",
            1.0);
    ASSERT_LAST(t, "m.s", exp(-1.0) * (cos(2.0) + 0.5 * sin(2.0)), bound);
    trial_end(t);
}

static void rotation(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Rotational.*; Inertia j(J = 1, phi(start = 1, fixed = "
                   "true), w(start = 0, fixed = true)); SpringDamper d(c = 5, d = 2); "
                   "Speed e(w = 0); SpeedSensor s; equation connect(e.flange, d.a); "
                   "connect(d.b, j.a); connect(s.flange, j.b); end M;",
                   1.0);
    ASSERT_LAST(t, "j.phi", exp(-1.0) * (cos(2.0) + 0.5 * sin(2.0)), bound);
    ASSERT_LAST(t, "s.w", -2.5 * exp(-1.0) * sin(2.0), bound);
    trial_end(t);

    t = run("model M import Saltus.Rotational.*; Torque m(tau = 4); Gear g(ratio = -2); "
            "Inertia j(J = 8, phi(start = 0, fixed = true), w(start = 0, fixed = true)); "
            "equation connect(m.flange, g.a); connect(g.b, j.a); end M;",
            3.0);
    ASSERT_LAST(t, "j.w", -3.0, bound);
    trial_end(t);
}

static void continuous_blocks(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Blocks.*; Sine s(amplitude = 2, f = 0.25, phase = 0.5, "
                   "offset = 1, startTime = 1); Constant c(k = 3); Sum sum(n = 3, k = {1, 2, -1}); "
                   "Product p; Add a(k2 = -1); Derivative d(k = 2, T = 0.5); equation "
                   "connect(s.y, sum.u[1]); connect(c.y, sum.u[2]); connect(a.y, sum.u[3]); "
                   "connect(s.y, p.u1); connect(c.y, p.u2); connect(p.y, a.u1); "
                   "connect(s.y, a.u2); d.u = time; end M;",
                   0.5);
    ASSERT_LAST(t, "s.y", 1.0, 0.0);
    ASSERT_LAST(t, "d.y", 2.0 * (1.0 - exp(-1.0)), bound);
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    const double s = 1.0 + 2.0 * sin(example_pi + 0.5);
    ASSERT_LAST(t, "sum.y", s + 6.0 - (3.0 * s - s), 1e-13);
    trial_end(t);
}

static void switching_blocks(void **state)
{
    (void)state;
    Trial *t = run("model M import Saltus.Blocks.*; DeadZone z(uMax = 1, uMin = -2); Selector s; "
                   "GreaterThreshold g(threshold = 1.5); Ramp r(height = -4, duration = 2, "
                   "offset = 1, startTime = 1); equation connect(r.y, z.u); g.u = time; "
                   "connect(g.y, s.first); connect(z.y, s.u1); s.u2 = 7; end M;",
                   1.25);
    ASSERT_LAST(t, "s.y", 7.0, 0.0);
    ASSERT_LAST(t, "z.y", 0.0, 0.0);
    assert_int_equal(trial_run(t, 2.75), SALTUS_OK);
    ASSERT_LAST(t, "r.y", -2.5, 1e-14);
    ASSERT_LAST(t, "s.y", -0.5, 1e-14);
    trial_end(t);
}

// At 0.3 s between the samples of 0.2 and 0.4 s.
static void sampled_blocks(void **state)
{
    (void)state;
    Trial *t =
        run("model M import Saltus.Blocks.*; Sampler s(period = 0.2); ZeroOrderHold h(period "
            "= 0.2, y_start = -1); UnitDelay d(period = 0.2, y_start = -1); equation "
            "s.u = time; h.u = time; d.u = time; end M;",
            0.1);
    ASSERT_LAST(t, "s.y", 0.0, 0.0);
    ASSERT_LAST(t, "h.y", 0.0, 0.0);
    ASSERT_LAST(t, "d.y", -1.0, 0.0);
    assert_int_equal(trial_run(t, 0.3), SALTUS_OK);
    ASSERT_LAST(t, "s.y", 0.2, 1e-15);
    ASSERT_LAST(t, "h.y", 0.2, 1e-15);
    ASSERT_LAST(t, "d.y", 0.0, 0.0);
    trial_end(t);
}

// Mean and deviation of 10,000 numbers, bounds: four standard errors; two seeds have nothing to do
// with each other, and the same seed gives the same numbers: the first one by hand.
static void noise(void **state)
{
    (void)state;
    Trial *t =
        run("model M import Saltus.Blocks.Noise; Noise a(period = 0.001, mean = 3, deviation "
            "= 2), b(period = 0.001, seed = 2), c(period = 0.001, seed = 2); Integer "
            "n(start = 0, fixed = true); discrete Real s(start = 0, fixed = true), q(start = "
            "0, fixed = true), ab(start = 0, fixed = true), first(start = 0, fixed = true); "
            "equation when sample(0.0005, 0.001) then n = pre(n) + 1; s = pre(s) + a.y; q = "
            "pre(q) + (a.y - 3) ^ 2; ab = pre(ab) + (a.y - 3) * b.y; first = if n == 1 then "
            "b.y else pre(first); assert(b.y == c.y, \"other numbers\"); end when; end M;",
            9.9999);
    const double m = 2147483647.0, start = 1.0 + fmod(1013904223.0 + 2.0 * 1664525.0, m - 1.0);
    const double i = fmod(48271.0 * start, m), k = fmod(48271.0 * i, m);
    ASSERT_LAST(t, "n", 10000.0, 0.0);
    ASSERT_LAST(t, "s", 3e4, 4.0 * 2.0 * 100.0);
    ASSERT_LAST(t, "q", 4e4, 4.0 * 4.0 * sqrt(2.0) * 100.0);
    ASSERT_LAST(t, "ab", 0.0, 4.0 * 2.0 * 100.0);
    ASSERT_LAST(t, "first", sqrt(-2.0 * log(i / m)) * cos(4.0 * asin(1.0) * k / m), 1e-14);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ports),         cmocka_unit_test(amplifier),
        cmocka_unit_test(currents),          cmocka_unit_test(heat),
        cmocka_unit_test(translation),       cmocka_unit_test(rotation),
        cmocka_unit_test(continuous_blocks), cmocka_unit_test(switching_blocks),
        cmocka_unit_test(sampled_blocks),    cmocka_unit_test(noise),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
