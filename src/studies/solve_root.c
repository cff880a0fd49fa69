// SPDX-License-Identifier: MIT
//
// One unknown: roots by Brent's method, jumps and boundaries by bisection. A grid of runs, in
// several threads, finds the brackets for all of them.

#include "base/message.h"
#include "numerics/root.h"
#include "studies/solve_parts.h"
#include "studies/sweep.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A bracket of this part of its interval, or of the unknown itself, is a point.
static const double resolution = 4.0 * DBL_EPSILON;

// A target that still changes by this many times what its mean slope lets expect jumps.
static const double jump_factor = 1e4;

// A change of sign, and how far it has been narrowed down.
typedef struct SolveRootBracket {
    SolveSearch *search;
    double a, f_a, b, f_b; // f_a and f_b have different signs
    double slope;          // mean one of the interval it began with
    double size;           // the change of the target over it
} SolveRootBracket;

static double target_at(void *user, double x)
{
    SolveRootBracket *k = user;
    if (x == k->a || x == k->b)
        return x == k->a ? k->f_a : k->f_b;
    if (!search_run(k->search, &x))
        return NAN;
    const double f = k->search->residuals[0];
    if (x > k->a && x < k->b) {
        if ((f > 0.0) == (k->f_a > 0.0)) {
            k->a = x;
            k->f_a = f;
        } else {
            k->b = x;
            k->f_b = f;
        }
    }
    return f;
}

static double point_width(double a, double b)
{
    return resolution * fmax(fabs(a), fabs(b)) + DBL_MIN;
}

static bool solve_root_is_jump(const SolveRootBracket *k)
{
    const double change = fabs(k->f_b - k->f_a), width = k->b - k->a;
    return width <= 64.0 * point_width(k->a, k->b) &&
           change >
               jump_factor * k->slope * width + 64.0 * DBL_EPSILON * fmax(fabs(k->f_a), k->size);
}

static void add_jump(SolveSearch *s, SolveKind kind, double a, double f_a, double b, double f_b)
{
    const double middle = a + 0.5 * (b - a);
    SolveItem *item = search_add(s, kind, &middle);
    if (!item)
        return;
    item->left = f_a;
    item->right = f_b;
    item->width = b - a;
    search_explain(s, a, b, &item->note);
}

// The root in a bracket; a jump is added as such. False: nothing, search->reason says why.
static bool refine(SolveSearch *s, double a, double f_a, double b, double f_b)
{
    const double size = fabs(f_b - f_a);
    SolveRootBracket k = {s, a, f_a, b, f_b, size / (b - a), size};
    double x = f_a == 0.0 ? a : f_b == 0.0 ? b : root_find(target_at, &k, a, b, 0.0);
    if (isnan(x))
        return false;
    // Brent's method comes from one side; where it is a jump the other side is far away still.
    while (f_a != 0.0 && f_b != 0.0 && k.b - k.a > 32.0 * point_width(k.a, k.b) &&
           fmin(fabs(k.f_a), fabs(k.f_b)) > 1e-6 * k.slope * (b - a))
        if (isnan(target_at(&k, k.a + 0.5 * (k.b - k.a))))
            return false;
    if (f_a != 0.0 && f_b != 0.0 && solve_root_is_jump(&k)) {
        add_jump(s, SOLVE_JUMP, k.a, k.f_a, k.b, k.f_b);
        return true;
    }
    SolveItem *item = search_add(s, SOLVE_ROOT, &x);
    if (!item)
        return false;
    item->width = k.b - k.a;
    if (isnan(item->value)) // it had one a moment ago
        search_fail(s, SALTUS_ERROR_EVALUATION, "the target has no value at %s = %.17g: %s",
                    s->def->unknowns->name, x, message_text(s->reason));
    return true;
}

SolveResult solve_root(const SolveDef *def)
{
    SolveResult result;
    SolveSearch s;
    const double a = fmin(def->unknowns->lower, def->unknowns->upper);
    const double b = fmax(def->unknowns->lower, def->unknowns->upper);
    const char *name = def->unknowns->name;
    if (search_begin(&s, def, &result)) {
        const bool has_a = search_run(&s, &a);
        const double f_a = s.residuals[0];
        const bool has_b = has_a && search_run(&s, &b);
        const double f_b = s.residuals[0];
        if (!has_a || !has_b)
            search_fail(&s, SALTUS_ERROR_EVALUATION, "the target has no value at %s = %.17g: %s",
                        name, has_a ? b : a, message_text(s.reason));
        else if (f_a * f_b > 0.0)
            message_set(
                &result.message,
                "the target does not change its sign: it misses by %.10g at %s = %.10g and by "
                "%.10g at %s = %.10g; --all searches inside",
                f_a, name, a, f_b, name, b);
        else if (!refine(&s, a, f_a, b, f_b))
            search_fail(&s, SALTUS_ERROR_EVALUATION,
                        "the target has no value inside the bracket: %s", message_text(s.reason));
    }
    search_end(&s);
    return result;
}

// ---------------------------------------------------------------------------
// Grids
// ---------------------------------------------------------------------------

static void show_grid(void *user, size_t done, size_t failed, size_t total)
{
    const SolveDef *def = ((const SolveSearch *)user)->def;
    (void)failed;
    if (def->progress)
        def->progress(def->user, (double)done / (double)total, (long)done);
}

// The unknown at the ends of the intervals, and what is fixed. NULL: out of memory.
static Axis *grid_axes(const SolveDef *d)
{
    Axis *axes = calloc(1 + d->fixed_count, sizeof *axes);
    if (!axes)
        return NULL;
    axes[0] = d->unknowns[0];
    axes[0].count = d->points + 1;
    for (size_t i = 0; i < d->fixed_count; i++)
        axes[1 + i] = (Axis){.parameter = d->fixed[i].number,
                             .count = 1,
                             .lower = d->fixed[i].value,
                             .upper = d->fixed[i].value};
    return axes;
}

// Runs at the points. False: result->status says why.
static bool grid_run(SolveSearch *s, const SweepDef *def, Sweep **sweep)
{
    char *message = NULL;
    *sweep = def->axes ? sweep_create(def, &message) : NULL;
    const SweepStatus status = *sweep ? sweep_run(*sweep, &message) : SWEEP_FAILED;
    if (status == SWEEP_INTERRUPTED)
        search_fail(s, SALTUS_INTERRUPTED, "interrupted");
    else if (status == SWEEP_FAILED)
        search_fail(s, SALTUS_ERROR_ARGUMENT, "%s", message_text(message));
    free(message);
    s->result->runs += (long)s->def->points + 1;
    return status == SWEEP_FINISHED;
}

SolveResult solve_all(const SolveDef *def)
{
    SolveResult result;
    SolveSearch s;
    Axis *axes = grid_axes(def);
    const SweepDef grid = {.study = def->study,
                           .axes = axes,
                           .axis_count = 1 + def->fixed_count,
                           .jobs = def->jobs,
                           .progress = show_grid,
                           .user = &s,
                           .is_interrupted = def->is_interrupted};
    Sweep *sweep = NULL;
    size_t missing = 0;
    if (search_begin(&s, def, &result) && grid_run(&s, &grid, &sweep)) {
        for (size_t i = 0; i <= def->points && !s.is_broken; i++) {
            const double f = sweep_point(sweep, i).values[0];
            const double x = sweep_value(sweep, i, 0);
            missing += isnan(f) ? 1 : 0;
            if (f == 0.0)
                search_add(&s, SOLVE_ROOT, &x);
            if (i == 0)
                continue;
            const double f_a = sweep_point(sweep, i - 1).values[0];
            if (f_a * f < 0.0 && !refine(&s, sweep_value(sweep, i - 1, 0), f_a, x, f))
                missing++;
        }
        if (missing > 0)
            message_set(&result.message, "the target has no value in a part of the interval: %s",
                        s.reason ? s.reason
                                 : "its runs failed, or what it is about did not happen");
        else if (result.count == 0)
            message_set(&result.message, "no change of sign at %zu points between %.10g and %.10g",
                        def->points + 1, def->unknowns->lower, def->unknowns->upper);
    }
    sweep_destroy(sweep);
    free(axes);
    search_end(&s);
    return result;
}

// ---------------------------------------------------------------------------
// Boundaries
// ---------------------------------------------------------------------------

// What a run is told apart by: the targets, or the sequence of events.
typedef struct Sign {
    double *values;
    Sequence sequence;
} Sign;

static bool sign_take(SolveSearch *s, double x, Sign *sign)
{
    *sign = (Sign){0};
    search_run(s, &x); // values that are missing are values, too
    if (s->is_broken)
        return false;
    if (s->residual_count == 0)
        return sequence_take(s->runner, &sign->sequence);
    sign->values = calloc(s->residual_count, sizeof *sign->values);
    if (sign->values)
        memcpy(sign->values, s->residuals, s->residual_count * sizeof *sign->values);
    return sign->values != NULL;
}

static void sign_free(Sign *sign)
{
    free(sign->values);
    sequence_free(&sign->sequence);
}

static bool sign_equal(const SolveSearch *s, const Sign *a, const Sign *b)
{
    if (s->residual_count == 0)
        return sequence_equal(&a->sequence, &b->sequence);
    for (size_t i = 0; i < s->residual_count; i++) {
        const double x = a->values[i], y = b->values[i];
        if (x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

static double sign_value(const SolveSearch *s, const Sign *sign)
{
    return s->residual_count ? sign->values[0] : (double)sign->sequence.count;
}

// Halves until the end of what holds at *a is a point; *a and *left are then just above it. False:
// out of memory or interrupted.
static bool find_boundary(SolveSearch *s, double *a, Sign *left, double b)
{
    Sign right = {0};
    bool is_fine = true;
    while (is_fine && b - *a > point_width(*a, b)) {
        const double middle = *a + 0.5 * (b - *a);
        Sign sign = {0};
        if (!(middle > *a && middle < b))
            break;
        is_fine = sign_take(s, middle, &sign);
        const bool is_left = is_fine && sign_equal(s, &sign, left);
        Sign *place = is_left ? left : &right;
        sign_free(place);
        *place = sign;
        *(is_left ? a : &b) = middle;
    }
    if (is_fine && !right.values && !right.sequence.events)
        is_fine = sign_take(s, b, &right);
    if (is_fine)
        add_jump(s, SOLVE_BOUNDARY, *a, sign_value(s, left), b, sign_value(s, &right));
    sign_free(left);
    *left = right;
    *a = b;
    return is_fine;
}

// All boundaries between a and b.
static bool find_boundaries(SolveSearch *s, double a, Sign *left, double b, const Sign *right)
{
    enum { MOST_BOUNDARIES = 10000 };
    bool is_fine = true;
    while (is_fine && a < b && !sign_equal(s, left, right) && s->result->count < MOST_BOUNDARIES)
        is_fine = find_boundary(s, &a, left, b);
    return is_fine;
}

SolveResult solve_boundaries(const SolveDef *def)
{
    SolveResult result;
    SolveSearch s;
    Sign before = {0};
    double x_before = 0.0;
    bool is_fine = search_begin(&s, def, &result);
    for (size_t i = 0; is_fine && i <= def->points; i++) {
        const Axis axis = {.lower = fmin(def->unknowns->lower, def->unknowns->upper),
                           .upper = fmax(def->unknowns->lower, def->unknowns->upper),
                           .is_logarithmic = def->unknowns->is_logarithmic,
                           .count = def->points + 1};
        const double x = axis_value(&axis, i);
        Sign sign;
        is_fine = sign_take(&s, x, &sign);
        if (is_fine && i > 0)
            is_fine = find_boundaries(&s, x_before, &before, x, &sign);
        sign_free(&before);
        before = sign;
        x_before = x;
    }
    sign_free(&before);
    if (!is_fine)
        search_fail(&s, SALTUS_ERROR_MEMORY, "out of memory");
    else if (result.count == 0)
        message_set(&result.message, "nothing changes at %zu points", def->points + 1);
    search_end(&s);
    return result;
}
