// SPDX-License-Identifier: MIT
//
// Fixed points of maps that are known. Models with them: model/test_discrete.c.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "instant/mixed.h"

#include <math.h>

// An affine map is solved to the rounding of its values, a few units of 1e-16.
static const double rounding = 1e-14;

static bool affine(void *user, const double *d, double *f)
{
    (void)user;
    f[0] = 7.0 - 2.0 * (5.0 - d[0]) + 0.25; // = 2 d - 2.75: d = 2.75
    return true;
}

static bool coupled(void *user, const double *d, double *f)
{
    (void)user;
    f[0] = 3.0 * d[1] - 7.0; // d = (-1, 2): -1 = 6 - 7, 2 = -2 (-1)
    f[1] = -2.0 * d[0];
    return true;
}

// d = d^2 - 2: 2 and -1, both repel the plain iteration (slopes 4 and -2).
static bool square(void *user, const double *d, double *f)
{
    (void)user;
    f[0] = d[0] * d[0] - 2.0;
    return true;
}

static bool shifted(void *user, const double *d, double *f)
{
    (void)user;
    f[0] = d[0] + 1.0; // none
    return true;
}

// d = d^2 + 1 has no real solution.
static bool rootless(void *user, const double *d, double *f)
{
    (void)user;
    f[0] = d[0] * d[0] + 1.0;
    return true;
}

static bool failing(void *user, const double *d, double *f)
{
    (void)user;
    f[0] = sqrt(d[0]);
    return d[0] >= 0.0;
}

static void test_affine_maps(void **state)
{
    (void)state;
    double d[2] = {0.0, 0.0};
    assert_int_equal(mixed_solve(1, affine, NULL, d), MIXED_FOUND);
    assert_true(fabs(d[0] - 2.75) <= rounding);
    d[0] = 1e3;
    assert_int_equal(mixed_solve(1, affine, NULL, d), MIXED_FOUND);
    assert_true(fabs(d[0] - 2.75) <= rounding);
    d[0] = d[1] = 0.0;
    assert_int_equal(mixed_solve(2, coupled, NULL, d), MIXED_FOUND);
    assert_true(fabs(d[0] + 1.0) <= rounding && fabs(d[1] - 2.0) <= rounding);
}

static void test_nonlinear_map(void **state)
{
    (void)state;
    double d = 3.0;
    assert_int_equal(mixed_solve(1, square, NULL, &d), MIXED_FOUND);
    assert_true(fabs(d - 2.0) <= rounding);
    d = -3.0;
    assert_int_equal(mixed_solve(1, square, NULL, &d), MIXED_FOUND);
    assert_true(fabs(d + 1.0) <= rounding);
}

// d0 = unit cos(d1 / unit^2), d1 = d0 unit exp(d0 / unit) / 4, in units far from 1, which are not
// those of the differences: the same numbers times the units.
static bool in_units(void *user, const double *d, double *f)
{
    const double unit = *(double *)user, a = d[0] / unit, b = d[1] / (unit * unit);
    f[0] = cos(b) * unit;
    f[1] = 0.25 * a * exp(a) * unit * unit;
    return true;
}

static void test_units(void **state)
{
    (void)state;
    double first[2] = {0.0, 0.0}, unit = 1.0;
    assert_int_equal(mixed_solve(2, in_units, &unit, first), MIXED_FOUND);
    assert_true(fabs(first[0] - cos(first[1])) <= rounding && first[0] > 0.5);
    for (unit = 1e-15; unit <= 1e15; unit *= 1e6) {
        double d[2] = {0.0, 0.0};
        assert_int_equal(mixed_solve(2, in_units, &unit, d), MIXED_FOUND);
        assert_true(fabs(d[0] / unit - first[0]) <= rounding);
        assert_true(fabs(d[1] / (unit * unit) - first[1]) <= rounding);
    }
}

// Where there is none, the values are as they were.
static void test_no_fixed_point(void **state)
{
    (void)state;
    double d = 0.5;
    assert_int_equal(mixed_solve(1, shifted, NULL, &d), MIXED_SINGULAR);
    assert_true(d == 0.5);
    assert_int_not_equal(mixed_solve(1, rootless, NULL, &d), MIXED_FOUND);
    assert_true(d == 0.5);
    d = -1.0;
    assert_int_equal(mixed_solve(1, failing, NULL, &d), MIXED_FAILED);
    assert_true(d == -1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affine_maps),
        cmocka_unit_test(test_nonlinear_map),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_no_fixed_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
