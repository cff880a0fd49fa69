// SPDX-License-Identifier: MIT

#include "drawing/png.h"

#include "base/inflate.h"

#include <stdlib.h>
#include <string.h>

static uint32_t png_number(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int png_paeth(int a, int b, int c)
{
    const int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Each byte is the difference to what its neighbours tell (section 9 of the standard).
static bool png_unfilter(const uint8_t *rows, uint8_t *pixels, size_t stride, size_t height,
                         size_t channels)
{
    for (size_t y = 0; y < height; y++) {
        const uint8_t filter = rows[y * (stride + 1)], *in = rows + y * (stride + 1) + 1;
        uint8_t *out = pixels + y * stride;
        if (filter > 4)
            return false;
        for (size_t x = 0; x < stride; x++) {
            const int a = x >= channels ? out[x - channels] : 0, b = y ? out[x - stride] : 0;
            const int c = x >= channels && y ? out[x - stride - channels] : 0;
            const int guess[] = {0, a, b, (a + b) / 2, png_paeth(a, b, c)};
            out[x] = (uint8_t)(in[x] + guess[filter]);
        }
    }
    return true;
}

const uint8_t *png_read(Arena *arena, const uint8_t *bytes, size_t length, uint32_t width,
                        uint32_t height, unsigned *channels)
{
    static const uint8_t begin[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    enum { MOST_PIXELS = 1 << 27 };
    if (length < 33 || memcmp(bytes, begin, sizeof begin) != 0 || png_number(bytes + 16) != width ||
        png_number(bytes + 20) != height)
        return NULL;
    const bool is_usual = bytes[24] == 8 && (bytes[25] == 2 || bytes[25] == 6) && bytes[28] == 0;
    if (!is_usual || !width || !height || width > MOST_PIXELS || height > MOST_PIXELS / width)
        return NULL;
    uint8_t *packed = ARENA_ARRAY(arena, length, uint8_t);
    size_t packed_length = 0;
    for (size_t at = 8; length - at >= 12;) {
        const uint32_t size = png_number(bytes + at);
        if (size > length - at - 12)
            return NULL;
        if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
            memcpy(packed + packed_length, bytes + at + 8, size);
            packed_length += size;
        }
        at += 12 + (size_t)size;
    }
    *channels = bytes[25] == 2 ? 3 : 4;
    const size_t stride = *channels * (size_t)width, raw = (stride + 1) * height;
    uint8_t *rows = ARENA_ARRAY(arena, raw, uint8_t);
    uint8_t *pixels = ARENA_ARRAY(arena, stride * height, uint8_t);
    const bool is_read = inflate_zlib(packed, packed_length, rows, raw) &&
                         png_unfilter(rows, pixels, stride, height, *channels);
    return is_read ? pixels : NULL;
}
