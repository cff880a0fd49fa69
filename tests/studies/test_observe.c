// SPDX-License-Identifier: MIT
//
// Observations against closed forms: a damped oscillator, a bouncing ball, a switched clock.
//
// Bounds: the dense output is as accurate as the solution, whose error is a small multiple of the
// tolerance, here 1e-10; a thousand times that is allowed. Where closed forms are met by closing
// steps (events of the model), the ball's parabola is exact up to rounding.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/operation.h"
#include "support/hybrid.h"
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// x'' = -2 d x' - (1 + d^2) x with x(0) = 0, x'(0) = 1: x = exp(-d t) sin t.
static const char oscillator[] = "model Oscillator\n"
                                 "  parameter Real d = 0.1;\n"
                                 "  Real x(start = 0, fixed = true);\n"
                                 "  Real v(start = 1, fixed = true);\n"
                                 "equation\n"
                                 "  der(x) = v;\n"
                                 "  der(v) = -2 * d * v - (1 + d ^ 2) * x;\n"
                                 "end Oscillator;\n";

// Extremum where tan t = 1/d; zeros at multiples of pi.
static void test_oscillator(void **state)
{
    (void)state;
    const char *texts[] = {"top = maximum(x)",
                           "when = time_of_maximum(x)",
                           "bottom = minimum(x)",
                           "second = at(x, v < 0, 2)",
                           "third_zero = time_of(crossing(x), 3)",
                           "falls = time_of(falling(x), 1)",
                           "rises = time_of(x > 0)",
                           "zeros = count(x == 0)",
                           "area = integral(x)",
                           "positive = duration(x > 0)",
                           "end = x + d",
                           "speed = maximum(abs(v), from = 1)",
                           "energy = at(x ^ 2 + v ^ 2, 2.5)",
                           "late = maximum(x, from = time_of(x < 0), to = 4 * d * 25)",
                           NULL};
    StudyTrial t = study_trial(oscillator, 10.0, 1e-10, texts);
    study_trial_run(&t);
    const double d = 0.1, peak = atan(1.0 / d), bound = 1e-7;
    const double at_peak = exp(-d * peak) * sin(peak), decay = exp(-d * pi);
    assert_close(study_trial_value(&t, 0), at_peak, bound);
    assert_close(study_trial_value(&t, 1), peak, bound);
    assert_close(study_trial_value(&t, 2), -at_peak * decay, bound);
    assert_close(study_trial_value(&t, 3), at_peak * decay * decay, bound);
    assert_close(study_trial_value(&t, 4), 3.0 * pi, bound);
    assert_close(study_trial_value(&t, 5), pi, bound);
    assert_close(study_trial_value(&t, 6), 2.0 * pi, bound);
    assert_true(study_trial_value(&t, 7) == 3.0);
    const double e = exp(-d * 10.0);
    assert_close(study_trial_value(&t, 8), (1.0 - e * (cos(10.0) + d * sin(10.0))) / (1.0 + d * d),
                 bound);
    assert_close(study_trial_value(&t, 9), pi + pi, bound);
    assert_close(study_trial_value(&t, 10), e * sin(10.0) + d, bound);
    // v = exp(-d t) (cos t - d sin t) has its extrema where tan t = -2 d / (1 - d^2).
    const double w = pi - atan(2.0 * d / (1.0 - d * d));
    assert_close(study_trial_value(&t, 11), -exp(-d * w) * (cos(w) - d * sin(w)), bound);
    const double x = exp(-d * 2.5) * sin(2.5), v = exp(-d * 2.5) * (cos(2.5) - d * sin(2.5));
    assert_close(study_trial_value(&t, 12), x * x + v * v, bound);
    assert_close(study_trial_value(&t, 13), at_peak * decay * decay, bound);
    study_trial_end(&t);
}

// Bounces at t_m = sqrt(2 x0/g) (2 (1 - mu^m)/(1 - mu) - 1), impact speed sqrt(2 g x0) mu^(m-1).
static void test_ball(void **state)
{
    (void)state;
    const char *texts[] = {
        "t = time_of(x <= 0, 1:4)",
        "impact = at(v, x <= 0, 2)",
        "rebound = after(v, x <= 0, 2)",
        "restitution = -after(v, event(\"x <= 0\"), 1:3) / before(v, x <= 0, 1:3)",
        "height = maximum(x, from = time_of(x <= 0, 1), to = time_of(x <= 0, 2))",
        "bounces = count(event(\"x <= 0\"))",
        "last = time_of(event(), \"last\")",
        "every = at(n, falling(v), \"every\")",
        "from_n = time_of(n == 3)",
        "low = duration(x < 0.25)",
        "tops = at(x, v < 0, -2)",
        NULL};
    StudyTrial t = study_trial(study_ball, 2.3, 1e-8, texts);
    study_trial_run(&t);
    const double g = 9.81, mu = 0.8, first = sqrt(2.0 / g), speed = sqrt(2.0 * g);
    double bounce[6] = {0};
    for (int m = 1; m <= 5; m++)
        bounce[m] = first * (2.0 * (1.0 - pow(mu, m)) / (1.0 - mu) - 1.0);
    const ObserveResult times = study_result(t.runner, 0);
    assert_int_equal(times.count, 4);
    for (int m = 1; m <= 4; m++)
        assert_close(times.values[m - 1], bounce[m], 1e-11);
    assert_close(study_trial_value(&t, 1), -speed * mu, 1e-11);
    assert_close(study_trial_value(&t, 2), speed * mu * mu, 1e-11);
    assert_int_equal(study_result(t.runner, 3).count, 3);
    for (int m = 0; m < 3; m++)
        assert_close(study_result(t.runner, 3).values[m], mu, 1e-14);
    assert_close(study_trial_value(&t, 4), mu * mu, 1e-11);
    assert_true(study_trial_value(&t, 5) == 4.0);
    assert_close(study_trial_value(&t, 6), bounce[4], 1e-11);
    const ObserveResult every = study_result(t.runner, 7);
    // It stands at the start, which is no change of sign; then it turns after each bounce.
    assert_int_equal(every.count, 3);
    for (int m = 0; m < 3; m++)
        assert_true(every.values[m] == m + 1);
    assert_close(study_trial_value(&t, 8), bounce[3], 1e-11);
    // A flight of height H is below y for 2 (sqrt(2 H/g) - sqrt(2 (H - y)/g)).
    double low = 2.3 - bounce[4];
    for (int m = 0; m < 4; m++) {
        const double height = pow(mu, 2 * m), half = m == 0 ? 1.0 : 2.0;
        low += half * (sqrt(2.0 * height / g) - sqrt(2.0 * (height - 0.25) / g));
    }
    assert_close(study_trial_value(&t, 9), low, 1e-10);
    assert_close(study_trial_value(&t, 10), pow(mu, 4), 1e-11);
    study_trial_end(&t);
}

// Kinks anywhere in a step, also just behind its beginning or before its end, and several in one:
// x = t, which takes few steps.
static void test_kinks(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static const double places[COUNT] = {0.001, 0.003, 0.2, 0.5, 0.77, 0.997};
    char texts[COUNT][64];
    const char *observations[COUNT + 2] = {NULL};
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "integral(abs(x - %.17g))", places[i]);
        observations[i] = texts[i];
    }
    observations[COUNT] = "integral(abs(sin(4 * x)))";
    StudyTrial t = study_trial("model Ramp Real x(start = 0, fixed = true); equation der(x) = 1; "
                               "end Ramp;",
                               1.0, 1e-8, observations);
    study_trial_run(&t);
    for (size_t i = 0; i < COUNT; i++) {
        const double a = places[i], integral = 0.5 * (a * a + (1.0 - a) * (1.0 - a));
        assert_close(study_trial_value(&t, i), integral, 1e-12); // rounding of some hundred ranges
    }
    // 2 / 4 in the first half period.
    assert_close(study_trial_value(&t, COUNT), 0.5 + (1.0 + cos(4.0)) / 4.0, 1e-12);
    study_trial_end(&t);
}

// What does not happen has no value, and says why.
static void test_reasons(void **state)
{
    (void)state;
    const char *texts[] = {"time_of(x <= 0, 9)",
                           "at(v, x > 5)",
                           "maximum(x, from = time_of(v > 9))",
                           "1 / (x - x)",
                           "time_of(x <= 0, 3:6)",
                           "sqrt(-1 - x)",
                           NULL};
    StudyTrial t = study_trial(study_ball, 2.3, 1e-8, texts);
    study_trial_run(&t);
    for (size_t i = 0; i < 4; i++)
        assert_true(!isfinite(study_trial_value(&t, i)));
    assert_string_equal(study_result(t.runner, 0).reason, "'x <= 0' happened 4 times only");
    assert_string_equal(study_result(t.runner, 1).reason, "'x > 5' never happened");
    assert_contains(study_result(t.runner, 2).reason, "never began");
    assert_string_equal(study_result(t.runner, 3).reason, "'1 / (x - x)' is infinite");
    assert_false(!isfinite(study_result(t.runner, 4).values[1]));
    const bool is_missing = isnan(study_result(t.runner, 4).values[2]);
    assert_true(is_missing);
    assert_contains(study_result(t.runner, 4).reason, "happened 4 times only");
    assert_contains(study_result(t.runner, 5).reason, "is not a number");
    study_trial_end(&t);
}

// Mistakes are found before anything runs, with their place and what could be meant.
static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"t = maximun(x)", "did you mean 'maximum'?"},
        {"maximum(xx)", "did you mean 'x'?"},
        {"maximum(maximum(x))", "looks at the whole run"},
        {"time_of(x <= 0, 0)", "which occurrence is meant?"},
        {"time_of(x <= 0, 5:2)", "which occurrence is meant?"},
        {"at(x)", "at takes an expression and a condition"},
        {"time_of(x + 1)", "this is a number, not a condition"},
        {"falling(x)", "is an instant"},
        {"duration(falling(x))", "is an instant"},
        {"maximum(x, from = time_of(x <= 0, -1))", "must be known while the run goes on"},
        {"maximum(x, form = 1)", "there is no argument 'form' here"},
        {"sin(x, v)", "sin takes 1 argument"},
        {"event(\"a\") + 1", "is an instant"},
        {"time_of(event(3))", "needs text in quotes"},
        {"time_of(x <= 0, 1:3) - time_of(x <= 0, 1:2)", "different numbers of occurrences"},
        {"x +", "expected"},
        {"{x, v}", "cannot be observed"},
        {"= x", "a name is missing"},
        {"", "expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *texts[] = {cases[i].text, NULL};
        StudyTrial t = study_trial(study_ball, 1.0, 1e-6, texts);
        assert_null(study_observations(t.study));
        assert_contains(study_trial_messages(&t), cases[i].message);
        study_trial_end(&t);
    }
}

// Conditions that differ behind their first thousand characters are two, and are found by their
// ends: each happens once, when x = t passes it. Spaces and 2.0 for 2 do not matter anywhere.
static void test_long_conditions(void **state)
{
    (void)state;
    char name[1001], model[4000], pattern[1100];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(model, sizeof model,
             "model Long parameter Real %s = 0; Real x(start = 0, fixed = true); "
             "discrete Real n(start = 0, fixed = true); equation der(x) = 1; "
             "when %s + x > 2.0 then n = pre(n) + 1; elsewhen %s + x > 3 then n = pre(n) + 2; "
             "end when; end Long;",
             name, name, name);
    snprintf(pattern, sizeof pattern, "count(event(\"%s+x>2\"))", name);
    const char *texts[] = {pattern, "time_of(event(\"*x  > 3.0\"))", "count(event(\"a*\"))",
                           "count(event(\"*x > 4\"))", NULL};
    StudyTrial t = study_trial(model, 4.5, 1e-8, texts);
    study_trial_run(&t);
    assert_true(study_trial_value(&t, 0) == 1.0);
    assert_close(study_trial_value(&t, 1), 3.0, 1e-12); // rounding of time
    assert_true(study_trial_value(&t, 2) == 2.0);
    assert_true(study_trial_value(&t, 3) == 0.0);
    study_trial_end(&t);
}

// Looking changes nothing: the same end, bit for bit, and the same counters.
static void test_looking_changes_nothing(void **state)
{
    (void)state;
    const char *none[] = {"x", NULL};
    const char *many[] = {"x", "maximum(x * v)", "integral(abs(v))", "count(crossing(x - 0.3))",
                          NULL};
    StudyTrial a = study_trial(study_ball, 2.5, 1e-6, none);
    StudyTrial b = study_trial(study_ball, 2.5, 1e-6, many);
    study_trial_run(&a);
    study_trial_run(&b);
    assert_true(study_trial_value(&a, 0) == study_trial_value(&b, 0));
    assert_memory_equal(&a.outcome.statistics, &b.outcome.statistics, sizeof a.outcome.statistics);
    // Up and down through 0.3 in each flight that is high enough.
    assert_true(study_trial_value(&b, 3) == 1 + 2 + 2);
    study_trial_end(&a);
    study_trial_end(&b);
}

// All solvers see the same; multistep ones have no closing step, and a dense output of their own.
static void test_solvers(void **state)
{
    (void)state;
    const char *texts[] = {"maximum(x)", "time_of(crossing(x), 3)", "count(x == 0)", NULL};
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS};
    const double peak = atan(10.0), top = exp(-0.1 * peak) * sin(peak);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        StudyTrial t = study_trial(oscillator, 10.0, 1e-10, texts);
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[i];
        options.method.relative_tolerance = 1e-10;
        options.method.absolute_tolerance = 1e-12;
        study_set_options(t.study, &options, 10.0);
        study_trial_run(&t);
        assert_close(study_trial_value(&t, 0), top, 1e-6);
        assert_close(study_trial_value(&t, 1), 3.0 * pi, 1e-6);
        assert_true(study_trial_value(&t, 2) == 3.0);
        study_trial_end(&t);
    }
}

// x = cos 3 t; `up` and `n` change at events that change no state, in the midst of steps that go
// on, and are seen to change there: up until 3 t = pi/3 and pi/3 around multiples of 2 pi, n at 3 t
// = 2 pi k - pi/3.
static void test_events_in_steps(void **state)
{
    (void)state;
    static const char waves[] = "model Waves\n"
                                "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                                "  Integer n(start = 0, fixed = true);\n"
                                "  Boolean up = x > 0.5;\n"
                                "equation\n"
                                "  der(x) = v;\n"
                                "  der(v) = -9*x;\n"
                                "  when x > 0.5 then n = pre(n) + 1; end when;\n"
                                "end Waves;\n";
    const char *texts[] = {"time_of(n == 3)", "duration(up)", "count(up)", "integral(n)", NULL};
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_CVODE,
                                           SALTUS_SOLVER_ADAMS};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        StudyTrial t = study_trial(waves, 10.0, 1e-9, texts);
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[i];
        options.method.relative_tolerance = 1e-9;
        options.method.absolute_tolerance = 1e-12;
        study_set_options(t.study, &options, 10.0);
        study_trial_run(&t);
        double area = 0.0;
        for (int k = 1; k < 5; k++)
            area += 10.0 - (2 * pi * k - pi / 3) / 3;
        assert_close(study_trial_value(&t, 0), (6 * pi - pi / 3) / 3, 1e-6);
        assert_close(study_trial_value(&t, 1), pi / 9 * (1 + 2 * 4), 1e-6);
        assert_true(study_trial_value(&t, 2) == 4.0);
        assert_close(study_trial_value(&t, 3), area, 1e-6);
        study_trial_end(&t);
    }
}

static int grow(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[0];
    return 0;
}

// The public interface: x' = x from 1, with its names and its refusals.
static void test_public(void **state)
{
    (void)state;
    const double start[] = {1.0};
    SaltusModeDef mode = hybrid_mode("growth", 1, start, grow, 0, NULL, NULL);
    SaltusSystemDef def = hybrid_system(1, &mode);
    SaltusSystem *system;
    SaltusObserver *observer;
    SaltusError error;
    assert_int_equal(saltus_system_create(&def, &system, &error), SALTUS_OK);
    const char *wrong[] = {"maximum(x1)"}, *right[] = {"time_of(x0 > 2)", "time_of(x0 > 1.5, 1:2)"};
    assert_int_equal(saltus_observer_create(system, 1, wrong, &observer, &error),
                     SALTUS_ERROR_ARGUMENT);
    assert_null(observer);
    assert_contains(error.message, "there is no variable 'x1'; did you mean 'x0'?");
    saltus_error_clear(&error);
    const char *twice[] = {"x0", "a = maximum(x0)", "x0", "a = minimum(x0)"};
    assert_int_equal(saltus_observer_create(system, 4, twice, &observer, &error),
                     SALTUS_ERROR_ARGUMENT);
    assert_contains(error.message, "two observations are called 'a'");
    saltus_error_clear(&error);
    assert_int_equal(saltus_observer_create(NULL, 1, right, &observer, NULL),
                     SALTUS_ERROR_ARGUMENT);
    assert_int_equal(saltus_observer_create(system, 2, right, &observer, &error), SALTUS_OK);
    SaltusOptions options = saltus_default_options();
    options.method.relative_tolerance = 1e-10;
    options.piece = saltus_observer_piece;
    options.user = observer;
    for (int i = 0; i < 2; i++) { // the second run of the same observer
        SaltusRun *run;
        assert_int_equal(saltus_observer_count(observer, 0), 0);
        assert_int_equal(saltus_run_create(system, &options, &run, &error), SALTUS_OK);
        assert_int_equal(saltus_run_advance(run, 1.0), SALTUS_OK);
        assert_int_equal(saltus_observer_finish(observer, run), SALTUS_OK);
        saltus_run_destroy(run);
        assert_close(saltus_observer_value(observer, 0, 0), log(2.0), 1e-8);
        assert_int_equal(saltus_observer_count(observer, 1), 2);
        assert_close(saltus_observer_value(observer, 1, 0), log(1.5), 1e-8);
        assert_string_equal(saltus_observer_reason(observer, 1), "'x0 > 1.5' happened 1 time only");
        const bool is_missing = isnan(saltus_observer_value(observer, 2, 0));
        assert_true(is_missing);
        saltus_observer_reset(observer);
    }
    saltus_observer_destroy(observer);
    saltus_system_destroy(system);
}

// Every function of the table, of parameters: the bits that a run has.
static void test_functions(void **state)
{
    (void)state;
    const double a = 0.625, b = -1.75;
    static char rows[2 * OPERATOR_COUNT][40];
    const char *texts[2 * OPERATOR_COUNT + 1] = {NULL};
    double expected[2 * OPERATOR_COUNT];
    size_t count = 0;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++)
        for (int k = 0; k < 2; k++) {
            const double x = k ? 4.0 * a : a;
            const OperatorInfo *info = operator_info((Operator)op);
            if (!(operation_is_function((Operation)op) || op == OPERATOR_MINIMUM ||
                  op == OPERATOR_MAXIMUM) ||
                operator_outside((Operator)op, x, b))
                continue;
            snprintf(rows[count], sizeof rows[count], "f%zu = %s(%sa%s)", count, info->text,
                     k ? "4 * " : "", info->count == 2 ? ", b" : "");
            texts[count] = rows[count];
            expected[count++] = operator_apply((Operator)op, x, b, 0.0);
        }
    assert_true(count > 60);
    StudyTrial t = study_trial("model P parameter Real a = 0.625, b = -1.75; Real x = time; end P;",
                               1.0, 1e-6, texts);
    study_trial_run(&t);
    for (size_t i = 0; i < count; i++) {
        const double value = study_trial_value(&t, i);
        if (memcmp(&value, &expected[i], sizeof value) != 0)
            fail_msg("%s: %.17g, not %.17g", rows[i], value, expected[i]);
    }
    study_trial_end(&t);
    // What is wrong stays visible.
    const char *wrong[] = {"m = min(sqrt(b), 1)", "s = sign(log(b))", NULL};
    t = study_trial("model P parameter Real a = 0.625, b = -1.75; Real x = time; end P;", 1.0, 1e-6,
                    wrong);
    study_trial_run(&t);
    assert_true(isnan(study_trial_value(&t, 0)) && isnan(study_trial_value(&t, 1)));
    study_trial_end(&t);
}

// y ends at t = 0.5, and z is infinite from t = 0.75 on: what looks at these times has no value,
// and what looks at others is right.
static void test_undefined(void **state)
{
    (void)state;
    const char *texts[] = {"integral(y)",
                           "maximum(z)",
                           "time_of_maximum(z)",
                           "minimum(abs(y), from = 0.25)",
                           "z",
                           "integral(y, to = 0.4375)",
                           "maximum(z, to = 0.5)",
                           "minimum(y, from = 0.25, to = 0.4375)",
                           "integral(x)",
                           "duration(y > 0.5, to = 0.4375)",
                           "duration(not y > 0.5)",
                           "duration(x > 0.5 and y > 0.5)",
                           "duration(y > 0.5 or x < 0.625)",
                           "time_of(y < 0.25)",
                           NULL};
    StudyTrial t = study_trial("model U Real x(start = 1, fixed = true), y, z;\n"
                               "equation der(x) = -1; y = sqrt(x - 0.5);\n"
                               "  z = 1/max(0, x - 0.25); end U;",
                               1.0, 1e-8, texts);
    study_trial_run(&t);
    for (size_t i = 0; i < 11; i += i == 3 ? 7 : 1) {
        const ObserveResult r = study_result(t.runner, i);
        const char *since = strstr(r.reason, "is not finite at t = ");
        assert_true(isnan(r.values[0]));
        assert_non_null(since);
        assert_close(strtod(since + 21, NULL), i == 1 || i == 2 ? 0.75 : 0.5, 1e-5); // its digits
    }
    assert_true(isinf(study_trial_value(&t, 4)));
    assert_string_equal(study_result(t.runner, 4).reason, "'z' is infinite");
    assert_close(study_trial_value(&t, 5), 2.0 / 3.0 * (pow(0.5, 1.5) - pow(0.0625, 1.5)), 1e-11);
    assert_close(study_trial_value(&t, 6), 4.0, 1e-11);
    assert_close(study_trial_value(&t, 7), 0.25, 1e-11);
    assert_close(study_trial_value(&t, 8), 0.5, 1e-11);
    assert_close(study_trial_value(&t, 9), 0.25, 1e-11);
    assert_close(study_trial_value(&t, 11), 0.25, 1e-11); // other conditions decide, or nothing
    assert_close(study_trial_value(&t, 12), 0.875, 1e-11);
    assert_close(study_trial_value(&t, 13), 0.4375, 1e-11);
    study_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator), cmocka_unit_test(test_ball),
        cmocka_unit_test(test_kinks),      cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_looking_changes_nothing),
        cmocka_unit_test(test_solvers),    cmocka_unit_test(test_public),
        cmocka_unit_test(test_functions),  cmocka_unit_test(test_long_conditions),
        cmocka_unit_test(test_undefined),  cmocka_unit_test(test_events_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
