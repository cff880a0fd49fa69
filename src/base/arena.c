// SPDX-License-Identifier: MIT
//
// Blocks double in size up to a bound, which is a part of all of them: so their number grows with
// the logarithm, and at most that part is unused.

#include "base/arena.h"

#include "base/memory.h"

#include <stdint.h>

enum { FIRST_BLOCK = 16 << 10, LARGE_BLOCK = 1 << 20, LARGEST_PART = 16 };
enum { LARGE_ARRAY = 64 << 10 }; // from so many bytes on it has a block of its own

struct ArenaBlock {
    ArenaBlock *before;
    size_t size; // of the bytes behind the header
    alignas(max_align_t) char bytes[];
};

struct ArenaLarge {
    ArenaLarge *older, *newer;
    size_t number; // it moves when it grows, but keeps this
    size_t size;   // of the bytes behind the header
    alignas(max_align_t) char bytes[];
};

Arena *arena_create(const SaltusAllocator *allocator)
{
    SaltusAllocator a = allocator ? *allocator : memory_default();
    Arena *arena = MEMORY_NEW(&a, 1, Arena);
    if (arena)
        arena->allocator = a;
    return arena;
}

void arena_destroy(Arena *arena)
{
    if (!arena)
        return;
    while (arena->child)
        arena_destroy(arena->child);
    if (arena->parent) {
        Arena **link = &arena->parent->child;
        while (*link != arena)
            link = &(*link)->sibling;
        *link = arena->sibling;
    }
    arena_release(arena, (ArenaMark){0});
    SaltusAllocator a = arena->allocator;
    memory_free(&a, arena);
}

jmp_buf *arena_on_exhaustion(Arena *arena, jmp_buf *target)
{
    jmp_buf *before = arena->exhaustion;
    arena->exhaustion = target;
    return before;
}

void arena_set_maximum(Arena *arena, size_t bytes)
{
    arena->maximum = bytes;
}

void *arena_exhausted(Arena *arena)
{
    if (arena->exhaustion)
        longjmp(*arena->exhaustion, 1);
    return NULL;
}

ArenaMark arena_mark(const Arena *arena)
{
    return (ArenaMark){.block = arena->block, .next = arena->next, .larges = arena->larges};
}

static void arena_unlink_large(Arena *arena, ArenaLarge *large)
{
    *(large->newer ? &large->newer->older : &arena->large) = large->older;
    if (large->older)
        large->older->newer = large->newer;
    arena->taken -= sizeof *large + large->size;
}

// As the newest one.
static void arena_link_large(Arena *arena, ArenaLarge *large)
{
    large->older = arena->large;
    large->newer = NULL;
    large->number = ++arena->larges;
    if (large->older)
        large->older->newer = large;
    arena->large = large;
    arena->taken += sizeof *large + large->size;
}

static void arena_free_large(Arena *arena, ArenaLarge *large)
{
    arena_unlink_large(arena, large);
    memory_free(&arena->allocator, large);
}

void arena_release(Arena *arena, ArenaMark mark)
{
    while (arena->large && arena->large->number > mark.larges)
        arena_free_large(arena, arena->large);
    while (arena->block != mark.block) {
        ArenaBlock *block = arena->block;
        arena->block = block->before;
        arena->taken -= sizeof *block + block->size;
        memory_free(&arena->allocator, block);
    }
    arena->next = mark.next;
    arena->limit = arena->block ? arena->block->bytes + arena->block->size : NULL;
}

// A new block; false: exhausted.
static bool arena_add_block(Arena *arena, size_t room)
{
    const size_t mask = ARENA_ALIGNMENT - 1;
    room = (room + mask) & ~mask;
    size_t total = sizeof(ArenaBlock) + room;
    if (arena->maximum && arena->taken + total > arena->maximum)
        return false;
    ArenaBlock *block = memory_resize(&arena->allocator, NULL, total, 1);
    if (!block)
        return false;
    block->before = arena->block;
    block->size = room;
    arena->block = block;
    arena->taken += total;
    arena->next = block->bytes;
    arena->limit = block->bytes + room;
    return true;
}

void *arena_allocate_slowly(Arena *arena, size_t size)
{
    if (size > PTRDIFF_MAX / 2)
        return arena_exhausted(arena);
    const size_t part = arena->taken / LARGEST_PART;
    const size_t most = part > LARGE_BLOCK ? part : LARGE_BLOCK;
    size_t room = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
    if (room > most)
        room = most;
    if (room < size)
        room = size;
    return arena_add_block(arena, room) || arena_add_block(arena, size)
               ? arena_allocate(arena, size)
               : arena_exhausted(arena);
}

size_t arena_used(const Arena *arena)
{
    return arena->taken - (size_t)(arena->limit - arena->next);
}

void arena_reserve(Arena *arena, size_t size)
{
    if (size <= PTRDIFF_MAX / 2 && size > (size_t)(arena->limit - arena->next) &&
        !arena_add_block(arena, size))
        arena_exhausted(arena);
}

void *arena_array(Arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return arena_exhausted(arena);
    return arena_allocate(arena, count * size);
}

void *arena_grow(Arena *arena, void *block, size_t old_size, size_t new_size)
{
    const size_t mask = ARENA_ALIGNMENT - 1;
    char *old = block;
    size_t old_room = (old_size + mask) & ~mask;
    bool is_newest = old && old_size && old + old_room == arena->next;
    if (is_newest && new_size <= (size_t)(arena->limit - old)) {
        arena->next = old + ((new_size + mask) & ~mask);
        memset(old + old_size, 0, new_size - old_size);
        return old;
    }
    char *grown = arena_allocate(arena, new_size);
    if (grown && old && old_size)
        memcpy(grown, old, old_size);
    return grown;
}

void *arena_more(Arena *arena, void *items, size_t size, uint32_t *room)
{
    const uint32_t more = *room ? 2 * *room : 8;
    void *grown = arena_grow(arena, items, *room * size, more * size);
    *room = more;
    return grown;
}

// A large array that is new, or was `large` before.
static void *arena_resize_large(Arena *arena, ArenaLarge *large, size_t size)
{
    const size_t before = large ? sizeof *large + large->size : 0, total = sizeof *large + size;
    if (size > PTRDIFF_MAX / 2 ||
        (arena->maximum && arena->taken - before + total > arena->maximum))
        return arena_exhausted(arena);
    ArenaLarge *grown = memory_resize(&arena->allocator, large, total, 1);
    if (!grown)
        return arena_exhausted(arena);
    grown->size = size;
    if (!large) {
        arena_link_large(arena, grown);
        return grown->bytes;
    }
    *(grown->newer ? &grown->newer->older : &arena->large) = grown;
    if (grown->older)
        grown->older->newer = grown;
    arena->taken += total - before;
    return grown->bytes;
}

void *arena_regrow(Arena *arena, void *block, size_t old_size, size_t new_size)
{
    ArenaLarge *large =
        old_size >= LARGE_ARRAY ? (void *)((char *)block - offsetof(ArenaLarge, bytes)) : NULL;
    if (large && new_size < LARGE_ARRAY) {
        char *small = new_size ? arena_allocate(arena, new_size) : NULL;
        if (small)
            memcpy(small, block, new_size);
        arena_free_large(arena, large);
        return small;
    }
    if (new_size < LARGE_ARRAY)
        return new_size > old_size ? arena_grow(arena, block, old_size, new_size) : block;
    char *grown = arena_resize_large(arena, large, new_size);
    if (grown && block && !large)
        memcpy(grown, block, old_size);
    if (grown && new_size > old_size)
        memset(grown + old_size, 0, new_size - old_size);
    return grown;
}

void *arena_hand_over(Arena *from, void *block, Arena *to, size_t size)
{
    ArenaLarge *large = from->large;
    while (large && large->bytes != (char *)block)
        large = large->older;
    if (!large || size < LARGE_ARRAY)
        return NULL;
    arena_unlink_large(from, large);
    large->size = size;
    ArenaLarge *smaller = memory_resize(&from->allocator, large, sizeof *large + size, 1);
    large = smaller ? smaller : large;
    arena_link_large(to, large);
    return large->bytes;
}

Arena *arena_child(Arena *arena)
{
    Arena *child = arena_create(&arena->allocator);
    if (!child)
        return arena_exhausted(arena);
    child->maximum = arena->maximum;
    child->exhaustion = arena->exhaustion;
    child->parent = arena;
    child->sibling = arena->child;
    arena->child = child;
    return child;
}

Arena *arena_scratch(Arena *arena)
{
    if (!arena->scratch)
        arena->scratch = arena_child(arena);
    if (!arena->scratch)
        return NULL;
    arena->scratch->maximum = arena->maximum;
    arena->scratch->exhaustion = arena->exhaustion;
    return arena->scratch;
}

bool arena_owns(const Arena *arena, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    for (const ArenaBlock *block = arena->block; block; block = block->before)
        if (at >= (uintptr_t)block->bytes && at - (uintptr_t)block->bytes <= block->size)
            return true;
    for (const ArenaLarge *large = arena->large; large; large = large->older)
        if (at >= (uintptr_t)large->bytes && at - (uintptr_t)large->bytes <= large->size)
            return true;
    return false;
}

char *arena_copy_text(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_allocate(arena, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}
