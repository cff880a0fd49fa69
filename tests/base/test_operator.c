// SPDX-License-Identifier: MIT
//
// The table of operators: what its columns say of each other.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/operator.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

// Small enough that nothing overflows: exp(40), 40^40, (1e-6)^-40 are.
static const double values[] = {0.0,
                                -0.0,
                                0.3,
                                -0.3,
                                0.5,
                                -0.5,
                                0.8,
                                -0.8,
                                1.0,
                                -1.0,
                                1.2,
                                -1.2,
                                2.0,
                                -2.0,
                                2.5,
                                -2.5,
                                7.0,
                                -7.0,
                                40.0,
                                -40.0,
                                1e-3,
                                -1e-3,
                                1e-6,
                                3.141592653589793,
                                1.5707963267948966};
enum { COUNT = sizeof values / sizeof *values };

// The columns "outside", OPERATOR_PARTIAL and OPERATOR_BOUNDED against the column "meaning".
static void domains_are_where_results_are_finite(void **state)
{
    (void)state;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info((Operator)op);
        int outside = 0;
        for (int i = 0; i < COUNT * COUNT; i++) {
            const double a = values[i / COUNT], b = info->count > 1 ? values[i % COUNT] : 0.0;
            const double y = operator_apply((Operator)op, a, b, 1.0);
            const char *reason = operator_outside((Operator)op, a, b);
            if (isfinite(y) != (reason == NULL))
                fail_msg("%s(%g, %g) is %g: %s", info->text, a, b, y, reason ? reason : "inside");
            outside += reason != NULL;
        }
        if (outside && !(info->traits & OPERATOR_PARTIAL))
            fail_msg("%s is partial", info->text);
        if (info->traits & OPERATOR_BOUNDED)
            assert_true(isfinite(operator_apply((Operator)op, 1e308, -1e308, 1e308)));
    }
    assert_null(operator_outside(OPERATOR_LOG, NAN, 0.0));
    assert_null(operator_outside(OPERATOR_DIVIDE, NAN, 0.0));
    assert_string_equal(operator_outside(OPERATOR_ASIN, 2.0, 0.0),
                        "the argument is not between -1 and 1");
}

static int sign(double x)
{
    return (x > 0.0) - (x < 0.0);
}

// Whether the column "sign" allows the sign of this result.
static bool is_allowed(OperatorSign rule, double a, double b, int y)
{
    switch (rule) {
    case OPERATOR_SIGN_ANY:
    case OPERATOR_SIGN_CHOICE:
        return true;
    case OPERATOR_SIGN_POSITIVE:
        return y > 0;
    case OPERATOR_SIGN_POWER:
        return a <= 0.0 || y > 0;
    case OPERATOR_SIGN_SAME:
        return y == sign(a);
    case OPERATOR_SIGN_OPPOSITE:
        return y == -sign(a);
    case OPERATOR_SIGN_MAGNITUDE:
    case OPERATOR_SIGN_ROOT:
        return y == (a != 0.0);
    case OPERATOR_SIGN_DISTANCE:
        return y == (a != 0.0 || b != 0.0);
    case OPERATOR_SIGN_SUM:
        return y == sign(a + b);
    case OPERATOR_SIGN_DIFFERENCE:
        return y == sign(a - b);
    case OPERATOR_SIGN_PRODUCT:
    case OPERATOR_SIGN_QUOTIENT:
        return y == sign(a) * sign(b);
    }
    return false;
}

static void signs_are_those_of_results(void **state)
{
    (void)state;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info((Operator)op);
        for (int i = 0; i < COUNT * COUNT; i++) {
            const double a = values[i / COUNT], b = values[i % COUNT];
            if (operator_outside((Operator)op, a, b) || fabs(a) > 20.0) // erfc(40) vanishes
                continue;
            const double y = operator_apply((Operator)op, a, b, 0.0);
            if (!is_allowed(info->sign, a, b, sign(y)))
                fail_msg("%s(%g, %g) is %g", info->text, a, b, y);
        }
    }
}

// Whether a C expression contains a variable of one letter.
static bool mentions(const char *text, char letter)
{
    for (const char *c = text; *c; c++)
        if (*c == letter && (c == text || !isalnum((unsigned char)c[-1])) &&
            !isalnum((unsigned char)c[1]))
            return true;
    return false;
}

// "RR>R": as many letters as operands that the meaning mentions, and a result.
static void signatures_fit_meanings(void **state)
{
    (void)state;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info((Operator)op);
        assert_int_equal(strlen(info->signature), info->count + 2);
        assert_int_equal(info->signature[info->count], '>');
        for (uint8_t k = 0; k < 3; k++)
            if (mentions(info->meaning, "abc"[k]) != (k < info->count))
                fail_msg("%s: %s, %s", info->text, info->signature, info->meaning);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_are_where_results_are_finite),
        cmocka_unit_test(signs_are_those_of_results),
        cmocka_unit_test(signatures_fit_meanings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
