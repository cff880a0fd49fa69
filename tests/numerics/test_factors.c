// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/factors.h"

#include <math.h>

enum { N = 40 };

// A tridiagonal matrix, (-1, d, -1), for x = 1, 2, 3, ...: the same solution dense and sparse.
static void solve(bool is_sparse, double d, double *x)
{
    const SaltusAllocator a = memory_default();
    int starts[N + 1] = {0}, rows[3 * N];
    double values[3 * N];
    int count = 0;
    for (int j = 0; j < N; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i < 0 || i >= N)
                continue;
            rows[count] = i;
            values[count++] = i == j ? d : -1.0;
        }
        starts[j + 1] = count;
    }
    Factors f;
    assert_true(factors_create(&f, N, is_sparse ? starts : NULL, rows, &a));
    assert_int_equal(f.value_count, is_sparse ? count : N * N);
    for (int j = 0; j < N; j++)
        for (int k = starts[j]; k < starts[j + 1]; k++)
            f.values[is_sparse ? k : j * N + rows[k]] = values[k];
    assert_int_equal(factors_factor(&f), 0);
    for (int i = 0; i < N; i++)
        x[i] = d * (i + 1) - i - (i + 1 < N ? i + 2 : 0);
    factors_solve(&f, x);
    factors_destroy(&f);
    factors_destroy(&f); // twice is allowed
}

static void dense_and_sparse(void **state)
{
    (void)state;
    for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
        double x[N];
        solve(is_sparse, 4.0, x); // condition 3
        for (int i = 0; i < N; i++)
            assert_true(fabs(x[i] - (i + 1)) < 1e-13 * (i + 1));
    }
}

static void singular(void **state)
{
    (void)state;
    const SaltusAllocator a = memory_default();
    int starts[] = {0, 1, 2}, rows[] = {0, 1};
    for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
        Factors f;
        assert_true(factors_create(&f, 2, is_sparse ? starts : NULL, rows, &a));
        f.values[0] = 1.0; // and a zero on the diagonal
        assert_int_equal(factors_factor(&f), 2);
        factors_destroy(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_and_sparse),
        cmocka_unit_test(singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
