// SPDX-License-Identifier: MIT

#include "base/heap.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Hooks that count what they were asked for and have not got back.
static void *counted(void *user, void *block, size_t size)
{
    int *count = user;
    *count += (size > 0) - (block != NULL);
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

static bool is_inside(const void *piece, const char *block, size_t room)
{
    return (const char *)piece >= block && (const char *)piece < block + room;
}

// Pieces are aligned, apart, and inside of the block while there is room; then they come from the
// hooks behind, and go back there.
static void pieces_have_room(void **state)
{
    (void)state;
    char block[512];
    int count = 0;
    Heap heap;
    const SaltusAllocator behind = {.reallocate = counted, .user = &count};
    heap_begin(&heap, &behind, block + 1, sizeof block - 1); // not aligned
    char *pieces[64];
    int inside = 0;
    for (int i = 0; i < 64; i++) {
        pieces[i] = memory_new(&heap.hooks, (size_t)(i % 7 + 1), 3);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        memset(pieces[i], i, (size_t)(i % 7 + 1) * 3);
        inside += is_inside(pieces[i], block, sizeof block);
    }
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < (i % 7 + 1) * 3; k++)
            assert_int_equal(pieces[i][k], i);
    assert_true(inside >= 8 && inside < 64);
    assert_int_equal(count, 64 - inside);
    for (int i = 0; i < 64; i++)
        memory_free(&heap.hooks, pieces[i]);
    assert_int_equal(count, 0);
}

// What grows keeps its bytes, inside and out of the block; what was given away last is used again.
static void pieces_grow(void **state)
{
    (void)state;
    char block[256];
    int count = 0;
    Heap heap;
    const SaltusAllocator behind = {.reallocate = counted, .user = &count};
    heap_begin(&heap, &behind, block, sizeof block);
    char *piece = memory_resize(&heap.hooks, NULL, 5, 1);
    memcpy(piece, "word", 5);
    for (size_t size = 10; size < 2000; size *= 2) {
        piece = memory_resize(&heap.hooks, piece, size, 1);
        assert_string_equal(piece, "word");
    }
    assert_false(is_inside(piece, block, sizeof block));
    assert_int_equal(count, 1);
    memory_free(&heap.hooks, piece);
    assert_int_equal(count, 0);

    heap_begin(&heap, &behind, block, sizeof block);
    char *first = memory_new(&heap.hooks, 16, 1), *last = memory_new(&heap.hooks, 16, 1);
    memory_free(&heap.hooks, last);
    assert_ptr_equal(memory_new(&heap.hooks, 16, 1), last);
    assert_ptr_equal(memory_resize(&heap.hooks, first, 8, 1), first);
}

// Without room all comes from behind.
static void no_room(void **state)
{
    (void)state;
    int count = 0;
    Heap heap;
    const SaltusAllocator behind = {.reallocate = counted, .user = &count};
    heap_begin(&heap, &behind, &count, 0);
    void *piece = memory_new(&heap.hooks, 1, 1);
    assert_int_equal(count, 1);
    memory_free(&heap.hooks, piece);
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_have_room),
        cmocka_unit_test(pieces_grow),
        cmocka_unit_test(no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
