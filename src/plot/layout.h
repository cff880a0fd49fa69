// SPDX-License-Identifier: MIT
//
// Layout: where on the page everything of a figure is, before anything is drawn.
//
// Panels stand in rows and columns; in a column all boxes begin and end at the same place, so that
// their time axes fit to each other. The margins follow from the widths of the tick labels.

#ifndef SALTUS_PLOT_LAYOUT_H
#define SALTUS_PLOT_LAYOUT_H

#include "plot/axes.h"
#include "plot/key.h"
#include "plot/svg.h"
#include "plot/ticks.h"

typedef enum LayoutSide {
    LAYOUT_LEFT,
    LAYOUT_RIGHT,
    LAYOUT_TOP,
    LAYOUT_BOTTOM,
    LAYOUT_SIDES,
} LayoutSide;

typedef struct FigureLayout FigureLayout;

typedef struct PanelLayout {
    const FigureLayout *figure;
    const PlotPanel *panel;
    SvgRectangle box;             // what the axes enclose
    double margins[LAYOUT_SIDES]; // around it, of this panel alone
    AxisMap x, y;
    Ticks x_ticks, y_ticks;
    double label_x;       // of the vertical axis' label: the same in a column
    bool has_x_labels;    // not only ticks: the lowest of the time panels of a column, and others
    bool has_symbols;     // of marks, above the box: the highest of them
    SvgRectangle bar;     // the colour bar of a map
    AxisMap colour;       // from values to places on it
    Ticks colour_ticks;   //
    int colour_steps;     // of a map of few whole numbers: a block of the bar for each; else 0
    Key legend;           // of its curves
    bool is_legend_above; // in a strip above the box, at legend_place.y
    SvgRectangle legend_place;
} PanelLayout;

struct FigureLayout {
    Arena *arena;
    const PlotFigure *figure;
    double width, height; // of the page, in points
    double font, tick_font;
    size_t columns, rows;
    double *widths, *heights; // of the boxes: by column, by row
    PanelLayout *panels;
    Key key; // of bands and marks of all panels
    double title_y, key_y;
};

// Allocates in the arena, which must have a target for its exhaustion.
FigureLayout *layout_make(Arena *arena, const PlotFigure *figure);

#endif
