// SPDX-License-Identifier: MIT
//
// Keys: what the lines, shades and symbols of a figure mean. A legend in a box or in rows that
// wrap, and the list of distinct labels that both are made of.

#ifndef SALTUS_PLOT_KEY_H
#define SALTUS_PLOT_KEY_H

#include "plot/figure.h"
#include "plot/svg.h"

typedef enum KeyKind { KEY_CURVE, KEY_BAND, KEY_MARK } KeyKind;

typedef struct KeyItem {
    KeyKind kind;
    const char *label;
    int colour, dash; // of a curve, from 0; of a band its shade, of a mark its symbol
    PlotStyle style;  // of a curve
    double width;     // with its sample
} KeyItem;

typedef struct Key {
    KeyItem *items;
    size_t count;
    double font;
} Key;

// The legend of a panel's curves; empty if it needs none.
Key key_of_curves(Arena *arena, const PlotPanel *panel, double font);
// Bands, then marks, of all panels, each label once.
Key key_of_figure(Arena *arena, const PlotFigure *figure, double font);
// The place of a band's or mark's label among those of its kind.
int key_find(const Key *key, KeyKind kind, const char *label);

// The colour and dash, from 0, of a panel's curve.
int key_colour(const PlotCurve *curve, size_t index);
int key_dash(const PlotCurve *curve, size_t index);

// As a box with one item per line.
double key_box_width(const Key *key);
double key_box_height(const Key *key);
void key_draw_box(const Key *key, SvgRectangle place, StringBuilder *out);
// As rows of a width.
double key_rows_height(const Key *key, double width);
void key_draw_rows(const Key *key, SvgRectangle place, StringBuilder *out);

// The outline of a symbol of points and marks, relative to its centre, with this radius.
enum { KEY_SYMBOL_RADIUS = 2 };
const char *key_symbol(int index);
void key_draw_symbol(StringBuilder *out, int index, double x, double y, double radius,
                     const char *colour);

#endif
