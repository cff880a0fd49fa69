// SPDX-License-Identifier: MIT
//
// Sliding on several surfaces at once and where events accumulate, against closed forms; random
// relays against an integration of Filippov's equations written for this test.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/slide.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Several surfaces
// ---------------------------------------------------------------------------

// x slides from where its integral is zero, with sign(x) = y z / 2; y from t = 2 on.
static double relayed(double t)
{
    // y = 2 - t, z = exp(-t): x = 1 - t + (1 - (1 - t) e^-t) / 2
    return 1.0 - t + 0.5 * (1.0 - (1.0 - t) * exp(-t));
}

static void two_relays(void **state)
{
    (void)state;
    const double met = slide_zero(relayed, 1.0, 2.0);
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = slide_model("Sliding.TwoRelays", slide_solvers[i], 1.8);
        assert_int_equal(slide_events(t), 1);
        ASSERT_NEAR(slide_event_time(t, 0), met, slide_bound);
        ASSERT_NEAR(trial_value(t, "u"), 0.5 * 0.2 * exp(-1.8), slide_bound);
        slide_to(t, 4.0);
        assert_int_equal(slide_events(t), 2);
        ASSERT_NEAR(slide_event_time(t, 1), 2.0, slide_bound);
        assert_string_equal(slide_mode(t, 1), "sliding on x < 0.0 and y < 0.0");
        ASSERT_NEAR(trial_value(t, "x"), 0.0, 1e-12);
        ASSERT_NEAR(trial_value(t, "y"), 0.0, 1e-12);
        trial_end(t);
    }
}

// Both surfaces at the same instant. On them f = 0 by u = 2/3 and w = 1/2, in a product.
static void corner(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
                          "  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
                          "  Real s(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(x) = if x > 0 then -1 else 2;\n"
                          "  der(y) = -sign(y);\n"
                          "  der(s) = if x > 0 then (if y > 0 then 1 else 0) else 0;\n"
                          "end M;\n",
                          3.0);
    assert_int_equal(slide_events(t), 1);
    ASSERT_NEAR(slide_event_time(t, 0), 1.0, 1e-9);
    assert_string_equal(slide_mode(t, 0), "sliding on x > 0.0 and y < 0.0");
    ASSERT_NEAR(trial_value(t, "s"), 1.0 + 2.0 / 3.0, 1e-8);
    trial_end(t);
}

// Parts that have nothing to do with each other, each with a structure that changes while it
// slides: a force 0.3 sin t on bodies that friction brings to rest before t = 5.
static void parts_slide(void **state)
{
    (void)state;
    Trial *t = slide_text("model M\n"
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
    assert_string_equal(slide_mode(t, slide_events(t) - 1),
                        "b[1:3].c, not b[4].c, sliding on x < 0.0 and b[1].v < 0.0 "
                        "and b[2].v < 0.0 and b[3].v < 0.0 and b[4].v < 0.0");
    trial_end(t);
}

// Five conditions of one model, one after the other.
static void many_surfaces(void **state)
{
    (void)state;
    Trial *t =
        slide_text("model M\n"
                   "  Real x[5](start = {1, 2, 3, 4, 5}, each fixed = true);\n"
                   "equation\n"
                   "  for i in 1:5 loop der(x[i]) = -sign(x[i]) + 0.5*sin(i*time); end for;\n"
                   "end M;\n",
                   12.0);
    assert_int_equal(slide_events(t), 5);
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
        slide_by(t, slide_solvers[n % (SLIDE_SOLVERS - 1)]);
        slide_to(t, 3.0);
        int changes = 0;
        for (long i = 0; i < slide_events(t); i++) {
            const SaltusLogEntry e = saltus_run_event(trial_get_run(t), i);
            changes += e.from != e.to;
        }
        if (changes != r.changes)
            fail_msg("%d changes instead of %d in %s", changes, r.changes, text);
        for (int i = 0; i < N; i++) {
            const char name[] = {'x', (char)('1' + i), '\0'};
            ASSERT_NEAR(trial_value(t, name), r.x[i], 10.0 * slide_bound * (1.0 + fabs(r.x[i])));
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
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = slide_model("Sliding.Corner", slide_solvers[i], 4.0);
        const long last = slide_events(t) - 1;
        ASSERT_NEAR(slide_event_time(t, last), 0.75, 1e-9);
        assert_string_equal(slide_mode(t, last), "sliding on x < 0.0 and y < 0.0");
        ASSERT_NEAR(trial_value(t, "x"), 0.0, 0.0);
        ASSERT_NEAR(trial_value(t, "y"), 0.0, 0.0);
        trial_end(t);
    }
    Trial *t = slide_text("model M\n"
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
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        Trial *t = trial_text(BALL);
        slide_by(t, slide_solvers[i]);
        slide_to(t, 4.0);
        assert_true(trial_value(t, "flying") == 0.0);
        // Solvers of several steps lose the ball where it bounces as high as their tolerance.
        const bool is_multistep = i >= 3 && i <= 5;
        const double slow = is_multistep ? 4.0 * sqrt(2.0 * 9.81 * slide_tolerance) : 0.0;
        ASSERT_NEAR(trial_value(t, "v"), 0.0, slow);
        ASSERT_NEAR(trial_value(t, "h"), 0.0, 1e-15 + 2.0 * slow);
        if (!is_multistep)
            ASSERT_NEAR(slide_event_time(t, slide_events(t) - 1), ball_rests(0.7),
                        10.0 * slide_bound);
        trial_end(t);
    }
}

// Balls come to rest one after the other, and something else goes on.
static void one_rests_the_others_go_on(void **state)
{
    (void)state;
    Trial *t = slide_text(BALL "model M\n"
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
    for (long i = 0; i < slide_events(t); i++) {
        if (slide_event_time(t, i) < ball_rests(0.5) + 1e-6)
            rest_a = slide_event_time(t, i);
        rest_b = slide_event_time(t, i);
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
    slide_by(t, SALTUS_SOLVER_DOP853);
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

// To the origin in the shortest time: on the curve x + v|v|/2 = 0 from t = 1 on, where the flow of
// one side keeps to it and errors of a solver lead off it; the end is at t = 2. From there on there
// is no equation for u if it has two values only; events then go to and fro around the origin. If
// it may be zero, the run stays there; so it does if |v| has no condition (with multistep methods,
// which meet a kink there that no event announces, in ever smaller steps).
static const char *time_optimal(const char *modulus, const char *u, SaltusSolver solver,
                                double bound)
{
    static char said[1024];
    char text[512];
    snprintf(text, sizeof text,
             "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), s, u; "
             "equation der(x) = v; der(v) = u; s = x + v*%s/2; u = %s; end M;",
             modulus, u);
    Trial *t = trial_text(text);
    slide_by(t, solver);
    trial_options(t)->max_events = 20000;
    slide_to(t, 1.5);
    ASSERT_NEAR(trial_value(t, "x"), 0.125, bound);
    ASSERT_NEAR(trial_value(t, "v"), -0.5, bound);
    said[0] = '\0';
    const SaltusStatus status = trial_run(t, 5.0);
    if (status != SALTUS_OK) {
        assert_int_equal(status, SALTUS_ZENO);
        ASSERT_NEAR(saltus_run_time(trial_get_run(t)), 2.0, 5e-3);
        snprintf(said, sizeof said, "%s", trial_error(t));
    }
    ASSERT_NEAR(trial_value(t, "x"), 0.0, bound);
    ASSERT_NEAR(trial_value(t, "v"), 0.0, bound);
    trial_end(t);
    return said;
}

static void to_the_origin(void **state)
{
    (void)state;
    for (int i = 0; i < SLIDE_SOLVERS; i++) {
        const SaltusSolver solver = slide_solvers[i];
        const bool keeps_history = solver == SALTUS_SOLVER_CVODE || solver == SALTUS_SOLVER_ADAMS ||
                                   solver == SALTUS_SOLVER_IDA;
        const char *said = time_optimal("abs(v)", "if s > 0 then -1 else 1", solver, 1e-5);
        if (!strstr(said, keeps_history ? "chatter" : "to and fro around zero"))
            fail_msg("%s: \"%s\"", saltus_solver_name(solver), said);
        said = time_optimal("abs(v)", "-sign(s)", solver, 1e-5);
        assert_string_equal(said, "");
        if (keeps_history)
            continue;
        said = time_optimal("noEvent(abs(v))", "if s > 0 then -1 else 1", solver, 1e-5);
        assert_string_equal(said, "");
    }
}

// The branch that x > 0 is in is left at 1 while x slides on zero: x = 3 (t - 1) from then on, or
// as much on the other side. The same by a time event, and where x meets another relay afterwards.
static void surface_is_taken_away(void **state)
{
    (void)state;
    static const struct {
        const char *rate;
        double end;
    } cases[] = {{"if y > 1 then 3 elseif x > 0 then -1 else 1", 3.0},
                 {"if y > 1 then -3 elseif x > 0 then -1 else 1", -3.0},
                 {"if time > 1 then 3 elseif x > 0 then -1 else 1", 3.0},
                 {"if y > 1 then (if x > 2 then -1 else 3) elseif x > 0 then -1 else 1", 2.0}};
    for (int i = 0; i < 4 * SLIDE_SOLVERS; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M Real x(start=-0.5, fixed=true), y(start=0, fixed=true); equation "
                 "der(y) = 1; der(x) = %s; end M;",
                 cases[i % 4].rate);
        Trial *t = trial_text(text);
        slide_by(t, slide_solvers[i / 4]);
        slide_to(t, 2.0);
        ASSERT_NEAR(trial_value(t, "x"), cases[i % 4].end, slide_bound);
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_relays),
                                       cmocka_unit_test(corner),
                                       cmocka_unit_test(parts_slide),
                                       cmocka_unit_test(many_surfaces),
                                       cmocka_unit_test(random_relays),
                                       cmocka_unit_test(around_a_corner),
                                       cmocka_unit_test(ball_comes_to_rest),
                                       cmocka_unit_test(one_rests_the_others_go_on),
                                       cmocka_unit_test(no_rest),
                                       cmocka_unit_test(floor_that_moves),
                                       cmocka_unit_test(to_the_origin),
                                       cmocka_unit_test(surface_is_taken_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
