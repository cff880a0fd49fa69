// SPDX-License-Identifier: MIT
//
// The state chart beside the picture of a film, with the active states lit up.

#ifndef SALTUS_DRAWING_CHART_H
#define SALTUS_DRAWING_CHART_H

#include "drawing/film.h"

// What a film shows: its picture, and its chart to the right of it.
ShapeBox chart_view(const Film *film);
// The chart of a frame, in its place; of FILM_ALL: with the states as they change. Nothing if the
// film has none.
void chart_write(StringBuilder *out, Arena *scratch, const Film *film, size_t frame);

#endif
