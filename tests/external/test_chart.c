// SPDX-License-Identifier: MIT
//
// Tables: values between points by hand and against closed forms, beyond the ends, events, files.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "external/chart.h"
#include "support/hybrid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Of numbers of order 1 to 10, after a few operations.
static const double rounding = 1e-13;

static ExternalCall call; // for messages

// Column 1 of a table.
static Chart *make(ChartKind kind, ChartSmoothness smoothness, ChartExtrapolation extrapolation,
                   uint32_t rows, uint32_t columns, const double *values)
{
    Chart *c = calloc(1, sizeof *c);
    *c = (Chart){.kind = kind,
                 .smoothness = smoothness,
                 .extrapolation = extrapolation,
                 .events = CHART_EVENTS_ALWAYS,
                 .start = -DBL_MAX,
                 .rows = rows,
                 .columns = columns,
                 .selected_count = kind != CHART_TWO};
    c->name = calloc(1, 16);
    strcpy(c->name, "the table");
    c->values = malloc(rows * columns * sizeof *c->values);
    memcpy(c->values, values, rows * columns * sizeof *c->values);
    c->selected = malloc(sizeof *c->selected);
    c->selected[0] = 1;
    const bool is_fine = kind == CHART_TWO ? chart_prepare_two(&call, c) : chart_prepare(&call, c);
    if (is_fine)
        return c;
    chart_free(c);
    return NULL;
}

static double at(const Chart *c, double u)
{
    double y[3];
    assert_true(chart_value(&call, c, 0, u, y));
    return y[0];
}

// y' and y'' against differences of y, within a piece.
static void assert_derivatives(const Chart *c, double u)
{
    const double h = 1e-4;
    double y[3], before[3], after[3];
    assert_true(chart_value(&call, c, 0, u, y));
    assert_true(chart_value(&call, c, 0, u - h, before));
    assert_true(chart_value(&call, c, 0, u + h, after));
    // A cubic has third derivatives of order 10: h^2 / 6 of that.
    assert_close(y[1], (after[0] - before[0]) / (2.0 * h), 1e-6);
    assert_close(y[2], (after[1] - before[1]) / (2.0 * h), 1e-6);
}

static const double points[] = {0, 0, 1, 1, 2, 4, 4, 3, 5, 3, 6, 5}; // x, y

static void test_linear(void **state)
{
    (void)state;
    Chart *c = make(CHART_ONE, CHART_LINEAR, CHART_LAST_TWO, 6, 2, points);
    assert_close(at(c, 0.25), 0.25, rounding);
    assert_close(at(c, 1.5), 2.5, rounding);
    assert_close(at(c, 3.0), 3.5, rounding);
    assert_close(at(c, 2.0), 4.0, rounding);
    assert_close(at(c, 8.0), 9.0, rounding); // slope 2 of the last two
    assert_close(at(c, -2.0), -2.0, rounding);
    assert_derivatives(c, 1.5);
    chart_free(c);
}

static void test_constant(void **state)
{
    (void)state;
    Chart *c = make(CHART_ONE, CHART_CONSTANT, CHART_HOLD, 6, 2, points);
    assert_close(at(c, 0.999), 0.0, 0.0);
    assert_close(at(c, 1.0), 1.0, 0.0);
    assert_close(at(c, 5.999), 3.0, 0.0);
    assert_close(at(c, 6.0), 5.0, 0.0);
    assert_close(at(c, 7.0), 5.0, 0.0);
    assert_close(at(c, -7.0), 0.0, 0.0);
    chart_free(c);
}

static double slope(ChartSmoothness smoothness, uint32_t point)
{
    double slopes[6];
    chart_slopes(smoothness, 6, points, 2, points + 1, 2, slopes, 1);
    return slopes[point];
}

// The secants of the points are 1, 3, -1/2, 0, 2; continued: -1, -3 to the left, 4, 6 to the right.
static void test_slopes(void **state)
{
    (void)state;
    // Akima, point 2: weights |0 + 1/2| and |3 - 1| of the secants 3 and -1/2
    assert_close(slope(CHART_AKIMA, 2), (0.5 * 3.0 + 2.0 * -0.5) / 2.5, rounding);
    // point 0: secants -3, -1, 1, 3
    assert_close(slope(CHART_AKIMA, 0), (2.0 * -1.0 + 2.0 * 1.0) / 4.0, rounding);
    // point 5: 0, 2, 4, 6
    assert_close(slope(CHART_AKIMA, 5), (2.0 * 2.0 + 2.0 * 4.0) / 4.0, rounding);
    // modified, point 2: |0 + 1/2| + |0 - 1/2| / 2 = 3/4 and |3 - 1| + |3 + 1| / 2 = 4
    assert_close(slope(CHART_MAKIMA, 2), (0.75 * 3.0 + 4.0 * -0.5) / 4.75, rounding);
    // Fritsch and Butland, point 1: widths 1, 1: the harmonic mean of 1 and 3
    assert_close(slope(CHART_FRITSCH_BUTLAND, 1), 1.5, rounding);
    assert_close(slope(CHART_FRITSCH_BUTLAND, 2), 0.0, 0.0);
    // its end: (3 d0 - d1) / 2 = 0 there; at the other (3 2 - 0) / 2 = 3
    assert_close(slope(CHART_FRITSCH_BUTLAND, 0), 0.0, rounding);
    assert_close(slope(CHART_FRITSCH_BUTLAND, 5), 3.0, rounding);
    // Steffen, point 1: p = 2, twice the smallest of 1, 3 and p / 2
    assert_close(slope(CHART_STEFFEN, 1), 2.0, rounding);
    assert_close(slope(CHART_STEFFEN, 2), 0.0, 0.0);
}

// Akima's slopes are exact for parabolas, and the cubics then are.
static void test_parabola(void **state)
{
    (void)state;
    double values[14];
    for (int i = 0; i < 7; i++) {
        values[2 * i] = 0.5 * i;
        values[2 * i + 1] = 1.0 - 2.0 * values[2 * i] + 3.0 * values[2 * i] * values[2 * i];
    }
    Chart *c = make(CHART_ONE, CHART_AKIMA, CHART_LAST_TWO, 7, 2, values);
    for (double u = 0.0; u <= 3.0; u += 0.13)
        assert_close(at(c, u), 1.0 - 2.0 * u + 3.0 * u * u, 1e-12);
    assert_close(at(c, 4.0), 22.0 + 16.0, 1e-12); // by its tangent at 3
    assert_derivatives(c, 1.3);
    chart_free(c);
}

// Between points a monotone table stays between their values; others need not.
static void test_monotone(void **state)
{
    (void)state;
    const double steps[] = {0, 0, 1, 0, 2, 0.1, 3, 5, 4, 5, 5, 5.1};
    for (int s = CHART_FRITSCH_BUTLAND; s <= CHART_STEFFEN; s++) {
        Chart *c = make(CHART_ONE, (ChartSmoothness)s, CHART_HOLD, 6, 2, steps);
        double last = at(c, 0.0);
        for (double u = 0.01; u <= 5.0; u += 0.01) {
            assert_true(at(c, u) >= last - rounding);
            last = at(c, u);
        }
        assert_derivatives(c, 2.4);
        chart_free(c);
    }
}

static void test_periodic(void **state)
{
    (void)state;
    Chart *c = make(CHART_ONE, CHART_LINEAR, CHART_PERIODIC, 6, 2, points);
    assert_close(at(c, 6.25), 0.25, rounding);
    assert_close(at(c, -4.5), 2.5, rounding);
    assert_close(at(c, 61.5), 2.5, 1e-12);
    chart_free(c);
}

static void test_none(void **state)
{
    (void)state;
    double y[3];
    Chart *c = make(CHART_ONE, CHART_LINEAR, CHART_NONE, 6, 2, points);
    assert_close(at(c, 6.0), 5.0, rounding);
    assert_false(chart_value(&call, c, 0, 6.5, y));
    assert_string_equal(call.message, "the table is defined from 0 to 6, but is asked for 6.5");
    chart_free(c);
    const double falling[] = {0, 0, 2, 1, 1, 4};
    assert_null(make(CHART_ONE, CHART_LINEAR, CHART_NONE, 3, 2, falling));
    assert_non_null(strstr(call.message, "must increase, but row 3 is 1 after 2"));
    const double twice[] = {0, 0, 1, 1, 1, 4};
    assert_null(make(CHART_ONE, CHART_LINEAR, CHART_NONE, 3, 2, twice));
    assert_null(make(CHART_TIME, CHART_AKIMA, CHART_NONE, 3, 2, twice));
}

// ---- time ---------------------------------------------------------------------------------------

static double timed(const Chart *c, double t, double next)
{
    double y[3];
    assert_true(chart_value_at(&call, c, 0, t, next, y));
    return y[0];
}

// A step at 1: before the event it is on the left branch, also at 1 and a little later.
static void test_step(void **state)
{
    (void)state;
    const double step[] = {0, 0, 1, 0, 1, 2, 3, 4};
    Chart *c = make(CHART_TIME, CHART_LINEAR, CHART_HOLD, 4, 2, step);
    assert_close(chart_next_event(c, -1.0), 0.0, 0.0);
    assert_close(chart_next_event(c, 0.0), 1.0, 0.0);
    assert_close(chart_next_event(c, 1.0), 3.0, 0.0);
    assert_true(chart_next_event(c, 3.0) == DBL_MAX);
    assert_close(timed(c, 1.0, 1.0), 0.0, 0.0);
    assert_close(timed(c, 1.0 + 1e-9, 1.0), 0.0, 0.0);
    assert_close(timed(c, 1.0, 3.0), 2.0, rounding);
    assert_close(timed(c, 1.0 - 1e-16, 3.0), 2.0, rounding);
    assert_close(timed(c, 3.0, 3.0), 4.0, rounding);
    assert_close(timed(c, 5.0, DBL_MAX), 4.0, rounding);
    c->start = 0.5;
    assert_close(timed(c, 0.4, 0.5), 0.0, 0.0);
    assert_close(chart_next_event(c, 0.4), 0.5, 0.0);
    chart_free(c);
}

// A saw of period 1/10, whose multiples are rounded: it is continuous between its events, however
// late it is.
static void test_saw(void **state)
{
    (void)state;
    const double saw[] = {0, 0, 0.1, 1};
    Chart *c = make(CHART_TIME, CHART_LINEAR, CHART_PERIODIC, 2, 2, saw);
    double t = 0.0;
    for (int k = 1; k <= 1000; k++) {
        const double next = chart_next_event(c, t);
        assert_close(next, 0.1 * k, 1e-10);
        assert_close(timed(c, t, next), 0.0, 1e-8);
        assert_close(timed(c, next, next), 1.0, 1e-8);
        t = next;
    }
    chart_free(c);
}

static void test_shift(void **state)
{
    (void)state;
    Chart *c = make(CHART_TIME, CHART_CONSTANT, CHART_HOLD, 6, 2, points);
    c->shift = 0.3;
    assert_close(chart_next_event(c, 0.5), 1.3, rounding);
    assert_close(timed(c, 1.3, chart_next_event(c, 1.3)), 1.0, 0.0);
    assert_close(timed(c, 1.3, 1.3), 0.0, 0.0);
    chart_free(c);
}

// ---- two variables ------------------------------------------------------------------------------

// So late that periods cannot be counted one by one: it ends, and the event is later.
static void test_late_periods(void **state)
{
    (void)state;
    static const double saw[] = {0.0, 0.0, 1e-3, 1.0};
    Chart *c = make(CHART_TIME, CHART_LINEAR, CHART_PERIODIC, 2, 2, saw);
    static const double times[] = {1e14, 1e17, 1e300, -1e17};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        assert_true(chart_next_event(c, times[i]) > times[i]);
    chart_free(c);
}

static void fill_surface(double *values, double (*f)(double, double))
{
    values[0] = 0.0;
    for (int j = 0; j < 6; j++)
        values[j + 1] = 0.4 * j;
    for (int i = 0; i < 5; i++) {
        values[7 * (i + 1)] = 0.5 * i;
        for (int j = 0; j < 6; j++)
            values[7 * (i + 1) + j + 1] = f(0.5 * i, 0.4 * j);
    }
}

static double bilinear(double a, double b)
{
    return 1.0 + 2.0 * a - 3.0 * b + 0.5 * a * b;
}

static double biquadratic(double a, double b)
{
    return (1.0 + a - 2.0 * a * a) * (0.5 - b + b * b);
}

static void test_bilinear(void **state)
{
    (void)state;
    double values[42];
    ChartPoint p;
    fill_surface(values, bilinear);
    Chart *c = make(CHART_TWO, CHART_LINEAR, CHART_LAST_TWO, 6, 7, values);
    for (double a = -0.5; a < 3.0; a += 0.17)
        for (double b = -0.5; b < 3.0; b += 0.19) {
            assert_true(chart_surface(&call, c, a, b, &p));
            assert_close(p.y, bilinear(a, b), 1e-12);
            assert_close(p.y1, 2.0 + 0.5 * b, 1e-12);
            assert_close(p.y2, -3.0 + 0.5 * a, 1e-12);
            assert_close(p.y12, 0.5, 1e-12);
        }
    chart_free(c);
}

// Slopes and twists are exact for products of parabolas.
static void test_bicubic(void **state)
{
    (void)state;
    double values[42];
    ChartPoint p;
    fill_surface(values, biquadratic);
    Chart *c = make(CHART_TWO, CHART_AKIMA, CHART_HOLD, 6, 7, values);
    for (double a = 0.0; a <= 2.0; a += 0.17)
        for (double b = 0.0; b <= 2.0; b += 0.19) {
            assert_true(chart_surface(&call, c, a, b, &p));
            assert_close(p.y, biquadratic(a, b), 1e-11);
            assert_close(p.y1, (1.0 - 4.0 * a) * (0.5 - b + b * b), 1e-10);
            assert_close(p.y2, (1.0 + a - 2.0 * a * a) * (2.0 * b - 1.0), 1e-10);
            assert_close(p.y12, (1.0 - 4.0 * a) * (2.0 * b - 1.0), 1e-10);
            assert_close(p.y11, -4.0 * (0.5 - b + b * b), 1e-9);
            assert_close(p.y22, 2.0 * (1.0 + a - 2.0 * a * a), 1e-9);
        }
    assert_true(chart_surface(&call, c, 7.0, 0.3, &p));
    assert_close(p.y, biquadratic(2.0, 0.3), 1e-11);
    assert_close(p.y1, 0.0, 0.0);
    chart_free(c);
}

static void test_surface_constant(void **state)
{
    (void)state;
    double values[42];
    ChartPoint p;
    fill_surface(values, bilinear);
    Chart *c = make(CHART_TWO, CHART_CONSTANT, CHART_NONE, 6, 7, values);
    assert_true(chart_surface(&call, c, 0.9, 0.9, &p));
    assert_close(p.y, bilinear(0.5, 0.8), rounding);
    assert_true(chart_surface(&call, c, 2.0, 2.0, &p));
    assert_close(p.y, bilinear(2.0, 2.0), rounding);
    assert_false(chart_surface(&call, c, 0.0, 2.1, &p));
    assert_string_equal(call.message, "the table is defined for u2 from 0 to 2, not for 2.1");
    chart_free(c);
}

// ---- files --------------------------------------------------------------------------------------

static void assert_file(const char *name, const void *bytes, size_t size, const char *matrix)
{
    double *values = NULL;
    uint32_t rows = 0, columns = 0;
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, size, file);
    fclose(file);
    free(call.message);
    call.message = NULL;
    const bool is_fine = chart_read(&call, name, matrix, ";", 1, &values, &rows, &columns);
    remove(name);
    assert_null(call.message);
    assert_true(is_fine);
    assert_int_equal(rows, 2);
    assert_int_equal(columns, 3);
    for (int i = 0; i < 6; i++)
        assert_close(values[i], i + 0.5, 0.0);
    free(values);
}

static void test_files(void **state)
{
    (void)state;
    static const char text[] = "#1\n# more\ndouble other(1,2)\n 7 8\n"
                               "double tab(2,3) # comment\n0.5 1.5,2.5\n3.5\t4.5 5.5\n";
    assert_file("chart-test.txt", text, strlen(text), "tab");
    static const char csv[] = "a;b;c\n0.5;1.5;2.5\r\n3.5; 4.5;5.5\n";
    assert_file("chart-test.csv", csv, strlen(csv), "Values");
    // MATLAB, level 4: type, rows, columns, imaginary, length of the name; by columns
    unsigned char mat[20 + 4 + 48];
    const int32_t header[] = {0, 2, 3, 0, 4};
    const double numbers[] = {0.5, 3.5, 1.5, 4.5, 2.5, 5.5};
    memcpy(mat, header, 20);
    memcpy(mat + 20, "tab", 4);
    memcpy(mat + 24, numbers, 48);
    assert_file("chart-test.mat", mat, sizeof mat, "tab");
    // level 5: a header, and a matrix of flags, sizes, name, numbers
    const uint32_t matrix[] = {14, 96, 6, 8, 6, 0, 5, 8, 2, 3, 1 | 3u << 16, 0x626174, 9, 48};
    unsigned char newer[128 + sizeof matrix + sizeof numbers] = "MATLAB 5.0 MAT-file";
    memcpy(newer + 124, "\0\1IM", 4);
    memcpy(newer + 128, matrix, sizeof matrix);
    memcpy(newer + 128 + sizeof matrix, numbers, sizeof numbers);
    assert_file("chart-test.mat", newer, sizeof newer, "tab");
}

static void test_bad_files(void **state)
{
    (void)state;
    double *values = NULL;
    uint32_t rows, columns;
    assert_false(chart_read(&call, "no-such-file.txt", "tab", ",", 0, &values, &rows, &columns));
    assert_non_null(strstr(call.message, "'no-such-file.txt' cannot be read"));
    FILE *file = fopen("chart-bad.txt", "w");
    fputs("#1\ndouble tab(2,2)\n1 2 3\n", file);
    fclose(file);
    assert_false(chart_read(&call, "chart-bad.txt", "tab", ",", 0, &values, &rows, &columns));
    assert_string_equal(call.message, "'tab' in 'chart-bad.txt' has 3 numbers instead of 4");
    free(values);
    values = NULL;
    assert_false(chart_read(&call, "chart-bad.txt", "x", ",", 0, &values, &rows, &columns));
    assert_string_equal(call.message, "there is no matrix 'x' in 'chart-bad.txt'");
    remove("chart-bad.txt");
    // HDF5, and a text where numbers are asked for
    unsigned char mat[128] = "MATLAB 7.3 MAT-file";
    memcpy(mat + 124, "\0\2IM", 4);
    const int32_t text[] = {51, 1, 1, 0, 4};
    for (int k = 0; k < 2; k++) {
        file = fopen("chart-bad.mat", "wb");
        fwrite(k ? (const void *)text : mat, 1, k ? sizeof text : sizeof mat, file);
        fputs("tab", file);
        fputc(0, file);
        fputc('x', file);
        fclose(file);
        assert_false(chart_read(&call, "chart-bad.mat", "tab", ",", 0, &values, &rows, &columns));
        assert_string_equal(call.message,
                            k ? "'tab' in 'chart-bad.mat' is no matrix of real numbers"
                              : "'chart-bad.mat' cannot be read: a .mat file of version 7.3, which "
                                "is HDF5: save it with -v7");
    }
    remove("chart-bad.mat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),       cmocka_unit_test(test_constant),
        cmocka_unit_test(test_slopes),       cmocka_unit_test(test_parabola),
        cmocka_unit_test(test_monotone),     cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_late_periods), cmocka_unit_test(test_none),
        cmocka_unit_test(test_step),         cmocka_unit_test(test_saw),
        cmocka_unit_test(test_shift),        cmocka_unit_test(test_bilinear),
        cmocka_unit_test(test_bicubic),      cmocka_unit_test(test_surface_constant),
        cmocka_unit_test(test_files),        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
