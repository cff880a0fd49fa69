// SPDX-License-Identifier: MIT

#include "hybrid/shared.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

// FNV-1a, eight bytes at a time.
static uint64_t shared_hash_of(const unsigned char *bytes, size_t size)
{
    const uint64_t prime = 1099511628211u;
    uint64_t hash = 14695981039346656037u ^ size, word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 32; // a product alone never brings high bits down
    }
    for (; size > 0; bytes++, size--)
        hash = (hash ^ *bytes) * prime;
    return hash ^ (hash >> 29);
}

// The entry of the block, or the empty one where it belongs.
static SharedBlock *find_block(const Shared *shared, uint64_t hash, const void *bytes, size_t size)
{
    const size_t mask = shared->capacity - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        SharedBlock *block = &shared->blocks[i];
        if (!block->bytes || (block->hash == hash && block->size == size &&
                              (size == 0 || memcmp(block->bytes, bytes, size) == 0)))
            return block;
    }
}

static bool shared_reserve(Shared *shared)
{
    if (2 * (shared->count + 1) <= shared->capacity)
        return true;
    const size_t capacity = shared->capacity ? 2 * shared->capacity : FIRST_CAPACITY;
    SharedBlock *blocks = MEMORY_NEW(shared->pool->allocator, capacity, SharedBlock);
    if (!blocks)
        return false;
    for (size_t i = 0; i < shared->capacity; i++) {
        const SharedBlock *block = &shared->blocks[i];
        size_t j = (size_t)block->hash & (capacity - 1);
        while (block->bytes && blocks[j].bytes)
            j = (j + 1) & (capacity - 1);
        if (block->bytes)
            blocks[j] = *block;
    }
    memory_free(shared->pool->allocator, shared->blocks);
    shared->blocks = blocks;
    shared->capacity = capacity;
    return true;
}

const void *shared_block(Shared *shared, const void *bytes, size_t size)
{
    if (!shared_reserve(shared))
        return NULL;
    const uint64_t hash = shared_hash_of(bytes, size);
    SharedBlock *block = find_block(shared, hash, bytes, size);
    if (block->bytes)
        return block->bytes;
    const void *copy = memory_pool_copy(shared->pool, bytes, size, 1);
    if (!copy)
        return NULL;
    *block = (SharedBlock){.hash = hash, .size = size, .bytes = copy};
    shared->count++;
    return copy;
}

const char *shared_text(Shared *shared, const char *text)
{
    return shared_block(shared, text, strlen(text) + 1);
}

void shared_free(Shared *shared)
{
    memory_free(shared->pool->allocator, shared->blocks);
    shared->blocks = NULL;
    shared->count = shared->capacity = 0;
}
