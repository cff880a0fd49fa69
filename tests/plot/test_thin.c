// SPDX-License-Identifier: MIT
//
// Thinned curves show the same picture: on a raster of the columns every pixel, and nowhere
// farther away than the tolerance.

#include "plot/thin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 20000, COLUMNS = 100, ROWS = 80 };

typedef bool Picture[COLUMNS][ROWS];

static double at(ThinPoint a, ThinPoint b, double x)
{
    return b.x > a.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : b.y;
}

// Marks every pixel that the line a to b touches: in each column from its lowest to its highest
// value there.
static void draw_segment(Picture picture, ThinPoint a, ThinPoint b)
{
    const int first = (int)floor(a.x), last = (int)floor(b.x);
    for (int column = first; column <= last && column < COLUMNS; column++) {
        const double y0 = column == first ? a.y : at(a, b, column);
        const double y1 = column == last ? b.y : at(a, b, column + 1);
        for (int row = (int)floor(fmin(y0, y1)); row <= (int)floor(fmax(y0, y1)); row++)
            picture[column][row] = true;
    }
}

static void draw(Picture picture, const ThinPoint *points, size_t count)
{
    memset(picture, 0, sizeof(Picture));
    for (size_t i = 1; i < count; i++)
        draw_segment(picture, points[i - 1], points[i]);
}

static void make_noise(ThinPoint *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        points[i] = (ThinPoint){(double)i * COLUMNS / (double)count,
                                1.0 + (ROWS - 2) * (double)rand() / RAND_MAX};
}

static void same_pixels_test(void **state)
{
    (void)state;
    static ThinPoint points[POINTS];
    static Picture before, after;
    srand(7);
    const size_t counts[] = {POINTS, 1000, 150, 37, 2, 1, 0};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        make_noise(points, counts[i]);
        draw(before, points, counts[i]);
        const size_t kept = thin_columns(points, counts[i], 1.0);
        draw(after, points, kept);
        assert_true(kept <= 4 * COLUMNS && kept <= counts[i]);
        assert_memory_equal(before, after, sizeof before);
    }
}

// What goes back in x is a curve in the plane, not over x.
static void portrait_test(void **state)
{
    (void)state;
    ThinPoint points[] = {{0, 0}, {0.1, 1}, {0.05, 2}, {0.2, 0}};
    assert_int_equal(thin_columns(points, 4, 1.0), 4);
}

static double distance(ThinPoint p, ThinPoint a, ThinPoint b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double s = square > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0.0;
    s = fmin(fmax(s, 0.0), 1.0);
    return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

static void near_test(void **state)
{
    (void)state;
    static ThinPoint points[POINTS], thinned[POINTS];
    const double tolerance = 0.01;
    for (size_t i = 0; i < POINTS; i++) {
        const double s = (double)i / POINTS;
        points[i] = (ThinPoint){200.0 * s * cos(20.0 * s), 200.0 * s * sin(20.0 * s)};
    }
    memcpy(thinned, points, sizeof points);
    const size_t kept = thin_straight(thinned, POINTS, tolerance);
    // The spiral's chords of sagitta 0.01 are about sqrt(8 r 0.01) long: some 400 of them.
    assert_in_range(kept, 300, 1500);
    assert_memory_equal(&thinned[0], &points[0], sizeof *points);
    assert_memory_equal(&thinned[kept - 1], &points[POINTS - 1], sizeof *points);
    size_t chord = 0;
    for (size_t i = 0; i < POINTS; i++) {
        if (chord + 2 < kept && memcmp(&points[i], &thinned[chord + 1], sizeof *points) == 0)
            chord++;
        assert_true(distance(points[i], thinned[chord], thinned[chord + 1]) <=
                    tolerance * (1.0 + 1e-9));
    }
}

// A spike that returns on itself must not be cut off.
static void spike_test(void **state)
{
    (void)state;
    ThinPoint points[] = {{0, 0}, {1, 0}, {5, 0}, {1, 0}, {2, 0}, {2, 0}};
    const size_t kept = thin_straight(points, 6, 0.01);
    assert_int_equal(kept, 4);
    assert_true(points[1].x == 5.0);
    assert_true(points[2].x == 1.0);
    assert_true(points[3].x == 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_pixels_test),
        cmocka_unit_test(portrait_test),
        cmocka_unit_test(near_test),
        cmocka_unit_test(spike_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
