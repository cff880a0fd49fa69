// SPDX-License-Identifier: MIT

#include "numerics/lemke.h"

#include <math.h>
#include <stdlib.h>

// What is smaller than this part of the largest number in its row is rounding.
static const double lemke_negligible = 1e-11;

// The tableau of w - M z - d z0 = q: columns of w, of z, of z0, and the right-hand side.
typedef struct Lemke {
    int n, width;
    double *a;    // row by row
    int *basis;   // by row: the column that is basic there
    double *size; // by row, the largest number when it was last looked at
} Lemke;

static double *lemke_row(const Lemke *t, int row)
{
    return t->a + (size_t)row * (size_t)t->width;
}

// Each pair is scaled so that the diagonal of M is 1, where it is positive: volts and amperes.
static double lemke_scale(const double *m, int n, int i)
{
    const double diagonal = m[(size_t)i * (size_t)n + (size_t)i];
    return diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
}

static void lemke_fill(Lemke *t, const double *m, const double *q)
{
    const int n = t->n;
    for (int i = 0; i < n; i++) {
        double *row = lemke_row(t, i);
        const double scale = lemke_scale(m, n, i);
        row[i] = 1.0;
        for (int j = 0; j < n; j++)
            row[n + j] = -scale * lemke_scale(m, n, j) * m[(size_t)i * (size_t)n + (size_t)j];
        row[2 * n] = -1.0;
        row[2 * n + 1] = scale * q[i];
        t->basis[i] = i;
    }
}

static void lemke_pivot(Lemke *t, int row, int column)
{
    double *pivot = lemke_row(t, row);
    const double inverse = 1.0 / pivot[column];
    for (int j = 0; j < t->width; j++)
        pivot[j] *= inverse;
    pivot[column] = 1.0;
    for (int i = 0; i < t->n; i++) {
        double *other = lemke_row(t, i);
        const double factor = other[column];
        if (i == row || factor == 0.0)
            continue;
        for (int j = 0; j < t->width; j++)
            other[j] -= factor * pivot[j];
        other[column] = 0.0;
    }
    t->basis[row] = column;
}

static double lemke_size(const Lemke *t, int row)
{
    const double *a = lemke_row(t, row);
    double size = 0.0;
    for (int j = 0; j < 2 * t->n; j++)
        size = fmax(size, fabs(a[j]));
    return size;
}

// Whether row i, divided by its element of the column, comes before row k: the right-hand side
// first, then the inverse of the basis, which stands in the columns of w. No two rows of an
// inverse are in proportion, so that there are no ties but for rounding.
static bool lemke_is_before(const Lemke *t, int i, int k, int column)
{
    const double *a = lemke_row(t, i), *b = lemke_row(t, k);
    for (int j = -1; j < t->n; j++) {
        const int at = j < 0 ? 2 * t->n + 1 : j;
        const double x = a[at] / a[column], y = b[at] / b[column];
        if (fabs(x - y) > lemke_negligible * fmax(1.0, fmax(fabs(x), fabs(y))))
            return x < y;
    }
    return false;
}

// The row whose basic variable is the first to become zero if this column's grows; -1: none does.
// If z0 is among the first, it leaves: that is the end.
static int lemke_leaving(const Lemke *t, int column)
{
    int first = -1;
    for (int i = 0; i < t->n; i++) {
        if (lemke_row(t, i)[column] <= lemke_negligible * t->size[i])
            continue;
        if (first < 0 || lemke_is_before(t, i, first, column))
            first = i;
    }
    for (int i = 0; i < t->n && first >= 0; i++) {
        const double *a = lemke_row(t, i), *b = lemke_row(t, first);
        const int right = 2 * t->n + 1;
        if (t->basis[i] == 2 * t->n && a[column] > lemke_negligible * t->size[i] &&
            a[right] / a[column] <= b[right] / b[column] + lemke_negligible)
            first = i;
    }
    return first;
}

// z0 enters for what is most negative; all is feasible then. False: nothing is negative.
static bool lemke_begin(Lemke *t, int *entering)
{
    int worst = -1;
    for (int i = 0; i < t->n; i++) {
        const double q = lemke_row(t, i)[2 * t->n + 1];
        // (The last of equal ones: with it the other rows are lexicographically positive.)
        if (q < 0.0 && (worst < 0 || q <= lemke_row(t, worst)[2 * t->n + 1]))
            worst = i;
    }
    if (worst < 0)
        return false;
    lemke_pivot(t, worst, 2 * t->n);
    *entering = t->n + worst; // the complement of the w that has left
    return true;
}

static LemkeVerdict lemke_run(Lemke *t, int *pivots)
{
    const int most = 100 + 20 * t->n;
    int entering = 0;
    if (!lemke_begin(t, &entering))
        return LEMKE_FOUND;
    for (*pivots = 1; *pivots < most; ++*pivots) {
        for (int i = 0; i < t->n; i++)
            t->size[i] = lemke_size(t, i);
        const int row = lemke_leaving(t, entering);
        if (row < 0)
            return LEMKE_RAY;
        const int left = t->basis[row];
        lemke_pivot(t, row, entering);
        if (left == 2 * t->n)
            return LEMKE_FOUND;
        entering = left < t->n ? left + t->n : left - t->n;
    }
    return LEMKE_PIVOTS;
}

LemkeVerdict lemke_solve(int n, const double *m, const double *q, bool *is_turned, int *pivots)
{
    Lemke t = {.n = n, .width = 2 * n + 2};
    t.a = calloc((size_t)n * (size_t)t.width + (size_t)n + 1u, sizeof *t.a);
    t.basis = calloc((size_t)n + 1u, sizeof *t.basis);
    *pivots = 0;
    LemkeVerdict verdict = LEMKE_NO_ROOM;
    if (t.a && t.basis) {
        t.size = t.a + (size_t)n * (size_t)t.width;
        lemke_fill(&t, m, q);
        verdict = lemke_run(&t, pivots);
        for (int i = 0; i < n; i++)
            is_turned[i] = false;
        for (int i = 0; i < n && verdict == LEMKE_FOUND; i++)
            if (t.basis[i] >= n && t.basis[i] < 2 * n)
                is_turned[t.basis[i] - n] = true;
    }
    free(t.a);
    free(t.basis);
    return verdict;
}
