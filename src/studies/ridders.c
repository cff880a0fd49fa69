// SPDX-License-Identifier: MIT

#include "studies/ridders.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 8, ATTEMPTS = 8 };

struct Ridders {
    int count;
    double *tableau[2];    // LEVELS rows of `count`: of the present step, and of the one before
    double *above, *below; // values on both sides
    double *size;          // of the functions
    double *best;          // estimated errors
    double room[];
};

Ridders *ridders_create(int count)
{
    const size_t n = (size_t)count;
    Ridders *r = calloc(1, sizeof *r + (2 * LEVELS + 4) * n * sizeof *r->room);
    if (!r)
        return NULL;
    r->count = count;
    r->tableau[0] = r->room;
    r->tableau[1] = r->room + LEVELS * n;
    r->above = r->room + 2 * LEVELS * n;
    r->below = r->above + n;
    r->size = r->below + n;
    r->best = r->size + n;
    return r;
}

void ridders_destroy(Ridders *r)
{
    free(r);
}

static bool all_finite(const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

// The central difference over one step, into `row`.
static bool ridders_difference(Ridders *r, RiddersFunctions functions, void *user, double from,
                               double step, double *row)
{
    double up, down;
    if (functions(user, from, step, r->above, &up) != 0 ||
        functions(user, from, -step, r->below, &down) != 0 || !(up - down > 0.0) ||
        !all_finite(r->above, r->count) || !all_finite(r->below, r->count))
        return false;
    for (int i = 0; i < r->count; i++) {
        row[i] = (r->above[i] - r->below[i]) / (up - down);
        r->size[i] = fmax(r->size[i], fmax(fabs(r->above[i]), fabs(r->below[i])));
    }
    return true;
}

// Column `order` of the tableau, by elimination of one more power of the step's square.
static void extrapolate(Ridders *r, const double *before, double *now, int order, double factor,
                        double *derivative)
{
    const int n = r->count;
    const double *lower = now + (order - 1) * n, *older = before + (order - 1) * n;
    double *row = now + order * n;
    for (int i = 0; i < n; i++) {
        row[i] = (factor * lower[i] - older[i]) / (factor - 1.0);
        const double error = fmax(fabs(row[i] - lower[i]), fabs(row[i] - older[i]));
        if (error < r->best[i]) {
            r->best[i] = error;
            derivative[i] = row[i];
        }
    }
}

// One tableau. False: the functions cannot be evaluated in the first steps.
static bool run_tableau(Ridders *r, RiddersFunctions functions, void *user, double from,
                        double step, double *derivative)
{
    for (int level = 0; level < LEVELS; level++, step *= 0.5) {
        double *now = r->tableau[level % 2];
        const double *before = r->tableau[1 - level % 2];
        if (!ridders_difference(r, functions, user, from, step, now))
            return false;
        double factor = 1.0;
        for (int order = 1; order <= level; order++)
            extrapolate(r, before, now, order, factor *= 4.0, derivative);
    }
    return true;
}

// The largest estimate against what is good, for the step at which rounding was smallest.
static double worst_error(const Ridders *r, const double *derivative, double step)
{
    double worst = 0.0;
    for (int i = 0; i < r->count; i++) {
        // Differences cannot be better than the functions' rounding over the step.
        const double rounding = 1e3 * DBL_EPSILON * r->size[i] / step;
        const double scale = fmax(fabs(derivative[i]), 1e9 * rounding);
        if (r->best[i] > rounding && scale > 0.0)
            worst = fmax(worst, r->best[i] / scale);
    }
    return worst;
}

bool ridders_derive(Ridders *r, RiddersFunctions functions, void *user, double from, double step,
                    double *derivative, double *error)
{
    static const double good = 1e-9, shrink = 1.0 / 64.0;
    const double first = step;
    bool is_found = false;
    for (int i = 0; i < r->count; i++)
        r->best[i] = INFINITY;
    memset(r->size, 0, (size_t)r->count * sizeof *r->size);
    *error = INFINITY;
    for (int i = 0; i < ATTEMPTS && !(*error <= good); i++, step *= shrink)
        if (run_tableau(r, functions, user, from, step, derivative)) {
            is_found = true;
            *error = worst_error(r, derivative, first);
        }
    return is_found;
}
