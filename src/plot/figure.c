// SPDX-License-Identifier: MIT
//
// Draws what the layout has placed, from the back to the front: bands, map, windows, marks, curves,
// frame with ticks, legend.

#include "plot/figure.h"

#include "plot/colour.h"
#include "plot/curves.h"
#include "plot/layout.h"
#include "plot/raster.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>

enum { MOST_LINES = 60 }; // more marks than that are drawn as a rug

// ---------------------------------------------------------------------------
// Behind the curves
// ---------------------------------------------------------------------------

static void draw_bands(StringBuilder *out, const PanelLayout *p)
{
    for (size_t i = 0; i < p->panel->band_count; i++) {
        const PlotBand *band = &p->panel->bands[i];
        const double left = fmax(axes_place(&p->x, band->from), p->box.x);
        const double right = fmin(axes_place(&p->x, band->to), p->box.x + p->box.width);
        const int shade = band->label ? key_find(&p->figure->key, KEY_BAND, band->label) : 0;
        char attributes[32];
        snprintf(attributes, sizeof attributes, " fill=\"%s\"",
                 colour_shade(shade < 0 ? COLOUR_SHADES - 1 : shade));
        if (right > left)
            svg_rectangle(out, (SvgRectangle){left, p->box.y, right - left, p->box.height},
                          attributes);
    }
}

static void draw_windows(StringBuilder *out, const PanelLayout *p)
{
    for (size_t i = 0; i < p->panel->window_count; i++) {
        const double left = fmax(axes_place(&p->x, p->panel->windows[i].low), p->box.x);
        const double right =
            fmin(axes_place(&p->x, p->panel->windows[i].high), p->box.x + p->box.width);
        if (right < left)
            continue;
        // A window too narrow to be seen is drawn a point wide.
        const double more = fmax(0.5 * (1.0 - (right - left)), 0.0);
        svg_rectangle(
            out, (SvgRectangle){left - more, p->box.y, right - left + 2.0 * more, p->box.height},
            " fill=\"#e69f00\" fill-opacity=\".3\" stroke=\"#e69f00\" stroke-width=\".5\"");
    }
}

static size_t count_visible_marks(const PanelLayout *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->panel->mark_count; i++) {
        const double f = axes_fraction(&p->x, p->panel->marks[i].x);
        count += f >= 0.0 && f <= 1.0;
    }
    return count;
}

static void draw_marks(StringBuilder *out, const PanelLayout *p)
{
    const bool is_rug = count_visible_marks(p) > MOST_LINES;
    const double bottom = p->box.y + p->box.height;
    double last = -INFINITY;
    for (size_t i = 0; i < p->panel->mark_count; i++) {
        const PlotMark *mark = &p->panel->marks[i];
        const double f = axes_fraction(&p->x, mark->x), x = axes_place(&p->x, mark->x);
        if (!(f >= 0.0 && f <= 1.0))
            continue;
        const int symbol = mark->label ? key_find(&p->figure->key, KEY_MARK, mark->label) : -1;
        if (!is_rug)
            svg_line(out, x, p->box.y, x, bottom,
                     " stroke=\"#666\" stroke-width=\".5\" stroke-dasharray=\"1 1.5\"");
        else if (fabs(x - last) >= 0.1)
            svg_line(out, x, bottom - 0.8 * p->figure->font, x, bottom,
                     " stroke=\"#666\" stroke-width=\".4\"");
        if (p->has_symbols && symbol >= 0 && fabs(x - last) >= 0.1)
            key_draw_symbol(out, symbol, x, p->box.y - 0.5 * p->figure->font, 0.3 * p->figure->font,
                            "#444");
        last = x;
    }
}

// ---------------------------------------------------------------------------
// Maps
// ---------------------------------------------------------------------------

// One rectangle for neighbours of the same colour in a row. Viewers of PDF blend edges that only
// touch with the paper behind: a rectangle goes on a little below the one that is drawn next, to
// the right and above (`above`: the next row, NULL: none), but not into an empty cell.
static void draw_map_row(StringBuilder *out, const PanelLayout *p, const double *x_edges,
                         double top, double bottom, const double *z, const double *above)
{
    static const double under = 1.5;
    const PlotMap *map = p->panel->map;
    char colour[8], next[8] = "";
    double begin = 0.0;
    bool is_covered = false, is_next_covered = false;
    for (size_t j = 0; j <= map->x_count; j++) {
        const double x = axes_place(&p->x, x_edges[j]);
        const double f = j < map->x_count ? axes_fraction(&p->colour, z[j]) : NAN;
        char attributes[32];
        memcpy(colour, next, sizeof colour);
        is_covered = is_next_covered;
        is_next_covered = j < map->x_count && above && !isnan(axes_fraction(&p->colour, above[j]));
        if (isnan(f))
            next[0] = '\0'; // a point that failed stays empty
        else
            colour_map(f, next);
        if (strcmp(colour, next) == 0 && is_covered == is_next_covered)
            continue;
        snprintf(attributes, sizeof attributes, " fill=\"%s\"", colour);
        const double to_right = next[0] && x > begin ? under : 0.0, up = is_covered ? under : 0.0;
        if (colour[0])
            svg_rectangle(out,
                          (SvgRectangle){fmin(begin, x), top - up, fabs(x - begin) + to_right,
                                         bottom - top + up},
                          attributes);
        begin = x;
    }
}

// Where the cells of a row or column begin and end in the picture: count + 1 places.
static void map_places(const AxisMap *axis, const double *edges, size_t count, double *places)
{
    for (size_t i = 0; i <= count; i++)
        places[i] = axes_place(axis, edges[i]);
}

// As many pixels as cells, if these are equal; else enough to tell them apart.
static size_t map_pixels(const double *edges, size_t count)
{
    enum { FINER = 4, MOST = 4000 };
    const double width = (edges[count] - edges[0]) / (double)count;
    for (size_t i = 0; i <= count; i++)
        if (fabs(edges[i] - edges[0] - width * (double)i) > 0.01 * fabs(width))
            return FINER * count < MOST ? FINER * count : MOST;
    return count;
}

static size_t map_cell_at(const double *edges, size_t count, double place)
{
    const bool falls = edges[count] < edges[0];
    size_t low = 0, high = count - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (falls ? edges[middle + 1] <= place : edges[middle + 1] >= place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Many cells as one image: a million rectangles take minutes to open.
static bool draw_map_image(StringBuilder *out, const PanelLayout *p, const double *x,
                           const double *y)
{
    const PlotMap *map = p->panel->map;
    const size_t columns = map->x_count, rows = map->y_count;
    const size_t width = map_pixels(x, columns), height = map_pixels(y, rows);
    const SvgRectangle box = {fmin(x[0], x[columns]), fmin(y[0], y[rows]), fabs(x[columns] - x[0]),
                              fabs(y[rows] - y[0])};
    unsigned char *pixels = ARENA_ARRAY(p->figure->arena, width * height, unsigned char);
    for (size_t i = 0; i < height; i++) {
        const double top = box.y + ((double)i + 0.5) * box.height / (double)height;
        const double *z = map->z + map_cell_at(y, rows, top) * map->x_count;
        for (size_t j = 0; j < width; j++) {
            const double left = box.x + ((double)j + 0.5) * box.width / (double)width;
            const double f = axes_fraction(&p->colour, z[map_cell_at(x, columns, left)]);
            pixels[i * width + j] =
                isnan(f) ? RASTER_EMPTY
                         : (unsigned char)lround((RASTER_EMPTY - 1) * fmin(1.0, fmax(0.0, f)));
        }
    }
    return raster_image(out, p->figure->arena, box, width, height, pixels);
}

static void draw_map(StringBuilder *out, const PanelLayout *p)
{
    enum { MOST_RECTANGLES = 40000 };
    const PlotMap *map = p->panel->map;
    if (!map || map->x_count == 0 || map->y_count == 0)
        return;
    double *x_edges = ARENA_ARRAY(p->figure->arena, map->x_count + 1, double);
    double *y_edges = ARENA_ARRAY(p->figure->arena, map->y_count + 1, double);
    axes_cell_edges(p->x.scale, map->x, map->x_count, x_edges);
    axes_cell_edges(p->y.scale, map->y, map->y_count, y_edges);
    svg_rectangle(out, p->box, " fill=\"#e4e4e4\"");
    if (map->x_count * map->y_count > MOST_RECTANGLES) {
        double *x = ARENA_ARRAY(p->figure->arena, map->x_count + 1, double);
        double *y = ARENA_ARRAY(p->figure->arena, map->y_count + 1, double);
        map_places(&p->x, x_edges, map->x_count, x);
        map_places(&p->y, y_edges, map->y_count, y);
        if (draw_map_image(out, p, x, y))
            return;
    }
    builder_append_text(out, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t i = 0; i < map->y_count; i++) {
        const double a = axes_place(&p->y, y_edges[i]), b = axes_place(&p->y, y_edges[i + 1]);
        const double *z = map->z + i * map->x_count;
        draw_map_row(out, p, x_edges, fmin(a, b), fmax(a, b), z,
                     i + 1 < map->y_count && b < a ? z + map->x_count : NULL);
    }
    builder_append_text(out, "</g>\n");
}

// Upwards beside all axes but the horizontal one.
static void draw_axis_label(StringBuilder *out, const PanelLayout *p, const Ticks *ticks,
                            const PlotAxis *axis, double x, double y)
{
    StringBuilder label = builder_create(p->figure->arena);
    ticks_axis_label(ticks, axis, &label);
    if (label.length == 0)
        return;
    if (ticks != &p->x_ticks)
        svg_text_upwards(out, x, y, p->figure->font, label.text);
    else
        svg_text(out, x, y, p->figure->font, SVG_MIDDLE, label.text, "");
}

static void draw_colour_bar(StringBuilder *out, const PanelLayout *p)
{
    enum { SMOOTH = 64 };
    if (!p->panel->map)
        return;
    const SvgRectangle bar = p->bar;
    const int stripes = p->colour_steps > 0 ? p->colour_steps : SMOOTH;
    const double right = bar.x + bar.width, font = p->figure->font, height = bar.height / stripes;
    builder_append_text(out, "<g shape-rendering=\"crispEdges\">\n");
    for (int i = 0; i < stripes; i++) { // each goes up to the top, below those that follow
        char colour[8], attributes[32];
        colour_map((i + 0.5) / stripes, colour);
        snprintf(attributes, sizeof attributes, " fill=\"%s\"", colour);
        svg_rectangle(out, (SvgRectangle){bar.x, bar.y, bar.width, bar.height - i * height},
                      attributes);
    }
    builder_append_text(out, "</g>\n");
    svg_rectangle(out, bar, " fill=\"none\" stroke=\"#000\" stroke-width=\".5\"");
    double widest = 0.0;
    for (size_t i = 0; i < p->colour_ticks.count; i++) {
        const Tick *t = &p->colour_ticks.ticks[i];
        const double y = axes_place(&p->colour, t->value);
        svg_line(out, right, y, right + (t->is_minor ? 0.2 : 0.4) * font, y,
                 " stroke=\"#000\" stroke-width=\".5\"");
        svg_text(out, right + 0.7 * font, y + 0.36 * p->figure->tick_font, p->figure->tick_font,
                 SVG_START, t->label, "");
        widest = fmax(widest, svg_text_width(t->label, p->figure->tick_font));
    }
    draw_axis_label(out, p, &p->colour_ticks, &p->panel->map->colour, right + 1.9 * font + widest,
                    bar.y + 0.5 * bar.height);
}

// ---------------------------------------------------------------------------
// Frame
// ---------------------------------------------------------------------------

static void draw_horizontal_axis(StringBuilder *out, const PanelLayout *p)
{
    const double bottom = p->box.y + p->box.height, font = p->figure->font;
    for (size_t i = 0; i < p->x_ticks.count; i++) {
        const Tick *t = &p->x_ticks.ticks[i];
        const double x = axes_place(&p->x, t->value);
        svg_line(out, x, bottom, x, bottom + (t->is_minor ? 0.22 : 0.4) * font, "");
        if (p->has_x_labels && !t->is_minor)
            svg_text(out, x, bottom + 0.65 * font + 0.75 * p->figure->tick_font,
                     p->figure->tick_font, SVG_MIDDLE, t->label, " stroke=\"none\"");
    }
    builder_append_text(out, "</g>\n");
    if (p->has_x_labels)
        draw_axis_label(out, p, &p->x_ticks, &p->panel->x, p->box.x + 0.5 * p->box.width,
                        bottom + 2.75 * font);
}

static void draw_vertical_axis(StringBuilder *out, const PanelLayout *p)
{
    const double left = p->box.x, font = p->figure->font;
    builder_append_text(out, "<g stroke=\"#000\" stroke-width=\".5\">\n");
    for (size_t i = 0; i < p->y_ticks.count; i++) {
        const Tick *t = &p->y_ticks.ticks[i];
        const double y = axes_place(&p->y, t->value);
        svg_line(out, left - (t->is_minor ? 0.22 : 0.4) * font, y, left, y, "");
        if (t->is_minor)
            continue;
        svg_text(out, left - 0.65 * font, y + 0.36 * p->figure->tick_font, p->figure->tick_font,
                 SVG_END, t->label, " stroke=\"none\"");
    }
    builder_append_text(out, "</g>\n");
    draw_axis_label(out, p, &p->y_ticks, &p->panel->y, p->label_x, p->box.y + 0.5 * p->box.height);
}

static void draw_frame(StringBuilder *out, const PanelLayout *p)
{
    builder_append_text(out, "<g stroke=\"#000\" stroke-width=\".5\">\n");
    svg_rectangle(out, p->box, " fill=\"none\"");
    draw_horizontal_axis(out, p);
    draw_vertical_axis(out, p);
}

// ---------------------------------------------------------------------------
// The figure
// ---------------------------------------------------------------------------

static bool figure_is_empty(const PanelLayout *p)
{
    const Interval r = axes_horizontal(p->panel);
    return r.low > r.high;
}

static void draw_head(StringBuilder *out, const PanelLayout *p)
{
    const double font = p->figure->font;
    double y = p->box.y - 0.4 * font;
    if (p->legend.count && p->is_legend_above) {
        key_draw_rows(&p->legend, p->legend_place, out);
        y = p->legend_place.y - 0.2 * font;
    } else if (p->has_symbols) {
        y -= font;
    }
    if (p->panel->title)
        svg_text(out, p->box.x + 0.5 * p->box.width, y, font, SVG_MIDDLE, p->panel->title, "");
}

static void draw_panel(StringBuilder *out, const PanelLayout *p, const char *id, size_t index)
{
    builder_append_text(out, "<clipPath id=\"");
    svg_escape(out, id, strlen(id));
    builder_append_format(out, "-%zu\">", index);
    svg_rectangle(out, p->box, "");
    builder_append_text(out, "</clipPath>\n<g>\n");
    draw_bands(out, p);
    draw_windows(out, p);
    draw_marks(out, p);
    builder_append_text(out, "<g clip-path=\"url(#");
    svg_escape(out, id, strlen(id));
    builder_append_format(out, "-%zu)\">\n", index);
    draw_map(out, p);
    curves_draw(p->figure->arena, p, out);
    builder_append_text(out, "</g>\n");
    draw_frame(out, p);
    draw_colour_bar(out, p);
    if (p->legend.count && !p->is_legend_above)
        key_draw_box(&p->legend, p->legend_place, out);
    if (figure_is_empty(p))
        svg_text(out, p->box.x + 0.5 * p->box.width, p->box.y + 0.5 * p->box.height,
                 p->figure->font, SVG_MIDDLE, "no data", " fill=\"#777\"");
    draw_head(out, p);
    builder_append_text(out, "</g>\n");
}

// Where the key of the figure begins: with the first panel, if it needs no more rows there.
static double key_left(const FigureLayout *l)
{
    const double margin = 1.5 * l->font;
    const double aligned = l->figure->panel_count ? l->panels[0].box.x : margin;
    const bool fits = key_rows_height(&l->key, l->width - aligned - margin) <=
                      key_rows_height(&l->key, l->width - 2.0 * margin);
    return fits ? aligned : margin;
}

static String draw_figure(Arena *arena, Arena *scratch, const void *what)
{
    const PlotFigure *figure = what;
    StringBuilder out = builder_create(arena);
    const FigureLayout *l = layout_make(scratch, figure);
    const double left = key_left(l);
    svg_begin(&out, l->width, l->height, figure->title);
    if (figure->title)
        svg_text(&out, 0.5 * l->width, l->title_y, 1.15 * l->font, SVG_MIDDLE, figure->title,
                 " font-weight=\"bold\"");
    key_draw_rows(&l->key, (SvgRectangle){left, l->key_y, l->width - left - 1.5 * l->font, 0.0},
                  &out);
    for (size_t i = 0; i < figure->panel_count; i++)
        draw_panel(&out, &l->panels[i], figure->id ? figure->id : "plot", i);
    svg_end(&out);
    return builder_string(&out);
}

String plot_svg(Arena *arena, const PlotFigure *figure)
{
    return svg_make(arena, draw_figure, figure);
}
