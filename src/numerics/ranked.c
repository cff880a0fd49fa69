// SPDX-License-Identifier: MIT

#include "numerics/ranked.h"

#include "base/memory.h"
#include "numerics/rank.h"
#include <math.h>
#include <string.h>

// Entries are about one: what is left by rounding is not more than this.
static const double tolerance = 1e-12;
enum { SCALINGS = 3 };

struct Ranked {
    const SaltusAllocator *allocator;
    int n;
    double *matrix; // scaled
    double *row_scale, *column_scale, *freedom;
    double *a, *b, *x, *work; // for rank_solve
    int *order;
    int rank;
};

Ranked *ranked_create(int n, const SaltusAllocator *allocator)
{
    const size_t square = (size_t)n * (size_t)n, size = (size_t)n;
    Ranked *r = MEMORY_NEW(allocator, 1, Ranked);
    if (!r)
        return NULL;
    *r = (Ranked){.allocator = allocator,
                  .n = n,
                  .matrix = MEMORY_NEW(allocator, 2 * square + 5 * size + rank_work(n, n), double),
                  .order = MEMORY_NEW(allocator, n, int)};
    if (!r->matrix || !r->order) {
        ranked_destroy(r);
        return NULL;
    }
    r->a = r->matrix + square;
    r->row_scale = r->a + square;
    r->column_scale = r->row_scale + size;
    r->freedom = r->column_scale + size;
    r->b = r->freedom + size;
    r->x = r->b + size;
    r->work = r->x + size;
    return r;
}

void ranked_destroy(Ranked *r)
{
    if (!r)
        return;
    memory_free(r->allocator, r->matrix);
    memory_free(r->allocator, r->order);
    memory_free(r->allocator, r);
}

static void ranked_spread(Ranked *r, const double *values, const int *column_start, const int *rows)
{
    const size_t n = (size_t)r->n;
    if (!column_start) {
        memcpy(r->matrix, values, n * n * sizeof *values);
        return;
    }
    memset(r->matrix, 0, n * n * sizeof *r->matrix);
    for (size_t j = 0; j < n; j++)
        for (int e = column_start[j]; e < column_start[j + 1]; e++)
            r->matrix[j * n + (size_t)rows[e]] = values[e];
}

static double scale_for(double largest)
{
    return largest > 0.0 ? 1.0 / largest : 1.0;
}

static void find_scales(Ranked *r)
{
    const int n = r->n;
    for (int j = 0; j < n; j++)
        r->column_scale[j] = 1.0;
    for (int pass = 0; pass < SCALINGS; pass++) {
        for (int i = 0; i < n; i++) {
            double largest = 0.0;
            for (int j = 0; j < n; j++)
                largest = fmax(largest, fabs(r->matrix[j * n + i]) * r->column_scale[j]);
            r->row_scale[i] = scale_for(largest);
        }
        for (int j = 0; j < n; j++) {
            double largest = 0.0;
            for (int i = 0; i < n; i++)
                largest = fmax(largest, fabs(r->matrix[j * n + i]) * r->row_scale[i]);
            r->column_scale[j] = scale_for(largest);
        }
    }
}

// With the right side in b; returns the rank.
static int numerics_ranked_solve(Ranked *r)
{
    const size_t n = (size_t)r->n;
    memcpy(r->a, r->matrix, n * n * sizeof *r->a);
    r->rank = rank_solve(r->n, r->n, r->a, r->b, tolerance, r->x, r->freedom, r->work, r->order);
    return r->rank;
}

int ranked_set(Ranked *r, const double *values, const int *column_start, const int *rows)
{
    const int n = r->n;
    double check = 0.0;
    ranked_spread(r, values, column_start, rows);
    for (int k = 0; k < n * n; k++)
        check += r->matrix[k] - r->matrix[k];
    if (check != 0.0)
        return -1;
    find_scales(r);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            r->matrix[j * n + i] *= r->column_scale[j] * r->row_scale[i];
    for (int i = 0; i < n; i++)
        r->b[i] = 0.0;
    return numerics_ranked_solve(r);
}

void ranked_solve(Ranked *r, double *b)
{
    for (int i = 0; i < r->n; i++)
        r->b[i] = r->row_scale[i] * b[i];
    numerics_ranked_solve(r);
    for (int j = 0; j < r->n; j++)
        b[j] = r->column_scale[j] * r->x[j];
}

bool ranked_is_open(const Ranked *r, int j)
{
    return r->freedom[j] > RANK_OPEN;
}

int ranked_nullity(const Ranked *r)
{
    return r->n - r->rank;
}

// rank_solve leaves a basis in its working memory.
void ranked_null(const Ranked *r, int k, double *x)
{
    const double *basis = rank_basis(r->work, r->n, k);
    for (int j = 0; j < r->n; j++)
        x[r->order[j]] = r->column_scale[r->order[j]] * basis[j];
}
