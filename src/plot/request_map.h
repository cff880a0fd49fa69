// SPDX-License-Identifier: MIT
//
// A heat map from the rows of a sweep: every row is a point (x, y) with a value z.

#ifndef SALTUS_PLOT_REQUEST_MAP_H
#define SALTUS_PLOT_REQUEST_MAP_H

#include "plot/request.h"

// Of request->map, "z:x,y". Points that are not there, or failed, stay empty.
bool request_map(Arena *arena, const PlotRequest *request, PlotFigure *figure, char **message);

#endif
