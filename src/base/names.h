// SPDX-License-Identifier: MIT
//
// Names: interned identifiers. Two names of one table are equal if and only if their pointers are.

#ifndef SALTUS_BASE_NAMES_H
#define SALTUS_BASE_NAMES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Name {
    uint32_t hash;
    uint32_t length;
    // A mark that belongs to whoever filled the table first: the lexer keeps the token of a
    // keyword here. 0 for every other name.
    uint32_t mark;
    char text[]; // zero-terminated
} Name;

typedef struct Names Names;

Names *names_create(Arena *arena);
const Name *names_intern(Names *names, const char *text, size_t length);
const Name *names_intern_text(Names *names, const char *zero_terminated);
// NULL if the table has no such name.
const Name *names_find(const Names *names, const char *text, size_t length);
// Interns and sets its mark.
const Name *names_mark(Names *names, const char *zero_terminated, uint32_t mark);

// The hash of a name, to be computed byte by byte by a lexer: start, one step per byte, finish.
static inline uint32_t names_hash_start(void)
{
    return 2166136261u;
}
static inline uint32_t names_hash_step(uint32_t hash, unsigned char byte)
{
    return (hash ^ byte) * 16777619u; // FNV-1a
}
// `hash` must be what the steps over all bytes gave.
const Name *names_intern_hashed(Names *names, const char *text, size_t length, uint32_t hash);

#endif
