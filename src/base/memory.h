// SPDX-License-Identifier: MIT
//
// Memory of the engine: every block comes from the caller's allocation hooks.
// A failed allocation returns NULL; sizes are checked for overflow.

#ifndef SALTUS_BASE_MEMORY_H
#define SALTUS_BASE_MEMORY_H

#include <saltus/saltus.h>
#include <stddef.h>

// The C library's allocator as hooks.
SaltusAllocator memory_default(void);

// count * size zeroed bytes; a valid pointer also for zero bytes.
void *memory_new(const SaltusAllocator *a, size_t count, size_t size);
// Grows or shrinks; on failure the old block stays.
void *memory_resize(const SaltusAllocator *a, void *block, size_t count, size_t size);
void memory_free(const SaltusAllocator *a, void *block);

// memory_new(a, count, sizeof(type)) with the right pointer type.
#define MEMORY_NEW(a, count, type) ((type *)memory_new((a), (size_t)(count), sizeof(type)))

// A pool: blocks that are freed together. Zero is an empty pool without hooks.
typedef struct MemoryPool {
    const SaltusAllocator *allocator;
    struct MemoryBlock *last;
} MemoryPool;

// Zeroed, aligned for any type; NULL: out of memory.
void *memory_pool_new(MemoryPool *pool, size_t count, size_t size);
void *memory_pool_copy(MemoryPool *pool, const void *from, size_t count, size_t size);
char *memory_pool_text(MemoryPool *pool, const char *text); // NULL for NULL
void memory_pool_free(MemoryPool *pool);

#define MEMORY_POOL_NEW(pool, count, type)                                                         \
    ((type *)memory_pool_new((pool), (size_t)(count), sizeof(type)))

#endif
