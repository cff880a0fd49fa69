// SPDX-License-Identifier: MIT
//
// From result tables to a figure: which variables in which panels, by a few words.
//
//   x          a panel with x over the first column, the time
//   x,y        both in one panel
//   "x*"       all variables whose names match (* and ?), in one panel
//   y:x        y over x, a phase portrait; y1:x1,y2:x2 several in one panel
//   a-b        an expression, if the table has its column (derived.h)
//
// Commas in brackets, parentheses and quoted names belong to the name.

#ifndef SALTUS_PLOT_REQUEST_H
#define SALTUS_PLOT_REQUEST_H

#include "plot/figure.h"
#include "results/table.h"

typedef struct PlotRequest {
    const Table *const *tables; // runs
    const char *const *names;   // of the runs, for legends
    size_t table_count;
    const char *const *panels;
    size_t panel_count;
    const char *map;     // "z:x,y": a heat map of the first table instead of panels; NULL: none
    const Table *events; // an event log, for marks; NULL: none
    bool has_phases;     // bands from the column `mode` of the first table
    bool is_equal;       // portraits: equal scales
    bool has_points;     // symbols at the points
    bool has_dots;       // all curves of a panel as dots of one colour
    bool is_histogram;   // how often the values occur, instead of the values
    PlotScale x_scale, y_scale;
    Interval window; // of time; low == high: all of it
    Interval zoom;   // of time, shown in a second column; low == high: none
    const char *title;
    const char *const *labels; // "NAME=TEXT" or "NAME=TEXT (UNIT)": how a variable, or a run, is
    size_t label_count;        // called in labels and legends
    const char *const *ranges; // "NAME=FROM:TO": the vertical axis of panels that begin with NAME
    size_t range_count;
    double width, height; // mm; 0: automatic
} PlotRequest;

// Where the part of a panel that begins at s ends: at a mark outside of brackets and quotes.
const char *request_part_end(const char *s, char mark);

// Fills *figure in with what is allocated in the arena or belongs to the request. False: the
// message says what is wrong.
bool plot_request(Arena *arena, const PlotRequest *request, PlotFigure *figure, char **message);

#endif
