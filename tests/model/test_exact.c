// SPDX-License-Identifier: MIT
//
// Linear modes solved exactly, against closed forms: what is left is rounding, whatever the
// tolerance is.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Rounding of some hundred steps, each with products of small matrices.
static const double rounding = 2e-13;

static const double pi = 3.14159265358979323846;

// With the loosest tolerance that makes sense: it must not matter.
static Trial *run_exactly(const char *text, SaltusSolver solver, double stop_time)
{
    Trial *t = trial_text(text);
    assert_string_equal(trial_messages(t), "");
    SaltusOptions *o = trial_options(t);
    o->method.solver = solver;
    o->method.relative_tolerance = 1e-4;
    o->method.absolute_tolerance = 1e-4;
    assert_int_equal(trial_run(t, stop_time), SALTUS_OK);
    return t;
}

static SaltusStatistics statistics_of(const Trial *t)
{
    return saltus_run_statistics(trial_get_run(t));
}

static void assert_exact(const Trial *t)
{
    const SaltusStatistics s = statistics_of(t);
    assert_true(s.steps > 0);
    assert_int_equal(s.exact_steps, s.steps);
}

// x = exp(-d t) (cos(w t) + d / w sin(w t))
static void damped_oscillator(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Oscillator\n"
                           "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "  parameter Real w = 2, d = 0.1;\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -w^2*x - 2*d*v;\n"
                           "end Oscillator;\n",
                           SALTUS_SOLVER_AUTO, 10.0);
    const double d = 0.1, w = sqrt(4.0 - d * d);
    ASSERT_VALUE(t, "x", exp(-10.0 * d) * (cos(10.0 * w) + d / w * sin(10.0 * w)));
    ASSERT_VALUE(t, "v", -exp(-10.0 * d) * 4.0 / w * sin(10.0 * w));
    assert_exact(t);
    trial_end(t);
}

// Bounces at t1 (1 + 2 (e + e^2 + ... + e^k)), t1 = sqrt(2 h / g).
static void bouncing_ball(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Ball\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "  parameter Real g = 9.81, e = 0.9;\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -g;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "  end when;\n"
                           "end Ball;\n",
                           SALTUS_SOLVER_AUTO, 8.0);
    const SaltusRun *run = trial_get_run(t);
    assert_exact(t);
    double expected = sqrt(2.0 / 9.81), flight = 2.0 * expected;
    int count = 0;
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        const SaltusLogEntry entry = saltus_run_event(run, i);
        if (!(entry.occasion & SALTUS_AT_CROSSING))
            continue;
        assert_true(fabs(entry.t - expected) <= 1e-13 * expected);
        flight *= 0.9;
        expected += flight;
        count++;
    }
    assert_int_equal(count, 26); // the next one is at 8.05
    assert_true(expected > 8.0);
    trial_end(t);
}

// To the very end: bounces at intervals of 1e-13, at heights of 1e-26, accumulate.
static void bouncing_to_the_end(void **state)
{
    (void)state;
    Trial *t = trial_text("model Ball\n"
                          "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(h) = v;\n"
                          "  der(v) = -9.81;\n"
                          "  when h < 0 then\n"
                          "    reinit(v, -0.5*pre(v));\n"
                          "  end when;\n"
                          "end Ball;\n");
    assert_int_equal(trial_run(t, 3.0), SALTUS_ZENO);
    assert_exact(t);
    // t1 (1 + 2 (1/2 + 1/4 + ...)) = 3 t1
    const double limit = 3.0 * sqrt(2.0 / 9.81);
    const SaltusRun *run = trial_get_run(t);
    assert_true(fabs(saltus_run_time(run) - limit) <= 1e-11);
    assert_true(saltus_run_event_count(run) >= 40);
    trial_end(t);
}

// a follows b within a microsecond: |eigenvalues| are 1e6 and 1.
static void stiff(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Stiff\n"
                           "  Real a(start = 1, fixed = true), b(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(a) = -1e6*(a - b);\n"
                           "  der(b) = -b + cos(time);\n"
                           "end Stiff;\n",
                           SALTUS_SOLVER_AUTO, 10.0);
    // b = (cos t + sin t - exp(-t)) / 2; of exp(s t) in b, l / (l + s) is in a
    const double l = 1e6, c = cos(10.0), s = sin(10.0), e = exp(-10.0);
    const double real = l * l / (l * l + 1.0), imaginary = -l / (l * l + 1.0); // l / (l + i)
    // Re((1 - i) / 2 (real + i imaginary) (c + i s))
    const double wave = 0.5 * ((real + imaginary) * c - (imaginary - real) * s);
    ASSERT_VALUE(t, "b", 0.5 * (c + s - e));
    // eps times the eigenvalue times the time is 1e-9 at worst
    trial_assert_value(t, "a", wave - 0.5 * e * l / (l - 1.0), 1e-9);
    assert_exact(t);
    assert_true(statistics_of(t).steps < 200);
    trial_end(t);
}

// Defective matrices and zero eigenvalues: exp(-t) (1 + t + t^2 / 2), and powers of time.
static void defective(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Defective\n"
                           "  Real x[3](each start = 1, each fixed = true);\n"
                           "  Real y[3](each start = 0, each fixed = true);\n"
                           "equation\n"
                           "  der(x[1]) = -x[1] + x[2];\n"
                           "  der(x[2]) = -x[2] + x[3];\n"
                           "  der(x[3]) = -x[3];\n"
                           "  der(y[1]) = y[2];\n"
                           "  der(y[2]) = y[3];\n"
                           "  der(y[3]) = 6 + time;\n"
                           "end Defective;\n",
                           SALTUS_SOLVER_EXACT, 5.0);
    const double e = exp(-5.0);
    ASSERT_VALUE(t, "x[1]", e * (1.0 + 5.0 + 12.5));
    ASSERT_VALUE(t, "x[2]", e * 6.0);
    ASSERT_VALUE(t, "x[3]", e);
    ASSERT_VALUE(t, "y[1]", 125.0 + 625.0 / 24.0);
    ASSERT_VALUE(t, "y[2]", 75.0 + 125.0 / 6.0);
    ASSERT_VALUE(t, "y[3]", 30.0 + 12.5);
    trial_end(t);
}

// Sines in resonance, ramps, exponentials and products of them.
static void inputs(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Inputs\n"
                           "  parameter Real w = 3, p = 0.4;\n"
                           "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                           "  Real r(start = 0, fixed = true), q(start = 0, fixed = true);\n"
                           "  Real s(start = 0, fixed = true), u = (time - 2)^2/2;\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -w^2*x + sin(w*time);\n"
                           "  der(r) = u;\n"
                           "  der(q) = time*exp(-time) + cos(w*time + p);\n"
                           "  der(s) = exp(-2*(time - 1))*sin(w*time);\n"
                           "end Inputs;\n",
                           SALTUS_SOLVER_EXACT, 20.0);
    const double w = 3.0, T = 20.0, p = 0.4;
    ASSERT_VALUE(t, "x", (sin(w * T) - w * T * cos(w * T)) / (2.0 * w * w));
    ASSERT_VALUE(t, "r", (18.0 * 18.0 * 18.0 + 8.0) / 6.0);
    ASSERT_VALUE(t, "q", 1.0 - (T + 1.0) * exp(-T) + (sin(w * T + p) - sin(p)) / w);
    ASSERT_VALUE(t, "s",
                 exp(2.0) * (w - exp(-2.0 * T) * (2.0 * sin(w * T) + w * cos(w * T))) /
                     (4.0 + w * w));
    assert_exact(t);
    trial_end(t);
}

static const char *const rectifier =
    "model Rectifier\n"
    "  parameter Real R = 10, L = 0.01, C = 1e-4, w = 314;\n"
    "  Real i(start = 0, fixed = true), u(start = 0, fixed = true), d, s;\n"
    "  Boolean off(start = true) = s < 0;\n"
    "equation\n"
    "  L*der(i) = 10*sin(w*time) - R*i - u;\n"
    "  C*der(u) = i - d;\n"
    "  u = if off then s else 0;\n"
    "  d = if off then 0 else s;\n"
    "end Rectifier;\n";

// A diode that short-circuits the capacitor: two modes, of two states and of one. Against
// the method of order 8 with a tolerance of 1e-13.
static void changing_structure(void **state)
{
    (void)state;
    Trial *exact = run_exactly(rectifier, SALTUS_SOLVER_AUTO, 0.5);
    Trial *t = trial_text(rectifier);
    trial_options(t)->method.solver = SALTUS_SOLVER_DOP853;
    trial_options(t)->method.relative_tolerance = 1e-13;
    trial_options(t)->method.absolute_tolerance = 1e-15;
    assert_int_equal(trial_run(t, 0.5), SALTUS_OK);
    assert_exact(exact);
    const SaltusRun *a = trial_get_run(exact), *b = trial_get_run(t);
    const long count = saltus_run_event_count(b);
    assert_true(count > 40);
    assert_int_equal(saltus_run_event_count(a), count);
    for (long i = 0; i < count; i++)
        assert_true(fabs(saltus_run_event(a, i).t - saltus_run_event(b, i).t) <= 1e-12);
    trial_assert_value(exact, "u", trial_value(t, "u"), 1e-10);
    trial_assert_value(exact, "i", trial_value(t, "i"), 1e-10);
    trial_end(t);
    trial_end(exact);
}

// Coefficients that change at events: more of them than matrices are kept for.
static void changing_coefficients(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Stairs\n"
                           "  Real x(start = 1, fixed = true);\n"
                           "  discrete Integer n(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(x) = (if mod(n, 7) < 3 then 1 else -1)*mod(n, 7)*x;\n"
                           "  when sample(1, 1) then\n"
                           "    n = pre(n) + 1;\n"
                           "  end when;\n"
                           "end Stairs;\n",
                           SALTUS_SOLVER_AUTO, 30.0);
    double exponent = 0.0;
    for (int n = 0; n < 30; n++)
        exponent += (n % 7 < 3 ? 1.0 : -1.0) * (n % 7);
    assert_true(fabs(log(trial_value(t, "x")) - exponent) <= 1e-12 * fabs(exponent));
    assert_exact(t);
    trial_end(t);
}

// No crossing is lost: sin(w t) + sin(1.1 w t) above 1.9, which it is for short times only; a beat,
// with a slow state beside it whose steps could be long.
static void crossings(void **state)
{
    (void)state;
    const char *text = "model Crossings\n"
                       "  parameter Real w = 40;\n"
                       "  Real a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
                       "  Real va(start = w, fixed = true), vb(start = 1.1*w, fixed = true);\n"
                       "  Real slow(start = 1, fixed = true);\n"
                       "  Integer n(start = 0, fixed = true);\n"
                       "equation\n"
                       "  der(a) = va; der(va) = -w^2*a;\n"
                       "  der(b) = vb; der(vb) = -(1.1*w)^2*b;\n"
                       "  der(slow) = -0.01*slow;\n"
                       "  when a + b > 1.9 then\n"
                       "    n = pre(n) + 1;\n"
                       "  end when;\n"
                       "end Crossings;\n";
    Trial *t = run_exactly(text, SALTUS_SOLVER_AUTO, 20.0);
    assert_exact(t);
    int expected = 0;
    bool is_above = false;
    for (long k = 0; k <= 2000000; k++) {
        const double s = 40.0 * (1e-5 * (double)k);
        const bool is_now = sin(s) + sin(1.1 * s) > 1.9;
        expected += is_now && !is_above;
        is_above = is_now;
    }
    assert_true(expected > 20);
    assert_int_equal((int)trial_value(t, "n"), expected);
    trial_end(t);
}

// A fast motion that begins at an event, when steps have become long.
static void excited_later(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Later\n"
                           "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                           "  Integer n(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -1e6*x;\n"
                           "  when time > 100 then\n"
                           "    reinit(v, 1000);\n"
                           "  end when;\n"
                           "  when x > 0.5 then\n"
                           "    n = pre(n) + 1;\n"
                           "  end when;\n"
                           "end Later;\n",
                           SALTUS_SOLVER_AUTO, 101.0);
    // sin(1000 s) is above 1/2 for the first time at pi / 6, then every 2 pi
    assert_int_equal((int)trial_value(t, "n"), (int)floor((1000.0 - pi / 6.0) / (2.0 * pi)) + 1);
    trial_assert_value(t, "x", sin(1000.0), 1e-10); // eps |M| t
    trial_end(t);
}

static const char *const half =
    "model Half \"a spring in contact, drag in flight\"\n"
    "  inner Real h(start = 1, fixed = true), v(start = 0, fixed = true), f;\n"
    "  model Flight\n    outer output Real f;\n    outer Real v;\n"
    "  equation\n    f = -0.1*v*abs(v);\n  end Flight;\n"
    "  model Contact\n    outer output Real f;\n    outer Real h;\n    outer Real v;\n"
    "  equation\n    f = -1000*h - 5*v;\n  end Contact;\n"
    "  Flight flight;\n"
    "  Contact contact;\n"
    "equation\n"
    "  initialState(flight);\n"
    "  transition(flight, contact, h < 0);\n"
    "  transition(contact, flight, h > 0);\n"
    "  der(h) = v;\n"
    "  der(v) = -9.81 + f;\n"
    "end Half;\n";

// One mode is linear, the other is not.
static void one_of_two_modes(void **state)
{
    (void)state;
    Trial *t = trial_text(half);
    assert_string_equal(trial_messages(t), "");
    trial_options(t)->method.solver = SALTUS_SOLVER_EXACT;
    trial_options(t)->method.relative_tolerance = 1e-10;
    trial_options(t)->method.absolute_tolerance = 1e-12;
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    const SaltusStatistics s = statistics_of(t);
    assert_true(s.exact_steps > 0 && s.exact_steps < s.steps);
    Trial *other = trial_text(half);
    trial_options(other)->method.solver = SALTUS_SOLVER_DOP853;
    trial_options(other)->method.relative_tolerance = 1e-12;
    trial_options(other)->method.absolute_tolerance = 1e-14;
    assert_int_equal(trial_run(other, 3.0), SALTUS_OK);
    trial_assert_value(t, "h", trial_value(other, "h"), 1e-8);
    trial_end(other);
    trial_end(t);
}

static void assert_nonlinear(const char *equation, const char *expected)
{
    char text[600];
    snprintf(text, sizeof text,
             "model Nonlinear\n"
             "  Real x(start = 1, fixed = true), y;\n"
             "equation\n"
             "  y = 2*x + time;\n"
             "  %s;\n"
             "end Nonlinear;\n",
             equation);
    Trial *t = run_exactly(text, SALTUS_SOLVER_EXACT, 1.0);
    const SaltusRun *run = trial_get_run(t);
    const SaltusModeDef *mode = saltus_system_mode(saltus_run_system(run), saltus_run_mode(run));
    assert_int_equal(statistics_of(t).exact_steps, 0);
    assert_false(saltus_run_was_exact(run, saltus_run_mode(run)));
    assert_null(mode->hints.linear);
    assert_non_null(strstr(mode->hints.nonlinear, "line 5"));
    assert_non_null(strstr(mode->hints.nonlinear, expected));
    trial_end(t);
}

// What is not linear is not taken for linear, and is named.
static void obstacles(void **state)
{
    (void)state;
    assert_nonlinear("der(x) = -x*y", "is not linear");
    assert_nonlinear("der(x) = -y*time", "coefficients that change");
    assert_nonlinear("der(x) = -y + sqrt(time)", "no sum of powers");
    assert_nonlinear("der(x) = -y + sin(time^2)", "no sum of powers");
    assert_nonlinear("der(x) = -y + noEvent(if time > 0.5 then 1 else 0)", "no sum of powers");
    assert_nonlinear("der(x) = -noEvent(abs(x))", "is not linear");
    assert_nonlinear("der(x) = -y + noEvent(max(time, 0.5))", "no sum of powers");
}

// Independent parts, and a loop of equations that has to be solved.
static void parts_and_loops(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Parts\n"
                           "  Real x(start = 1, fixed = true), a, b, c;\n"
                           "  Real y(start = 2, fixed = true);\n"
                           "  Real z(start = 0, fixed = true);\n"
                           "  parameter Real k = 2;\n"
                           "equation\n"
                           "  der(x) = a;\n"
                           "  a + k*b = x;\n"
                           "  b - c = 3*a;\n"
                           "  c + a = -k*b + 1;\n"
                           "  der(y) = -y;\n"
                           "  der(z) = sin(time);\n"
                           "end Parts;\n",
                           SALTUS_SOLVER_AUTO, 2.0);
    // c = 1 - x, k b = x - a, so (x - a) / k - 1 + x = 3 a: a = (1.5 x - 1) / 3.5
    const double x = 2.0 / 3.0 + (1.0 - 2.0 / 3.0) * exp(2.0 * 1.5 / 3.5);
    ASSERT_VALUE(t, "x", x);
    ASSERT_VALUE(t, "a", (1.5 * x - 1.0) / 3.5);
    ASSERT_VALUE(t, "y", 2.0 * exp(-2.0));
    ASSERT_VALUE(t, "z", 1.0 - cos(2.0));
    assert_exact(t);
    trial_end(t);
}

// Rows between steps are exact, too.
static void rows(void **state)
{
    (void)state;
    Trial *t = trial_text("model Rows\n"
                          "  Real x(start = 0, fixed = true), v(start = 1, fixed = true);\n"
                          "equation\n"
                          "  der(x) = v;\n"
                          "  der(v) = -x;\n"
                          "end Rows;\n");
    SaltusOptions *o = trial_options(t);
    o->method.relative_tolerance = 1e-3;
    o->record = SALTUS_RECORD_INTERVALS;
    o->output_interval = 0.01;
    assert_int_equal(trial_run(t, 10.0), SALTUS_OK);
    assert_exact(t);
    const SaltusRun *run = trial_get_run(t);
    assert_true(saltus_run_row_count(run) > 1000);
    for (long i = 0; i < saltus_run_row_count(run); i++) {
        const SaltusRow row = saltus_run_row(run, i);
        assert_true(fabs(row.x[0] - sin(row.t)) <= 1e-14 * (1.0 + row.t));
    }
    trial_end(t);
}

// Where no event can be and nothing but the end is wanted, one step leads there. x'' = -4 x + sin
// 3t from rest: x = 3/10 sin 2t - 1/5 sin 3t. |M| t eps is 1e-12 here, |M| being about 9.
static void nothing_between(void **state)
{
    (void)state;
    static const unsigned records[] = {SALTUS_RECORD_EVENTS, SALTUS_RECORD_INTERVALS,
                                       SALTUS_RECORD_STEPS};
    static const long least[] = {1, 10, 100}, most[] = {1, 10, 100000};
    for (int k = 0; k < 3; k++) {
        Trial *t = trial_text("model Forced\n"
                              "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = v;\n"
                              "  der(v) = -4*x + sin(3*time);\n"
                              "end Forced;\n");
        SaltusOptions *o = trial_options(t);
        o->method.relative_tolerance = 1e-3;
        o->method.max_step = 1.0;
        o->record = records[k];
        o->output_interval = 100.0;
        assert_int_equal(trial_run(t, 1000.0), SALTUS_OK);
        assert_exact(t);
        const SaltusRun *run = trial_get_run(t);
        assert_in_range(statistics_of(t).steps, least[k], most[k]);
        for (long i = 0; i < saltus_run_row_count(run); i++) {
            const SaltusRow row = saltus_run_row(run, i);
            assert_true(fabs(row.x[0] - (0.3 * sin(2.0 * row.t) - 0.2 * sin(3.0 * row.t))) <=
                        2e-12);
        }
        trial_end(t);
    }
}

// How large the numbers are does not matter: energies in J, distances in nm, forces on what is
// light. Steps are as long as the motion asks for; they were as short as 1e-6 / 1e13.
static void any_units(void **state)
{
    (void)state;
    Trial *t = run_exactly("model Day\n"
                           "  Real E(start = 0, fixed = true), h(start = 1, fixed = true), S;\n"
                           "initial equation\n"
                           "  S = 0;\n"
                           "equation\n"
                           "  der(E) = 4e8*h;\n"
                           "  der(S) = 1e6*E;\n"
                           "  der(h) = -1e-5*h;\n"
                           "end Day;\n",
                           SALTUS_SOLVER_AUTO, 86400.0);
    const double r = 1.0 - exp(-0.864);
    ASSERT_VALUE(t, "E", 4e13 * r);
    ASSERT_VALUE(t, "S", 4e19 * (86400.0 - 1e5 * r));
    assert_exact(t);
    assert_true(statistics_of(t).steps < 1000);
    trial_end(t);
    // up and down, past a height; and an oscillator that a force of 1e15 displaces
    t = run_exactly("model Throw\n"
                    "  Real x(start = 0, fixed = true), v(start = 4e18, fixed = true);\n"
                    "  Real y(start = 0, fixed = true), w(start = 0, fixed = true);\n"
                    "  Integer n(start = 0, fixed = true);\n"
                    "equation\n"
                    "  der(x) = v;\n"
                    "  der(v) = -1e19;\n"
                    "  der(y) = w;\n"
                    "  der(w) = 1e15 - 4*y;\n"
                    "  when {x > 0.6e18, x < 0.6e18} then n = pre(n) + 1; end when;\n"
                    "end Throw;\n",
                    SALTUS_SOLVER_EXACT, 1.0);
    ASSERT_VALUE(t, "n", 2.0);
    ASSERT_VALUE(t, "x", -1e18);
    ASSERT_VALUE(t, "y", 2.5e14 * (1.0 - cos(2.0)));
    assert_true(statistics_of(t).steps < 1000);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_oscillator),   cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(bouncing_to_the_end), cmocka_unit_test(stiff),
        cmocka_unit_test(defective),           cmocka_unit_test(inputs),
        cmocka_unit_test(changing_structure),  cmocka_unit_test(changing_coefficients),
        cmocka_unit_test(crossings),           cmocka_unit_test(excited_later),
        cmocka_unit_test(one_of_two_modes),    cmocka_unit_test(obstacles),
        cmocka_unit_test(parts_and_loops),     cmocka_unit_test(rows),
        cmocka_unit_test(nothing_between),     cmocka_unit_test(any_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
