// SPDX-License-Identifier: MIT

#include "plot/axes.h"

#include <math.h>

// Beyond it, differences and paddings could overflow.
#define LARGEST 1e300
#define SMALLEST 1e-304 // of a logarithmic axis with its padding

Interval axes_no_range(void)
{
    return (Interval){INFINITY, -INFINITY};
}

static bool axes_has(PlotScale scale, double value)
{
    return fabs(value) <= LARGEST && (scale == PLOT_LINEAR || value > 1.0 / LARGEST);
}

void axes_include(Interval *range, PlotScale scale, double value)
{
    if (!axes_has(scale, value))
        return;
    if (value < range->low)
        range->low = value;
    if (value > range->high)
        range->high = value;
}

// ---------------------------------------------------------------------------
// Ranges of the data
// ---------------------------------------------------------------------------

static void include_cells(Interval *range, PlotScale scale, const double *centres, size_t count)
{
    if (count == 0)
        return;
    double edges[3];
    const size_t few = count < 2 ? 1 : 2;
    axes_cell_edges(scale, centres, few, edges);
    axes_include(range, scale, edges[0]);
    axes_cell_edges(scale, centres + count - few, few, edges);
    axes_include(range, scale, edges[few]);
}

Interval axes_horizontal(const PlotPanel *panel)
{
    const PlotScale scale = panel->x.scale;
    Interval range = axes_no_range();
    for (size_t c = 0; c < panel->curve_count; c++) {
        const PlotCurve *curve = &panel->curves[c];
        for (size_t i = 0; i < curve->count; i++)
            if (axes_has(panel->y.scale, curve->y[i]))
                axes_include(&range, scale, curve->x[i]);
    }
    if (panel->map)
        include_cells(&range, scale, panel->map->x, panel->map->x_count);
    return range;
}

// The curve's value at the edge of the window, between two points on both sides of it.
static void include_crossing(Interval *range, const PlotCurve *c, PlotScale scale, size_t i,
                             double edge)
{
    const double x0 = c->x[i - 1], x1 = c->x[i], y0 = c->y[i - 1], y1 = c->y[i];
    if (((x0 < edge && edge < x1) || (x1 < edge && edge < x0)) && axes_has(scale, y0) &&
        axes_has(scale, y1))
        axes_include(range, scale, y0 + (y1 - y0) * ((edge - x0) / (x1 - x0)));
}

Interval axes_vertical(const PlotPanel *panel, Interval horizontal)
{
    const PlotScale scale = panel->y.scale;
    Interval range = axes_no_range();
    for (size_t c = 0; c < panel->curve_count; c++) {
        const PlotCurve *curve = &panel->curves[c];
        if (curve->style == PLOT_BARS && curve->count > 0)
            axes_include(&range, scale, 0.0);
        for (size_t i = 0; i < curve->count; i++) {
            if (curve->x[i] >= horizontal.low && curve->x[i] <= horizontal.high)
                axes_include(&range, scale, curve->y[i]);
            if (i > 0 && (curve->style == PLOT_LINE || curve->style == PLOT_LINE_POINTS)) {
                include_crossing(&range, curve, scale, i, horizontal.low);
                include_crossing(&range, curve, scale, i, horizontal.high);
            }
        }
    }
    if (panel->map)
        include_cells(&range, scale, panel->map->y, panel->map->y_count);
    if (panel->y.is_boolean) {
        axes_include(&range, scale, 0.0);
        axes_include(&range, scale, 1.0);
    }
    return range;
}

static Interval pad(Interval r, PlotScale scale, double padding)
{
    if (scale == PLOT_LOGARITHMIC) {
        const double factor = exp(padding * (log(r.high) - log(r.low)));
        return (Interval){fmax(r.low / factor, SMALLEST), fmin(r.high * factor, 1.0 / SMALLEST)};
    }
    const double more = padding * (r.high - r.low);
    return (Interval){r.low - more, r.high + more};
}

// Values that differ by rounding errors only are one value.
static bool axes_is_constant(Interval r)
{
    static const double rounding = 1e-13;
    return r.high - r.low <= rounding * fmax(fabs(r.low), fabs(r.high));
}

Interval axes_finish(const PlotAxis *axis, Interval range, double padding)
{
    const bool is_log = axis->scale == PLOT_LOGARITHMIC;
    if (axis->is_limited) {
        range = (Interval){axis->from, axis->to};
        padding = 0.0;
        if (range.low > range.high)
            range = (Interval){axis->to, axis->from};
    }
    if (!axes_has(axis->scale, range.low) || !axes_has(axis->scale, range.high))
        return is_log ? (Interval){1.0, 10.0} : (Interval){0.0, 1.0};
    if (!axes_is_constant(range) &&
        (is_log || fmax(fabs(range.low), fabs(range.high)) > 1.0 / LARGEST))
        return pad(range, axis->scale, padding);
    const double middle = range.low;
    if (is_log)
        return (Interval){middle / 2.0, middle * 2.0};
    const double half = fabs(middle) > 1.0 / LARGEST ? 0.1 * fabs(middle) : 1.0;
    return (Interval){middle - half, middle + half};
}

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

double axes_fraction(const AxisMap *map, double value)
{
    const Interval r = map->range;
    if (!axes_has(map->scale, value))
        return NAN;
    if (map->scale == PLOT_LOGARITHMIC)
        return (log(value) - log(r.low)) / (log(r.high) - log(r.low));
    return (value - r.low) / (r.high - r.low);
}

double axes_place(const AxisMap *map, double value)
{
    return map->start + map->length * axes_fraction(map, value);
}

static double axes_between(PlotScale scale, double a, double b)
{
    return scale == PLOT_LOGARITHMIC ? sqrt(a) * sqrt(b) : 0.5 * (a + b);
}

// As far beyond b as b is beyond a.
static double beyond(PlotScale scale, double a, double b)
{
    return scale == PLOT_LOGARITHMIC ? b * (b / a) : b + (b - a);
}

void axes_cell_edges(PlotScale scale, const double *centres, size_t count, double *edges)
{
    if (count == 1) {
        const double c = centres[0], half = c != 0.0 ? 0.5 * fabs(c) : 0.5;
        edges[0] = scale == PLOT_LOGARITHMIC ? c / 2.0 : c - half;
        edges[1] = scale == PLOT_LOGARITHMIC ? c * 2.0 : c + half;
        return;
    }
    for (size_t i = 1; i < count; i++)
        edges[i] = axes_between(scale, centres[i - 1], centres[i]);
    edges[0] = beyond(scale, edges[1], centres[0]);
    edges[count] = beyond(scale, edges[count - 1], centres[count - 1]);
}
