// SPDX-License-Identifier: MIT

#include "plot/ticks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void assert_labels(const Ticks *t, const char *expected)
{
    char labels[1024] = "";
    size_t length = 0;
    for (size_t i = 0; i < t->count; i++)
        if (!t->ticks[i].is_minor)
            length += (size_t)snprintf(labels + length, sizeof labels - length, "%s%s",
                                       length ? " " : "", t->ticks[i].label);
    assert_string_equal(labels, expected);
}

static void assert_axis(const Ticks *t, const char *label, const char *unit, const char *expected)
{
    Arena *arena = arena_create(NULL);
    StringBuilder b = builder_create(arena);
    ticks_axis_label(t, &(PlotAxis){.label = label, .unit = unit}, &b);
    assert_string_equal(builder_string(&b).text, expected);
    arena_destroy(arena);
}

static void nice_numbers_test(void **state)
{
    (void)state;
    Ticks t = ticks_make(PLOT_LINEAR, 0.0, 30.0, 6, "s");
    assert_labels(&t, "0 5 10 15 20 25 30");
    assert_axis(&t, "time", "s", "time (s)");
    t = ticks_make(PLOT_LINEAR, -1.04, 1.04, 5, NULL);
    assert_labels(&t, "−1.0 −0.5 0.0 0.5 1.0");
    assert_axis(&t, "x", NULL, "x");
    t = ticks_make(PLOT_LINEAR, 0.28, 0.71, 5, "1");
    assert_labels(&t, "0.3 0.4 0.5 0.6 0.7");
    assert_axis(&t, "mu", "1", "mu");
    t = ticks_make(PLOT_LINEAR, 2000.0, 9000.0, 4, "1/s");
    assert_labels(&t, "2000 4000 6000 8000");
}

static void powers_of_ten_test(void **state)
{
    (void)state;
    Ticks t = ticks_make(PLOT_LINEAR, 0.0, 500e-6, 5, "s");
    assert_labels(&t, "0 100 200 300 400 500");
    assert_axis(&t, "time", "s", "time (µs)");
    t = ticks_make(PLOT_LINEAR, -25e-9, 0.0, 5, "A");
    assert_labels(&t, "−25 −20 −15 −10 −5 0");
    assert_axis(&t, "i_{D}", "A", "i_{D} (nA)");
    // A prefix would be squared with the unit, and a radian takes none.
    t = ticks_make(PLOT_LINEAR, 0.0, 4e-6, 4, "m2");
    assert_axis(&t, "A", "m2", "A (10^{−6} m^{2})");
    t = ticks_make(PLOT_LINEAR, 0.0, 4e6, 4, "rad/s");
    assert_labels(&t, "0 1 2 3 4");
    assert_axis(&t, "w", "rad/s", "w (10^{6} rad/s)");
    t = ticks_make(PLOT_LINEAR, 0.0, 4e-6, 4, NULL);
    assert_axis(&t, "error", NULL, "error (10^{−6})");
    t = ticks_make(PLOT_LINEAR, 0.0, 4e-3, 4, "m/s");
    assert_axis(&t, "v", "m/s", "v (mm/s)");
    t = ticks_make(PLOT_LINEAR, 0.0, 4e6, 4, "s");
    assert_axis(&t, "time", "s", "time (10^{6} s)");
}

static void offset_test(void **state)
{
    (void)state;
    Ticks t = ticks_make(PLOT_LINEAR, 27.1290001, 27.1290008, 4, "s");
    assert_labels(&t, "200 400 600 800");
    assert_axis(&t, "t", "s", "t − 27.129 s (ns)");
    t = ticks_make(PLOT_LINEAR, -27.1290008, -27.1290001, 4, NULL);
    assert_labels(&t, "−800 −600 −400 −200");
    assert_axis(&t, "x", NULL, "x + 27.129 (10^{−9})");
    // Six digits are still read easily.
    t = ticks_make(PLOT_LINEAR, 1.42784, 1.42788, 4, "s");
    assert_labels(&t, "1.42784 1.42785 1.42786 1.42787 1.42788");
}

static void logarithmic_test(void **state)
{
    (void)state;
    Ticks t = ticks_make(PLOT_LOGARITHMIC, 1e-15, 1e-9, 8, "s");
    assert_labels(&t, "10^{−15} 10^{−14} 10^{−13} 10^{−12} 10^{−11} 10^{−10} 10^{−9}");
    t = ticks_make(PLOT_LOGARITHMIC, 1e-300, 1e300, 5, NULL);
    assert_labels(&t, "10^{−200} 10^{0} 10^{200}");
    t = ticks_make(PLOT_LOGARITHMIC, 0.15, 6.0, 5, NULL);
    assert_labels(&t, "0.2 0.5 1 2 5");
    t = ticks_make(PLOT_LOGARITHMIC, 130.0, 2000.0, 5, NULL);
    assert_labels(&t, "200 500 1000 2000");
    t = ticks_make(PLOT_LOGARITHMIC, 1.3e6, 2e7, 5, NULL); // all alike, too
    assert_labels(&t, "2·10^{6} 5·10^{6} 10^{7} 2·10^{7}");
    t = ticks_make(PLOT_LOGARITHMIC, 2.1, 2.9, 4, NULL);
    assert_labels(&t, "2.2 2.4 2.6 2.8");
}

static void units_test(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"m/s2", "m/s^{2}"}, {"kg.m2", "kg·m^{2}"},
                                           {"Ohm", "Ω"},        {"degC", "°C"},
                                           {"s-1", "s^{−1}"},   {"N.m.s/rad", "N·m·s/rad"},
                                           {"1/s", "1/s"},      {"W/(m2.K)", "W/(m^{2}·K)"}};
    Arena *arena = arena_create(NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        StringBuilder b = builder_create(arena);
        ticks_unit(pairs[i][0], &b);
        assert_string_equal(builder_string(&b).text, pairs[i][1]);
    }
    arena_destroy(arena);
}

static double random_number(void)
{
    const double mantissa = 2.0 * rand() / RAND_MAX - 1.0;
    return mantissa * pow(10.0, rand() % 40 - 20);
}

// Whatever the range: ticks rise, lie inside, there are two to a few, and a label says what its
// tick is, to the digits that the label has.
static void any_range_test(void **state)
{
    (void)state;
    srand(1);
    for (int i = 0; i < 20000; i++) {
        double from = random_number(), to = from + fabs(random_number());
        const int wanted = 2 + rand() % 10;
        if (to - from <= 1e-12 * fmax(fabs(from), fabs(to)))
            continue;
        const Ticks t = ticks_make(PLOT_LINEAR, from, to, wanted, i % 2 ? "V" : NULL);
        assert_in_range(t.count, 2, 2 * wanted + 2);
        const double slack = 1e-6 * (to - from);
        for (size_t k = 0; k < t.count; k++) {
            assert_true(t.ticks[k].value >= from - slack && t.ticks[k].value <= to + slack);
            assert_true(k == 0 || t.ticks[k].value > t.ticks[k - 1].value);
            assert_true(strlen(t.ticks[k].label) <= strlen("−0.00123456"));
            if (t.offset[0])
                continue;
            const bool is_negative = strncmp(t.ticks[k].label, "−", 3) == 0;
            const double shown = atof(t.ticks[k].label + 3 * is_negative);
            const double value = (is_negative ? -shown : shown) * pow(10.0, t.exponent);
            assert_true(fabs(value - t.ticks[k].value) <= 1e-6 * (to - from));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nice_numbers_test), cmocka_unit_test(powers_of_ten_test),
        cmocka_unit_test(offset_test),       cmocka_unit_test(logarithmic_test),
        cmocka_unit_test(units_test),        cmocka_unit_test(any_range_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
