// SPDX-License-Identifier: MIT

#include "plot/layout.h"

#include "plot/curves.h"

#include <math.h>

// In font sizes.
static const double outer = 0.5, tick_length = 0.45, label_line = 1.35, panel_gap = 0.9,
                    bar_width = 1.2, bar_gap = 1.0, mark_height = 1.0;

static size_t row_of(const FigureLayout *l, size_t panel)
{
    return panel / l->columns;
}

static size_t layout_column_of(const FigureLayout *l, size_t panel)
{
    return panel % l->columns;
}

// ---------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------

static bool has_points(const PlotPanel *p)
{
    for (size_t i = 0; i < p->curve_count; i++)
        if (p->curves[i].style != PLOT_LINE)
            return true;
    return false;
}

// Room beside the outermost bars, as a part of the axis.
static double bar_padding(const PlotPanel *p)
{
    size_t most = 0;
    for (size_t i = 0; i < p->curve_count; i++)
        if (p->curves[i].style == PLOT_BARS && p->curves[i].count > most)
            most = p->curves[i].count;
    return most == 0 ? 0.0 : most == 1 ? 1.0 : 0.6 / (double)(most - 1);
}

// The time panels of a column run over the same time.
static Interval shared_horizontal(const FigureLayout *l, size_t index)
{
    const PlotPanel *panel = l->panels[index].panel;
    Interval range = axes_horizontal(panel);
    for (size_t i = 0; panel->is_time && i < l->figure->panel_count; i++) {
        const PlotPanel *other = l->panels[i].panel;
        if (!other->is_time || layout_column_of(l, i) != layout_column_of(l, index))
            continue;
        const Interval r = axes_horizontal(other);
        axes_include(&range, panel->x.scale, r.low);
        axes_include(&range, panel->x.scale, r.high);
    }
    return range;
}

static Interval map_range(const PlotMap *map)
{
    Interval range = axes_no_range();
    for (size_t i = 0; i < map->x_count * map->y_count; i++)
        axes_include(&range, map->colour.scale, map->z[i]);
    return axes_finish(&map->colour, range, 0.0);
}

// Counts, 0 falls or 1 or 2, have a colour each; 0: they are too many, or no counts.
static int map_steps(const PlotMap *map, Interval range)
{
    enum { MOST_STEPS = 9 };
    const PlotAxis *axis = &map->colour;
    if (axis->scale != PLOT_LINEAR || (axis->unit && *axis->unit) ||
        !(range.high - range.low < MOST_STEPS))
        return 0;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < map->x_count * map->y_count; i++) {
        if (isnan(map->z[i]))
            continue;
        if (map->z[i] != rint(map->z[i]))
            return 0;
        least = fmin(least, map->z[i]);
        most = fmax(most, map->z[i]);
    }
    return least < most && least == range.low && most == range.high ? (int)(most - least) + 1 : 0;
}

static void set_ranges(FigureLayout *l)
{
    for (size_t i = 0; i < l->figure->panel_count; i++) {
        PanelLayout *p = &l->panels[i];
        const PlotPanel *panel = p->panel;
        const bool is_tight = panel->map || (panel->is_time && !has_points(panel));
        const double padding = is_tight ? 0.0 : has_points(panel) ? 0.03 : 0.05;
        const double room = bar_padding(panel);
        p->x.scale = panel->x.scale;
        p->y.scale = panel->y.scale;
        p->x.range = axes_finish(&panel->x, shared_horizontal(l, i), fmax(padding, room));
        p->y.range =
            axes_finish(&panel->y, axes_vertical(panel, p->x.range), panel->map ? 0.0 : 0.06);
        if (panel->map) {
            p->colour.scale = panel->map->colour.scale;
            p->colour.range = map_range(panel->map);
            p->colour_steps = map_steps(panel->map, p->colour.range);
            if (p->colour_steps > 0) { // a whole number is in the middle of its block
                p->colour.range.low -= 0.5;
                p->colour.range.high += 0.5;
            }
        }
    }
}

static bool layout_is_equal(const PanelLayout *p)
{
    return p->panel->is_equal && p->x.scale == PLOT_LINEAR && p->y.scale == PLOT_LINEAR;
}

static double range_ratio(const PanelLayout *p)
{
    return (p->y.range.high - p->y.range.low) / (p->x.range.high - p->x.range.low);
}

// ---------------------------------------------------------------------------
// Heights
// ---------------------------------------------------------------------------

// How high the box of a panel would like to be.
static double wanted_height(const FigureLayout *l, const PanelLayout *p, double width)
{
    static const double highest = 260.0, lowest = 60.0;
    double ratio = l->rows == 1 ? 0.55 : 0.3;
    if (layout_is_equal(p))
        ratio = fmin(fmax(range_ratio(p), 0.3), 1.0);
    else if (p->panel->map || !p->panel->is_time)
        ratio = 0.68;
    return fmin(fmax(ratio * width, lowest), highest);
}

static void set_margins_above_and_below(FigureLayout *l)
{
    for (size_t i = 0; i < l->figure->panel_count; i++) {
        const PlotPanel *panel = l->panels[i].panel;
        PanelLayout *p = &l->panels[i];
        p->has_x_labels = true;
        p->has_symbols = panel->mark_count > 0;
        for (size_t k = layout_column_of(l, i); k < l->figure->panel_count; k += l->columns) {
            const PlotPanel *other = l->panels[k].panel;
            if (k > i && panel->is_time && other->is_time)
                p->has_x_labels = false;
            if (k < i && panel->is_time && other->is_time && other->mark_count)
                p->has_symbols = false;
        }
        double *m = p->margins;
        m[LAYOUT_TOP] = panel->title ? label_line * l->font : 0.0;
        m[LAYOUT_TOP] += p->has_symbols ? mark_height * l->font : 0.0;
        if (p->is_legend_above)
            m[LAYOUT_TOP] += key_rows_height(&p->legend, l->widths[layout_column_of(l, i)]);
        m[LAYOUT_BOTTOM] = p->has_x_labels ? (tick_length + 2.0 * label_line) * l->font : 0.0;
    }
}

// Above or below a row, or beside a column: the largest of its panels.
static double margin_of(const FigureLayout *l, LayoutSide side, size_t line)
{
    const bool is_row = side == LAYOUT_TOP || side == LAYOUT_BOTTOM;
    double largest = 0.0;
    for (size_t i = 0; i < l->figure->panel_count; i++)
        if ((is_row ? row_of(l, i) : layout_column_of(l, i)) == line)
            largest = fmax(largest, l->panels[i].margins[side]);
    return largest;
}

static double head_height(const FigureLayout *l)
{
    const double title = l->figure->title ? 1.2 * label_line * l->font : 0.0;
    return outer * l->font + title +
           key_rows_height(&l->key, l->width - 2.0 * outer * l->font - 2.0 * l->font);
}

static void set_heights(FigureLayout *l)
{
    double fixed = head_height(l) + outer * l->font, flexible = 0.0;
    for (size_t r = 0; r < l->rows; r++) {
        fixed += margin_of(l, LAYOUT_TOP, r) + margin_of(l, LAYOUT_BOTTOM, r) +
                 (r > 0 ? panel_gap * l->font : 0.0);
        l->heights[r] = 0.0;
        for (size_t i = r * l->columns; i < (r + 1) * l->columns && i < l->figure->panel_count; i++)
            l->heights[r] = fmax(
                l->heights[r], wanted_height(l, &l->panels[i], l->widths[layout_column_of(l, i)]));
        flexible += l->heights[r];
    }
    if (l->figure->height > 0.0) {
        static const double lowest = 12.0; // a panel that has no room is still one
        l->height = l->figure->height * SVG_POINTS_PER_MM;
        const double factor = (l->height - fixed) / flexible;
        for (size_t r = 0; r < l->rows; r++)
            l->heights[r] = fmax(factor * l->heights[r], lowest);
    } else {
        l->height = fixed + flexible;
    }
}

// ---------------------------------------------------------------------------
// Widths
// ---------------------------------------------------------------------------

static double widest_label(const Ticks *t, double font)
{
    double widest = 0.0;
    for (size_t i = 0; i < t->count; i++)
        widest = fmax(widest, svg_text_width(t->ticks[i].label, font));
    return widest;
}

static void set_margins_aside(FigureLayout *l)
{
    for (size_t i = 0; i < l->figure->panel_count; i++) {
        PanelLayout *p = &l->panels[i];
        const int wanted = (int)(l->heights[row_of(l, i)] / (2.0 * l->font));
        double *m = p->margins;
        p->y_ticks = p->panel->y.is_boolean
                         ? ticks_boolean()
                         : ticks_make(p->y.scale, p->y.range.low, p->y.range.high,
                                      wanted > 8 ? 8 : wanted, p->panel->y.unit);
        m[LAYOUT_LEFT] = widest_label(&p->y_ticks, l->tick_font) +
                         (tick_length + 0.35 + label_line + 0.2) * l->font;
        m[LAYOUT_RIGHT] = 1.6 * l->font;
        if (!p->panel->map)
            continue;
        p->colour_ticks =
            p->colour_steps > 0
                ? ticks_whole(p->colour.range.low + 0.5, p->colour_steps)
                : ticks_make(p->colour.scale, p->colour.range.low, p->colour.range.high,
                             wanted > 8 ? 8 : wanted, p->panel->map->colour.unit);
        m[LAYOUT_RIGHT] = widest_label(&p->colour_ticks, l->tick_font) +
                          (bar_gap + bar_width + tick_length + 0.35 + label_line + 0.5) * l->font;
    }
}

static void set_widths(FigureLayout *l)
{
    static const double narrowest = 20.0;
    double rest = l->width - 2.0 * outer * l->font;
    for (size_t c = 0; c < l->columns; c++)
        rest -= margin_of(l, LAYOUT_LEFT, c) + margin_of(l, LAYOUT_RIGHT, c);
    for (size_t c = 0; c < l->columns; c++)
        l->widths[c] = fmax(rest / (double)l->columns, narrowest);
}

// Takes fewer ticks until their labels have room.
static void make_horizontal_ticks(FigureLayout *l, PanelLayout *p)
{
    for (int wanted = (int)fmin(p->box.width / (3.5 * l->font), 12.0); wanted >= 2; wanted--) {
        p->x_ticks =
            ticks_make(p->x.scale, p->x.range.low, p->x.range.high, wanted, p->panel->x.unit);
        double least = INFINITY, last = -INFINITY;
        for (size_t i = 0; i < p->x_ticks.count; i++) {
            if (p->x_ticks.ticks[i].is_minor)
                continue;
            const double place = axes_place(&p->x, p->x_ticks.ticks[i].value);
            least = fmin(least, place - last);
            last = place;
        }
        if (least >= widest_label(&p->x_ticks, l->tick_font) + 0.8 * l->font)
            return;
    }
}

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

// The largest box in `room` in which a unit is equally long on both axes.
static SvgRectangle equal_box(const PanelLayout *p, SvgRectangle room)
{
    const double ratio = range_ratio(p);
    SvgRectangle box = room;
    if (ratio * room.width > room.height)
        box.width = fmax(room.height / ratio, 12.0);
    else
        box.height = fmax(room.width * ratio, 12.0);
    box.x += 0.5 * (room.width - box.width);
    return box;
}

static void place_panel(FigureLayout *l, PanelLayout *p, SvgRectangle room)
{
    p->box = layout_is_equal(p) ? equal_box(p, room) : room;
    p->x.start = p->box.x;
    p->x.length = p->box.width;
    p->y.start = p->box.y + p->box.height;
    p->y.length = -p->box.height;
    make_horizontal_ticks(l, p);
    if (p->panel->map) {
        p->bar = (SvgRectangle){p->box.x + p->box.width + bar_gap * l->font, p->box.y,
                                bar_width * l->font, p->box.height};
        p->colour.start = p->y.start;
        p->colour.length = p->y.length;
    }
}

static void place_panels(FigureLayout *l)
{
    double top = head_height(l);
    l->title_y = (outer + 1.1) * l->font;
    l->key_y = outer * l->font + (l->figure->title ? 1.2 * label_line * l->font : 0.0);
    for (size_t r = 0; r < l->rows; r++) {
        double left = outer * l->font;
        top += margin_of(l, LAYOUT_TOP, r);
        for (size_t c = 0; c < l->columns; c++) {
            const size_t i = r * l->columns + c;
            const double before = margin_of(l, LAYOUT_LEFT, c);
            left += before;
            if (i < l->figure->panel_count) {
                const SvgRectangle room = {left, top, l->widths[c], l->heights[r]};
                place_panel(l, &l->panels[i], room);
                l->panels[i].label_x = l->panels[i].box.x - before + (label_line - 0.3) * l->font;
            }
            left += l->widths[c] + margin_of(l, LAYOUT_RIGHT, c);
        }
        top += l->heights[r] + margin_of(l, LAYOUT_BOTTOM, r) + panel_gap * l->font;
    }
}

static void layout_place_all(FigureLayout *l)
{
    // Heights follow from widths and widths, by the tick labels, from heights.
    for (size_t c = 0; c < l->columns; c++)
        l->widths[c] = l->width / (double)l->columns - 6.0 * l->font;
    for (int pass = 0; pass < 2; pass++) {
        set_margins_above_and_below(l);
        set_heights(l);
        set_margins_aside(l);
        set_widths(l);
    }
    place_panels(l);
}

// Above the box go legends that would hide a curve inside it.
static bool place_legends(FigureLayout *l)
{
    bool any_above = false;
    for (size_t i = 0; i < l->figure->panel_count; i++) {
        PanelLayout *p = &l->panels[i];
        if (p->legend.count == 0)
            continue;
        p->is_legend_above = p->panel->legend == PLOT_LEGEND_ABOVE ||
                             !curves_find_room(l->arena, p, key_box_width(&p->legend),
                                               key_box_height(&p->legend), &p->legend_place);
        any_above |= p->is_legend_above;
    }
    return any_above;
}

// A second look at the panels whose legend is inside: their boxes have become smaller.
static void place_legends_again(FigureLayout *l)
{
    for (size_t i = 0; i < l->figure->panel_count; i++) {
        PanelLayout *p = &l->panels[i];
        if (p->legend.count == 0)
            continue;
        if (!p->is_legend_above)
            curves_find_room(l->arena, p, key_box_width(&p->legend), key_box_height(&p->legend),
                             &p->legend_place);
        else
            p->legend_place =
                (SvgRectangle){p->box.x,
                               p->box.y - (p->has_symbols ? mark_height * l->font : 0.0) -
                                   key_rows_height(&p->legend, l->widths[layout_column_of(l, i)]),
                               l->widths[layout_column_of(l, i)], 0.0};
    }
}

FigureLayout *layout_make(Arena *arena, const PlotFigure *figure)
{
    FigureLayout *l = ARENA_NEW(arena, FigureLayout);
    l->arena = arena;
    l->figure = figure;
    l->font = figure->font_size > 0.0 ? figure->font_size : 8.0;
    l->tick_font = 0.9 * l->font;
    l->width = (figure->width > 0.0 ? figure->width : PLOT_PAGE_WIDTH) * SVG_POINTS_PER_MM;
    const size_t columns = figure->columns ? figure->columns : 1;
    const size_t rows = (figure->panel_count + columns - 1) / columns;
    l->panels = ARENA_ARRAY(arena, figure->panel_count, PanelLayout);
    l->key = key_of_figure(arena, figure, 0.95 * l->font);
    for (size_t i = 0; i < figure->panel_count; i++) {
        l->panels[i].figure = l;
        l->panels[i].panel = &figure->panels[i];
        l->panels[i].legend = key_of_curves(arena, &figure->panels[i], 0.95 * l->font);
    }
    l->columns = columns;
    l->rows = rows;
    l->widths = ARENA_ARRAY(arena, columns, double);
    l->heights = ARENA_ARRAY(arena, rows, double);
    set_ranges(l);
    layout_place_all(l);
    if (place_legends(l))
        layout_place_all(l);
    place_legends_again(l);
    return l;
}
