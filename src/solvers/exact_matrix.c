// SPDX-License-Identifier: MIT

#include "solvers/exact_matrix.h"

#include "base/real.h"

#include <float.h>
#include <math.h>

void exact_product(int n, const double *m, const double *y, double *to)
{
#define EXACT_CALL(size) exact_multiply(size, m, y, to, false)
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

// No scale is further from 1 than 2 to this.
enum { FURTHEST = 100 };

// Component i in units that are larger by the factor.
static void exact_rescale(int n, double *m, double *scale, int i, double factor)
{
    scale[i] *= factor;
    for (int j = 0; j < n; j++) {
        m[(size_t)j * (size_t)n + (size_t)i] /= factor;
        m[(size_t)i * (size_t)n + (size_t)j] *= factor;
    }
}

// Scales rows and columns by powers of two until they are about equally large (Parlett, Reinsch,
// Numer. Math. 13, 1969): m = D^-1 m D.
static void exact_balance(int n, double *m, double *scale)
{
    enum { MOST_SWEEPS = 20 };
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
            exact_rescale(n, m, scale, i, factor);
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

// Takes away, again and again, components that no other one depends on, or that depend on no other
// one: taken[i] becomes k for the k-th of them, from 1, negative if others depend on it; 0 for
// those on cycles or between them. `counts` has room for 2 n. How many were taken.
static int exact_take_away(int n, const double *m, double *taken, double *counts)
{
    double *rows = counts, *columns = counts + n;
    for (int i = 0; i < n; i++)
        taken[i] = rows[i] = columns[i] = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (i != j && m[(size_t)j * (size_t)n + (size_t)i] != 0.0) {
                rows[i]++;
                columns[j]++;
            }
    int count = 0;
    for (int before = -1; before < count;) {
        before = count;
        for (int i = 0; i < n; i++) {
            if (taken[i] != 0.0 || (rows[i] > 0.0 && columns[i] > 0.0))
                continue;
            count++;
            taken[i] = columns[i] > 0.0 ? -count : count;
            for (int j = 0; j < n; j++) {
                rows[j] -= m[(size_t)i * (size_t)n + (size_t)j] != 0.0;
                columns[j] -= m[(size_t)j * (size_t)n + (size_t)i] != 0.0;
            }
        }
    }
    return count;
}

// The energy of a power of 1e9 W changes by 1e9 J in a second, which says nothing about how fast
// anything moves. Components on no cycle may be in any units: they are taken so large (small) that
// what they depend on (what depends on them) has coefficients no larger than those of the cycles.
static void exact_quieten(ExactSet *set)
{
    // What is usual, such as gravity, stays as it is.
    static const double usual = 16.0;
    const int n = set->n;
    double *m = set->matrix, *taken = set->making;
    const int count = exact_take_away(n, m, taken, set->levels);
    double most = usual;
    for (int j = 0; j < n; j++) {
        double sum = fabs(m[(size_t)j * (size_t)n + (size_t)j]);
        for (int i = 0; i < n; i++)
            if (i != j && taken[i] == 0.0 && taken[j] == 0.0)
                sum += fabs(m[(size_t)j * (size_t)n + (size_t)i]);
        most = real_larger(most, sum);
    }
    // those next to the cycles first: the others' coefficients grow by what is done to them
    for (int k = count; k > 0; k--) {
        int i = 0;
        while (fabs(taken[i]) != k)
            i++;
        double row, column;
        exact_sums(n, m, i, &row, &column);
        const double power = ceil(log2((taken[i] > 0.0 ? row : column) / most)); // of 0: -inf
        if (power > 0.0 && power <= FURTHEST)
            exact_rescale(n, m, set->scale, i,
                          ldexp(1.0, taken[i] > 0.0 ? (int)power : -(int)power));
    }
}

// E of a short time, column by column: the power series applied to the unit vectors, up to terms
// that are nothing beside each component for itself.
static void exact_expand(const ExactSet *set, double time, double *e)
{
    const int n = set->n;
    double *term = set->making, *product = term + n;
    for (int j = 0; j < n; j++, e += n) {
        for (int i = 0; i < n; i++) {
            term[i] = i == j ? 1.0 : 0.0;
            e[i] = 0.0;
        }
        bool is_over = false;
        for (int k = 1; k <= EXACT_TERMS && !is_over; k++) {
            exact_product(n, set->matrix, term, product);
            is_over = true;
            for (int i = 0; i < n; i++) {
                term[i] = product[i] * (time / k);
                e[i] += term[i];
                is_over = is_over && fabs(term[i]) <= 0.01 * DBL_EPSILON * fabs(e[i]);
            }
        }
    }
}

// E(2 s) = 2 E(s) + E(s)^2
static void exact_square(const ExactSet *set, const double *last, double *next)
{
    const size_t n = (size_t)set->n;
    for (size_t j = 0; j < n; j++) {
        exact_product(set->n, last, last + j * n, next + j * n);
        for (size_t i = 0; i < n; i++)
            next[j * n + i] += 2.0 * last[j * n + i];
    }
}

// Up to there, E is made from its power series, from there on from the level below it.
static bool exact_is_short(const ExactSet *set, int level)
{
    return exact_width(set, level) * set->norm <= exact_short;
}

void exact_make_level(ExactSet *set, int level)
{
    const size_t size = (size_t)set->n * (size_t)set->n;
    int from = level;
    while (from > 0 && !exact_is_short(set, from) && !(set->made >> from & 1u))
        from--;
    for (; from <= level; from++) {
        double *next = set->levels + (size_t)from * size;
        if (set->made >> from & 1u)
            continue;
        if (exact_is_short(set, from))
            exact_expand(set, exact_width(set, from), next);
        else
            exact_square(set, next - size, next);
        set->made |= UINT32_C(1) << from;
    }
}

bool exact_prepare(ExactSet *set)
{
    set->made = 0;
    if (!isfinite(exact_norm(set->n, set->matrix)))
        return false;
    exact_balance(set->n, set->matrix, set->scale);
    exact_quieten(set);
    set->norm = exact_norm(set->n, set->matrix);
    set->step = exact_first / real_larger(set->norm, 1e-9);
    return set->step > 1e-200;
}
