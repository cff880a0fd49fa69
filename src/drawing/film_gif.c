// SPDX-License-Identifier: MIT
//
// A film as GIF. The pictures are drawn by rsvg-convert, as all of Saltus that is not SVG: a
// rasteriser with fonts of its own would be much larger than the two small formats on the way,
// png.h and gif.h. Several frames are one picture, below each other, as starting the program costs
// more than drawing.

#include "drawing/chart.h"
#include "drawing/png.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>

enum { FRAMES_PER_SECOND = 20, MOST_FRAMES = 300, STRIP_HEIGHT = 6000 };

typedef struct FilmStrip {
    const Film *film;
    const size_t *frames; // which ones
    size_t count;
    uint32_t width, height; // of each
} FilmStrip;

static String draw_strip(Arena *arena, Arena *scratch, const void *what)
{
    const FilmStrip *strip = what;
    const ShapeBox box = chart_view(strip->film);
    StringBuilder out = builder_create(arena);
    builder_append_format(&out,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%zu\" "
                          "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n",
                          (unsigned)strip->width, strip->count * strip->height);
    builder_append_text(&out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (size_t i = 0; i < strip->count; i++) {
        builder_append_format(&out, "<svg y=\"%zu\" width=\"%u\" height=\"%u\" viewBox=\"",
                              i * strip->height, (unsigned)strip->width, (unsigned)strip->height);
        const double view[] = {box.x1, -box.y2, box.x2 - box.x1, box.y2 - box.y1};
        for (int k = 0; k < 4; k++) {
            builder_append_text(&out, k ? " " : "");
            svg_number(&out, view[k]);
        }
        builder_append_text(&out, "\">\n");
        film_write_frame(&out, strip->film, strip->frames[i]);
        chart_write(&out, scratch, strip->film, strip->frames[i]);
        builder_append_text(&out, "</svg>\n");
    }
    builder_append_text(&out, "</svg>\n");
    return builder_string(&out);
}

// The frame that is shown at a moment of the playback: the last one that is not later.
static size_t frame_at(const Film *film, double share)
{
    const double first = film->times[0], span = film->times[film->frame_count - 1] - first;
    size_t frame = 0;
    while (frame + 1 < film->frame_count && film->times[frame + 1] <= first + share * span)
        frame++;
    return frame;
}

static bool take_strip(Arena *arena, const FilmStrip *strip, uint16_t **pixels, char **message)
{
    Arena *scratch = arena_create(NULL);
    jmp_buf exhaustion;
    if (!scratch || setjmp(exhaustion) != 0) {
        message_set(message, "out of memory");
        arena_destroy(scratch);
        return false;
    }
    arena_on_exhaustion(scratch, &exhaustion);
    size_t length = 0;
    unsigned channels = 0;
    const String svg = svg_make(scratch, draw_strip, strip);
    const uint8_t *png = svg.text ? convert_pixels(scratch, svg, &length, message) : NULL;
    const uint8_t *rows = png ? png_read(scratch, png, length, strip->width,
                                         (uint32_t)strip->count * strip->height, &channels)
                              : NULL;
    if (png && !rows)
        message_set(message, "rsvg-convert has written a PNG that cannot be read");
    const size_t size = (size_t)strip->width * strip->height;
    for (size_t i = 0; rows && i < strip->count; i++) {
        pixels[i] = ARENA_ARRAY(arena, size, uint16_t);
        for (size_t k = 0; k < size; k++) {
            const uint8_t *p = rows + channels * (i * size + k);
            pixels[i][k] = (uint16_t)(p[0] >> 3 << 10 | p[1] >> 3 << 5 | p[2] >> 3);
        }
    }
    const bool is_read = rows != NULL;
    arena_destroy(scratch);
    return is_read;
}

String film_gif(const Film *film, Arena *arena, unsigned width, char **message)
{
    const ShapeBox box = chart_view(film);
    const double ratio = (box.y2 - box.y1) / (box.x2 - box.x1);
    const uint32_t height = (uint32_t)fmin(fmax(round(ratio * width), 1.0), 2000.0);
    const size_t wanted = (size_t)ceil(film->seconds * FRAMES_PER_SECOND) + 1;
    const size_t count = wanted < MOST_FRAMES ? wanted : MOST_FRAMES;
    size_t *frames = ARENA_ARRAY(arena, count, size_t);
    uint16_t **pixels = ARENA_ARRAY(arena, count, uint16_t *);
    for (size_t i = 0; i < count; i++)
        frames[i] = frame_at(film, count > 1 ? (double)i / (double)(count - 1) : 0.0);
    const size_t most = STRIP_HEIGHT / height + 1;
    for (size_t i = 0; i < count; i += most) {
        const FilmStrip strip = {film, frames + i, count - i < most ? count - i : most, width,
                                 height};
        if (!take_strip(arena, &strip, pixels + i, message))
            return (String){0};
    }
    const double delay = count > 1 ? 100.0 * film->seconds / (double)(count - 1) : 100.0;
    return gif_make(arena, width, height, (const uint16_t *const *)pixels, count,
                    (unsigned)fmin(fmax(round(delay), 2.0), 6000.0));
}
