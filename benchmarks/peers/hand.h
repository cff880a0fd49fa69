// SPDX-License-Identifier: MIT
//
// What an expert writes by hand for one job: dopri5, or for stiff ones Rodas5P with the Jacobian by
// hand, with the usual step size control and dense output; events by the sign of one function at
// the ends of steps, located on the dense output by the Illinois method.
//
// A file that includes this has the job's functions at hand, so that the compiler can put them
// where they are called: no call through a pointer is left.

#ifndef SALTUS_BENCHMARKS_PEERS_HAND_H
#define SALTUS_BENCHMARKS_PEERS_HAND_H

#include "solvers/rosenbrock.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HAND_INLINE static inline __attribute__((always_inline))

enum { HAND_MOST = 4, HAND_EVENTS = 400 };

// A job: states, modes, one event function whose zero in the direction of `sign` ends a mode.
typedef struct HandJob {
    int n;
    double start[HAND_MOST];
    int mode; // in which it begins
    // The events of a Modelica model that are this job's: changes of this variable, or of the mode.
    const char *variable;
    bool is_by_mode;
    double stop;
    int most_events; // it ends after so many; 0: at the stop time
    double absolute; // part of the relative tolerance
    void (*f)(int mode, double t, const double *x, double *dx);
    // df/dx, of a job that is stiff and does not depend on the time.
    void (*jacobian)(int mode, const double *x, double j[HAND_MOST][HAND_MOST]);
    double (*h)(int mode, double t, const double *x);
    int (*sign)(int mode); // the sign that h has before the event
    void (*action)(int *mode, double t, double *x);
} HandJob;

typedef struct HandResult {
    int events;
    double times[HAND_EVENTS];
    double before[HAND_EVENTS][HAND_MOST], after[HAND_EVENTS][HAND_MOST]; // the states
    double x[HAND_MOST];
    long steps;
} HandResult;

HAND_INLINE double hand_norm(int n, const double *e, const double *x, const double *y,
                             double relative, double absolute)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double scale = absolute + relative * fmax(fabs(x[i]), fabs(y[i]));
        sum += (e[i] / scale) * (e[i] / scale);
    }
    return sqrt(sum / n);
}

// x at t + s h by dopri5's dense output.
HAND_INLINE void hand_dense(int n, double s, const double *x, double r[4][HAND_MOST], double *to)
{
    const double s1 = 1.0 - s;
    for (int i = 0; i < n; i++)
        to[i] = x[i] + s * (r[0][i] + s1 * (r[1][i] + s * (r[2][i] + s1 * r[3][i])));
}

// A step's dense output: `dense` with its coefficients.
typedef void (*HandDense)(int n, double s, const double *x, double r[4][HAND_MOST], double *to);

// The zero of h on the dense output, as a part of the step, by the Illinois method.
HAND_INLINE double hand_locate(const HandJob *job, HandDense dense, int mode, double t, double step,
                               double h0, double h1, const double *x, double r[4][HAND_MOST],
                               double *to)
{
    double a = 0.0, b = 1.0, fa = h0, fb = h1, last = 2.0;
    int side = 0;
    if (!(fa * job->sign(mode) > 1e-12 * fabs(h1))) { // it began at a zero
        for (a = 0.5; a > 1e-12; a *= 0.5) {
            dense(job->n, a, x, r, to);
            fa = job->h(mode, t + a * step, to);
            if (fa * job->sign(mode) > 0.0)
                break;
        }
    }
    for (int k = 0; k < 60; k++) {
        const double s = b - fb * (b - a) / (fb - fa);
        dense(job->n, s, x, r, to);
        const double f = job->h(mode, t + s * step, to);
        if (f * fb > 0.0) {
            b = s, fb = f;
            fa *= side == 1 ? 0.5 : 1.0;
            side = 1;
        } else {
            a = s, fa = f;
            fb *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
        if (f == 0.0 || fabs(s - last) * step <= 2e-16 * t)
            return s;
        last = s;
    }
    return last;
}

// An event and the states before it, as Saltus logs what changes; where the states after it go.
HAND_INLINE int hand_note(HandResult *result, double t, const double *x)
{
    const int place = result->events < HAND_EVENTS ? result->events : HAND_EVENTS - 1;
    result->times[place] = t;
    memcpy(result->before[place], x, sizeof result->before[place]);
    result->events = place + 1;
    return place;
}

// k[1] ... k[6]; x_new; the error estimate in e.
HAND_INLINE void hand_dopri5_step(const HandJob *job, int mode, double t, double h, const double *x,
                                  double k[7][HAND_MOST], double *y, double *e)
{
    const int n = job->n;
    double w[HAND_MOST];
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (0.2 * k[0][i]);
    job->f(mode, t + 0.2 * h, w, k[1]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (3.0 / 40 * k[0][i] + 9.0 / 40 * k[1][i]);
    job->f(mode, t + 0.3 * h, w, k[2]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (44.0 / 45 * k[0][i] - 56.0 / 15 * k[1][i] + 32.0 / 9 * k[2][i]);
    job->f(mode, t + 0.8 * h, w, k[3]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (19372.0 / 6561 * k[0][i] - 25360.0 / 2187 * k[1][i] +
                           64448.0 / 6561 * k[2][i] - 212.0 / 729 * k[3][i]);
    job->f(mode, t + 8.0 / 9 * h, w, k[4]);
    for (int i = 0; i < n; i++)
        w[i] =
            x[i] + h * (9017.0 / 3168 * k[0][i] - 355.0 / 33 * k[1][i] + 46732.0 / 5247 * k[2][i] +
                        49.0 / 176 * k[3][i] - 5103.0 / 18656 * k[4][i]);
    job->f(mode, t + h, w, k[5]);
    for (int i = 0; i < n; i++)
        y[i] = x[i] + h * (35.0 / 384 * k[0][i] + 500.0 / 1113 * k[2][i] + 125.0 / 192 * k[3][i] -
                           2187.0 / 6784 * k[4][i] + 11.0 / 84 * k[5][i]);
    job->f(mode, t + h, y, k[6]);
    for (int i = 0; i < n; i++)
        e[i] = h * (71.0 / 57600 * k[0][i] - 71.0 / 16695 * k[2][i] + 71.0 / 1920 * k[3][i] -
                    17253.0 / 339200 * k[4][i] + 22.0 / 525 * k[5][i] - 1.0 / 40 * k[6][i]);
}

HAND_INLINE void hand_dopri5_coefficients(int n, double h, const double *x, const double *y,
                                          double k[7][HAND_MOST], double r[4][HAND_MOST])
{
    for (int i = 0; i < n; i++) {
        r[0][i] = y[i] - x[i];
        r[1][i] = h * k[0][i] - r[0][i];
        r[2][i] = r[0][i] - h * k[6][i] - r[1][i];
        r[3][i] =
            h *
            (-12715105075.0 / 11282082432.0 * k[0][i] + 87487479700.0 / 32700410799.0 * k[2][i] -
             10690763975.0 / 1880347072.0 * k[3][i] + 701980252875.0 / 199316789632.0 * k[4][i] -
             1453857185.0 / 822651844.0 * k[5][i] + 69997945.0 / 29380423.0 * k[6][i]);
    }
}

// The whole run.
HAND_INLINE void hand_dopri5(const HandJob *job, double relative, HandResult *result)
{
    const int n = job->n;
    const double absolute = relative * job->absolute;
    double x[HAND_MOST], y[HAND_MOST], e[HAND_MOST], k[7][HAND_MOST], r[4][HAND_MOST];
    double t = 0.0, h = 1e-4 * job->stop, before = 1e-4;
    int mode = job->mode;
    double since = t;
    bool is_rejected = false;
    result->events = 0;
    result->steps = 0;
    memcpy(x, job->start, sizeof x);
    job->f(mode, t, x, k[0]);
    double h0 = job->h(mode, t, x);
    while (t < job->stop) {
        const bool is_last = t + 1.01 * h >= job->stop;
        const double step = is_last ? job->stop - t : h;
        hand_dopri5_step(job, mode, t, step, x, k, y, e);
        const double error = hand_norm(n, e, x, y, relative, absolute);
        const double power = pow(error, 0.2 - 0.04 * 0.75);
        if (!(error <= 1.0)) {
            h = step / fmin(5.0, power / 0.9);
            is_rejected = true;
            continue;
        }
        result->steps++;
        const double factor = fmin(fmax(power / pow(before, 0.04) / 0.9, 0.1), 5.0);
        before = fmax(error, 1e-4);
        const double next = is_rejected ? fmin(step, step / factor) : step / factor;
        const double h1 = job->h(mode, t + step, y);
        if (h1 * job->sign(mode) < 0.0) {
            hand_dopri5_coefficients(n, step, x, y, k, r);
            const double part = hand_locate(job, hand_dense, mode, t, step, h0, h1, x, r, y);
            t += part * step;
            memcpy(x, y, sizeof x);
            const int noted = hand_note(result, t, x);
            if (result->events == job->most_events)
                break;
            job->action(&mode, t, x);
            memcpy(result->after[noted], x, sizeof x);
            job->f(mode, t, x, k[0]);
            h0 = job->h(mode, t, x);
            h = fmin(next, 1.5 * (t - since));
            since = t;
            is_rejected = false;
            continue;
        }
        h0 = h1;
        h = next;
        is_rejected = false;
        t = is_last ? job->stop : t + step;
        memcpy(x, y, sizeof x);
        memcpy(k[0], k[6], sizeof k[0]);
    }
    memcpy(result->x, x, sizeof x);
}

// ---------------------------------------------------------------------------
// Rodas5P
// ---------------------------------------------------------------------------

// LU with partial pivoting, in place.
HAND_INLINE void hand_factor(int n, double a[HAND_MOST][HAND_MOST], int *pivot)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
        pivot[k] = p;
        for (int j = 0; j < n && p != k; j++) {
            const double swapped = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = swapped;
        }
        const double inverse = 1.0 / a[k][k];
        for (int i = k + 1; i < n; i++) {
            a[i][k] *= inverse;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
}

HAND_INLINE void hand_solve(int n, double a[HAND_MOST][HAND_MOST], const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        const double swapped = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = swapped;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= a[i][j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

// r: y_new, D_1, D_2, D_3 (see solvers/rosenbrock.h).
HAND_INLINE void hand_rodas_dense(int n, double s, const double *x, double r[4][HAND_MOST],
                                  double *to)
{
    const double s1 = 1.0 - s;
    for (int i = 0; i < n; i++)
        to[i] = s1 * x[i] + s * (r[0][i] + s1 * (r[1][i] + s * (r[2][i] + s * r[3][i])));
}

// A step; y: its end, e: the estimate of its error.
HAND_INLINE void hand_rodas_step(const HandJob *job, int mode, double t, double h, const double *x,
                                 double u[ROSENBROCK_STAGES][HAND_MOST], double *y, double *e)
{
    const RosenbrockTableau *m = &rosenbrock_rodas5p;
    const int n = job->n;
    double a[HAND_MOST][HAND_MOST], w[HAND_MOST];
    int pivot[HAND_MOST];
    job->jacobian(mode, x, a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (i == j ? 1.0 / (h * m->gamma) : 0.0) - a[i][j];
    hand_factor(n, a, pivot);
    for (int k = 0; k < ROSENBROCK_STAGES; k++) {
        for (int i = 0; i < n; i++) {
            double sum = k < m->chained ? x[i] : w[i] + u[k - 1][i];
            for (int j = 0; j < k && k < m->chained; j++)
                sum += m->a[k][j] * u[j][i];
            w[i] = sum;
        }
        job->f(mode, t, w, u[k]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < k; j++)
                u[k][i] += m->c[k][j] / h * u[j][i];
        hand_solve(n, a, pivot, u[k]);
    }
    for (int i = 0; i < n; i++) {
        e[i] = u[ROSENBROCK_STAGES - 1][i];
        y[i] = w[i] + e[i];
    }
}

HAND_INLINE void hand_rodas_coefficients(int n, double u[ROSENBROCK_STAGES][HAND_MOST],
                                         const double *y, double r[4][HAND_MOST])
{
    for (int i = 0; i < n; i++) {
        r[0][i] = y[i];
        for (int k = 0; k < ROSENBROCK_DENSE_TERMS; k++) {
            r[1 + k][i] = 0.0;
            for (int j = 0; j < ROSENBROCK_STAGES; j++)
                r[1 + k][i] += rosenbrock_rodas5p.dense[k][j] * u[j][i];
        }
    }
}

// The whole run of a stiff job.
HAND_INLINE void hand_rodas(const HandJob *job, double relative, HandResult *result)
{
    const int n = job->n;
    const double absolute = relative * job->absolute;
    double x[HAND_MOST], y[HAND_MOST], e[HAND_MOST], r[4][HAND_MOST];
    double u[ROSENBROCK_STAGES][HAND_MOST];
    double t = 0.0, h = 1e-4 * job->stop, since = 0.0;
    int mode = job->mode;
    bool is_rejected = false;
    result->events = 0;
    result->steps = 0;
    memcpy(x, job->start, sizeof x);
    double h0 = job->h(mode, t, x);
    while (t < job->stop) {
        const bool is_last = t + 1.01 * h >= job->stop;
        const double step = is_last ? job->stop - t : h;
        hand_rodas_step(job, mode, t, step, x, u, y, e);
        const double error = hand_norm(n, e, x, y, relative, absolute);
        const double factor = fmin(fmax(pow(error, 0.2) / 0.9, 1.0 / 6.0), 5.0);
        if (!(error <= 1.0)) {
            h = step / (factor > 0.0 ? factor : 5.0);
            is_rejected = true;
            continue;
        }
        result->steps++;
        const double next = is_rejected ? fmin(step, step / factor) : step / factor;
        const double h1 = job->h(mode, t + step, y);
        is_rejected = false;
        if (h1 * job->sign(mode) < 0.0) {
            hand_rodas_coefficients(n, u, y, r);
            const double part = hand_locate(job, hand_rodas_dense, mode, t, step, h0, h1, x, r, y);
            t += part * step;
            memcpy(x, y, sizeof x);
            const int noted = hand_note(result, t, x);
            if (result->events == job->most_events)
                break;
            job->action(&mode, t, x);
            memcpy(result->after[noted], x, sizeof x);
            h0 = job->h(mode, t, x);
            h = fmin(next, 1.5 * (t - since));
            since = t;
            continue;
        }
        h0 = h1;
        h = next;
        t = is_last ? job->stop : t + step;
        memcpy(x, y, sizeof x);
    }
    memcpy(result->x, x, sizeof x);
}

#endif
