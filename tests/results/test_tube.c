// SPDX-License-Identifier: MIT
//
// Tubes around results.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/tube.h"
#include "support/hybrid.h"

#include <math.h>
#include <string.h>

static Table *read(const char *text)
{
    char *message = NULL;
    Table *table = table_parse(text, strlen(text), "test", &message);
    if (!table)
        fail_msg("%s", message_text(message));
    return table;
}

static TubeColumn compare(const char *a, const char *b, size_t column, double relative, double time)
{
    Table *x = read(a), *y = read(b);
    TubeColumn c = tube_compare(x, y, column, relative, 0.0, time);
    c.name = NULL; // it lives in the table
    table_destroy(x);
    table_destroy(y);
    return c;
}

static const char line[] = "time,x,mode\n0,0,A\n1,10,A\n1,-10,B\n2,0,B\n";

static void test_same(void **state)
{
    (void)state;
    const TubeColumn c = compare(line, line, 1, 0.0, 0.0);
    assert_true(c.is_same);
    assert_true(c.deviation == 0.0 && c.allowed == 0.0);
    assert_true(compare(line, line, 2, 0.0, 0.0).is_same);
}

// Other rows of the same straight lines.
static void test_other_rows(void **state)
{
    (void)state;
    const char *other = "time,x,mode\n0,0,A\n0.5,5,A\n1,10,A\n1,-10,B\n1.25,-7.5,B\n2,0,B\n";
    const TubeColumn c = compare(line, other, 1, 0.0, 0.0);
    assert_true(c.is_same);
    assert_true(compare(line, other, 2, 0.0, 0.0).is_same);
}

// 0.3 off in the middle: 3 % of the largest value.
static void test_deviation(void **state)
{
    (void)state;
    const char *other = "time,x,mode\n0,0,A\n0.5,5.3,A\n1,10,A\n1,-10,B\n2,0,B\n";
    const TubeColumn c = compare(line, other, 1, 0.02, 0.0);
    assert_false(c.is_same);
    assert_close(c.deviation, 0.3, 1e-14);
    assert_close(c.allowed, 0.2, 1e-14);
    assert_close(c.at, 0.5, 0.0);
    assert_true(compare(line, other, 1, 0.04, 0.0).is_same);
    // a tube as wide in time as the line needs to rise by 0.3
    assert_true(compare(line, other, 1, 1e-12, 0.03).is_same);
}

// The jump is later by 0.01, so its ends are 0.1 off: the same for a tube that is as wide in time
// and value, else 20 off.
static void test_jump(void **state)
{
    (void)state;
    const char *later = "time,x,mode\n0,0,A\n1.01,10.1,A\n1.01,-9.9,B\n2,0,B\n";
    assert_true(compare(line, later, 1, 0.011, 0.011).is_same);
    assert_true(compare(line, later, 2, 1e-9, 0.011).is_same);
    assert_false(compare(line, later, 1, 0.011, 0.001).is_same);
    const TubeColumn words = compare(line, later, 2, 1e-2, 0.001);
    assert_false(words.is_same);
}

static void test_missing(void **state)
{
    (void)state;
    const TubeColumn c = compare(line, "time,y,mode\n0,0,A\n2,0,A\n", 1, 1.0, 1.0);
    assert_true(c.is_missing);
    assert_false(c.is_same);
    // one ends too early
    const TubeColumn early = compare(line, "time,x,mode\n0,0,A\n1,10,A\n", 1, 0.1, 0.1);
    assert_false(early.is_same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),      cmocka_unit_test(test_other_rows),
        cmocka_unit_test(test_deviation), cmocka_unit_test(test_jump),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
