// SPDX-License-Identifier: MIT

#include "plot/key.h"

#include "plot/colour.h"

#include <stdio.h>

// In font sizes.
static const double sample_width = 2.4, mark_width = 1.0, sample_gap = 0.5, item_gap = 1.4,
                    line_height = 1.35, box_padding = 0.45;

enum { MOST_ITEMS = 24 };

// ---------------------------------------------------------------------------
// Items
// ---------------------------------------------------------------------------

int key_colour(const PlotCurve *curve, size_t index)
{
    return curve->colour > 0 ? (curve->colour - 1) % PLOT_COLOURS : (int)(index % PLOT_COLOURS);
}

int key_dash(const PlotCurve *curve, size_t index)
{
    return curve->dash > 0 ? (curve->dash - 1) % PLOT_DASHES : (int)(index % PLOT_DASHES);
}

int key_find(const Key *key, KeyKind kind, const char *label)
{
    int place = 0;
    for (size_t i = 0; i < key->count; i++) {
        if (key->items[i].kind != kind)
            continue;
        if (strcmp(key->items[i].label, label) == 0)
            return place;
        place++;
    }
    return -1;
}

static double sample_of(KeyKind kind)
{
    return kind == KEY_CURVE ? sample_width : kind == KEY_BAND ? 0.8 * sample_width : mark_width;
}

static void key_add(Key *key, KeyItem item)
{
    if (key->count == MOST_ITEMS)
        return;
    item.width = sample_of(item.kind) + sample_gap;
    item.width = item.width * key->font + svg_text_width(item.label, key->font);
    key->items[key->count++] = item;
}

Key key_of_curves(Arena *arena, const PlotPanel *panel, double font)
{
    Key key = {ARENA_ARRAY(arena, MOST_ITEMS, KeyItem), 0, font};
    for (size_t i = 0; i < panel->curve_count; i++) {
        const PlotCurve *c = &panel->curves[i];
        if (c->label)
            key_add(&key,
                    (KeyItem){KEY_CURVE, c->label, key_colour(c, i), key_dash(c, i), c->style, 0});
    }
    if (key.count < 2 || panel->legend == PLOT_LEGEND_NONE)
        key.count = 0;
    return key;
}

static void add_once(Key *key, KeyKind kind, const char *label)
{
    if (!label || key_find(key, kind, label) >= 0)
        return;
    int place = 0;
    for (size_t i = 0; i < key->count; i++)
        place += key->items[i].kind == kind;
    key_add(key, (KeyItem){kind, label, place, 0, PLOT_LINE, 0});
}

Key key_of_figure(Arena *arena, const PlotFigure *figure, double font)
{
    Key key = {ARENA_ARRAY(arena, MOST_ITEMS, KeyItem), 0, font};
    for (size_t p = 0; p < figure->panel_count; p++)
        for (size_t i = 0; i < figure->panels[p].band_count; i++)
            add_once(&key, KEY_BAND, figure->panels[p].bands[i].label);
    for (size_t p = 0; p < figure->panel_count; p++)
        for (size_t i = 0; i < figure->panels[p].mark_count; i++)
            add_once(&key, KEY_MARK, figure->panels[p].marks[i].label);
    return key;
}

// ---------------------------------------------------------------------------
// Symbols and samples
// ---------------------------------------------------------------------------

const char *key_symbol(int index)
{
    static const char *const outlines[PLOT_MARKERS] = {
        "m-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0z",
        "m-1.6 -1.6h3.2v3.2h-3.2z",
        "m0 -2.2l2.1 3.8h-4.2z",
        "m0 -2.4l2.2 2.4l-2.2 2.4l-2.2 -2.4z",
        "m0 2.2l2.1 -3.8h-4.2z",
        "m-1.9 -.7h1.2v-1.2h1.4v1.2h1.2v1.4h-1.2v1.2h-1.4v-1.2h-1.2z",
    };
    return outlines[index % PLOT_MARKERS];
}

void key_draw_symbol(StringBuilder *out, int index, double x, double y, double radius,
                     const char *colour)
{
    builder_append_text(out, "<path transform=\"translate(");
    svg_number(out, x);
    builder_append_character(out, ' ');
    svg_number(out, y);
    builder_append_text(out, ") scale(");
    svg_number(out, radius / KEY_SYMBOL_RADIUS);
    builder_append_format(out, ")\" d=\"M0 0%s\" fill=\"%s\"/>\n", key_symbol(index), colour);
}

static void draw_curve_sample(const KeyItem *item, double x, double y, double font,
                              StringBuilder *out)
{
    const char *colour = colour_curve(item->colour), *dash = colour_dash(item->dash);
    const double width = sample_width * font;
    char attributes[128];
    if (item->style == PLOT_BARS) {
        snprintf(attributes, sizeof attributes, " fill=\"%s\" fill-opacity=\".75\"", colour);
        svg_rectangle(out, (SvgRectangle){x, y - 0.35 * font, width, 0.7 * font}, attributes);
        return;
    }
    snprintf(attributes, sizeof attributes, " stroke=\"%s\" stroke-width=\"1.1\"%s%s%s", colour,
             *dash ? " stroke-dasharray=\"" : "", dash, *dash ? "\"" : "");
    if (item->style != PLOT_POINTS && item->style != PLOT_DOTS)
        svg_line(out, x, y, x + width, y, attributes);
    if (item->style != PLOT_LINE)
        key_draw_symbol(out, item->colour, x + 0.5 * width, y, 2.0, colour);
}

static void draw_item(const KeyItem *item, double x, double y, double font, StringBuilder *out)
{
    const double width = sample_of(item->kind) * font;
    char attributes[96];
    if (item->kind == KEY_CURVE) {
        draw_curve_sample(item, x, y, font, out);
    } else if (item->kind == KEY_BAND) {
        snprintf(attributes, sizeof attributes, " fill=\"%s\" stroke=\"#999\" stroke-width=\".4\"",
                 colour_shade(item->colour));
        svg_rectangle(out, (SvgRectangle){x, y - 0.4 * font, width, 0.8 * font}, attributes);
    } else {
        key_draw_symbol(out, item->colour, x + 0.5 * width, y, 0.32 * font, "#444");
    }
    svg_text(out, x + width + sample_gap * font, y + 0.36 * font, font, SVG_START, item->label, "");
}

// ---------------------------------------------------------------------------
// Boxes and rows
// ---------------------------------------------------------------------------

double key_box_width(const Key *key)
{
    double widest = 0.0;
    for (size_t i = 0; i < key->count; i++)
        if (key->items[i].width > widest)
            widest = key->items[i].width;
    return widest + 2.0 * box_padding * key->font;
}

double key_box_height(const Key *key)
{
    return ((double)key->count * line_height + 2.0 * box_padding) * key->font;
}

void key_draw_box(const Key *key, SvgRectangle place, StringBuilder *out)
{
    svg_rectangle(out, place,
                  " fill=\"#fff\" fill-opacity=\".85\" stroke=\"#999\" "
                  "stroke-width=\".4\"");
    for (size_t i = 0; i < key->count; i++)
        draw_item(&key->items[i], place.x + box_padding * key->font,
                  place.y + (box_padding + line_height * ((double)i + 0.5)) * key->font, key->font,
                  out);
}

// Draws the rows, or with out == NULL only measures them. Returns their height.
static double run_rows(const Key *key, SvgRectangle place, StringBuilder *out)
{
    double x = 0.0, row = 0.5;
    for (size_t i = 0; i < key->count; i++) {
        const KeyItem *item = &key->items[i];
        if (x > 0.0 && x + item->width > place.width) {
            x = 0.0;
            row += 1.0;
        }
        if (out)
            draw_item(item, place.x + x, place.y + row * line_height * key->font, key->font, out);
        x += item->width + item_gap * key->font;
    }
    return key->count ? (row + 0.5) * line_height * key->font : 0.0;
}

double key_rows_height(const Key *key, double width)
{
    return run_rows(key, (SvgRectangle){.width = width}, NULL);
}

void key_draw_rows(const Key *key, SvgRectangle place, StringBuilder *out)
{
    run_rows(key, place, out);
}
