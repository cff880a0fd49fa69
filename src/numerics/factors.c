// SPDX-License-Identifier: MIT

#include "numerics/factors.h"

#include "base/memory.h"
#include "numerics/dense.h"

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

void factors_solve(Factors *f, double *b)
{
    if (f->sparse)
        sparse_solve(f->sparse, b);
    else
        dense_solve(f->n, f->values, f->pivots, b);
}
