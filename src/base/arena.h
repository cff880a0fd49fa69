// SPDX-License-Identifier: MIT
//
// Arena: the memory of one compilation. Blocks are handed out in order and freed all at once.
// Every allocation is zeroed and aligned for pointers, numbers of up to 64 bits, and structs of
// them.
//
// Exhaustion does not return: it jumps to the buffer set with `arena_on_exhaustion`, which the
// entry points of the compiler do first of all. Since everything lives in the arena, the jump
// leaks nothing. Without such a buffer an allocation that fails returns NULL.

#ifndef SALTUS_BASE_ARENA_H
#define SALTUS_BASE_ARENA_H

#include <assert.h>
#include <saltus/saltus.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ARENA_ALIGNMENT = 8 };
static_assert(ARENA_ALIGNMENT % alignof(double) == 0 && ARENA_ALIGNMENT % alignof(void *) == 0 &&
                  ARENA_ALIGNMENT % alignof(uint64_t) == 0,
              "what lives in arenas is made of these");

typedef struct ArenaBlock ArenaBlock;
typedef struct ArenaLarge ArenaLarge;

typedef struct Arena {
    char *next;  // first free byte of the newest block
    char *limit; // its end
    ArenaBlock *block;
    ArenaLarge *large;                      // blocks of their own, newest first: see arena_regrow
    size_t larges;                          // how many there were so far
    struct Arena *parent, *child, *sibling; // see arena_child
    struct Arena *scratch;
    size_t taken;   // bytes taken from the allocator so far
    size_t maximum; // of `taken`; 0: no limit
    jmp_buf *exhaustion;
    SaltusAllocator allocator;
} Arena;

// Everything allocated after a mark can be released together.
typedef struct ArenaMark {
    ArenaBlock *block;
    char *next;
    size_t larges;
} ArenaMark;

// `allocator` may be NULL: the C library's. NULL if there is no memory.
Arena *arena_create(const SaltusAllocator *allocator);
void arena_destroy(Arena *arena); // NULL is allowed

// Sets the jump target and returns the one before, to be put back on leaving.
jmp_buf *arena_on_exhaustion(Arena *arena, jmp_buf *target);
// The arena counts as exhausted beyond so many bytes; 0: no limit.
void arena_set_maximum(Arena *arena, size_t bytes);
// Jumps, or returns NULL without a jump target.
void *arena_exhausted(Arena *arena);

ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);

// Bytes that were handed out, and what was lost at the ends of blocks.
size_t arena_used(const Arena *arena);
// The next allocations, of so many bytes together, come from one block that is not much larger.
void arena_reserve(Arena *arena, size_t size);

// The part of `arena_allocate` that takes a new block.
void *arena_allocate_slowly(Arena *arena, size_t size);
// Grows `block`, in place where it is the newest. The new bytes are zero.
void *arena_grow(Arena *arena, void *block, size_t old_size, size_t new_size);
// The same of an array that nobody but its owner points into: the old one is gone. So a large one
// leaves nothing behind when it grows, and is given back by a new size of 0. From the first item on
// it must be grown by this function alone.
void *arena_regrow(Arena *arena, void *block, size_t old_size, size_t new_size);
// Makes a large array that was grown so one of `to`, which has the same allocator, without copying
// it; `size`, at most its own, is its new size. NULL: it is none of `from`, or not large.
void *arena_hand_over(Arena *from, void *block, Arena *to, size_t size);
// The next room of an array that is grown so: twice as much, of a large one an eighth more. It
// leaves nothing behind, and a large block is moved by the system without being copied.
static inline uint32_t arena_more_room(uint32_t room, uint32_t first)
{
    enum { LARGE_ROOM = 16384 };
    return room == 0 ? first : room < LARGE_ROOM ? 2 * room : room + room / 8;
}
// An arena of its own that goes with `arena`, unless it is destroyed before.
Arena *arena_child(Arena *arena);
// A child for what is soon released again, by marks.
Arena *arena_scratch(Arena *arena);
// Whether it is the address of something in the arena.
bool arena_owns(const Arena *arena, const void *address);
// A copy with a zero byte behind it.
char *arena_copy_text(Arena *arena, const char *text, size_t length);

static inline void *arena_allocate(Arena *arena, size_t size)
{
    const size_t mask = ARENA_ALIGNMENT - 1;
    if (!arena->next || size > (size_t)(arena->limit - arena->next)) // the first has no block yet
        return arena_allocate_slowly(arena, size);
    char *block = arena->next;
    // Blocks have a multiple of the alignment as size, so rounding up stays inside.
    arena->next += (size + mask) & ~mask;
    memset(block, 0, size);
    return block;
}

#define ARENA_NEW(arena, type) ((type *)arena_allocate((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type)                                                            \
    ((type *)arena_array((arena), (size_t)(count), sizeof(type)))

// count * size bytes, checked for overflow.
void *arena_array(Arena *arena, size_t count, size_t size);

// An array that grows: `items`, `count` of them, with room for `room` (a uint32_t). Zero is an
// empty one. ARENA_ROOM makes room for one more, ARENA_PUSH puts it behind the others. Those that
// were there may move.
#define ARENA_ROOM(arena, items, count, room)                                                      \
    do {                                                                                           \
        if ((count) == (room))                                                                     \
            (items) = arena_more((arena), (items), sizeof *(items), &(room));                      \
    } while (0)
#define ARENA_PUSH(arena, items, count, room, ...)                                                 \
    do {                                                                                           \
        ARENA_ROOM(arena, items, count, room);                                                     \
        (items)[(count)++] = (__VA_ARGS__);                                                        \
    } while (0)

// Twice the room, of items of this size.
void *arena_more(Arena *arena, void *items, size_t size, uint32_t *room);

#endif
