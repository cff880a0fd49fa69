// SPDX-License-Identifier: MIT
//
// SHA-256 (FIPS 180-4): names and checks cached code, which is going to be executed.

#ifndef SALTUS_BASE_SHA256_H
#define SALTUS_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct Sha256 {
    uint32_t state[8];
    uint64_t length; // bytes
    unsigned char block[64];
} Sha256;

enum { SHA256_SIZE = 32, SHA256_TEXT = 65 };

Sha256 sha256_begin(void);
void sha256_add(Sha256 *s, const void *bytes, size_t count);
void sha256_end(Sha256 *s, unsigned char digest[SHA256_SIZE]);
// In hexadecimal, with a zero byte at the end.
void sha256_text(const unsigned char digest[SHA256_SIZE], char text[SHA256_TEXT]);

#endif
