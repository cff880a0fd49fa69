// SPDX-License-Identifier: MIT
//
// What the modes of a system have in common is kept once: texts, lists of names, numbers, event
// functions, sparsities. Blocks of the same bytes are one block, whose address tells it from all
// others: so two names are equal if and only if their pointers are, and two lists of names, too.

#ifndef SALTUS_HYBRID_SHARED_H
#define SALTUS_HYBRID_SHARED_H

#include "base/memory.h"
#include <stdint.h>

typedef struct SharedBlock {
    uint64_t hash;
    size_t size;
    const void *bytes; // NULL: no block
} SharedBlock;

// Zero, apart from the pool, shares nothing yet. The blocks belong to the pool.
typedef struct Shared {
    MemoryPool *pool;
    SharedBlock *blocks; // an open-addressed hash table, at most half full
    size_t count, capacity;
} Shared;

// The block with these bytes, a copy if it is the first one; NULL: out of memory.
const void *shared_block(Shared *shared, const void *bytes, size_t size);
const char *shared_text(Shared *shared, const char *text);
// Frees the table, not the blocks.
void shared_free(Shared *shared);

#endif
