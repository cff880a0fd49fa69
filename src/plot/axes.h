// SPDX-License-Identifier: MIT
//
// Axes: which values they run over, and where on the page a value is.

#ifndef SALTUS_PLOT_AXES_H
#define SALTUS_PLOT_AXES_H

#include "plot/figure.h"

// From values to points on the page.
typedef struct AxisMap {
    PlotScale scale;
    Interval range;
    double start, length; // of the page; the length is negative for an axis that points up
} AxisMap;

// low > high: no value yet.
Interval axes_no_range(void);
// If it can be drawn: finite, not beyond 1e300, positive on a logarithmic axis.
void axes_include(Interval *range, PlotScale scale, double value);

// The horizontal values of all that a panel shows.
Interval axes_horizontal(const PlotPanel *panel);
// The vertical ones, of what lies in the horizontal range.
Interval axes_vertical(const PlotPanel *panel, Interval horizontal);
// A range that can be drawn: with some width, and `padding` of it to both sides. The axis' own
// limits come first.
Interval axes_finish(const PlotAxis *axis, Interval range, double padding);

// NAN if the value cannot be drawn.
double axes_place(const AxisMap *map, double value);
// 0 at the start of the axis, 1 at its end.
double axes_fraction(const AxisMap *map, double value);

// The edges of the cells around strictly monotone centres: edges[0 ... count].
void axes_cell_edges(PlotScale scale, const double *centres, size_t count, double *edges);

#endif
