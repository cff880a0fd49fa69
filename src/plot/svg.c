// SPDX-License-Identifier: MIT

#include "plot/svg.h"

#include <math.h>
#include <stdint.h>

// Any of these is there on a usual system; their widths differ by 15 %.
#define FONT "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

enum { SCRIPT_PERCENT = 72 }; // size of sub- and superscripts

// ---------------------------------------------------------------------------
// Numbers and characters
// ---------------------------------------------------------------------------

void svg_number(StringBuilder *out, double value)
{
    // Far outside of any page; also keeps the integer small.
    if (!isfinite(value) || fabs(value) > 1e9)
        value = 0.0;
    int64_t hundredths = llround(value * 100.0);
    if (hundredths < 0) {
        builder_append_character(out, '-');
        hundredths = -hundredths;
    }
    builder_append_format(out, "%lld", (long long)(hundredths / 100));
    const int rest = (int)(hundredths % 100);
    if (rest % 10)
        builder_append_format(out, ".%02d", rest);
    else if (rest)
        builder_append_format(out, ".%d", rest / 10);
}

void svg_escape(StringBuilder *out, const char *text, size_t length)
{
    text_escape_xml(out, text, length);
}

// ---------------------------------------------------------------------------
// Labels
// ---------------------------------------------------------------------------

// The part of a label with one baseline at *rest, which moves behind it; shift 0, -1 (subscript) or
// 1. False at the end.
static bool next_piece(const char **rest, String *piece, int *shift)
{
    const char *s = *rest;
    if (!*s)
        return false;
    const char *close = (s[0] == '_' || s[0] == '^') && s[1] == '{' ? strchr(s, '}') : NULL;
    if (close) {
        *piece = (String){s + 2, (size_t)(close - s - 2)};
        *shift = s[0] == '^' ? 1 : -1;
        *rest = close + 1;
        return true;
    }
    const char *end = s + 1;
    while (*end && !((*end == '_' || *end == '^') && end[1] == '{' && strchr(end, '}')))
        end++;
    *piece = (String){s, (size_t)(end - s)};
    *shift = 0;
    *rest = end;
    return true;
}

// Widths of the characters from space to ~ in thousandths of the font size: those of Helvetica and
// the fonts made to its measure.
static const short widths[95] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space ... /
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 ... ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ ... O
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P ... _
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` ... o
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,      // p ... ~
};

static double piece_width(String piece)
{
    double width = 0.0;
    for (size_t i = 0; i < piece.length;) {
        const size_t step = utf8_length(piece.text + i, piece.length - i);
        const unsigned char c = (unsigned char)piece.text[i];
        // Three bytes: signs and, far wider, the scripts of East Asia.
        width += step == 1 && c >= 32 && c < 127 ? widths[c - 32]
                 : step >= 3 && c >= 0xE3        ? 1000
                                                 : 600;
        i += step ? step : 1;
    }
    return width;
}

double svg_text_width(const char *label, double size)
{
    static const double widest_font = 1.15; // DejaVu Sans against Helvetica
    double width = 0.0;
    String piece;
    int shift;
    while (next_piece(&label, &piece, &shift))
        width += piece_width(piece) * (shift ? SCRIPT_PERCENT / 100.0 : 1.0);
    return widest_font * size * width / 1000.0;
}

static void append_label(StringBuilder *out, const char *label, double size)
{
    static const double raise = 0.38, lower = -0.22; // of the font size
    double height = 0.0;                             // of the present baseline
    String piece;
    int shift;
    while (next_piece(&label, &piece, &shift)) {
        const double wanted = shift > 0 ? raise : shift < 0 ? lower : 0.0;
        if (wanted == height && !shift) {
            svg_escape(out, piece.text, piece.length);
            continue;
        }
        builder_append_text(out, "<tspan dy=\"");
        svg_number(out, (height - wanted) * size);
        if (shift) {
            builder_append_text(out, "\" font-size=\"");
            svg_number(out, size * SCRIPT_PERCENT / 100.0);
        }
        builder_append_text(out, "\">");
        svg_escape(out, piece.text, piece.length);
        builder_append_text(out, "</tspan>");
        height = wanted;
    }
}

static void attribute(StringBuilder *out, const char *name, double value)
{
    builder_append_format(out, " %s=\"", name);
    svg_number(out, value);
    builder_append_character(out, '"');
}

static void finish_text(StringBuilder *out, const char *label, double size)
{
    // Blanks before and behind a script would be lost otherwise.
    builder_append_text(out, strchr(label, '{') ? " xml:space=\"preserve\">" : ">");
    append_label(out, label, size);
    builder_append_text(out, "</text>\n");
}

void svg_text(StringBuilder *out, double x, double y, double size, SvgAnchor anchor,
              const char *label, const char *attributes)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    builder_append_text(out, "<text");
    attribute(out, "x", x);
    attribute(out, "y", y);
    attribute(out, "font-size", size);
    builder_append_text(out, anchors[anchor]);
    builder_append_text(out, attributes);
    finish_text(out, label, size);
}

void svg_text_upwards(StringBuilder *out, double x, double y, double size, const char *label)
{
    builder_append_text(out, "<text transform=\"translate(");
    svg_number(out, x);
    builder_append_character(out, ' ');
    svg_number(out, y);
    builder_append_text(out, ") rotate(-90)\" text-anchor=\"middle\"");
    attribute(out, "font-size", size);
    finish_text(out, label, size);
}

// ---------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------

void svg_begin(StringBuilder *out, double width, double height, const char *title)
{
    builder_append_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    svg_number(out, width / SVG_POINTS_PER_MM);
    builder_append_text(out, "mm\" height=\"");
    svg_number(out, height / SVG_POINTS_PER_MM);
    builder_append_text(out, "mm\" viewBox=\"0 0 ");
    svg_number(out, width);
    builder_append_character(out, ' ');
    svg_number(out, height);
    builder_append_text(out, "\" font-family=\"" FONT "\" fill=\"#000\">\n");
    if (title) {
        builder_append_text(out, "<title>");
        svg_escape(out, title, strlen(title));
        builder_append_text(out, "</title>\n");
    }
    svg_rectangle(out, (SvgRectangle){0, 0, width, height}, " fill=\"#fff\"");
}

void svg_end(StringBuilder *out)
{
    builder_append_text(out, "</svg>\n");
}

void svg_line(StringBuilder *out, double x1, double y1, double x2, double y2,
              const char *attributes)
{
    builder_append_text(out, "<line");
    attribute(out, "x1", x1);
    attribute(out, "y1", y1);
    attribute(out, "x2", x2);
    attribute(out, "y2", y2);
    builder_append_text(out, attributes);
    builder_append_text(out, "/>\n");
}

void svg_rectangle(StringBuilder *out, SvgRectangle r, const char *attributes)
{
    builder_append_text(out, "<rect");
    attribute(out, "x", r.x);
    attribute(out, "y", r.y);
    attribute(out, "width", r.width);
    attribute(out, "height", r.height);
    builder_append_text(out, attributes);
    builder_append_text(out, "/>\n");
}

void svg_image_begin(StringBuilder *out, SvgRectangle r)
{
    builder_append_text(out, "<image");
    attribute(out, "x", r.x);
    attribute(out, "y", r.y);
    attribute(out, "width", r.width);
    attribute(out, "height", r.height);
    builder_append_text(out, " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                             "href=\"data:image/png;base64,");
}

String svg_make(Arena *arena, SvgDraw *draw, const void *picture)
{
    Arena *volatile scratch = arena_create(&arena->allocator);
    if (!scratch)
        return (String){0};
    jmp_buf exhaustion;
    volatile String svg = {0};
    jmp_buf *const outside = arena_on_exhaustion(arena, &exhaustion);
    arena_on_exhaustion(scratch, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        const String s = draw(arena, scratch, picture);
        svg.text = s.text;
        svg.length = s.length;
    }
    arena_on_exhaustion(arena, outside);
    arena_destroy(scratch);
    return (String){svg.text, svg.length};
}
