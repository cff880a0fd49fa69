// SPDX-License-Identifier: MIT

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *standard_reallocate(void *user, void *block, size_t size)
{
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

SaltusAllocator memory_default(void)
{
    return (SaltusAllocator){.reallocate = standard_reallocate, .user = NULL};
}

// Whether count * size is more than `most`. (Divisions take long, and are seldom needed.)
static bool is_beyond(size_t count, size_t size, size_t most)
{
    const size_t half = (size_t)1 << (4 * sizeof(size_t) - 1); // of the bits, less one
    const bool is_small = (count | size) < half && most > SIZE_MAX / 2;
    return !is_small && size != 0 && count > most / size;
}

void *memory_new(const SaltusAllocator *a, size_t count, size_t size)
{
    void *block = memory_resize(a, NULL, count, size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void *memory_resize(const SaltusAllocator *a, void *block, size_t count, size_t size)
{
    if (is_beyond(count, size, SIZE_MAX))
        return NULL;
    size_t bytes = count * size;
    return a->reallocate(a->user, block, bytes ? bytes : 1);
}

void memory_free(const SaltusAllocator *a, void *block)
{
    if (block)
        a->reallocate(a->user, block, 0);
}

// A block of a pool: a header that links the blocks, then what is given away, one after the other.
struct MemoryBlock {
    struct MemoryBlock *previous;
    size_t used, size; // of the bytes
    max_align_t bytes[];
};

// Bytes of the first block; each has twice those of the one before, up to the most. With a
// sanitizer, each of those who ask has a block alone, so that it sees where they end.
#if defined(__SANITIZE_ADDRESS__)
#define POOL_IS_APART
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOL_IS_APART
#endif
#endif
#ifdef POOL_IS_APART
static const size_t pool_first = 0, pool_most = 0;
#else
static const size_t pool_first = 512, pool_most = 8192;
#endif

void *memory_pool_new(MemoryPool *pool, size_t count, size_t size)
{
    enum { ALIGNMENT = _Alignof(max_align_t) };
    struct MemoryBlock *last = pool->last;
    if (is_beyond(count, size, SIZE_MAX - sizeof *last - ALIGNMENT))
        return NULL;
    // Nothing has an address of its own, too: lists are told apart by theirs.
    const size_t bytes = count * size > 0 ? count * size : 1;
    const size_t need = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!last || need > last->size - last->used) {
        const size_t next = last && 2 * last->size < pool_most ? 2 * last->size : pool_most;
        const size_t most = last ? next : pool_first, room = need > most ? need : most;
        struct MemoryBlock *block = memory_new(pool->allocator, sizeof *block + room, 1);
        if (!block)
            return NULL;
        block->size = room;
        block->previous = last;
        pool->last = last = block;
    }
    void *part = (char *)last->bytes + last->used;
    last->used += need;
    return part;
}

void *memory_pool_copy(MemoryPool *pool, const void *from, size_t count, size_t size)
{
    void *block = memory_pool_new(pool, count, size);
    if (block && count * size != 0)
        memcpy(block, from, count * size);
    return block;
}

char *memory_pool_text(MemoryPool *pool, const char *text)
{
    return text ? memory_pool_copy(pool, text, strlen(text) + 1, 1) : NULL;
}

void memory_pool_free(MemoryPool *pool)
{
    while (pool->last) {
        struct MemoryBlock *block = pool->last;
        pool->last = block->previous;
        memory_free(pool->allocator, block);
    }
}
