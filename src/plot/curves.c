// SPDX-License-Identifier: MIT

#include "plot/curves.h"

#include "plot/colour.h"
#include "plot/thin.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

// ---------------------------------------------------------------------------
// Runs: the connected parts of a curve inside a rectangle
// ---------------------------------------------------------------------------

typedef void (*RunSink)(void *user, ThinPoint *points, size_t count);

// Narrows s0 ... s1 to where p + s d >= 0 (Liang and Barsky).
static void curves_narrow(double p, double d, double *s0, double *s1)
{
    if (d > 0.0)
        *s0 = fmax(*s0, -p / d);
    else if (d < 0.0)
        *s1 = fmin(*s1, -p / d);
    else if (p < 0.0)
        *s1 = -1.0;
}

// The part of a line inside of r, and which of its ends are not those of the line. False: none.
static bool clip(ThinPoint line[2], SvgRectangle r, bool is_cut[2])
{
    const ThinPoint a = line[0], b = line[1];
    const double dx = b.x - a.x, dy = b.y - a.y;
    double s0 = 0.0, s1 = 1.0;
    curves_narrow(a.x - r.x, dx, &s0, &s1);
    curves_narrow(r.x + r.width - a.x, -dx, &s0, &s1);
    curves_narrow(a.y - r.y, dy, &s0, &s1);
    curves_narrow(r.y + r.height - a.y, -dy, &s0, &s1);
    if (!(s0 <= s1))
        return false;
    is_cut[0] = s0 > 0.0;
    is_cut[1] = s1 < 1.0;
    if (is_cut[0])
        line[0] = (ThinPoint){a.x + s0 * dx, a.y + s0 * dy};
    if (is_cut[1])
        line[1] = (ThinPoint){a.x + s1 * dx, a.y + s1 * dy};
    return true;
}

static bool curves_is_inside(ThinPoint p, SvgRectangle r)
{
    return p.x >= r.x && p.x <= r.x + r.width && p.y >= r.y && p.y <= r.y + r.height;
}

static ThinPoint curves_place(const PanelLayout *p, const PlotCurve *curve, size_t i)
{
    return (ThinPoint){axes_place(&p->x, curve->x[i]), axes_place(&p->y, curve->y[i])};
}

static void walk_runs(Arena *arena, const PanelLayout *p, const PlotCurve *curve, SvgRectangle r,
                      RunSink sink, void *user)
{
    const ArenaMark mark = arena_mark(arena);
    ThinPoint *run = ARENA_ARRAY(arena, curve->count + 2, ThinPoint), last = {0};
    size_t count = 0;
    bool has_last = false;
    for (size_t i = 0; i <= curve->count; i++) {
        const ThinPoint next = i < curve->count ? curves_place(p, curve, i) : (ThinPoint){NAN, NAN};
        const bool is_gap = isnan(next.x) || isnan(next.y);
        ThinPoint line[2] = {last, next};
        bool is_cut[2] = {false, false};
        const bool is_visible = has_last && !is_gap && clip(line, r, is_cut);
        if (count && (is_gap || is_cut[0] || (has_last && !is_visible))) {
            sink(user, run, count);
            count = 0;
        }
        if (!has_last && !is_gap && curves_is_inside(next, r))
            run[count++] = next;
        if (is_visible && count == 0)
            run[count++] = line[0];
        if (is_visible)
            run[count++] = line[1];
        if (is_cut[1]) {
            sink(user, run, count);
            count = 0;
        }
        last = next;
        has_last = !is_gap;
    }
    arena_release(arena, mark);
}

// ---------------------------------------------------------------------------
// Lines
// ---------------------------------------------------------------------------

static SvgRectangle grown(SvgRectangle r, double by)
{
    return (SvgRectangle){r.x - by, r.y - by, r.width + 2.0 * by, r.height + 2.0 * by};
}

// A curve on its way into <path> elements. They are cut after some points, since programs that draw
// them take time that grows with the square of a path's length.
typedef struct Pen {
    StringBuilder *out;
    const char *colour, *dash;
    int64_t x, y;  // in hundredths of points
    double length; // of the curve so far, for the dashes
    size_t points; // in the present element; 0: none is open
} Pen;

enum { MOST_POINTS = 250 }; // of an element

static void close_path(Pen *pen)
{
    if (pen->points)
        builder_append_text(pen->out, "\"/>\n");
    pen->points = 0;
}

static void open_path(Pen *pen)
{
    builder_append_format(pen->out,
                          "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.1\" "
                          "stroke-linejoin=\"round\" stroke-linecap=\"%s\"",
                          pen->colour, *pen->dash ? "butt" : "round");
    if (*pen->dash)
        builder_append_format(pen->out, " stroke-dasharray=\"%s\"", pen->dash);
    if (*pen->dash && pen->length > 0.0) {
        builder_append_text(pen->out, " stroke-dashoffset=\"");
        svg_number(pen->out, fmod(pen->length, colour_dash_length(pen->dash)));
        builder_append_character(pen->out, '"');
    }
    builder_append_text(pen->out, " d=\"");
}

static void curves_begin_line(Pen *pen, int64_t x, int64_t y)
{
    if (pen->points == 0)
        open_path(pen);
    builder_append_character(pen->out, 'M');
    svg_number(pen->out, (double)x / 100.0);
    builder_append_character(pen->out, ' ');
    svg_number(pen->out, (double)y / 100.0);
    pen->x = x;
    pen->y = y;
    pen->points++;
}

// Relative steps between rounded places: errors do not add up.
static void continue_line(Pen *pen, int64_t x, int64_t y, bool is_first)
{
    const bool is_full = pen->points >= MOST_POINTS;
    if (is_full) {
        close_path(pen);
        curves_begin_line(pen, pen->x, pen->y);
    }
    builder_append_character(pen->out, is_first || is_full ? 'l' : ' ');
    svg_number(pen->out, (double)(x - pen->x) / 100.0);
    builder_append_character(pen->out, ' ');
    svg_number(pen->out, (double)(y - pen->y) / 100.0);
    pen->length += 0.01 * hypot((double)(x - pen->x), (double)(y - pen->y));
    pen->x = x;
    pen->y = y;
    pen->points++;
}

static void append_run(void *user, ThinPoint *points, size_t count)
{
    static const double column = 0.1, tolerance = 0.01; // in points: 720 columns to an inch
    Pen *pen = user;
    count = thin_straight(points, thin_columns(points, count, column), tolerance);
    bool is_first = true;
    curves_begin_line(pen, llround(100.0 * points[0].x), llround(100.0 * points[0].y));
    for (size_t i = 1; i < count; i++) {
        const int64_t x = llround(100.0 * points[i].x), y = llround(100.0 * points[i].y);
        if (x == pen->x && y == pen->y)
            continue;
        continue_line(pen, x, y, is_first);
        is_first = false;
    }
    if (is_first) // a dot
        builder_append_text(pen->out, "m-.6 0a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0z");
    builder_append_character(pen->out, '\n');
}

static void draw_line(Arena *arena, const PanelLayout *p, size_t index, StringBuilder *out)
{
    const PlotCurve *curve = &p->panel->curves[index];
    Pen pen = {.out = out,
               .colour = colour_curve(key_colour(curve, index)),
               .dash = colour_dash(key_dash(curve, index))};
    walk_runs(arena, p, curve, grown(p->box, 2.0), append_run, &pen);
    close_path(&pen);
}

// ---------------------------------------------------------------------------
// Points and bars
// ---------------------------------------------------------------------------

// Points that fall on one place of a fine raster are drawn once.
static void draw_points(Arena *arena, const PanelLayout *p, size_t index, StringBuilder *out)
{
    static const double pitch = 0.25;
    const PlotCurve *curve = &p->panel->curves[index];
    const int colour = key_colour(curve, index);
    const bool is_dotted = curve->style == PLOT_DOTS;
    const ArenaMark mark = arena_mark(arena);
    const size_t columns = (size_t)(p->box.width / pitch) + 2;
    const size_t rows = (size_t)(p->box.height / pitch) + 2;
    bool *taken = ARENA_ARRAY(arena, columns * rows, bool);
    builder_append_format(out, "<path fill=\"%s\" d=\"", colour_curve(colour));
    for (size_t i = 0; i < curve->count; i++) {
        const ThinPoint q = curves_place(p, curve, i);
        if (!curves_is_inside(q, p->box))
            continue;
        const size_t column = (size_t)((q.x - p->box.x) / pitch);
        bool *cell = &taken[(size_t)((q.y - p->box.y) / pitch) * columns + column];
        if (*cell)
            continue;
        *cell = true;
        builder_append_character(out, 'M');
        svg_number(out, q.x);
        builder_append_character(out, ' ');
        svg_number(out, q.y);
        builder_append_text(out, is_dotted ? "h.6v.6h-.6z" : key_symbol(colour));
    }
    builder_append_text(out, "\"/>\n");
    arena_release(arena, mark);
}

static void draw_bars(const PanelLayout *p, size_t index, StringBuilder *out)
{
    const PlotCurve *curve = &p->panel->curves[index];
    double spacing = p->box.width;
    for (size_t i = 1; i < curve->count; i++) {
        const double gap = fabs(curves_place(p, curve, i).x - curves_place(p, curve, i - 1).x);
        if (gap > 0.0 && gap < spacing)
            spacing = gap;
    }
    const double width = fmax(0.7 * spacing, 0.3);
    const double foot = p->y.scale == PLOT_LINEAR ? axes_place(&p->y, 0.0) : p->y.start;
    const double low = p->box.y, high = p->box.y + p->box.height;
    builder_append_format(out, "<g fill=\"%s\" fill-opacity=\".75\">\n",
                          colour_curve(key_colour(curve, index)));
    for (size_t i = 0; i < curve->count; i++) {
        const ThinPoint q = curves_place(p, curve, i);
        if (isnan(q.x) || isnan(q.y) || q.x < p->box.x || q.x > p->box.x + p->box.width)
            continue;
        const double top = fmin(fmax(fmin(q.y, foot), low), high);
        const double bottom = fmin(fmax(fmax(q.y, foot), low), high);
        svg_rectangle(out, (SvgRectangle){q.x - 0.5 * width, top, width, bottom - top}, "");
    }
    builder_append_text(out, "</g>\n");
}

void curves_draw(Arena *arena, const PanelLayout *p, StringBuilder *out)
{
    for (size_t i = 0; i < p->panel->curve_count; i++) {
        const PlotStyle style = p->panel->curves[i].style;
        if (style == PLOT_BARS)
            draw_bars(p, i, out);
        if (style == PLOT_LINE || style == PLOT_LINE_POINTS)
            draw_line(arena, p, i, out);
        if (style == PLOT_POINTS || style == PLOT_LINE_POINTS || style == PLOT_DOTS)
            draw_points(arena, p, i, out);
    }
}

// ---------------------------------------------------------------------------
// Room for the legend
// ---------------------------------------------------------------------------

// Which cells of the box a curve touches.
typedef struct Raster {
    SvgRectangle box;
    double cell;
    size_t columns, rows;
    bool *is_taken;
} Raster;

static void curves_take(Raster *r, double x, double y)
{
    if (!curves_is_inside((ThinPoint){x, y}, r->box))
        return;
    const size_t column = (size_t)((x - r->box.x) / r->cell);
    const size_t row = (size_t)((y - r->box.y) / r->cell);
    r->is_taken[row * r->columns + column] = true;
}

static void take_run(void *user, ThinPoint *points, size_t count)
{
    Raster *r = user;
    for (size_t i = 0; i < count; i++) {
        const ThinPoint a = points[i], b = i + 1 < count ? points[i + 1] : a;
        const int parts = 1 + (int)(2.0 * hypot(b.x - a.x, b.y - a.y) / r->cell);
        for (int k = 0; k <= parts; k++)
            curves_take(r, a.x + (b.x - a.x) * k / parts, a.y + (b.y - a.y) * k / parts);
    }
}

static void take_bars(Raster *r, const PanelLayout *p, const PlotCurve *curve)
{
    const double foot = p->y.scale == PLOT_LINEAR ? axes_place(&p->y, 0.0) : p->y.start;
    for (size_t i = 0; i < curve->count; i++) {
        const ThinPoint q = curves_place(p, curve, i);
        ThinPoint bar[2] = {q, {q.x, foot}};
        bool is_cut[2];
        if (isnan(q.x) || isnan(q.y) || !clip(bar, r->box, is_cut))
            continue;
        take_run(r, bar, 2);
    }
}

static bool curves_is_free(const Raster *r, SvgRectangle curves_place)
{
    if (!curves_is_inside((ThinPoint){curves_place.x, curves_place.y}, r->box) ||
        !curves_is_inside(
            (ThinPoint){curves_place.x + curves_place.width, curves_place.y + curves_place.height},
            r->box))
        return false;
    const size_t left = (size_t)((curves_place.x - r->box.x) / r->cell);
    const size_t right = (size_t)((curves_place.x + curves_place.width - r->box.x) / r->cell);
    const size_t top = (size_t)((curves_place.y - r->box.y) / r->cell);
    const size_t bottom = (size_t)((curves_place.y + curves_place.height - r->box.y) / r->cell);
    for (size_t row = top; row <= bottom; row++)
        for (size_t column = left; column <= right; column++)
            if (r->is_taken[row * r->columns + column])
                return false;
    return true;
}

static bool find_free(const Raster *r, double width, double height, SvgRectangle *curves_place)
{
    static const double margin = 4.0;
    // The corners first, then the middles of the edges; in fractions of the free way.
    static const double tries[][2] = {{1, 0},  {0, 0},  {1, 1},   {0, 1},   {.5, 0},  {.5, 1},
                                      {1, .5}, {0, .5}, {.25, 0}, {.75, 0}, {.25, 1}, {.75, 1}};
    const double way = r->box.width - width - 2.0 * margin;
    const double fall = r->box.height - height - 2.0 * margin;
    if (way < 0.0 || fall < 0.0)
        return false;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        *curves_place = (SvgRectangle){r->box.x + margin + tries[i][0] * way,
                                       r->box.y + margin + tries[i][1] * fall, width, height};
        if (curves_is_free(r, grown(*curves_place, 0.75 * margin)))
            return true;
    }
    return false;
}

bool curves_find_room(Arena *arena, const PanelLayout *p, double width, double height,
                      SvgRectangle *curves_place)
{
    const ArenaMark mark = arena_mark(arena);
    Raster r = {.box = p->box, .cell = 3.0};
    r.columns = (size_t)(p->box.width / r.cell) + 2;
    r.rows = (size_t)(p->box.height / r.cell) + 2;
    r.is_taken = ARENA_ARRAY(arena, r.columns * r.rows, bool);
    for (size_t i = 0; i < p->panel->curve_count; i++) {
        const PlotCurve *curve = &p->panel->curves[i];
        if (curve->style == PLOT_BARS)
            take_bars(&r, p, curve);
        else
            walk_runs(arena, p, curve, p->box, take_run, &r);
    }
    const bool is_found = find_free(&r, width, height, curves_place);
    arena_release(arena, mark);
    return is_found;
}
