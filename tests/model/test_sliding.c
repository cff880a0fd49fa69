// SPDX-License-Identifier: MIT
//
// Sliding modes: relays, Coulomb friction, quotas, ways in and out of them, against closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/slide.h"

#include <string.h>

// ---------------------------------------------------------------------------
// Closed forms
// ---------------------------------------------------------------------------

// x = 1 - t^2/2 meets v = -t at t = sqrt(3) - 1; from there on x' = -x, with u = x between -1
// and 1.
static void double_integrator(void **state)
{
    (void)state;
    const double met = sqrt(3.0) - 1.0;
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = slide_model("Sliding.DoubleIntegrator", slide_solvers[i], 5.0);
        assert_int_equal(slide_events(t), 1);
        ASSERT_NEAR(slide_event_time(t, 0), met, slide_bound);
        assert_string_equal(slide_mode(t, 0), "sliding on x + v > 0.0");
        ASSERT_NEAR(trial_value(t, "x"), met * exp(met - 5.0), slide_bound);
        ASSERT_NEAR(trial_value(t, "v"), -met * exp(met - 5.0), slide_bound);
        ASSERT_NEAR(trial_value(t, "u"), met * exp(met - 5.0), slide_bound);
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
    const double first = slide_zero(first_slip, 0.1, 1.0),
                 lasting = slide_zero(next_slip, 3.0, 6.0);
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = slide_model("Sliding.Belt", slide_solvers[i], 30.0);
        assert_int_equal(slide_events(t), 10);
        slip(0.0, 0.0, first, &x, &v);
        double time = first;
        for (long k = 0; k < 10; k += 2) {
            ASSERT_NEAR(slide_event_time(t, k), time, 10.0 * slide_bound);
            assert_string_equal(slide_mode(t, k), "sliding on v - belt < 0.0");
            time += (1.0 - x) / belt_speed; // it moves with the belt
            ASSERT_NEAR(slide_event_time(t, k + 1), time, 10.0 * slide_bound);
            assert_string_equal(slide_mode(t, k + 1), "default");
            slip(1.0, belt_speed, lasting, &x, &v);
            time += lasting;
        }
        slip(1.0, belt_speed, 30.0 - (time - lasting), &x, &v);
        ASSERT_NEAR(trial_value(t, "x"), x, 10.0 * slide_bound);
        ASSERT_NEAR(trial_value(t, "v"), v, 10.0 * slide_bound);
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
    Trial *t = slide_text("model M\n"
                          "  Real v(start = 0, fixed = true), F = 1.5*sin(time), R = sign(v);\n"
                          "equation\n"
                          "  der(v) = F - R;\n"
                          "end M;\n",
                          4.0);
    const double rest = slide_zero(driven_speed, 2.0, 4.0);
    assert_int_equal(slide_events(t), 4);
    assert_true(slide_event_time(t, 0) == 0.0);
    ASSERT_NEAR(slide_event_time(t, 1), driven_start(), slide_bound);
    ASSERT_NEAR(slide_event_time(t, 2), rest, slide_bound);
    ASSERT_NEAR(slide_event_time(t, 3), acos(-1.0) + driven_start(), slide_bound);
    assert_string_equal(slide_mode(t, 3), "default");
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
    const double met = slide_zero(heating, 0.1, 2.0);
    heat(met, &T, &wall);
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = slide_model("Sliding.Thermostat", slide_solvers[i], 12.0);
        assert_int_equal(slide_events(t), 1);
        ASSERT_NEAR(slide_event_time(t, 0), met, slide_bound);
        ASSERT_NEAR(trial_value(t, "T"), heated_to, 1e-12);
        ASSERT_NEAR(trial_value(t, "wall"), 12.5 + (wall - 12.5) * exp(-0.2 * (12.0 - met)),
                    20.0 * slide_bound);
        trial_end(t);
    }
}

// f' = 0.1 f - 0.05 f^2 while fishing; then what grows back is caught.
static void quota(void **state)
{
    (void)state;
    const double met = 10.0 * log((1.0 - 2.0 / 9.0) / (1.0 - 2.0 / 6.0));
    const double caught = 0.4 * (0.1 * met - log(6.0 / 9.0)) / 0.05;
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = slide_model("Sliding.Quota", slide_solvers[i], 40.0);
        assert_int_equal(slide_events(t), 1);
        ASSERT_NEAR(slide_event_time(t, 0), met, 10.0 * slide_bound);
        ASSERT_NEAR(trial_value(t, "fish"), 6.0, 1e-12);
        ASSERT_NEAR(trial_value(t, "rate"), 1.2, 1e-12);
        ASSERT_NEAR(trial_value(t, "caught"), caught + 1.2 * (40.0 - met), 100.0 * slide_bound);
        trial_end(t);
    }
}

// The circle attracts; on it the motion is phi' = 1, and no coordinate is a good state all around.
static void curved_surface(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
                          "  Real x(start = 2, fixed = true), y(start = 0, fixed = true);\n"
                          "  Real u = if x^2 + y^2 > 1 then -3 else 3;\n"
                          "equation\n"
                          "  der(x) = u*x - y;\n"
                          "  der(y) = u*y + x;\n"
                          "end M;\n",
                          20.0);
    assert_int_equal(slide_events(t), 1);
    ASSERT_NEAR(slide_event_time(t, 0), log(2.0) / 3.0, slide_bound);
    ASSERT_NEAR(trial_value(t, "x"), cos(20.0), slide_bound);
    ASSERT_NEAR(trial_value(t, "y"), sin(20.0), slide_bound);
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
        Trial *t = slide_text(text, 5.0);
        assert_int_equal(slide_events(t), 1);
        assert_non_null(strstr(slide_mode(t, 0), "sliding on "));
        ASSERT_NEAR(trial_value(t, "x"), met * exp(met - 5.0), slide_bound);
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
        Trial *t = slide_text(text, 3.0);
        assert_int_equal(slide_events(t), 1);
        assert_string_equal(slide_mode(t, 0), "sliding on x > 0.0");
        ASSERT_NEAR(slide_event_time(t, 0), 0.5, 1e-9);
        ASSERT_NEAR(trial_value(t, "x"), 0.0, 1e-9);
        ASSERT_NEAR(trial_value(t, "y"), 5.5, slide_bound);
        trial_end(t);
    }
}

// reinit leaves the surface, whichever states the sliding mode has: from x = 1, v = -x0 on,
// v = -x0 - (t - 2) until x + v is zero again.
static void reinit_leaves(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
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
    assert_int_equal(slide_events(t), 3);
    ASSERT_NEAR(slide_event_time(t, 2), 2.0 + s, slide_bound);
    ASSERT_NEAR(trial_value(t, "x"), (x0 + s) * exp(-(3.0 - s)), slide_bound);
    trial_end(t);
}

// x is no state while it rests on the surface; the log says nevertheless what reinit did to it.
static void reinit_is_logged(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
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
    assert_true(fabs(e.changes[0].before) <= slide_bound && e.changes[0].after == 0.5);
    ASSERT_NEAR(trial_value(t, "x"), 0.0, slide_bound);
    trial_end(t);
}

// The surface jumps, the state does not: it goes to where the surface is now.
static void surface_jumps(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
                          "  Real x(start = 1, fixed = true);\n"
                          "  discrete Real w(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(x) = if x > w then -2 else 4;\n"
                          "  when time > 1 then w = 0.5; end when;\n"
                          "end M;\n",
                          1.0625);
    assert_int_equal(slide_events(t), 2);
    ASSERT_NEAR(slide_event_time(t, 0), 0.5, 1e-9);
    ASSERT_NEAR(trial_value(t, "x"), 0.25, 1e-9);
    slide_to(t, 2.0);
    assert_int_equal(slide_events(t), 3);
    ASSERT_NEAR(slide_event_time(t, 2), 1.125, 1e-9);
    ASSERT_NEAR(trial_value(t, "x"), 0.5, 1e-12);
    trial_end(t);
}

// Another structure begins while it slides, and it goes on sliding.
static void structure_changes(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
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
    assert_int_equal(slide_events(t), 2);
    assert_string_equal(slide_mode(t, 0), "not closed, sliding on x + v > 0.0");
    assert_string_equal(slide_mode(t, 1), "closed, sliding on x + v > 0.0");
    ASSERT_NEAR(trial_value(t, "q"), met * exp(met - 5.0), slide_bound);
    trial_end(t);
}

// States of a machine slide by themselves; on every entry they begin without.
static void machine_slides(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
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
    assert_int_equal(slide_events(t), 5);
    ASSERT_NEAR(slide_event_time(t, 0), met, slide_bound);
    ASSERT_NEAR(slide_event_time(t, 1), left, slide_bound);
    ASSERT_NEAR(slide_event_time(t, 2), back, slide_bound);
    ASSERT_NEAR(slide_event_time(t, 3), back + met, slide_bound);
    assert_string_equal(slide_mode(t, 3), "a, sliding on x + a.v > 0.0");
    trial_end(t);
}

// u goes from -1 to what it is while it slides, -0.2, and is never 1; from t = 4 on it is -0.7.
static void only_what_is_between_is_seen(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
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

// Dry friction at the pivot of a pendulum, in Cartesian coordinates (index 3) and by its angle.
static void constraint_and_friction(void **state)
{
    (void)state;
    Trial *cartesian = slide_text("model M\n"
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
        slide_text("model M\n"
                   "  Real phi(start = asin(0.9), fixed = true), w(start = 0, fixed = true);\n"
                   "equation\n"
                   "  der(phi) = w;\n"
                   "  der(w) = -9.81*sin(phi) - 2*sign(w);\n"
                   "end M;\n",
                   5.0);
    assert_int_equal(slide_events(cartesian), slide_events(polar));
    for (long i = 0; i < slide_events(polar); i++)
        ASSERT_NEAR(slide_event_time(cartesian, i), slide_event_time(polar, i), slide_bound);
    ASSERT_NEAR(trial_value(cartesian, "phi"), trial_value(polar, "phi"), slide_bound);
    ASSERT_NEAR(trial_value(cartesian, "M"), -9.81 * sin(trial_value(polar, "phi")),
                10.0 * slide_bound);
    trial_end(cartesian);
    trial_end(polar);
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
    Trial *t = slide_text("model M Real x(start = -1, fixed = true), y(start = 0, fixed = true);\n"
                          "equation der(x) = if x > 0 then 1 else 2;\n"
                          "der(y) = if y > 0 then 1 else -1; end M;",
                          1.5);
    ASSERT_NEAR(trial_value(t, "x"), 1.0, 1e-9);
    ASSERT_NEAR(fabs(trial_value(t, "y")), 1.5, 1e-9);
    for (long i = 0; i < slide_events(t); i++)
        assert_string_equal(slide_mode(t, i), "default");
    trial_end(t);
}

// A limit that is continuous is no surface to slide on.
static void limits_do_not_slide(void **state)
{
    (void)state;
    Trial *t = slide_text("model M Real x(start = 2, fixed = true);\n"
                          "equation der(x) = -max(x, 1) + abs(x - 1.5); end M;",
                          2.0);
    // x' = -1.5 down to 1.5, then -2 x + 1.5 down to 1, then 0.5 - x
    const double a = 1.0 / 3.0, b = a + 0.5 * log(3.0);
    ASSERT_NEAR(trial_value(t, "x"), 0.5 + 0.5 * exp(-(2.0 - b)), slide_bound);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(double_integrator),
                                       cmocka_unit_test(stick_and_slip),
                                       cmocka_unit_test(friction_from_rest),
                                       cmocka_unit_test(thermostat),
                                       cmocka_unit_test(quota),
                                       cmocka_unit_test(curved_surface),
                                       cmocka_unit_test(same_by_other_words),
                                       cmocka_unit_test(flows_in_branches),
                                       cmocka_unit_test(reinit_leaves),
                                       cmocka_unit_test(reinit_is_logged),
                                       cmocka_unit_test(surface_jumps),
                                       cmocka_unit_test(structure_changes),
                                       cmocka_unit_test(machine_slides),
                                       cmocka_unit_test(constraint_and_friction),
                                       cmocka_unit_test(only_what_is_between_is_seen),
                                       cmocka_unit_test(readers_prevent_it),
                                       cmocka_unit_test(crossings_cross),
                                       cmocka_unit_test(limits_do_not_slide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
