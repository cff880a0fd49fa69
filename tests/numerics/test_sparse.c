// SPDX-License-Identifier: MIT
//
// Sparse LU against dense LU, singular matrices, no memory of earlier factorizations.

#include "numerics/sparse.h"

#include "base/memory.h"
#include "numerics/dense.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 40 };

static double next_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

typedef struct Matrix {
    int column_start[N + 1], rows[N * N];
    double values[N * N];
} Matrix;

// A diagonal that is not zero, and one element in ten besides.
static void make_matrix(Matrix *m, uint64_t *seed)
{
    int count = 0;
    for (int column = 0; column < N; column++) {
        m->column_start[column] = count;
        for (int row = 0; row < N; row++) {
            if (row != column && fabs(next_number(seed)) > 0.1)
                continue;
            m->rows[count] = row;
            m->values[count++] = next_number(seed) + (row == column ? 2.0 : 0.0);
        }
    }
    m->column_start[N] = count;
}

static void to_dense(const Matrix *m, double a[N * N])
{
    memset(a, 0, N * N * sizeof *a);
    for (int column = 0; column < N; column++) {
        for (int k = m->column_start[column]; k < m->column_start[column + 1]; k++)
            a[column * N + m->rows[k]] = m->values[k];
    }
}

static void test_same_as_dense(void **state)
{
    (void)state;
    SaltusAllocator allocator = memory_default();
    uint64_t seed = 3;
    static Matrix m;
    for (int i = 0; i < 10; i++) {
        make_matrix(&m, &seed);
        double a[N * N], x[N], y[N];
        int pivot[N];
        to_dense(&m, a);
        for (int k = 0; k < N; k++)
            x[k] = y[k] = next_number(&seed);
        Sparse *sparse = sparse_create(N, m.column_start, m.rows, &allocator);
        assert_non_null(sparse);
        assert_int_equal(sparse_factor(sparse, m.values), 0);
        sparse_solve(sparse, x);
        assert_int_equal(dense_factor(N, a, pivot), 0);
        dense_solve(N, a, pivot, y);
        for (int k = 0; k < N; k++)
            assert_true(fabs(x[k] - y[k]) < 1e-11); // condition numbers up to 1000
        sparse_destroy(sparse);
    }
}

// Other values of the same pattern in between change nothing.
static void test_no_memory(void **state)
{
    (void)state;
    SaltusAllocator allocator = memory_default();
    uint64_t seed = 5;
    static Matrix m;
    make_matrix(&m, &seed);
    double other[N * N], first[N], again[N];
    for (int k = 0; k < m.column_start[N]; k++)
        other[k] = next_number(&seed);
    for (int k = 0; k < N; k++)
        first[k] = again[k] = next_number(&seed);
    Sparse *sparse = sparse_create(N, m.column_start, m.rows, &allocator);
    assert_int_equal(sparse_factor(sparse, m.values), 0);
    sparse_solve(sparse, first);
    assert_int_equal(sparse_factor(sparse, other), 0);
    assert_int_equal(sparse_factor(sparse, m.values), 0);
    sparse_solve(sparse, again);
    assert_memory_equal(first, again, sizeof first);
    sparse_destroy(sparse);
}

// A path of values along which pivots stay the same, change, are equal in size, are on the diagonal
// and beside it: the same bits as without what was before.
static void test_path(void **state)
{
    (void)state;
    SaltusAllocator allocator = memory_default();
    uint64_t seed = 7;
    static Matrix m, now;
    for (int path = 0; path < 20; path++) {
        make_matrix(&m, &seed);
        double speeds[N * N];
        for (int k = 0; k < m.column_start[N]; k++) {
            const double kind = next_number(&seed);
            speeds[k] = kind > 0.0 ? next_number(&seed) : 0.0;
            if (kind < -0.5)
                m.values[k] = next_number(&seed) > 0.0 ? 1.0 : -1.0;
            else if (path % 2 == 0) // below a thousandth of the others
                m.values[k] *= next_number(&seed) > 0.5 ? 1e-4 : 1.0;
        }
        Sparse *sparse = sparse_create(N, m.column_start, m.rows, &allocator);
        for (int step = 0; step < 100; step++) {
            double x[N], y[N];
            now = m;
            for (int k = 0; k < m.column_start[N]; k++)
                now.values[k] += 0.001 * step * speeds[k];
            for (int k = 0; k < N; k++)
                x[k] = y[k] = next_number(&seed);
            Sparse *fresh = sparse_create(N, m.column_start, m.rows, &allocator);
            assert_int_equal(sparse_factor(sparse, now.values), 0);
            assert_int_equal(sparse_factor(fresh, now.values), 0);
            sparse_solve(sparse, x);
            sparse_solve(fresh, y);
            assert_memory_equal(x, y, sizeof x);
            sparse_destroy(fresh);
        }
        sparse_destroy(sparse);
    }
}

// A column of zeros, by value and by structure; values that are not finite.
static void test_singular(void **state)
{
    (void)state;
    SaltusAllocator allocator = memory_default();
    int start[] = {0, 2, 3, 5}, rows[] = {0, 1, 1, 0, 2};
    double values[] = {1.0, 2.0, 0.0, 3.0, 4.0};
    Sparse *sparse = sparse_create(3, start, rows, &allocator);
    assert_non_null(sparse);
    assert_int_equal(sparse_factor(sparse, values), 2);
    values[2] = 1.0;
    assert_int_equal(sparse_factor(sparse, values), 0);
    values[4] = NAN;
    assert_int_equal(sparse_factor(sparse, values), 3);
    sparse_destroy(sparse);

    int no_second[] = {0, 2, 2, 4}, no_second_rows[] = {0, 1, 0, 2};
    double others[] = {1.0, 2.0, 3.0, 4.0};
    sparse = sparse_create(3, no_second, no_second_rows, &allocator);
    assert_non_null(sparse);
    assert_int_equal(sparse_factor(sparse, others), 2);
    sparse_destroy(sparse);
}

static void test_when_it_pays(void **state)
{
    (void)state;
    assert_false(sparse_pays(10, 10));       // too small
    assert_false(sparse_pays(100, 5000));    // too full
    assert_true(sparse_pays(100, 500));      //
    assert_true(sparse_pays(50000, 200000)); // no overflow
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_dense), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_path),          cmocka_unit_test(test_singular),
        cmocka_unit_test(test_when_it_pays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
