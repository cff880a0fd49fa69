// SPDX-License-Identifier: MIT
//
// The systems of Sweeps.mo as somebody would write them by hand: a scalar loop with Rodas5P (the
// coefficients are those of solvers/rosenbrock_tableau.c), analytic Jacobians of the equations that
// hold at the time, events found by their signs at three places of a step, located on the dense
// output and finished by closing steps.

#ifndef SALTUS_BENCHMARKS_SWEEP_LOOPS_H
#define SALTUS_BENCHMARKS_SWEEP_LOOPS_H

// The coefficients as constants of this file, as they would be.
#define rosenbrock_rodas5p hand_rodas5p
#include "solvers/rosenbrock_tableau.c" // NOLINT(bugprone-suspicious-include)
#undef rosenbrock_rodas5p

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HAND static inline __attribute__((always_inline))

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
static void hand_contact(const double *p, double tolerance, double longest, double *contacts,
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

#endif
