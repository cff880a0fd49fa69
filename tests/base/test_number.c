// SPDX-License-Identifier: MIT
//
// Reading is compared with the C library's strtod in the "C" locale, which is correctly rounded;
// writing by reading back, and with the shortest texts that are known.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static void assert_read(const char *text, double expected)
{
    double value = -1;
    assert_true(number_read(text, strlen(text), &value));
    if (bits(value) != bits(expected))
        fail_msg("%s: %.17g instead of %.17g", text, value, expected);
}

static void known_numbers_are_read(void **state)
{
    (void)state;
    assert_read("0", 0);
    assert_read("13.", 13);
    assert_read(".5", 0.5);
    assert_read("1.e3", 1000);
    assert_read("0.1", 0.1);
    assert_read("1E-3", 1e-3);
    assert_read("1e+22", 1e22);
    assert_read("1e23", 1e23);                           // not exact: 10^23 is no double
    assert_read("9007199254740993", 9007199254740992.0); // a tie, to even
    assert_read("9007199254740993.00000000000000000000001", 9007199254740994.0);
    assert_read("1.7976931348623157e308", 1.7976931348623157e308);
    assert_read("4.9406564584124654e-324", 4.9406564584124654e-324);
    assert_read("2.2250738585072011e-308", 2.2250738585072011e-308);
    assert_read("1e-400", 0);
    assert_read("1e400", HUGE_VAL);
    assert_read("0e999999999999999999", 0);
    assert_read("1e-999999999999999999", 0);
    assert_read("000000000000000000000000000001.5", 1.5);
    assert_read("0.000000000000000000000000000001", 1e-30);
    assert_read("10000000000000000000000000000000", 1e31);
}

static void other_forms_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"", ".", "e1", "1e", "1e+", "-1", "1x", "1.2.3", " 1", "1 "};
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(number_read(bad[i], strlen(bad[i]), &value));
}

// 2^53 + 1 lies between two doubles; a digit far behind decides. And a long text of digits is read
// like strtod reads it.
static void long_numbers_are_read(void **state)
{
    (void)state;
    char text[2100];
    strcpy(text, "9007199254740993.");
    memset(text + 17, '0', 2000);
    strcpy(text + 2017, "1");
    assert_read(text, 9007199254740994.0);
    text[2017] = '0';
    assert_read(text, 9007199254740992.0);
    memset(text, '7', 2000);
    strcpy(text + 2000, "e-1900");
    assert_read(text, strtod(text, NULL));
    text[0] = '.';
    assert_read(text, strtod(text, NULL));
    text[0] = '7';
    text[1000] = '.';
    strcpy(text + 2000, "e-900");
    assert_read(text, strtod(text, NULL));
}

// A small generator of pseudo-random bits (xorshift64).
static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void random_texts_agree_with_strtod(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        uint64_t a = next_random(&seed), b = next_random(&seed);
        int digits = 1 + (int)(b % 25), exponent = (int)((b >> 8) % 80) - 40;
        snprintf(text, sizeof text, "%llu.%0*llue%d", (unsigned long long)(a >> (b % 64)), digits,
                 (unsigned long long)(next_random(&seed) % 1000000), exponent);
        assert_read(text, strtod(text, NULL));
    }
}

static void random_doubles_survive(void **state)
{
    (void)state;
    uint64_t seed = 362436069362436069u;
    for (int i = 0; i < 30000; i++) {
        uint64_t u = next_random(&seed);
        double value, back;
        memcpy(&value, &u, sizeof value);
        if (!isfinite(value))
            continue;
        value = fabs(value);
        char text[NUMBER_LENGTH];
        size_t length = number_write(value, text);
        assert_int_equal(strlen(text), length);
        assert_true(number_read(text, length, &back));
        assert_true(bits(back) == bits(value));
    }
}

static void assert_written(double value, const char *expected)
{
    char text[NUMBER_LENGTH];
    number_write(value, text);
    assert_string_equal(text, expected);
}

static void shortest_texts_are_written(void **state)
{
    (void)state;
    assert_written(0, "0.0");
    assert_written(1, "1.0");
    assert_written(0.1, "0.1");
    assert_written(-1.5, "-1.5");
    assert_written(100, "100.0");
    assert_written(12345.678, "12345.678");
    assert_written(1e-4, "0.0001");
    assert_written(1e-5, "1e-5");
    assert_written(1e15, "1000000000000000.0");
    assert_written(1e16, "1e16");
    assert_written(1.0 / 3, "0.3333333333333333");
    assert_written(5e-324, "5e-324");
    assert_written(1.7976931348623157e308, "1.7976931348623157e308");
}

// In a locale with a decimal comma everything stays the same. Where none is installed the test
// still says that the "C" locale works.
static void locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_AT.UTF-8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < 4 && !setlocale(LC_NUMERIC, names[i]); i++)
        continue;
    assert_read("1234567890.12345678901234567890", 1234567890.12345678901234567890);
    assert_written(12345.678, "12345.678");
    assert_written(1.5e-7, "1.5e-7");
    setlocale(LC_NUMERIC, "C");
}

static void assert_printed(double value)
{
    char expected[40], text[NUMBER_LENGTH];
    snprintf(expected, sizeof expected, "%.17g", value);
    const size_t length = number_print(value, text);
    if (strcmp(text, expected) != 0 || length != strlen(text))
        fail_msg("%s instead of %s", text, expected);
}

// All sizes, few digits and many, powers of two and ten with their neighbours.
static void printed_numbers_agree_with_printf(void **state)
{
    (void)state;
    uint64_t s = 88172645463325252u;
    for (int i = 0; i < 300000; i++) {
        double any;
        const uint64_t u = next_random(&s);
        memcpy(&any, &u, sizeof any);
        if (isfinite(any))
            assert_printed(any);
        const double unit = (double)(next_random(&s) >> 11) / 9007199254740992.0;
        assert_printed(ldexp(unit, (int)(next_random(&s) % 160) - 100));
        assert_printed((double)(int64_t)(next_random(&s) % 2000001 - 1000000) / 1000.0);
        assert_printed(-(double)(next_random(&s) >> (next_random(&s) % 60)));
    }
    for (int e = -320; e <= 308; e++) {
        const double p = pow(10.0, e), q = ldexp(1.0, e);
        const double list[] = {p, nextafter(p, 0), nextafter(p, INFINITY), 5 * p,
                               q, nextafter(q, 0), nextafter(q, INFINITY), 3 * q};
        for (size_t k = 0; k < sizeof list / sizeof *list; k++)
            assert_printed(list[k]);
    }
    assert_printed(0.0);
    assert_printed(-0.0);
    assert_printed(INFINITY);
    assert_printed(DBL_MAX);
    assert_printed(DBL_TRUE_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers_are_read),
        cmocka_unit_test(other_forms_are_refused),
        cmocka_unit_test(long_numbers_are_read),
        cmocka_unit_test(random_texts_agree_with_strtod),
        cmocka_unit_test(random_doubles_survive),
        cmocka_unit_test(shortest_texts_are_written),
        cmocka_unit_test(locale_does_not_matter),
        cmocka_unit_test(printed_numbers_agree_with_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
