// SPDX-License-Identifier: MIT
//
// Detection by bounds: functions whose roots are known, over one step that is as long as one likes.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events/bounds.h"

#include <float.h>
#include <math.h>

// ((t - 3) / width)^2 - 1/4: negative in a pulse around t = 3.
static void pulse_bounds(void *user, int event, double from, double to, SaltusBounds *b)
{
    (void)event;
    const double width = *(const double *)user, x = (from - 3.0) / width, y = (to - 3.0) / width;
    const double most = fmax(x * x, y * y), least = x * y <= 0.0 ? 0.0 : fmin(x * x, y * y);
    const double off = 4.0 * DBL_EPSILON * (most + 1.0);
    *b = (SaltusBounds){least - 0.25 - off, most - 0.25 + off, 2.0 * x / width, 2.0 * y / width};
}

static void a_narrow_pulse_is_found(void **unused)
{
    (void)unused;
    for (double width = 1.0; width > 1e-12; width *= 0.1)
        for (double end = 4.0; end < 1e9; end *= 7.0) {
            BoundsScan scan = {.bounds = pulse_bounds, .user = &width, .sign = 1, .end = end};
            assert_int_equal(bounds_scan(&scan), BOUNDS_CROSSED);
            assert_true(scan.a <= 3.0 - 0.5 * width && scan.b >= 3.0 - 0.5 * width - 1e-15);
            // Close, but far enough for the signs to be certain.
            assert_true(scan.b - scan.a < 1e-13 + 1e-12 * width);
            assert_true(scan.b < 3.0 + 0.5 * width);
            assert_true(scan.evaluations < 1000);
        }
}

// What crosses in the direction that does not count is followed, and the way back is found.
static void directions_count(void **unused)
{
    (void)unused;
    double width = 1e-6;
    BoundsScan scan = {.bounds = pulse_bounds,
                       .user = &width,
                       .sign = 1,
                       .direction = SALTUS_RISING,
                       .end = 100.0};
    assert_int_equal(bounds_scan(&scan), BOUNDS_CROSSED);
    assert_int_equal(scan.sign, -1);
    assert_true(scan.a > 3.0 - 0.5 * width && scan.b >= 3.0 + 0.5 * width - 1e-15);
}

// (t - 3)^2 touches zero: it ends, and is no crossing.
static void touch_bounds(void *user, int event, double from, double to, SaltusBounds *b)
{
    double width = 1.0;
    (void)user;
    pulse_bounds(&width, event, from, to, b);
    b->low += 0.25;
    b->high += 0.25;
}

static void touching_is_no_crossing(void **unused)
{
    (void)unused;
    BoundsScan scan = {.bounds = touch_bounds, .sign = 1, .end = 10.0};
    assert_int_equal(bounds_scan(&scan), BOUNDS_CLEAR);
    assert_true(scan.evaluations < 2000);
}

static void no_bounds(void *user, int event, double from, double to, SaltusBounds *b)
{
    (void)user, (void)event, (void)from, (void)to;
    *b = (SaltusBounds){-INFINITY, INFINITY, -INFINITY, INFINITY};
}

// Bounds that never get narrower: the number of evaluations is bounded.
static void wide_bounds(void *user, int event, double from, double to, SaltusBounds *b)
{
    (void)user, (void)event;
    const double half = from == to ? 1e-3 : 1.0;
    *b = (SaltusBounds){-half, half, -1e300, 1e300};
}

static void what_cannot_be_known_is_said_so(void **unused)
{
    (void)unused;
    BoundsScan scan = {.bounds = no_bounds, .sign = 1, .end = 1.0};
    assert_int_equal(bounds_scan(&scan), BOUNDS_UNKNOWN);
    assert_true(scan.evaluations < 100);
    scan = (BoundsScan){.bounds = wide_bounds, .sign = 1, .end = 1.0};
    assert_int_equal(bounds_scan(&scan), BOUNDS_UNKNOWN);
    assert_in_range(scan.evaluations, BOUNDS_TO_JUDGE, BOUNDS_TO_JUDGE + 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_pulse_is_found),
        cmocka_unit_test(directions_count),
        cmocka_unit_test(touching_is_no_crossing),
        cmocka_unit_test(what_cannot_be_known_is_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
