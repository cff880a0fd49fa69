// SPDX-License-Identifier: MIT
//
// The profile of a pipe as it is at the start: linear between points, which may jump, and of the
// size of its largest value, by which tolerances are scaled.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/profile.h"

#include <math.h>

// At both ends, x = 0 being where the marks are the places themselves.
static void begins_between_points(void **state)
{
    (void)state;
    static const double points[] = {0.0, 1.0, 0.5, -8.0, 0.5, 4.0, 1.0, 2.0};
    Profile p = {.allocator = memory_default()};
    assert_true(profile_begin(&p, 0.0, 4, points, 1e-6, 1e-6));
    assert_true(p.size == 8.0); // at the second of the points
    assert_int_equal(p.count, 2);
    for (int k = 0; k < 2; k++) {
        const ProfileEnd *end = &p.ends[k];
        // Values are counted from that at the end; the jump is seen from where the reader is.
        assert_true(end->origin == (k ? 2.0 : 1.0));
        const double low = end->origin + end->at((const History *)(const void *)end, 0.25, 0.0);
        const double high = end->origin + end->at((const History *)(const void *)end, 0.75, 0.0);
        assert_true(fabs(low + 3.5) <= 1e-14 && fabs(high - 3.0) <= 1e-14);
    }
    assert_true(profile_find_front(&p, false, false) == 0.5);
    profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(begins_between_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
