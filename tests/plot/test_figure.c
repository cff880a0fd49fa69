// SPDX-License-Identifier: MIT
//
// Figures as SVG: well-formed whatever the data, complete, the same bytes every time.

#include "plot/axes.h"
#include "plot/figure.h"
#include "plot/svg.h"
#include "plot/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static Arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_create(NULL);
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

static const char *draw(const PlotFigure *figure)
{
    const String svg = plot_svg(arena, figure);
    assert_non_null(svg.text);
    assert_xml(svg.text, svg.length);
    assert_null(strstr(svg.text, "nan"));
    assert_null(strstr(svg.text, "inf"));
    return svg.text;
}

static const char *draw_curve(const double *x, const double *y, size_t count, PlotScale scale)
{
    const PlotCurve curve = {.x = x, .y = y, .count = count};
    const PlotPanel panel = {
        .y = {.scale = scale}, .curves = &curve, .curve_count = 1, .is_time = true};
    return draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
}

// The path of the only curve.
static const char *path_of(const char *svg)
{
    const char *path = strstr(svg, "stroke-linecap");
    assert_non_null(path);
    path = strstr(path, " d=\"");
    assert_non_null(path);
    return path + 4;
}

static void golden_test(void **state)
{
    (void)state;
    static const double t[] = {0, 1, 1, 2}, x[] = {0, 1, 0.5, 2}, v[] = {1, 1, -1, NAN};
    const PlotCurve curves[] = {{.label = "x", .x = t, .y = x, .count = 4},
                                {.label = "v & <w>", .x = t, .y = v, .count = 4}};
    const PlotBand bands[] = {{0, 1, "up"}, {1, 2, "down"}};
    const PlotMark marks[] = {{1, "x > 1"}};
    const PlotPanel panel = {.x = {.label = "time", .unit = "s"},
                             .y = {.label = "x, v", .unit = "m/s2"},
                             .curves = curves,
                             .curve_count = 2,
                             .bands = bands,
                             .band_count = 2,
                             .marks = marks,
                             .mark_count = 1,
                             .is_time = true};
    const char *svg =
        draw(&(PlotFigure){.title = "A jump", .panels = &panel, .panel_count = 1, .width = 84});
    static char golden[16384];
    FILE *file = fopen(SALTUS_SOURCE_DIR "/tests/plot/golden.svg", "r");
    assert_non_null(file);
    golden[fread(golden, 1, sizeof golden - 1, file)] = '\0';
    fclose(file);
    if (strcmp(svg, golden) != 0) {
        file = fopen("golden.svg", "w"); // to look at, and to copy if it is right
        fputs(svg, file);
        fclose(file);
        fail_msg("differs from tests/plot/golden.svg: see golden.svg here");
    }
}

static void gaps_test(void **state)
{
    (void)state;
    static const double t[] = {0, 1, 2, 3, 4, 5, 6};
    static const double gap[] = {0, 1, NAN, 2, 1, INFINITY, 3};
    assert_int_equal(count_of(path_of(draw_curve(t, gap, 7, PLOT_LINEAR)), "M"), 3);
    // Zero and below are gaps on a logarithmic axis.
    static const double low[] = {1, 10, 0, 100, 10, -1, 1};
    assert_int_equal(count_of(path_of(draw_curve(t, low, 7, PLOT_LOGARITHMIC)), "M"), 3);
}

static void odd_data_test(void **state)
{
    (void)state;
    static const double values[] = {0.0,      -0.0,      5.0,    1e300, -1e300, 1e308,
                                    -1e308,   5e-324,    1e-310, NAN,   9.81,   9.8100000000000005,
                                    INFINITY, -INFINITY, 1e-300};
    enum { COUNT = sizeof values / sizeof *values };
    static const double t[] = {0, 1, 2};
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < COUNT; k++) {
            const double y[] = {values[i], values[k], values[i]};
            draw_curve(t, y, 3, PLOT_LINEAR);
            draw_curve(t, y, 3, PLOT_LOGARITHMIC);
            draw_curve(y, t, 3, PLOT_LINEAR);
        }
    assert_non_null(strstr(draw_curve(NULL, NULL, 0, PLOT_LINEAR), "no data"));
    assert_non_null(strstr(draw(&(PlotFigure){0}), "<svg"));
    assert_null(strstr(draw_curve(t, t, 1, PLOT_LINEAR), "no data"));
}

static void odd_text_test(void **state)
{
    (void)state;
    static const char *const labels[] = {"<>&\"'", "\x01\xff", "_{",           "a_{b}^{c}d",
                                         "{}",     "",         "\xEF\xBF\xBF", "^{}"};
    static const double t[] = {0, 1};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const char *label = labels[i];
        const PlotCurve curves[] = {{.label = label, .x = t, .y = t, .count = 2},
                                    {.label = label, .x = t, .y = t, .count = 2}};
        const PlotBand band = {0, 1, label};
        const PlotMark mark = {0.5, label};
        const PlotPanel panel = {.title = label,
                                 .x = {.label = label, .unit = label},
                                 .y = {.label = label, .unit = label},
                                 .curves = curves,
                                 .curve_count = 2,
                                 .bands = &band,
                                 .band_count = 1,
                                 .marks = &mark,
                                 .mark_count = 1};
        draw(&(PlotFigure){.title = label, .panels = &panel, .panel_count = 1, .id = label});
    }
}

// A zoom window clips the curve and takes the vertical range from what is inside.
static void window_test(void **state)
{
    (void)state;
    static const double t[] = {0, 10}, x[] = {0, 1000};
    const PlotCurve curve = {.x = t, .y = x, .count = 2};
    const PlotPanel panel = {.x = {.is_limited = true, .from = 4, .to = 6},
                             .curves = &curve,
                             .curve_count = 1,
                             .is_time = true};
    const char *svg = draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
    assert_non_null(strstr(svg, ">500<"));
    assert_null(strstr(svg, ">0<"));
    assert_null(strstr(svg, ">1000<"));
    assert_int_equal(count_of(path_of(svg), "M"), 1);
}

static void equal_test(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    static double x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 2.0 * cos(0.1 * i);
        y[i] = sin(0.1 * i);
    }
    const PlotCurve curve = {.x = x, .y = y, .count = COUNT};
    const PlotPanel panel = {.curves = &curve, .curve_count = 1, .is_equal = true};
    const char *svg = draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
    // The frame is the clip rectangle; x is padded by 5 % to each side, y by 6 %.
    double left, top, width, height;
    assert_int_equal(sscanf(strstr(svg, "<clipPath"),
                            "<clipPath id=\"plot-0\"><rect x=\"%lf\" y=\"%lf\" width=\"%lf\" "
                            "height=\"%lf\"",
                            &left, &top, &width, &height),
                     4);
    // Extremes of the points: the angles are multiples of 0.1, so 1 - cos(0.05) below them.
    assert_true(fabs(width / height / (2.0 * 1.10 / 1.12) - 1.0) < 2e-3);
}

// Two curves that leave no corner free send the legend above the panel, others do not.
static void legend_test(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static double t[COUNT], x[COUNT], line[COUNT];
    for (int i = 0; i < COUNT; i++) {
        t[i] = 0.01 * i;
        x[i] = sin(40.0 * t[i]);
        line[i] = t[i] * t[i];
    }
    PlotCurve curves[] = {{.label = "first", .x = t, .y = x, .count = COUNT},
                          {.label = "second", .x = t, .y = x, .count = COUNT}};
    const PlotPanel panel = {.curves = curves, .curve_count = 2, .is_time = true};
    const char *full = draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
    assert_null(strstr(full, "fill-opacity"));
    assert_non_null(strstr(full, ">first<"));
    curves[0].y = curves[1].y = line;
    assert_non_null(
        strstr(draw(&(PlotFigure){.panels = &panel, .panel_count = 1}), "fill-opacity=\".85\""));
}

static void map_test(void **state)
{
    (void)state;
    static const double x[] = {1, 10, 100}, y[] = {1, 2}, z[] = {1, 2, 3, NAN, 5, 6};
    const PlotMap map = {x, y, z, 3, 2, {.label = "z", .unit = "s"}};
    const PlotPanel panel = {.x = {.scale = PLOT_LOGARITHMIC}, .map = &map};
    const char *svg = draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
    assert_non_null(strstr(svg, "z (s)"));
    assert_non_null(strstr(svg, "10<tspan"));
    const char *cells = strstr(svg, "<g shape-rendering");
    const char *end = strstr(cells, "</g>");
    size_t count = 0;
    for (const char *s = cells; (s = strstr(s, "<rect")) && s < end; s++)
        count++;
    assert_int_equal(count, 5); // one value is missing
    static const double far[] = {211, 212, 213, NAN, 215, 216};
    const PlotMap other = {x, y, far, 3, 2, {.label = "z"}};
    const PlotPanel shown = {.map = &other};
    svg = draw(&(PlotFigure){.panels = &shown, .panel_count = 1}); // the scale of its colours
    assert_non_null(strstr(svg, ">211<"));
    assert_non_null(strstr(svg, ">216<"));
    // Counts have a block of the colour bar each, and no label between them.
    static const double falls[] = {0, 1, 2, NAN, 1, 0};
    const PlotMap counts = {x, y, falls, 3, 2, {.label = "falls"}};
    const PlotPanel counted = {.map = &counts};
    svg = draw(&(PlotFigure){.panels = &counted, .panel_count = 1});
    const char *bar = strstr(strstr(svg, "<g shape-rendering") + 1, "<g shape-rendering");
    count = 0;
    for (const char *s = bar; (s = strstr(s, "<rect")) && s < strstr(bar, "</g>"); s++)
        count++;
    assert_int_equal(count, 3);
    assert_null(strstr(bar, "0.5"));
    const PlotMap none = {x, y, z, 0, 0, {0}};
    const PlotPanel empty = {.map = &none};
    assert_non_null(strstr(draw(&(PlotFigure){.panels = &empty, .panel_count = 1}), "no data"));
}

// Half a cell beyond the outer centres; a single cell has its own size. Where there is no data,
// what the scale can show.
static void ranges_test(void **state)
{
    (void)state;
    static const double centres[] = {4, 6}, z[] = {1, 2};
    static const struct {
        size_t count;
        PlotScale scale;
        double low, high;
    } cases[] = {{1, PLOT_LINEAR, 2, 6}, {1, PLOT_LOGARITHMIC, 2, 8}, {2, PLOT_LINEAR, 3, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const PlotMap map = {centres, centres, z, cases[i].count, 1, {0}};
        const PlotPanel panel = {.x = {.scale = cases[i].scale}, .map = &map};
        const Interval range = axes_horizontal(&panel);
        assert_true(range.low == cases[i].low && range.high == cases[i].high);
    }
    const Interval none = axes_no_range();
    Interval shown = axes_finish(&(PlotAxis){.scale = PLOT_LOGARITHMIC}, none, 0.05);
    assert_true(shown.low == 1.0 && shown.high == 10.0);
    shown = axes_finish(&(PlotAxis){.scale = PLOT_LINEAR}, none, 0.05);
    assert_true(shown.low == 0.0 && shown.high == 1.0);
}

static size_t decode_base64(const char *text, unsigned char *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0, bits = 0;
    unsigned held = 0;
    for (const char *at; *text && (at = strchr(digits, *text)); text++) {
        held = held << 6 | (unsigned)(at - digits);
        bits += 6;
        if (bits >= 8)
            bytes[count++] = (unsigned char)(held >> (bits -= 8));
    }
    return count;
}

// Many cells are one image, pixel by pixel: the value rises to the right, and is missing in the
// lowest row.
static void map_image_test(void **state)
{
    (void)state;
    enum { WIDTH = 300, HEIGHT = 200, SIZE = HEIGHT * (WIDTH + 1) };
    double *x = malloc(WIDTH * sizeof *x), *y = malloc(HEIGHT * sizeof *y),
           *z = malloc(WIDTH * HEIGHT * sizeof *z);
    unsigned char *png = malloc(4 * SIZE), *rows = malloc(SIZE);
    for (size_t j = 0; j < WIDTH; j++)
        x[j] = (double)j;
    for (size_t i = 0; i < HEIGHT; i++)
        y[i] = (double)i;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = i < WIDTH ? NAN : (double)(i % WIDTH);
    const PlotMap map = {x, y, z, WIDTH, HEIGHT, {.label = "z"}};
    const PlotPanel panel = {.map = &map};
    const char *svg = draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
    const char *data = strstr(svg, "data:image/png;base64,");
    assert_non_null(data);
    assert_true(strlen(svg) < 40000);
    const size_t length = decode_base64(strchr(data, ',') + 1, png);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + 16, "\0\0\x01\x2c\0\0\0\xc8\x08\x03", 10); // 300 by 200
    size_t at = 8; // length, name, data, checksum
    while (at < length && memcmp(png + at + 4, "IDAT", 4) != 0)
        at += 12u + ((size_t)png[at + 2] << 8) + png[at + 3];
    const size_t packed = (size_t)png[at + 1] << 16 | (size_t)png[at + 2] << 8 | png[at + 3];
    uLongf size = SIZE;
    assert_int_equal(uncompress(rows, &size, png + at + 8, (uLong)packed), Z_OK);
    assert_int_equal(size, SIZE);
    for (size_t i = 0; i < HEIGHT; i++) {
        const unsigned char *row = rows + i * (WIDTH + 1);
        assert_int_equal(row[0], 0);
        for (size_t j = 0; j < WIDTH; j++)
            assert_int_equal(row[1 + j],
                             i == HEIGHT - 1 ? 255 : (int)lround(254.0 * (double)j / (WIDTH - 1)));
    }
    free(x);
    free(y);
    free(z);
    free(png);
    free(rows);
}

// A million points make a picture that stays small.
static void many_points_test(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    double *t = malloc(COUNT * sizeof *t), *x = malloc(COUNT * sizeof *x);
    assert_non_null(t);
    assert_non_null(x);
    for (int i = 0; i < COUNT; i++) {
        t[i] = i;
        x[i] = sin(0.37 * i * (double)(i % 1000));
    }
    // 4 points in each of 4600 columns of a tenth of a point, a dozen bytes each.
    assert_in_range(strlen(draw_curve(t, x, COUNT, PLOT_LINEAR)), 10000, 4600 * 4 * 13);
    PlotCurve points = {.x = x, .y = t, .count = COUNT, .style = PLOT_POINTS};
    for (int i = 0; i < COUNT; i++)
        t[i] = i % 100;
    const PlotPanel panel = {.curves = &points, .curve_count = 1};
    draw(&(PlotFigure){.panels = &panel, .panel_count = 1});
    free(t);
    free(x);
}

static void number_test(void **state)
{
    (void)state;
    StringBuilder out = builder_create(arena);
    svg_number(&out, -12.345);
    svg_number(&out, 0.004);
    svg_number(&out, 7.5);
    svg_number(&out, NAN);
    assert_string_equal(builder_string(&out).text, "-12.3507.50");
}

// Memory that ends after some blocks.
static void *reallocate(void *user, void *block, size_t size)
{
    int *left = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(block, size) : NULL;
}

static void no_memory_test(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static double t[COUNT], x[COUNT];
    for (int i = 0; i < COUNT; i++) {
        t[i] = i;
        x[i] = i % 7;
    }
    const PlotCurve curve = {.x = t, .y = x, .count = COUNT};
    const PlotPanel panel = {.curves = &curve, .curve_count = 1};
    const PlotFigure figure = {.panels = &panel, .panel_count = 1};
    int failures = 0;
    for (int blocks = 1; blocks < 1000; blocks++) {
        int left = blocks;
        Arena *small = arena_create(&(SaltusAllocator){reallocate, &left});
        assert_non_null(small);
        const bool is_drawn = plot_svg(small, &figure).text != NULL;
        arena_destroy(small);
        if (is_drawn)
            break;
        failures++;
    }
    assert_in_range(failures, 2, 998);
}

// ---------------------------------------------------------------------------
// Any figure
// ---------------------------------------------------------------------------

static double random_value(void)
{
    const int kind = rand() % 12;
    const double value = 2.0 * rand() / RAND_MAX - 1.0;
    return kind == 0   ? NAN
           : kind == 1 ? INFINITY
           : kind == 2 ? 0.0
           : kind == 3 ? value * pow(10.0, rand() % 620 - 310)
                       : 10.0 * value;
}

static PlotAxis random_axis(void)
{
    return (PlotAxis){.label = "axis",
                      .unit = rand() % 2 ? "m/s2" : NULL,
                      .scale = rand() % 2 ? PLOT_LINEAR : PLOT_LOGARITHMIC,
                      .is_limited = rand() % 4 == 0,
                      .from = random_value(),
                      .to = random_value()};
}

// Whatever is drawn, on however little room: well-formed, without negative lengths.
static void random_test(void **state)
{
    (void)state;
    enum { ROUNDS = 300, POINTS = 40, CURVES = 4, PANELS = 5 };
    static const double grid_x[] = {1, 2, 3, 4, 5}, grid_y[] = {1, 10, 100, 1000};
    srand(5);
    for (int round = 0; round < ROUNDS; round++) {
        double x[POINTS], y[POINTS];
        for (int i = 0; i < POINTS; i++) {
            x[i] = round % 2 ? random_value() : (double)i * i;
            y[i] = random_value();
        }
        PlotCurve curves[CURVES];
        for (int i = 0; i < CURVES; i++)
            curves[i] = (PlotCurve){.label = i % 2 ? "x_{i}" : "a long name of a curve",
                                    .x = x,
                                    .y = y,
                                    .count = (size_t)(rand() % (POINTS + 1)),
                                    .style = (PlotStyle)(rand() % 4),
                                    .colour = rand() % 9,
                                    .dash = rand() % 8};
        const PlotBand bands[] = {{random_value(), random_value(), "phase"}};
        const PlotMark marks[] = {{random_value(), "event"}, {random_value(), NULL}};
        const Interval windows[] = {{random_value(), random_value()}};
        const PlotMap map = {grid_x, grid_y, y, 5, 4, random_axis()};
        PlotPanel panels[PANELS];
        for (int i = 0; i < PANELS; i++)
            panels[i] = (PlotPanel){.title = rand() % 2 ? "panel" : NULL,
                                    .x = random_axis(),
                                    .y = random_axis(),
                                    .curves = curves,
                                    .curve_count = (size_t)(rand() % (CURVES + 1)),
                                    .bands = bands,
                                    .band_count = (size_t)(rand() % 2),
                                    .marks = marks,
                                    .mark_count = (size_t)(rand() % 3),
                                    .windows = windows,
                                    .window_count = (size_t)(rand() % 2),
                                    .map = rand() % 4 ? NULL : &map,
                                    .legend = (PlotLegend)(rand() % 3),
                                    .is_time = rand() % 2,
                                    .is_equal = rand() % 2};
        const char *svg = draw(&(PlotFigure){.title = rand() % 2 ? "figure" : NULL,
                                             .panels = panels,
                                             .panel_count = (size_t)(rand() % (PANELS + 1)),
                                             .columns = (size_t)(rand() % 4),
                                             .width = rand() % 2 ? 20 + rand() % 200 : 0,
                                             .height = rand() % 2 ? 20 + rand() % 100 : 0});
        assert_null(strstr(svg, "width=\"-"));
        assert_null(strstr(svg, "height=\"-"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_test),      cmocka_unit_test(gaps_test),
        cmocka_unit_test(odd_data_test),    cmocka_unit_test(odd_text_test),
        cmocka_unit_test(window_test),      cmocka_unit_test(equal_test),
        cmocka_unit_test(legend_test),      cmocka_unit_test(map_test),
        cmocka_unit_test(ranges_test),      cmocka_unit_test(map_image_test),
        cmocka_unit_test(many_points_test), cmocka_unit_test(number_test),
        cmocka_unit_test(no_memory_test),   cmocka_unit_test(random_test),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
