// SPDX-License-Identifier: MIT

#include "instant/matrix.h"

#include <math.h>
#include <string.h>

static void swap_rows(int columns, double *a, int i, int j)
{
    for (int k = 0; k < columns; k++) {
        const double held = a[i * columns + k];
        a[i * columns + k] = a[j * columns + k];
        a[j * columns + k] = held;
    }
}

static void swap_columns(int n, double *a, int i, int j)
{
    for (int k = 0; k < n; k++) {
        const double held = a[k * n + i];
        a[k * n + i] = a[k * n + j];
        a[k * n + j] = held;
    }
}

static double largest(int n, const double *a, int from, int *row, int *column)
{
    double size = 0.0;
    for (int i = from; i < n; i++)
        for (int j = from; j < n; j++)
            if (fabs(a[i * n + j]) > size) {
                size = fabs(a[i * n + j]);
                *row = i;
                *column = j;
            }
    return size;
}

static void eliminate(int n, int columns, double *a, double *b, int p)
{
    for (int i = 0; i < n; i++) {
        if (i == p)
            continue;
        const double factor = a[i * n + p] / a[p * n + p];
        for (int k = p; k < n; k++)
            a[i * n + k] -= factor * a[p * n + k];
        for (int k = 0; k < columns; k++)
            b[i * columns + k] -= factor * b[p * columns + k];
    }
}

bool matrix_solve(int n, int columns, double *a, double *b, double noise)
{
    int order[MATRIX_MAX], rank = 0;
    double first = 0.0, size_b = 1e-300;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = 0; i < n * columns; i++)
        size_b = fmax(size_b, fabs(b[i]));
    for (; rank < n; rank++) {
        int row = rank, column = rank;
        const double size = largest(n, a, rank, &row, &column);
        if (rank == 0)
            first = size;
        if (size <= noise * first)
            break;
        swap_rows(n, a, rank, row);
        swap_rows(columns, b, rank, row);
        swap_columns(n, a, rank, column);
        const int held = order[rank];
        order[rank] = order[column];
        order[column] = held;
        eliminate(n, columns, a, b, rank);
    }
    double x[MATRIX_MAX * MATRIX_MAX] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < columns; k++) {
            if (i < rank)
                x[order[i] * columns + k] = b[i * columns + k] / a[i * n + i];
            else if (fabs(b[i * columns + k]) > 1e-9 * size_b)
                return false;
        }
    memcpy(b, x, (size_t)(n * columns) * sizeof *b);
    return true;
}

static void multiply(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

void matrix_exponential(int n, const double *a, double h, double *e)
{
    enum { TERMS = 14 };
    double norm = 0.0;
    for (int i = 0; i < n * n; i++)
        norm = fmax(norm, fabs(a[i] * h));
    int halvings = 0;
    while (norm * n > 0.25) {
        norm /= 2.0;
        halvings++;
    }
    double small[MATRIX_MAX * MATRIX_MAX] = {0}, term[MATRIX_MAX * MATRIX_MAX] = {0},
                              product[MATRIX_MAX * MATRIX_MAX] = {0};
    for (int i = 0; i < n * n; i++)
        e[i] = term[i] = small[i] = ldexp(a[i] * h, -halvings);
    for (int k = 2; k < TERMS; k++) {
        multiply(n, term, small, product);
        for (int i = 0; i < n * n; i++)
            e[i] += term[i] = product[i] / k;
    }
    for (; halvings > 0; halvings--) {
        multiply(n, e, e, product);
        for (int i = 0; i < n * n; i++)
            e[i] = 2.0 * e[i] + product[i];
    }
}

void matrix_apply(int n, const double *a, const double *x, const double *y0, double *y)
{
    double sum[MATRIX_MAX] = {0};
    for (int i = 0; i < n; i++) {
        sum[i] = y0 ? y0[i] : 0.0;
        for (int j = 0; j < n; j++)
            sum[i] += a[i * n + j] * x[j];
    }
    memcpy(y, sum, (size_t)n * sizeof *y);
}
