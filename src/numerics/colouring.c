// SPDX-License-Identifier: MIT

#include "numerics/colouring.h"

#include "base/memory.h"

typedef struct ColouringWork {
    int *row_start; // n + 1: the transpose of the pattern
    int *columns;
    int *order;  // columns by number of rows, most first
    int *marked; // per colour, n + 1: the column that found it taken, + 1
    int *bucket; // n + 2, of the counting sort
} ColouringWork;

static bool work_create(ColouringWork *work, int n, int entries, const SaltusAllocator *a)
{
    *work = (ColouringWork){
        .row_start = MEMORY_NEW(a, n + 1, int),
        .columns = MEMORY_NEW(a, entries, int),
        .order = MEMORY_NEW(a, n, int),
        .marked = MEMORY_NEW(a, n + 1, int),
        .bucket = MEMORY_NEW(a, n + 2, int),
    };
    return work->row_start && work->columns && work->order && work->marked && work->bucket;
}

static void work_destroy(ColouringWork *work, const SaltusAllocator *a)
{
    memory_free(a, work->row_start);
    memory_free(a, work->columns);
    memory_free(a, work->order);
    memory_free(a, work->marked);
    memory_free(a, work->bucket);
}

static void colouring_transpose(int n, const SaltusSparsity *s, ColouringWork *work)
{
    int entries = s->column_start[n];
    for (int k = 0; k < entries; k++)
        work->row_start[s->rows[k] + 1]++;
    for (int i = 0; i < n; i++)
        work->row_start[i + 1] += work->row_start[i];
    // Filling shifts row_start[i] to the start of row i + 1; it is shifted back afterwards.
    for (int j = 0; j < n; j++) {
        for (int k = s->column_start[j]; k < s->column_start[j + 1]; k++)
            work->columns[work->row_start[s->rows[k]]++] = j;
    }
    for (int i = n; i > 0; i--)
        work->row_start[i] = work->row_start[i - 1];
    work->row_start[0] = 0;
}

// Counting sort by the number of rows, descending, stable.
static void sort_columns(int n, const SaltusSparsity *s, ColouringWork *work)
{
    for (int j = 0; j < n; j++)
        work->bucket[n - (s->column_start[j + 1] - s->column_start[j]) + 1]++;
    for (int b = 0; b <= n; b++)
        work->bucket[b + 1] += work->bucket[b];
    for (int j = 0; j < n; j++)
        work->order[work->bucket[n - (s->column_start[j + 1] - s->column_start[j])]++] = j;
}

// The smallest colour that no column with a row in common with column j has yet.
static int free_colour(int j, const SaltusSparsity *s, ColouringWork *work, const int *colour)
{
    for (int k = s->column_start[j]; k < s->column_start[j + 1]; k++) {
        int row = s->rows[k];
        for (int r = work->row_start[row]; r < work->row_start[row + 1]; r++) {
            int taken = colour[work->columns[r]];
            if (taken >= 0)
                work->marked[taken] = j + 1;
        }
    }
    int c = 0;
    while (work->marked[c] == j + 1)
        c++;
    return c;
}

int colouring_columns(int n, const SaltusSparsity *sparsity, const SaltusAllocator *allocator,
                      int *colour)
{
    ColouringWork work;
    int count = -1;
    if (work_create(&work, n, sparsity->column_start[n], allocator)) {
        colouring_transpose(n, sparsity, &work);
        sort_columns(n, sparsity, &work);
        count = 0;
        for (int j = 0; j < n; j++)
            colour[j] = -1;
        for (int o = 0; o < n; o++) {
            int j = work.order[o];
            colour[j] = free_colour(j, sparsity, &work, colour);
            if (colour[j] == count)
                count++;
        }
    }
    work_destroy(&work, allocator);
    return count;
}
