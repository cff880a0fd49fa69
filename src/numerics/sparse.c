// SPDX-License-Identifier: MIT

#include "numerics/sparse.h"

#include "base/memory.h"
#include <klu.h>
#include <math.h>

// Factors, and for which values KLU would choose the same pivots again: L, and how large its
// entries may be.
typedef struct SparseFactors {
    klu_numeric *numeric; // NULL: none
    int *start;           // of the columns of L; NULL: not known
    int *rows, *swapped, *place;
    double *values, *bounds;
} SparseFactors;

// Pivots that are equal but for rounding take turns.
enum { KEPT = 3 };

struct Sparse {
    const SaltusAllocator *allocator;
    int n;
    int *column_start;
    int *rows;
    klu_common common;
    klu_symbolic *symbolic;   // NULL: structurally singular
    SparseFactors kept[KEPT]; // the last ones first
    int misses;               // how often in succession no pivots before were the right ones
    int waiting;              // so many factorizations do not try them
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

static void sparse_forget(Sparse *sparse, SparseFactors *p)
{
    const SaltusAllocator *a = sparse->allocator;
    memory_free(a, p->start);
    memory_free(a, p->rows);
    memory_free(a, p->swapped);
    memory_free(a, p->place);
    memory_free(a, p->values);
    memory_free(a, p->bounds);
    klu_free_numeric(&p->numeric, &sparse->common);
    *p = (SparseFactors){0};
}

void sparse_destroy(Sparse *sparse)
{
    if (!sparse)
        return;
    for (int i = 0; i < KEPT; i++)
        sparse_forget(sparse, &sparse->kept[i]);
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

// ---------------------------------------------------------------------------
// The same pivots again
//
// klu_refactor takes the pivots and the pattern of the factors before and needs a quarter of the
// time. Its arithmetic is that of klu_factor, in the same order, so the factors have the same bits
// if klu_factor would choose these pivots. In column k it prefers the row on the diagonal if that
// is at least `tol` of the largest, and takes the first of the largest otherwise (lpivot in
// klu_kernel.c). With L_ik = x_i / pivot this is:
//   the pivot is on the diagonal: |L_ik| <= 1 / tol;
//   it is not: |L_ik| < 1, or = 1 if that was so last time, for then the pivot was found before
//   x_i; and |L_ik| < tol of the row on the diagonal.
// A quotient is rounded to 1 only if both are equal, so that comparison is exact; the others keep
// a distance.
// ---------------------------------------------------------------------------

static const double below_one = 1.0 - 0x1p-53, distance = 1e-9;
enum { MOST_MISSES = 5 };

static bool sparse_read_lower(Sparse *sparse, const SparseFactors *p)
{
    return klu_extract(p->numeric, sparse->symbolic, p->start, p->rows, p->values, NULL, NULL, NULL,
                       NULL, NULL, NULL, NULL, NULL, NULL, NULL, &sparse->common);
}

// The bounds of one column; diagonal: where the row on the diagonal came to be.
static void sparse_bound_column(const SparseFactors *p, double tol, int column, int diagonal)
{
    for (int e = p->start[column]; e < p->start[column + 1]; e++) {
        if (p->rows[e] == column)
            p->bounds[e] = 1.0;
        else if (diagonal == column)
            p->bounds[e] = (1.0 - distance) / tol;
        else if (p->rows[e] == diagonal)
            p->bounds[e] = (1.0 - distance) * tol;
        else
            p->bounds[e] = fabs(p->values[e]) == 1.0 ? 1.0 : below_one;
    }
}

// After klu_factor. Where a pivot is not on the diagonal, KLU puts the row that is there into the
// pivot's old place, as here: swapped[k] is the row that is now on the diagonal of column k, as a
// place of the final order.
static void sparse_remember(Sparse *sparse, SparseFactors *p)
{
    const SaltusAllocator *a = sparse->allocator;
    const int n = sparse->n, *final = p->numeric->Pnum, *begin = sparse->symbolic->P;
    p->start = MEMORY_NEW(a, n + 1, int);
    p->rows = MEMORY_NEW(a, p->numeric->lnz, int);
    p->swapped = MEMORY_NEW(a, n, int);
    p->place = MEMORY_NEW(a, n, int);
    p->values = MEMORY_NEW(a, p->numeric->lnz, double);
    p->bounds = MEMORY_NEW(a, p->numeric->lnz, double);
    if (!p->start || !p->rows || !p->swapped || !p->place || !p->values || !p->bounds ||
        !sparse_read_lower(sparse, p)) {
        memory_free(a, p->start);
        p->start = NULL; // not known
        return;
    }
    for (int k = 0; k < n; k++)
        p->place[final[k]] = k;
    for (int k = 0; k < n; k++)
        p->swapped[k] = p->place[begin[k]];
    for (int k = 0; k < n; k++)
        p->place[p->swapped[k]] = k; // where a row of the final order is
    for (int k = 0; k < n; k++) {
        const int diagonal = p->swapped[k], from = p->place[k];
        sparse_bound_column(p, sparse->common.tol, k, diagonal);
        p->swapped[from] = diagonal;
        p->place[diagonal] = from;
    }
}

static void sparse_to_front(Sparse *sparse, int k)
{
    const SparseFactors first = sparse->kept[k];
    for (; k > 0; k--)
        sparse->kept[k] = sparse->kept[k - 1];
    sparse->kept[0] = first;
}

// Factors with pivots from before. False: klu_factor would not choose them.
static bool sparse_try(Sparse *sparse, const SparseFactors *p, double *values)
{
    bool is_same = p->start &&
                   klu_refactor(sparse->column_start, sparse->rows, values, sparse->symbolic,
                                p->numeric, &sparse->common) &&
                   sparse->common.status == KLU_OK && sparse_read_lower(sparse, p);
    for (int e = 0; is_same && e < p->start[sparse->n]; e++)
        is_same = fabs(p->values[e]) <= p->bounds[e];
    return is_same;
}

static bool sparse_repeat(Sparse *sparse, double *values)
{
    if (sparse->waiting > 0) {
        sparse->waiting--;
        return false;
    }
    for (int k = 0; k < KEPT; k++)
        if (sparse_try(sparse, &sparse->kept[k], values)) {
            sparse_to_front(sparse, k);
            sparse->misses = 0;
            return true;
        }
    if (sparse->kept[0].start) {
        sparse->misses += sparse->misses < MOST_MISSES;
        sparse->waiting = (1 << (sparse->misses - 1)) - 1;
    }
    return false;
}

int sparse_factor(Sparse *sparse, double *values)
{
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
    if (sparse_repeat(sparse, values))
        return 0;
    const bool is_first = !sparse->kept[0].numeric; // and often the only one
    sparse_to_front(sparse, sparse->kept[0].start ? KEPT - 1 : 0);
    SparseFactors *p = &sparse->kept[0];
    sparse_forget(sparse, p);
    p->numeric =
        klu_factor(sparse->column_start, sparse->rows, values, sparse->symbolic, &sparse->common);
    if (p->numeric && !is_first && sparse->waiting == 0)
        sparse_remember(sparse, p);
    if (p->numeric)
        return 0;
    return sparse->common.status == KLU_OUT_OF_MEMORY ? -1 : singular_column(sparse) + 1;
}

// KLU scales rows by their largest entries.
bool sparse_is_doubtful(Sparse *sparse)
{
    static const double least = 1e-16;
    return !klu_rcond(sparse->symbolic, sparse->kept[0].numeric, &sparse->common) ||
           sparse->common.rcond < least;
}

void sparse_solve(Sparse *sparse, double *b)
{
    klu_solve(sparse->symbolic, sparse->kept[0].numeric, sparse->n, 1, b, &sparse->common);
}
