// SPDX-License-Identifier: MIT
//
// SVG text: numbers, escaped labels, a few shapes. Lengths are in points; the y axis points down.
// Coordinates are rounded to a hundredth of a point, independent of the locale.

#ifndef SALTUS_PLOT_SVG_H
#define SALTUS_PLOT_SVG_H

#include "base/text.h"

#define SVG_POINTS_PER_MM (72.0 / 25.4)

typedef enum SvgAnchor { SVG_START, SVG_MIDDLE, SVG_END } SvgAnchor;

typedef struct SvgRectangle {
    double x, y, width, height; // upper left corner
} SvgRectangle;

// A picture made by `draw` in the arena, with scratch memory of its own, since the text grows while
// that is used and released. No string: out of memory.
typedef String SvgDraw(Arena *arena, Arena *scratch, const void *picture);
String svg_make(Arena *arena, SvgDraw *draw, const void *picture);

// The opening tag with a white background; `title` may be NULL.
void svg_begin(StringBuilder *out, double width, double height, const char *title);
void svg_end(StringBuilder *out);

// A number with at most two decimals; what is not finite becomes 0.
void svg_number(StringBuilder *out, double value);
// As content or in an attribute value; bytes that XML does not allow become U+FFFD.
void svg_escape(StringBuilder *out, const char *text, size_t length);

// Every shape takes further attributes, " stroke=\"#000\"", as they are.
void svg_line(StringBuilder *out, double x1, double y1, double x2, double y2,
              const char *attributes);
void svg_rectangle(StringBuilder *out, SvgRectangle r, const char *attributes);

// An image in PNG whose pixels stay sharp, up to its data in base64; what is to follow ends the
// tag.
void svg_image_begin(StringBuilder *out, SvgRectangle r);

// A label with sub- and superscripts, its baseline at y, in a font of `size` points.
void svg_text(StringBuilder *out, double x, double y, double size, SvgAnchor anchor,
              const char *label, const char *attributes);
// The same turned by a quarter, reading upwards.
void svg_text_upwards(StringBuilder *out, double x, double y, double size, const char *label);
// How wide svg_text sets a label, for fonts as wide as DejaVu Sans: an upper estimate for others.
double svg_text_width(const char *label, double size);

#endif
