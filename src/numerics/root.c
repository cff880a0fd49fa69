// SPDX-License-Identifier: MIT
//
// Brent's method: see root.h.

#include "numerics/root.h"

#include <float.h>
#include <math.h>

// The bracket is [b, c] with |f(b)| <= |f(c)|; a is the b before.
typedef struct RootBracket {
    double a, b, c, fa, fb, fc;
    double step, last; // this step and the one before
} RootBracket;

static void keep_sign(RootBracket *k)
{
    if ((k->fb > 0.0) == (k->fc > 0.0)) {
        k->c = k->a;
        k->fc = k->fa;
        k->step = k->last = k->b - k->a;
    }
    if (fabs(k->fc) < fabs(k->fb)) {
        k->a = k->b, k->b = k->c, k->c = k->a;
        k->fa = k->fb, k->fb = k->fc, k->fc = k->fa;
    }
}

// Interpolation: through two points if a = c, otherwise inverse quadratic through three. Halving
// where that would leave the bracket or does not converge.
static void root_choose_step(RootBracket *k, double half, double tolerance)
{
    if (fabs(k->last) < tolerance || fabs(k->fa) <= fabs(k->fb)) {
        k->step = k->last = half;
        return;
    }
    const double s = k->fb / k->fa;
    double p, q;
    if (k->a == k->c) {
        p = 2.0 * half * s;
        q = 1.0 - s;
    } else {
        const double u = k->fa / k->fc, r = k->fb / k->fc;
        p = s * (2.0 * half * u * (u - r) - (k->b - k->a) * (r - 1.0));
        q = (u - 1.0) * (r - 1.0) * (s - 1.0);
    }
    q = p > 0.0 ? -q : q;
    p = fabs(p);
    const double before = k->last;
    k->last = k->step;
    if (2.0 * p < 3.0 * half * q - fabs(tolerance * q) && p < fabs(0.5 * before * q))
        k->step = p / q;
    else
        k->step = k->last = half;
}

double root_find(RootFunction *f, void *user, double a, double b, double tolerance)
{
    enum { MOST = 1000 };
    RootBracket k = {.a = a, .b = b, .c = a, .fa = f(user, a), .fb = f(user, b)};
    k.fc = k.fa;
    k.step = k.last = b - a;
    if (isnan(k.fa) || isnan(k.fb) || (k.fa > 0.0 && k.fb > 0.0) || (k.fa < 0.0 && k.fb < 0.0))
        return NAN;
    if (k.fa == 0.0)
        return a;
    for (int i = 0; i < MOST; i++) {
        keep_sign(&k);
        const double least = 2.0 * DBL_EPSILON * fabs(k.b) + 0.5 * tolerance;
        const double half = 0.5 * (k.c - k.b);
        if (fabs(half) <= least || k.fb == 0.0)
            return k.b;
        root_choose_step(&k, half, least);
        k.a = k.b;
        k.fa = k.fb;
        k.b += fabs(k.step) > least ? k.step : copysign(least, half);
        k.fb = f(user, k.b);
        if (isnan(k.fb))
            return NAN;
    }
    return k.b;
}
