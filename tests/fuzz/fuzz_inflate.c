// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes are inflated, or refused, without reading or writing beyond their
// ends. What zlib makes of them is what Saltus makes of them, and what zlib has deflated comes
// back. The first two bytes say how large the result is.

#include "base/inflate.h"
#include "target.h"

#include <string.h>
#include <zlib.h>

static void compare_with_zlib(const uint8_t *data, size_t size, uint8_t *out, size_t most)
{
    uint8_t *other = malloc(most + 1);
    uLongf length = (uLongf)most;
    if (other && uncompress(other, &length, data, (uLong)size) == Z_OK) {
        require(inflate_zlib(data, size, out, length), "what zlib inflates is inflated");
        require(memcmp(out, other, length) == 0, "to the same bytes");
        require(inflate_zlib_begin(data, size, out, length / 2), "and so is its begin");
        require(memcmp(out, other, length / 2) == 0, "to the same bytes");
    }
    free(other);
}

static void there_and_back(const uint8_t *data, size_t size)
{
    uLongf length = compressBound((uLong)size);
    uint8_t *packed = malloc(length), *out = malloc(size + 1);
    if (packed && out &&
        compress2(packed, &length, data, (uLong)size, 1 + (int)(size % 9)) == Z_OK) {
        require(inflate_zlib(packed, length, out, size), "what was deflated comes back");
        require(memcmp(out, data, size) == 0, "as it was");
    }
    free(packed);
    free(out);
}

// As a stream of zlib, of which the rest is the data.
static void behind_head(const uint8_t *data, size_t size, uint8_t *out, size_t most)
{
    static const uint8_t head[] = {0x78, 0x9c};
    uint8_t *stream = malloc(sizeof head + size); // exactly so long, for the sanitizers
    if (stream) {
        memcpy(stream, head, sizeof head);
        memcpy(stream + sizeof head, data, size);
        inflate_zlib(stream, sizeof head + size, out, most);
        inflate_zlib_begin(stream, sizeof head + size, out, most);
    }
    free(stream);
}

int fuzz_inflate(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const size_t most = (size_t)data[0] * 256 + data[1];
    uint8_t *out = malloc(most); // likewise
    if (out) {
        behind_head(data + 2, size - 2, out, most);
        inflate_zlib(data + 2, size - 2, out, most);
        inflate_zlib_begin(data + 2, size - 2, out, most);
        compare_with_zlib(data + 2, size - 2, out, most);
    }
    free(out);
    there_and_back(data, size);
    return 0;
}
