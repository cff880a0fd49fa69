// SPDX-License-Identifier: MIT
//
// Outlines of graphic primitives, in the coordinates of the picture.

#ifndef SALTUS_DRAWING_PATH_H
#define SALTUS_DRAWING_PATH_H

#include "drawing/shape.h"

typedef enum PathClosure { PATH_OPEN, PATH_CHORD, PATH_RADIAL } PathClosure;

typedef struct DrawPath {
    StringBuilder text;
    ShapeAffine affine; // from the coordinates that points are given in; y upwards
    ShapeBox box;
    bool is_wild; // a coordinate is not finite
} DrawPath;

DrawPath path_begin(Arena *arena, ShapeAffine affine);
const char *path_text(const DrawPath *path);
bool path_is_finite(const DrawPath *path);
void path_grow_box(const DrawPath *path, ShapeBox *box);
void path_grow_point(ShapeBox *box, double x, double y, double radius);

// x1, y1, x2, y2, ... A smooth one has parabolas from the middle of each edge to that of the next
// with the corner as control point (section 18.6.2).
void path_points(DrawPath *path, const double *points, size_t count, bool is_smooth,
                 bool is_closed);
void path_rectangle(DrawPath *path, const double extent[4], double radius);
// Angles in degrees, counterclockwise, of the circle that the ellipse is the image of.
void path_ellipse(DrawPath *path, const double extent[4], double from, double to,
                  PathClosure closure);
// The size is one of the picture.
void path_arrow(DrawPath *path, const double tip[2], const double from[2], double size,
                bool is_half, bool is_closed);

#endif
