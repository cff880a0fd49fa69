// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#include <stdlib.h>

static void allocations_are_zeroed_and_aligned(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    for (size_t size = 1; size < 5000; size += 37) {
        char *block = arena_allocate(arena, size);
        assert_int_equal((uintptr_t)block % ARENA_ALIGNMENT, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xAA, size); // must not reach the next one
    }
    arena_destroy(arena);
}

static void large_blocks_are_granted(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    size_t size = (size_t)10 << 20;
    char *block = arena_allocate(arena, size);
    block[size - 1] = 1;
    char *next = arena_allocate(arena, 1);
    assert_true(next < block || next >= block + size);
    arena_destroy(arena);
}

static void newest_block_grows_in_place(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    char *block = arena_allocate(arena, 10);
    strcpy(block, "text");
    assert_ptr_equal(arena_grow(arena, block, 10, 100), block);
    arena_allocate(arena, 1);
    char *moved = arena_grow(arena, block, 100, 200);
    assert_ptr_not_equal(moved, block);
    assert_string_equal(moved, "text");
    for (size_t i = 5; i < 200; i++)
        assert_int_equal(moved[i], 0);
    arena_destroy(arena);
}

// Two arrays that grow in turn have what was put into them, in order.
static void arrays_grow_side_by_side(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    typedef struct Pair {
        uint32_t number;
        double value;
    } Pair;
    Arena *arena = arena_create(NULL);
    Pair *pairs = NULL;
    uint32_t *numbers = NULL, pair_count = 0, pair_room = 0, number_count = 0, number_room = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        ARENA_PUSH(arena, pairs, pair_count, pair_room, (Pair){i, 0.5 * i});
        ARENA_PUSH(arena, numbers, number_count, number_room, COUNT - i);
        assert_true(pair_room >= pair_count && number_room >= number_count);
    }
    assert_true(pair_count == COUNT && number_count == COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(pairs[i].number == i && pairs[i].value == 0.5 * i && numbers[i] == COUNT - i);
    arena_destroy(arena);
}

static void release_returns_to_the_mark(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    arena_allocate(arena, 100);
    size_t taken = arena->taken;
    ArenaMark mark = arena_mark(arena);
    void *first = arena_allocate(arena, 50);
    for (int i = 0; i < 100; i++)
        arena_allocate(arena, 10000);
    assert_true(arena->taken > taken);
    arena_release(arena, mark);
    assert_int_equal(arena->taken, taken);
    assert_ptr_equal(arena_allocate(arena, 50), first);
    arena_destroy(arena);
}

static size_t in_use; // bytes

static void *counted(void *user, void *block, size_t size)
{
    (void)user;
    max_align_t *old = block ? (max_align_t *)block - 1 : NULL;
    in_use += size - (old ? *(size_t *)(void *)old : 0);
    if (size == 0) {
        free(old);
        return NULL;
    }
    max_align_t *grown = realloc(old, sizeof *grown + size);
    if (grown)
        *(size_t *)(void *)grown = size;
    return grown ? grown + 1 : NULL;
}

static void children_go_with_their_parent_or_before(void **state)
{
    (void)state;
    Arena *arena = arena_create(&(SaltusAllocator){.reallocate = counted});
    arena_allocate(arena, 10);
    const size_t before = in_use;
    Arena *children[3];
    for (int i = 0; i < 3; i++) {
        children[i] = arena_child(arena);
        arena_allocate(arena_child(children[i]), 100000);
    }
    assert_true(in_use > before + 300000);
    arena_destroy(children[1]); // neither the newest nor the oldest
    assert_true(in_use > before + 200000 && in_use < before + 300000);
    arena_destroy(children[2]);
    arena_destroy(children[0]);
    assert_int_equal(in_use, before);
    arena_allocate(arena_child(arena), 10);
    arena_allocate(arena_scratch(arena), 10);
    arena_destroy(arena);
    assert_int_equal(in_use, 0);
}

static void exhaustion_jumps(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    arena_set_maximum(arena, 100000);
    jmp_buf target;
    volatile int blocks = 0;
    assert_null(arena_on_exhaustion(arena, &target));
    if (setjmp(target) == 0) {
        for (;; blocks++)
            arena_allocate(arena, 1000);
    }
    assert_in_range(blocks, 40, 100);
    arena_on_exhaustion(arena, NULL);
    assert_null(arena_allocate(arena, 100000));
    assert_null(arena_array(arena, SIZE_MAX / 2, 4));
    arena_destroy(arena);
}

// An allocator that fails from the n-th call on and counts what is not freed.
typedef struct Counting {
    int calls_left, blocks;
} Counting;

static void *reallocate_counting(void *user, void *block, size_t size)
{
    Counting *c = user;
    if (size == 0) {
        c->blocks--;
        free(block);
        return NULL;
    }
    if (c->calls_left-- <= 0)
        return NULL;
    c->blocks += block == NULL;
    return realloc(block, size);
}

static void everything_is_freed(void **state)
{
    (void)state;
    Counting counting = {.calls_left = 1000};
    SaltusAllocator allocator = {reallocate_counting, &counting};
    Arena *arena = arena_create(&allocator);
    for (int i = 0; i < 50; i++)
        arena_allocate(arena, 9000);
    arena_destroy(arena);
    assert_int_equal(counting.blocks, 0);
    arena_destroy(NULL);

    counting.calls_left = 0;
    assert_null(arena_create(&allocator));
}

// A large array moves without leaving anything behind, keeps its place among marks, is given back.
static void large_arrays_leave_nothing_behind(void **state)
{
    (void)state;
    Counting counting = {.calls_left = 1000};
    SaltusAllocator allocator = {reallocate_counting, &counting};
    Arena *arena = arena_create(&allocator);
    size_t room = 16;
    uint32_t *items = arena_regrow(arena, NULL, 0, room * sizeof *items);
    for (uint32_t i = 0; i < 100000; i++) {
        if (i == room) {
            items = arena_regrow(arena, items, room * sizeof *items, 2 * room * sizeof *items);
            for (size_t k = room; k < 2 * room; k++)
                assert_int_equal(items[k], 0);
            room *= 2;
        }
        items[i] = i;
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    assert_true(arena_owns(arena, &items[99999]));
    // What it grew out of below 64 kB is still there, and the last array, but none between.
    assert_true(arena->taken < room * sizeof *items + 3 * (64 << 10));

    const size_t taken = arena->taken;
    const ArenaMark mark = arena_mark(arena);
    char *other = arena_regrow(arena, NULL, 0, 100000);
    items = arena_regrow(arena, items, room * sizeof *items, 2 * room * sizeof *items);
    assert_true(arena_owns(arena, other));
    arena_release(arena, mark); // the older one stays, at its new size
    assert_false(arena_owns(arena, other));
    assert_int_equal(items[99999], 99999);
    assert_int_equal(arena->taken, taken + room * sizeof *items);

    items = arena_regrow(arena, items, 2 * room * sizeof *items, 1000 * sizeof *items);
    assert_int_equal(items[999], 999);
    assert_null(arena_regrow(arena, arena_regrow(arena, NULL, 0, 100000), 100000, 0));
    arena_destroy(arena);
    assert_int_equal(counting.blocks, 0);
}

// Only what is large is handed over; it goes with its new arena, and its end is given back.
static void large_arrays_are_handed_over(void **state)
{
    (void)state;
    enum { LARGE = 100000, USED = 80000 };
    Counting counting = {.calls_left = 1000};
    SaltusAllocator allocator = {reallocate_counting, &counting};
    Arena *from = arena_create(&allocator), *to = arena_create(&allocator);
    arena_regrow(to, NULL, 0, LARGE);
    const ArenaMark mark = arena_mark(to);
    char *older = arena_regrow(from, NULL, 0, LARGE), *array = arena_regrow(from, NULL, 0, LARGE),
         *newer = arena_regrow(from, NULL, 0, LARGE), *small = arena_regrow(from, NULL, 0, 1000);
    memset(array, 'a', LARGE);
    const size_t before = from->taken + to->taken;
    assert_null(arena_hand_over(from, small, to, 1000));
    assert_null(arena_hand_over(to, array, to, LARGE));
    array = arena_hand_over(from, array, to, USED);
    assert_true(arena_owns(to, array) && !arena_owns(from, array));
    assert_true(arena_owns(from, older) && arena_owns(from, newer));
    assert_int_equal(from->taken + to->taken, before - (LARGE - USED));
    arena_destroy(from);
    assert_int_equal(array[0], 'a');
    assert_int_equal(array[USED - 1], 'a');
    arena_release(to, mark);
    assert_false(arena_owns(to, array));
    arena_destroy(to);
    assert_int_equal(counting.blocks, 0);
}

static void scratch_goes_with_its_arena(void **state)
{
    (void)state;
    Counting counting = {.calls_left = 1000};
    SaltusAllocator allocator = {reallocate_counting, &counting};
    Arena *arena = arena_create(&allocator);
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    char *kept = arena_allocate(arena, 100);
    arena_allocate(scratch, 50000);
    arena_release(scratch, mark);
    assert_ptr_equal(arena_scratch(arena), scratch);
    assert_true(arena_owns(arena, kept));

    jmp_buf exhaustion;
    volatile bool has_jumped = false;
    arena_on_exhaustion(arena, &exhaustion);
    counting.calls_left = 0;
    if (setjmp(exhaustion) == 0)
        arena_allocate(arena_scratch(arena), 1 << 20);
    else
        has_jumped = true;
    assert_true(has_jumped);
    has_jumped = false;
    if (setjmp(exhaustion) == 0)
        arena_regrow(arena, NULL, 0, 1 << 20);
    else
        has_jumped = true;
    assert_true(has_jumped);
    arena_destroy(arena);
    assert_int_equal(counting.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_zeroed_and_aligned),
        cmocka_unit_test(large_blocks_are_granted),
        cmocka_unit_test(newest_block_grows_in_place),
        cmocka_unit_test(arrays_grow_side_by_side),
        cmocka_unit_test(release_returns_to_the_mark),
        cmocka_unit_test(children_go_with_their_parent_or_before),
        cmocka_unit_test(exhaustion_jumps),
        cmocka_unit_test(everything_is_freed),
        cmocka_unit_test(large_arrays_leave_nothing_behind),
        cmocka_unit_test(large_arrays_are_handed_over),
        cmocka_unit_test(scratch_goes_with_its_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
