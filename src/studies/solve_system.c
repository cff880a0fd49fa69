// SPDX-License-Identifier: MIT
//
// Several unknowns: Levenberg and Marquardt's method (J. J. More: The Levenberg-Marquardt
// algorithm, 1978, without the trust region) with the derivatives of one run, or with differences;
// minima of one unknown by Brent's method (chapter 5 of his book), of several by Nelder and Mead's
// simplex.
//
// Unknowns are scaled to [0, 1] over their intervals and stay inside.

#include "base/message.h"
#include "studies/sampling.h"
#include "studies/solve_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double clamp(double part)
{
    return part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

static void unscale(const SolveDef *d, const double *parts, double *unknowns)
{
    for (size_t i = 0; i < d->unknown_count; i++)
        unknowns[i] = axis_sample(&d->unknowns[i], clamp(parts[i]));
}

static double solve_system_scale(const Axis *axis, double value)
{
    const double part = axis->is_logarithmic
                            ? log(value / axis->lower) / log(axis->upper / axis->lower)
                            : (value - axis->lower) / (axis->upper - axis->lower);
    return isnan(part) ? 0.5 : clamp(part);
}

// How an unknown changes with its part of the interval.
static double unscale_slope(const Axis *axis, double value)
{
    return axis->is_logarithmic ? value * log(axis->upper / axis->lower)
                                : axis->upper - axis->lower;
}

static bool run_at(SolveSearch *s, const double *parts)
{
    double unknowns[SOLVE_MOST_UNKNOWNS];
    unscale(s->def, parts, unknowns);
    return search_run(s, unknowns);
}

static double solve_system_sum_of_squares(const double *r, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += r[i] * r[i];
    return sum;
}

// ---------------------------------------------------------------------------
// Levenberg and Marquardt
// ---------------------------------------------------------------------------

typedef struct Fit {
    SolveSearch *search;
    size_t n, m; // unknowns, residuals
    double x[SOLVE_MOST_UNKNOWNS];
    double best[SOLVE_MOST_UNKNOWNS], best_sum, first_sum; // of all starts
    double *r, *jacobian, *ahead;                          // m, n by m, m
    double reach; // by how much an unknown's whole interval would change the targets, at most
    double damping;
    bool is_plain; // there are no derivatives but differences
} Fit;

// From one run with derivatives, if what is compared has them.
static bool differentiate_at_once(Fit *f)
{
    SolveSearch *s = f->search;
    const SolveDef *d = s->def;
    const StudyData *data = d->data;
    uint32_t by[SOLVE_MOST_UNKNOWNS];
    if (f->is_plain)
        return false;
    for (size_t j = 0; j < f->n; j++)
        by[j] = d->unknowns[j].parameter;
    f->is_plain = !study_set_derivatives(s->runner, by, (uint32_t)f->n) || !run_at(s, f->x);
    for (size_t j = 0; j < f->n && !f->is_plain; j++) {
        const double *derivatives = study_traced_derivatives(s->runner, (uint32_t)j);
        const Axis *axis = &d->unknowns[j];
        const double slope = unscale_slope(axis, axis_sample(axis, clamp(f->x[j])));
        double *column = f->jacobian + j * f->m;
        for (size_t i = 0; i < d->target_count; i++)
            for (size_t k = 0; k < study_result(s->runner, i).count; k++)
                *column++ = slope * study_result_derivative(s->runner, i, k, (uint32_t)j);
        for (size_t i = 0; data && i < data->row_count * data->column_count; i++)
            if (!isnan(data->values[i]))
                *column++ = slope * derivatives[i] / d->scales[i / data->row_count];
        for (size_t k = 0; k < f->m; k++)
            f->is_plain |= isnan(f->jacobian[j * f->m + k]);
    }
    study_set_derivatives(s->runner, NULL, 0);
    return !f->is_plain;
}

// Central differences; at the ends of an interval to one side. The step is wide enough for the
// runs' own errors, which are of the size of their tolerance.
static bool differentiate_by_differences(Fit *f)
{
    static const double step = 1e-5;
    for (size_t j = 0; j < f->n; j++) {
        double x[SOLVE_MOST_UNKNOWNS];
        memcpy(x, f->x, sizeof x);
        const double upper = clamp(f->x[j] + step), lower = clamp(f->x[j] - step);
        x[j] = upper;
        if (!run_at(f->search, x))
            return false;
        memcpy(f->ahead, f->search->residuals, f->m * sizeof *f->ahead);
        x[j] = lower;
        if (!run_at(f->search, x))
            return false;
        for (size_t i = 0; i < f->m; i++)
            f->jacobian[j * f->m + i] = (f->ahead[i] - f->search->residuals[i]) / (upper - lower);
    }
    return true;
}

static bool solve_system_differentiate(Fit *f)
{
    if (!differentiate_at_once(f) && !differentiate_by_differences(f))
        return false;
    for (size_t j = 0; j < f->n; j++)
        f->reach = fmax(f->reach, sqrt(solve_system_sum_of_squares(f->jacobian + j * f->m, f->m)));
    return true;
}

typedef double NormalMatrix[SOLVE_MOST_UNKNOWNS][SOLVE_MOST_UNKNOWNS];

// J'J + damping diag(J'J) by Cholesky's method. False: singular.
static bool factor_normal(const Fit *f, double damping, NormalMatrix a)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < f->m; k++)
                sum += f->jacobian[i * f->m + k] * f->jacobian[j * f->m + k];
            sum *= i == j ? 1.0 + damping : 1.0;
            for (size_t k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    return true;
}

static void solve_factored(size_t n, NormalMatrix a, double *d)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            d[i] -= a[i][k] * d[k];
        d[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            d[i] -= a[k][i] * d[k];
        d[i] /= a[i][i];
    }
}

// Solves (J'J + damping diag(J'J)) d = -J'r. False: singular.
static bool solve_normal(const Fit *f, double *d)
{
    NormalMatrix a;
    if (!factor_normal(f, f->damping, a))
        return false;
    for (size_t i = 0; i < f->n; i++) {
        d[i] = 0.0;
        for (size_t k = 0; k < f->m; k++)
            d[i] -= f->jacobian[i * f->m + k] * f->r[k];
    }
    solve_factored(f->n, a, d);
    return true;
}

// Of the unknowns that were found; see SolveItem.
static void estimate_covariance(Fit *f, SolveItem *item)
{
    NormalMatrix a;
    const Axis *axes = f->search->def->unknowns;
    if (f->m <= f->n || !solve_system_differentiate(f) || !factor_normal(f, 0.0, a))
        return;
    const double variance = solve_system_sum_of_squares(f->r, f->m) / (double)(f->m - f->n);
    for (size_t j = 0; j < f->n; j++) {
        double column[SOLVE_MOST_UNKNOWNS] = {0};
        column[j] = 1.0;
        solve_factored(f->n, a, column);
        for (size_t i = 0; i < f->n; i++)
            item->covariance[i * f->n + j] = variance * column[i] *
                                             unscale_slope(&axes[i], item->unknowns[i]) *
                                             unscale_slope(&axes[j], item->unknowns[j]);
    }
}

// One step that makes the sum of squares smaller. False: there is none.
static bool improve(Fit *f, double *moved)
{
    enum { MOST_TRIALS = 30 };
    const double before = solve_system_sum_of_squares(f->r, f->m);
    for (int trial = 0; trial < MOST_TRIALS; trial++, f->damping *= 4.0) {
        double d[SOLVE_MOST_UNKNOWNS], x[SOLVE_MOST_UNKNOWNS];
        if (!solve_normal(f, d))
            continue;
        *moved = 0.0;
        for (size_t i = 0; i < f->n; i++) {
            x[i] = clamp(f->x[i] + d[i]);
            *moved = fmax(*moved, fabs(x[i] - f->x[i]));
        }
        if (*moved <= DBL_EPSILON)
            return false;
        if (!run_at(f->search, x)) {
            if (f->search->is_broken)
                return false;
            continue; // no value there: nearer
        }
        if (solve_system_sum_of_squares(f->search->residuals, f->m) >= before)
            continue;
        memcpy(f->r, f->search->residuals, f->m * sizeof *f->r);
        memcpy(f->x, x, f->n * sizeof *x);
        f->damping = fmax(f->damping / 16.0, 1e-12);
        return true;
    }
    return false;
}

static const char *no_values(const SolveSearch *s)
{
    return s->def->data ? "the run has no values to compare" : "the targets have no values";
}

// From one start to where nothing gets better. NULL, or where the runs have no values.
static const char *solve_system_descend(Fit *f)
{
    enum { MOST_ITERATIONS = 100 };
    SolveSearch *s = f->search;
    f->damping = 1e-3;
    if (!run_at(s, f->x))
        return "at the beginning";
    memcpy(f->r, s->residuals, f->m * sizeof *f->r);
    if (isinf(f->first_sum))
        f->first_sum = solve_system_sum_of_squares(f->r, f->m);
    double moved = 1.0;
    for (int i = 0; i < MOST_ITERATIONS && moved > 1e-14; i++) {
        if (solve_system_sum_of_squares(f->r, f->m) == 0.0)
            break;
        if (!solve_system_differentiate(f))
            return "on the way";
        if (!improve(f, &moved))
            break;
    }
    const double sum = solve_system_sum_of_squares(f->r, f->m);
    if (sum < f->best_sum) {
        f->best_sum = sum;
        memcpy(f->best, f->x, sizeof f->best);
    }
    return NULL;
}

// The guess, then points of Sobol's sequence. False: no start led anywhere, or out of memory.
static bool solve_system_from_all(Fit *f)
{
    SolveSearch *s = f->search;
    const SolveDef *d = s->def;
    const size_t starts = d->starts > 1 ? d->starts : 1;
    double *points = calloc(starts * f->n + 1, sizeof *points);
    const char *where = NULL;
    char *reason = NULL;
    f->best_sum = f->first_sum = INFINITY;
    if (!points) {
        search_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
        return false;
    }
    if (starts > 1)
        sampling_fill(SWEEP_SOBOL, d->unknowns, d->unknown_count, starts, 0, points);
    for (size_t k = 0; k < starts && !s->is_broken; k++) {
        for (size_t i = 0; i < f->n && k > 0; i++)
            f->x[i] = solve_system_scale(&d->unknowns[i], points[k * f->n + i]);
        const char *lost = solve_system_descend(f);
        if (lost && !where) {
            where = lost;
            message_set(&reason, "%s", message_text(s->reason));
        }
    }
    free(points);
    if (isinf(f->best_sum) && where)
        search_fail(s, SALTUS_ERROR_EVALUATION, "%s %s: %s", no_values(s), where,
                    message_text(reason));
    else if (isinf(f->best_sum))
        search_fail(s, SALTUS_ERROR_EVALUATION, "the sum of squares is not finite");
    free(reason);
    return !isinf(f->best_sum) && !s->is_broken;
}

static void solve_system_fit(Fit *f)
{
    SolveSearch *s = f->search;
    if (!solve_system_from_all(f))
        return;
    double unknowns[SOLVE_MOST_UNKNOWNS];
    memcpy(f->x, f->best, sizeof f->x);
    unscale(s->def, f->x, unknowns);
    const double last = sqrt(f->best_sum), first = sqrt(f->first_sum);
    const bool is_root = f->m <= f->n;
    if (is_root && last > 1e-6 * first && last > 1e-10 * f->reach)
        message_set(&s->result->message, "no solution was found: the targets still miss by %.6g",
                    last);
    SolveItem *item =
        search_add(s, is_root && !s->result->message ? SOLVE_ROOT : SOLVE_MINIMUM, unknowns);
    if (item && s->is_observed) {
        memcpy(f->r, s->residuals, f->m * sizeof *f->r);
        estimate_covariance(f, item);
    }
}

static void begin_parts(const SolveDef *d, double *parts)
{
    for (size_t i = 0; i < d->unknown_count; i++)
        parts[i] = d->guesses ? solve_system_scale(&d->unknowns[i], d->guesses[i]) : 0.5;
}

SolveResult solve_system(const SolveDef *def)
{
    SolveResult result;
    SolveSearch s;
    if (search_begin(&s, def, &result)) {
        Fit f = {.search = &s, .n = def->unknown_count, .m = s.residual_count, .damping = 1e-3};
        f.r = calloc(f.m, sizeof *f.r);
        f.ahead = calloc(f.m, sizeof *f.ahead);
        f.jacobian = calloc(f.n * f.m, sizeof *f.jacobian);
        begin_parts(def, f.x);
        if (f.r && f.ahead && f.jacobian)
            solve_system_fit(&f);
        else
            search_fail(&s, SALTUS_ERROR_MEMORY, "out of memory");
        free(f.r);
        free(f.ahead);
        free(f.jacobian);
    }
    search_end(&s);
    return result;
}

// ---------------------------------------------------------------------------
// Minima
// ---------------------------------------------------------------------------

// Infinite where there is no value, so that the search turns away.
static double solve_system_value_at(SolveSearch *s, const double *parts)
{
    return run_at(s, parts) ? s->residuals[0] : INFINITY;
}

// Golden sections, and parabolas where they do.
static double minimum_of_one(SolveSearch *s)
{
    enum { MOST = 200 };
    static const double golden = 0.381966011250105152, tolerance = 1e-9;
    double a = 0.0, b = 1.0, x = golden, w = x, v = x, d = 0.0, e = 0.0;
    double f_x = solve_system_value_at(s, &x), f_w = f_x, f_v = f_x;
    for (int i = 0; i < MOST && !s->is_broken; i++) {
        const double middle = 0.5 * (a + b), least = tolerance * fabs(x) + 1e-12;
        if (fabs(x - middle) <= 2.0 * least - 0.5 * (b - a))
            break;
        double p = 0.0, q = 0.0, r = 0.0;
        if (fabs(e) > least) {
            r = (x - w) * (f_x - f_v);
            q = (x - v) * (f_x - f_w);
            p = (x - v) * q - (x - w) * r;
            q = 2.0 * (q - r);
            p = q > 0.0 ? -p : p;
            q = fabs(q);
            r = e;
            e = d;
        }
        if (isfinite(p) && fabs(p) < fabs(0.5 * q * r) && p > q * (a - x) && p < q * (b - x)) {
            d = p / q;
        } else {
            e = (x < middle ? b : a) - x;
            d = golden * e;
        }
        const double u = x + (fabs(d) >= least ? d : copysign(least, d));
        const double f_u = solve_system_value_at(s, &u);
        if (f_u <= f_x) {
            *(u < x ? &b : &a) = x;
            v = w, f_v = f_w, w = x, f_w = f_x, x = u, f_x = f_u;
        } else {
            *(u < x ? &a : &b) = u;
            if (f_u <= f_w || w == x)
                v = w, f_v = f_w, w = u, f_w = f_u;
            else if (f_u <= f_v || v == x || v == w)
                v = u, f_v = f_u;
        }
    }
    return x;
}

typedef struct Corner {
    double x[SOLVE_MOST_UNKNOWNS], f;
} Corner;

static int compare_corners(const void *a, const void *b)
{
    const double f = ((const Corner *)a)->f, g = ((const Corner *)b)->f;
    return (f > g) - (f < g);
}

// A point on the line from the worst corner through the centre of the others.
static Corner move_corner(SolveSearch *s, const Corner *worst, const double *centre, double factor)
{
    Corner c;
    for (size_t i = 0; i < s->def->unknown_count; i++)
        c.x[i] = clamp(centre[i] + factor * (worst->x[i] - centre[i]));
    c.f = solve_system_value_at(s, c.x);
    return c;
}

static void shrink(SolveSearch *s, Corner *corners, size_t n)
{
    for (size_t k = 1; k <= n; k++) {
        for (size_t i = 0; i < n; i++)
            corners[k].x[i] = corners[0].x[i] + 0.5 * (corners[k].x[i] - corners[0].x[i]);
        corners[k].f = solve_system_value_at(s, corners[k].x);
    }
}

static void minimum_of_several(SolveSearch *s, double *x)
{
    enum { MOST = 2000 };
    const size_t n = s->def->unknown_count;
    Corner corners[SOLVE_MOST_UNKNOWNS + 1];
    for (size_t k = 0; k <= n; k++) {
        memcpy(corners[k].x, x, sizeof corners[k].x);
        if (k > 0)
            corners[k].x[k - 1] += x[k - 1] < 0.5 ? 0.1 : -0.1;
        corners[k].f = solve_system_value_at(s, corners[k].x);
    }
    for (int i = 0; i < MOST && !s->is_broken; i++) {
        qsort(corners, n + 1, sizeof *corners, compare_corners);
        double size = 0.0, centre[SOLVE_MOST_UNKNOWNS] = {0};
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                centre[j] += corners[k].x[j] / (double)n;
        for (size_t j = 0; j < n; j++)
            size = fmax(size, fabs(corners[n].x[j] - corners[0].x[j]));
        if (size < 1e-9)
            break;
        Corner *worst = &corners[n];
        const Corner mirrored = move_corner(s, worst, centre, -1.0);
        if (mirrored.f < corners[0].f) {
            const Corner further = move_corner(s, worst, centre, -2.0);
            *worst = further.f < mirrored.f ? further : mirrored;
        } else if (mirrored.f < corners[n - 1].f) {
            *worst = mirrored;
        } else {
            const Corner nearer = move_corner(s, worst, centre, mirrored.f < worst->f ? -0.5 : 0.5);
            if (nearer.f < fmin(worst->f, mirrored.f))
                *worst = nearer;
            else
                shrink(s, corners, n);
        }
    }
    qsort(corners, n + 1, sizeof *corners, compare_corners);
    memcpy(x, corners[0].x, sizeof corners[0].x);
}

SolveResult solve_minimum(const SolveDef *def)
{
    SolveResult result;
    SolveSearch s;
    if (search_begin(&s, def, &result)) {
        double parts[SOLVE_MOST_UNKNOWNS] = {0}, unknowns[SOLVE_MOST_UNKNOWNS];
        begin_parts(def, parts);
        if (def->unknown_count == 1)
            parts[0] = minimum_of_one(&s);
        else
            minimum_of_several(&s, parts);
        unscale(def, parts, unknowns);
        SolveItem *item = search_add(&s, SOLVE_MINIMUM, unknowns);
        if (item && !isfinite(item->value))
            search_fail(&s, SALTUS_ERROR_EVALUATION,
                        "the target has no value where it was sought: "
                        "%s",
                        message_text(s.reason));
    }
    search_end(&s);
    return result;
}
