// SPDX-License-Identifier: MIT

#include "instant/mixed.h"

#include "numerics/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 50, MOST_HALVINGS = 20 };

// The continuous equations are solved to about 1e-12.
static const double mixed_rounding = 1e-11;
// Part of a variable's size by which it is moved for differences: the cube root of the precision,
// as F is affine or nearly so, and its own rounding must not count.
static const double difference = 6e-6;
// A pivot of the Jacobian matrix (its entries are of the size 1 + |F'|) that is no more than the
// rounding of the differences.
static const double least_pivot = 1e-9;

// Whether a value is its image f but for rounding.
static bool is_fixed(double value, double f)
{
    return fabs(value - f) <= mixed_rounding * (fabs(value) + fabs(f)) + 1e-300;
}

typedef struct MixedNewton {
    MixedMap *map;
    void *user;
    uint32_t n;
    double *d, *f, *trial, *trial_f, *step, *jacobian;
    int *pivot;
} MixedNewton;

static bool is_found(const MixedNewton *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (!is_fixed(w->d[i], w->f[i]))
            return false;
    return true;
}

static double residual(uint32_t n, const double *d, const double *f)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double size = 1.0 + fabs(d[i]), r = (d[i] - f[i]) / size;
        sum += r * r;
    }
    return sum;
}

// I - F', column by column; `trial` is where F is evaluated.
static MixedStatus mixed_factor(MixedNewton *w)
{
    const uint32_t n = w->n;
    double largest = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        memcpy(w->trial, w->d, n * sizeof *w->d);
        w->trial[k] += difference * (1.0 + fabs(w->d[k]));
        const double h = w->trial[k] - w->d[k];
        if (!w->map(w->user, w->trial, w->trial_f))
            return MIXED_FAILED;
        for (uint32_t i = 0; i < n; i++) {
            double *entry = &w->jacobian[(size_t)k * n + i];
            *entry = (i == k ? 1.0 : 0.0) - (w->trial_f[i] - w->f[i]) / h;
            largest = fmax(largest, fabs(*entry));
        }
    }
    if (dense_factor((int)n, w->jacobian, w->pivot))
        return MIXED_SINGULAR;
    for (uint32_t k = 0; k < n; k++) // (the diagonal has the inverses of the pivots)
        if (1.0 <= fabs(w->jacobian[(size_t)k * n + k]) * least_pivot * (1.0 + largest))
            return MIXED_SINGULAR;
    return MIXED_FOUND;
}

// A step that makes the residual smaller, the whole one if it does.
static MixedStatus mixed_advance(MixedNewton *w)
{
    const uint32_t n = w->n;
    const MixedStatus status = mixed_factor(w);
    if (status != MIXED_FOUND)
        return status;
    for (uint32_t i = 0; i < n; i++)
        w->step[i] = w->f[i] - w->d[i];
    dense_solve((int)n, w->jacobian, w->pivot, w->step);
    const double before = residual(n, w->d, w->f);
    for (int k = 0; k <= MOST_HALVINGS; k++) {
        for (uint32_t i = 0; i < n; i++)
            w->trial[i] = w->d[i] + ldexp(w->step[i], -k);
        if (!w->map(w->user, w->trial, w->trial_f) || !(residual(n, w->trial, w->trial_f) < before))
            continue;
        memcpy(w->d, w->trial, n * sizeof *w->d);
        memcpy(w->f, w->trial_f, n * sizeof *w->f);
        return MIXED_FOUND;
    }
    return MIXED_DIVERGED;
}

// One step more, for the last digits, if it is one forward; at the end F is evaluated at d again.
static MixedStatus polish(MixedNewton *w)
{
    if (mixed_advance(w) == MIXED_FOUND)
        return MIXED_FOUND;
    return w->map(w->user, w->d, w->f) ? MIXED_FOUND : MIXED_FAILED;
}

MixedStatus mixed_solve(uint32_t count, MixedMap *map, void *user, double *d)
{
    const size_t n = count;
    double *room = calloc(5 * n + n * n + 1, sizeof *room);
    int *pivot = calloc(n + 1, sizeof *pivot);
    MixedStatus status = room && pivot ? MIXED_FOUND : MIXED_NO_MEMORY;
    if (status == MIXED_FOUND) {
        MixedNewton w = {.map = map,
                         .user = user,
                         .n = count,
                         .d = room,
                         .f = room + n,
                         .trial = room + 2 * n,
                         .trial_f = room + 3 * n,
                         .step = room + 4 * n,
                         .jacobian = room + 5 * n,
                         .pivot = pivot};
        memcpy(w.d, d, n * sizeof *d);
        if (!map(user, w.d, w.f))
            status = MIXED_FAILED;
        int steps = 0;
        while (status == MIXED_FOUND && !is_found(&w))
            status = steps++ < MOST_STEPS ? mixed_advance(&w) : MIXED_DIVERGED;
        if (status == MIXED_FOUND)
            status = polish(&w);
        if (status == MIXED_FOUND)
            memcpy(d, w.d, n * sizeof *d);
    }
    free(pivot);
    free(room);
    return status;
}
