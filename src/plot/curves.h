// SPDX-License-Identifier: MIT
//
// Curves on the page: lines, points and bars, clipped to the panel's box and thinned; and the room
// that they leave for a legend.

#ifndef SALTUS_PLOT_CURVES_H
#define SALTUS_PLOT_CURVES_H

#include "plot/layout.h"

void curves_draw(Arena *arena, const PanelLayout *p, StringBuilder *out);

// A place of the given size in the panel's box that hides no curve. False: there is none.
bool curves_find_room(Arena *arena, const PanelLayout *p, double width, double height,
                      SvgRectangle *place);

#endif
