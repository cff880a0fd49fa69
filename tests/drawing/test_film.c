// SPDX-License-Identifier: MIT
//
// Films: that what is shown at a time are the values of the run at that time, the two sides of an
// event, and the formats that films are written in.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawing/page.h"
#include "drawing/png.h"
#include "flatten/flatten.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Films of texts
// ---------------------------------------------------------------------------

typedef struct Shot {
    Loaded *loaded;
    Compilation *compilation;
    const Recording *recording;
    Film *film;
    size_t frames;
} Shot;

static void shoot(Flattener *f, Instance *top, void *user)
{
    Shot *shot = user;
    DrawingStage stage = stage_create(f, &shot->recording->table);
    const Scene *scene = scene_create(&stage, top, false);
    shot->film =
        film_create(&stage, scene, shot->recording, shot->loaded->compilation->arena, shot->frames);
}

static size_t rows_per_frame = 1;

static Shot shot_of(const char *text, double stop_time, size_t frames)
{
    Shot shot = {.frames = frames};
    shot.loaded = loaded_create(&(LoadedDef){.text = text});
    assert_non_null(shot.loaded);
    if (!shot.loaded->model)
        fail_msg("%s", loaded_first_error(shot.loaded));
    SaltusOptions o = saltus_default_options();
    SaltusError error = {0};
    o.output_interval = stop_time / (double)(frames * rows_per_frame);
    o.record = SALTUS_RECORD_INTERVALS;
    shot.recording =
        recording_create(shot.loaded->compilation->arena, shot.loaded, &o, stop_time, &error);
    if (!shot.recording)
        fail_msg("%s", error.message);
    FlattenOptions options = flatten_default_options();
    options.text = text;
    shot.compilation = compilation_create(NULL);
    assert_true(flatten_visit(shot.compilation, 0, NULL, NULL, &options, true, shoot, &shot));
    return shot;
}

static void shot_free(Shot *shot)
{
    compilation_destroy(shot->compilation);
    loaded_destroy(shot->loaded);
}

// The value of an attribute of the only element that has a track of it.
static const char *shown(const Shot *shot, ElementAttribute attribute, size_t frame)
{
    for (size_t i = 0; i < shot->film->track_count; i++)
        if (shot->film->tracks[i].attribute == attribute)
            return shot->film->tracks[i].values[frame];
    fail_msg("nothing has a track of %d", (int)attribute);
    return NULL;
}

static double value_at(const Shot *shot, const char *name, size_t frame)
{
    const TableColumn *column = table_column(&shot->recording->table, name);
    assert_non_null(column);
    return column->values[shot->film->rows[frame]];
}

static void assert_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.10g instead of %.10g", value, expected);
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// x = exp(-t), by the closed form to the tolerance of the run, as a coordinate to a hundredth.
static void test_coordinates_follow_the_run(void **state)
{
    (void)state;
    Shot shot = shot_of(
        "model M Real x(start = 1, fixed = true); parameter Real c = 2; equation der(x) = -x; "
        "annotation(Diagram(graphics = {Line(points = DynamicSelect({{0, 0}, {1, 1}}, {{0, 0}, "
        "{100 * x / c, 10 * time}}))})); end M;",
        2.0, 20);
    assert_true(shot.film->frame_count >= 21);
    for (size_t i = 0; i < shot.film->frame_count; i++) {
        double x, y;
        assert_int_equal(sscanf(shown(&shot, ELEMENT_D, i), "M0 0L%lf %lf", &x, &y), 2);
        assert_near(x, 50.0 * exp(-shot.film->times[i]), 0.0051);
        assert_near(y, -10.0 * shot.film->times[i], 0.0051);
    }
    shot_free(&shot);
}

// A film has about as many frames as it is to have, evenly spaced, of however many rows and however
// short a time.
static void test_frames_are_even(void **state)
{
    (void)state;
    static const double stops[] = {1e-7, 1.0, 1e7};
    rows_per_frame = 8;
    for (int k = 0; k < 3; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "model M Real x(start = 0, fixed = true); equation der(x) = %g; annotation("
                 "Diagram(graphics = {Line(points = {{0, 0}, {1, 1}})})); end M;",
                 1.0 / stops[k]);
        Shot shot = shot_of(text, stops[k], 20);
        assert_int_equal(shot.film->frame_count, 21);
        for (size_t i = 0; i <= 20; i++)
            assert_near(shot.film->times[i] / stops[k], 0.05 * (double)i, 1e-6);
        shot_free(&shot);
    }
    rows_per_frame = 1;
}

// The slopes of straight pieces, also just before and just after the event between them.
static void test_derivatives_follow_the_run(void **state)
{
    (void)state;
    Shot shot = shot_of(
        "model M Real x(start = 1, fixed = true); equation der(x) = if time < 0.5 then 1 else -2; "
        "annotation(Diagram(graphics = {Line(points = DynamicSelect({{0, 0}, {1, 1}}, {{0, 0}, "
        "{10 * der(x), 10}}))})); end M;",
        1.0, 10);
    bool is_after = false;
    for (size_t i = 0; i < shot.film->frame_count; i++) {
        double x, y;
        is_after |= i && shot.film->times[i] == shot.film->times[i - 1];
        assert_int_equal(sscanf(shown(&shot, ELEMENT_D, i), "M0 0L%lf %lf", &x, &y), 2);
        assert_near(x, is_after ? -20.0 : 10.0, 0.0051);
    }
    assert_true(is_after);
    shot_free(&shot);
}

// Around an event two frames at the same time: before it and after it.
static void test_structural_modes_switch_what_is_drawn(void **state)
{
    (void)state;
    Shot shot = shot_of(
        "model M Real x(start = 1, fixed = true); Real f; equation der(x) = -1; if x > 0.25 then f "
        "= 1; else f * x = 1; end if;"
        "annotation(Diagram(graphics = {Line(points = {{0, 0}, {1, 1}}, visible = "
        "DynamicSelect(true, x > 0.25))})); end M;",
        1.0, 10);
    bool has_pair = false;
    for (size_t i = 0; i < shot.film->frame_count; i++) {
        const double t = shot.film->times[i];
        const char *visibility = shown(&shot, ELEMENT_VISIBILITY, i);
        if (fabs(t - 0.75) > 1e-6)
            assert_string_equal(visibility, t < 0.75 ? "visible" : "hidden");
        has_pair |= i && t == shot.film->times[i - 1] && fabs(t - 0.75) < 1e-6;
    }
    assert_true(has_pair);
    assert_int_equal(shot.recording->event_count, 1);
    assert_near(shot.recording->events[0].x, 0.75, 1e-9);
    shot_free(&shot);
}

static void test_texts_colours_and_words_follow_the_run(void **state)
{
    (void)state;
    Shot shot = shot_of(
        "model M Integer n(start = 0, fixed = true); equation when sample(0.5, 1) then n = pre(n) "
        "+ 1; end when;"
        "annotation(Diagram(graphics = {Text(extent = {{0, 0}, {9, 9}}, textString = "
        "DynamicSelect(\"n\", \"n = \" + String(n)), textColor = DynamicSelect({0, 0, 0}, if n > 1 "
        "then {255, 0, 0} else {0, 0, 255})), Rectangle(extent = {{0, 0}, {1, 1}}, pattern = "
        "DynamicSelect(LinePattern.Solid, if n > 1 then LinePattern.Dash else "
        "LinePattern.Solid))})); end M;",
        3.0, 30);
    for (size_t i = 0; i < shot.film->frame_count; i++) {
        const int n = (int)value_at(&shot, "n", i);
        char text[40];
        snprintf(text, sizeof text, ">n = %d<", n);
        assert_non_null(strstr(shown(&shot, ELEMENT_CONTENT, i), text));
        assert_string_equal(shown(&shot, ELEMENT_FILL, i), n > 1 ? "#ff0000" : "#0000ff");
        assert_true((shown(&shot, ELEMENT_DASHES, i) != NULL) == (n > 1));
    }
    assert_int_equal((int)value_at(&shot, "n", shot.film->frame_count - 1), 3);
    shot_free(&shot);
}

static const char machine_text[] =
    "model M model On outer output Real x; equation der(x) = 1; end On; model Off outer output "
    "Real x; equation der(x) = -1; end Off; inner Real x(start = 0, fixed = true); On on; Off off; "
    "equation initialState(on); transition(on, off, x > 1, reset = false); transition(off, on, x < "
    "0, reset = false);"
    "annotation(Diagram(graphics = {Rectangle(extent = {{0, 0}, {9, 9}}, fillPattern = "
    "FillPattern.Solid, fillColor = DynamicSelect({0, 0, 0}, if activeState(on) then {0, 255, 0} "
    "else {255, 0, 0}))})); end M;";

static void test_active_states_light_up(void **state)
{
    (void)state;
    Shot shot = shot_of(machine_text, 2.5, 50);
    const TableColumn *mode = table_column(&shot.recording->table, "mode");
    for (size_t i = 0; i < shot.film->frame_count; i++) {
        const bool is_on = strcmp(table_word(mode, shot.film->rows[i]), "on") == 0;
        assert_string_equal(shown(&shot, ELEMENT_FILL, i), is_on ? "#00ff00" : "#ff0000");
        const double t = shot.film->times[i];
        if (fabs(t - 1.0) > 1e-6 && fabs(t - 2.0) > 1e-6)
            assert_int_equal(is_on, t < 1.0 || t > 2.0);
    }
    shot_free(&shot);
}

// A component's icon moves with its Placement and its own variables.
static void test_components_move(void **state)
{
    (void)state;
    Shot shot = shot_of(
        "model Part Real u; equation u = 2 * time; annotation(Icon(graphics = {Line(points = "
        "DynamicSelect({{0, 0}, {1, 1}}, {{0, 0}, {0, 100 * u}}))})); end Part;"
        "model M Part p annotation(Placement(transformation(origin = DynamicSelect({0, 0}, {50 * "
        "time, 0}), extent = {{-10, -10}, {10, 10}}))); end M;",
        1.0, 10);
    for (size_t i = 0; i < shot.film->frame_count; i++) {
        double x1, y1, x2, y2;
        const double t = shot.film->times[i];
        assert_int_equal(sscanf(shown(&shot, ELEMENT_D, i), "M%lf %lfL%lf %lf", &x1, &y1, &x2, &y2),
                         4);
        assert_near(x1, 50.0 * t, 0.0051);
        assert_near(x2, 50.0 * t, 0.0051);
        assert_near(y2, -20.0 * t, 0.0051);
    }
    shot_free(&shot);
}

// What a run does not know is as it would be drawn without one, with a warning; what is not finite
// is not visible.
static void test_values_that_are_not_known(void **state)
{
    (void)state;
    Shot shot = shot_of(
        "model M Real x = time; annotation(Diagram(graphics = {Line(points = DynamicSelect({{0, "
        "0}, {7, 7}}, {{0, 0}, {delay(x, 0.1), 1}})), Line(points = DynamicSelect({{0, 0}, {1, "
        "1}}, {{0, "
        "0}, {1, log(x - 0.55)}}))})); end M;",
        1.0, 10);
    assert_string_equal(shot.film->elements[0].values[ELEMENT_D], "M0 0L7 -7");
    assert_true(shot.compilation->diagnostics->warning_count > 0);
    for (size_t i = 0; i < shot.film->frame_count; i++)
        assert_null(strstr(shown(&shot, ELEMENT_D, i), "nan"));
    shot_free(&shot);
}

// ---------------------------------------------------------------------------
// Formats
// ---------------------------------------------------------------------------

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part))
        count++;
    return count;
}

static void test_svg_moves_by_itself(void **state)
{
    (void)state;
    Shot shot = shot_of(machine_text, 2.5, 10);
    const String svg = film_svg(shot.film, shot.loaded->compilation->arena);
    assert_non_null(strstr(svg.text, "<animate attributeName=\"fill\" "
                                     "values=\"#00ff00;#ff0000;#00ff00\" keyTimes=\"0;0.4;0.8\""));
    assert_non_null(strstr(svg.text, "</svg>"));
    shot_free(&shot);
}

static void test_pages_have_everything_and_nothing_else(void **state)
{
    (void)state;
    Shot shot = shot_of("model M \"</script><b>\" Real x = time; parameter String s = "
                        "\"</script><script>alert(1)</script>\"; annotation(Diagram(graphics = "
                        "{Text(extent = {{0, 0}, {9, 9}}, textString = DynamicSelect(\"\", if x > "
                        "0.5 then s else \"\"))})); end M;",
                        1.0, 10);
    shot.film->description = "</script><b>";
    const String html = page_html(shot.film, shot.loaded->compilation->arena);
    assert_non_null(html.text);
    assert_int_equal(count_of(html.text, "<script"), 2);
    assert_int_equal(count_of(html.text, "</script"), 2);
    assert_null(strstr(html.text, "<b>"));
    assert_null(strstr(html.text, "src=")); // nothing from elsewhere
    assert_null(strstr(html.text, "href="));
    assert_non_null(strstr(html.text, "\"eventCount\":0")); // annotations make no events
    assert_non_null(strstr(html.text, "\\u003c/script>") || strstr(html.text, "&lt;/script"));
    shot_free(&shot);
}

// ---------------------------------------------------------------------------
// GIF and PNG
// ---------------------------------------------------------------------------

// Reads the pixels of one image block, as the standard describes the decoder.
static const uint8_t *decode_image(const uint8_t *p, uint8_t *out, size_t count)
{
    enum { CLEAR = 256, END = 257 };
    static uint8_t data[1 << 20];
    size_t length = 0, done = 0, bit = 0;
    uint16_t prefix[4096];
    uint8_t last[4096], stack[4096];
    assert_int_equal(*p++, 8);
    for (; *p; p += 1 + *p) {
        memcpy(data + length, p + 1, *p);
        length += *p;
    }
    unsigned size = 9, next = END + 1;
    int before = -1;
    for (;;) {
        unsigned code = 0;
        for (unsigned i = 0; i < size; i++, bit++)
            code |= (unsigned)(data[bit / 8] >> bit % 8 & 1) << i;
        assert_true(bit <= 8 * length);
        if (code == END)
            break;
        if (code == CLEAR) {
            size = 9;
            next = END + 1;
            before = -1;
            continue;
        }
        unsigned depth = 0, walk = code;
        if (before >= 0 && code == next) { // KwKwK
            walk = (unsigned)before;
            depth = 1;
        }
        while (walk > END) {
            stack[depth++] = last[walk];
            walk = prefix[walk];
        }
        stack[depth++] = (uint8_t)walk;
        if (before >= 0 && code == next)
            stack[0] = (uint8_t)walk;
        while (depth)
            if (done < count)
                out[done++] = stack[--depth];
            else
                fail_msg("too many pixels");
        if (before >= 0 && next < 4096) {
            prefix[next] = (uint16_t)before;
            last[next++] = (uint8_t)walk;
            if (next == 1u << size && size < 12)
                size++;
        }
        before = (int)code;
    }
    assert_int_equal(done, count);
    return p + 1;
}

static unsigned word_at(const uint8_t *p)
{
    return p[0] | (unsigned)p[1] << 8;
}

// Noise fills the table of codes several times, areas make long strings; frames differ in parts.
static void test_gif_keeps_every_pixel(void **state)
{
    (void)state;
    enum { WIDTH = 97, HEIGHT = 61, FRAMES = 4, SIZE = WIDTH * HEIGHT };
    static uint16_t pixels[FRAMES][SIZE];
    const uint16_t *frames[FRAMES];
    uint32_t seed = 1;
    for (int f = 0; f < FRAMES; f++) {
        frames[f] = pixels[f];
        for (int i = 0; i < SIZE; i++) {
            seed = seed * 1664525u + 1013904223u;
            const bool is_area = i % WIDTH < 30 || f == 2;
            pixels[f][i] = f && i % WIDTH >= 50 ? pixels[f - 1][i]
                           : is_area            ? 0x7fff
                                                : (uint16_t)((seed >> 20 & 15u) * 2048u & 0x7fff) |
                                           (uint16_t)(seed >> 29);
        }
    }
    Arena *arena = arena_create(NULL);
    const String gif = gif_make(arena, WIDTH, HEIGHT, frames, FRAMES, 5);
    const uint8_t *p = (const uint8_t *)gif.text, *palette = p + 13, *end = p + gif.length;
    assert_memory_equal(p, "GIF89a", 6);
    assert_int_equal(word_at(p + 6), WIDTH);
    assert_int_equal(word_at(p + 8), HEIGHT);
    p += 13 + 3 * 256 + 19;
    static uint8_t canvas[SIZE], part[SIZE];
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(p[0], 0x21);
        assert_int_equal(word_at(p + 4), 5);
        p += 8;
        assert_int_equal(p[0], 0x2c);
        const unsigned x = word_at(p + 1), y = word_at(p + 3), w = word_at(p + 5),
                       h = word_at(p + 7);
        assert_true(x + w <= WIDTH && y + h <= HEIGHT);
        p = decode_image(p + 10, part, (size_t)w * h);
        for (unsigned i = 0; i < w * h; i++)
            canvas[(y + i / w) * WIDTH + x + i % w] = part[i];
        for (int i = 0; i < SIZE; i++) {
            const uint8_t *rgb = palette + 3 * canvas[i];
            const unsigned colour =
                (unsigned)(rgb[0] >> 3) << 10 | (unsigned)(rgb[1] >> 3) << 5 | rgb[2] >> 3;
            if (colour != pixels[f][i])
                fail_msg("frame %d, pixel %d: %x instead of %x", f, i, colour, pixels[f][i]);
        }
        assert_true(f == 0 || w <= 50); // only what differs
    }
    assert_int_equal(p[0], 0x3b);
    assert_ptr_equal(p + 1, end);
    arena_destroy(arena);
}

// 300 greens and blues, 256 of them twice: these are kept, the others become their neighbours. Blue
// counts for a quarter of green, so the neighbour of the same green that is next in blue is
// nearest.
static void test_gif_of_many_colours(void **state)
{
    (void)state;
    enum { COLOURS = 300, KEPT = 256, SIZE = COLOURS + KEPT };
    static uint16_t pixels[SIZE];
    static uint8_t canvas[SIZE];
    const uint16_t *frames[] = {pixels};
    for (int i = 0; i < SIZE; i++) { // the rare ones have a blue of 27 to 29
        const int k = i < COLOURS ? i : i - COLOURS;
        pixels[i] = (uint16_t)(k < KEPT ? (k / 16) << 5 | (k % 16)
                                        : (k % 16) << 5 | (29 - (k - KEPT) / 16));
    }
    Arena *arena = arena_create(NULL);
    const String gif = gif_make(arena, SIZE, 1, frames, 1, 5);
    const uint8_t *palette = (const uint8_t *)gif.text + 13;
    decode_image(palette + 3 * 256 + 19 + 8 + 10, canvas, SIZE);
    for (int i = 0; i < SIZE; i++) {
        const uint8_t *rgb = palette + 3 * canvas[i];
        const int green = pixels[i] >> 5, blue = pixels[i] & 31;
        assert_int_equal(rgb[0] >> 3, 0);
        assert_int_equal(rgb[1] >> 3, green);
        assert_int_equal(rgb[2] >> 3, blue > 15 ? 15 : blue);
    }
    arena_destroy(arena);
}

static void test_gif_of_a_film(void **state)
{
    (void)state;
    if (system("rsvg-convert --version >/dev/null 2>&1") != 0)
        skip();
    Shot shot = shot_of("model M Real x = time; annotation(Diagram(graphics = {Rectangle(extent = "
                        "DynamicSelect({{0, 0}, {1, 1}}, {{-100, -100}, {200 * x - 100, 100}}), "
                        "pattern = LinePattern.None, fillColor = {255, 0, 0}, fillPattern = "
                        "FillPattern.Solid)})); end M;",
                        1.0, 20);
    shot.film->seconds = 0.5; // eleven frames
    char *message = NULL;
    Arena *arena = shot.loaded->compilation->arena;
    // Drawn at once, and, since more than 6000 lines of pixels are not, in two parts.
    for (unsigned width = 64; width <= 640; width += 576) {
        const String gif = film_gif(shot.film, arena, width, &message);
        const uint8_t *bytes = (const uint8_t *)gif.text;
        if (!bytes)
            fail_msg("%s", message_text(message));
        assert_int_equal(word_at(bytes + 6), width);
        size_t frames = 0;
        for (size_t i = 13 + 768 + 19; i + 8 < gif.length; i++)
            frames += bytes[i] == 0x21 && bytes[i + 1] == 0xf9 && bytes[i + 2] == 4 &&
                      word_at(bytes + i + 4) == 5 && bytes[i + 8] == 0x2c;
        assert_int_equal(frames, 11);
    }
    shot_free(&shot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates_follow_the_run),
        cmocka_unit_test(test_derivatives_follow_the_run),
        cmocka_unit_test(test_frames_are_even),
        cmocka_unit_test(test_structural_modes_switch_what_is_drawn),
        cmocka_unit_test(test_texts_colours_and_words_follow_the_run),
        cmocka_unit_test(test_active_states_light_up),
        cmocka_unit_test(test_components_move),
        cmocka_unit_test(test_values_that_are_not_known),
        cmocka_unit_test(test_svg_moves_by_itself),
        cmocka_unit_test(test_pages_have_everything_and_nothing_else),
        cmocka_unit_test(test_gif_keeps_every_pixel),
        cmocka_unit_test(test_gif_of_many_colours),
        cmocka_unit_test(test_gif_of_a_film),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
