// SPDX-License-Identifier: MIT

#include "numerics/sparse.h"

#include "base/memory.h"
#include <klu.h>
#include <math.h>

struct Sparse {
    const SaltusAllocator *allocator;
    int n;
    int *column_start;
    int *rows;
    klu_common common;
    klu_symbolic *symbolic; // NULL: structurally singular
    klu_numeric *numeric;   // NULL: no factors
};

// Measured with heat equations in one and two dimensions (equal at 25 to 30 unknowns, half the
// time at 100) and with matrices of random structure, which fill up when they are factored (equal
// at 12 % of 30, 7 % of 60 and 7 % of 100 unknowns).
enum { FROM = 30, PART = 10 };

bool sparse_pays(int n, int entries)
{
    return n >= FROM && PART * (double)entries <= (double)n * (double)n;
}

Sparse *sparse_create(int n, int *column_start, int *rows, const SaltusAllocator *allocator)
{
    Sparse *sparse = MEMORY_NEW(allocator, 1, Sparse);
    if (!sparse)
        return NULL;
    sparse->allocator = allocator;
    sparse->n = n;
    sparse->column_start = column_start;
    sparse->rows = rows;
    klu_defaults(&sparse->common);
    sparse->symbolic = klu_analyze(n, column_start, rows, &sparse->common);
    if (!sparse->symbolic && sparse->common.status == KLU_OUT_OF_MEMORY) {
        sparse_destroy(sparse);
        return NULL;
    }
    return sparse;
}

void sparse_destroy(Sparse *sparse)
{
    if (!sparse)
        return;
    klu_free_numeric(&sparse->numeric, &sparse->common);
    klu_free_symbolic(&sparse->symbolic, &sparse->common);
    memory_free(sparse->allocator, sparse);
}

// The column that KLU stopped at; the first without entries or, failing that, the last if there
// is no pivot for structural reasons.
static int singular_column(const Sparse *sparse)
{
    int column = sparse->common.singular_col;
    if (column >= 0 && column < sparse->n)
        return column;
    for (column = 0; column < sparse->n - 1; column++) {
        if (sparse->column_start[column] == sparse->column_start[column + 1])
            break;
    }
    return column;
}

int sparse_factor(Sparse *sparse, double *values)
{
    klu_free_numeric(&sparse->numeric, &sparse->common);
    if (!sparse->symbolic)
        return singular_column(sparse) + 1;
    for (int k = 0; k < sparse->column_start[sparse->n]; k++) {
        if (!isfinite(values[k])) {
            int column = 0;
            while (sparse->column_start[column + 1] <= k)
                column++;
            return column + 1;
        }
    }
    sparse->numeric =
        klu_factor(sparse->column_start, sparse->rows, values, sparse->symbolic, &sparse->common);
    if (sparse->numeric)
        return 0;
    return sparse->common.status == KLU_OUT_OF_MEMORY ? -1 : singular_column(sparse) + 1;
}

// KLU scales rows by their largest entries.
bool sparse_is_doubtful(Sparse *sparse)
{
    static const double least = 1e-16;
    return !klu_rcond(sparse->symbolic, sparse->numeric, &sparse->common) ||
           sparse->common.rcond < least;
}

void sparse_solve(Sparse *sparse, double *b)
{
    klu_solve(sparse->symbolic, sparse->numeric, sparse->n, 1, b, &sparse->common);
}
