// SPDX-License-Identifier: MIT
//
// Moving pictures as GIF (version 89a): one palette for all frames, each frame only where it
// differs from the one before, compressed by LZW (Welch 1984).

#ifndef SALTUS_DRAWING_GIF_H
#define SALTUS_DRAWING_GIF_H

#include "base/text.h"

#include <stdint.h>

// The bytes of the file, in the arena, which needs a target for its exhaustion. It repeats for
// ever. Width and height are at most 65535; pixels have five bits for each colour: red << 10 |
// green << 5 | blue; the delay between frames is in hundredths of a second.
String gif_make(Arena *arena, uint32_t width, uint32_t height, const uint16_t *const *frames,
                size_t frame_count, unsigned delay);

#endif
