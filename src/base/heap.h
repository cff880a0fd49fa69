// SPDX-License-Identifier: MIT
//
// Hooks that give away a first block piece by piece, and then ask the hooks behind them. For
// something that is made of very many small blocks and is destroyed as a whole: what is freed
// inside of the first block is used again only if it was given away last.

#ifndef SALTUS_BASE_HEAP_H
#define SALTUS_BASE_HEAP_H

#include <saltus/saltus.h>

typedef struct Heap {
    SaltusAllocator hooks;         // `user` is the heap: it must not be moved
    const SaltusAllocator *behind; // for what has no room, and lives as long
    char *next, *begin, *end;      // of the first block
} Heap;

// `room` bytes at `block`, which are the caller's.
void heap_begin(Heap *heap, const SaltusAllocator *behind, void *block, size_t room);

#endif
