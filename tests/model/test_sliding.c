// SPDX-License-Identifier: MIT
//
// Sliding modes: relays, Coulomb friction, quotas, several surfaces at once, against closed forms
// and against an integration of Filippov's equations written for this test.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ASSERT_NEAR(actual, expected, bound)                                                       \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= (bound)))                                                           \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

// Solvers that keep a tolerance make errors of about a hundred times it over these runs.
static const double tolerance = 1e-10, bound = 1e-7;

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_RK4};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void set_solver(Trial *t, SaltusSolver solver)
{
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = tolerance;
    trial_options(t)->method.absolute_tolerance = tolerance;
    if (solver == SALTUS_SOLVER_RK4)
        trial_options(t)->method.step = 1e-3; // error about step^4
}

static void finish(Trial *t, double stop_time)
{
    const SaltusStatus status = trial_run(t, stop_time);
    if (status != SALTUS_OK)
        fail_msg("%s", trial_error(t));
}

static Trial *run_model(const char *model, SaltusSolver solver, double stop_time)
{
    Trial *t = trial_file("modes/Sliding.mo", model);
    set_solver(t, solver);
    finish(t, stop_time);
    return t;
}

static Trial *run_text(const char *text, double stop_time)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    set_solver(t, SALTUS_SOLVER_DOP853);
    finish(t, stop_time);
    return t;
}

static double event_time(const Trial *t, long index)
{
    return saltus_run_event(trial_get_run(t), index).t;
}

static long event_count(const Trial *t)
{
    return saltus_run_event_count(trial_get_run(t));
}

static const char *mode_after(const Trial *t, long index)
{
    return trial_mode_name(t, saltus_run_event(trial_get_run(t), index).to);
}

// The zero of f in [a, b].
static double zero_of(double (*f)(double), double a, double b)
{
    const bool is_rising = f(a) < 0.0;
    for (int i = 0; i < 200; i++) {
        const double c = 0.5 * (a + b);
        if ((f(c) < 0.0) == is_rising)
            a = c;
        else
            b = c;
    }
    return 0.5 * (a + b);
}

// ---------------------------------------------------------------------------
// Closed forms
// ---------------------------------------------------------------------------

// x = 1 - t^2/2 meets v = -t at t = sqrt(3) - 1; from there on x' = -x, with u = x between -1
// and 1.
static void double_integrator(void **state)
{
    (void)state;
    const double met = sqrt(3.0) - 1.0;
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_model("Sliding.DoubleIntegrator", solvers[i], 5.0);
        assert_int_equal(event_count(t), 1);
        ASSERT_NEAR(event_time(t, 0), met, bound);
        assert_string_equal(mode_after(t, 0), "sliding on x + v > 0.0");
        ASSERT_NEAR(trial_value(t, "x"), met * exp(met - 5.0), bound);
        ASSERT_NEAR(trial_value(t, "v"), -met * exp(met - 5.0), bound);
        ASSERT_NEAR(trial_value(t, "u"), met * exp(met - 5.0), bound);
        trial_end(t);
    }
}

// The belt drags the mass while the spring's force is below F = 1; then x'' = c x' - x + 1 - c b,
// from x = 1 and x' = b, until the mass has the speed b of the belt again.
static const double belt_c = 0.2, belt_speed = 0.5;

// x and v a time after x0, v0, while the mass is slower than the belt.
static void slip(double x0, double v0, double t, double *x, double *v)
{
    const double rest = 1.0 - belt_c * belt_speed, a = 0.5 * belt_c, w = sqrt(1.0 - a * a);
    const double p = x0 - rest, q = (v0 - a * p) / w;
    const double e = exp(a * t), c = cos(w * t), s = sin(w * t);
    *x = rest + e * (p * c + q * s);
    *v = a * e * (p * c + q * s) + e * w * (q * c - p * s);
}

static double first_slip(double t)
{
    double x, v;
    slip(0.0, 0.0, t, &x, &v);
    return v - belt_speed;
}

static double next_slip(double t)
{
    double x, v;
    slip(1.0, belt_speed, t, &x, &v);
    return v - belt_speed;
}

static void stick_and_slip(void **state)
{
    (void)state;
    double x, v;
    const double first = zero_of(first_slip, 0.1, 1.0), lasting = zero_of(next_slip, 3.0, 6.0);
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_model("Sliding.Belt", solvers[i], 30.0);
        assert_int_equal(event_count(t), 10);
        slip(0.0, 0.0, first, &x, &v);
        double time = first;
        for (long k = 0; k < 10; k += 2) {
            ASSERT_NEAR(event_time(t, k), time, 10.0 * bound);
            assert_string_equal(mode_after(t, k), "sliding on v - belt < 0.0");
            time += (1.0 - x) / belt_speed; // it moves with the belt
            ASSERT_NEAR(event_time(t, k + 1), time, 10.0 * bound);
            assert_string_equal(mode_after(t, k + 1), "default");
            slip(1.0, belt_speed, lasting, &x, &v);
            time += lasting;
        }
        slip(1.0, belt_speed, 30.0 - (time - lasting), &x, &v);
        ASSERT_NEAR(trial_value(t, "x"), x, 10.0 * bound);
        ASSERT_NEAR(trial_value(t, "v"), v, 10.0 * bound);
        trial_end(t);
    }
}

// Force 1.5 sin t against friction 1: it begins to move where 1.5 sin t = 1, and is at rest again
// where the integral is zero; there |1.5 sin t| < 1, until 1.5 sin t = -1.
static double driven_start(void)
{
    return asin(2.0 / 3.0);
}

static double driven_speed(double t)
{
    const double begin = driven_start();
    return 1.5 * (cos(begin) - cos(t)) - (t - begin);
}

static void friction_from_rest(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real v(start = 0, fixed = true), F = 1.5*sin(time), R = sign(v);\n"
                        "equation\n"
                        "  der(v) = F - R;\n"
                        "end M;\n",
                        4.0);
    const double rest = zero_of(driven_speed, 2.0, 4.0);
    assert_int_equal(event_count(t), 4);
    assert_true(event_time(t, 0) == 0.0);
    ASSERT_NEAR(event_time(t, 1), driven_start(), bound);
    ASSERT_NEAR(event_time(t, 2), rest, bound);
    ASSERT_NEAR(event_time(t, 3), acos(-1.0) + driven_start(), bound);
    assert_string_equal(mode_after(t, 3), "default");
    ASSERT_NEAR(trial_value(t, "R"), -1.0, 0.0);
    trial_end(t);
}

// T' = P - (T - wall) until T = 20, then T stays, and wall -> 12.5 with the rate 1/5.
static const double heated_to = 20.0;

static void heat(double t, double *T, double *wall)
{
    // Eigenvalues of [[-1, 1], [0.1, -0.2]]; with the heater on both rest at 65 and 35.
    const double root = 0.5 * sqrt(1.04), a = -0.6 + root, b = -0.6 - root;
    const double p = 10.0 - 65.0, q = 10.0 - 35.0; // T = 65 + A e^at + B e^bt, wall = T' + T - 30
    const double slope = -p + q, A = (slope - b * p) / (a - b), B = p - A;
    *T = 65.0 + A * exp(a * t) + B * exp(b * t);
    *wall = a * A * exp(a * t) + b * B * exp(b * t) + *T - 30.0;
}

static double heating(double t)
{
    double T, wall;
    heat(t, &T, &wall);
    return T - heated_to;
}

static void thermostat(void **state)
{
    (void)state;
    double T, wall;
    const double met = zero_of(heating, 0.1, 2.0);
    heat(met, &T, &wall);
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_model("Sliding.Thermostat", solvers[i], 12.0);
        assert_int_equal(event_count(t), 1);
        ASSERT_NEAR(event_time(t, 0), met, bound);
        ASSERT_NEAR(trial_value(t, "T"), heated_to, 1e-12);
        ASSERT_NEAR(trial_value(t, "wall"), 12.5 + (wall - 12.5) * exp(-0.2 * (12.0 - met)),
                    20.0 * bound);
        trial_end(t);
    }
}

// f' = 0.1 f - 0.05 f^2 while fishing; then what grows back is caught.
static void quota(void **state)
{
    (void)state;
    const double met = 10.0 * log((1.0 - 2.0 / 9.0) / (1.0 - 2.0 / 6.0));
    const double caught = 0.4 * (0.1 * met - log(6.0 / 9.0)) / 0.05;
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_model("Sliding.Quota", solvers[i], 40.0);
        assert_int_equal(event_count(t), 1);
        ASSERT_NEAR(event_time(t, 0), met, 10.0 * bound);
        ASSERT_NEAR(trial_value(t, "fish"), 6.0, 1e-12);
        ASSERT_NEAR(trial_value(t, "rate"), 1.2, 1e-12);
        ASSERT_NEAR(trial_value(t, "caught"), caught + 1.2 * (40.0 - met), 100.0 * bound);
        trial_end(t);
    }
}

// x slides from where its integral is zero, with sign(x) = y z / 2; y from t = 2 on.
static double relayed(double t)
{
    // y = 2 - t, z = exp(-t): x = 1 - t + (1 - (1 - t) e^-t) / 2
    return 1.0 - t + 0.5 * (1.0 - (1.0 - t) * exp(-t));
}

static void two_relays(void **state)
{
    (void)state;
    const double met = zero_of(relayed, 1.0, 2.0);
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_model("Sliding.TwoRelays", solvers[i], 1.8);
        assert_int_equal(event_count(t), 1);
        ASSERT_NEAR(event_time(t, 0), met, bound);
        ASSERT_NEAR(trial_value(t, "u"), 0.5 * 0.2 * exp(-1.8), bound);
        finish(t, 4.0);
        assert_int_equal(event_count(t), 2);
        ASSERT_NEAR(event_time(t, 1), 2.0, bound);
        assert_string_equal(mode_after(t, 1), "sliding on x < 0.0 and y < 0.0");
        ASSERT_NEAR(trial_value(t, "x"), 0.0, 1e-12);
        ASSERT_NEAR(trial_value(t, "y"), 0.0, 1e-12);
        trial_end(t);
    }
}

// Both surfaces at the same instant. On them f = 0 by u = 2/3 and w = 1/2, in a product.
static void corner(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
                        "  Real s(start = 0, fixed = true);\n"
                        "equation\n"
                        "  der(x) = if x > 0 then -1 else 2;\n"
                        "  der(y) = -sign(y);\n"
                        "  der(s) = if x > 0 then (if y > 0 then 1 else 0) else 0;\n"
                        "end M;\n",
                        3.0);
    assert_int_equal(event_count(t), 1);
    ASSERT_NEAR(event_time(t, 0), 1.0, 1e-9);
    assert_string_equal(mode_after(t, 0), "sliding on x > 0.0 and y < 0.0");
    ASSERT_NEAR(trial_value(t, "s"), 1.0 + 2.0 / 3.0, 1e-8);
    trial_end(t);
}

// The circle attracts; on it the motion is phi' = 1, and no coordinate is a good state all around.
static void curved_surface(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 2, fixed = true), y(start = 0, fixed = true);\n"
                        "  Real u = if x^2 + y^2 > 1 then -3 else 3;\n"
                        "equation\n"
                        "  der(x) = u*x - y;\n"
                        "  der(y) = u*y + x;\n"
                        "end M;\n",
                        20.0);
    assert_int_equal(event_count(t), 1);
    ASSERT_NEAR(event_time(t, 0), log(2.0) / 3.0, bound);
    ASSERT_NEAR(trial_value(t, "x"), cos(20.0), bound);
    ASSERT_NEAR(trial_value(t, "y"), sin(20.0), bound);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// Ways in and out
// ---------------------------------------------------------------------------

// However the condition is written, it is the same mode.
static void same_by_other_words(void **state)
{
    (void)state;
    static const char *const controls[] = {
        "Real u = if 0 < x + v then -1 else 1;",
        "Real u = if x < -v then 1 else -1;",
        "Boolean b = x + v > 0; Real u = if b then -1 else 1;",
        "Boolean b = x + v > 0, c = not b; Integer k = if c then 1 else -1; Real u = k;",
        "Real u = -sign(x + v);",
        "Real u; equation if x + v > 0 then u = -1; else u = 1; end if;",
        "Real s = x + v, u = if s >= 0 then -1 else 1;",
    };
    const double met = sqrt(3.0) - 1.0;
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); %s %s "
                 "der(x) = v; der(v) = u; end M;",
                 controls[i], strstr(controls[i], "equation") ? "" : "equation");
        Trial *t = run_text(text, 5.0);
        assert_int_equal(event_count(t), 1);
        assert_non_null(strstr(mode_after(t, 0), "sliding on "));
        ASSERT_NEAR(trial_value(t, "x"), met * exp(met - 5.0), bound);
        trial_end(t);
    }
}

// Both flows in the branches of an if-equation, in any order and as any multiples: x = 1/2 - t
// until t = 1/2; from there on half of each, y' = (1 + 3)/2.
static void flows_in_branches(void **state)
{
    (void)state;
    static const char *const branches[] = {
        "der(x) = -1; der(y) = 1; else der(x) = 1; der(y) = 3;",
        "der(x) = -1; der(y) = 1; else der(y) = 3; der(x) = 1;",
        "2*der(x) = -2; der(y) = 1; else der(x) = 1; der(y) = 3;",
        "der(y) = 1; der(x) = -1; else 4 = 4*der(x); der(y) = 3;",
        "2*der(x) = y - 2 - y; der(y) = 1; else der(y) = 3; -der(x) = -1;",
    };
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "model M Real x(start = 0.5, fixed = true), y(start = 0, fixed = true); "
                 "equation if x > 0 then %s end if; end M;",
                 branches[i]);
        Trial *t = run_text(text, 3.0);
        assert_int_equal(event_count(t), 1);
        assert_string_equal(mode_after(t, 0), "sliding on x > 0.0");
        ASSERT_NEAR(event_time(t, 0), 0.5, 1e-9);
        ASSERT_NEAR(trial_value(t, "x"), 0.0, 1e-9);
        ASSERT_NEAR(trial_value(t, "y"), 5.5, bound);
        trial_end(t);
    }
}

// reinit leaves the surface, whichever states the sliding mode has: from x = 1, v = -x0 on,
// v = -x0 - (t - 2) until x + v is zero again.
static void reinit_leaves(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                        "  Real u = if x + v > 0 then -1 else 1;\n"
                        "equation\n"
                        "  der(x) = v;\n"
                        "  der(v) = u;\n"
                        "  when time > 2 then reinit(x, 1); end when;\n"
                        "end M;\n",
                        5.0);
    const double x0 = (sqrt(3.0) - 1.0) * exp(sqrt(3.0) - 3.0);
    // 1 - x0 s - s^2/2 - x0 - s = 0
    const double s = -(1.0 + x0) + sqrt((1.0 + x0) * (1.0 + x0) + 2.0 * (1.0 - x0));
    assert_int_equal(event_count(t), 3);
    ASSERT_NEAR(event_time(t, 2), 2.0 + s, bound);
    ASSERT_NEAR(trial_value(t, "x"), (x0 + s) * exp(-(3.0 - s)), bound);
    trial_end(t);
}

// x is no state while it rests on the surface; the log says nevertheless what reinit did to it.
static void reinit_is_logged(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 0.3, fixed = true);\n"
                        "equation\n"
                        "  der(x) = if x > 0 then -1 else 1;\n"
                        "  when time > 1 then reinit(x, 0.5); end when;\n"
                        "end M;\n",
                        2.0);
    const SaltusLogEntry e = saltus_run_event(trial_get_run(t), 1);
    assert_true(e.t == 1.0);
    assert_true(e.classes & SALTUS_SE_X);
    assert_int_equal(e.change_count, 1);
    assert_string_equal(e.changes[0].name, "x");
    assert_true(fabs(e.changes[0].before) <= bound && e.changes[0].after == 0.5);
    ASSERT_NEAR(trial_value(t, "x"), 0.0, bound);
    trial_end(t);
}

// The surface jumps, the state does not: it goes to where the surface is now.
static void surface_jumps(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 1, fixed = true);\n"
                        "  discrete Real w(start = 0, fixed = true);\n"
                        "equation\n"
                        "  der(x) = if x > w then -2 else 4;\n"
                        "  when time > 1 then w = 0.5; end when;\n"
                        "end M;\n",
                        1.0625);
    assert_int_equal(event_count(t), 2);
    ASSERT_NEAR(event_time(t, 0), 0.5, 1e-9);
    ASSERT_NEAR(trial_value(t, "x"), 0.25, 1e-9);
    finish(t, 2.0);
    assert_int_equal(event_count(t), 3);
    ASSERT_NEAR(event_time(t, 2), 1.125, 1e-9);
    ASSERT_NEAR(trial_value(t, "x"), 0.5, 1e-12);
    trial_end(t);
}

// Another structure begins while it slides, and it goes on sliding.
static void structure_changes(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 1, fixed = true), v(start = 0, fixed = true), u;\n"
                        "  Real q(start = 0, fixed = true);\n"
                        "  Boolean closed = time > 2;\n"
                        "equation\n"
                        "  der(x) = v;\n"
                        "  der(v) = u;\n"
                        "  u = if x + v > 0 then -1 else 1;\n"
                        "  if closed then q = x; else der(q) = 1; end if;\n"
                        "end M;\n",
                        5.0);
    const double met = sqrt(3.0) - 1.0;
    assert_int_equal(event_count(t), 2);
    assert_string_equal(mode_after(t, 0), "not closed, sliding on x + v > 0.0");
    assert_string_equal(mode_after(t, 1), "closed, sliding on x + v > 0.0");
    ASSERT_NEAR(trial_value(t, "q"), met * exp(met - 5.0), bound);
    trial_end(t);
}

// States of a machine slide by themselves; on every entry they begin without.
static void machine_slides(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  model A\n"
                        "    outer output Real x;\n"
                        "    Real v(start = 0);\n"
                        "  equation\n"
                        "    der(x) = v;\n"
                        "    der(v) = if x + v > 0 then -1 else 1;\n"
                        "  end A;\n"
                        "  model B\n"
                        "    outer output Real x;\n"
                        "  equation\n"
                        "    der(x) = 1;\n"
                        "  end B;\n"
                        "  inner Real x(start = 1, fixed = true);\n"
                        "  A a;\n"
                        "  B b;\n"
                        "equation\n"
                        "  initialState(a);\n"
                        "  transition(a, b, x < 0.3);\n"
                        "  transition(b, a, x > 1);\n"
                        "end M;\n",
                        4.0);
    const double met = sqrt(3.0) - 1.0, left = met + log(met / 0.3), back = left + 0.7;
    assert_int_equal(event_count(t), 5);
    ASSERT_NEAR(event_time(t, 0), met, bound);
    ASSERT_NEAR(event_time(t, 1), left, bound);
    ASSERT_NEAR(event_time(t, 2), back, bound);
    ASSERT_NEAR(event_time(t, 3), back + met, bound);
    assert_string_equal(mode_after(t, 3), "a, sliding on x + a.v > 0.0");
    trial_end(t);
}

// u goes from -1 to what it is while it slides, -0.2, and is never 1; from t = 4 on it is -0.7.
static void only_what_is_between_is_seen(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x(start = 1, fixed = true), u = if x > 0 then -1 else 1;\n"
                        "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
                        "equation\n"
                        "  der(x) = u + (if time < 4 then 0.2 else 0.7);\n"
                        "  when u > 0.5 then n = pre(n) + 1; end when;\n"
                        "  when u < -0.5 then k = pre(k) + 1; end when;\n"
                        "end M;\n",
                        6.0);
    assert_true(trial_value(t, "n") == 0.0);
    assert_true(trial_value(t, "k") == 1.0);
    ASSERT_NEAR(trial_value(t, "u"), -0.7, 1e-12);
    trial_end(t);
}

// Parts that have nothing to do with each other, each with a structure that changes while it
// slides: a force 0.3 sin t on bodies that friction brings to rest before t = 5.
static void parts_slide(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  model Body\n"
                        "    parameter Real mu, at;\n"
                        "    Real v(start = 1, fixed = true), R = mu*sign(v);\n"
                        "    Real q(start = 0, fixed = true);\n"
                        "    Boolean c = time > at;\n"
                        "  equation\n"
                        "    der(v) = 0.3*sin(time) - R;\n"
                        "    if c then q = v; else der(q) = v; end if;\n"
                        "  end Body;\n"
                        "  Body b[4](mu = {0.5, 0.6, 0.7, 0.8}, at = {1, 6, 2, 7});\n"
                        "  Real x(start = 1, fixed = true), total = sum(b.v);\n"
                        "equation\n"
                        "  der(x) = -sign(x);\n"
                        "end M;\n",
                        6.5);
    assert_true(model_part_count(trial_model(t)) > 1);
    for (int i = 1; i <= 4; i++) {
        char v[32], R[32];
        snprintf(v, sizeof v, "b[%d].v", i);
        snprintf(R, sizeof R, "b[%d].R", i);
        ASSERT_NEAR(trial_value(t, v), 0.0, 1e-12);
        ASSERT_NEAR(trial_value(t, R), 0.3 * sin(6.5), 1e-12);
    }
    ASSERT_NEAR(trial_value(t, "b[3].q"), 0.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "x"), 0.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "total"), 0.0, 1e-12);
    assert_string_equal(mode_after(t, event_count(t) - 1),
                        "b[1:3].c, not b[4].c, sliding on x < 0.0 and b[1].v < 0.0 "
                        "and b[2].v < 0.0 and b[3].v < 0.0 and b[4].v < 0.0");
    trial_end(t);
}

// Dry friction at the pivot of a pendulum, in Cartesian coordinates (index 3) and by its angle.
static void constraint_and_friction(void **state)
{
    (void)state;
    Trial *cartesian = run_text("model M\n"
                                "  Real x(start = 0.9, fixed = true), y(start = -0.4), vx, vy;\n"
                                "  Real f, w, M, phi = atan2(x, -y);\n"
                                "initial equation\n"
                                "  w = 0;\n"
                                "equation\n"
                                "  der(x) = vx;\n"
                                "  der(y) = vy;\n"
                                "  der(vx) = M*y - f*x;\n"
                                "  der(vy) = -M*x - f*y - 9.81;\n"
                                "  x^2 + y^2 = 1;\n"
                                "  w = x*vy - y*vx;\n"
                                "  M = 2*sign(w);\n"
                                "end M;\n",
                                5.0);
    Trial *polar =
        run_text("model M\n"
                 "  Real phi(start = asin(0.9), fixed = true), w(start = 0, fixed = true);\n"
                 "equation\n"
                 "  der(phi) = w;\n"
                 "  der(w) = -9.81*sin(phi) - 2*sign(w);\n"
                 "end M;\n",
                 5.0);
    assert_int_equal(event_count(cartesian), event_count(polar));
    for (long i = 0; i < event_count(polar); i++)
        ASSERT_NEAR(event_time(cartesian, i), event_time(polar, i), bound);
    ASSERT_NEAR(trial_value(cartesian, "phi"), trial_value(polar, "phi"), bound);
    ASSERT_NEAR(trial_value(cartesian, "M"), -9.81 * sin(trial_value(polar, "phi")), 10.0 * bound);
    trial_end(cartesian);
    trial_end(polar);
}

// Five conditions of one model, one after the other.
static void many_surfaces(void **state)
{
    (void)state;
    Trial *t = run_text("model M\n"
                        "  Real x[5](start = {1, 2, 3, 4, 5}, each fixed = true);\n"
                        "equation\n"
                        "  for i in 1:5 loop der(x[i]) = -sign(x[i]) + 0.5*sin(i*time); end for;\n"
                        "end M;\n",
                        12.0);
    assert_int_equal(event_count(t), 5);
    for (int i = 1; i <= 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "x[%d]", i);
        ASSERT_NEAR(trial_value(t, name), 0.0, 1e-12);
    }
    trial_end(t);
}

// ---------------------------------------------------------------------------
// Random relays
// ---------------------------------------------------------------------------

// x' = A x + d sin t - b u with u = sign(c x), c b > 0. While it slides, u is what keeps c x' = 0.
enum { N = 3 };

typedef struct Relay {
    double A[N][N], b[N], c[N], d[N];
    double x[N], t;
    int sign;    // 0: it slides
    int changes; // how often it began or ended to slide
} Relay;

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

// c x' without the relay, over c b: the u that keeps c x, the relay's part of a rate of c x.
static double keeping(const Relay *r, const double *x, double t)
{
    double rate = 0.0, gain = 0.0;
    for (int i = 0; i < N; i++) {
        double f = r->d[i] * sin(t);
        for (int j = 0; j < N; j++)
            f += r->A[i][j] * x[j];
        rate += r->c[i] * f;
        gain += r->c[i] * r->b[i];
    }
    return rate / gain;
}

static void relay_rates(const Relay *r, const double *x, double t, double *dx)
{
    const double u = r->sign ? r->sign : keeping(r, x, t);
    for (int i = 0; i < N; i++) {
        dx[i] = r->d[i] * sin(t) - r->b[i] * u;
        for (int j = 0; j < N; j++)
            dx[i] += r->A[i][j] * x[j];
    }
}

// One step of the classical method of order 4, from r->x to y.
static void relay_step(const Relay *r, double h, double *y)
{
    static const double node[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double k[N] = {0}, sum[N] = {0}, x[N];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < N; i++)
            x[i] = r->x[i] + h * node[s] * k[i];
        relay_rates(r, x, r->t + h * node[s], k);
        for (int i = 0; i < N; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < N; i++)
        y[i] = r->x[i] + h / 6.0 * sum[i];
}

// Negative when the relay has to turn, or the sliding has to end.
static double relay_margin(const Relay *r, const double *x, double t)
{
    double s = 0.0;
    for (int i = 0; i < N; i++)
        s += r->c[i] * x[i];
    return r->sign ? r->sign * s : 1.0 - fabs(keeping(r, x, t));
}

static void relay_turn(Relay *r)
{
    const double u = keeping(r, r->x, r->t);
    const bool was_sliding = r->sign == 0;
    if (was_sliding)
        r->sign = u > 0.0 ? 1 : -1;
    else
        r->sign = fabs(u) < 1.0 ? 0 : -r->sign;
    r->changes += was_sliding || r->sign == 0;
}

static void relay_run(Relay *r, double end)
{
    enum { STEPS = 4000 };
    const double h = end / STEPS;
    for (int n = 0; n < STEPS; n++) {
        const double goal = (n + 1) * h;
        while (r->t < goal) {
            double y[N], a = 0.0, b = goal - r->t;
            relay_step(r, b, y);
            const bool turns = relay_margin(r, y, r->t + b) < 0.0;
            for (int i = 0; i < 60 && turns; i++) {
                const double m = 0.5 * (a + b);
                relay_step(r, m, y);
                if (relay_margin(r, y, r->t + m) < 0.0)
                    b = m;
                else
                    a = m;
            }
            relay_step(r, b, y);
            memcpy(r->x, y, sizeof y);
            r->t += b;
            if (turns)
                relay_turn(r);
        }
    }
}

static Relay random_relay(uint64_t *seed)
{
    Relay r = {.sign = 1};
    double gain = 0.0, s = 0.0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            r.A[i][j] = random_number(seed);
        r.b[i] = random_number(seed);
        r.c[i] = random_number(seed);
        r.d[i] = 2.0 * random_number(seed);
        r.x[i] = random_number(seed);
        gain += r.c[i] * r.b[i];
        s += r.c[i] * r.x[i];
    }
    for (int i = 0; i < N && gain < 0.0; i++)
        r.b[i] = -r.b[i];
    for (int i = 0; i < N; i++) // c b = 1
        r.b[i] /= fabs(gain);
    r.sign = s > 0.0 ? 1 : -1;
    return r;
}

static void relay_text(const Relay *r, char *text, size_t size)
{
    const char *form =
        "model M Real x1(start = %.17g, fixed = true), x2(start = %.17g, fixed = true), "
        "x3(start = %.17g, fixed = true), s, u; equation s = (%.17g)*x1 + (%.17g)*x2 + (%.17g)*x3; "
        "u = sign(s); ";
    int length = snprintf(text, size, form, r->x[0], r->x[1], r->x[2], r->c[0], r->c[1], r->c[2]);
    for (int i = 0; i < N; i++)
        length += snprintf(text + length, size - (size_t)length,
                           "der(x%d) = (%.17g)*x1 + (%.17g)*x2 + (%.17g)*x3 + (%.17g)*sin(time) - "
                           "(%.17g)*u; ",
                           i + 1, r->A[i][0], r->A[i][1], r->A[i][2], r->d[i], r->b[i]);
    snprintf(text + length, size - (size_t)length, "end M;");
}

// Errors of the solver grow by the system's own instability, at most e^9 (|A| < 3, 3 s) but
// hardly ever a hundredth of that.
static void random_relays(void **state)
{
    (void)state;
    uint64_t seed = 12345;
    int sliding = 0;
    for (int n = 0; n < 60; n++) {
        char text[4000];
        Relay r = random_relay(&seed);
        relay_text(&r, text, sizeof text);
        relay_run(&r, 3.0);
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        set_solver(t, solvers[n % (SOLVERS - 1)]);
        finish(t, 3.0);
        int changes = 0;
        for (long i = 0; i < event_count(t); i++) {
            const SaltusLogEntry e = saltus_run_event(trial_get_run(t), i);
            changes += e.from != e.to;
        }
        if (changes != r.changes)
            fail_msg("%d changes instead of %d in %s", changes, r.changes, text);
        for (int i = 0; i < N; i++) {
            const char name[] = {'x', (char)('1' + i), '\0'};
            ASSERT_NEAR(trial_value(t, name), r.x[i], 10.0 * bound * (1.0 + fabs(r.x[i])));
        }
        sliding += r.sign == 0;
        trial_end(t);
    }
    assert_true(sliding > 10);
}

// ---------------------------------------------------------------------------
// Behind an accumulation point
// ---------------------------------------------------------------------------

// Around the corner |x| + |y| falls by a third in each turn, and time with it: from x = 1, y = 1/2
// on the corner is reached at t = 3/4. Then both stay, with what keeps them against a force.
static void around_a_corner(void **state)
{
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_model("Sliding.Corner", solvers[i], 4.0);
        const long last = event_count(t) - 1;
        ASSERT_NEAR(event_time(t, last), 0.75, 1e-9);
        assert_string_equal(mode_after(t, last), "sliding on x < 0.0 and y < 0.0");
        ASSERT_NEAR(trial_value(t, "x"), 0.0, 0.0);
        ASSERT_NEAR(trial_value(t, "y"), 0.0, 0.0);
        trial_end(t);
    }
    Trial *t = run_text("model M\n"
                        "  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true);\n"
                        "  Real a = sign(x), b = sign(y);\n"
                        "equation\n"
                        "  der(x) = -a + 2*b + 0.3*sin(5*time);\n"
                        "  der(y) = -2*a - b + 0.2*cos(3*time);\n"
                        "end M;\n",
                        4.0);
    const double f = 0.3 * sin(20.0), g = 0.2 * cos(12.0); // f = a - 2 b, g = 2 a + b
    ASSERT_NEAR(trial_value(t, "a"), (f + 2.0 * g) / 5.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "b"), (g - 2.0 * f) / 5.0, 1e-12);
    trial_end(t);
}

// A ball of the text books: its when clause ends the flight with the bounce that has no speed left.
#define BALL                                                                                       \
    "model Ball\n"                                                                                 \
    "  parameter Real e = 0.7, g = 9.81;\n"                                                        \
    "  Real h(start = 1, fixed = true), v(start = 0, fixed = true), v_new(start = 0);\n"           \
    "  Boolean flying(start = true, fixed = true), impact = h <= 0;\n"                             \
    "equation\n"                                                                                   \
    "  der(v) = if flying then -g else 0;\n"                                                       \
    "  der(h) = v;\n"                                                                              \
    "  when {h <= 0 and v <= 0, impact} then\n"                                                    \
    "    v_new = if edge(impact) then -e*pre(v) else 0;\n"                                         \
    "    flying = v_new > 0;\n"                                                                    \
    "    reinit(v, v_new);\n"                                                                      \
    "  end when;\n"                                                                                \
    "end Ball;\n"

// sqrt(2 h/g) (1 + e)/(1 - e)
static double ball_rests(double e)
{
    return sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e);
}

static void ball_comes_to_rest(void **state)
{
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = trial_text(BALL);
        set_solver(t, solvers[i]);
        finish(t, 4.0);
        assert_true(trial_value(t, "flying") == 0.0);
        // Solvers of several steps lose the ball where it bounces as high as their tolerance.
        const bool is_multistep = i >= 3 && i <= 5;
        const double slow = is_multistep ? 4.0 * sqrt(2.0 * 9.81 * tolerance) : 0.0;
        ASSERT_NEAR(trial_value(t, "v"), 0.0, slow);
        ASSERT_NEAR(trial_value(t, "h"), 0.0, 1e-15 + 2.0 * slow);
        if (!is_multistep)
            ASSERT_NEAR(event_time(t, event_count(t) - 1), ball_rests(0.7), 10.0 * bound);
        trial_end(t);
    }
}

// Balls come to rest one after the other, and something else goes on.
static void one_rests_the_others_go_on(void **state)
{
    (void)state;
    Trial *t = run_text(BALL "model M\n"
                             "  Ball a(e = 0.5), b(e = 0.6);\n"
                             "  Real x(start = 1, fixed = true);\n"
                             "equation\n"
                             "  der(x) = -x;\n"
                             "end M;\n",
                        3.0);
    ASSERT_NEAR(trial_value(t, "x"), exp(-3.0), 1e-9);
    assert_true(trial_value(t, "a.flying") == 0.0 && trial_value(t, "a.v") == 0.0);
    assert_true(trial_value(t, "b.flying") == 0.0 && trial_value(t, "b.v") == 0.0);
    double rest_a = 0.0, rest_b = 0.0;
    for (long i = 0; i < event_count(t); i++) {
        if (event_time(t, i) < ball_rests(0.5) + 1e-6)
            rest_a = event_time(t, i);
        rest_b = event_time(t, i);
    }
    ASSERT_NEAR(rest_a, ball_rests(0.5), 1e-6);
    ASSERT_NEAR(rest_b, ball_rests(0.6), 1e-6);
    trial_end(t);
}

// A ball without equations for its rest would fall through the floor: the run stops.
static void no_rest(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n"
                          "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(h) = v;\n"
                          "  der(v) = -9.81;\n"
                          "  when h <= 0 then reinit(v, -0.7*pre(v)); end when;\n"
                          "end M;\n");
    set_solver(t, SALTUS_SOLVER_DOP853);
    assert_int_equal(trial_run(t, 4.0), SALTUS_ZENO);
    assert_non_null(strstr(trial_error(t), "no equations in which it rests"));
    assert_true(trial_value(t, "v") > 0.0);
    trial_end(t);
}

// On a floor that moves the ball's bounces end in the rounding of h, where the next one would not
// be seen: the run stops there, and the ball does not fall through.
static void floor_that_moves(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n"
                          "  Real f = 0.01*sin(time), fv = 0.01*cos(time);\n"
                          "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(h) = v;\n"
                          "  der(v) = -9.81;\n"
                          "  when h <= f then reinit(v, fv - 0.5*(pre(v) - fv)); end when;\n"
                          "end M;\n");
    assert_int_equal(trial_run(t, 4.0), SALTUS_ZENO);
    ASSERT_NEAR(trial_value(t, "h"), trial_value(t, "f"), 1e-12);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// What does not slide
// ---------------------------------------------------------------------------

// The message says what prevents it.
static void expect_stop(const char *text, const char *expected)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    assert_int_equal(trial_run(t, 5.0), SALTUS_ZENO);
    if (!strstr(trial_error(t), expected))
        fail_msg("'%s' is not in '%s'", expected, trial_error(t));
    trial_end(t);
}

static void readers_prevent_it(void **state)
{
    (void)state;
    expect_stop("model M Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);\n"
                "equation der(x) = if x > 0 then -1 else 1;\n"
                "when x > 0 then n = pre(n) + 1; end when; end M;",
                "no sliding mode on x > 0.0: a when clause");
    expect_stop("model M Real x(start = 1, fixed = true); Boolean b = x > 0;\n"
                "Integer n(start = 0, fixed = true);\n"
                "equation der(x) = if b then -1 else 1;\n"
                "when not b then n = pre(n) + 1; end when; end M;",
                "no sliding mode on x > 0.0: a when clause");
}

// A flow that crosses is not held, nor one that leaves both ways.
static void crossings_cross(void **state)
{
    (void)state;
    Trial *t = run_text("model M Real x(start = -1, fixed = true), y(start = 0, fixed = true);\n"
                        "equation der(x) = if x > 0 then 1 else 2;\n"
                        "der(y) = if y > 0 then 1 else -1; end M;",
                        1.5);
    ASSERT_NEAR(trial_value(t, "x"), 1.0, 1e-9);
    ASSERT_NEAR(fabs(trial_value(t, "y")), 1.5, 1e-9);
    for (long i = 0; i < event_count(t); i++)
        assert_string_equal(mode_after(t, i), "default");
    trial_end(t);
}

// A limit that is continuous is no surface to slide on.
static void limits_do_not_slide(void **state)
{
    (void)state;
    Trial *t = run_text("model M Real x(start = 2, fixed = true);\n"
                        "equation der(x) = -max(x, 1) + abs(x - 1.5); end M;",
                        2.0);
    // x' = -1.5 down to 1.5, then -2 x + 1.5 down to 1, then 0.5 - x
    const double a = 1.0 / 3.0, b = a + 0.5 * log(3.0);
    ASSERT_NEAR(trial_value(t, "x"), 0.5 + 0.5 * exp(-(2.0 - b)), bound);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(double_integrator),
                                       cmocka_unit_test(stick_and_slip),
                                       cmocka_unit_test(friction_from_rest),
                                       cmocka_unit_test(thermostat),
                                       cmocka_unit_test(quota),
                                       cmocka_unit_test(two_relays),
                                       cmocka_unit_test(corner),
                                       cmocka_unit_test(curved_surface),
                                       cmocka_unit_test(same_by_other_words),
                                       cmocka_unit_test(flows_in_branches),
                                       cmocka_unit_test(reinit_leaves),
                                       cmocka_unit_test(reinit_is_logged),
                                       cmocka_unit_test(surface_jumps),
                                       cmocka_unit_test(structure_changes),
                                       cmocka_unit_test(machine_slides),
                                       cmocka_unit_test(parts_slide),
                                       cmocka_unit_test(constraint_and_friction),
                                       cmocka_unit_test(only_what_is_between_is_seen),
                                       cmocka_unit_test(many_surfaces),
                                       cmocka_unit_test(random_relays),
                                       cmocka_unit_test(around_a_corner),
                                       cmocka_unit_test(ball_comes_to_rest),
                                       cmocka_unit_test(one_rests_the_others_go_on),
                                       cmocka_unit_test(no_rest),
                                       cmocka_unit_test(floor_that_moves),
                                       cmocka_unit_test(readers_prevent_it),
                                       cmocka_unit_test(crossings_cross),
                                       cmocka_unit_test(limits_do_not_slide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
