// SPDX-License-Identifier: MIT
//
// A picture of many small cells as one image inside of an SVG: a PNG of up to 256 colours (W3C:
// Portable Network Graphics, 2003), in base64 (RFC 4648).

#ifndef SALTUS_PLOT_RASTER_H
#define SALTUS_PLOT_RASTER_H

#include "plot/svg.h"

enum { RASTER_EMPTY = 255 }; // the colour that is none

// Pixels row by row from the upper left one, each the number of a colour of a map: 0 to 254 for its
// range. False: out of memory.
bool raster_image(StringBuilder *out, Arena *scratch, SvgRectangle place, size_t width,
                  size_t height, const unsigned char *pixels);

#endif
