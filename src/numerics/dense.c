// SPDX-License-Identifier: MIT
//
// Right-looking elimination, blocked: a panel of columns is factored with rank-1 updates,
// then the columns to its right are updated with the whole panel at once, four of its
// columns per pass. Systems of up to DIRECT unknowns are one panel.
//
// On the diagonal the inverses of the pivots are kept: a division takes longer than all else in
// a small system's solution. (A pivot whose inverse overflows counts as zero.)
//
// The same operations in the same order on every machine; no library is called.

#include "numerics/dense.h"

#include <math.h>
#include <stddef.h>

enum {
    SMALL = 8,   // largest system that has its own code for the solution
    DIRECT = 64, // largest system that is factored as one panel (measured)
    PANEL = 8,   // columns of a panel, a multiple of 4
};

// y -= s x
static inline void dense_subtract(int count, double s, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < count; i++)
        y[i] -= s * x[i];
}

static inline int dense_largest(int count, const double *x)
{
    int best = 0;
    double size = fabs(x[0]);
    for (int i = 1; i < count; i++) {
        if (fabs(x[i]) > size) {
            size = fabs(x[i]);
            best = i;
        }
    }
    return best;
}

// Swaps rows r and p of the columns from `first` to before `last`.
static inline void swap_rows(int n, double *a, int r, int p, int first, int last)
{
    double *column = a + (size_t)first * (size_t)n;
    for (int j = first; j < last; j++, column += n) {
        const double value = column[r];
        column[r] = column[p];
        column[p] = value;
    }
}

// Factors columns first to last - 1, rows first to n - 1; swaps rows in these columns only.
static inline int factor_panel(int n, double *a, int *pivot, int first, int last)
{
    for (int k = first; k < last; k++) {
        double *column = a + (size_t)k * (size_t)n;
        const int p = k + dense_largest(n - k, column + k);
        const double inverse = 1.0 / column[p];
        if (column[p] == 0.0 || !isfinite(column[p]) || !isfinite(inverse))
            return k + 1;
        pivot[k] = p;
        if (p != k)
            swap_rows(n, a, k, p, first, last);
        column[k] = inverse;
        for (int i = k + 1; i < n; i++)
            column[i] *= inverse;
        for (int j = k + 1; j < last; j++) {
            double *right = a + (size_t)j * (size_t)n;
            const double factor = right[k];
            if (factor != 0.0)
                dense_subtract(n - k - 1, factor, column + k + 1, right + k + 1);
        }
    }
    return 0;
}

// One column to the right of a panel: its rows of U, then everything below, four panel
// columns at a time.
static void update_column(int n, const double *a, int first, int last, double *restrict right)
{
    for (int k = first; k < last; k++)
        dense_subtract(last - k - 1, right[k], a + (size_t)k * (size_t)n + k + 1, right + k + 1);
    for (int k = first; k < last; k += 4) {
        const double *l0 = a + (size_t)k * (size_t)n, *l1 = l0 + n, *l2 = l1 + n, *l3 = l2 + n;
        double u0 = right[k], u1 = right[k + 1], u2 = right[k + 2], u3 = right[k + 3];
        for (int i = last; i < n; i++)
            right[i] -= (l0[i] * u0 + l1[i] * u1) + (l2[i] * u2 + l3[i] * u3);
    }
}

// From the swaps, row k with row pivot[k] in turn, to the order they result in: row k is row
// pivot[k] of the matrix as it was.
static void dense_order_rows(int n, int *pivot)
{
    int row[SMALL];
    for (int i = 0; i < n; i++)
        row[i] = i;
    for (int k = 0; k < n; k++) {
        const int swapped = row[pivot[k]];
        row[pivot[k]] = row[k];
        row[k] = swapped;
    }
    for (int i = 0; i < n; i++)
        pivot[i] = row[i];
}

int dense_factor(int n, double *a, int *pivot)
{
    if (n <= DIRECT) {
        const int failed = factor_panel(n, a, pivot, 0, n);
        if (!failed && n <= SMALL)
            dense_order_rows(n, pivot);
        return failed;
    }
    for (int first = 0; first < n;) {
        // The rest as one panel: the last panel need not be a multiple of four wide.
        const int last = n - first <= DIRECT ? n : first + PANEL;
        const int failed = factor_panel(n, a, pivot, first, last);
        if (failed)
            return failed;
        for (int k = first; k < last; k++) {
            if (pivot[k] != k) {
                swap_rows(n, a, k, pivot[k], 0, first);
                swap_rows(n, a, k, pivot[k], last, n);
            }
        }
        for (int j = last; j < n; j++)
            update_column(n, a, first, last, a + (size_t)j * (size_t)n);
        first = last;
    }
    return 0;
}

// gcc unrolls loops of known length as far as this only if told to; clang does by itself.
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

// With n known to the compiler the loops unroll and x stays in registers: five times as fast,
// because the time of a small system is that of its chain of dependent operations.
static inline void solve_fixed(const int n, const double *a, const int *row, double *b)
{
    double x[SMALL];
    UNROLL
    for (int i = 0; i < n; i++)
        x[i] = b[row[i]];
    UNROLL
    for (int k = 0; k < n - 1; k++) {
        UNROLL
        for (int i = k + 1; i < n; i++)
            x[i] -= a[k * n + i] * x[k];
    }
    UNROLL
    for (int k = n - 1; k >= 0; k--) {
        x[k] *= a[k * n + k];
        UNROLL
        for (int i = 0; i < k; i++)
            x[i] -= a[k * n + i] * x[k];
    }
    UNROLL
    for (int i = 0; i < n; i++)
        b[i] = x[i];
}

#undef UNROLL

static void solve_large(int n, const double *a, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        const double value = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = value;
    }
    for (int k = 0; k < n - 1; k++)
        dense_subtract(n - k - 1, b[k], a + (size_t)k * (size_t)n + k + 1, b + k + 1);
    for (int k = n - 1; k >= 0; k--) {
        const double *column = a + (size_t)k * (size_t)n;
        b[k] *= column[k];
        dense_subtract(k, b[k], column, b);
    }
}

void dense_solve(int n, const double *a, const int *pivot, double *b)
{
    switch (n) {
    case 1:
        b[0] *= a[0];
        break;
    case 2:
        solve_fixed(2, a, pivot, b);
        break;
    case 3:
        solve_fixed(3, a, pivot, b);
        break;
    case 4:
        solve_fixed(4, a, pivot, b);
        break;
    case 5:
        solve_fixed(5, a, pivot, b);
        break;
    case 6:
        solve_fixed(6, a, pivot, b);
        break;
    case 7:
        solve_fixed(7, a, pivot, b);
        break;
    case 8:
        solve_fixed(8, a, pivot, b);
        break;
    default:
        solve_large(n, a, pivot, b);
    }
}
