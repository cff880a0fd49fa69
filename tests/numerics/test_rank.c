// SPDX-License-Identifier: MIT
//
// Least squares of least norm: matrices whose solutions are known.

#include "numerics/rank.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 12 };

typedef struct Problem {
    int rows, columns;
    double a[LARGEST * LARGEST], b[LARGEST], x[LARGEST], freedom[LARGEST];
} Problem;

static int solve(Problem *p)
{
    double a[LARGEST * LARGEST], b[LARGEST], work[LARGEST * (LARGEST + 1)];
    int order[LARGEST];
    assert_true(rank_work(p->rows, p->columns) <= sizeof work / sizeof work[0]);
    memcpy(a, p->a, sizeof a);
    memcpy(b, p->b, sizeof b);
    return rank_solve(p->rows, p->columns, a, b, 1e-12, p->x, p->freedom, work, order);
}

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// A = B C with B rows by rank, C rank by columns.
static void make_problem(Problem *p, int rank, uint64_t *seed)
{
    double b[LARGEST * LARGEST], c[LARGEST * LARGEST];
    for (int i = 0; i < p->rows * rank; i++)
        b[i] = random_number(seed);
    for (int i = 0; i < p->columns * rank; i++)
        c[i] = random_number(seed);
    for (int j = 0; j < p->columns; j++) {
        for (int i = 0; i < p->rows; i++) {
            p->a[j * p->rows + i] = 0.0;
            for (int k = 0; k < rank; k++)
                p->a[j * p->rows + i] += b[i * rank + k] * c[j * rank + k];
        }
    }
    for (int i = 0; i < p->rows; i++)
        p->b[i] = random_number(seed);
}

// The normal equations hold: A' (A x - b) = 0.
static void assert_least_squares(const Problem *p)
{
    for (int j = 0; j < p->columns; j++) {
        double sum = 0.0;
        for (int i = 0; i < p->rows; i++) {
            double r = -p->b[i];
            for (int k = 0; k < p->columns; k++)
                r += p->a[k * p->rows + i] * p->x[k];
            sum += p->a[j * p->rows + i] * r;
        }
        // the solutions of random problems of this size stay below 1e4
        assert_true(fabs(sum) < 1e-9);
    }
}

static void random_problems(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 2000; trial++) {
        Problem p = {.rows = 1 + trial % LARGEST, .columns = 1 + trial / 7 % LARGEST};
        int most = p.rows < p.columns ? p.rows : p.columns;
        int rank = 1 + trial / 3 % most;
        make_problem(&p, rank, &seed);
        assert_int_equal(solve(&p), rank);
        assert_least_squares(&p);
        // the squares of the freedoms add up to the dimension of what is free
        double sum = 0.0;
        for (int j = 0; j < p.columns; j++)
            sum += p.freedom[j] * p.freedom[j];
        assert_true(fabs(sum - (p.columns - rank)) < 1e-9);
    }
}

// x0 + x1 = 2, x2 = 3: the shortest x, and which of it is unique.
static void shortest_solution(void **state)
{
    (void)state;
    Problem p = {.rows = 2, .columns = 3, .a = {1, 0, 1, 0, 0, 1}, .b = {2, 3}};
    assert_int_equal(solve(&p), 2);
    assert_true(fabs(p.x[0] - 1.0) < 1e-15 && fabs(p.x[1] - 1.0) < 1e-15);
    assert_true(fabs(p.x[2] - 3.0) < 1e-15);
    assert_true(fabs(p.freedom[0] - sqrt(0.5)) < 1e-15 && p.freedom[2] < 1e-15);
}

static void nothing_to_solve(void **state)
{
    (void)state;
    Problem p = {.rows = 2, .columns = 2, .b = {1, 1}};
    assert_int_equal(solve(&p), 0);
    assert_true(p.x[0] == 0.0 && p.x[1] == 0.0 && p.freedom[0] == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
        cmocka_unit_test(shortest_solution),
        cmocka_unit_test(nothing_to_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
