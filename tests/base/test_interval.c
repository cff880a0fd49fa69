// SPDX-License-Identifier: MIT
//
// Bounds of operators: every value of operator_apply for operands inside must lie inside, for all
// rows of the table; and the bounds must be worth something.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/interval.h"

#include <float.h>

// A sequence without order: the fractional parts of multiples of the golden ratio.
static double next_part(double *state)
{
    *state += 0.6180339887498949;
    *state -= floor(*state);
    return *state;
}

static double next_between(double *state, double low, double high)
{
    return low + (high - low) * next_part(state);
}

// Wide and narrow ones, with whole numbers and zeros among their ends.
static Interval next_interval(double *state)
{
    static const double ends[] = {0.0, 1.0, -1.0, 2.0, -3.0, 0.5, 40.0, 1e-9, 1e6};
    const double kind = next_part(state);
    double a = kind < 0.4 ? ends[(int)(9.0 * next_part(state))] : next_between(state, -8.0, 8.0);
    double width = kind < 0.2   ? 0.0
                   : kind < 0.5 ? next_between(state, 0.0, 1e-3)
                   : kind < 0.7 ? (double)(int)next_between(state, 0.0, 5.0)
                                : next_between(state, 0.0, 9.0);
    return (Interval){a, a + width};
}

static double inside(double *state, Interval x)
{
    const double part = next_part(state);
    return part < 0.15   ? x.low
           : part > 0.85 ? x.high
                         : fmin(x.high, next_between(state, x.low, x.high));
}

static void results_lie_inside(void **unused)
{
    (void)unused;
    double state = 0.1;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info((Operator)op);
        if (info->bounds == OPERATOR_BOUNDS_NONE) // reads a history that is not there
            continue;
        for (int i = 0; i < 3000; i++) {
            const Interval a = next_interval(&state), b = next_interval(&state);
            const Interval c = next_interval(&state);
            bool jumps = false;
            const Interval y = interval_apply((Operator)op, a, b, c, &jumps);
            assert_true(y.low <= y.high);
            for (int k = 0; k < 20; k++) {
                const double u = inside(&state, a), v = inside(&state, b), w = inside(&state, c);
                const double value = operator_apply((Operator)op, u, v, w);
                if (!isnan(value) && !(value >= y.low && value <= y.high))
                    fail_msg("%s(%.17g, %.17g, %.17g) = %.17g is not in [%.17g, %.17g]", info->name,
                             u, v, w, value, y.low, y.high);
            }
        }
    }
}

// What does not jump by its bounds changes as little as one likes for operands that are close.
static void jumps_are_told(void **unused)
{
    (void)unused;
    double state = 0.3;
    static const Operator all[] = {OPERATOR_FLOOR, OPERATOR_CEIL,   OPERATOR_SIGN, OPERATOR_MOD,
                                   OPERATOR_REM,   OPERATOR_DIV,    OPERATOR_LESS, OPERATOR_EQUAL,
                                   OPERATOR_ATAN2, OPERATOR_INTEGER};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (int i = 0; i < 5000; i++) {
            const double width = i % 2 ? 1e-9 : 2.0;
            Interval a = {next_between(&state, -3.0, 3.0), 0.0}, b = interval_of(1.0);
            if (i % 5 == 0)
                a.low = round(a.low) - 0.5 * width;
            a.high = a.low + width;
            if (all[n] == OPERATOR_ATAN2)
                b.low = b.high = -1.0;
            bool jumps = false;
            interval_apply(all[n], a, b, b, &jumps);
            double before = operator_apply(all[n], a.low, b.low, 0.0);
            for (int k = 1; k <= 1000 && !jumps; k++) {
                const double value = operator_apply(all[n], a.low + k * 1e-3 * width, b.low, 0.0);
                assert_true(fabs(value - before) <= 2.0 * width + 1e-15);
                before = value;
            }
        }
}

static void powers_lie_inside(void **unused)
{
    (void)unused;
    double state = 0.7;
    for (int n = -5; n <= OPERATOR_LARGEST_POWER; n++)
        for (int i = 0; i < 2000; i++) {
            const Interval x = next_interval(&state), y = interval_power(x, n);
            for (int k = 0; k < 20; k++) {
                const double value = operator_power(inside(&state, x), n);
                assert_true(isnan(value) || (value >= y.low && value <= y.high));
            }
        }
    const Interval square = interval_power((Interval){-1.0, 2.0}, 2);
    assert_true(square.low >= -1e-300 && square.high < 4.0000001);
}

// Monotone functions and waves: no wider than what they do, but for rounding.
static void bounds_are_narrow(void **unused)
{
    (void)unused;
    bool jumps = false;
    const Interval b = interval_of(2.0);
    Interval y = interval_apply(OPERATOR_SIN, (Interval){1.5, 1.6}, b, b, &jumps);
    assert_true(y.high == 1.0 && y.low > 0.997 && y.low < sin(1.5));
    y = interval_apply(OPERATOR_SIN, (Interval){1e6, 1e6 + 1e-3}, b, b, &jumps);
    assert_true(y.high - y.low < 1.001e-3);
    y = interval_apply(OPERATOR_COS, (Interval){0.1, 7.0}, b, b, &jumps);
    assert_true(y.low == -1.0 && y.high == 1.0);
    y = interval_apply(OPERATOR_COS, (Interval){0.1, 3.0}, b, b, &jumps);
    assert_true(y.high <= cos(0.1) + 1e-14 && y.low >= cos(3.0) - 1e-14);
    y = interval_apply(OPERATOR_EXP, (Interval){-1.0, 1.0}, b, b, &jumps);
    assert_true(y.high <= exp(1.0) * (1.0 + 10.0 * DBL_EPSILON));
    y = interval_apply(OPERATOR_DIVIDE, (Interval){1.0, 2.0}, (Interval){-1.0, 1.0}, b, &jumps);
    assert_false(interval_is_finite(y));
    y = interval_apply(OPERATOR_ATAN2, (Interval){-1.0, 1.0}, (Interval){1.0, 2.0}, b, &jumps);
    assert_true(y.high < 0.7854 && y.low > -0.7854);
    assert_false(jumps);
    y = interval_apply(OPERATOR_GREATER, (Interval){3.0, 4.0}, b, b, &jumps);
    assert_true(y.low == 1.0 && !jumps);
    y = interval_apply(OPERATOR_GREATER, (Interval){1.0, 4.0}, b, b, &jumps);
    assert_true(y.low == 0.0 && y.high == 1.0 && jumps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_lie_inside),
        cmocka_unit_test(jumps_are_told),
        cmocka_unit_test(powers_lie_inside),
        cmocka_unit_test(bounds_are_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
