// SPDX-License-Identifier: MIT

#include "numerics/rank.h"

#include <math.h>
#include <stdbool.h>

size_t rank_work(int rows, int columns)
{
    (void)rows;
    return ((size_t)columns + 1) * (size_t)columns;
}

static double rank_norm(int count, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static double rank_dot(int count, const double *u, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += u[i] * v[i];
    return sum;
}

static void swap_columns(int rows, double *a, int j, int k)
{
    for (int i = 0; i < rows; i++) {
        const double held = a[j * rows + i];
        a[j * rows + i] = a[k * rows + i];
        a[k * rows + i] = held;
    }
}

// v := v - 2 u (u . v) / (u . u), for the reflection along u.
static void reflect(int count, const double *u, double square, double *v)
{
    const double factor = 2.0 * rank_dot(count, u, v) / square;
    for (int i = 0; i < count; i++)
        v[i] -= factor * u[i];
}

// One step: column k becomes a multiple of a unit vector below row k. False: what is left is small.
static bool rank_eliminate(int rows, int columns, double *a, double *b, int k, double *first,
                           double tolerance, int *order)
{
    int best = k;
    double largest = -1.0;
    for (int j = k; j < columns; j++) {
        const double size = rank_norm(rows - k, a + j * rows + k);
        if (size > largest) {
            largest = size;
            best = j;
        }
    }
    if (k == 0)
        *first = largest;
    if (!(largest > tolerance * *first))
        return false;
    if (best != k) {
        swap_columns(rows, a, k, best);
        const int held = order[k];
        order[k] = order[best];
        order[best] = held;
    }
    double *u = a + k * rows + k;
    const double diagonal = u[0] > 0.0 ? -largest : largest;
    u[0] -= diagonal;
    const double square = rank_dot(rows - k, u, u);
    for (int j = k + 1; j < columns; j++)
        reflect(rows - k, u, square, a + j * rows + k);
    reflect(rows - k, u, square, b + k);
    u[0] = diagonal;
    return true;
}

// R y = v with the triangle of the first `rank` columns; v becomes y.
static void solve_triangle(int rows, int rank, const double *a, double *v)
{
    for (int k = rank; k-- > 0;) {
        v[k] /= a[k * rows + k];
        for (int i = 0; i < k; i++)
            v[i] -= a[k * rows + i] * v[k];
    }
}

// The solutions of R y = 0: (-R1^-1 R2 e, e), made orthonormal (twice is enough, W. Kahan).
static void make_basis(int rows, int columns, int rank, const double *a, double *basis)
{
    for (int n = 0; n < columns - rank; n++) {
        double *v = basis + n * columns;
        for (int i = 0; i < columns; i++)
            v[i] = i < rank ? -a[(rank + n) * rows + i] : (i == rank + n ? 1.0 : 0.0);
        solve_triangle(rows, rank, a, v);
        for (int pass = 0; pass < 2; pass++) {
            for (int m = 0; m < n; m++) {
                const double part = rank_dot(columns, basis + m * columns, v);
                for (int i = 0; i < columns; i++)
                    v[i] -= part * basis[m * columns + i];
            }
        }
        const double size = rank_norm(columns, v);
        for (int i = 0; i < columns; i++)
            v[i] /= size;
    }
}

int rank_solve(int rows, int columns, double *a, double *b, double tolerance, double *x,
               double *freedom, double *work, int *order)
{
    double first = 0.0, *y = work, *basis = work + columns;
    int rank = 0, most = rows < columns ? rows : columns;
    for (int j = 0; j < columns; j++)
        order[j] = j;
    while (rank < most && rank_eliminate(rows, columns, a, b, rank, &first, tolerance, order))
        rank++;
    for (int j = 0; j < columns; j++)
        y[j] = j < rank ? b[j] : 0.0;
    solve_triangle(rows, rank, a, y);
    make_basis(rows, columns, rank, a, basis);
    for (int n = 0; n < columns - rank; n++) {
        const double *v = basis + n * columns;
        const double part = rank_dot(columns, v, y);
        for (int i = 0; i < columns; i++)
            y[i] -= part * v[i];
    }
    for (int j = 0; j < columns; j++) {
        double square = 0.0;
        for (int n = 0; n < columns - rank; n++)
            square += basis[n * columns + j] * basis[n * columns + j];
        x[order[j]] = y[j];
        if (freedom)
            freedom[order[j]] = sqrt(square);
    }
    return rank;
}

const double *rank_basis(const double *work, int columns, int k)
{
    return work + columns + (size_t)k * (size_t)columns;
}
