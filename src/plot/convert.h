// SPDX-License-Identifier: MIT
//
// Pictures as files: SVG as it is, PNG and PDF by the program rsvg-convert (Debian: librsvg2-bin),
// which is looked for when it is needed. A file is there as a whole or not at all.

#ifndef SALTUS_PLOT_CONVERT_H
#define SALTUS_PLOT_CONVERT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ConvertFormat { CONVERT_SVG, CONVERT_PNG, CONVERT_PDF } ConvertFormat;

// By the end of the path: .svg, .png, .pdf. False: another one.
bool convert_format(const char *path, ConvertFormat *format);
// Writes a picture to a file by its name's end; NULL or "-": SVG to standard output. `dpi` is the
// resolution of PNG. False: the message says why.
bool convert_write(const char *path, String svg, double dpi, char **message);

// The picture as the bytes of a PNG, a pixel of SVG being one of it, in the arena. NULL: the
// message says why.
const uint8_t *convert_pixels(Arena *arena, String svg, size_t *length, char **message);

#endif
