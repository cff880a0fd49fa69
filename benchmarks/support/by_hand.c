// SPDX-License-Identifier: MIT
//
// Right-hand sides written by hand: see by_hand.h.

#include "by_hand.h"

#include <math.h>

int by_hand_pendulum(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[0] * sin(x[0]);
    return 0;
}

int by_hand_rlc(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    const double *p = c->p;
    const double diode = p[4] * (exp((x[1] - x[2]) / p[5]) - 1.0);
    dx[0] = (p[6] * sin(p[7] * t) - p[1] * x[0] - x[1]) / p[0];
    dx[1] = (x[0] - diode) / p[2];
    dx[2] = (diode - 0.1 * x[2]) / p[3];
    return 0;
}

int by_hand_chain(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const double k = c->p[0], d = c->p[1];
    const double *v = x + BY_HAND_PENDULUMS;
    for (int i = 0; i < BY_HAND_PENDULUMS; i++) {
        const double left = i > 0 ? x[i - 1] : 0.0;
        const double right = i < BY_HAND_PENDULUMS - 1 ? x[i + 1] : 0.0;
        dx[i] = v[i];
        dx[BY_HAND_PENDULUMS + i] = k * (left - 2.0 * x[i] + right) - sin(x[i]) - d * v[i];
    }
    return 0;
}
