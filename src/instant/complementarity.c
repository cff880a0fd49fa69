// SPDX-License-Identifier: MIT

#include "instant/complementarity.h"

#include "base/real.h"
#include "instant/memory.h"
#include "modes/switched.h"
#include "numerics/dense.h"
#include "numerics/lemke.h"
#include "numerics/rank.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Unknowns and conditions: the matrices are dense.
enum { MOST_UNKNOWNS = 1500, MOST_PAIRS = 500 };

// Affine as far as this part of the values that it is made of.
static const double accuracy = 1e-8;

typedef struct Complementarity {
    Settling *s;
    uint32_t unknowns, events;
    uint32_t *holds; // the conditions, by number among the mode's holds
    uint32_t count;
    double *base; // what is held, and the memory behind it
    size_t base_size;
    // Vectors of residuals and event functions.
    double *zero;                       // where all unknowns are zero
    double *matrix;                     // by unknown: what one of it adds
    double *turned;                     // by condition: c_j
    double *probe, *at, *other, *there; // two places, and the vectors there
    double *m, *q;
    int *pivots;
    bool *is_turned;
} Complementarity;

static uint32_t rows_of(const Complementarity *c)
{
    return c->unknowns + c->events;
}

static const ModelHold *hold_of(const Complementarity *c, uint32_t j)
{
    return &c->s->point.mode->conditions.holds[c->holds[j]];
}

static bool complementarity_evaluate(Complementarity *c, const double *u, double *vector)
{
    Point *p = &c->s->point;
    bool is_fine = switched_evaluate(p->program, p->scratch, &p->inputs, MODEL_EVENTS, u, vector,
                                     vector + c->unknowns);
    for (uint32_t i = 0; i < rows_of(c) && is_fine; i++)
        is_fine = isfinite(vector[i]);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Conditions
// ---------------------------------------------------------------------------

static void keep_base(Complementarity *c)
{
    const Model *model = c->s->point.mode->model;
    memcpy(c->base, c->s->point.memory.held, model->sizes.held * sizeof *c->base);
    memcpy(c->base + model->sizes.held, c->s->point.memory.m,
           model->sizes.memory * sizeof *c->base);
}

static void restore_base(Complementarity *c)
{
    const Model *model = c->s->point.mode->model;
    memcpy(c->s->point.memory.held, c->base, model->sizes.held * sizeof *c->base);
    memcpy(c->s->point.memory.m, c->base + model->sizes.held,
           model->sizes.memory * sizeof *c->base);
}

// Booleans and Integers that follow from what is held. (Reals may follow from unknowns, which are
// anything now.)
static bool follow_conditions(Complementarity *c)
{
    enum { MOST_ROUNDS = 10 };
    Point *p = &c->s->point;
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        changed = false;
        if (!point_evaluate(p, MODEL_DISCRETE, p->values))
            return false;
        for (uint32_t i = 0; i < p->mode->memory.discrete_count; i++) {
            const ModelDiscrete *d = &p->mode->memory.discrete[i];
            if (d->is_real || p->memory.m[d->place] == p->values[i])
                continue;
            p->memory.m[d->place] = p->values[i];
            changed = true;
        }
    }
    return !changed;
}

static bool turn_condition(Complementarity *c, uint32_t j)
{
    double *held = &c->s->point.memory.held[hold_of(c, j)->number];
    *held = *held == 0.0;
    return follow_conditions(c);
}

// ---------------------------------------------------------------------------
// The problem
// ---------------------------------------------------------------------------

// Two places that are nothing special.
static void choose_places(Complementarity *c)
{
    const double golden = 0.6180339887498949;
    double part = 0.3;
    for (uint32_t i = 0; i < c->unknowns; i++) {
        part += golden;
        part -= floor(part);
        c->probe[i] = (part < 0.5 ? -1.0 : 1.0) * (0.5 + part);
        part += golden;
        part -= floor(part);
        c->other[i] = (part < 0.5 ? 1.0 : -1.0) * (0.5 + part);
    }
}

// Values and slopes of the base; false: they are not affine.
static bool find_base(Complementarity *c)
{
    const uint32_t rows = rows_of(c);
    if (!complementarity_evaluate(c, c->zero + rows, c->zero)) // (zeros stand behind it)
        return false;
    double *unit = c->there;
    for (uint32_t k = 0; k < c->unknowns; k++) {
        memset(unit, 0, c->unknowns * sizeof *unit);
        unit[k] = 1.0;
        double *column = c->matrix + (size_t)k * rows;
        if (!complementarity_evaluate(c, unit, column))
            return false;
        for (uint32_t i = 0; i < rows; i++)
            column[i] -= c->zero[i];
    }
    choose_places(c);
    if (!complementarity_evaluate(c, c->probe, c->at) ||
        !complementarity_evaluate(c, c->other, c->there))
        return false;
    for (uint32_t i = 0; i < rows; i++) {
        double sum = c->zero[i], size = fabs(sum);
        for (uint32_t k = 0; k < c->unknowns; k++) {
            const double term = c->matrix[(size_t)k * rows + i] * c->probe[k];
            sum += term;
            size += fabs(term);
        }
        if (fabs(sum - c->at[i]) > accuracy * size)
            return false;
    }
    return true;
}

static double side_of(const Complementarity *c, uint32_t j)
{
    return conditions_side(hold_of(c, j), c->base[hold_of(c, j)->number]);
}

static double slope_of(const Complementarity *c, uint32_t j, uint32_t unknown)
{
    return c->matrix[(size_t)unknown * rows_of(c) + c->unknowns + hold_of(c, j)->index];
}

// By what the event function of j is to be multiplied to move like that of k; 0: by nothing.
static double ratio_of(const Complementarity *c, uint32_t k, uint32_t j, uint32_t steepest)
{
    const double ratio = slope_of(c, k, steepest) / slope_of(c, j, steepest);
    for (uint32_t i = 0; i < c->unknowns && ratio != 0.0; i++)
        if (fabs(slope_of(c, k, i) - ratio * slope_of(c, j, i)) >
            accuracy * fabs(slope_of(c, k, steepest)))
            return 0.0;
    return ratio;
}

// Turns the conditions that are turned before this one, on the way from the base: a Zener diode
// that breaks down, s < -Vz, has ceased to conduct, s < 0. How many there are; those that are
// turned at the same place do not count.
static uint32_t turn_before(Complementarity *c, uint32_t j, bool *is_any)
{
    uint32_t steepest = 0, count = 0;
    *is_any = false;
    for (uint32_t i = 1; i < c->unknowns; i++)
        if (fabs(slope_of(c, j, i)) > fabs(slope_of(c, j, steepest)))
            steepest = i;
    if (c->unknowns == 0 || slope_of(c, j, steepest) == 0.0)
        return 0;
    const double begin = c->zero[c->unknowns + hold_of(c, j)->index];
    for (uint32_t k = 0; k < c->count; k++) {
        const double ratio = k == j ? 0.0 : ratio_of(c, k, j, steepest);
        if (ratio == 0.0 || side_of(c, k) * ratio * side_of(c, j) < 0.0)
            continue;
        // the function of j where that of k is zero
        const double there = begin - c->zero[c->unknowns + hold_of(c, k)->index] / ratio;
        const double least = accuracy * (1.0 + fabs(begin));
        if (side_of(c, j) * there > least || (fabs(there) <= least && k < j)) {
            double *held = &c->s->point.memory.held[hold_of(c, k)->number];
            *held = *held == 0.0;
            *is_any = true;
            count += fabs(there) > least;
        }
    }
    return count;
}

// What a condition that is turned adds, over its event function: the same at both places. `work`:
// room for three vectors.
static bool find_turned(Complementarity *c, uint32_t j, double *vector, double *work)
{
    const uint32_t rows = rows_of(c), event = c->unknowns + hold_of(c, j)->index;
    const double h = c->at[event], h_there = c->there[event];
    const double *at = c->at, *there = c->there;
    bool is_fine = h != 0.0;
    bool has_before = false;
    if (is_fine)
        turn_before(c, j, &has_before);
    if (has_before) {
        double *const before = work + rows;
        is_fine = follow_conditions(c) && complementarity_evaluate(c, c->probe, before) &&
                  complementarity_evaluate(c, c->other, before + rows);
        at = before;
        there = before + rows;
    }
    is_fine = is_fine && turn_condition(c, j) && complementarity_evaluate(c, c->probe, vector) &&
              complementarity_evaluate(c, c->other, work);
    restore_base(c);
    for (uint32_t i = 0; i < rows && is_fine; i++) {
        const double size = fabs(vector[i]) + fabs(at[i]) + fabs(work[i]) + fabs(there[i]);
        const double here = (vector[i] - at[i]) / h;
        is_fine = fabs(here * h_there - (work[i] - there[i])) <=
                  accuracy * size * (1.0 + fabs(h_there / h));
        vector[i] = here;
    }
    return is_fine;
}

// J^-1 of a vector of residuals: what the unknowns follow it by; into E of that.
static void follow_unknowns(const Complementarity *c, const double *factors, double *residuals)
{
    dense_solve((int)c->unknowns, factors, c->pivots, residuals);
}

static double event_of(const Complementarity *c, EventNumber event, const double *u)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < c->unknowns; k++)
        sum += c->matrix[(size_t)k * rows_of(c) + c->unknowns + event] * u[k];
    return sum;
}

// q and M; false: the base has no inverse.
static bool find_problem(Complementarity *c, double *factors, double *u)
{
    const uint32_t n = c->unknowns, rows = rows_of(c);
    double largest = 0.0, least = INFINITY;
    for (uint32_t k = 0; k < n; k++)
        memcpy(factors + (size_t)k * n, c->matrix + (size_t)k * rows, n * sizeof *factors);
    if (dense_factor((int)n, factors, c->pivots) != 0)
        return false;
    for (uint32_t k = 0; k < n; k++) { // the diagonal has the inverses of the pivots
        largest = fmax(largest, fabs(factors[(size_t)k * n + k]));
        least = fmin(least, fabs(factors[(size_t)k * n + k]));
    }
    if (n && largest * 1e-13 > least)
        return false;
    memcpy(u, c->zero, n * sizeof *u);
    follow_unknowns(c, factors, u);
    for (uint32_t i = 0; i < c->count; i++) {
        const EventNumber event = hold_of(c, i)->index;
        c->q[i] = side_of(c, i) * (c->zero[n + event] - event_of(c, event, u));
    }
    for (uint32_t j = 0; j < c->count; j++) {
        const double *turned = c->turned + (size_t)j * rows;
        memcpy(u, turned, n * sizeof *u);
        follow_unknowns(c, factors, u);
        for (uint32_t i = 0; i < c->count; i++) {
            const EventNumber event = hold_of(c, i)->index;
            c->m[(size_t)i * c->count + j] =
                (i == j) +
                side_of(c, i) * side_of(c, j) * (event_of(c, event, u) - turned[n + event]);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------
// The solution
// ---------------------------------------------------------------------------

typedef enum ComplementarityVerdict {
    COMPLEMENTARITY_FOUND,
    COMPLEMENTARITY_SINGULAR, // the base has no inverse
    COMPLEMENTARITY_NONE,
} ComplementarityVerdict;

// From what is held.
static ComplementarityVerdict complementarity_from(Complementarity *c)
{
    const uint32_t n = c->unknowns;
    double *factors = malloc(((size_t)n * n + 3 * (size_t)rows_of(c) + 1u) * sizeof *factors);
    ComplementarityVerdict verdict = COMPLEMENTARITY_NONE;
    int pivots = 0;
    keep_base(c);
    bool is_fine = factors && find_base(c);
    for (uint32_t j = 0; j < c->count && is_fine; j++)
        is_fine = find_turned(c, j, c->turned + (size_t)j * rows_of(c), factors);
    if (is_fine && !find_problem(c, factors, factors + (size_t)n * n))
        verdict = COMPLEMENTARITY_SINGULAR;
    else if (is_fine &&
             lemke_solve((int)c->count, c->m, c->q, c->is_turned, &pivots) == LEMKE_FOUND)
        verdict = COMPLEMENTARITY_FOUND;
    for (uint32_t j = 0; j < c->count && verdict == COMPLEMENTARITY_FOUND; j++)
        if (c->is_turned[j])
            c->s->point.memory.held[hold_of(c, j)->number] = c->base[hold_of(c, j)->number] == 0.0;
    if (verdict == COMPLEMENTARITY_FOUND && !follow_conditions(c))
        verdict = COMPLEMENTARITY_NONE;
    free(factors);
    return verdict;
}

// What the matrix of the base, or its transpose, takes to zero: vectors of length n, one after the
// other; how many, or -1: no memory.
static int find_kernel(const Complementarity *c, bool is_transposed, double *kernel)
{
    const size_t n = c->unknowns, rows = rows_of(c), room = rank_work((int)n, (int)n);
    double *a = calloc(n * n + 2 * n + room + 1u, sizeof *a);
    int *order = calloc(n + 1u, sizeof *order);
    int count = -1;
    if (a && order) {
        double *work = a + n * n + 2 * n;
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < n; i++)
                a[is_transposed ? i * n + k : k * n + i] = c->matrix[k * rows + i];
        count = (int)n -
                rank_solve((int)n, (int)n, a, a + n * n, 1e-11, a + n * n + n, NULL, work, order);
        for (int k = 0; k < count; k++)
            for (size_t i = 0; i < n; i++)
                kernel[(size_t)k * n + (size_t)order[i]] = rank_basis(work, (int)n, k)[i];
    }
    free(a);
    free(order);
    return count;
}

static double product_of(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// Takes the direction of one vector out of all; `count` vectors of length d.
static void project_out(double *vectors, size_t count, size_t d, size_t which)
{
    double *of = vectors + which * d;
    const double square = product_of(of, of, d);
    for (size_t j = 0; j < count && square > 0.0; j++) {
        const double part = product_of(vectors + j * d, of, d) / square;
        for (size_t i = 0; i < d && j != which; i++)
            vectors[j * d + i] -= part * of[i];
    }
    for (size_t i = 0; i < d; i++)
        of[i] = 0.0;
}

// A condition that is turned adds c_j e_j' to the matrix, e_j being its event function's part. So
// as many have to turn as the matrix lacks ranks, with parts L' c_j and R' e_j, in the kernels of
// its transpose and of itself, that are independent. The largest come first. (But none before
// others that come before it.)
static bool turn_to_regular(Complementarity *c, const double *left, const double *right, size_t d,
                            double *parts)
{
    const size_t n = c->unknowns, rows = rows_of(c);
    double *a = parts, *b = parts + c->count * d;
    for (uint32_t j = 0; j < c->count; j++) {
        bool is_any;
        const bool is_next = turn_before(c, j, &is_any) == 0;
        restore_base(c);
        for (size_t i = 0; i < d && is_next; i++) {
            a[j * d + i] = product_of(left + i * n, c->turned + (size_t)j * rows, n);
            b[j * d + i] = event_of(c, hold_of(c, j)->index, right + i * n);
        }
    }
    for (size_t step = 0; step < d; step++) {
        uint32_t best = 0;
        double most = 0.0;
        for (uint32_t j = 0; j < c->count; j++) {
            const double size =
                product_of(a + j * d, a + j * d, d) * product_of(b + j * d, b + j * d, d);
            best = size > most ? j : best;
            most = fmax(most, size);
        }
        if (!(most > 1e-20))
            return false;
        double *held = &c->s->point.memory.held[hold_of(c, best)->number];
        *held = *held == 0.0;
        project_out(a, c->count, d, best);
        project_out(b, c->count, d, best);
    }
    return follow_conditions(c);
}

// Turns conditions of a base without inverse, so that it has one.
static bool make_regular(Complementarity *c)
{
    const size_t n = c->unknowns;
    double *kernels = calloc(2 * n * n + 1u, sizeof *kernels);
    const int right = kernels ? find_kernel(c, false, kernels) : -1;
    const int left = right > 0 ? find_kernel(c, true, kernels + n * n) : -1;
    double *parts =
        left == right && left > 0 ? calloc(2 * (size_t)left * c->count + 1u, sizeof *parts) : NULL;
    const bool is_fine = parts && turn_to_regular(c, kernels + n * n, kernels, (size_t)left, parts);
    free(parts);
    free(kernels);
    return is_fine;
}

// From the present conditions, or from all of them on one side: say, all diodes off. Then from near
// to them, if they have no inverse.
static bool complementarity_try(Complementarity *c, double *before)
{
    static const Side sides[] = {SIDE_ZERO, SIDE_BELOW, SIDE_ABOVE};
    enum { SIDES = sizeof sides / sizeof *sides };
    double *const base = c->base;
    bool is_singular[SIDES] = {false};
    keep_base(c);
    memcpy(before, base, c->base_size * sizeof *before);
    for (int k = 0; k < 2 * SIDES; k++) {
        const Side side = sides[k % SIDES];
        if (k >= SIDES && !is_singular[k % SIDES])
            continue;
        for (uint32_t j = 0; j < c->count && side != SIDE_ZERO; j++)
            c->s->point.memory.held[hold_of(c, j)->number] =
                conditions_value(hold_of(c, j), side, 0.0);
        ComplementarityVerdict verdict = COMPLEMENTARITY_NONE;
        if (side == SIDE_ZERO || follow_conditions(c))
            verdict = complementarity_from(c);
        is_singular[k % SIDES] = verdict == COMPLEMENTARITY_SINGULAR;
        if (k >= SIDES && verdict == COMPLEMENTARITY_SINGULAR && make_regular(c))
            verdict = complementarity_from(c);
        if (verdict == COMPLEMENTARITY_FOUND)
            return true;
        c->base = before;
        restore_base(c);
        c->base = base;
    }
    return false;
}

static void list_conditions(Complementarity *c)
{
    const Mode *m = c->s->point.mode;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        if (m->conditions.holds[i].kind == HOLD_CROSSING &&
            conditions_is_relation(&m->conditions.holds[i]) && !m->conditions.holds[i].is_muted)
            c->holds[c->count++] = i;
}

// Whether all residuals and event functions change along straight lines from `now` on, if they do.
// (Two places on the way, so that waves that come back to where they were are not taken for such.)
static bool is_straight(Complementarity *c, double now, double span, bool *has_changed)
{
    static const double places[] = {0.618, 0.236}, bend = 0.02;
    double *const time = &c->s->point.inputs.time, *const zeros = c->zero + rows_of(c);
    *time = now + span;
    *has_changed = false;
    bool is_fine = complementarity_evaluate(c, zeros, c->at);
    for (int k = 0; k < 2 && is_fine; k++) {
        *time = now + places[k] * span;
        is_fine = complementarity_evaluate(c, zeros, c->other);
        for (uint32_t i = 0; i < rows_of(c) && is_fine; i++) {
            const double way = c->at[i] - c->zero[i], here = c->other[i] - c->zero[i];
            const double size = fabs(c->zero[i]) + fabs(c->at[i]) + fabs(c->other[i]);
            is_fine = fabs(here - places[k] * way) <=
                      bend * (fabs(way) + fabs(here)) + 4.0 * DBL_EPSILON * size;
            *has_changed |= fabs(way) > 4.0 * DBL_EPSILON * size;
        }
    }
    return is_fine;
}

// A moment, short beside whatever drives the equations, and long enough to be seen: a part of the
// time over which that is straight, which may be nanoseconds or years.
static double moment_ahead(Complementarity *c)
{
    static const double usual = 1e-2, part = 1e-6, shorter = 0.1, longer = 1e3, least = 1e-9;
    enum { MOST_SHORTER = 20, MOST_LONGER = 4 };
    double *const time = &c->s->point.inputs.time;
    const double now = *time;
    double span = usual * (1.0 + fabs(now));
    bool has_changed = false;
    if (complementarity_evaluate(c, c->zero + rows_of(c), c->zero)) {
        int k = 0;
        for (; k < MOST_SHORTER && !is_straight(c, now, span, &has_changed); k++)
            span = real_larger(shorter * span, least * fabs(now));
        if (k == MOST_SHORTER) // a jump, say
            span = usual * (1.0 + fabs(now));
        for (int i = 0; k == 0 && i < MOST_LONGER && has_changed &&
                        is_straight(c, now, longer * span, &has_changed);
             i++)
            span *= longer;
    }
    *time = now;
    return part * span;
}

bool complementarity_solve(Settling *s, bool is_ahead)
{
    const Mode *m = s->point.mode;
    Complementarity c = {.s = s, .events = m->conditions.event_count};
    if (!switched_count(s->point.program, &c.unknowns) || c.unknowns > MOST_UNKNOWNS ||
        m->conditions.hold_count == 0)
        return false;
    c.holds = calloc(m->conditions.hold_count + c.unknowns + 1u, sizeof *c.holds);
    if (c.holds)
        list_conditions(&c);
    const size_t rows = rows_of(&c), n = c.unknowns, pairs = c.count;
    c.base_size = (size_t)m->model->sizes.held + m->model->sizes.memory;
    const size_t room =
        2 * c.base_size + 2 * rows + (n + pairs + 5) * rows + pairs * pairs + pairs + 1u;
    double *block =
        c.holds && pairs > 0 && pairs <= MOST_PAIRS ? calloc(room, sizeof *block) : NULL;
    c.is_turned = calloc(pairs + 1u, sizeof *c.is_turned);
    bool is_fine = false;
    if (block && c.is_turned) {
        c.pivots = (int *)(void *)(c.holds + m->conditions.hold_count);
        c.base = block;
        c.zero = c.base + c.base_size;
        c.matrix = c.zero + 2 * rows;
        c.turned = c.matrix + n * rows;
        c.probe = c.turned + pairs * rows;
        c.at = c.probe + rows;
        c.other = c.at + rows;
        c.there = c.other + rows;
        c.m = c.there + 2 * rows;
        c.q = c.m + pairs * pairs;
        const double time = s->point.inputs.time;
        s->point.inputs.time += is_ahead ? moment_ahead(&c) : 0.0;
        is_fine = complementarity_try(&c, c.q + pairs);
        s->point.inputs.time = time;
    }
    free(c.is_turned);
    free(block);
    free(c.holds);
    return is_fine;
}
