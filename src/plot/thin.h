// SPDX-License-Identifier: MIT
//
// Curves for the eye: as few points as show the same picture.
//
// Two steps. Where the curve runs from left to right, only the first, lowest, highest and last
// point of each of many narrow columns are kept: drawn on a raster of these columns the curve stays
// the same, pixel by pixel (U. Jugel, Z. Jerzak, G. Hackenbroich, V. Markl: M4, Proc. VLDB 7,
// 2014). Then points are left out as long as every one of them stays near the line that replaces
// them.

#ifndef SALTUS_PLOT_THIN_H
#define SALTUS_PLOT_THIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ThinPoint {
    double x, y;
} ThinPoint;

// Keeps in place what matters on columns of the given width; returns how many points. All points
// are finite. Unchanged if x does not rise.
size_t thin_columns(ThinPoint *points, size_t count, double width);
// Keeps in place so many points that none that is left out is farther than `tolerance` from the
// line between those kept around it; the first and the last stay.
size_t thin_straight(ThinPoint *points, size_t count, double tolerance);

#endif
