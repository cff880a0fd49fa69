// SPDX-License-Identifier: MIT
//
// A figure as plain data, and its picture as SVG text.
//
// A figure has panels in a grid; a panel has two axes and on them curves, bands (phases), event
// marks, marked windows, or a heat map. Nothing is copied: the arrays must live until the picture
// is made. What is zero in a struct is chosen automatically, so that a designated initializer names
// only what matters.
//
// What always holds: the same figure gives the same bytes; text stays text; no value of the data
// makes the picture fail: what is not a finite number, or not positive on a logarithmic axis, is a
// gap.
//
// Labels are UTF-8. In them `_{...}` is set as subscript and `^{...}` as superscript.

#ifndef SALTUS_PLOT_FIGURE_H
#define SALTUS_PLOT_FIGURE_H

#include "base/arena.h"
#include "base/interval.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum PlotScale { PLOT_LINEAR, PLOT_LOGARITHMIC } PlotScale;

typedef struct PlotAxis {
    const char *label; // "velocity"; NULL: none
    const char *unit;  // as Modelica writes it, "m/s2"; NULL: none
    PlotScale scale;
    bool is_boolean; // false and true instead of 0 and 1
    bool is_limited; // the axis runs from `from` to `to`; otherwise over the data
    double from, to;
} PlotAxis;

typedef enum PlotStyle {
    PLOT_LINE,
    PLOT_POINTS,
    PLOT_LINE_POINTS,
    PLOT_BARS, // from zero to each value
    PLOT_DOTS, // points as small as they can be seen
} PlotStyle;

enum { PLOT_COLOURS = 7, PLOT_DASHES = 6, PLOT_MARKERS = 6 };

typedef struct PlotCurve {
    const char *label; // for the legend; NULL: not in it
    const double *x, *y;
    size_t count;
    PlotStyle style;
    int colour; // 1 ... PLOT_COLOURS (beyond: again from the first); 0: by its place in the panel
    int dash;   // 1 (a full line) ... PLOT_DASHES; 0: likewise
} PlotCurve;

// A stretch of the horizontal axis, shaded over the whole height: a phase of a run.
typedef struct PlotBand {
    double from, to;
    const char *label; // bands with equal labels have equal shades and one line in the key
} PlotBand;

// A mark on the horizontal axis.
typedef struct PlotMark {
    double x;
    const char *label; // marks with equal labels have equal symbols and one line in the key
} PlotMark;

// Values over a grid: z[i * x_count + j] belongs to (x[j], y[i]). x and y rise or fall strictly.
typedef struct PlotMap {
    const double *x, *y, *z;
    size_t x_count, y_count;
    PlotAxis colour; // of the colour bar
} PlotMap;

typedef enum PlotLegend {
    PLOT_LEGEND_AUTOMATIC, // if there is more than one label: where it hides no curve
    PLOT_LEGEND_ABOVE,
    PLOT_LEGEND_NONE,
} PlotLegend;

typedef struct PlotPanel {
    const char *title;
    PlotAxis x, y;
    const PlotCurve *curves;
    const PlotBand *bands;
    const PlotMark *marks;
    const Interval *windows; // that other panels show enlarged, drawn as frames
    size_t curve_count, band_count, mark_count, window_count;
    const PlotMap *map; // NULL: none
    PlotLegend legend;
    bool is_time;  // shares its horizontal axis with the time panels above and below
    bool is_equal; // a unit is equally long on both axes
} PlotPanel;

typedef struct PlotFigure {
    const char *title;
    const PlotPanel *panels; // row by row
    size_t panel_count;
    size_t columns;       // 0: one
    double width, height; // in mm; 0: 174 mm (a whole page), as high as it needs
    double font_size;     // of labels, in pt; 0: 8
    const char *id; // begins the identifiers inside the picture: must differ between the pictures
                    // of one HTML page; NULL: "plot"
} PlotFigure;

// Widths of a column and of a page in mm.
#define PLOT_COLUMN_WIDTH 84.0
#define PLOT_PAGE_WIDTH 174.0

// The picture, allocated in the arena, as an <svg> element without XML declaration, which is both a
// file and something to put into HTML. No string: out of memory.
String plot_svg(Arena *arena, const PlotFigure *figure);

#endif
