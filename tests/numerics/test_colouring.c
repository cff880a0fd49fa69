// SPDX-License-Identifier: MIT
//
// Column colouring: no two columns of one colour share a row; few colours where few suffice.

#include "numerics/colouring.h"

#include "base/memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 60 };

typedef struct Pattern {
    int n;
    int column_start[LARGEST + 1];
    int rows[LARGEST * LARGEST];
} Pattern;

typedef bool (*Present)(int row, int column, uint64_t *seed);

static void make_pattern(Pattern *p, int n, Present present, uint64_t *seed)
{
    int count = 0;
    p->n = n;
    for (int j = 0; j < n; j++) {
        p->column_start[j] = count;
        for (int i = 0; i < n; i++) {
            if (present(i, j, seed))
                p->rows[count++] = i;
        }
    }
    p->column_start[n] = count;
}

// Colours the pattern, checks that the colouring is valid, returns the number of colours.
static int colours_of(const Pattern *p)
{
    SaltusAllocator allocator = memory_default();
    SaltusSparsity sparsity = {.column_start = p->column_start, .rows = p->rows};
    int colour[LARGEST];
    int count = colouring_columns(p->n, &sparsity, &allocator, colour);
    bool used[LARGEST] = {false};
    for (int j = 0; j < p->n; j++) {
        assert_in_range(colour[j], 0, count - 1);
        used[colour[j]] = true;
    }
    for (int c = 0; c < count; c++)
        assert_true(used[c]);
    int owner[LARGEST][LARGEST]; // per colour and row: the column + 1
    memset(owner, 0, sizeof owner);
    for (int j = 0; j < p->n; j++) {
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            assert_int_equal(owner[colour[j]][p->rows[k]], 0);
            owner[colour[j]][p->rows[k]] = j + 1;
        }
    }
    return count;
}

static bool diagonal(int i, int j, uint64_t *seed)
{
    (void)seed;
    return i == j;
}

static bool tridiagonal(int i, int j, uint64_t *seed)
{
    (void)seed;
    return i - j <= 1 && j - i <= 1;
}

static bool full(int i, int j, uint64_t *seed)
{
    (void)i, (void)j, (void)seed;
    return true;
}

// A diagonal and one dense column: the column needs its own colour.
static bool arrow_right(int i, int j, uint64_t *seed)
{
    (void)seed;
    return i == j || j == 0;
}

// A diagonal and one dense row: every column needs its own colour.
static bool arrow_down(int i, int j, uint64_t *seed)
{
    (void)seed;
    return i == j || i == 0;
}

static bool empty(int i, int j, uint64_t *seed)
{
    (void)i, (void)j, (void)seed;
    return false;
}

static void test_known_patterns(void **state)
{
    (void)state;
    static const struct {
        Present present;
        int colours; // of 20 columns
    } cases[] = {{diagonal, 1},    {tridiagonal, 3}, {full, 20},
                 {arrow_right, 2}, {arrow_down, 20}, {empty, 1}};
    static Pattern p;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        make_pattern(&p, 20, cases[k].present, NULL);
        assert_int_equal(colours_of(&p), cases[k].colours);
    }
}

static bool one_in_eight(int i, int j, uint64_t *seed)
{
    (void)i, (void)j;
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 61 == 0;
}

// No fewer colours than the longest row has elements; with greedy colouring no more than one
// plus the largest number of columns that share a row with a column.
static void test_random_patterns(void **state)
{
    (void)state;
    static Pattern p;
    uint64_t seed = 7;
    for (int n = 1; n <= LARGEST; n++) {
        make_pattern(&p, n, one_in_eight, &seed);
        int row_length[LARGEST] = {0}, longest = 1;
        for (int k = 0; k < p.column_start[n]; k++)
            row_length[p.rows[k]]++;
        int most_neighbours = 0;
        for (int j = 0; j < n; j++) {
            int neighbours = 0;
            for (int k = p.column_start[j]; k < p.column_start[j + 1]; k++) {
                neighbours += row_length[p.rows[k]] - 1;
                longest = row_length[p.rows[k]] > longest ? row_length[p.rows[k]] : longest;
            }
            most_neighbours = neighbours > most_neighbours ? neighbours : most_neighbours;
        }
        assert_in_range(colours_of(&p), longest, most_neighbours + 1);
    }
}

static void *refuse(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
    return NULL;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static Pattern p;
    make_pattern(&p, 10, tridiagonal, NULL);
    SaltusAllocator allocator = {.reallocate = refuse};
    SaltusSparsity sparsity = {.column_start = p.column_start, .rows = p.rows};
    int colour[10];
    assert_int_equal(colouring_columns(10, &sparsity, &allocator, colour), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_patterns),
        cmocka_unit_test(test_random_patterns),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
