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

char *memory_text(const SaltusAllocator *a, const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    char *copy = memory_resize(a, NULL, size, 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}
