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
// are as long as the motion is well described by five samples, so that events are detected as
// safely as with other solvers: the quartic through the samples must agree with the solution
// between them, and with its derivative at the beginning, within the tolerance (but there is no use
// in less than 1e-6).
//
// Matrices are kept for the coefficients met last, so that a diode that switches on and off
// finds them again.
//
// What holds between calls: y belongs to t, y_old to t_old, `quarters` to t_old + j (t - t_old)
// / 4. All of them are in units of set->scale.

#include "solvers/exact.h"

#include "base/memory.h"
#include "solvers/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

// States and signals: up to so many it can be done, and up to so many auto does it. (A step takes
// ten products with a full matrix, an explicit method six evaluations of sparse equations: chains
// of masses and springs take as long with dopri5 from 12 on.)
enum { EXACT_MOST = 200, EXACT_PAYS = 12 };

// Matrices of a mode: for different coefficients, and for different times. |M| h = 1/64.
enum { SETS = 4, LEVELS = 28 };
static const double first_norm = 0.015625;

// Steps with |M| s below this are always short enough to be told by five samples.
static const double short_norm = 0.5;
// After an event, when the fast motions may begin anew, steps begin with |M| s at most this. (A
// step that turns out to be too long costs little.)
static const double restart_norm = 64.0;

// The quartic must be so near to the solution, relative to the states.
static const double least_tolerance = 1e-6, least_absolute = 1e-9;

// Terms of the power series: for |M| s = 1/64 seven are enough, for 1/2 sixteen.
enum { TERMS = 12, MATRIX_TERMS = 18 };

// Signals are computed anew from the time after so many steps.
enum { SYNCHRONISED = 64 };

typedef struct ExactSet {
    double *coefficients;
    double *scale;  // y in units of these, powers of two
    double *matrix; // M, column by column
    double *levels; // E(h), E(2 h), ...
    int made;       // of them
    double norm;    // |M|
    double step;    // h
    long used;      // when
} ExactSet;

typedef struct ExactSolver {
    Solver solver;
    const SaltusLinear *linear;
    int n, all; // states; with signals
    ExactSet sets[SETS];
    int set_count;
    ExactSet *set; // in use
    long uses;
    int since;                 // steps since the signals were computed
    double step;               // to try next
    double *coefficients;      // now
    double *y, *y_old;         // all
    double *quarters, *eighth; // 3 all, all
    double *start;             // all, of signals and while a matrix is made
    double *term, *product;    // all
    double quarter;            // of the last step
    bool has_quarters;
    bool is_starved; // there was no memory for a matrix
} ExactSolver;

static ExactSolver *exact_self(Solver *solver)
{
    return (ExactSolver *)solver;
}

bool exact_is_possible(const Problem *problem)
{
    const SaltusLinear *linear = problem->mode->linear;
    return linear && !problem->no_matrix && problem->form == PROBLEM_ODE && problem->nx > 0 &&
           !problem->mode->project && problem->nx + linear->signal_count <= EXACT_MOST;
}

bool exact_pays(const Problem *problem)
{
    return exact_is_possible(problem) &&
           problem->nx + problem->mode->linear->signal_count <= EXACT_PAYS;
}

// ---------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------

#define EXACT_INLINE static inline __attribute__((always_inline))

// Systems up to this size have code of their own, in which the compiler knows the size.
enum { EXACT_FIXED = 8 };

#define EXACT_BY_SIZE(n, call)                                                                     \
    switch (n) {                                                                                   \
    case 1:                                                                                        \
        call(1);                                                                                   \
        return;                                                                                    \
    case 2:                                                                                        \
        call(2);                                                                                   \
        return;                                                                                    \
    case 3:                                                                                        \
        call(3);                                                                                   \
        return;                                                                                    \
    case 4:                                                                                        \
        call(4);                                                                                   \
        return;                                                                                    \
    case 5:                                                                                        \
        call(5);                                                                                   \
        return;                                                                                    \
    case 6:                                                                                        \
        call(6);                                                                                   \
        return;                                                                                    \
    case 7:                                                                                        \
        call(7);                                                                                   \
        return;                                                                                    \
    case EXACT_FIXED:                                                                              \
        call(EXACT_FIXED);                                                                         \
        return;                                                                                    \
    default:                                                                                       \
        call(n);                                                                                   \
    }

// Two components at once: each of them is computed as it would be alone.
typedef double ExactPair __attribute__((vector_size(2 * sizeof(double))));

EXACT_INLINE ExactPair exact_pair(const double *from)
{
    ExactPair pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

// to = m y
EXACT_INLINE void exact_multiply(int n, const double *restrict m, const double *restrict y,
                                 double *restrict to)
{
    if (n <= EXACT_FIXED) {
        for (int i = 0; i + 1 < n; i += 2) {
            ExactPair sum = exact_pair(m + i) * y[0];
            for (int j = 1; j < n; j++)
                sum += exact_pair(m + j * n + i) * y[j];
            memcpy(to + i, &sum, sizeof sum);
        }
        if (n % 2) {
            to[n - 1] = m[n - 1] * y[0];
            for (int j = 1; j < n; j++)
                to[n - 1] += m[j * n + n - 1] * y[j];
        }
        return;
    }
    for (int i = 0; i < n; i++)
        to[i] = m[i] * y[0];
    for (int j = 1; j < n; j++) {
        const double part = y[j];
        m += n;
        for (int i = 0; i < n; i++)
            to[i] += m[i] * part;
    }
}

static void exact_product(int n, const double *m, const double *y, double *to)
{
#define EXACT_CALL(size) exact_multiply(size, m, y, to)
    EXACT_BY_SIZE(n, EXACT_CALL)
#undef EXACT_CALL
}

// The sums of the absolute values of row and column i, without the diagonal.
static void exact_sums(int n, const double *m, int i, double *row, double *column)
{
    *row = *column = 0.0;
    for (int j = 0; j < n; j++)
        if (j != i) {
            *row += fabs(m[(size_t)j * (size_t)n + (size_t)i]);
            *column += fabs(m[(size_t)i * (size_t)n + (size_t)j]);
        }
}

// Scales rows and columns by powers of two until they are about equally large: m = D^-1 m D.
static void exact_balance(int n, double *m, double *scale)
{
    enum { MOST_SWEEPS = 20, FURTHEST = 100 };
    for (int i = 0; i < n; i++)
        scale[i] = 1.0;
    bool is_done = false;
    for (int sweep = 0; sweep < MOST_SWEEPS && !is_done; sweep++) {
        is_done = true;
        for (int i = 0; i < n; i++) {
            double row, column;
            exact_sums(n, m, i, &row, &column);
            if (row == 0.0 || column == 0.0)
                continue;
            const int power = (int)lrint(0.5 * log2(row / column));
            const double factor = ldexp(1.0, power);
            if (power == 0 || fabs(log2(scale[i]) + power) > FURTHEST ||
                row / factor + column * factor > 0.95 * (row + column))
                continue;
            is_done = false;
            scale[i] *= factor;
            for (int j = 0; j < n; j++) {
                m[(size_t)j * (size_t)n + (size_t)i] /= factor;
                m[(size_t)i * (size_t)n + (size_t)j] *= factor;
            }
        }
    }
}

static double exact_norm(int n, const double *m)
{
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += fabs(m[(size_t)j * (size_t)n + (size_t)i]);
        if (isnan(sum))
            return NAN;
        largest = real_larger(largest, sum);
    }
    return largest;
}

// E of a short time, column by column: the power series applied to the unit vectors.
static void exact_expand(ExactSolver *s, const ExactSet *set, double time, double *e)
{
    const int n = s->all;
    for (int j = 0; j < n; j++, e += n) {
        for (int i = 0; i < n; i++) {
            s->term[i] = i == j ? 1.0 : 0.0;
            e[i] = 0.0;
        }
        bool is_over = false; // powers of M are zero from here on
        for (int k = 1; k <= MATRIX_TERMS && !is_over; k++) {
            exact_product(n, set->matrix, s->term, s->product);
            is_over = true;
            for (int i = 0; i < n; i++) {
                s->term[i] = s->product[i] * (time / k);
                e[i] += s->term[i];
                is_over = is_over && s->term[i] == 0.0;
            }
        }
    }
}

// E(2 s) = 2 E(s) + E(s)^2
static void exact_square(const ExactSolver *s, const double *last, double *next)
{
    const size_t n = (size_t)s->all;
    for (size_t j = 0; j < n; j++) {
        exact_product(s->all, last, last + j * n, next + j * n);
        for (size_t i = 0; i < n; i++)
            next[j * n + i] += 2.0 * last[j * n + i];
    }
}

static double exact_width(const ExactSet *set, int level)
{
    return set->step * (double)(1 << level);
}

static const double *exact_level(ExactSolver *s, ExactSet *set, int level)
{
    const size_t size = (size_t)s->all * (size_t)s->all;
    for (; set->made <= level; set->made++) {
        double *next = set->levels + (size_t)set->made * size;
        const double width = exact_width(set, set->made);
        if (width * set->norm <= short_norm)
            exact_expand(s, set, width, next);
        else
            exact_square(s, next - size, next);
    }
    return set->levels + (size_t)level * size;
}

// ---------------------------------------------------------------------------
// The solution
// ---------------------------------------------------------------------------

// y += (exp(s M) - 1) y by the power series, for a short time, which may be what rounding leaves of
// a longer one. However short it is, terms count as long as they are not small beside each
// component for itself: of a ball that bounces at a height of 1e-18 both velocity and weight do.
// term, product: room for n.
EXACT_INLINE void exact_expand_at(int n, const double *m, double time, double *y, double *term,
                                  double *product)
{
    for (int i = 0; i < n; i++)
        term[i] = y[i];
    for (int k = 1; k <= TERMS; k++) {
        exact_multiply(n, m, term, product);
        const double factor = time / k;
        bool is_small = true;
        for (int i = 0; i < n; i++) {
            term[i] = product[i] * factor;
            y[i] += term[i];
            is_small = is_small && fabs(term[i]) <= 0.01 * DBL_EPSILON * fabs(y[i]);
        }
        if (is_small)
            return;
    }
}

static void exact_series(ExactSolver *s, double time, double *y)
{
    const double *m = s->set->matrix;
    double term[EXACT_FIXED], product[EXACT_FIXED];
    if (time == 0.0)
        return;
#define EXACT_CALL(size)                                                                           \
    exact_expand_at(size, m, time, y, size <= EXACT_FIXED ? term : s->term,                        \
                    size <= EXACT_FIXED ? product : s->product)
    EXACT_BY_SIZE(s->all, EXACT_CALL)
#undef EXACT_CALL
}

EXACT_INLINE void exact_leap_by(int n, const double *e, const double *y, double *to,
                                double *product)
{
    exact_multiply(n, e, y, product);
    for (int i = 0; i < n; i++)
        to[i] = y[i] + product[i];
}

// y the time of a level later.
static void exact_leap(ExactSolver *s, int level, const double *y, double *to)
{
    const double *e = exact_level(s, s->set, level);
    double product[EXACT_FIXED];
#define EXACT_CALL(size) exact_leap_by(size, e, y, to, size <= EXACT_FIXED ? product : s->product)
    EXACT_BY_SIZE(s->all, EXACT_CALL)
#undef EXACT_CALL
}

// y a time later.
static void exact_propagate(ExactSolver *s, double time, double *y)
{
    // A little less than a level, by rounding of the time, is that level and a little back.
    static const double nearly = 1.0 - 1e-10;
    const ExactSet *set = s->set;
    int level = -1;
    while (level < LEVELS - 1 && time >= nearly * exact_width(set, level + 1))
        level++;
    while (level >= 0) {
        const double width = exact_width(set, level);
        if (time < nearly * width) {
            level--;
            continue;
        }
        exact_leap(s, level, y, y);
        time -= width;
    }
    exact_series(s, time, y);
}

static void exact_read(const ExactSolver *s, const double *y, double *x)
{
    for (int i = 0; i < s->n; i++)
        x[i] = y[i] * s->set->scale[i];
}

// x at a time of the last step.
static void exact_at(ExactSolver *s, double t, double *x)
{
    const double time = t - s->solver.t_old;
    int quarter = 0;
    while (s->has_quarters && quarter < 3 && s->quarter * (quarter + 1) <= time)
        quarter++;
    const double *from = quarter ? s->quarters + (quarter - 1) * s->all : s->y_old;
    real_copy(s->start, from, s->all);
    exact_propagate(s, time - s->quarter * quarter, s->start);
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
    const SaltusLinear *linear = problem->mode->linear;
    const size_t coefficients = (size_t)linear->coefficient_count;
    const size_t all = (size_t)problem->nx + (size_t)linear->signal_count;
    double *block = NULL;
    Solver *solver = solver_allocate(&solver_EXACT, problem, method, sizeof(ExactSolver),
                                     coefficients + 9 * all, &block);
    if (!solver)
        return NULL;
    ExactSolver *s = exact_self(solver);
    s->linear = linear;
    s->n = problem->nx;
    s->all = (int)all;
    s->y = block;
    s->y_old = s->y + all;
    s->quarters = s->y_old + all;
    s->eighth = s->quarters + 3 * all;
    s->start = s->eighth + all;
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
    set->coefficients =
        memory_resize(s->solver.problem->allocator, NULL,
                      coefficients + all + (LEVELS + 1) * all * all, sizeof *set->coefficients);
    s->is_starved |= !set->coefficients;
    if (!set->coefficients)
        return NULL;
    set->scale = set->coefficients + coefficients;
    set->matrix = set->scale + all;
    set->levels = set->matrix + all * all;
    s->set_count++;
    return set;
}

// The matrix of the present coefficients; false: there is none, or its numbers are not finite.
static bool exact_fill(ExactSolver *s, ExactSet *set)
{
    const size_t all = (size_t)s->all;
    memset(set->matrix, 0, all * all * sizeof(double));
    set->made = 0;
    set->used = -1; // not found unless all is well
    const int code = s->linear->matrix(s->solver.problem->context, s->coefficients, set->matrix);
    s->is_starved |= code == SALTUS_ERROR_MEMORY;
    if (code != 0 || !isfinite(exact_norm(s->all, set->matrix)))
        return false;
    exact_balance(s->all, set->matrix, set->scale);
    set->norm = exact_norm(s->all, set->matrix);
    set->step = first_norm / real_larger(set->norm, 1e-9);
    if (!(set->step > 1e-200))
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
    s->has_quarters = false;
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
    const double most = restart_norm * s->set->step / first_norm;
    if (step == 0.0 && solver->method.step > 0.0)
        step = solver->method.step;
    s->step = step > 0.0 && step < most ? step : most;
    s->step = exact_round(s, s->step);
    solver->step_next = s->step;
    return 0;
}

static int exact_copy(Solver *to, const Solver *from)
{
    ExactSolver *s = exact_self(to);
    const ExactSolver *source = (const ExactSolver *)from;
    solver_copy_common(to, from);
    real_copy(s->coefficients, source->set->coefficients, s->linear->coefficient_count);
    if (!exact_use(s))
        return SALTUS_ERROR_MEMORY;
    real_copy(s->y, source->y, s->all);
    real_copy(s->y_old, source->y_old, s->all);
    real_copy(s->quarters, source->quarters, 3 * s->all);
    s->quarter = source->quarter;
    s->has_quarters = source->has_quarters;
    s->since = source->since;
    s->step = source->step;
    return 0;
}

static bool exact_carry(Solver *solver, Carrier *c)
{
    ExactSolver *s = exact_self(solver);
    solver_carry_common(solver, c);
    if (!c->is_reading)
        real_copy(s->coefficients, s->set->coefficients, s->linear->coefficient_count);
    carry_reals(c, s->coefficients, s->linear->coefficient_count);
    if (c->has_failed || (c->is_reading && !exact_use(s)))
        return false;
    carry_reals(c, s->y, s->all);
    carry_reals(c, s->y_old, s->all);
    carry_reals(c, s->quarters, 3 * s->all);
    CARRY(c, s->quarter);
    CARRY(c, s->has_quarters);
    CARRY(c, s->since);
    CARRY(c, s->step);
    return true;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

// The level of a step that is as long as one, and has levels for its eighths; -1: it is not.
static int exact_find_level(const ExactSolver *s, double h)
{
    for (int level = 3; level < LEVELS && exact_width(s->set, level) <= h; level++)
        if (exact_width(s->set, level) == h)
            return level;
    return -1;
}

// The solution at an eighth and the quarters of a step, and at its end. h: how long it was to be,
// before the time of its end was rounded.
static void exact_sample_step(ExactSolver *s, double h, double t_new)
{
    const int all = s->all, level = exact_find_level(s, h);
    const double width = t_new - s->solver.t_old;
    double *q = s->quarters;
    s->has_quarters = true;
    s->quarter = 0.25 * (level >= 0 ? h : width);
    if (level >= 0) {
        exact_leap(s, level - 3, s->y_old, s->eighth);
        exact_leap(s, level - 3, s->eighth, q);
        exact_leap(s, level - 2, q, q + all);
        exact_leap(s, level - 2, q + all, q + 2 * all);
        exact_leap(s, level, s->y_old, s->y);
        exact_series(s, width - h, s->y);
        return;
    }
    real_copy(s->eighth, s->y_old, all);
    exact_propagate(s, 0.5 * s->quarter, s->eighth);
    real_copy(q, s->eighth, all);
    exact_propagate(s, 0.5 * s->quarter, q);
    for (int j = 1; j < 4; j++) {
        double *next = j < 3 ? q + j * all : s->y;
        real_copy(next, q + (j - 1) * all, all);
        exact_propagate(s, s->quarter, next);
    }
}

// How far the quartic through the five samples is from the solution at an eighth of the step, and
// from its derivative at the beginning, times 1/32 of the step: in units of what is allowed.
// Both by Lagrange's formula.
static double exact_error(ExactSolver *s, double h)
{
    static const double at_eighth[5] = {35.0 / 128, 140.0 / 128, -70.0 / 128, 28.0 / 128,
                                        -5.0 / 128};
    static const double slope[5] = {-25.0 / 3, 16.0, -12.0, 16.0 / 3, -1.0}; // times h
    const Problem *problem = s->solver.problem;
    const double *nominal = problem->mode->nominal, *q = s->quarters;
    const double relative = real_larger(problem->relative, least_tolerance);
    double largest = 0.0;
    exact_product(s->all, s->set->matrix, s->y_old, s->product);
    for (int i = 0; i < s->n; i++) {
        const double y[5] = {s->y_old[i], q[i], q[s->all + i], q[2 * s->all + i], s->y[i]};
        double value = 0.0, rise = 0.0, size = fabs(s->eighth[i]);
        for (int j = 0; j < 5; j++) {
            value += at_eighth[j] * y[j];
            rise += slope[j] * y[j];
            size = real_larger(size, fabs(y[j]));
        }
        const double off = fabs(value - s->eighth[i]);
        const double off_slope = 0.03125 * fabs(rise - h * s->product[i]);
        const double absolute = real_larger(problem->absolute[i], least_absolute * nominal[i]);
        const double allowed = absolute + relative * size * s->set->scale[i];
        const double part = real_larger(off, off_slope) * s->set->scale[i] / allowed;
        if (isnan(part))
            return NAN;
        largest = real_larger(largest, part);
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

// A try: its error, and 0, or the code of what failed.
static int exact_try(ExactSolver *s, double h, double t_new, double *error)
{
    const double t = s->solver.t_old, shortest = short_norm * s->set->step / first_norm;
    exact_sample_step(s, h, t_new);
    *error = exact_error(s, t_new - t);
    if (*error > 1.0 && t_new - t <= shortest)
        *error = 1.0;
    return *error > 1.0 ? 0 : exact_finish(s, t_new); // NaN: that says what it is
}

// The solver stays where the step began.
static int exact_abandon(ExactSolver *s, int code)
{
    Solver *solver = &s->solver;
    real_copy(s->y, s->y_old, s->all);
    s->has_quarters = false;
    real_copy(solver->x, solver->x_old, solver->problem->nx + solver->problem->nz);
    return problem_status(solver->problem, code);
}

// The step to be tried next, after one of h that was tried. taken: the same, but for a step that
// ended earlier because of a limit. (Not how far the time went, which may be rounded to less.)
static void exact_choose(ExactSolver *s, double h, double taken, double error)
{
    static const double grows_below = 1.0 / 48.0; // twice the step has 32 times the error
    const double factor = error < grows_below / 32.0 ? 4.0 : error < grows_below ? 2.0 : 1.0;
    if (h < s->step)
        s->step = h;
    if (taken >= 0.99 * s->step)
        s->step = exact_round(s, factor * s->step);
    s->step = real_smaller(s->step, exact_longest(s));
    s->solver.step_next = s->step;
}

static int exact_step(Solver *solver, double t_limit)
{
    ExactSolver *s = exact_self(solver);
    Problem *problem = solver->problem;
    solver_begin_step(solver);
    real_copy(s->y_old, s->y, s->all);
    const double t = solver->t, longest = exact_longest(s);
    double h = real_smaller(s->step, longest), t_new, taken, error;
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
        const int code = exact_try(s, taken, t_new, &error);
        const bool is_least = !(t + 0.25 * (t_new - t) > t);
        if (code < 0 || (code > 0 && is_least))
            return exact_abandon(s, code);
        if (code == 0 && error <= 1.0)
            break;
        problem->statistics->rejected_steps++;
        h = exact_round(s, (error > 1e3 || code > 0 ? 0.25 : 0.5) * (t_new - t));
    }
    solver->t = t_new;
    problem->statistics->steps++;
    problem->statistics->exact_steps++;
    exact_choose(s, h, taken, error);
    if (++s->since >= SYNCHRONISED && s->all > s->n && exact_signals(s, t_new))
        for (int i = s->n; i < s->all; i++)
            s->y[i] = s->start[i - s->n] / s->set->scale[i];
    return 0;
}

// The detector asks for the quarters of whole steps.
static int exact_sample(Solver *solver, int count, const double *times, double *x)
{
    ExactSolver *s = exact_self(solver);
    const double width = solver->t - solver->t_old;
    for (int j = 0; j < count; j++, x += s->n) {
        if (s->has_quarters && j < 3 && times[j] == solver->t_old + width * ((j + 1) * 0.25))
            exact_read(s, s->quarters + j * s->all, x);
        else
            exact_at(s, times[j], x);
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
    .order = 4,
    .dense_order = 4,
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
