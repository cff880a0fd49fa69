// SPDX-License-Identifier: MIT
//
// Reads what deflate (RFC 1951) has compressed: pictures (PNG), matrices of MATLAB files. It is
// small and has its own code, so that the library, and FMUs with it inside, need no other for it.

#ifndef SALTUS_BASE_INFLATE_H
#define SALTUS_BASE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What deflate makes of one byte, at most.
enum { INFLATE_MOST_RATIO = 1032 };

// All of the `size` bytes that a stream of zlib (RFC 1950) has. False: damaged, or there are fewer,
// or more.
bool inflate_zlib(const uint8_t *bytes, size_t length, uint8_t *out, size_t size);
// The first `size` bytes of a stream of zlib. False: damaged, or there are fewer.
bool inflate_zlib_begin(const uint8_t *bytes, size_t length, uint8_t *out, size_t size);

#endif
