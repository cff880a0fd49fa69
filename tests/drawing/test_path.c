// SPDX-License-Identifier: MIT
//
// Outlines of smooth lines and polygons, by hand: parabolas from the middle of each edge to that of
// the next, with the corner between them as control point (Modelica specification, section 18.6.2).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawing/path.h"

static Arena *arena;

// Upwards is upwards: in the picture y is turned.
static DrawPath outline(const double *points, size_t count, bool is_smooth, bool is_closed)
{
    DrawPath p = path_begin(arena, (ShapeAffine){.a = 1.0, .d = 1.0});
    path_points(&p, points, count, is_smooth, is_closed);
    return p;
}

static const double triangle[] = {0, 0, 40, 8, 20, 60, 0, 0}; // the last repeats the first

static void plain_test(void **state)
{
    (void)state;
    DrawPath p = outline(triangle, 3, false, false);
    assert_string_equal(path_text(&p), "M0 0L40 -8L20 -60");
    p = outline(triangle, 2, true, true); // nothing to be smooth
    assert_string_equal(path_text(&p), "M0 0L40 -8Z");
}

static void closed_test(void **state)
{
    (void)state;
    // the middles of the edges are (20, 4), (30, 34), (10, 30)
    static const char expected[] = "M20 -4Q40 -8 30 -34Q20 -60 10 -30Q0 0 20 -4Z";
    DrawPath p = outline(triangle, 4, true, true);
    assert_string_equal(path_text(&p), expected);
    p = outline(triangle, 3, true, true);
    assert_string_equal(path_text(&p), expected);
    ShapeBox box = {1e9, 1e9, -1e9, -1e9};
    path_grow_box(&p, &box);
    assert_true(path_is_finite(&p));
    assert_true(box.x1 == 0.0 && box.x2 == 40.0 && box.y1 == 0.0 && box.y2 == 60.0);
}

static void open_test(void **state)
{
    (void)state;
    const DrawPath p = outline(triangle, 3, true, false);
    // straight to the first middle and from the last one
    assert_string_equal(path_text(&p), "M0 0L20 -4Q40 -8 30 -34L20 -60");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_test), cmocka_unit_test(closed_test),
                                       cmocka_unit_test(open_test)};
    arena = arena_create(NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_destroy(arena);
    return failed;
}
