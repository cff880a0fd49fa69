// SPDX-License-Identifier: MIT

#include "numerics/colouring.h"

#include "base/memory.h"

// row_start: n + 1, zero; columns: one per entry.
static void colouring_transpose(int n, const SaltusSparsity *s, int *row_start, int *columns)
{
    const int entries = s->column_start[n];
    for (int k = 0; k < entries; k++)
        row_start[s->rows[k] + 1]++;
    for (int i = 0; i < n; i++)
        row_start[i + 1] += row_start[i];
    // Filling shifts row_start[i] to the start of row i + 1; it is shifted back afterwards.
    for (int j = 0; j < n; j++) {
        for (int k = s->column_start[j]; k < s->column_start[j + 1]; k++)
            columns[row_start[s->rows[k]]++] = j;
    }
    for (int i = n; i > 0; i--)
        row_start[i] = row_start[i - 1];
    row_start[0] = 0;
}

// Counting sort by the number of rows, descending, stable. bucket: n + 2, zero.
static void sort_columns(int n, const SaltusSparsity *s, int *bucket, int *order)
{
    for (int j = 0; j < n; j++)
        bucket[n - (s->column_start[j + 1] - s->column_start[j]) + 1]++;
    for (int b = 0; b <= n; b++)
        bucket[b + 1] += bucket[b];
    for (int j = 0; j < n; j++)
        order[bucket[n - (s->column_start[j + 1] - s->column_start[j])]++] = j;
}

// The smallest colour that no column with a row in common with column j has yet. marked, per
// colour: the column that found it taken, plus 1.
static int free_colour(int j, const SaltusSparsity *s, const int *row_start, const int *columns,
                       const int *colour, int *marked)
{
    for (int k = s->column_start[j]; k < s->column_start[j + 1]; k++) {
        const int row = s->rows[k];
        for (int r = row_start[row]; r < row_start[row + 1]; r++) {
            const int taken = colour[columns[r]];
            if (taken >= 0)
                marked[taken] = j + 1;
        }
    }
    int c = 0;
    while (marked[c] == j + 1)
        c++;
    return c;
}

int colouring_columns(int n, const SaltusSparsity *sparsity, const SaltusAllocator *allocator,
                      int *colour)
{
    const size_t size = (size_t)n, entries = (size_t)sparsity->column_start[n];
    int *work = MEMORY_NEW(allocator, entries + 4 * size + 4, int);
    if (!work)
        return -1;
    int *columns = work, *order = columns + entries, *row_start = order + size;
    int *marked = row_start + size + 1, *bucket = marked + size + 1;
    colouring_transpose(n, sparsity, row_start, columns);
    sort_columns(n, sparsity, bucket, order);
    int count = 0;
    for (int j = 0; j < n; j++)
        colour[j] = -1;
    for (int o = 0; o < n; o++) {
        const int j = order[o];
        colour[j] = free_colour(j, sparsity, row_start, columns, colour, marked);
        if (colour[j] == count)
            count++;
    }
    memory_free(allocator, work);
    return count;
}
