// SPDX-License-Identifier: MIT
//
// Clocks (chapters 16 and 17 of the specification) against recurrences that are written out here.
// What a clocked partition computes from times and counts has no error but rounding; times of ticks
// are the nearest numbers to the fractions that they are, and are compared exactly.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const double rounding = 1e-13;
// Relative tolerance 1e-10 of the solver, for what is integrated between ticks.
static const double integrated = 1e-8;

static void assert_exactly(const Trial *t, const char *name, double expected)
{
    const double value = trial_value(t, name);
    if (value != expected)
        fail_msg("%s is %.17g, not %.17g", name, value, expected);
}

// ---- ticks
// ---------------------------------------------------------------------------------------

// 3 (3/10) is not 9/10 in double precision, but the tick is: k 3 / 10 is rounded once.
static void ticks_are_fractions(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x = sample(time, Clock(3, 10)); Integer n(start = 0); "
                              "equation n = previous(n) + (if x >= 0 then 1 else 0); end M;",
                              0.95);
    assert_exactly(t, "x", 0.9);
    assert_exactly(t, "n", 4.0);
    trial_end(t);
}

// Base: 0, 1/10, ...; sub: every 3/10; super: every 1/20; shift: 1/30, 4/30, ...
static void sub_clocks(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Clock c = Clock(1, 10); Real x = sample(time, c); "
                       "Real slow, slowest, fast, late, early, ds, df, dl; "
                       "Integer n(start = 0), m(start = 0), k(start = 0), l(start = 0); equation "
                       "when c then n = previous(n) + 1; end when; "
                       "when subSample(c, 3) then slow = subSample(x, 3); ds = interval(); "
                       "m = previous(m) + 1; end when; "
                       "slowest = subSample(slow, 2); "
                       "fast = superSample(x, 2); df = interval(fast); "
                       "when superSample(c, 2) then k = previous(k) + 1; end when; "
                       "late = shiftSample(x, 1, 3); dl = interval(late); "
                       "when shiftSample(c, 1, 3) then l = previous(l) + 1; end when; "
                       "early = backSample(late, 1, 3); end M;",
                       0.95);
    assert_exactly(t, "n", 10.0);      // 0 ... 0.9
    assert_exactly(t, "m", 4.0);       // 0, 0.3, 0.6, 0.9
    assert_exactly(t, "k", 20.0);      // 0 ... 0.95
    assert_exactly(t, "l", 10.0);      // 1/30 ... 28/30
    assert_exactly(t, "slow", 0.9);    // of the tick at the same time
    assert_exactly(t, "slowest", 0.6); // every 6/10
    assert_exactly(t, "fast", 0.9);    // at 0.95
    assert_exactly(t, "late", 0.9);    // at 28/30, the last one of x
    assert_exactly(t, "early", 0.8);   // at 0.9: what `late` was at 25/30
    ASSERT_VALUE(t, "ds", 0.3);
    ASSERT_VALUE(t, "df", 0.05);
    ASSERT_VALUE(t, "dl", 0.1);
    trial_end(t);
}

// The factor that is not given follows from the clocks of both sides.
static void inferred_factors(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x = sample(time, Clock(1, 10)); "
                              "Real y = sample(time, Clock(1, 2)); Real d; "
                              "equation d = y - subSample(x); end M;",
                              0.9);
    assert_exactly(t, "y", 0.5);
    assert_exactly(t, "d", 0.0);
    trial_end(t);
}

// Ticks count from the beginning of the simulation, whenever that is.
static void begin_of_ticks(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x = sample(time, Clock(0.25)); Boolean first; "
                          "equation first = firstTick(x); end M;");
    trial_options(t)->start_time = 10.0;
    assert_int_equal(trial_run(t, 10.1), SALTUS_OK);
    assert_exactly(t, "x", 10.0);
    assert_exactly(t, "first", 1.0);
    assert_int_equal(trial_run(t, 10.6), SALTUS_OK);
    assert_exactly(t, "x", 10.5);
    assert_exactly(t, "first", 0.0);
    trial_end(t);
}

// An instant of a sample is one whatever their number: after a thousand million of them that number
// is known to 1e-7 only, by the rounding of the time.
static void sample_long_after_its_first(void **state)
{
    (void)state;
    for (int k = 1000000000; k < 1000000070; k++) {
        Trial *t = trial_text("model M Integer n(start = 0, fixed = true); "
                              "equation when sample(0, 0.1) then n = pre(n) + 1; end when; end M;");
        trial_options(t)->start_time = k * 0.1;
        assert_int_equal(trial_run(t, k * 0.1 + 0.25), SALTUS_OK);
        assert_exactly(t, "n", 3.0);
        trial_end(t);
    }
}

// Before the first tick of its clock a variable has its start value, and so has what holds it.
static void values_before_the_first_tick(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real u = sample(time + 7, Clock(1, 1)); "
                              "Real x(start = 3) = shiftSample(u, 1, 2); Real y = hold(x) + 1; "
                              "Real z(start = 5); equation z = previous(z) + u; end M;",
                              0.25);
    assert_exactly(t, "x", 3.0);
    assert_exactly(t, "y", 4.0);
    assert_exactly(t, "z", 12.0);
    assert_int_equal(trial_run(t, 0.75), SALTUS_OK);
    assert_exactly(t, "y", 8.0);
    trial_end(t);
}

// A condition that becomes true: sin(2 pi t) > 1/2 does so at 1/12, 1 + 1/12, ...
static void event_clock(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Clock c = Clock(sin(2 * 3.14159265358979 * time) > 0.5, 0.7); "
        "Real x = sample(time, c); Real first(start = 0), d = interval(x); Integer n(start = 0); "
        "Real every = subSample(x, 2); "
        "equation n = previous(n) + (if x > 0 then 1 else 0); "
        "first = if firstTick(x) then d else previous(first); end M;",
        3.5);
    assert_exactly(t, "n", 4.0);
    trial_assert_value(t, "x", 3.0 + 1.0 / 12.0, integrated);
    trial_assert_value(t, "every", 2.0 + 1.0 / 12.0, integrated);
    trial_assert_value(t, "d", 1.0, integrated);
    ASSERT_VALUE(t, "first", 0.7);
    trial_end(t);
}

// What is true from the beginning has become true at it; what a tick changes may end it.
static void event_clock_that_resets_itself(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Clock c = Clock(time - hold(x) >= 0.25); "
                              "Real x(start = -1) = sample(time, c); Integer n(start = 0); "
                              "equation n = previous(n) + (if x > -2 then 1 else 0); end M;",
                              1.1);
    assert_exactly(t, "n", 5.0); // 0, 0.25, ..., 1
    assert_exactly(t, "x", 1.0);
    trial_end(t);
}

static void event_clock_that_is_true_at_first(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Integer n(start = 0); Boolean c = time < 0.3 or time > 0.6; "
                              "Real last(start = -1); equation when Clock(c) then "
                              "n = previous(n) + 1; last = sample(time); end when; end M;",
                              0.5);
    assert_exactly(t, "n", 1.0);
    assert_exactly(t, "last", 0.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    assert_exactly(t, "n", 2.0);
    ASSERT_VALUE(t, "last", 0.6);
    trial_end(t);
}

// The example of section 16.5.2: u ticks at 0, 3/10, ...; y1 from 9/10 on, y2 from 3/10, y4 from
// 2/10, y5 from 1/10. Before the first tick of what is shifted, backSample has its start value.
static void shifts_forth_and_back(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real u = sample(time, Clock(3, 10)), y1(start = -1), y2(start = -2), "
        "y4(start = -4), y5(start = -5); Integer n1(start = 0), n2(start = 0), n4(start = 0), "
        "n5(start = 0); equation y1 = shiftSample(u, 3); y2 = backSample(y1, 2); "
        "y4 = shiftSample(u, 2, 3); y5 = backSample(y4, 1, 3); "
        "n1 = previous(n1) + (if y1 > -9 then 1 else 0); "
        "n2 = previous(n2) + (if y2 > -9 then 1 else 0); "
        "n4 = previous(n4) + (if y4 > -9 then 1 else 0); "
        "n5 = previous(n5) + (if y5 > -9 then 1 else 0); end M;",
        0.15);
    assert_exactly(t, "y5", -4.0); // of y4, which has not ticked yet
    assert_exactly(t, "n5", 1.0);
    assert_exactly(t, "n4", 0.0);
    assert_int_equal(trial_run(t, 0.35), SALTUS_OK);
    assert_exactly(t, "y2", -1.0);
    assert_exactly(t, "y4", 0.0);
    assert_int_equal(trial_run(t, 1.05), SALTUS_OK);
    assert_exactly(t, "n1", 1.0);
    assert_exactly(t, "n2", 3.0);
    assert_exactly(t, "n4", 3.0);
    assert_exactly(t, "n5", 4.0);
    assert_exactly(t, "y1", 0.9);
    assert_exactly(t, "y2", 0.9);
    assert_exactly(t, "y4", 0.6);
    assert_exactly(t, "y5", 0.6);
    trial_end(t);
}

// The conversions take a constructor itself, with and without a method.
static void constructors_as_arguments(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real x(start = 3) = sample(time, shiftSample(Clock(1, 10), 2)); "
        "Real z = sample(time, superSample(subSample(Clock(1, 10), 3), 2)); Integer n(start = 0); "
        "Clock c = subSample(Clock(Clock(1, 10), \"ExplicitEuler\"), 2); Real w(start = 1); "
        "Real v = sample(time, backSample(shiftSample(Clock(0.1), 3), 2)); Integer m(start = 0); "
        "equation when backSample(shiftSample(Clock(1, 10), 3), 1) then n = previous(n) + 1; "
        "end when; when c then der(w) = -w; end when; "
        "when Clock(2) then m = previous(m) + 1; end when; end M;",
        0.15);
    assert_exactly(t, "x", 3.0);
    assert_int_equal(trial_run(t, 0.55), SALTUS_OK);
    assert_exactly(t, "x", 0.5);
    assert_exactly(t, "z", 0.45);
    assert_exactly(t, "n", 4.0);     // 0.2, ..., 0.5
    ASSERT_VALUE(t, "w", 0.8 * 0.8); // 0, 0.2, 0.4
    ASSERT_VALUE(t, "v", 0.5);       // 0.1, ...
    assert_int_equal(trial_run(t, 4.5), SALTUS_OK);
    assert_exactly(t, "m", 3.0);
    trial_end(t);
}

// On any clock the last value of x counts, or its start value before there is one.
static void last_values(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real u = sample(time, Clock(1, 10)); "
                              "Real v = sample(time, Clock(0.25)); Real x, d; "
                              "Real w(start = 4) = shiftSample(v, 1); Real q; "
                              "equation x = noClock(u) + 0 * v; d = interval(x); "
                              "q = noClock(w) + 0 * u; end M;",
                              0.225);
    assert_exactly(t, "q", 4.0);
    assert_int_equal(trial_run(t, 0.26), SALTUS_OK);
    assert_exactly(t, "x", 0.2);
    assert_exactly(t, "d", 0.25);
    assert_exactly(t, "q", 4.0); // at 0.2
    assert_int_equal(trial_run(t, 0.35), SALTUS_OK);
    assert_exactly(t, "q", 0.25); // at 0.3
    trial_end(t);
}

// All types have clocks, arrays and records too. A sample is the left limit: at 0.5 the Integer has
// not changed yet.
static void types(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M type E = enumeration(A, B, C); record R Real x; Integer n; end R; "
        "Clock c = Clock(1, 10); Boolean b = sample(time > 0.25, c); "
        "Integer i = sample(integer(2 * time), c); "
        "E e = sample(if time > 0.3 then E.C else E.A, c), f(start = E.B) = previous(e); "
        "Real a[2] = sample({time, 2 * time}, c), p[2](start = {5, 6}) = previous(a); "
        "R r = R(sample(time, c), i); Boolean hb = hold(b); Integer hi = hold(i); "
        "E he = hold(e); Real ha[2] = hold(a); end M;",
        0.55);
    assert_exactly(t, "hb", 1.0);
    assert_exactly(t, "hi", 0.0);
    assert_exactly(t, "he", 3.0);
    assert_exactly(t, "f", 3.0);
    assert_exactly(t, "ha[2]", 1.0);
    assert_exactly(t, "p[2]", 0.8);
    assert_exactly(t, "r.x", 0.5);
    assert_int_equal(trial_run(t, 0.65), SALTUS_OK);
    assert_exactly(t, "r.n", 1.0);
    trial_end(t);
}

// Sub-clocks of an event clock count its ticks, which are at 0.25, 1, 2, ..., 6.
static void parts_of_an_event_clock(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Clock c = Clock(mod(time, 1) < 0.5 and time >= 0.25); "
                              "Real x = sample(time, c), s = subSample(x, 2), d = interval(s), "
                              "h(start = -1) = shiftSample(x, 2), b(start = -2) = backSample(h, 1);"
                              " Integer k(start = 0); "
                              "equation k = previous(k) + (if h > -5 then 1 else 0); end M;",
                              1.5);
    assert_exactly(t, "b", -1.0); // at 1: h has not ticked
    assert_int_equal(trial_run(t, 5.5), SALTUS_OK);
    ASSERT_VALUE(t, "s", 4.0); // 0.25, 2, 4
    ASSERT_VALUE(t, "d", 2.0);
    ASSERT_VALUE(t, "h", 5.0); // from 2 on
    ASSERT_VALUE(t, "b", 5.0);
    assert_exactly(t, "k", 4.0);
    trial_end(t);
}

// Intervals 1, 2, 3, ...: ticks at 0, 1, 3, 6, 10. The first is the start value.
static void interval_that_changes(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Integer n(start = 0); Real x, d; Clock c = Clock(n, 1); "
                              "equation when c then n = previous(n) + 1; x = sample(time); "
                              "d = interval(); end when; end M;",
                              0.5);
    assert_exactly(t, "d", 0.0);
    assert_int_equal(trial_run(t, 9.0), SALTUS_OK);
    assert_exactly(t, "n", 4.0);
    assert_exactly(t, "x", 6.0);
    assert_exactly(t, "d", 3.0);
    trial_end(t);
}

// ---- partitions
// ----------------------------------------------------------------------------------

// A sampled PI controller of der(x) = -x + u, which between ticks is solved in closed form.
static void controller(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M parameter Real k = 2, T = 0.5; Real x(start = 0, fixed = true), e, i(start = 0), "
        "y; equation der(x) = -x + hold(y); e = 1 - sample(x, Clock(1, 10)); "
        "i = previous(i) + e * interval() / T; y = k * (e + i); end M;");
    trial_options(t)->method.relative_tolerance = 1e-10;
    trial_options(t)->method.absolute_tolerance = 1e-12;
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    double x = 0.0, i = 0.0, y = 0.0;
    for (int tick = 0; tick <= 10; tick++) {
        if (tick)
            x = y + (x - y) * exp(-0.1);
        i += (1.0 - x) * 0.1 / 0.5;
        y = 2.0 * ((1.0 - x) + i);
    }
    trial_assert_value(t, "x", x, integrated);
    trial_assert_value(t, "i", i, integrated);
    trial_assert_value(t, "y", y, integrated);
    trial_end(t);
}

// The left limit is sampled: y at a tick depends on u before the tick changes it.
static void sampled_left_limits(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real u = hold(y) + 1; Real y(start = 0) = "
                              "sample(u, Clock(1, 1)); Integer n(start = 0); Integer m; "
                              "equation m = hold(n); "
                              "n = 2 * sample(m, Clock(1, 1)) + 1; end M;",
                              3.5);
    assert_exactly(t, "y", 4.0);
    assert_exactly(t, "n", 15.0);
    trial_end(t);
}

// Equations that must be solved together, linear and not, and one that is no assignment.
static void equations_together(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M parameter Real p = 4; Real u = sample(1 + time, Clock(1, 2)); "
        "Real a, b, c(start = 1), d; "
        "equation a + 2 * b = u; a - b = 3; c ^ 3 + u * c = 2 * u ^ 2; p * d = u + a; end M;",
        1.25);
    const double u = 2.0, b = (u - 3.0) / 3.0, a = 3.0 + b;
    double c = 1.0; // by Newton's method, which converges from here
    for (int i = 0; i < 50; i++)
        c -= (c * c * c + u * c - 2.0 * u * u) / (3.0 * c * c + u);
    trial_assert_value(t, "a", a, 1e-11); // of the solution of an instant
    trial_assert_value(t, "b", b, 1e-11);
    trial_assert_value(t, "c", c, 1e-11);
    trial_assert_value(t, "d", (u + a) / 4.0, 1e-11);
    trial_end(t);
}

// Branches of a clocked if-equation define the same variables, in any order; algorithms run at
// ticks.
static void branches_and_algorithms(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real u = sample(time, Clock(1, 1)); Integer n(start = 0), m(start = 0); "
        "Boolean odd(start = false); Real s(start = 0), q; equation when Clock(1, 1) then "
        "if previous(odd) then n = previous(n) + 10; odd = false; m = n; "
        "else odd = true; m = -n; n = previous(n) + 1; end if; end when; "
        "algorithm q := 0; for i in 1:3 loop q := q + i * u; end for; "
        "s := previous(s) + q; end M;",
        3.5);
    assert_exactly(t, "n", 22.0);
    assert_exactly(t, "m", 22.0);
    assert_exactly(t, "odd", 0.0);
    assert_exactly(t, "q", 18.0);
    assert_exactly(t, "s", 36.0);
    trial_end(t);
}

// Branches that determine the same variables in different ways: one after the other, together, or
// together with an equation outside of them. x is 1 at the last tick.
static void branches_couple_differently(void **state)
{
    (void)state;
    static const struct {
        const char *equations;
        double y[2], z[2]; // at the third tick, x = 0.2, and at the last one
    } cases[] = {
        {"if n > 3 then y - x = 7; z = -y; else y + z = 1 + x; z = 2*y; end if;",
         {0.4, 8.0},
         {0.8, -8.0}},
        {"if n > 3 then 2*y = x + 4; z = y; else y + z = 1 + x; z = 2*y; end if;",
         {0.4, 2.5},
         {0.8, 2.5}},
        {"0 = if n > 3 then y - x - 7 else y + z - 1 - x; z = if n > 3 then -y else 2*y;",
         {0.4, 8.0},
         {0.8, -8.0}},
        {"if n > 3 then y + z = 3 + x; z = 3*y; else y = x; z = 2*y; end if;",
         {0.2, 1.0},
         {0.4, 3.0}},
        {"y + z = 1 + x; if n > 3 then z = 2*y; elseif n > 2 then z = 5*y; else z = 3; end if;",
         {0.2, 2.0 / 3.0},
         {1.0, 4.0 / 3.0}},
        {"y + z = 1 + x; if n > 3 then z = 2*y; elseif n > 1 then z = 5; else z = 3*y; end if;",
         {-3.8, 2.0 / 3.0},
         {5.0, 4.0 / 3.0}},
        // y^3 + sin(y) = 4
        {"if n > 3 then y^3 + z = 3 + x; z = sin(y); else y = x; z = 2*y; end if;",
         {0.2, 1.4435441315127064},
         {0.4, 0.9919143592178526}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M Real x = sample(time, Clock(1, 10)); Integer n(start = 0); Real y, z; "
                 "equation n = previous(n) + 1; %s end M;",
                 cases[i].equations);
        Trial *t = trial_run_text(text, 0.25);
        ASSERT_VALUE(t, "y", cases[i].y[0]);
        ASSERT_VALUE(t, "z", cases[i].z[0]);
        assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
        ASSERT_VALUE(t, "y", cases[i].y[1]);
        ASSERT_VALUE(t, "z", cases[i].z[1]);
        trial_end(t);
    }
}

static void assertion_at_a_tick(void **state)
{
    (void)state;
    trial_expect_error("model M Real u = sample(time, Clock(1, 2)); "
                       "equation assert(u < 1.2, \"too late\"); end M;",
                       3.0, "too late");
}

// Connections carry clocked signals, and clocks.
static void connectors(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M connector RealOut = output Real; connector RealIn = input Real; "
        "connector ClockOut = output Clock; connector ClockIn = input Clock; "
        "block Source ClockOut c = Clock(1, 4); end Source; "
        "block Sampler RealIn u; RealOut y; ClockIn c; equation y = sample(u, c); end Sampler; "
        "block Sum RealIn u; RealOut y(start = 0); equation "
        "when Clock() then y = previous(y) + u; end when; end Sum; "
        "Source source; Sampler sampler[2]; Sum sum[2]; Real held; equation "
        "sampler.u = {time, 2 * time}; held = hold(sum[2].y); "
        "for i in 1:2 loop connect(source.c, sampler[i].c); connect(sampler[i].y, sum[i].u); "
        "end for; end M;",
        1.1);
    assert_exactly(t, "sum[1].y", 2.5);
    assert_exactly(t, "held", 5.0);
    trial_end(t);
}

// ---- solver methods
// ------------------------------------------------------------------------------

typedef struct Point2 {
    double x, v;
} Point2;

// der(x) = v, der(v) = -x |x| + u (1 + t / 10), u = sin(3 t)
static Point2 slope_of(Point2 p, double u, double t)
{
    return (Point2){p.v, -p.x * fabs(p.x) + u * (1.0 + t / 10.0)};
}

static Point2 moved(Point2 p, double h, Point2 k)
{
    return (Point2){p.x + h * k.x, p.v + h * k.v};
}

static Point2 mean(Point2 a, Point2 b, double weight)
{
    return (Point2){a.x + weight * (b.x - a.x), a.v + weight * (b.v - a.v)};
}

// One step of each method, as section 16.8.2 has it.
static Point2 step_of(int method, Point2 p, double t, double h)
{
    const double u0 = sin(3.0 * t), u1 = sin(3.0 * (t + h)), um = (u0 + u1) / 2.0;
    const Point2 k1 = slope_of(p, u0, t);
    const Point2 k2 = slope_of(moved(p, h / 2.0, k1), um, t + h / 2.0);
    const Point2 k3 = slope_of(moved(p, h / 2.0, k2), um, t + h / 2.0);
    const Point2 k4 = slope_of(moved(p, h, k3), u1, t + h);
    Point2 next = p;
    switch (method) {
    case 0:
        return moved(p, h, k1);
    case 1:
        return moved(p, h, k2);
    case 2:
        return moved(moved(moved(moved(p, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
    default: // by iteration, which contracts by h
        for (int i = 0; i < 100; i++) {
            const Point2 end = slope_of(next, u1, t + h);
            next = moved(p, h, method == 3 ? end : mean(k1, end, 0.5));
        }
        return next;
    }
}

static void solver_methods(void **state)
{
    (void)state;
    static const char *const names[] = {"ExplicitEuler", "ExplicitMidPoint2", "ExplicitRungeKutta4",
                                        "ImplicitEuler", "ImplicitTrapezoid"};
    for (int method = 0; method < 5; method++) {
        char text[600];
        snprintf(text, sizeof text,
                 "model M Real x(start = 1), v(start = 0), u, f, g; "
                 "Clock c = Clock(Clock(1, 10), \"%s\"); equation "
                 "u = sample(sin(3 * time), c); der(x) = v; f = -x * abs(x) + u * g; "
                 "g = 1 + time / 10; der(v) = f; end M;",
                 names[method]);
        Trial *t = trial_run_text(text, 1.05);
        Point2 p = {1.0, 0.0};
        for (int i = 0; i < 10; i++)
            p = step_of(method, p, i / 10.0, 0.1);
        trial_assert_value(t, "x", p.x, 1e-11);
        trial_assert_value(t, "v", p.v, 1e-11);
        trial_end(t);
    }
}

// der of an expression, by the chain rule, with the implicit Euler method: 2 x' = -x and
// 2 y y' = -y^2 are the same; e^z z' = t has a step z = previous(z) + h t e^-z.
static void derivatives_of_expressions(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Clock c = Clock(Clock(1, 10), \"ImplicitEuler\"); parameter Real p = 2; "
        "Real x(start = 1), y(start = 1), z(start = 1); equation when c then "
        "der(p * x + 3) = -x; der(y^2) = -y^2; der(exp(z)) = time; end when; end M;",
        0.15);
    ASSERT_VALUE(t, "x", 1.0 / 1.05);
    ASSERT_VALUE(t, "y", 1.0 / 1.05);
    const double z = trial_value(t, "z");
    ASSERT_VALUE(t, "z", 1.0 + 0.1 * 0.1 * exp(-z));
    trial_end(t);
    trial_expect_refusal("model M Clock c = Clock(Clock(1, 10), \"ImplicitEuler\"); "
                         "Real x(start = 1); equation when c then "
                         "der(if x > 0 then x else 2*x) = -x; end when; end M;",
                         "'der' of this expression is not supported in a clocked partition");
}

// An inverse model: what makes der(y) = -y + v follow a filter? y = x is differentiated, and one of
// the two steps is left out. With an input in place of x there is no derivative, but a difference.
static void inverse_models(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real u, x(start = 1), y, v; Clock c = Clock(Clock(1, 10), \"ExplicitEuler\"); "
        "equation u = sample(sin(3 * time), c); 0.5 * der(x) = u - x; der(y) = -y + v; y = x; "
        "end M;",
        0.95);
    double x = 1.0;
    for (int i = 0; i < 9; i++)
        x += 0.1 * (sin(3.0 * (i / 10.0)) - x) / 0.5;
    trial_assert_value(t, "x", x, 1e-11);
    trial_assert_value(t, "y", x, 1e-11);
    trial_assert_value(t, "v", (sin(2.7) - x) / 0.5 + x, 1e-11);
    trial_end(t);
    t = trial_run_text("model M Real u, y, v; Clock c = Clock(Clock(1, 10), \"ImplicitEuler\"); "
                       "equation u = sample(sin(3 * time), c); der(y) = -y + v; y = u; end M;",
                       0.95);
    trial_assert_value(t, "v", (sin(2.7) - sin(2.4)) / 0.1 + sin(2.7), 1e-11);
    trial_end(t);
    trial_expect_refusal("model M Real u, y, v; Clock c = Clock(Clock(1, 10), \"ExplicitEuler\"); "
                         "equation u = sample(sin(3 * time), c); der(y) = -y + v; y = u; end M;",
                         "its inputs have no derivatives");
}

// The nonlinear one: dx/dt = -x^3 + w must follow the second of two filters. Both its step and the
// second filter's are possible; the model asks for its own.
static void nonlinear_inverse_model(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real u, a(start = 0), b(start = 0), x(start = 0, stateSelect = "
        "StateSelect.always), w; Clock c = Clock(Clock(1, 10), \"ExplicitMidPoint2\"); "
        "equation u = sample(1.0, c); der(a) = u - a; der(b) = a - b; der(x) = -x ^ 3 + w; "
        "x = 2 * b; end M;",
        1.05);
    double a = 0.0, b = 0.0;
    for (int i = 0; i < 10; i++) {
        const double am = a + 0.05 * (1.0 - a), bm = b + 0.05 * (a - b);
        a += 0.1 * (1.0 - am);
        b += 0.1 * (am - bm);
    }
    trial_assert_value(t, "x", 2.0 * b, 1e-11);
    trial_assert_value(t, "w", 2.0 * (a - b) + 8.0 * b * b * b, 1e-11);
    trial_end(t);
}

// ---- state machines
// ------------------------------------------------------------------------------

#define STATES                                                                                     \
    "inner Integer i(start = 0); "                                                                 \
    "block Up outer output Integer i; Integer j(start = 10); "                                     \
    "equation i = previous(i) + 2; j = previous(j) - 1; end Up; "                                  \
    "block Down outer output Integer i; equation i = previous(i) - 1; end Down; "                  \
    "Up up; Down down; "

// Delayed transitions: 2, 4, ..., 12, 11, ..., 0, 2, ...; j begins anew.
static void delayed_transitions(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " STATES "Clock c = Clock(1, 1); Boolean b; equation "
                              "initialState(up); transition(up, down, i > 10, immediate = false); "
                              "transition(down, up, i < 1, immediate = false); "
                              "when c then b = activeState(up); end when; end M;",
                              5.5);
    assert_exactly(t, "i", 12.0);
    assert_exactly(t, "up.j", 4.0);
    assert_exactly(t, "b", 1.0);
    assert_int_equal(trial_run(t, 17.5), SALTUS_OK);
    assert_exactly(t, "i", 0.0);
    assert_exactly(t, "up.j", 4.0);
    assert_exactly(t, "b", 0.0);
    assert_int_equal(trial_run(t, 18.5), SALTUS_OK);
    assert_exactly(t, "i", 2.0);
    assert_exactly(t, "up.j", 9.0);
    trial_end(t);
}

// Immediate ones look at the values of the tick before and act at once; without a reset j goes on;
// of two, the one with the smaller priority.
static void immediate_transitions(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " STATES "equation initialState(up); "
        "transition(up, up, previous(i) > 5, priority = 2); "
        "transition(up, down, previous(i) > 5, reset = false, priority = 1); "
        "transition(down, up, ticksInState() >= 3 and timeInState() > 2.5, reset = false); end M;",
        3.5);
    assert_exactly(t, "i", 5.0); // 2, 4, 6, 5
    assert_exactly(t, "up.j", 7.0);
    assert_int_equal(trial_run(t, 6.5), SALTUS_OK);
    assert_exactly(t, "i", 5.0); // 5, 4, 3 | 5
    assert_exactly(t, "up.j", 6.0);
    trial_end(t);
}

// A machine in a state: it goes on where it was, or begins anew, as the state is entered; and a
// synchronized transition waits for its end.
static void machines_in_states(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M inner Integer n(start = 0); "
        "block A outer output Integer n; equation n = previous(n) + 1; end A; "
        "block B outer output Integer n; equation n = previous(n) + 10; end B; "
        "block Outer inner outer output Integer n; A a; B b; equation initialState(a); "
        "transition(a, b, n > 2, immediate = false); end Outer; "
        "block Rest outer output Integer n; equation n = previous(n) - 5; end Rest; "
        "Outer work; Rest rest; equation initialState(work); "
        "transition(work, rest, true, immediate = false, synchronize = true); "
        "transition(rest, work, n < 10, immediate = false); end M;",
        2.5);
    assert_exactly(t, "n", 3.0); // 1, 2, 3
    assert_int_equal(trial_run(t, 3.5), SALTUS_OK);
    assert_exactly(t, "n", 13.0); // b
    assert_int_equal(trial_run(t, 4.5), SALTUS_OK);
    assert_exactly(t, "n", 8.0); // rest
    assert_int_equal(trial_run(t, 5.5), SALTUS_OK);
    assert_exactly(t, "n", 9.0); // work, from its initial state
    assert_int_equal(trial_run(t, 6.5), SALTUS_OK);
    assert_exactly(t, "n", 19.0); // b again, as 9 > 2
    trial_end(t);
}

// The hierarchical and parallel machine of section 17.3.7, followed by hand: v goes 2, 4, 6, 5,
// ..., 0, stays while C counts, twice; X lasts 21 ticks; D and Y together end the outer state,
// which begins anew when it is entered again.
static void parallel_machines(void **state)
{
    (void)state;
    static const int v[] = {2, 4, 6, 5, 4, 3, 2, 1, 0,  0,  2,  4,  6,  5,  4,
                            3, 2, 1, 0, 0, 0, 0, 5, 10, 15, 20, 22, 21, 20, 19};
    Trial *t = trial_text(
        "model M inner Integer v(start = 0); Outer work; Rest rest; "
        "block Outer inner Integer count(start = 0); inner outer output Integer v; "
        "block A outer output Integer v; equation v = previous(v) + 2; end A; A a; "
        "block B outer output Integer v; equation v = previous(v) - 1; end B; B b; "
        "block C outer output Integer count; equation count = previous(count) + 1; end C; C c; "
        "block D end D; D d; "
        "block X outer input Integer v; Integer i(start = 0), w; "
        "equation i = previous(i) + 1; w = v; end X; X x; "
        "block Y Integer j(start = 0); equation j = previous(j) + 1; end Y; Y y; "
        "equation initialState(a); transition(a, b, v >= 6, immediate = false); "
        "transition(b, c, v == 0, immediate = false); "
        "transition(c, a, true, immediate = false, priority = 2); "
        "transition(c, d, count >= 2, immediate = false); initialState(x); "
        "transition(x, y, x.i > 20, immediate = false, reset = false); end Outer; "
        "block Rest outer output Integer v; equation v = previous(v) + 5; end Rest; "
        "equation initialState(work); transition(work, rest, "
        "activeState(work.d) and activeState(work.y), immediate = false); "
        "transition(rest, work, v >= 20, immediate = false); end M;");
    assert_true(trial_is_model(t));
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        assert_int_equal(trial_run(t, (double)k + 0.5), SALTUS_OK);
        assert_exactly(t, "v", v[k]);
    }
    assert_exactly(t, "work.count", 0.0);
    assert_exactly(t, "work.x.i", 4.0);
    assert_int_equal(trial_run(t, 48.5), SALTUS_OK);
    assert_exactly(t, "work.y.j", 2.0); // anew, though the transition to it does not reset it
    trial_end(t);
}

// A synchronized transition waits for the last of the machines in its state.
static void synchronized_machines(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M inner Integer n(start = 0), m(start = 0), k(start = 0); "
        "block W inner outer output Integer n; inner outer output Integer m; "
        "block A outer output Integer n; equation n = previous(n) + 1; end A; block F end F; "
        "block B outer output Integer m; equation m = previous(m) + 1; end B; A a; F fa; B b; F fb;"
        " equation initialState(a); transition(a, fa, n >= 2, immediate = false); "
        "initialState(b); transition(b, fb, m >= 4, immediate = false); end W; "
        "block E outer output Integer k; equation k = previous(k) + 1; end E; W w; E e; "
        "equation initialState(w); "
        "transition(w, e, true, synchronize = true, immediate = false); end M;",
        4.5);
    assert_exactly(t, "n", 2.0);
    assert_exactly(t, "m", 4.0);
    assert_exactly(t, "k", 0.0);
    assert_int_equal(trial_run(t, 5.5), SALTUS_OK);
    assert_exactly(t, "k", 1.0);
    trial_end(t);
}

// Ticks of an event clock; the time in a state counts from the tick that entered it.
static void time_in_states(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M inner Integer n(start = 0); inner Real s(start = 0); "
                              "block A outer output Integer n; outer output Real s; "
                              "equation n = previous(n) + 1; s = timeInState(); end A; "
                              "block B outer output Integer n; outer output Real s; "
                              "equation n = previous(n) + 10; s = timeInState(); end B; A a; B b; "
                              "Clock c = Clock(mod(time, 0.5) >= 0.25); "
                              "equation initialState(a); transition(a, b, timeInState() >= 1); "
                              "transition(b, a, ticksInState() >= 1, immediate = false); "
                              "when c then assert(n >= 0, \"never\"); end when; end M;",
                              1.0);
    assert_exactly(t, "n", 2.0);
    ASSERT_VALUE(t, "s", 0.5);
    assert_int_equal(trial_run(t, 1.5), SALTUS_OK);
    assert_exactly(t, "n", 12.0);
    assert_exactly(t, "s", 0.0); // b was entered at 1.25
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    assert_exactly(t, "n", 22.0);
    ASSERT_VALUE(t, "s", 0.5);
    assert_int_equal(trial_run(t, 2.5), SALTUS_OK);
    assert_exactly(t, "n", 23.0); // a again
    trial_end(t);
}

// ---- messages
// ------------------------------------------------------------------------------------

static void refusals(void **state)
{
    (void)state;
    trial_expect_refusal("model M Real x = sample(time, Clock(1, 10)); "
                         "Real y = sample(time, Clock(1, 5)); Real z = x + y; end M;",
                         "would be this one and another");
    trial_expect_refusal("model M Real x = sample(time, Clock(1, 10)); Real y; "
                         "equation when x > 0.5 then y = time; end when; end M;",
                         "this is clocked, but what it is linked with, 'y', is not");
    trial_expect_refusal("model M Real x(start = 0); equation x = previous(x) + 1; end M;",
                         "the clock of 'x' is not determined");
    trial_expect_refusal("model M Real x = sample(time, Clock(1, 10)); "
                         "Real y = sample(time, Clock(1, 15)); Real z = superSample(x) + y; end M;",
                         "no whole factor");
    trial_expect_refusal("model M Real x = sample(time, Clock(1, 10)); "
                         "Real y = backSample(x, 1); end M;",
                         "before the simulation begins");
    trial_expect_refusal("model M Real x = sample(time, Clock(time > 0.5)); "
                         "Real y = superSample(x, 2); end M;",
                         "no fixed interval");
    trial_expect_refusal("model M Real x(start = 1), u = sample(time, Clock(1, 10)); "
                         "equation der(x) = -x + u; end M;",
                         "needs a solver method");
    trial_expect_refusal("model M Real x(start = 1), u = sample(time, Clock(Clock(1, 10), "
                         "\"ImplicitEulr\")); equation der(x) = -x + u; end M;",
                         "did you mean 'ImplicitEuler'?");
    trial_expect_refusal("model M Real x = sample(time, Clock(1, 1000000007)); "
                         "Real y = superSample(x, 1000000009); "
                         "Real z = superSample(y, 998244353); end M;",
                         "do not fit into 64 bits");
    trial_expect_refusal("model M Boolean b, d; Clock c = Clock(1, 10); "
                         "equation b = not d; d = b or sample(time > 1, c); end M;",
                         "clocked variables depend on each other in a circle");
    trial_expect_refusal("model M Real x = sample(time, Clock(0.0)); end M;",
                         "the interval of a clock must be positive");
    trial_expect_refusal("model M Real x; equation when Clock(1, 10) then x = 1; "
                         "elsewhen Clock(1, 5) then x = 2; end when; end M;",
                         "a clocked 'when' cannot have 'elsewhen'");
    trial_expect_refusal("model M Real x(start = 1), u; equation der(x) = u; "
                         "u = sample(time, Clock(Clock(1, 10), \"ImplicitEuler\")); "
                         "initial equation der(x) = 0; end M;",
                         "cannot be used in an initial equation");
    trial_expect_refusal("model M Real x = hold(time); end M;", "this clock is not determined");
    trial_expect_refusal("model M Real x = noClock(time) + sample(time, Clock(1)); end M;",
                         "this clock is not determined");
    trial_expect_refusal("model M Real x = previous(time); end M;",
                         "the argument of 'previous' must be a variable");
    trial_expect_refusal("model M Real x = sample(time, Clock(true, -1.0)); end M;",
                         "the start interval of 'Clock' must not be negative");
    trial_expect_refusal("model M Real x(start = 0); algorithm when Clock(1, 10) then "
                         "x := previous(x) + 1; end when; end M;",
                         "a clocked 'when' cannot be used in an algorithm");
}

// What is known in the run only.
static void failures(void **state)
{
    (void)state;
    trial_expect_error("model M parameter Real p = -1; Real x = sample(time, Clock(p)); end M;",
                       1.0, "the interval of a clock must be positive");
    trial_expect_error("model M Integer n(start = 3); equation when Clock(n, 10) then "
                       "n = previous(n) - 1; end when; end M;",
                       1.0, "the interval of a clock must be positive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_fractions),
        cmocka_unit_test(sub_clocks),
        cmocka_unit_test(inferred_factors),
        cmocka_unit_test(begin_of_ticks),
        cmocka_unit_test(sample_long_after_its_first),
        cmocka_unit_test(values_before_the_first_tick),
        cmocka_unit_test(event_clock),
        cmocka_unit_test(event_clock_that_resets_itself),
        cmocka_unit_test(event_clock_that_is_true_at_first),
        cmocka_unit_test(shifts_forth_and_back),
        cmocka_unit_test(constructors_as_arguments),
        cmocka_unit_test(last_values),
        cmocka_unit_test(types),
        cmocka_unit_test(parts_of_an_event_clock),
        cmocka_unit_test(interval_that_changes),
        cmocka_unit_test(controller),
        cmocka_unit_test(sampled_left_limits),
        cmocka_unit_test(equations_together),
        cmocka_unit_test(branches_and_algorithms),
        cmocka_unit_test(branches_couple_differently),
        cmocka_unit_test(assertion_at_a_tick),
        cmocka_unit_test(connectors),
        cmocka_unit_test(solver_methods),
        cmocka_unit_test(derivatives_of_expressions),
        cmocka_unit_test(inverse_models),
        cmocka_unit_test(nonlinear_inverse_model),
        cmocka_unit_test(delayed_transitions),
        cmocka_unit_test(immediate_transitions),
        cmocka_unit_test(machines_in_states),
        cmocka_unit_test(parallel_machines),
        cmocka_unit_test(synchronized_machines),
        cmocka_unit_test(time_in_states),
        cmocka_unit_test(refusals),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
