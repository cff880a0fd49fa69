// SPDX-License-Identifier: MIT
//
// Linear complementarity problems whose solutions are known, or can be checked by their definition.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numerics/dense.h"
#include "numerics/lemke.h"

#include <math.h>
#include <string.h>

enum { MOST = 200 };

static double next_part(double *state)
{
    *state += 0.6180339887498949;
    *state -= floor(*state);
    return *state;
}

// z from the set of those that are basic, M_BB z_B = -q_B, and that z and w are not negative.
static void expect_solution(int n, const double *m, const double *q, const bool *is_turned)
{
    static double a[MOST * MOST], z[MOST];
    static int pivots[MOST], basic[MOST];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (is_turned[i])
            basic[count++] = i;
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < count; i++)
            a[j * count + i] = m[basic[i] * n + basic[j]];
        z[j] = -q[basic[j]];
    }
    assert_int_equal(dense_factor(count, a, pivots), 0);
    dense_solve(count, a, pivots, z);
    for (int j = 0; j < count; j++)
        assert_true(z[j] >= -1e-8);
    for (int i = 0; i < n; i++) {
        double w = q[i], size = fabs(q[i]);
        for (int j = 0; j < count; j++) {
            w += m[i * n + basic[j]] * z[j];
            size += fabs(m[i * n + basic[j]] * z[j]);
        }
        assert_true(is_turned[i] ? fabs(w) <= 1e-8 * (1.0 + size) : w >= -1e-8 * (1.0 + size));
    }
}

// M = A^T A with A of n/2 rows: positive semidefinite, half of its rank; q in the range of M minus
// something positive, so that there is a solution.
static void semidefinite_problems_are_solved(void **state)
{
    (void)state;
    static double a[MOST * MOST], m[MOST * MOST], q[MOST];
    bool is_turned[MOST];
    double part = 0.2;
    for (int n = 2; n <= MOST; n = n * 3 / 2 + 1) {
        const int rank = (n + 1) / 2;
        for (int trial = 0; trial < 5; trial++) {
            for (int i = 0; i < rank * n; i++)
                a[i] = next_part(&part) - 0.5;
            memset(m, 0, sizeof m);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    for (int k = 0; k < rank; k++)
                        m[i * n + j] += a[k * n + i] * a[k * n + j];
            for (int i = 0; i < n; i++) { // z = 1 for the even ones, w = 0.1 for the odd ones
                q[i] = i % 2 ? 0.1 : 0.0;
                for (int j = 0; j < n; j += 2)
                    q[i] -= m[i * n + j];
            }
            int pivots = 0;
            assert_int_equal(lemke_solve(n, m, q, is_turned, &pivots), LEMKE_FOUND);
            expect_solution(n, m, q, is_turned);
            assert_true(pivots <= 4 * n + 4);
        }
    }
}

// Many ties: all q equal, integers in M. The lexicographic rule ends.
static void ties_are_decided(void **state)
{
    (void)state;
    enum { N = 60 };
    static double m[N * N], q[N];
    bool is_turned[N];
    for (int i = 0; i < N; i++) {
        q[i] = -1.0;
        for (int j = 0; j < N; j++)
            m[i * N + j] = 1.0; // rank 1: the sum of all z is 1
    }
    int pivots = 0;
    assert_int_equal(lemke_solve(N, m, q, is_turned, &pivots), LEMKE_FOUND);
    expect_solution(N, m, q, is_turned);
}

// w = -1 + 0 z, and w1 = -1 - z2 with w2 = z1: no solution; the matrices are semidefinite.
static void no_solution_is_a_ray(void **state)
{
    (void)state;
    bool is_turned[2];
    int pivots = 0;
    assert_int_equal(lemke_solve(1, (double[]){0.0}, (double[]){-1.0}, is_turned, &pivots),
                     LEMKE_RAY);
    assert_int_equal(
        lemke_solve(2, (double[]){0.0, -1.0, 1.0, 0.0}, (double[]){-1.0, 0.0}, is_turned, &pivots),
        LEMKE_RAY);
    assert_int_equal(
        lemke_solve(2, (double[]){1.0, 0.0, 0.0, 1.0}, (double[]){1.0, 0.0}, is_turned, &pivots),
        LEMKE_FOUND);
    assert_false(is_turned[0] || is_turned[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(semidefinite_problems_are_solved),
        cmocka_unit_test(ties_are_decided),
        cmocka_unit_test(no_solution_is_a_ray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
