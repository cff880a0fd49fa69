// SPDX-License-Identifier: MIT
//
// Moving pictures as GIF (version 89a): one palette for all frames, each frame only where it
// differs from the one before, compressed by LZW (Welch 1984).

#ifndef SALTUS_DRAWING_GIF_H
#define SALTUS_DRAWING_GIF_H

#include "base/text.h"

#include <stdint.h>

typedef struct GifDef {
    uint32_t width, height; // at most 65535
    size_t frame_count;
    const uint16_t *const *frames; // pixels of five bits each: red << 10 | green << 5 | blue
    unsigned delay;                // between frames, in hundredths of a second
} GifDef;

// The file, in the arena, which needs a target for its exhaustion. It repeats for ever.
// Its bytes.
String gif_make(Arena *arena, const GifDef *def);

#endif
