// SPDX-License-Identifier: MIT

#include "drawing/gif.h"

#include <stdlib.h>
#include <string.h>

enum { COLOURS = 1 << 15, PALETTE = 256, MOST_CODES = 4096, HASH = 1 << 14 };

typedef struct GifWriter {
    Arena *arena;
    uint32_t width, height;
    const uint16_t *const *frames;
    size_t frame_count;
    uint8_t *bytes;
    size_t length, room;
    uint8_t index[COLOURS]; // of the palette, for each colour
    // bits of the code stream, and the block of at most 255 bytes they go into
    uint32_t bits;
    unsigned bit_count;
    uint8_t block[256];
    unsigned block_length;
} GifWriter;

static void gif_put(GifWriter *w, const void *bytes, size_t count)
{
    if (w->room - w->length < count) {
        const size_t room = 2 * w->room + count + 4096;
        w->bytes = arena_grow(w->arena, w->bytes, w->room, room);
        w->room = room;
    }
    memcpy(w->bytes + w->length, bytes, count);
    w->length += count;
}

static void gif_byte(GifWriter *w, unsigned value)
{
    const uint8_t byte = (uint8_t)value;
    gif_put(w, &byte, 1);
}

static void gif_word(GifWriter *w, unsigned value)
{
    gif_byte(w, value & 255u);
    gif_byte(w, value >> 8);
}

// ---------------------------------------------------------------------------
// The palette
// ---------------------------------------------------------------------------

static int gif_distance(unsigned a, unsigned b)
{
    const int r = (int)(a >> 10 & 31) - (int)(b >> 10 & 31);
    const int g = (int)(a >> 5 & 31) - (int)(b >> 5 & 31), u = (int)(a & 31) - (int)(b & 31);
    return 2 * r * r + 4 * g * g + u * u; // as eyes see it
}

// The most frequent colours; the others become the nearest of them.
static void gif_palette(GifWriter *w, uint16_t palette[PALETTE])
{
    uint32_t *counts = ARENA_ARRAY(w->arena, COLOURS, uint32_t);
    const size_t pixels = (size_t)w->width * w->height;
    for (size_t f = 0; f < w->frame_count; f++)
        for (size_t i = 0; i < pixels; i++)
            counts[w->frames[f][i] & (COLOURS - 1)]++;
    unsigned used = 0;
    for (; used < PALETTE; used++) {
        uint32_t best = 0;
        for (uint32_t c = 1; c < COLOURS; c++)
            best = counts[c] > counts[best] ? c : best;
        if (!counts[best])
            break;
        palette[used] = (uint16_t)best;
        w->index[best] = (uint8_t)used;
        counts[best] = 0;
    }
    for (uint32_t c = 0; c < COLOURS; c++)
        for (unsigned i = 0, best = 0; counts[c] && i < used; i++)
            if (gif_distance(c, palette[i]) < gif_distance(c, palette[best]) || i == 0)
                w->index[c] = (uint8_t)(best = i);
    for (unsigned i = used; i < PALETTE; i++)
        palette[i] = 0;
}

static void gif_colours(GifWriter *w, const uint16_t palette[PALETTE])
{
    for (int i = 0; i < PALETTE; i++)
        for (int shift = 10; shift >= 0; shift -= 5) {
            const unsigned five = palette[i] >> shift & 31u;
            gif_byte(w, five << 3 | five >> 2);
        }
}

// ---------------------------------------------------------------------------
// LZW
// ---------------------------------------------------------------------------

static void gif_flush(GifWriter *w)
{
    if (!w->block_length)
        return;
    gif_byte(w, w->block_length);
    gif_put(w, w->block, w->block_length);
    w->block_length = 0;
}

static void gif_code(GifWriter *w, unsigned code, unsigned size)
{
    w->bits |= (uint32_t)code << w->bit_count;
    w->bit_count += size;
    while (w->bit_count >= 8) {
        w->block[w->block_length++] = (uint8_t)w->bits;
        w->bits >>= 8;
        w->bit_count -= 8;
        if (w->block_length == 255)
            gif_flush(w);
    }
}

typedef struct GifRectangle {
    uint32_t x, y, width, height;
} GifRectangle;

static void gif_pixels(GifWriter *w, const uint16_t *frame, uint32_t stride, GifRectangle r)
{
    enum { CLEAR = 256, END = 257 };
    // Strings of pixels: code << 8 | pixel, plus one, and what they are coded by; 0: free.
    uint32_t *keys = ARENA_ARRAY(w->arena, HASH, uint32_t);
    uint16_t *codes = ARENA_ARRAY(w->arena, HASH, uint16_t);
    unsigned next = END + 1, size = 9;
    gif_byte(w, 8);
    gif_code(w, CLEAR, size);
    unsigned prefix = w->index[frame[r.y * stride + r.x] & (COLOURS - 1)];
    for (size_t i = 1; i < (size_t)r.width * r.height; i++) {
        const size_t place = (r.y + i / r.width) * stride + r.x + i % r.width;
        const uint32_t pixel = w->index[frame[place] & (COLOURS - 1)];
        const uint32_t key = ((uint32_t)prefix << 8 | pixel) + 1;
        uint32_t slot = key * 2654435761u >> 18; // of the 2^14
        while (keys[slot] && keys[slot] != key)
            slot = (slot + 1) & (HASH - 1);
        if (keys[slot]) {
            prefix = codes[slot];
            continue;
        }
        gif_code(w, prefix, size);
        if (next == MOST_CODES) {
            gif_code(w, CLEAR, size);
            memset(keys, 0, HASH * sizeof *keys);
            next = END + 1;
            size = 9;
        } else {
            keys[slot] = key;
            codes[slot] = (uint16_t)next;
            if (next++ == 1u << size)
                size++;
        }
        prefix = pixel;
    }
    gif_code(w, prefix, size);
    gif_code(w, END, size);
    if (w->bit_count)
        gif_code(w, 0, 8 - w->bit_count % 8);
    w->bits = w->bit_count = 0;
    gif_flush(w);
    gif_byte(w, 0);
}

// ---------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------

// Where a frame differs from the one before; nowhere: one pixel.
static GifRectangle gif_difference(const GifWriter *w, size_t f)
{
    if (f == 0)
        return (GifRectangle){0, 0, w->width, w->height};
    const uint16_t *a = w->frames[f - 1], *b = w->frames[f];
    uint32_t x1 = w->width, y1 = w->height, x2 = 0, y2 = 0;
    for (uint32_t y = 0; y < w->height; y++)
        for (uint32_t x = 0; x < w->width; x++)
            if (a[(size_t)y * w->width + x] != b[(size_t)y * w->width + x]) {
                x1 = x < x1 ? x : x1;
                x2 = x > x2 ? x : x2;
                y1 = y < y1 ? y : y1;
                y2 = y;
            }
    if (x1 > x2)
        return (GifRectangle){0, 0, 1, 1};
    return (GifRectangle){x1, y1, x2 - x1 + 1, y2 - y1 + 1};
}

String gif_make(Arena *arena, uint32_t width, uint32_t height, const uint16_t *const *frames,
                size_t frame_count, unsigned delay)
{
    static const uint8_t repeat[] = {0x21, 0xff, 11,  'N', 'E', 'T', 'S', 'C', 'A', 'P',
                                     'E',  '2',  '.', '0', 3,   1,   0,   0,   0};
    GifWriter *w = ARENA_NEW(arena, GifWriter);
    uint16_t palette[PALETTE];
    w->arena = arena;
    w->width = width;
    w->height = height;
    w->frames = frames;
    w->frame_count = frame_count;
    gif_palette(w, palette);
    gif_put(w, "GIF89a", 6);
    gif_word(w, width);
    gif_word(w, height);
    gif_byte(w, 0xf7); // a palette of 256 colours
    gif_word(w, 0);
    gif_colours(w, palette);
    gif_put(w, repeat, sizeof repeat);
    for (size_t f = 0; f < frame_count; f++) {
        const GifRectangle r = gif_difference(w, f);
        const uint8_t control[] = {0x21, 0xf9, 4, 4}; // what is there stays
        gif_put(w, control, sizeof control);
        gif_word(w, delay);
        gif_word(w, 0);
        gif_byte(w, 0x2c);
        gif_word(w, r.x);
        gif_word(w, r.y);
        gif_word(w, r.width);
        gif_word(w, r.height);
        gif_byte(w, 0);
        gif_pixels(w, frames[f], width, r);
    }
    gif_byte(w, 0x3b);
    return (String){(const char *)w->bytes, w->length};
}
