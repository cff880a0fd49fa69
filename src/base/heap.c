// SPDX-License-Identifier: MIT

#include "base/heap.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Each piece has its size before it.
enum { ALIGNED = _Alignof(max_align_t), HEAD = ALIGNED };

static size_t *heap_size(char *piece)
{
    return (size_t *)(void *)(piece - HEAD);
}

// A piece of the first block, or one of the hooks behind.
static void *heap_take(Heap *heap, size_t size)
{
    const size_t left = (size_t)(heap->end - heap->next);
    if (left <= HEAD + ALIGNED || size > left - HEAD - ALIGNED)
        return heap->behind->reallocate(heap->behind->user, NULL, size);
    char *piece = heap->next + HEAD;
    const size_t whole = (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    *heap_size(piece) = whole;
    heap->next = piece + whole;
    return piece;
}

static void *heap_reallocate(void *user, void *block, size_t size)
{
    Heap *heap = user;
    char *piece = block;
    if (!piece)
        return heap_take(heap, size);
    if (piece < heap->begin || piece >= heap->end)
        return heap->behind->reallocate(heap->behind->user, block, size);
    const size_t had = *heap_size(piece);
    if (size > 0 && size <= had)
        return piece;
    if (piece + had == heap->next && size == 0)
        heap->next = piece - HEAD;
    void *taken = size > 0 ? heap_take(heap, size) : NULL;
    if (taken)
        memcpy(taken, piece, had);
    return taken;
}

void heap_begin(Heap *heap, const SaltusAllocator *behind, void *block, size_t room)
{
    *heap = (Heap){.hooks = {.reallocate = heap_reallocate, .user = heap}, .behind = behind};
    const size_t past = (uintptr_t)block % ALIGNED, skipped = past ? ALIGNED - past : 0;
    heap->begin = heap->next = (char *)block + (skipped < room ? skipped : room);
    heap->end = (char *)block + room;
}
