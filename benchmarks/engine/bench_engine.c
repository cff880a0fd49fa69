// SPDX-License-Identifier: MIT
//
// The overhead of the engine: the same work by the engine and by a loop written by hand for it,
// in one run, as ratios of the shortest of several repetitions. Work that is over in microseconds
// is done many times in each repetition, for the processor's clock is not that fine.
//
// The hand-written loop is dopri5 with constant dimension 2, the right-hand side behind a
// function pointer, PI control, dense output, the event function sampled at the same four
// times of each step, Brent's method on the dense output down to the resolution of time, and a
// closing step to the event. It checks nothing, logs nothing but the event times, and knows its
// model: after a bounce the ball is above the floor.

#include "support/measure.h"

#include <float.h>
#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2, REPETITIONS = 25, MOST_EVENTS = 4096 };

// ---------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------

static int pendulum(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[0] * sin(x[0]);
    return 0;
}

static int far_away(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] + 10.0;
    return 0;
}

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[0];
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    return 0;
}

static void bounce(SaltusEvent *event)
{
    event->x[1] *= -event->p[1];
}

static const double parameters[2] = {9.81, 0.9};

// ---------------------------------------------------------------------------
// By hand
// ---------------------------------------------------------------------------

typedef struct Hand {
    SaltusRhs f;
    SaltusEventFunctions h; // NULL: no events
    SaltusContext context;
    double relative, absolute;
    double t, step, x[N];
    double k[7][N], x_new[N], r[5][N];
    double error_before;
    long steps, evaluations;
    double times[MOST_EVENTS];
    int events;
} Hand;

static void hand_stages(Hand *s, double h, double (*k)[N], double *x_new)
{
    double w[N], t = s->t;
    const double *x = s->x;
    for (int i = 0; i < N; i++)
        w[i] = x[i] + h * (1.0 / 5 * k[0][i]);
    s->f(&s->context, t + h / 5, w, NULL, k[1]);
    for (int i = 0; i < N; i++)
        w[i] = x[i] + h * (3.0 / 40 * k[0][i] + 9.0 / 40 * k[1][i]);
    s->f(&s->context, t + 0.3 * h, w, NULL, k[2]);
    for (int i = 0; i < N; i++)
        w[i] = x[i] + h * (44.0 / 45 * k[0][i] - 56.0 / 15 * k[1][i] + 32.0 / 9 * k[2][i]);
    s->f(&s->context, t + 0.8 * h, w, NULL, k[3]);
    for (int i = 0; i < N; i++)
        w[i] = x[i] + h * (19372.0 / 6561 * k[0][i] - 25360.0 / 2187 * k[1][i] +
                           64448.0 / 6561 * k[2][i] - 212.0 / 729 * k[3][i]);
    s->f(&s->context, t + 8.0 / 9 * h, w, NULL, k[4]);
    for (int i = 0; i < N; i++)
        w[i] =
            x[i] + h * (9017.0 / 3168 * k[0][i] - 355.0 / 33 * k[1][i] + 46732.0 / 5247 * k[2][i] +
                        49.0 / 176 * k[3][i] - 5103.0 / 18656 * k[4][i]);
    s->f(&s->context, t + h, w, NULL, k[5]);
    for (int i = 0; i < N; i++)
        x_new[i] =
            x[i] + h * (35.0 / 384 * k[0][i] + 500.0 / 1113 * k[2][i] + 125.0 / 192 * k[3][i] -
                        2187.0 / 6784 * k[4][i] + 11.0 / 84 * k[5][i]);
    s->f(&s->context, t + h, x_new, NULL, k[6]);
    s->evaluations += 6;
}

static double hand_error(const Hand *s, double h)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        double e =
            h * (71.0 / 57600 * s->k[0][i] - 71.0 / 16695 * s->k[2][i] + 71.0 / 1920 * s->k[3][i] -
                 17253.0 / 339200 * s->k[4][i] + 22.0 / 525 * s->k[5][i] - 1.0 / 40 * s->k[6][i]);
        double scale = s->absolute + s->relative * fmax(fabs(s->x[i]), fabs(s->x_new[i]));
        sum += (e / scale) * (e / scale);
    }
    return sqrt(sum / N);
}

static void hand_dense(Hand *s, double h)
{
    for (int i = 0; i < N; i++) {
        double d = s->x_new[i] - s->x[i], b = h * s->k[0][i] - d;
        s->r[0][i] = s->x[i];
        s->r[1][i] = d;
        s->r[2][i] = b;
        s->r[3][i] = d - h * s->k[6][i] - b;
        s->r[4][i] =
            h * (-12715105075.0 / 11282082432.0 * s->k[0][i] +
                 87487479700.0 / 32700410799.0 * s->k[2][i] -
                 10690763975.0 / 1880347072.0 * s->k[3][i] +
                 701980252875.0 / 199316789632.0 * s->k[4][i] -
                 1453857185.0 / 822651844.0 * s->k[5][i] + 69997945.0 / 29380423.0 * s->k[6][i]);
    }
}

static double hand_h(Hand *s, double h_step, double t)
{
    double a = (t - s->t) / h_step, b = 1.0 - a, x[N], h;
    for (int i = 0; i < N; i++)
        x[i] = s->r[0][i] + a * (s->r[1][i] + b * (s->r[2][i] + a * (s->r[3][i] + b * s->r[4][i])));
    s->h(&s->context, t, x, NULL, &h);
    return h;
}

// Brent (1973); returns the right end of the bracket.
static double hand_brent(Hand *s, double h_step, double a, double fa, double b, double fb)
{
    double c = a, fc = fa, d = b - a, e = d;
    for (;;) {
        if (fb * fc > 0.0)
            c = a, fc = fa, d = e = b - a;
        if (fabs(fc) < fabs(fb))
            a = b, b = c, c = a, fa = fb, fb = fc, fc = fa;
        double tolerance = DBL_EPSILON * fabs(b), m = 0.5 * (c - b);
        if (fabs(m) <= tolerance || fb == 0.0)
            return fmax(b, c);
        if (fabs(e) >= tolerance && fabs(fa) > fabs(fb)) {
            double p, q, r, u = fb / fa;
            if (a == c) {
                p = 2.0 * m * u, q = 1.0 - u;
            } else {
                q = fa / fc, r = fb / fc;
                p = u * (2.0 * m * q * (q - r) - (b - a) * (r - 1.0));
                q = (q - 1.0) * (r - 1.0) * (u - 1.0);
            }
            if (p > 0.0)
                q = -q;
            p = fabs(p);
            if (2.0 * p < fmin(3.0 * m * q - fabs(tolerance * q), fabs(e * q)))
                e = d, d = p / q;
            else
                d = e = m;
        } else {
            d = e = m;
        }
        a = b, fa = fb;
        b += fabs(d) > tolerance ? d : copysign(tolerance, m);
        fb = hand_h(s, h_step, b);
    }
}

// Samples at four times; true: the ball has bounced.
static bool hand_event(Hand *s, double h_step, double t_new)
{
    double t_before = s->t, h_before = 1.0;
    hand_dense(s, h_step);
    for (int j = 1; j <= 4; j++) {
        double t = j < 4 ? s->t + h_step * j / 4 : t_new, h;
        if (j < 4)
            h = hand_h(s, h_step, t);
        else
            s->h(&s->context, t, s->x_new, NULL, &h);
        if (h <= 0.0) {
            if (j == 1)
                h_before = hand_h(s, h_step, t_before = s->t + 1e-3 * h_step);
            double event = hand_brent(s, h_step, t_before, h_before, t, h);
            double k[7][N], x[N];
            memcpy(k[0], s->k[0], sizeof k[0]);
            hand_stages(s, event - s->t, k, x);
            s->t = event;
            memcpy(s->x, x, sizeof x);
            s->x[1] *= -s->context.p[1];
            s->f(&s->context, s->t, s->x, NULL, s->k[0]);
            s->times[s->events++] = event;
            return true;
        }
        t_before = t, h_before = h;
    }
    return false;
}

static void hand_advance(Hand *s, double stop)
{
    bool rejected = false;
    s->f(&s->context, s->t, s->x, NULL, s->k[0]);
    while (s->t < stop) {
        bool last = s->t + 1.01 * s->step >= stop;
        double h = last ? stop - s->t : s->step;
        hand_stages(s, h, s->k, s->x_new);
        double error = hand_error(s, h), power = pow(error, 0.2 - 0.04 * 0.75);
        double factor = power / pow(s->error_before, 0.04) / 0.9;
        factor = fmin(fmax(factor, 0.1), 5.0);
        if (error > 1.0) {
            s->step = h / fmin(5.0, power / 0.9);
            rejected = true;
            continue;
        }
        s->error_before = fmax(error, 1e-4);
        s->step = rejected ? fmin(h, h / factor) : h / factor;
        rejected = false;
        s->steps++;
        double t_new = last ? stop : s->t + h;
        if (s->h && hand_event(s, h, t_new))
            continue;
        s->t = t_new;
        memcpy(s->x, s->x_new, sizeof s->x);
        memcpy(s->k[0], s->k[6], sizeof s->k[0]);
    }
}

// ---------------------------------------------------------------------------
// Cases
// ---------------------------------------------------------------------------

typedef struct Case {
    const char *name;
    SaltusRhs f;
    SaltusEventFunctions h;
    double start[N];
    double relative, stop;
    int times; // per repetition
} Case;

typedef struct Outcome {
    double time;
    long steps, events;
    double t_last, x_last;
} Outcome;

static Outcome by_engine(const Case *c)
{
    SaltusEventDef event = {.name = "event", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = N;
    mode.start = c->start;
    mode.rhs = c->f;
    mode.event_count = c->h ? 1 : 0;
    mode.events = &event;
    mode.event_functions = c->h;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = 2;
    def.parameters = parameters;
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    options.method.relative_tolerance = c->relative;
    options.method.step = 0.01;
    options.record = SALTUS_RECORD_NOTHING;
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    if (saltus_system_create(&def, &system, NULL) < 0 ||
        saltus_run_create(system, &options, &run, NULL) < 0)
        exit(1);
    double begin = measure_cpu();
    SaltusStatus status = saltus_run_advance(run, c->stop);
    double time = measure_cpu() - begin;
    if (status != SALTUS_OK)
        exit(1);
    SaltusStatistics statistics = saltus_run_statistics(run);
    long events = saltus_run_event_count(run);
    Outcome outcome = {.time = time,
                       .steps = statistics.steps,
                       .events = events,
                       .t_last = events ? saltus_run_event(run, events - 1).t : 0.0,
                       .x_last = saltus_run_states(run)[0]};
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return outcome;
}

static Outcome by_hand(const Case *c)
{
    static Hand s;
    s = (Hand){.f = c->f,
               .h = c->h,
               .context = {.p = parameters},
               .relative = c->relative,
               .absolute = 1e-9,
               .step = 0.01,
               .error_before = 1e-4};
    memcpy(s.x, c->start, sizeof s.x);
    double begin = measure_cpu();
    hand_advance(&s, c->stop);
    return (Outcome){.time = measure_cpu() - begin,
                     .steps = s.steps,
                     .events = s.events,
                     .t_last = s.events ? s.times[s.events - 1] : 0.0,
                     .x_last = s.x[0]};
}

// The outcome of one repetition, with the mean time of its runs.
static Outcome repeat(Outcome (*run)(const Case *c), const Case *c)
{
    double time = 0.0;
    Outcome outcome = {0};
    for (int i = 0; i < c->times; i++) {
        outcome = run(c);
        time += outcome.time;
    }
    outcome.time = time / c->times;
    return outcome;
}

int main(void)
{
    const Case cases[] = {
        {"pendulum, no event function", pendulum, NULL, {1.5, 0.0}, 1e-9, 2500.0, 1},
        {"pendulum, one watched", pendulum, far_away, {1.5, 0.0}, 1e-9, 2500.0, 1},
        {"ball with event contact", fall, height, {10.0, 0.0}, 1e-6, 27.12901, 100},
    };
    printf("%-28s %9s %7s %12s %12s %7s\n", "", "steps", "events", "engine", "by hand", "ratio");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Outcome engine = {.time = INFINITY}, hand = {.time = INFINITY};
        for (int k = 0; k < REPETITIONS; k++) {
            Outcome e = repeat(by_engine, &cases[i]), h = repeat(by_hand, &cases[i]);
            engine = e.time < engine.time ? e : engine;
            hand = h.time < hand.time ? h : hand;
        }
        double per = (double)(engine.events ? engine.events : engine.steps);
        printf("%-28s %9ld %7ld %9.1f ns %9.1f ns %7.2f   per %s\n", cases[i].name, engine.steps,
               engine.events, 1e9 * engine.time / per, 1e9 * hand.time / per,
               engine.time / hand.time, engine.events ? "event" : "step");
        if (engine.events != hand.events || fabs(engine.t_last - hand.t_last) > 1e-9 ||
            fabs(engine.x_last - hand.x_last) > 1e-2)
            printf("  they differ: %ld and %ld steps, %ld and %ld events, t %.15g and %.15g\n",
                   engine.steps, hand.steps, engine.events, hand.events, engine.t_last,
                   hand.t_last);
    }
    return 0;
}
