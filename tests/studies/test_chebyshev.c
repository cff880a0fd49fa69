// SPDX-License-Identifier: MIT
//
// Chebyshev sums: what they pass through, their extrema, zeros and integrals.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "studies/chebyshev.h"

#include <math.h>

static Chebyshev fit(int count, double (*function)(double))
{
    double table[CHEBYSHEV_TABLE];
    Chebyshev f;
    double values[CHEBYSHEV_MANY];
    chebyshev_prepare(table);
    for (int i = 0; i < count; i++)
        values[i] = function(chebyshev_node(table, count, i));
    chebyshev_fit(&f, table, count, values);
    return f;
}

static double quintic(double s)
{
    return s * (s * s - 0.25) * (s * s - 0.64);
}

// A polynomial of degree 5 is reproduced to rounding, by few nodes and by many.
static void test_polynomials_are_exact(void **state)
{
    (void)state;
    for (int count = CHEBYSHEV_FEW; count <= CHEBYSHEV_MANY; count += 18) {
        const Chebyshev f = fit(count, quintic);
        assert_true(chebyshev_is_resolved(&f, 1e-15));
        for (double s = -1.0; s <= 1.0; s += 0.125)
            assert_true(fabs(chebyshev_value(&f, s) - quintic(s)) < 1e-14);
        assert_true(fabs(chebyshev_root(&f, 0.3, 0.7) - 0.5) < 1e-14);
    }
}

static void test_nodes_are_nested(void **state)
{
    (void)state;
    double table[CHEBYSHEV_TABLE];
    chebyshev_prepare(table);
    for (int i = 0; i < CHEBYSHEV_FEW; i++)
        assert_true(chebyshev_node(table, CHEBYSHEV_FEW, i) ==
                    chebyshev_node(table, CHEBYSHEV_MANY, 3 * i + 1));
    for (int i = 1; i < CHEBYSHEV_MANY; i++)
        assert_true(chebyshev_node(table, CHEBYSHEV_MANY, i - 1) <
                    chebyshev_node(table, CHEBYSHEV_MANY, i));
}

static double wave(double s)
{
    return sin(5.0 * s + 1.0);
}

// sin(5 s + 1) has its extrema at (pi/2 - 1)/5 + k pi/5.
static void test_extrema(void **state)
{
    (void)state;
    const Chebyshev f = fit(CHEBYSHEV_MANY, wave);
    const double pi = acos(-1.0), first = (0.5 * pi - 1.0) / 5.0;
    double extrema[CHEBYSHEV_MANY];
    assert_int_equal(chebyshev_extrema(&f, extrema), 3);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(extrema[k] - (first + (k - 1) * pi / 5.0)) < 1e-13);
    assert_true(chebyshev_bound(&f) >= 1.0);
}

static void test_integral(void **state)
{
    (void)state;
    const Chebyshev f = fit(CHEBYSHEV_MANY, wave);
    assert_true(fabs(chebyshev_integral(&f, -1.0, 1.0) - (cos(-4.0) - cos(6.0)) / 5.0) < 1e-14);
    assert_true(fabs(chebyshev_integral(&f, 0.0, 0.5) - (cos(1.0) - cos(3.5)) / 5.0) < 1e-14);
}

static void test_meets_its_ends(void **state)
{
    (void)state;
    Chebyshev f = fit(CHEBYSHEV_FEW, quintic);
    chebyshev_meet(&f, 2.0, -3.0);
    assert_true(fabs(chebyshev_value(&f, -1.0) - 2.0) < 1e-14);
    assert_true(fabs(chebyshev_value(&f, 1.0) + 3.0) < 1e-14);
}

static void test_kink_is_not_resolved(void **state)
{
    (void)state;
    const Chebyshev f = fit(CHEBYSHEV_MANY, fabs);
    assert_false(chebyshev_is_resolved(&f, 1e-12));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials_are_exact),
        cmocka_unit_test(test_nodes_are_nested),
        cmocka_unit_test(test_extrema),
        cmocka_unit_test(test_integral),
        cmocka_unit_test(test_meets_its_ends),
        cmocka_unit_test(test_kink_is_not_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
