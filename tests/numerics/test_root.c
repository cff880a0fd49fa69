// SPDX-License-Identifier: MIT
//
// Brent's method against known zeros.

#include "numerics/root.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int calls;

static double cosine(void *user, double x)
{
    (void)user;
    calls++;
    return cos(x);
}

static double flat_cube(void *user, double x)
{
    (void)user;
    calls++;
    return pow(x - 0.25, 3.0);
}

static double step(void *user, double x)
{
    return x < *(const double *)user ? -1.0 : 1.0;
}

static double hole(void *user, double x)
{
    (void)user;
    return x == 0.0 ? -1.0 : x == 1.0 ? 1.0 : NAN;
}

// Two ulps of the zero, by the method's own last step.
static void smooth_zero(void **state)
{
    (void)state;
    calls = 0;
    assert_true(fabs(root_find(cosine, NULL, 1.0, 2.0, 0.0) - 1.5707963267948966) <=
                8.0 * DBL_EPSILON);
    assert_true(calls < 15);
    assert_true(fabs(root_find(cosine, NULL, 2.0, 1.0, 0.0) - 1.5707963267948966) <=
                8.0 * DBL_EPSILON);
    assert_true(fabs(root_find(cosine, NULL, 1.0, 2.0, 1e-3) - 1.5707963267948966) <= 1e-3);
}

// A triple zero: the cube is below the smallest number within 1e-108, so the bracket closes.
static void flat_zero(void **state)
{
    (void)state;
    calls = 0;
    assert_true(fabs(root_find(flat_cube, NULL, -1.0, 1.0, 1e-9) - 0.25) <= 1e-9);
    assert_true(calls < 200);
}

static void jump(void **state)
{
    (void)state;
    double place = 0.3;
    assert_true(fabs(root_find(step, &place, 0.0, 1.0, 0.0) - 0.3) <= 4.0 * DBL_EPSILON);
}

static void ends_and_nothing(void **state)
{
    (void)state;
    double place = 5.0;
    assert_true(isnan(root_find(step, &place, 0.0, 1.0, 0.0)));
    assert_true(isnan(root_find(hole, NULL, 0.0, 1.0, 0.0)));
    assert_true(root_find(flat_cube, NULL, 0.25, 1.0, 0.0) == 0.25);
    assert_true(root_find(flat_cube, NULL, -1.0, 0.25, 0.0) == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_zero),
        cmocka_unit_test(flat_zero),
        cmocka_unit_test(jump),
        cmocka_unit_test(ends_and_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
