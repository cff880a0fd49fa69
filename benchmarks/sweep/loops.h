// SPDX-License-Identifier: MIT
//
// The systems of Sweeps.mo as somebody would write them by hand: a scalar loop with Rodas5P (the
// coefficients are those of solvers/rosenbrock_tableau.c), analytic Jacobians of the equations that
// hold at the time, events found by their signs at three places of a step, located on the dense
// output and finished by closing steps.

#ifndef SALTUS_BENCHMARKS_SWEEP_LOOPS_H
#define SALTUS_BENCHMARKS_SWEEP_LOOPS_H

// On a GPU it says what these are.
#ifndef HAND
#define HAND static inline __attribute__((always_inline))
#define HAND_TABLE static
#define HAND_FAR static
#endif

// The coefficients as constants of this file, as they would be.
#include "solvers/rosenbrock.h"
#define rosenbrock_rodas5p hand_rodas5p
#define ROSENBROCK_TABLE HAND_TABLE
#include "solvers/rosenbrock_tableau.c" // NOLINT(bugprone-suspicious-include)
#undef ROSENBROCK_TABLE
#undef rosenbrock_rodas5p

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { HAND_MOST = 6 };

typedef void (*HandRight)(double t, const double *x, const double *p, double *f);
// Column by column, then by time.
typedef void (*HandJacobian)(double t, const double *x, const double *p, double *a);
// An event is where it falls below zero.
typedef double (*HandEvent)(double t, const double *x, const double *p);

typedef struct HandMode {
    int n;
    HandRight right;
    HandJacobian jacobian;
    HandEvent event;
} HandMode;

typedef struct HandStep {
    double y[HAND_MOST], d[3 * HAND_MOST], error;
} HandStep;

typedef struct HandRun {
    double t, x[HAND_MOST], step, last, error, longest, relative, absolute;
    const double *p;
} HandRun;

HAND void hand_factor(int n, double *a)
{
    for (int k = 0; k < n; k++) {
        a[k * n + k] = 1.0 / a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double l = a[k * n + i] *= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[j * n + i] -= l * a[j * n + k];
        }
    }
}

HAND void hand_solve(int n, const double *a, double *b)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= a[j * n + i] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[j * n + i] * b[j];
        b[i] *= a[i * n + i];
    }
}

HAND void hand_step(const HandRun *r, const HandMode m, double h, HandStep *s)
{
    const RosenbrockTableau *c = &hand_rodas5p;
    const int n = m.n;
    double u[8][HAND_MOST], a[HAND_MOST * (HAND_MOST + 1)], *by_time = a + n * n;
    m.jacobian(r->t, r->x, r->p, a);
    for (int i = 0; i < n * n; i++)
        a[i] = -a[i];
    for (int i = 0; i < n; i++)
        a[i * n + i] += 1.0 / (h * c->gamma);
    hand_factor(n, a);
    for (int i = 0; i < 8; i++) {
        if (i == 0) {
            m.right(r->t, r->x, r->p, u[0]);
        } else {
            for (int k = 0; k < n; k++) {
                if (i < c->chained) {
                    s->y[k] = r->x[k];
                    for (int j = 0; j < i; j++)
                        s->y[k] += c->a[i][j] * u[j][k];
                } else {
                    s->y[k] += u[i - 1][k];
                }
            }
            m.right(r->t + c->time[i] * h, s->y, r->p, u[i]);
            for (int k = 0; k < n; k++) {
                double sum = 0.0;
                for (int j = 0; j < i; j++)
                    sum += c->c[i][j] * u[j][k];
                u[i][k] += sum / h;
            }
        }
        for (int k = 0; k < n; k++)
            u[i][k] += c->slope[i] * h * by_time[k];
        hand_solve(n, a, u[i]);
    }
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        s->y[k] += u[7][k];
        const double size = fmax(fabs(r->x[k]), fabs(s->y[k]));
        const double e = u[7][k] / (r->absolute + r->relative * size);
        sum += e * e;
        for (int term = 0; term < 3; term++) {
            s->d[term * n + k] = 0.0;
            for (int j = 0; j < 8; j++)
                s->d[term * n + k] += c->dense[term][j] * u[j][k];
        }
    }
    s->error = sqrt(sum / n);
}

HAND double hand_event_at(const HandRun *r, const HandMode m, const HandStep *s, double h, double q)
{
    double x[HAND_MOST];
    const double p = 1.0 - q;
    for (int k = 0; k < m.n; k++)
        x[k] = p * r->x[k] +
               q * (s->y[k] + p * (s->d[k] + q * (s->d[m.n + k] + q * s->d[2 * m.n + k])));
    return m.event(r->t + q * h, x, r->p);
}

// Goes to the event: false if the stop comes first. A function that begins at zero is taken to
// leave it upwards.
HAND bool hand_advance(HandRun *r, const HandMode m, double stop)
{
    HandStep s;
    bool is_rejected = false;
    r->last = 0.0;
    while (r->t < stop) {
        double h = fmin(r->step, r->longest);
        h = r->t + 1.1 * h >= stop ? stop - r->t : h;
        hand_step(r, m, h, &s);
        if (!(s.error <= 1.0)) {
            r->step = h * (isfinite(s.error) ? fmax(0.9 * pow(s.error, -0.2), 0.2) : 0.25);
            is_rejected = true;
            if (r->step < 1e-15)
                return false;
            continue;
        }
        // (Not where the step begins: it may begin at an event.)
        double a = 0.0, b = 0.0;
        for (int k = 1; k <= 3 && b == 0.0; k++) {
            const double q = k / 3.0;
            if (hand_event_at(r, m, &s, h, q) <= 0.0)
                b = q;
            else
                a = q;
        }
        if (b > 0.0) {
            for (int k = 0; k < 60 && b - a > 1e-15; k++) { // Illinois
                const double h_a = hand_event_at(r, m, &s, h, a),
                             h_b = hand_event_at(r, m, &s, h, b);
                double q = k % 3 == 2 ? 0.5 * (a + b) : a + (b - a) * h_a / (h_a - h_b);
                q = q > a && q < b ? q : 0.5 * (a + b);
                if (hand_event_at(r, m, &s, h, q) <= 0.0)
                    b = q;
                else
                    a = q;
            }
            double to = b * h, before = to, f_before = 0.0;
            for (int k = 0; k < 8; k++) { // closing steps, by the secant
                hand_step(r, m, to, &s);
                const double f = m.event(r->t + to, s.y, r->p);
                const double slope =
                    k ? (f - f_before) / (to - before) : (f - m.event(r->t, r->x, r->p)) / to;
                const double correction = k || fabs(f) > 0.0 ? -f / slope : 0.0;
                if (fabs(correction) <= 4.0 * DBL_EPSILON * (r->t + to) || !isfinite(correction))
                    break;
                before = to;
                f_before = f;
                to += fmax(fmin(correction, 0.1 * to), -0.1 * to);
            }
            r->t += to;
            memcpy(r->x, s.y, (size_t)m.n * sizeof *s.y);
            return true;
        }
        double factor = 0.9 * pow(s.error, -0.2);
        if (r->last > 0.0)
            factor = fmin(factor,
                          0.9 * h / r->last * pow(s.error * s.error / fmax(r->error, 1e-2), -0.2));
        factor = fmin(fmax(factor, 0.2), is_rejected ? 1.0 : 10.0);
        is_rejected = false;
        r->last = h;
        r->error = fmax(s.error, 1e-4);
        r->t = h == stop - r->t ? stop : r->t + h;
        r->step = fmax(r->step * (h < 0.9 * r->step), h * factor);
        memcpy(r->x, s.y, (size_t)m.n * sizeof *s.y);
    }
    return false;
}

// ---------------------------------------------------------------------------
// The dynamic contact: p = {k, d}
// ---------------------------------------------------------------------------

#define HAND_G 9.81
#define HAND_BETA 0.002
#define HAND_MASS 1.5
#define HAND_LENGTH 1.0
#define HAND_ANGLE 0.78539816339744830962

HAND void flight_right(double t, const double *x, const double *p, double *f)
{
    (void)t;
    f[0] = x[1];
    f[1] = -HAND_G - HAND_BETA * x[1] * fabs(x[1]);
    f[2] = -(p[0] / p[1]) * x[2];
}
HAND void flight_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)t;
    memset(a, 0, 12 * sizeof *a);
    a[3] = 1.0;
    a[4] = -2.0 * HAND_BETA * fabs(x[1]);
    a[8] = -p[0] / p[1];
}
HAND double flight_event(double t, const double *x, const double *p)
{
    (void)t, (void)p;
    return x[0] + x[2];
}
HAND void contact_right(double t, const double *x, const double *p, double *f)
{
    (void)t;
    f[0] = x[1];
    f[1] = -p[0] * x[0] - p[1] * x[1] - HAND_G;
}
HAND void contact_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)t, (void)x;
    memset(a, 0, 6 * sizeof *a);
    a[1] = -p[0];
    a[2] = 1.0;
    a[3] = -p[1];
}
HAND double contact_event(double t, const double *x, const double *p)
{
    (void)t;
    return -p[0] * x[0] - p[1] * x[1];
}

// The number of contacts and the velocity after the first one.
HAND_FAR void hand_contact(const double *p, double tolerance, double longest, double *contacts,
                           double *rebound)
{
    const HandMode flight = {3, flight_right, flight_jacobian, flight_event};
    const HandMode contact = {2, contact_right, contact_jacobian, contact_event};
    HandRun r = {.x = {10.0, 0.0, 0.0},
                 .step = 1e-3,
                 .longest = longest,
                 .relative = tolerance,
                 .absolute = 1e-3 * tolerance,
                 .p = p};
    double steps[2] = {1e-3, 1e-6};
    *contacts = *rebound = 0.0;
    for (;;) {
        r.step = steps[0];
        const double begin = r.t;
        if (!hand_advance(&r, flight, 10.0))
            return;
        steps[0] = fmin(r.step, 1.5 * (r.t - begin));
        ++*contacts;
        r.step = steps[1];
        const double touch = r.t;
        if (!hand_advance(&r, contact, 10.0))
            return;
        steps[1] = fmin(r.step, 1.5 * (r.t - touch));
        if (*contacts == 1.0)
            *rebound = r.x[1];
        r.x[2] = -r.x[0];
    }
}

// ---------------------------------------------------------------------------
// A ball with a coefficient of restitution: p = {mu, g}
// ---------------------------------------------------------------------------

HAND void ball_right(double t, const double *x, const double *p, double *f)
{
    (void)t;
    f[0] = x[1];
    f[1] = -p[1] - HAND_BETA * x[1] * fabs(x[1]);
}
HAND void ball_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)t, (void)p;
    memset(a, 0, 6 * sizeof *a);
    a[2] = 1.0;
    a[3] = -2.0 * HAND_BETA * fabs(x[1]);
}
HAND double ball_event(double t, const double *x, const double *p)
{
    (void)t, (void)p;
    return x[0];
}

// Bounces, and the height at the end.
HAND_FAR void hand_bounces(const double *p, double tolerance, double longest, double *bounces,
                           double *height)
{
    const HandMode flight = {2, ball_right, ball_jacobian, ball_event};
    HandRun r = {.x = {10.0, 0.0},
                 .step = 1e-3,
                 .longest = longest,
                 .relative = tolerance,
                 .absolute = 1e-3 * tolerance,
                 .p = p};
    double begin = 0.0;
    *bounces = 0.0;
    while (hand_advance(&r, flight, 50.0 * longest)) {
        ++*bounces;
        r.x[1] *= -p[0];
        r.step = fmin(r.step, 1.5 * (r.t - begin));
        begin = r.t;
    }
    *height = r.x[0];
}

// ---------------------------------------------------------------------------
// The pendulum on a rope: p = {omega0, k}
// ---------------------------------------------------------------------------

HAND void swing_right(double t, const double *x, const double *p, double *f)
{
    (void)t;
    f[0] = x[1];
    f[1] = -p[1] / HAND_MASS * x[1] + HAND_G / HAND_LENGTH * sin(x[0]);
}
HAND void swing_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)t;
    memset(a, 0, 6 * sizeof *a);
    a[1] = HAND_G / HAND_LENGTH * cos(x[0]);
    a[2] = 1.0;
    a[3] = -p[1] / HAND_MASS;
}
HAND double swing_event(double t, const double *x, const double *p)
{
    (void)t, (void)p;
    return HAND_LENGTH * x[1] * x[1] - HAND_G * cos(x[0]);
}
HAND void fall_right(double t, const double *x, const double *p, double *f)
{
    (void)t;
    f[0] = x[2];
    f[1] = x[3];
    f[2] = -p[1] / HAND_MASS * x[2];
    f[3] = -HAND_G - p[1] / HAND_MASS * x[3];
}
HAND void fall_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)t, (void)x;
    memset(a, 0, 20 * sizeof *a);
    a[8] = a[13] = 1.0;
    a[10] = a[15] = -p[1] / HAND_MASS;
}
HAND double fall_event(double t, const double *x, const double *p)
{
    (void)t, (void)p;
    return HAND_LENGTH * HAND_LENGTH - x[0] * x[0] - x[1] * x[1];
}

// How often the rope becomes loose, and the angle at the end.
HAND_FAR void hand_pendulum(const double *p, double tolerance, double longest, double *flights,
                            double *angle)
{
    const HandMode swing = {2, swing_right, swing_jacobian, swing_event};
    const HandMode fall = {4, fall_right, fall_jacobian, fall_event};
    const double turn = 6.28318530717958647692, l = HAND_LENGTH;
    HandRun r = {.x = {HAND_ANGLE, p[0]},
                 .step = 1e-3,
                 .longest = longest,
                 .relative = tolerance,
                 .absolute = 1e-3 * tolerance,
                 .p = p};
    double steps[2] = {1e-3, 1e-3};
    *flights = 0.0;
    for (;;) {
        double begin = r.t;
        r.step = steps[0];
        const bool loose = hand_advance(&r, swing, 50.0 * longest);
        *angle = r.x[0];
        if (!loose)
            return;
        steps[0] = fmin(r.step, 1.5 * (r.t - begin));
        ++*flights;
        const double phi = r.x[0], omega = r.x[1];
        r.x[0] = l * sin(phi);
        r.x[1] = l * cos(phi);
        r.x[2] = l * cos(phi) * omega;
        r.x[3] = -l * sin(phi) * omega;
        begin = r.t;
        r.step = steps[1];
        if (!hand_advance(&r, fall, 50.0 * longest))
            return;
        steps[1] = fmin(r.step, 1.5 * (r.t - begin));
        const double x = r.x[0], y = r.x[1], at = atan2(x, y);
        r.x[0] = at < 0.0 ? at + turn : at;
        r.x[1] = (y * r.x[2] - x * r.x[3]) / (l * l);
    }
}

// ---------------------------------------------------------------------------
// The RLC circuit with a shortcut: p = {R1, R2}
// ---------------------------------------------------------------------------

#define HAND_L 25.3e-6
#define HAND_C 100e-9
#define HAND_W (2.0 * 3.14159265358979323846 * 0.15e6)

HAND void locking_right(double t, const double *x, const double *p, double *f)
{
    f[0] = (-sin(HAND_W * t) - (p[0] + p[1]) * x[0] - x[1]) / HAND_L;
    f[1] = x[0] / HAND_C;
}
HAND void locking_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)x;
    a[0] = -(p[0] + p[1]) / HAND_L;
    a[1] = 1.0 / HAND_C;
    a[2] = -1.0 / HAND_L;
    a[3] = 0.0;
    a[4] = -HAND_W * cos(HAND_W * t) / HAND_L;
    a[5] = 0.0;
}
HAND double locking_event(double t, const double *x, const double *p)
{
    (void)t;
    return p[1] * x[0] + x[1];
}
HAND void shortcut_right(double t, const double *x, const double *p, double *f)
{
    f[0] = (-sin(HAND_W * t) - p[0] * x[0]) / HAND_L;
    f[1] = -x[1] / (p[1] * HAND_C);
}
HAND void shortcut_jacobian(double t, const double *x, const double *p, double *a)
{
    (void)x;
    a[0] = -p[0] / HAND_L;
    a[1] = a[2] = 0.0;
    a[3] = -1.0 / (p[1] * HAND_C);
    a[4] = -HAND_W * cos(HAND_W * t) / HAND_L;
    a[5] = 0.0;
}
HAND double shortcut_event(double t, const double *x, const double *p)
{
    (void)t;
    return -(p[1] * x[0] + x[1]);
}

// How often the diode switches, after the beginning, and the voltage at the end.
HAND_FAR void hand_circuit(const double *p, double tolerance, double longest, double *switches,
                           double *voltage)
{
    const HandMode locking = {2, locking_right, locking_jacobian, locking_event};
    const HandMode shortcut = {2, shortcut_right, shortcut_jacobian, shortcut_event};
    // The source begins downwards: the diode conducts at once.
    HandRun r = {.x = {0.0, 0.0},
                 .step = 1e-9,
                 .longest = longest,
                 .relative = tolerance,
                 .absolute = 1e-5 * tolerance,
                 .p = p};
    double begin = 0.0, steps[2] = {1e-9, 1e-9};
    *switches = 0.0;
    for (int k = 0; k == 0 ? hand_advance(&r, shortcut, 50.0 * longest)
                           : hand_advance(&r, locking, 50.0 * longest);
         k = !k) {
        ++*switches;
        steps[k] = fmin(r.step, 1.5 * (r.t - begin));
        begin = r.t;
        r.step = steps[!k];
    }
    *voltage = r.x[1];
}

#endif
