// SPDX-License-Identifier: MIT
//
// RFC 1951, after the order of its section 3.2; codes are decoded as in puff.c (Mark Adler, zlib).
//
// A stream is blocks of three kinds: bytes as they are (3.2.4), codes that the RFC fixes (3.2.6),
// codes that the block begins with (3.2.7). Symbols below 256 are bytes, 256 ends the block, larger
// ones are a length; a distance follows, and so many bytes are repeated from so far back.
//
// What always holds, whatever the bytes are: at <= length, done <= size, and every index into a
// table is checked or bounded by how many bits it has, so nothing is read or written outside.
// `is_wrong` stays, and whoever sees it returns; the time is bounded by the bits that go in and the
// bytes that come out.
//
//   RFC 1951          here
//   bl_count          Huffman.count
//   next_code         first, in huffman_symbol
//   HLIT, HDIST       length_count, distance_count (with their 257 and 1 added)
//   HCLEN             code_count (with its 4)

#include "base/inflate.h"

#include <string.h>

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

// Sorts the symbols by the length of their codes, and those of a length by their number: that is
// all that canonical codes are (3.2.2). Codes that are too many or too few are not refused here; a
// symbol that such codes do not have is found by huffman_symbol.
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

// Bit by bit: the codes of a length are consecutive numbers, from `first` on, and their symbols
// stand from `index` on.
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

// Byte by byte, because what is repeated may overlap what it makes: a distance of 1 fills.
static void inflate_copy(Inflater *s, size_t length, size_t distance)
{
    const size_t room = s->size - s->done, count = length < room ? length : room;
    s->is_wrong = distance > s->done || length > room;
    for (size_t i = 0; i < count && distance <= s->done; i++, s->done++)
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

// The sizes of the codes are themselves coded: 16 repeats the one before, 17 and 18 are zeros.
// Sizes of lengths and distances are one sequence, so a repetition may go from the first to the
// second.
static void inflate_dynamic(Inflater *s)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t sizes[MOST_LENGTHS + MOST_DISTANCES] = {0};
    Huffman codes, lengths, distances;
    const int length_count = (int)inflate_bits(s, 5) + 257;
    const int distance_count = (int)inflate_bits(s, 5) + 1;
    const int code_count = (int)inflate_bits(s, 4) + 4;
    if (length_count > MOST_LENGTHS || distance_count > MOST_DISTANCES) {
        s->is_wrong = true; // there is no room for their sizes
        return;
    }
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

// From the next whole byte on: what is left of the bits is dropped. The second number, which is the
// complement of the first, is not compared: a stream has its checksum.
static void inflate_stored(Inflater *s)
{
    s->bits = s->bit_count = 0;
    if (s->length - s->at < 4) {
        s->is_wrong = true;
        return;
    }
    const size_t length = (size_t)s->in[s->at] | (size_t)s->in[s->at + 1] << 8;
    s->at += 4;
    const size_t room = s->size - s->done, count = length < room ? length : room;
    if (count > s->length - s->at) {
        s->is_wrong = true;
        return;
    }
    memcpy(s->out + s->done, s->in + s->at, count);
    s->is_wrong = length > room;
    s->at += count;
    s->done += count;
}

// Until the last block ends, the bytes do, or there is no room for more.
static void inflate_blocks(Inflater *s)
{
    bool is_last = false;
    while (!is_last && !s->is_wrong) {
        is_last = inflate_bits(s, 1);
        switch (inflate_bits(s, 2)) {
        case 0:
            inflate_stored(s);
            break;
        case 1:
            inflate_fixed(s);
            break;
        case 2:
            inflate_dynamic(s);
            break;
        default:
            s->is_wrong = true;
        }
    }
}

// ---------------------------------------------------------------------------
// Streams of zlib (RFC 1950): two bytes that say so, deflated bytes, a checksum
// ---------------------------------------------------------------------------

static bool inflate_is_zlib(const uint8_t *bytes, size_t length)
{
    const bool has_dictionary = length > 1 && bytes[1] & 0x20;
    return length > 2 && (bytes[0] & 0x0f) == 8 && (bytes[0] * 256 + bytes[1]) % 31 == 0 &&
           !has_dictionary;
}

static uint32_t inflate_checksum(const uint8_t *bytes, size_t size)
{
    enum { PRIME = 65521 };
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % PRIME;
        b = (b + a) % PRIME;
    }
    return b << 16 | a;
}

bool inflate_zlib(const uint8_t *bytes, size_t length, uint8_t *out, size_t size)
{
    if (!inflate_is_zlib(bytes, length))
        return false;
    Inflater s = {.in = bytes, .length = length, .at = 2, .out = out, .size = size};
    inflate_blocks(&s);
    if (s.is_wrong || s.done != size || length - s.at < 4)
        return false;
    const uint8_t *end = bytes + s.at;
    return inflate_checksum(out, size) ==
           ((uint32_t)end[0] << 24 | (uint32_t)end[1] << 16 | (uint32_t)end[2] << 8 | end[3]);
}

bool inflate_zlib_begin(const uint8_t *bytes, size_t length, uint8_t *out, size_t size)
{
    if (!inflate_is_zlib(bytes, length))
        return false;
    Inflater s = {.in = bytes, .length = length, .at = 2, .out = out, .size = size};
    inflate_blocks(&s);
    return s.done == size;
}
