// SPDX-License-Identifier: MIT
//
// Conditions of models that are easily lost: functions that rest at zero and leave it, values that
// jump at a time event, the edge of where equations are defined, the locator in rounding noise.
// Each has a closed form.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/trial.h"
#include "open/warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

// A run that ends with a variable at this value, with every solver.
static void ends_with(const char *text, double stop_time, const char *name, double expected,
                      double tolerance)
{
    for (int s = 0; s < SOLVERS; s++) {
        Trial *t = trial_text(text);
        assert_true(trial_is_model(t));
        trial_options(t)->method.solver = solvers[s];
        trial_options(t)->method.step = 0.015625;
        if (trial_run(t, stop_time) != SALTUS_OK)
            fail_msg("%s: %s", saltus_solver_name(solvers[s]), trial_error(t));
        const double value = trial_value(t, name);
        if (!(fabs(value - expected) <= tolerance))
            fail_msg("%s: %s = %.17g, not %.17g", saltus_solver_name(solvers[s]), name, value,
                     expected);
        trial_end(t);
    }
}

// The clocks are integrated exactly; what some hundred steps round.
static const double rounding = 1e-12;

// y = max(0, u) comes to zero at 0.63 and is never negative.
static void comes_to_rest(void **state)
{
    (void)state;
    ends_with("model M Real u(start=0.63, fixed=true), v(start=0, fixed=true), y = max(0, u);"
              "equation der(u) = -1; der(v) = if y < 0 then 1 else 0; end M;",
              1.0, "v", 0.0, rounding);
    // The same at the stop time: nothing happens there, either.
    ends_with("model M Real u(start=0.6, fixed=true), y = max(0, u);"
              "Integer n(start=0, fixed=true); equation der(u) = -1;"
              "when y < 0 then n = pre(n) + 1; end when; end M;",
              0.625, "n", 0.0, 0.0);
}

// min(0, u) leaves zero at 0.26, max(0, time - 0.537) at 0.537.
static void leaves_rest(void **state)
{
    (void)state;
    ends_with("model M Real u(start=0.13, fixed=true), v(start=0, fixed=true), y = min(0, u);"
              "equation der(u) = -0.5; der(v) = if y < 0 then 1 else 0; end M;",
              2.0, "v", 1.74, rounding);
    ends_with("model M discrete Real at(start=0, fixed=true); Real x(start=0, fixed=true);"
              "Real y = noEvent(max(0, time - 0.537)); equation der(x) = 1;"
              "when y > 0 then at = time; end when; end M;",
              1.0, "at", 0.537, rounding);
}

// Positive up to 0.4, zero up to 0.6, then negative.
static void dead_zone(void **state)
{
    (void)state;
    ends_with("model D function f input Real u; output Real y; algorithm "
              "y := if u > 0.1 then u - 0.1 elseif u < -0.1 then u + 0.1 else 0; end f;"
              "Real u(start=0.5, fixed=true), v(start=0, fixed=true), y = f(u);"
              "equation der(u) = -1;"
              "der(v) = if y < 0 then -1 elseif y > 0 then 1 else 0; end D;",
              1.0, "v", 0.0, rounding);
}

// What jumps at a time event is not noise: b is true from 2 on.
static void relation_of_a_jump(void **state)
{
    (void)state;
    ends_with("model J discrete Real n(start=0, fixed=true); Real y; Boolean b;"
              "Real x(start=0, fixed=true);"
              "equation when time >= 2 then n = pre(n) + 1; end when;"
              "y = noEvent(if time >= 2 then 1 else 0); b = y >= 0.5;"
              "der(x) = if b then 1 else 0; end J;",
              10.0, "x", 8.0, 1e-9);
    ends_with("model T function f input Real t; input Real next; output Real y; algorithm "
              "y := if t >= 2 and next > 2 and t < 4 then 1 else 0; end f;"
              "discrete Real next(start=0, fixed=true); Real y, x(start=0, fixed=true);"
              "equation when {time >= pre(next), initial()} then"
              "  next = if time < 2 then 2 elseif time < 4 then 4 else 100; end when;"
              "y = f(time, next); der(x) = if y >= 0.5 then 1 else 0; end T;",
              10.0, "x", 2.0, 1e-9);
}

// Torricelli: h = (1 - 0.4 t)^2 up to 2.5, where sqrt(h) ends. The way to it is as long as the
// error of h, at most 1e-6, makes it: sqrt(1e-6 / 0.16) = 2.5e-3.
static void edge(void **state)
{
    (void)state;
    ends_with("model Tank Real h(start=1, fixed=true); Boolean empty(start=false, fixed=true);"
              "discrete Real at(start=0, fixed=true);"
              "equation if empty then h = 0; else der(h) = -0.8*sqrt(h); end if;"
              "when h <= 0 then empty = true; at = time; end when; end Tank;",
              5.0, "at", 2.5, 2.5e-3);
}

// Fixed steps beyond what the method is stable for: 1e-2 beside a time constant of 1e-6.
static void diverges(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Trial *t = trial_text("model S Real x(start=1, fixed=true);"
                              "equation der(x) = -1e6*(x - cos(time)) - sin(time); end S;");
        trial_options(t)->method.solver = k == 0 ? SALTUS_SOLVER_RK4 : SALTUS_SOLVER_EULER;
        trial_options(t)->method.step = 1e-2;
        assert_int_equal(trial_run(t, 1.0), SALTUS_ERROR_SOLVER);
        assert_non_null(strstr(trial_error(t), "diverges: x changes by more than 8 times"));
        trial_end(t);
    }
    // Growth that a step can follow is none: e^(0.5) in each.
    Trial *t = trial_text("model G Real x(start=1, fixed=true); equation der(x) = 50*x; end G;");
    trial_options(t)->method.solver = SALTUS_SOLVER_RK4;
    trial_options(t)->method.step = 1e-2;
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    trial_end(t);
}

// A ball that comes to lie on a stiff ground, k x + g = 0, watched by relations of its velocity
// (benchmarks/c21/Ball.mo, SwitchingParts). From 4.5 s on its velocity is rounding. An explicit
// method takes steps of 0.8 of what its stability allows there: |lambda| = sqrt(k) = 1000/s, so
// that 25.5 s are 4,900 steps of dop853, 9,800 of dopri5, each with its stages (16, with those of
// the dense output; 7). Twice that for an eigenvalue that is only estimated, and as much again for
// the flights, contacts and events before. Events close within a few steps: an estimate, one or two
// that correct it, two that show that nothing is corrected any more, one to go back.
static void rests_on_stiff_ground(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real g = 9.81, beta = 0.002, k = 1e6, d = 500;"
        "Real x(start = 10, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true);"
        "Boolean contact(start = false, fixed = true); Real f = -k * x - d * v;"
        "discrete Real height(start = 10, fixed = true), deformation(start = 0, fixed = true);"
        "equation der(x) = v;"
        "der(v) = if contact then f - g else -g - beta * v * noEvent(abs(v));"
        "der(w) = if contact then -v else -(k / d) * w;"
        "when x + w <= 0 then contact = true; elsewhen f <= 0 then contact = false; end when;"
        "when v <= 0 then height = x; end when;"
        "when v >= 0 then deformation = w; end when; end M;";
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8};
    static const SaltusSolver explicit_solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853};
    static const long evaluations[] = {4 * 7 * 9800, 4 * 16 * 4900};
    for (int i = 0; i < 8; i++) {
        Trial *t = trial_text(text);
        assert_true(trial_is_model(t));
        SaltusMethod *method = &trial_options(t)->method;
        method->solver = explicit_solvers[i % 2];
        method->relative_tolerance = tolerances[i / 2];
        method->absolute_tolerance = 1e-3 * tolerances[i / 2];
        if (trial_run(t, 30.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const SaltusStatistics s = saltus_run_statistics(trial_get_run(t));
        if (s.f_evaluations > evaluations[i % 2] || s.closing_steps > 10 * s.events)
            fail_msg("%s, %g: %ld evaluations, %ld closing steps for %ld events",
                     saltus_solver_name(method->solver), method->relative_tolerance,
                     s.f_evaluations, s.closing_steps, s.events);
        assert_true(fabs(trial_value(t, "x") + 9.81e-6) <= method->absolute_tolerance);
        trial_end(t);
    }
}

// y follows u, which jumps every half second, within 1e-8 s: far below the steps that were taken
// before. So y = u in all rows but those just before and after a jump, and y has come half of its
// way log(2) / k after it. (In a long step over the jump only its end would be right.)
static void transients_behind_events(void **state)
{
    (void)state;
    static const SaltusSolver stiff[] = {SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
                                         SALTUS_SOLVER_IDA};
    const double rates[] = {1e4, 1e6, 1e8};
    for (int i = 0; i < 9; i++) {
        const double k = rates[i / 3];
        Trial *t = trial_text(
            "model M parameter Real k = 1; discrete Real u(start=0, fixed=true), late(start=0,"
            "fixed=true); Real y(start=0, fixed=true), z(start=1, fixed=true), now(start=0,"
            "fixed=true);"
            "equation der(y) = -k*(y - u); der(z) = -z; der(now) = 1;"
            "when sample(0.5, 0.5) then u = 1 - pre(u); end when;"
            "when y > 0.5 then late = mod(time, 0.5); end when; end M;");
        assert_true(trial_is_model(t));
        trial_parameter(t, "k", k);
        SaltusOptions *options = trial_options(t);
        options->method.solver = stiff[i % 3];
        options->record = SALTUS_RECORD_INTERVALS;
        options->output_interval = 0.01;
        if (trial_run(t, 2.25) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const long rows = saltus_run_row_count(trial_get_run(t));
        long looked_at = 0;
        for (long row = 0; row < rows; row++) {
            const double now = trial_value_at(t, "now", row);
            if (fmod(now + 1e-9, 0.5) < 5e-3 && fmod(now + 1e-9, 0.5) > 0.0)
                continue; // by 5 ms the transient of 0.1 ms is over, but for exp(-50)
            const double off = trial_value_at(t, "y", row) - trial_value_at(t, "u", row);
            looked_at++;
            // The tolerance, 1e-6, for some steps of the transient.
            if (!(fabs(off) <= 1e-5))
                fail_msg("%s, k = %g: off by %g at %g", saltus_solver_name(stiff[i % 3]), k, off,
                         now);
        }
        assert_in_range(looked_at, 200, 240);
        // y is wrong by some tolerances there, so the time by 2 of them over k; and time is
        // rounded.
        const double expected = log(2.0) / k, bound = 1e-5 / k + 1e-15;
        if (!(fabs(trial_value(t, "late") - expected) <= bound))
            fail_msg("%s, k = %g: %g s late instead of %g", saltus_solver_name(stiff[i % 3]), k,
                     trial_value(t, "late"), expected);
        trial_end(t);
    }
}

// A wave of the period 1/k around 30, as high as the time: its dips reach zero in each period from
// 30 on, 20 k times. Steps are as long as they may be, a 50th of the run, so that most of these
// periods are as long as the distance of samples, or a part of it.
static void waves_between_samples(void **state)
{
    (void)state;
    static const char *const waves[] = {"sin", "cos"};
    static const SaltusSolver all[] = {
        SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
        SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_EXACT, SALTUS_SOLVER_AUTO};
    static const int rates[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16};
    char text[512];
    for (size_t w = 0; w < 2; w++) {
        for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
            snprintf(text, sizeof text,
                     "model M Real s(start=0, fixed=true), h = 30 + s*%s(2*3.141592653589793*%d*s);"
                     "Integer n(start=0, fixed=true); equation der(s) = 1;"
                     "when h < 0 then n = pre(n) + 1; end when; end M;",
                     waves[w], rates[k]);
            for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
                Trial *t = trial_text(text);
                trial_options(t)->method.solver = all[i];
                trial_options(t)->method.max_step = 1.0;
                assert_int_equal(trial_run(t, 50.0), SALTUS_OK);
                if (trial_value(t, "n") != 20 * rates[k])
                    fail_msg("%s, %d in a second, %s: %g of %d", waves[w], rates[k],
                             saltus_solver_name(all[i]), trial_value(t, "n"), 20 * rates[k]);
                trial_end(t);
            }
        }
    }
}

// The same with hundreds and thousands of periods in each step: two dips in each from 30 on.
static void waves_of_many_periods(void **state)
{
    (void)state;
    static const SaltusSolver all[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                       SALTUS_SOLVER_CVODE, SALTUS_SOLVER_EXACT};
    static const int rates[] = {100, 400, 1500};
    for (int i = 0; i < 12; i++) {
        Trial *t = trial_text("model M parameter Real k = 1; Real s(start=29, fixed=true);"
                              "Real h = 30 + s*sin(2*3.141592653589793*k*s);"
                              "Integer n(start=0, fixed=true); equation der(s) = 1;"
                              "when h < 0 then n = pre(n) + 1; end when; end M;");
        const int rate = rates[i / 4];
        trial_parameter(t, "k", rate);
        trial_options(t)->method.solver = all[i % 4];
        trial_options(t)->method.max_step = 1.0;
        assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
        if (trial_value(t, "n") != 2 * rate)
            fail_msg("%d in a second, %s: %g of %d", rate, saltus_solver_name(all[i % 4]),
                     trial_value(t, "n"), 2 * rate);
        trial_end(t);
    }
}

// Where that is too often, the run says so, and which condition it is; shorter steps follow it.
static void says_what_is_not_followed(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Trial *t = trial_text("model M parameter Real from = 0; Real s(start=from, fixed=true);"
                              "Real h = 30 + s*sin(2*3.141592653589793*1e5*s);"
                              "Integer n(start=0, fixed=true); equation der(s) = 1;"
                              "when h < 0 then n = pre(n) + 1; end when; end M;");
        trial_options(t)->method.solver = SALTUS_SOLVER_DOPRI5;
        trial_options(t)->method.max_step = i == 0 ? 1.0 : 1e-3;
        // The tolerances must tell one period, 1e-5, from the next.
        trial_options(t)->method.relative_tolerance = 1e-12;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        trial_parameter(t, "from", i == 0 ? 0.0 : 30.0);
        assert_int_equal(trial_run(t, i == 0 ? 30.02 : 1e-2), SALTUS_OK);
        Arena *arena = arena_create(NULL);
        const char *message = "";
        uint32_t index = 0;
        double time;
        bool is_told = false;
        while (warnings_next(trial_model(t), trial_get_run(t), &index, &time, arena, &message))
            is_told |= strstr(message, "the condition 'h < 0.0' swings too often") != NULL;
        assert_int_equal(is_told, i == 0);
        if (i == 1 && trial_value(t, "n") != 1000.0)
            fail_msg("%g of 1000", trial_value(t, "n"));
        arena_destroy(arena);
        trial_end(t);
    }
}

// Rates of a stiff state at interpolated times are k = 1e8 times its errors: halving a cell until
// they bend it no more takes as many evaluations as there are time constants in it, while the
// values show at once that nothing swings. 1000 times the evaluations of a smooth function (some 40
// steps with 9 samples) are too many.
static void rates_of_a_stiff_state(void **state)
{
    (void)state;
    static const SaltusSolver implicit[] = {SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
                                            SALTUS_SOLVER_IDA};
    for (int i = 0; i < 3; i++) {
        Trial *t = trial_text("model S Real x(start=0, fixed=true); Boolean b = x > 0.2e-9;"
                              "Integer n(start=0, fixed=true);"
                              "equation der(x) = -1e8*(x - 1e-9*(1 + 0.5*sin(time)));"
                              "when b then n = pre(n) + 1; end when; end S;");
        trial_options(t)->method.solver = implicit[i];
        assert_int_equal(trial_run(t, 10.0), SALTUS_OK);
        const long count = saltus_run_statistics(trial_get_run(t)).h_evaluations;
        if (trial_value(t, "n") != 1.0 || count > 100000)
            fail_msg("%s: %g crossings of 1, %ld evaluations", saltus_solver_name(implicit[i]),
                     trial_value(t, "n"), count);
        Arena *arena = arena_create(NULL);
        const char *message = "";
        uint32_t index = 0;
        double time;
        while (warnings_next(trial_model(t), trial_get_run(t), &index, &time, arena, &message))
            assert_null(strstr(message, "swings too often"));
        arena_destroy(arena);
        trial_end(t);
    }
}

// x > 0 leads to x = -1, and x = -1 to x = 1: by a jump that no event announces, and as x grows.
static void contradictions(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        static const char *const texts[] = {
            "model J Boolean b = x > 0; Real x, y(start=0.5, fixed=true); equation der(y) = 1;"
            "x = noEvent(if y > 1 then (if b then -1 else 1) else -1); end J;",
            "model C Boolean b = x > 0; Real x, y(start=0, fixed=true); equation der(y) = 1;"
            "x = y - 0.5 - (if b then 2 else 0); end C;"};
        static const char *const says[] = {"conditions contradict each other: x > 0.0 has no value",
                                           "'x > 0.0'"};
        static const char *const why[] = {"x > 0.0", "the condition contradicts itself"};
        for (int i = 0; i < 2; i++) {
            Trial *t = trial_text(texts[i]);
            assert_true(trial_is_model(t));
            trial_options(t)->method.solver = solvers[s];
            trial_options(t)->method.step = 0.015625;
            const SaltusStatus status = trial_run(t, 2.0);
            if (status != (i == 0 ? SALTUS_ERROR_EVENT_ITERATION : SALTUS_ZENO) ||
                !strstr(trial_error(t), says[i]) || !strstr(trial_error(t), why[i]))
                fail_msg("%s, %d: %d, %s", saltus_solver_name(solvers[s]), i, (int)status,
                         trial_error(t));
            trial_end(t);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_to_rest),
        cmocka_unit_test(leaves_rest),
        cmocka_unit_test(dead_zone),
        cmocka_unit_test(relation_of_a_jump),
        cmocka_unit_test(edge),
        cmocka_unit_test(diverges),
        cmocka_unit_test(rests_on_stiff_ground),
        cmocka_unit_test(transients_behind_events),
        cmocka_unit_test(waves_between_samples),
        cmocka_unit_test(waves_of_many_periods),
        cmocka_unit_test(says_what_is_not_followed),
        cmocka_unit_test(rates_of_a_stiff_state),
        cmocka_unit_test(contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
