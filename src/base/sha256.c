// SPDX-License-Identifier: MIT

#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

// FIPS 180-4, section 4.2.2: the cube roots' fractions of the first 64 primes.
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void schedule(const unsigned char *block, uint32_t w[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

// A round, after which each of the eight words is the one before it: instead of the words, their
// roles go round.
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
    do {                                                                                           \
        const uint32_t s1 = rotated((e), 6) ^ rotated((e), 11) ^ rotated((e), 25);                 \
        const uint32_t s0 = rotated((a), 2) ^ rotated((a), 13) ^ rotated((a), 22);                 \
        const uint32_t choice = (g) ^ ((e) & ((f) ^ (g)));                                         \
        const uint32_t majority = ((a) & (b)) | ((c) & ((a) | (b)));                               \
        const uint32_t t1 = (h) + s1 + choice + k[i] + w[i];                                       \
        (d) += t1;                                                                                 \
        (h) = t1 + s0 + majority;                                                                  \
    } while (0)

static void compress(Sha256 *s, const unsigned char *block)
{
    uint32_t w[64];
    schedule(block, w);
    uint32_t a = s->state[0], b = s->state[1], c = s->state[2], d = s->state[3];
    uint32_t e = s->state[4], f = s->state[5], g = s->state[6], h = s->state[7];
    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    const uint32_t more[] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        s->state[i] += more[i];
}

Sha256 sha256_begin(void)
{
    return (Sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(Sha256 *s, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count) {
        const size_t used = (size_t)(s->length % 64);
        const size_t piece = count < 64 - used ? count : 64 - used;
        memcpy(s->block + used, from, piece);
        s->length += piece;
        from += piece;
        count -= piece;
        if (s->length % 64 == 0)
            compress(s, s->block);
    }
}

void sha256_end(Sha256 *s, unsigned char digest[SHA256_SIZE])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = 8 * s->length;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    const size_t used = (size_t)(s->length % 64);
    sha256_add(s, padding, used < 56 ? 56 - used : 120 - used);
    sha256_add(s, length, sizeof length);
    for (int i = 0; i < SHA256_SIZE; i++)
        digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_text(const unsigned char digest[SHA256_SIZE], char text[SHA256_TEXT])
{
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
