// SPDX-License-Identifier: MIT

#include "numerics/factors.h"

#include "base/memory.h"
#include "base/real.h"
#include "numerics/dense.h"

#include <float.h>
#include <math.h>

bool factors_create(Factors *f, int n, int *column_start, int *rows,
                    const SaltusAllocator *allocator)
{
    *f = (Factors){.allocator = allocator, .n = n};
    if (column_start) {
        f->value_count = column_start[n];
        f->sparse = sparse_create(n, column_start, rows, allocator);
    } else {
        f->value_count = n * n;
        f->pivots = MEMORY_NEW(allocator, n, int);
    }
    f->values = MEMORY_NEW(allocator, f->value_count, double);
    if (f->values && (f->pivots || f->sparse))
        return true;
    factors_destroy(f);
    return false;
}

void factors_destroy(Factors *f)
{
    if (!f->allocator)
        return;
    sparse_destroy(f->sparse);
    memory_free(f->allocator, f->pivots);
    memory_free(f->allocator, f->values);
    *f = (Factors){0};
}

int factors_factor(Factors *f)
{
    return f->sparse ? sparse_factor(f->sparse, f->values)
                     : dense_factor(f->n, f->values, f->pivots);
}

// Elimination adds rounding of the size of the column's largest entry, about n times.
bool factors_are_doubtful(Factors *f, const double *values)
{
    const int n = f->n;
    if (f->sparse)
        return sparse_is_doubtful(f->sparse);
    for (int j = 0; j < n && n > 1; j++) {
        double largest = 0.0;
        for (int i = 0; i < n; i++)
            largest = real_larger(largest, fabs(values[j * n + i]));
        if (1.0 <= 4.0 * n * DBL_EPSILON * largest * fabs(f->values[j * n + j]))
            return true;
    }
    return false;
}

void factors_solve(Factors *f, double *b)
{
    if (f->sparse)
        sparse_solve(f->sparse, b);
    else
        dense_solve(f->n, f->values, f->pivots, b);
}
