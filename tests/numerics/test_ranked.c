// SPDX-License-Identifier: MIT
//
// Square systems without inverse: what their rank is, and the shortest solutions.

#include "numerics/ranked.h"

#include "base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Columns one after the other.
static const double ring[] = {1, 0, -1, -1, 1, 0, 0, -1, 1};

// a - b, b - c, c - a: differences in a ring. Given (2, 1, -3), which agree, a, b, c are known up
// to a constant; the shortest have the sum zero: (5, -1, -4) / 3.
static void differences_in_a_ring(void **state)
{
    (void)state;
    const SaltusAllocator allocator = memory_default();
    Ranked *r = ranked_create(3, &allocator);
    double b[] = {2, 1, -3};
    assert_int_equal(ranked_set(r, ring, NULL, NULL), 2);
    ranked_solve(r, b);
    assert_true(fabs(b[0] - 5.0 / 3.0) < 1e-14 && fabs(b[1] + 1.0 / 3.0) < 1e-14);
    assert_true(fabs(b[2] + 4.0 / 3.0) < 1e-14);
    for (int j = 0; j < 3; j++)
        assert_true(ranked_is_open(r, j));
    ranked_destroy(r);
}

// The same with a pattern, and with one equation in other units: the rank does not change.
static void units_do_not_decide(void **state)
{
    (void)state;
    const SaltusAllocator allocator = memory_default();
    Ranked *r = ranked_create(3, &allocator);
    const int start[] = {0, 2, 4, 6}, rows[] = {0, 2, 0, 1, 1, 2};
    const double values[] = {1e-9, -1e8, -1e-9, 1.0, -1.0, 1e8};
    assert_int_equal(ranked_set(r, values, start, rows), 2);
    double b[] = {2e-9, 1, -3e8};
    ranked_solve(r, b);
    assert_true(fabs(b[0] - b[1] - 2.0) < 1e-13 && fabs(b[1] - b[2] - 1.0) < 1e-13);
    // a diagonal of any size is regular
    const double diagonal[] = {1e-20, 0, 0, 0, 1.0, 0, 0, 0, 1e20};
    assert_int_equal(ranked_set(r, diagonal, NULL, NULL), 3);
    assert_false(ranked_is_open(r, 0));
    double ones[] = {1e-20, 2.0, 3e20};
    ranked_solve(r, ones);
    assert_true(fabs(ones[0] - 1.0) < 1e-15 && fabs(ones[2] - 3.0) < 1e-15);
    ranked_destroy(r);
}

static void values_without_sense(void **state)
{
    (void)state;
    const SaltusAllocator allocator = memory_default();
    Ranked *r = ranked_create(2, &allocator);
    assert_int_equal(ranked_set(r, (double[]){1, 0, INFINITY, 1}, NULL, NULL), -1);
    assert_int_equal(ranked_set(r, (double[]){0, 0, 0, 0}, NULL, NULL), 0);
    double b[] = {3, 4};
    ranked_solve(r, b);
    assert_true(b[0] == 0.0 && b[1] == 0.0 && ranked_is_open(r, 1));
    ranked_destroy(r);
    ranked_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_in_a_ring),
        cmocka_unit_test(units_do_not_decide),
        cmocka_unit_test(values_without_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
