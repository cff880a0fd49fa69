// SPDX-License-Identifier: MIT
//
// Crossings that coincide but for rounding are one event, and a function that comes to zero at the
// end of a step, or at a time event, and rests there has come to zero. So has what speaks for a
// mode.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_EXACT, SALTUS_SOLVER_RK4};
static const double steps[] = {0.1, 0.023, 0.01, 0.0013, 0.001, 0.0007};
enum { SOLVERS = sizeof solvers / sizeof *solvers, STEPS = sizeof steps / sizeof *steps };

// Runs a model with each solver, and with the first so many steps if it has none of its own.
static void expect_of_all(const char *text, double stop_time, int step_count, const char *variable,
                          double expected)
{
    for (int s = 0; s < SOLVERS; s++) {
        const int count = solvers[s] == SALTUS_SOLVER_RK4 ? step_count : 1;
        for (int k = 0; k < count; k++) {
            Trial *t = trial_text(text);
            trial_options(t)->method.solver = solvers[s];
            if (solvers[s] == SALTUS_SOLVER_RK4)
                trial_options(t)->method.step = steps[k];
            if (trial_run(t, stop_time) != SALTUS_OK)
                fail_msg("%s: %s", saltus_solver_name(solvers[s]), trial_error(t));
            // All states are lines, so that every solver has them but for rounding.
            if (!(fabs(trial_value(t, variable) - expected) <= 1e-12))
                fail_msg("%s, step %g: %s = %.17g, not %g, of %s", saltus_solver_name(solvers[s]),
                         steps[k], variable, trial_value(t, variable), expected, text);
            trial_end(t);
        }
    }
}

// x = x0 + s t reaches its threshold when a sample takes x: b is the sample of this instant, not
// the one before, whatever the steps round (large values of slow ramps, as many resolutions of
// time).
static void ramp_and_sample(void **state)
{
    (void)state;
    static const double starts[] = {0.0, 1.0, -0.7}, rates[] = {1.0, 0.1, 1.0 / 3.0};
    static const double periods[] = {0.5, 0.3, 0.25};
    for (int i = 0; i < 27; i++) {
        const double start = starts[i % 3], rate = rates[i / 3 % 3], period = periods[i / 9];
        const int number = 1 + 4 * (i % 4);
        const double there = start + rate * (number * period);
        char text[600];
        snprintf(text, sizeof text,
                 "model Ramp Real x(start = %.17g, fixed = true); discrete Real a(start = -99, "
                 "fixed = true), b(start = -99, fixed = true); equation der(x) = %.17g; when "
                 "sample(%g, %g) then a = x; end when; when x >= %.17g then b = a; end when; end "
                 "Ramp;",
                 start, rate, period, period, there);
        expect_of_all(text, (number + 1.4) * period, 2, "b", there);
    }
}

// x = a t and y = b t reach a T and b T at the same time, each with its own rounding: n follows the
// value that m gets at this instant, in whatever order they are written. (Behind a thousand steps
// the one may come in the next step, farther from zero than the noise of one.)
static void two_ramps(void **state)
{
    (void)state;
    static const double rates[][2] = {{0.1, 0.3}, {1.0, 3.0}, {0.7, 1.1}, {2.9, 0.013}};
    static const double times[] = {1.0, 0.7, 2.3};
    for (int i = 0; i < 24; i++) {
        const double a = rates[i % 4][0], b = rates[i % 4][1], time = times[i / 4 % 3];
        char text[600], first[100], second[100];
        snprintf(first, sizeof first, "when x >= %.17g then m = 5; end when;", a * time);
        snprintf(second, sizeof second, "when y >= %.17g then n = m + 1; end when;", b * time);
        snprintf(text, sizeof text,
                 "model Ramps Real x(start = 0, fixed = true), y(start = 0, fixed = true);"
                 "Integer m(start = 0, fixed = true), n(start = 0, fixed = true);"
                 "equation der(x) = %.17g; der(y) = %.17g; %s %s end Ramps;",
                 a, b, i < 12 ? first : second, i < 12 ? second : first);
        expect_of_all(text, 3.0, 3, "n", 6.0);
    }
}

#define DEAD_ZONE                                                                                  \
    "function zone input Real u; output Real y; algorithm"                                         \
    "  y := if u > 0.1 then u - 0.1 elseif u < -0.1 then u + 0.1 else 0; end zone;"                \
    "model Zone Real u(start = 0.5, fixed = true), v(start = 0, fixed = true), y = zone(u);"       \
    "  Integer k(start = 0, fixed = true);"                                                        \
    "equation der(u) = -1; der(v) = if y < 0 then -1 elseif y > 0 then 1 else 0;"

// y falls to zero at 0.4, rests, and leaves at 0.6: v = 0.4 - 1.4.
static void dead_zone(void **state)
{
    (void)state;
    expect_of_all(DEAD_ZONE " when false then k = 1; end when; end Zone;", 2.0, STEPS, "v", -1.0);
}

// The same with time events where it comes to zero and where it leaves.
static void dead_zone_at_time_events(void **state)
{
    (void)state;
    expect_of_all(DEAD_ZONE " when sample(0, 0.1) then k = pre(k) + 1; end when; end Zone;", 2.0,
                  STEPS, "v", -1.0);
}

// u falls to zero at 0.3 and 0.7, and y stays there.
static void limit_at_time_events(void **state)
{
    (void)state;
    static const double begins[] = {0.3, 0.7};
    for (int i = 0; i < 2; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "model Limit Real u(start = %g, fixed = true), v(start = 0, fixed = true);"
                 "Real y = noEvent(max(u, 0)); Integer k(start = 0, fixed = true);"
                 "equation der(u) = -1; der(v) = if y > 0 then 1 else 0;"
                 "when sample(0, %g) then k = pre(k) + 1; end when; end Limit;",
                 begins[i], i == 0 ? 0.1 : 0.07);
        expect_of_all(text, 2.0, STEPS, "v", begins[i]);
    }
}

// What speaks for a mode rests at zero, and ends when it becomes negative: a diode whose source is
// zero for a while, a full tank without inflow.
static void support_that_rests(void **state)
{
    (void)state;
#define DIODE "e = u + i; on = i > 0 or u > 0; der(q) = i; if on then u = 0; else i = 0; end if;"
#define VARIABLES "Real e, i, u, q(start = 0, fixed = true); Boolean on;"
    expect_of_all("model Diode " VARIABLES " equation e = noEvent(if time < 0.5 then time elseif "
                  "time < 1 then 1 - time elseif time < 2 then 0 else 2 - time); " DIODE
                  " end Diode;",
                  3.0, 3, "u", -1.0);
    expect_of_all("model Diode " VARIABLES " equation e = if time < 0.5 then time elseif "
                  "time < 1 then 1 - time elseif time < 2 then 0 else 2 - time; " DIODE
                  " end Diode;",
                  3.0, 3, "u", -1.0);
    // full from t = 0.5, no inflow from 1 on, and from 2 on half as much flows out
    expect_of_all("model Tank Real h(start = 0.5, fixed = true), q, f; Boolean full;"
                  "equation f = noEvent(if time < 1 then 1 elseif time < 2 then 0 else -0.5);"
                  "der(h) = f - q; full = h > 1 or q > 0;"
                  "if full then h = 1; else q = 0; end if; end Tank;",
                  2.5, 3, "h", 0.75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ramps),
        cmocka_unit_test(ramp_and_sample),
        cmocka_unit_test(dead_zone),
        cmocka_unit_test(dead_zone_at_time_events),
        cmocka_unit_test(limit_at_time_events),
        cmocka_unit_test(support_that_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
