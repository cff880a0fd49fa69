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

void *memory_new(const SaltusAllocator *a, size_t count, size_t size)
{
    void *block = memory_resize(a, NULL, count, size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void *memory_resize(const SaltusAllocator *a, void *block, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    size_t bytes = count * size;
    return a->reallocate(a->user, block, bytes ? bytes : 1);
}

void memory_free(const SaltusAllocator *a, void *block)
{
    if (block)
        a->reallocate(a->user, block, 0);
}

// A block of a pool: a header that links the blocks, then the caller's bytes.
struct MemoryBlock {
    struct MemoryBlock *previous;
    max_align_t bytes[];
};

void *memory_pool_new(MemoryPool *pool, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - sizeof(struct MemoryBlock)) / size)
        return NULL;
    struct MemoryBlock *block =
        memory_new(pool->allocator, sizeof(struct MemoryBlock) + count * size, 1);
    if (!block)
        return NULL;
    block->previous = pool->last;
    pool->last = block;
    return block->bytes;
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
