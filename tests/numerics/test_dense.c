// SPDX-License-Identifier: MIT
//
// LU factorization: known solutions, every size around the borders of its special cases,
// pivoting, singular matrices.

#include "numerics/dense.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 150 };

// A reproducible number in [-1, 1).
static double next_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static void test_known_solution(void **state)
{
    (void)state;
    // Columns of (2 1 1; 4 3 3; 8 7 9), the right-hand side of x = (1, -2, 3).
    double a[] = {2, 4, 8, 1, 3, 7, 1, 3, 9}, b[] = {3, 7, 21};
    int pivot[3];
    assert_int_equal(dense_factor(3, a, pivot), 0);
    dense_solve(3, a, pivot, b);
    static const double x[] = {1, -2, 3};
    for (int i = 0; i < 3; i++)
        assert_true(fabs(b[i] - x[i]) < 1e-14);
}

// With zeros on the diagonal nothing works without pivoting: a cyclic permutation, scaled.
static void test_permutations(void **state)
{
    (void)state;
    static const int sizes[] = {2, 3, 4, 5, 8, 9, 64, 65, 73, LARGEST};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int n = sizes[k], pivot[LARGEST];
        double *a = calloc((size_t)(n * n), sizeof *a), b[LARGEST];
        assert_non_null(a);
        for (int j = 0; j < n; j++) {
            a[j * n + (j + 1) % n] = j + 1.0; // b[(j + 1) % n] = (j + 1) x[j]
            b[(j + 1) % n] = (j + 1.0) * (0.5 - j);
        }
        assert_int_equal(dense_factor(n, a, pivot), 0);
        dense_solve(n, a, pivot, b);
        for (int j = 0; j < n; j++)
            assert_true(fabs(b[j] - (0.5 - j)) <= 4.0 * DBL_EPSILON * n);
        free(a);
    }
}

// Residuals of random systems. Backward error analysis: |b - A x| <= 3 n eps g |A| |x|, with a
// growth factor g of at most about n^(2/3) for such matrices (Higham, section 9.4).
static void test_random_systems(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double *a = malloc(LARGEST * LARGEST * sizeof *a),
           *factors = malloc(LARGEST * LARGEST * sizeof *a);
    assert_non_null(a);
    assert_non_null(factors);
    for (int n = 1; n <= LARGEST; n += n < 80 ? 1 : 10) {
        double b[LARGEST], x[LARGEST];
        int pivot[LARGEST];
        for (int i = 0; i < n * n; i++)
            a[i] = factors[i] = next_number(&seed);
        for (int i = 0; i < n; i++)
            b[i] = x[i] = next_number(&seed);
        assert_int_equal(dense_factor(n, factors, pivot), 0);
        dense_solve(n, factors, pivot, x);
        double size = 0.0;
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(x[i]));
        for (int i = 0; i < n; i++) {
            double residual = b[i];
            for (int j = 0; j < n; j++)
                residual -= a[j * n + i] * x[j];
            assert_true(fabs(residual) <= 3.0 * n * DBL_EPSILON * pow(n, 2.0 / 3.0) * n * size);
        }
    }
    free(a);
    free(factors);
}

// Columns that depend on earlier ones exactly leave a zero pivot; its number is reported.
static void test_singular(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 8, 9, 30, 65, 100};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int n = sizes[k], pivot[LARGEST];
        double *a = calloc((size_t)(n * n), sizeof *a);
        assert_non_null(a);
        // Upper triangular with powers of two: no rounding. Column `zero` equals its neighbour.
        int zero = n - 1;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i <= j; i++)
                a[j * n + i] = i == j ? 4.0 : 1.0;
        }
        if (n > 1)
            memcpy(a + zero * n, a + (zero - 1) * n, (size_t)n * sizeof *a);
        else
            a[0] = 0.0;
        assert_int_equal(dense_factor(n, a, pivot), zero + 1);
        free(a);
    }
}

static void test_not_finite(void **state)
{
    (void)state;
    static const double values[] = {NAN, INFINITY, -INFINITY, 1e-320};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        double a[] = {1, 0, 0, values[k]};
        int pivot[2];
        assert_int_equal(dense_factor(2, a, pivot), 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_solution), cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_random_systems), cmocka_unit_test(test_singular),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
