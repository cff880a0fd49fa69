// SPDX-License-Identifier: MIT

#include "plot/raster.h"

#include "plot/colour.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void raster_number(unsigned char *to, size_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

// Length, name, data, and the checksum of name and data. Where they end.
static unsigned char *raster_chunk(unsigned char *at, const char *name, const unsigned char *data,
                                   size_t length)
{
    raster_number(at, length);
    memcpy(at + 4, name, 4);
    if (length)
        memcpy(at + 8, data, length);
    raster_number(at + 8 + length, crc32(0L, at + 4, (uInt)length + 4));
    return at + length + 12;
}

static unsigned char *raster_header(unsigned char *at, size_t width, size_t height)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char header[13] = {[8] = 8, [9] = 3}; // bits of a pixel; colours from a palette
    unsigned char colours[3 * (RASTER_EMPTY + 1)] = {0}, opacity[RASTER_EMPTY + 1];
    memcpy(at, signature, sizeof signature);
    at += sizeof signature;
    raster_number(header, width);
    raster_number(header + 4, height);
    memset(opacity, 255, RASTER_EMPTY);
    opacity[RASTER_EMPTY] = 0;
    for (size_t i = 0; i < RASTER_EMPTY; i++) {
        char text[8];
        colour_map((double)i / (RASTER_EMPTY - 1), text);
        const unsigned long rgb = strtoul(text + 1, NULL, 16);
        for (int k = 0; k < 3; k++)
            colours[3 * i + (size_t)k] = (unsigned char)(rgb >> (16 - 8 * k));
    }
    at = raster_chunk(at, "IHDR", header, sizeof header);
    at = raster_chunk(at, "PLTE", colours, sizeof colours);
    return raster_chunk(at, "tRNS", opacity, sizeof opacity);
}

static void raster_base64(StringBuilder *out, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (uint32_t)(left > 1 ? bytes[i + 1] : 0) << 8 |
                               (uint32_t)(left > 2 ? bytes[i + 2] : 0);
        const char four[] = {digits[three >> 18], digits[three >> 12 & 63],
                             left > 1 ? digits[three >> 6 & 63] : '=',
                             left > 2 ? digits[three & 63] : '='};
        builder_append(out, four, sizeof four);
    }
}

bool raster_image(StringBuilder *out, Arena *scratch, SvgRectangle place, size_t width,
                  size_t height, const unsigned char *pixels)
{
    const size_t size = height * (width + 1); // a byte before each row: no filter
    uLongf packed_length = compressBound((uLong)size);
    unsigned char *rows = ARENA_ARRAY(scratch, size, unsigned char);
    unsigned char *packed = ARENA_ARRAY(scratch, packed_length, unsigned char);
    unsigned char *file = ARENA_ARRAY(scratch, packed_length + 2048, unsigned char);
    for (size_t i = 0; i < height; i++)
        memcpy(rows + i * (width + 1) + 1, pixels + i * width, width);
    if (compress2(packed, &packed_length, rows, (uLong)size, 6) != Z_OK)
        return false;
    unsigned char *end = raster_header(file, width, height);
    end = raster_chunk(end, "IDAT", packed, (size_t)packed_length);
    end = raster_chunk(end, "IEND", NULL, 0);
    svg_image_begin(out, place);
    raster_base64(out, file, (size_t)(end - file));
    builder_append_text(out, "\"/>\n");
    return true;
}
