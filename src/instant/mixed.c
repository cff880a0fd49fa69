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
// A pivot of the Jacobian matrix (in the sizes of the variables) that is no more than the rounding
// of the differences.
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
    double *size;   // the largest of d and F(d) so far
    bool *is_there; // by column of the Jacobian matrix
    int *pivot;
} MixedNewton;

static void mixed_measure(MixedNewton *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->size[i] = fmax(w->size[i], fmax(fabs(w->d[i]), fabs(w->f[i])));
}

static double mixed_size(const MixedNewton *w, uint32_t i)
{
    return w->size[i] > 0.0 ? w->size[i] : 1.0;
}

static bool is_found(const MixedNewton *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (!is_fixed(w->d[i], w->f[i]))
            return false;
    return true;
}

static double residual(const MixedNewton *w, const double *d, const double *f)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < w->n; i++) {
        const double r = (d[i] - f[i]) / mixed_size(w, i);
        sum += r * r;
    }
    return sum;
}

// A column of F' by a difference. What is zero, as its image is, has the size of what the sizes of
// others make of it.
static bool mixed_differentiate(MixedNewton *w, uint32_t k)
{
    memcpy(w->trial, w->d, w->n * sizeof *w->d);
    w->trial[k] += difference * mixed_size(w, k);
    const double h = w->trial[k] - w->d[k];
    if (!w->map(w->user, w->trial, w->trial_f))
        return false;
    for (uint32_t i = 0; i < w->n; i++) {
        w->jacobian[(size_t)k * w->n + i] = (w->trial_f[i] - w->f[i]) / h;
        if (w->size[i] == 0.0)
            w->size[i] = fabs(w->trial_f[i]) / difference;
    }
    return true;
}

// I - F', of variables in their own sizes; those that have one come first. `trial` is where F is
// evaluated.
static MixedStatus mixed_factor(MixedNewton *w)
{
    const uint32_t n = w->n;
    double largest = 0.0;
    bool *const is_there = w->is_there;
    memset(is_there, 0, n * sizeof *is_there);
    for (int has_size = 1; has_size >= 0; has_size--)
        for (uint32_t k = 0; k < n; k++) {
            if (is_there[k] || (has_size && w->size[k] == 0.0))
                continue;
            if (!mixed_differentiate(w, k))
                return MIXED_FAILED;
            is_there[k] = true;
        }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++) {
            double *entry = &w->jacobian[(size_t)k * n + i];
            *entry = (i == k ? 1.0 : 0.0) - *entry * (mixed_size(w, k) / mixed_size(w, i));
            largest = fmax(largest, fabs(*entry));
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
    mixed_measure(w);
    const MixedStatus status = mixed_factor(w);
    if (status != MIXED_FOUND)
        return status;
    for (uint32_t i = 0; i < n; i++)
        w->step[i] = (w->f[i] - w->d[i]) / mixed_size(w, i);
    dense_solve((int)n, w->jacobian, w->pivot, w->step);
    for (uint32_t i = 0; i < n; i++)
        w->step[i] *= mixed_size(w, i);
    const double before = residual(w, w->d, w->f);
    for (int k = 0; k <= MOST_HALVINGS; k++) {
        for (uint32_t i = 0; i < n; i++)
            w->trial[i] = w->d[i] + ldexp(w->step[i], -k);
        if (!w->map(w->user, w->trial, w->trial_f) || !(residual(w, w->trial, w->trial_f) < before))
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
    double *room = calloc(6 * n + n * n + 1, sizeof *room);
    int *pivot = calloc(n + 1, sizeof *pivot);
    bool *is_there = calloc(n + 1, sizeof *is_there);
    MixedStatus status = room && pivot && is_there ? MIXED_FOUND : MIXED_NO_MEMORY;
    if (status == MIXED_FOUND) {
        MixedNewton w = {.map = map,
                         .user = user,
                         .n = count,
                         .d = room,
                         .f = room + n,
                         .trial = room + 2 * n,
                         .trial_f = room + 3 * n,
                         .step = room + 4 * n,
                         .size = room + 5 * n,
                         .jacobian = room + 6 * n,
                         .is_there = is_there,
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
    free(is_there);
    free(pivot);
    free(room);
    return status;
}
