// SPDX-License-Identifier: MIT
//
// Reads the pictures that rsvg-convert writes: PNG with eight bits for red, green, blue, and
// alpha perhaps, not interlaced (ISO/IEC 15948), compressed by deflate (RFC 1951).

#ifndef SALTUS_DRAWING_PNG_H
#define SALTUS_DRAWING_PNG_H

#include "base/arena.h"

#include <stdint.h>

typedef struct PngImage {
    uint32_t width, height;
    unsigned channels;     // 3, or 4 with alpha
    const uint8_t *pixels; // red, green, blue, perhaps alpha, row by row
} PngImage;

// False: it is damaged, or another kind of PNG. Allocates in the arena.
bool png_read(Arena *arena, const uint8_t *bytes, size_t length, PngImage *image);

#endif
