// SPDX-License-Identifier: MIT
//
// Reads the pictures that rsvg-convert writes: PNG with eight bits for red, green, blue, and
// alpha perhaps, not interlaced (ISO/IEC 15948), compressed by deflate (RFC 1951).

#ifndef SALTUS_DRAWING_PNG_H
#define SALTUS_DRAWING_PNG_H

#include "base/arena.h"

#include <stdint.h>

// Red, green, blue, and alpha if there are four channels, row by row. NULL: it is damaged, or
// another kind of PNG, or of another size. Allocates in the arena.
const uint8_t *png_read(Arena *arena, const uint8_t *bytes, size_t length, uint32_t width,
                        uint32_t height, unsigned *channels);

#endif
