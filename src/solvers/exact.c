// SPDX-License-Identifier: MIT
//
// Linear modes, x' = A x + B w, w' = W w, solved exactly: y = (x, w) obeys y' = M y, so
//     y(t + s) = y(t) + E(s) y(t),   E(s) = exp(s M) - 1.
//
// E is kept for the times h 2^l, l = 0, 1, ...: for the first ones from its power series, for which
// they are short enough, for the others by squaring (1 + E(2s) = (1 + E(s))^2, that is E(2s) = 2 E
// + E^2, where slow motion is not lost beside the 1). A time s is a sum of some of them and of a
// rest, over which the power series is applied to y itself. (C. Moler, C. Van Loan: Nineteen
// dubious ways to compute the exponential of a matrix, twenty-five years later, SIAM Rev. 45, 2003,
// methods 1 and 3.) M is balanced first, by powers of two (B. N. Parlett, C. Reinsch, Numer. Math.
// 13, 1969).
//
// What an error of the method is elsewhere, is rounding here: of the order eps |M| s for a time s,
// which `longest` keeps below a part of the tolerance. Steps have nothing to do with accuracy. They
// are as long as the motion is well described by samples, so that events are detected as safely as
// with other solvers: the polynomial through them must agree with the solution between them, and
// with its derivative at the beginning, within the tolerance (but there is no use in less than
// 1e-6). Five samples, at the quarters of a step, are enough for motions that are nearly
// polynomials, like that of a ball; others take nine, at the eighths of steps that are four times
// as long.
//
// Matrices are kept for the coefficients met last, so that a diode that switches on and off
// finds them again.
//
// What holds between calls: y belongs to t, y_old to t_old, `inner` to t_old + j (t - t_old) / 8,
// for even j only where there are four cells. All of them are in units of set->scale.

#include "solvers/exact.h"

#include "base/memory.h"
#include "solvers/exact_matrix.h"
#include "solvers/kernel.h"
#include "solvers/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

// States and signals: up to so many it can be done, and up to so many auto does it. (A step takes
// ten products with a full matrix, an explicit method six evaluations of sparse equations: chains
// of masses and springs take as long with dopri5 from 12 on.)
enum { EXACT_MOST = 200, EXACT_PAYS = 12 };

// Matrices of a mode, for different coefficients.
enum { SETS = 4 };

// After an event, when the fast motions may begin anew, steps begin with |M| s at most this. (A
// step that turns out to be too long costs little.)
static const double restart_norm = 64.0;

// Cells of a step, at most.
enum { EXACT_CELLS = 8 };

// The polynomial must be so near to the solution, relative to the states.
static const double exact_tolerance = 1e-6, least_absolute = 1e-9;

// Terms of the power series applied to y: for |M| s = 1/64 seven are enough.
enum { TERMS = 12 };

// Signals are computed anew from the time after so many steps.
enum { SYNCHRONISED = 64 };

typedef struct ExactSolver {
    Solver solver;
    const SaltusLinear *linear;
    int n, all; // states; with signals
    ExactSet sets[SETS];
    int set_count;
    ExactSet *set; // in use
    long uses;
    int since;               // steps since the signals were computed
    double step;             // to try next
    double *coefficients;    // now
    double *y, *y_old;       // all
    double *inner, *between; // 7 all; all, half a cell after the beginning
    double *start;           // all, of signals
    double *term, *product;  // all
    double eighth;           // of the last step
    bool has_inner;
    bool is_wide;    // the machine has vectors of four numbers, and there are so many
    bool is_first;   // no step was made since the reset
    bool is_starved; // there was no memory for a matrix
} ExactSolver;

static ExactSolver *exact_self(Solver *solver)
{
    return (ExactSolver *)solver;
}

bool exact_is_possible(const Problem *problem)
{
    const SaltusLinear *linear = problem->mode->hints.linear;
    return linear && !problem->no_matrix && problem->form == PROBLEM_ODE && problem->nx > 0 &&
           !problem->mode->project && problem->nx + linear->signal_count <= EXACT_MOST;
}

bool exact_pays(const Problem *problem)
{
    return exact_is_possible(problem) &&
           problem->nx + problem->mode->hints.linear->signal_count <= EXACT_PAYS;
}

// ---------------------------------------------------------------------------
// The solution
// ---------------------------------------------------------------------------

// y += (exp(s M) - 1) y by the power series, for a short time, which may be what rounding leaves of
// a longer one. However short it is, terms count as long as they are not small beside each
// component for itself: of a ball that bounces at a height of 1e-18 both velocity and weight do.
// terms: at most so many. term, product: room for n.
EXACT_INLINE void exact_expand_at(int n, const double *m, double time, int terms, double *y,
                                  double *term, double *product, bool is_wide)
{
    static const double little = 0.01 * DBL_EPSILON;
    for (int i = 0; i < n; i++)
        term[i] = y[i];
    for (int k = 1; k <= terms; k++) {
        exact_multiply(n, m, term, product, is_wide);
        const double factor = time / k;
        ExactPairBits are_small = {-1, -1};
        for (int i = 0; i + 1 < n; i += 2) {
            const ExactPair next = exact_pair(product + i) * factor, sum = exact_pair(y + i) + next;
            memcpy(term + i, &next, sizeof next);
            memcpy(y + i, &sum, sizeof sum);
            are_small &= exact_pair_size(next) <= little * exact_pair_size(sum);
        }
        bool is_small = are_small[0] & are_small[1];
        if (n % 2) {
            term[n - 1] = product[n - 1] * factor;
            y[n - 1] += term[n - 1];
            is_small = is_small && fabs(term[n - 1]) <= little * fabs(y[n - 1]);
        }
        if (is_small)
            return;
    }
}

EXACT_INLINE void exact_leap_by(int n, const double *e, const double *y, double *to,
                                double *product, bool is_wide)
{
    exact_multiply(n, e, y, product, is_wide);
    for (int i = 0; i + 1 < n; i += 2) {
        const ExactPair sum = exact_pair(y + i) + exact_pair(product + i);
        memcpy(to + i, &sum, sizeof sum);
    }
    if (n % 2)
        to[n - 1] = y[n - 1] + product[n - 1];
}

// Both of them, with the vectors that a machine has.
#define EXACT_SOLUTION(name, machine)                                                              \
    machine static void exact_series_##name(ExactSolver *s, double time, int terms, double *y)     \
    {                                                                                              \
        const double *m = s->set->matrix;                                                          \
        double term[EXACT_FIXED], product[EXACT_FIXED];                                            \
        EXACT_BY_SIZE(s->all, EXACT_EXPAND_##name)                                                 \
    }                                                                                              \
    machine static void exact_leap_##name(ExactSolver *s, const double *e, const double *y,        \
                                          double *to)                                              \
    {                                                                                              \
        double product[EXACT_FIXED];                                                               \
        EXACT_BY_SIZE(s->all, EXACT_LEAP_##name)                                                   \
    }
#define EXACT_EXPAND(size, is_wide)                                                                \
    exact_expand_at(size, m, time, terms, y, size <= EXACT_FIXED ? term : s->term,                 \
                    size <= EXACT_FIXED ? product : s->product, is_wide)
#define EXACT_LEAP(size, is_wide)                                                                  \
    exact_leap_by(size, e, y, to, size <= EXACT_FIXED ? product : s->product, is_wide)
#define EXACT_EXPAND_plain(size) EXACT_EXPAND(size, false)
#define EXACT_EXPAND_wide(size) EXACT_EXPAND(size, true)
#define EXACT_LEAP_plain(size) EXACT_LEAP(size, false)
#define EXACT_LEAP_wide(size) EXACT_LEAP(size, true)
EXACT_SOLUTION(plain, )
EXACT_SOLUTION(wide, KERNEL_MACHINE)

static void exact_series(ExactSolver *s, double time, int terms, double *y)
{
    if (time == 0.0)
        return;
    if (s->is_wide)
        exact_series_wide(s, time, terms, y);
    else
        exact_series_plain(s, time, terms, y);
}

// y the time of a level later.
static void exact_leap(ExactSolver *s, int level, const double *y, double *to)
{
    const double *e = exact_level(s->set, level);
    if (s->is_wide)
        exact_leap_wide(s, e, y, to);
    else
        exact_leap_plain(s, e, y, to);
}

// y a time later, by the levels from `least` on, and so many terms of the series for the rest.
static void exact_propagate_by(ExactSolver *s, double time, int least, int terms, double *y)
{
    // A little less than a level, by rounding of the time, is that level and a little back.
    static const double nearly = 1.0 - 1e-10;
    double width = exact_width(s->set, least);
    int level = least;
    for (; level < EXACT_LEVELS - 1 && time >= nearly * (2.0 * width); level++)
        width *= 2.0;
    for (; level >= least; level--, width *= 0.5)
        for (; time >= nearly * width; time -= width)
            exact_leap(s, level, y, y);
    exact_series(s, time, terms, y);
}

static void exact_propagate(ExactSolver *s, double time, double *y)
{
    exact_propagate_by(s, time, 0, TERMS, y);
}

static void exact_read(const ExactSolver *s, const double *y, double *x)
{
    for (int i = 0; i < s->n; i++)
        x[i] = y[i] * s->set->scale[i];
}

// y at j eighths of the last step.
static double *exact_inner(const ExactSolver *s, int j)
{
    return s->inner + (j - 1) * s->all;
}

// Whether sample j, in eighths of the last step, is at this time, as the detector computes it.
static bool exact_is_inner(const ExactSolver *s, int j, double t)
{
    const double begin = s->solver.t_old;
    return s->has_inner && t == begin + (s->solver.t - begin) * (0.125 * j);
}

// x at a time of the last step: a sample, or from the one before it on.
static void exact_at(ExactSolver *s, double t, double *x)
{
    static const double nearly = 1e-9;
    const double time = t - s->solver.t_old;
    const int apart = EXACT_CELLS / s->solver.cells;
    const int cell = s->has_inner ? (int)(time / (apart * s->eighth) + nearly) : 0;
    const int most = s->solver.cells - 1, place = apart * (cell < 0      ? 0
                                                           : cell < most ? cell
                                                                         : most);
    const double *from = place > 0 ? exact_inner(s, place) : s->y_old;
    if (place > 0 && exact_is_inner(s, place, t)) {
        exact_read(s, from, x);
        return;
    }
    real_copy(s->start, from, s->all);
    exact_propagate(s, time - s->eighth * place, s->start);
    exact_read(s, s->start, x);
}

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

static void exact_destroy(Solver *solver)
{
    ExactSolver *s = exact_self(solver);
    for (int k = 0; k < SETS; k++)
        memory_free(solver->problem->allocator, s->sets[k].coefficients);
    solver_free(solver);
}

static Solver *exact_create(Problem *problem, const SaltusMethod *method)
{
    const SaltusLinear *linear = problem->mode->hints.linear;
    const size_t coefficients = (size_t)linear->coefficient_count;
    const size_t all = (size_t)problem->nx + (size_t)linear->signal_count;
    double *block = NULL;
    Solver *solver = solver_allocate(&solver_EXACT, problem, method, sizeof(ExactSolver),
                                     coefficients + 13 * all, &block);
    if (!solver)
        return NULL;
    ExactSolver *s = exact_self(solver);
    s->linear = linear;
    s->n = problem->nx;
    s->all = (int)all;
    s->is_wide = all >= 4 && kernel_has_machine();
    s->y = block;
    s->y_old = s->y + all;
    s->inner = s->y_old + all;
    s->between = s->inner + (EXACT_CELLS - 1) * all;
    s->start = s->between + all;
    s->term = s->start + all;
    s->product = s->term + all;
    s->coefficients = s->product + all;
    return solver;
}

// ---------------------------------------------------------------------------
// Reset, copy
// ---------------------------------------------------------------------------

// The place for another matrix: a new one, or that of the one that was not used for the longest
// time. NULL: out of memory.
static ExactSet *exact_place(ExactSolver *s)
{
    if (s->set_count == SETS) {
        ExactSet *oldest = &s->sets[0];
        for (int k = 1; k < SETS; k++)
            if (s->sets[k].used < oldest->used)
                oldest = &s->sets[k];
        return oldest;
    }
    ExactSet *set = &s->sets[s->set_count];
    const size_t all = (size_t)s->all, coefficients = (size_t)s->linear->coefficient_count;
    set->coefficients = memory_resize(s->solver.problem->allocator, NULL,
                                      coefficients + 3 * all + (EXACT_LEVELS + 1) * all * all,
                                      sizeof *set->coefficients);
    s->is_starved |= !set->coefficients;
    if (!set->coefficients)
        return NULL;
    set->scale = set->coefficients + coefficients;
    set->matrix = set->scale + all;
    set->levels = set->matrix + all * all;
    set->making = set->levels + EXACT_LEVELS * all * all;
    set->n = s->all;
    s->set_count++;
    return set;
}

// The matrix of the present coefficients; false: there is none, or its numbers are not finite.
static bool exact_fill(ExactSolver *s, ExactSet *set)
{
    const size_t all = (size_t)s->all;
    memset(set->matrix, 0, all * all * sizeof(double));
    set->begin = 0.0;
    set->used = -1; // not found unless all is well
    const int code = s->linear->matrix(s->solver.problem->context, s->coefficients, set->matrix);
    s->is_starved |= code == SALTUS_ERROR_MEMORY;
    if (code != 0 || !exact_prepare(set))
        return false;
    real_copy(set->coefficients, s->coefficients, s->linear->coefficient_count);
    return true;
}

// Finds or makes the matrices of the present coefficients.
static bool exact_use(ExactSolver *s)
{
    const size_t size = (size_t)s->linear->coefficient_count * sizeof(double);
    s->uses++;
    for (int k = 0; k < s->set_count; k++) {
        ExactSet *set = &s->sets[k];
        if (set->used < 0 || (size && memcmp(set->coefficients, s->coefficients, size) != 0))
            continue;
        s->set = set;
        set->used = s->uses;
        return true;
    }
    ExactSet *set = exact_place(s);
    if (!set || !exact_fill(s, set))
        return false;
    s->set = set;
    set->used = s->uses;
    return true;
}

// The coefficients and the signals at t.
static bool exact_signals(ExactSolver *s, double t)
{
    s->since = 0;
    const int code =
        s->linear->coefficients(s->solver.problem->context, t, s->coefficients, s->start);
    s->is_starved |= code == SALTUS_ERROR_MEMORY;
    return code == 0;
}

// y from the states and the signals, which are in `start`.
static void exact_set_state(ExactSolver *s, const double *x)
{
    const double *scale = s->set->scale;
    for (int i = 0; i < s->n; i++)
        s->y[i] = x[i] / scale[i];
    for (int i = s->n; i < s->all; i++)
        s->y[i] = s->start[i - s->n] / scale[i];
}

// The longest step: eps |M| s is rounding.
static double exact_longest(const ExactSolver *s)
{
    const double part = 0.01 * s->solver.method.relative_tolerance / DBL_EPSILON;
    const double bound = real_smaller(real_larger(part, 16.0), 0x1p20);
    return bound / real_larger(s->set->norm, 1e-9);
}

// A step is a power of two times the time of the first matrix, or shorter than that.
static double exact_round(const ExactSolver *s, double step)
{
    const double first = s->set->step;
    return step > first ? ldexp(first, ilogb(1.0001 * step / first)) : step;
}

static int exact_reset(Solver *solver, double t, const double *x, const double *z, const double *dx,
                       double step)
{
    (void)dx;
    ExactSolver *s = exact_self(solver);
    Problem *problem = solver->problem;
    solver_place(solver, t, x, z);
    s->has_inner = false;
    s->is_starved = false;
    if (!exact_signals(s, t) || !exact_use(s)) {
        if (s->is_starved) // no reason to go on with other numbers
            return problem_fail(problem, SALTUS_ERROR_MEMORY, SALTUS_ERROR_MEMORY, "out of memory",
                                NULL, t);
        problem->no_matrix = true;
        return problem_fail(problem, SALTUS_ERROR_SOLVER, SALTUS_ERROR_SOLVER,
                            "the matrix of a linear mode", NULL, t);
    }
    exact_set_state(s, x);
    real_copy(s->y_old, s->y, s->all);
    const double most = restart_norm * s->set->step / exact_first;
    if (step == 0.0 && solver->method.step > 0.0)
        step = solver->method.step;
    s->step = step > 0.0 && step < most ? step : most;
    for (int k = 0; problem->is_entered && k < s->set_count; k++)
        s->sets[k].begin = 0.0; // as where the mode was forgotten
    if (s->set->begin > 0.0)
        s->step = real_smaller(s->step, s->set->begin);
    s->step = exact_round(s, s->step);
    s->is_first = true;
    solver->step_next = s->step;
    return 0;
}

// Of another solver, matrix k with what was learnt about it. Its coefficients are in
// `coefficients`.
static bool exact_take_set(ExactSolver *s, int k, double begin, long used)
{
    while (s->set_count <= k)
        if (!exact_place(s))
            return false;
    if (!exact_fill(s, &s->sets[k]))
        return used < 0;
    s->sets[k].begin = begin;
    s->sets[k].used = used;
    return true;
}

static int exact_copy(Solver *to, const Solver *from)
{
    ExactSolver *s = exact_self(to);
    const ExactSolver *source = (const ExactSolver *)from;
    solver_copy_common(to, from);
    for (int k = 0; k < source->set_count; k++) {
        const ExactSet *set = &source->sets[k];
        real_copy(s->coefficients, set->coefficients, s->linear->coefficient_count);
        if (!exact_take_set(s, k, set->begin, set->used))
            return SALTUS_ERROR_MEMORY;
    }
    s->set = &s->sets[source->set - source->sets];
    s->uses = source->uses;
    real_copy(s->y, source->y, s->all);
    real_copy(s->y_old, source->y_old, s->all);
    real_copy(s->inner, source->inner, (EXACT_CELLS - 1) * s->all);
    s->eighth = source->eighth;
    s->has_inner = source->has_inner;
    s->is_first = source->is_first;
    s->since = source->since;
    s->step = source->step;
    return 0;
}

// The matrices, by their coefficients.
static bool exact_carry_sets(ExactSolver *s, Carrier *c)
{
    int count = s->set_count, place = (int)(s->set - s->sets);
    CARRY(c, count);
    CARRY(c, place);
    if (count < 1 || count > SETS || place < 0 || place >= count)
        return false;
    for (int k = 0; k < count && !c->has_failed; k++) {
        double begin = s->sets[k].begin;
        long used = s->sets[k].used;
        if (!c->is_reading)
            real_copy(s->coefficients, s->sets[k].coefficients, s->linear->coefficient_count);
        carry_reals(c, s->coefficients, s->linear->coefficient_count);
        CARRY(c, begin);
        CARRY(c, used);
        if (c->has_failed || (c->is_reading && !exact_take_set(s, k, begin, used)))
            return false;
    }
    s->set = &s->sets[place];
    CARRY(c, s->uses);
    return !c->has_failed;
}

static bool exact_carry(Solver *solver, Carrier *c)
{
    ExactSolver *s = exact_self(solver);
    solver_carry_common(solver, c);
    if (!exact_carry_sets(s, c))
        return false;
    carry_reals(c, s->y, s->all);
    carry_reals(c, s->y_old, s->all);
    carry_reals(c, s->inner, (EXACT_CELLS - 1) * s->all);
    CARRY(c, s->eighth);
    CARRY(c, s->has_inner);
    CARRY(c, s->is_first);
    CARRY(c, s->since);
    CARRY(c, s->step);
    return true;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

// The level of a step that is as long as one, and has levels for its sixteenths; -1: it is not.
static int exact_find_level(const ExactSolver *s, double h)
{
    for (int level = 4; level < EXACT_LEVELS && exact_width(s->set, level) <= h; level++)
        if (exact_width(s->set, level) == h)
            return level;
    return -1;
}

// The solution a part of the step after `from`: h / 2^halvings, where level is that of h, or -1.
static void exact_go(ExactSolver *s, int level, int halvings, const double *from, double *to)
{
    if (level >= 0) {
        exact_leap(s, level - halvings, from, to);
        return;
    }
    real_copy(to, from, s->all);
    exact_propagate(s, s->eighth * (double)(8 >> halvings), to);
}

// The solution at the quarters of a step and at its end, and between its beginning and the first of
// them. h: how long it was to be, before the time of its end was rounded.
static void exact_sample_quarters(ExactSolver *s, double h, double t_new)
{
    const int level = exact_find_level(s, h);
    const double width = t_new - s->solver.t_old;
    s->solver.cells = EXACT_CELLS / 2;
    s->has_inner = true;
    s->eighth = 0.125 * (level >= 0 ? h : width);
    exact_go(s, level, 3, s->y_old, exact_inner(s, 1));
    exact_go(s, level, 3, exact_inner(s, 1), exact_inner(s, 2));
    exact_go(s, level, 2, exact_inner(s, 2), exact_inner(s, 4));
    exact_go(s, level, 2, exact_inner(s, 4), exact_inner(s, 6));
    if (level < 0) {
        exact_go(s, level, 2, exact_inner(s, 6), s->y);
        return;
    }
    exact_leap(s, level, s->y_old, s->y);
    exact_series(s, width - h, TERMS, s->y);
}

// The same at the eighths of a step whose quarters are known.
static void exact_sample_eighths(ExactSolver *s, double h)
{
    const int level = exact_find_level(s, h);
    s->solver.cells = EXACT_CELLS;
    for (int j = 3; j < EXACT_CELLS; j += 2)
        exact_go(s, level, 3, exact_inner(s, j - 1), exact_inner(s, j));
    if (level >= 4) {
        exact_leap(s, level - 4, s->y_old, s->between);
        return;
    }
    real_copy(s->between, s->y_old, s->all);
    exact_propagate(s, 0.5 * s->eighth, s->between);
}

// Lagrange's formula for equidistant samples: the value half a cell after the first one, and the
// derivative there, times the width of all cells.
static const double exact_quartic_value[] = {35.0 / 128, 140.0 / 128, -70.0 / 128, 28.0 / 128,
                                             -5.0 / 128};
static const double exact_quartic_slope[] = {-25.0 / 3, 16.0, -12.0, 16.0 / 3, -1.0};
static const double exact_octic_value[] = {6435.0 / 32768,   51480.0 / 32768,  -60060.0 / 32768,
                                           72072.0 / 32768,  -64350.0 / 32768, 40040.0 / 32768,
                                           -16380.0 / 32768, 3960.0 / 32768,   -429.0 / 32768};
static const double exact_octic_slope[] = {-761.0 / 35, 64.0,         -112.0,   448.0 / 3, -140.0,
                                           448.0 / 5,   -112.0 / 3.0, 64.0 / 7, -1.0};

// How far the polynomial through the samples, at the ends of so many cells, is from the solution
// half a cell after the beginning, and from its derivative at the beginning, times an eighth of a
// cell: in units of what is allowed. product: M y_old.
EXACT_INLINE double exact_misfit(const ExactSolver *s, int cells, double h, const double *at_value,
                                 const double *at_slope, const double *between)
{
    const Problem *problem = s->solver.problem;
    const double *nominal = problem->mode->nominal;
    const double relative = real_larger(problem->relative, exact_tolerance);
    const int all = s->all, apart = EXACT_CELLS / cells;
    const double *inner = s->inner - all; // from 1 on
    double largest = 0.0;
    for (int i = 0; i < s->n; i += 2) {
        const bool is_pair = i + 1 < s->n;
#define EXACT_AT(list) exact_pair_or_one((list) + i, is_pair)
        const ExactPair first = EXACT_AT(s->y_old), last = EXACT_AT(s->y);
        const ExactPair scale = EXACT_AT(s->set->scale);
        ExactPair value = at_value[0] * first + at_value[cells] * last;
        ExactPair rise = at_slope[0] * first + at_slope[cells] * last;
        ExactPair size = exact_pair_larger(exact_pair_size(first), exact_pair_size(last));
        for (int j = 1; j < cells; j++) {
            const ExactPair y = EXACT_AT(inner + j * apart * all);
            value += at_value[j] * y;
            rise += at_slope[j] * y;
        }
        for (int j = 2; j < EXACT_CELLS; j += 2)
            size = exact_pair_larger(size, exact_pair_size(EXACT_AT(inner + j * all)));
        const ExactPair off = exact_pair_size(value - EXACT_AT(between));
        const ExactPair off_slope =
            0.125 / cells * exact_pair_size(rise - h * EXACT_AT(s->product));
        const ExactPair absolute =
            exact_pair_larger(EXACT_AT(problem->absolute), least_absolute * EXACT_AT(nominal));
#undef EXACT_AT
        const ExactPair allowed = absolute + relative * size * scale;
        const ExactPair part = exact_pair_larger(off, off_slope) * scale / allowed;
        if (isnan(part[0]) || isnan(part[1]))
            return NAN;
        largest = real_larger(real_larger(largest, part[0]), part[1]);
    }
    return largest;
}

// The end of a step: states and algebraic variables.
static int exact_finish(ExactSolver *s, double t_new)
{
    Solver *solver = &s->solver;
    Problem *problem = solver->problem;
    exact_read(s, s->y, solver->x);
    int code = problem_check(problem, solver->x, s->n, 0, "the step", t_new);
    if (code == 0 && problem->nz > 0) {
        real_copy(solver->z, solver->z_old, problem->nz);
        code = problem_algebraics(problem, t_new, solver->x, solver->z);
    }
    return code;
}

// How rough the motion at the eighths is for the detector, which compares fourth with second
// differences of its samples, too, and asks for rates where they are not small beside them
// (is_smooth in events/detect.c). 1: as it may be.
static double exact_roughness(const ExactSolver *s)
{
    static const double smoothness = 0.05;
    double largest = 0.0;
    for (int i = 0; i < s->n; i += 2) {
        const bool is_pair = i + 1 < s->n;
        const ExactPair first = exact_pair_or_one(s->y_old + i, is_pair);
        const ExactPair end = exact_pair_or_one(s->y + i, is_pair);
        ExactPair last = exact_pair_or_one(exact_inner(s, 1) + i, is_pair), rise = last - first;
        ExactPair seconds[2] = {{0.0}, {0.0}}, bend = {0.0}, turn = {0.0};
        for (int j = 2; j <= EXACT_CELLS; j++) {
            const ExactPair at =
                j < EXACT_CELLS ? exact_pair_or_one(exact_inner(s, j) + i, is_pair) : end;
            const ExactPair second = at - last - rise;
            bend = exact_pair_larger(bend, exact_pair_size(second));
            if (j > 3)
                turn = exact_pair_larger(turn,
                                         exact_pair_size(seconds[0] - 2.0 * seconds[1] + second));
            rise = at - last;
            last = at;
            seconds[0] = seconds[1];
            seconds[1] = second;
        }
        const ExactPair size = exact_pair_size(first) + exact_pair_size(end);
        const ExactPair part = turn / (smoothness * bend + exact_tolerance * size + DBL_MIN);
        largest = real_larger(largest, part[0]);
        if (is_pair)
            largest = real_larger(largest, part[1]);
    }
    return largest;
}

// The error of a try, and by which factor the next step may be longer. Twice the step has 2^5 times
// the misfit of the quartic, 2^9 times that of the polynomial of degree 8, and is 2^2 times as
// rough.
static double exact_judge(ExactSolver *s, double h, double width, double *factor)
{
    static const double grows_below[] = {1.0 / 48.0, 1.0 / 768.0, 1.0 / 4.0};
    const double shortest = exact_short * s->set->step / exact_first;
    exact_product(s->all, s->set->matrix, s->y_old, s->product);
    const double quartic = exact_misfit(s, EXACT_CELLS / 2, width, exact_quartic_value,
                                        exact_quartic_slope, exact_inner(s, 1));
    *factor = quartic < grows_below[0] ? 4.0 : 2.0;
    if (quartic <= 1.0 || isnan(quartic) || width <= shortest)
        return real_smaller(quartic, 1.0);
    exact_sample_eighths(s, h);
    const double octic =
        exact_misfit(s, EXACT_CELLS, width, exact_octic_value, exact_octic_slope, s->between);
    const double rough = octic > 1.0 ? 0.0 : exact_roughness(s);
    *factor = octic < grows_below[1] && rough < grows_below[2] ? 2.0 : 1.0;
    return real_larger(octic, rough);
}

// A try: its error, and 0, or the code of what failed.
static int exact_try(ExactSolver *s, double h, double t_new, double *error, double *factor)
{
    exact_sample_quarters(s, h, t_new);
    *error = exact_judge(s, h, t_new - s->solver.t_old, factor);
    return *error > 1.0 ? 0 : exact_finish(s, t_new); // NaN: that says what it is
}

// The solver stays where the step began.
static int exact_abandon(ExactSolver *s, int code)
{
    Solver *solver = &s->solver;
    real_copy(s->y, s->y_old, s->all);
    s->has_inner = false;
    real_copy(solver->x, solver->x_old, solver->problem->nx + solver->problem->nz);
    return problem_status(solver->problem, code);
}

// The step to be tried next, after one of h that was tried. taken: the same, but for a step that
// ended earlier because of a limit. (Not how far the time went, which may be rounded to less.)
static void exact_choose(ExactSolver *s, double h, double taken, double factor)
{
    if (h < s->step)
        s->step = h;
    if (taken >= 0.99 * s->step) {
        s->step = exact_round(s, factor * s->step);
        if (s->is_first)
            s->set->begin = s->step;
    }
    s->is_first = false;
    s->step = real_smaller(s->step, exact_longest(s));
    s->solver.step_next = s->step;
}

// The step is made. steps: what it counts for the errors of the signals.
static void exact_arrive(ExactSolver *s, double t_new, int steps)
{
    SaltusStatistics *statistics = s->solver.problem->statistics;
    s->solver.t = t_new;
    statistics->steps++;
    statistics->exact_steps++;
    s->since += steps;
    if (s->since >= SYNCHRONISED && s->all > s->n && exact_signals(s, t_new))
        for (int i = s->n; i < s->all; i++)
            s->y[i] = s->start[i - s->n] / s->set->scale[i];
}

// A step that nobody looks into is as long as it may be. What it takes is worth no matrix that
// others do not need.
static int exact_step_over(ExactSolver *s, double h, double t_limit)
{
    Solver *solver = &s->solver;
    const double t = solver->t, t_new = t + 1.01 * h >= t_limit ? t_limit : t + h;
    s->has_inner = false;
    if (!(t_new > t)) {
        problem_fail(solver->problem, 1, SALTUS_ERROR_STEP_SIZE, "the step", NULL, t);
        return exact_abandon(s, SALTUS_ERROR_STEP_SIZE);
    }
    exact_propagate_by(s, t_new - t, EXACT_LEAST_LEVEL, EXACT_TERMS, s->y);
    const int code = exact_finish(s, t_new);
    if (code != 0)
        return exact_abandon(s, code);
    exact_arrive(s, t_new, SYNCHRONISED);
    return 0;
}

static int exact_step(Solver *solver, double t_limit)
{
    ExactSolver *s = exact_self(solver);
    Problem *problem = solver->problem;
    solver_begin_step(solver);
    real_copy(s->y_old, s->y, s->all);
    const double t = solver->t, longest = exact_longest(s);
    double h = real_smaller(s->step, longest), t_new, taken, error, factor;
    if (problem->is_unwatched)
        return exact_step_over(s, longest, t_limit);
    if (solver->method.max_step > 0.0)
        h = real_smaller(h, solver->method.max_step);
    for (;;) {
        const bool is_last = t + 1.01 * h >= t_limit;
        t_new = is_last ? t_limit : t + h;
        if (!(t_new > t)) {
            problem_fail(problem, 1, SALTUS_ERROR_STEP_SIZE, "the step", NULL, t);
            return exact_abandon(s, SALTUS_ERROR_STEP_SIZE);
        }
        taken = is_last ? t_limit - t : h;
        const int code = exact_try(s, taken, t_new, &error, &factor);
        const bool is_least = !(t + 0.25 * (t_new - t) > t);
        if (code < 0 || (code > 0 && is_least))
            return exact_abandon(s, code);
        if (code == 0 && error <= 1.0)
            break;
        problem->statistics->rejected_steps++;
        h = exact_round(s, (error > 1e3 || code > 0 ? 0.25 : 0.5) * (t_new - t));
    }
    exact_choose(s, h, taken, factor);
    exact_arrive(s, t_new, 1);
    return 0;
}

// The detector asks for the ends of the cells of whole steps.
static int exact_sample(Solver *solver, int count, const double *times, double *x)
{
    ExactSolver *s = exact_self(solver);
    const int apart = EXACT_CELLS / solver->cells;
    for (int j = 1; j <= count; j++, x += s->n) {
        if (j < solver->cells && exact_is_inner(s, j * apart, times[j - 1]))
            exact_read(s, exact_inner(s, j * apart), x);
        else
            exact_at(s, times[j - 1], x);
    }
    return 0;
}

static int exact_interpolate(Solver *solver, double t, double *x, double *z)
{
    Problem *problem = solver->problem;
    if (solver_at_end(solver, t, x, z))
        return 0;
    exact_at(exact_self(solver), t, x);
    if (!z || problem->nz == 0)
        return 0;
    const double theta = (t - solver->t_old) / (solver->t - solver->t_old);
    for (int i = 0; i < problem->nz; i++)
        z[i] = solver->z_old[i] + theta * (solver->z[i] - solver->z_old[i]);
    return problem_status(problem, problem_algebraics(problem, t, x, z));
}

static int exact_closing_step(Solver *solver, double t, double *x, double *z)
{
    solver->problem->statistics->closing_steps++;
    return exact_interpolate(solver, t, x, z);
}

static int exact_state_changed(Solver *solver)
{
    ExactSolver *s = exact_self(solver);
    for (int i = 0; i < s->n; i++)
        s->y[i] = solver->x[i] / s->set->scale[i];
    return 0;
}

const SolverKind solver_EXACT = {
    .id = SALTUS_SOLVER_EXACT,
    .order = 8,
    .dense_order = EXACT_CELLS - 1,
    .traits = SOLVER_ONE_STEP,
    .create = exact_create,
    .destroy = exact_destroy,
    .reset = exact_reset,
    .step = exact_step,
    .interpolate = exact_interpolate,
    .sample = exact_sample,
    .closing_step = exact_closing_step,
    .state_changed = exact_state_changed,
    .copy = exact_copy,
    .carry = exact_carry,
};
