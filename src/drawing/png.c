// SPDX-License-Identifier: MIT

#include "drawing/png.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Inflate (RFC 1951)
// ---------------------------------------------------------------------------

enum { MOST_BITS = 15, MOST_LENGTHS = 286, MOST_DISTANCES = 30, FIXED_LENGTHS = 288 };

typedef struct Inflater {
    const uint8_t *in;
    size_t length, at;
    uint32_t bits; // read, not yet used
    unsigned bit_count;
    uint8_t *out;
    size_t size, done;
    bool is_wrong;
} Inflater;

// Canonical Huffman codes: how many there are of each length, and the symbols in their order.
typedef struct Huffman {
    uint16_t count[MOST_BITS + 1], symbol[FIXED_LENGTHS];
} Huffman;

static unsigned inflate_bits(Inflater *s, unsigned need)
{
    while (s->bit_count < need) {
        if (s->at >= s->length) {
            s->is_wrong = true;
            return 0;
        }
        s->bits |= (uint32_t)s->in[s->at++] << s->bit_count;
        s->bit_count += 8;
    }
    const unsigned value = s->bits & ((1u << need) - 1u);
    s->bits >>= need;
    s->bit_count -= need;
    return value;
}

static void huffman_make(Huffman *h, const uint8_t *lengths, int n)
{
    uint16_t offsets[MOST_BITS + 2] = {0};
    memset(h->count, 0, sizeof h->count);
    for (int i = 0; i < n; i++)
        h->count[lengths[i]]++;
    for (int i = 1; i <= MOST_BITS; i++)
        offsets[i + 1] = (uint16_t)(offsets[i] + h->count[i]);
    for (int i = 0; i < n; i++)
        if (lengths[i])
            h->symbol[offsets[lengths[i]]++] = (uint16_t)i;
    h->count[0] = 0;
}

// Bit by bit: the codes of a length are consecutive numbers.
static int huffman_symbol(Inflater *s, const Huffman *h)
{
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= MOST_BITS && !s->is_wrong; length++) {
        code |= (int)inflate_bits(s, 1);
        const int count = h->count[length];
        if (code - count < first)
            return h->symbol[index + (code - first)];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    s->is_wrong = true;
    return 0;
}

static void inflate_copy(Inflater *s, size_t length, size_t distance)
{
    if (distance > s->done || length > s->size - s->done) {
        s->is_wrong = true;
        return;
    }
    for (size_t i = 0; i < length; i++, s->done++)
        s->out[s->done] = s->out[s->done - distance];
}

static void inflate_codes(Inflater *s, const Huffman *lengths, const Huffman *distances)
{
    static const uint16_t length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                           15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                           67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distance_base[] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const uint8_t distance_extra[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                             6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    while (!s->is_wrong) {
        const int symbol = huffman_symbol(s, lengths);
        if (symbol == 256 || s->is_wrong)
            return;
        if (symbol < 256) {
            if (s->done < s->size)
                s->out[s->done++] = (uint8_t)symbol;
            else
                s->is_wrong = true;
            continue;
        }
        const int k = symbol - 257;
        const size_t length =
            k < 29 ? length_base[k] + inflate_bits(s, length_extra[k]) : (s->is_wrong = true, 0u);
        const int d = huffman_symbol(s, distances);
        if (s->is_wrong || d >= MOST_DISTANCES) {
            s->is_wrong = true;
            return;
        }
        inflate_copy(s, length, distance_base[d] + inflate_bits(s, distance_extra[d]));
    }
}

static void inflate_fixed(Inflater *s)
{
    Huffman lengths, distances;
    uint8_t sizes[FIXED_LENGTHS];
    for (int i = 0; i < FIXED_LENGTHS; i++)
        sizes[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    huffman_make(&lengths, sizes, FIXED_LENGTHS);
    memset(sizes, 5, MOST_DISTANCES);
    huffman_make(&distances, sizes, MOST_DISTANCES);
    inflate_codes(s, &lengths, &distances);
}

static void inflate_dynamic(Inflater *s)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t sizes[MOST_LENGTHS + MOST_DISTANCES] = {0};
    Huffman codes, lengths, distances;
    const int length_count = (int)inflate_bits(s, 5) + 257;
    const int distance_count = (int)inflate_bits(s, 5) + 1;
    const int code_count = (int)inflate_bits(s, 4) + 4;
    if (length_count > MOST_LENGTHS || distance_count > MOST_DISTANCES)
        s->is_wrong = true;
    for (int i = 0; i < code_count; i++)
        sizes[order[i]] = (uint8_t)inflate_bits(s, 3);
    huffman_make(&codes, sizes, 19);
    memset(sizes, 0, sizeof sizes);
    for (int i = 0; i < length_count + distance_count && !s->is_wrong;) {
        const int symbol = huffman_symbol(s, &codes);
        if (symbol < 16) {
            sizes[i++] = (uint8_t)symbol;
            continue;
        }
        const uint8_t value = symbol == 16 && i ? sizes[i - 1] : 0;
        unsigned repeat = symbol == 16   ? 3 + inflate_bits(s, 2)
                          : symbol == 17 ? 3 + inflate_bits(s, 3)
                                         : 11 + inflate_bits(s, 7);
        s->is_wrong |= symbol == 16 && !i;
        for (; repeat && i < length_count + distance_count; repeat--)
            sizes[i++] = value;
        s->is_wrong |= repeat > 0;
    }
    huffman_make(&lengths, sizes, length_count);
    huffman_make(&distances, sizes + length_count, distance_count);
    if (!s->is_wrong)
        inflate_codes(s, &lengths, &distances);
}

static void inflate_stored(Inflater *s)
{
    s->bits = s->bit_count = 0;
    if (s->length - s->at < 4) {
        s->is_wrong = true;
        return;
    }
    const size_t length = (size_t)s->in[s->at] | (size_t)s->in[s->at + 1] << 8;
    s->at += 4;
    if (length > s->length - s->at || length > s->size - s->done) {
        s->is_wrong = true;
        return;
    }
    memcpy(s->out + s->done, s->in + s->at, length);
    s->at += length;
    s->done += length;
}

bool png_inflate(const uint8_t *bytes, size_t length, uint8_t *out, size_t size)
{
    Inflater s = {.in = bytes, .length = length, .out = out, .size = size};
    bool is_last = false;
    while (!is_last && !s.is_wrong) {
        is_last = inflate_bits(&s, 1);
        switch (inflate_bits(&s, 2)) {
        case 0:
            inflate_stored(&s);
            break;
        case 1:
            inflate_fixed(&s);
            break;
        case 2:
            inflate_dynamic(&s);
            break;
        default:
            s.is_wrong = true;
        }
    }
    return !s.is_wrong && s.done == size;
}

// ---------------------------------------------------------------------------
// PNG
// ---------------------------------------------------------------------------

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

bool png_read(Arena *arena, const uint8_t *bytes, size_t length, PngImage *image)
{
    static const uint8_t begin[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    enum { MOST_PIXELS = 1 << 27 };
    if (length < 33 || memcmp(bytes, begin, sizeof begin) != 0)
        return false;
    image->width = png_number(bytes + 16);
    image->height = png_number(bytes + 20);
    const bool is_usual = bytes[24] == 8 && (bytes[25] == 2 || bytes[25] == 6) && bytes[28] == 0;
    if (!is_usual || !image->width || !image->height || image->width > MOST_PIXELS ||
        image->height > MOST_PIXELS / image->width)
        return false;
    uint8_t *packed = ARENA_ARRAY(arena, length, uint8_t);
    size_t packed_length = 0;
    for (size_t at = 8; length - at >= 12;) {
        const uint32_t size = png_number(bytes + at);
        if (size > length - at - 12)
            return false;
        if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
            memcpy(packed + packed_length, bytes + at + 8, size);
            packed_length += size;
        }
        at += 12 + (size_t)size;
    }
    image->channels = bytes[25] == 2 ? 3 : 4;
    const size_t stride = image->channels * (size_t)image->width,
                 raw = (stride + 1) * image->height;
    uint8_t *rows = ARENA_ARRAY(arena, raw, uint8_t);
    uint8_t *pixels = ARENA_ARRAY(arena, stride * image->height, uint8_t);
    image->pixels = pixels;
    // Two bytes of zlib's head (RFC 1950) come first.
    return packed_length > 2 && png_inflate(packed + 2, packed_length - 2, rows, raw) &&
           png_unfilter(rows, pixels, stride, image->height, image->channels);
}
