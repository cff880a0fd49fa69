// SPDX-License-Identifier: MIT
//
// Pools: what they give away is zero, aligned, and belongs to one caller alone; small parts share
// blocks; what fails leaves the pool as it was.

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Counts blocks that are there and blocks that were made; fails after the last one that is allowed.
typedef struct Counter {
    long present, made, allowed;
} Counter;

static void *counted_reallocate(void *user, void *block, size_t size)
{
    Counter *c = user;
    if (size == 0) {
        free(block);
        c->present--;
        return NULL;
    }
    if (!block && c->made == c->allowed)
        return NULL;
    c->made += !block;
    c->present += !block;
    return realloc(block, size);
}

static size_t part_size(int i)
{
    return i % 50 == 7 ? 10000u : (size_t)(i % 9) * 24u;
}

static void test_parts(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    Counter counter = {.allowed = -1};
    const SaltusAllocator allocator = {.reallocate = counted_reallocate, .user = &counter};
    MemoryPool pool = {.allocator = &allocator};
    unsigned char *parts[COUNT];
    for (int i = 0; i < COUNT; i++) {
        parts[i] = memory_pool_new(&pool, part_size(i), 1);
        assert_non_null(parts[i]);
        if (i > 0)
            assert_ptr_not_equal(parts[i], parts[i - 1]); // nor do parts without bytes share it
        assert_int_equal((uintptr_t)parts[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < part_size(i); k++)
            assert_int_equal(parts[i][k], 0);
        if (part_size(i) > 0)
            memset(parts[i], i % 255 + 1, part_size(i));
    }
    for (int i = 0; i < COUNT; i++)
        for (size_t k = 0; k < part_size(i); k++)
            assert_int_equal(parts[i][k], i % 255 + 1);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
    assert_true(counter.made < COUNT / 5); // 8 large parts, 38 kB of small ones in blocks of 8 kB
#endif
    memory_pool_free(&pool);
    assert_int_equal(counter.present, 0);
}

static void test_failures(void **state)
{
    (void)state;
    Counter counter = {.allowed = 1};
    const SaltusAllocator allocator = {.reallocate = counted_reallocate, .user = &counter};
    MemoryPool pool = {.allocator = &allocator};
    char *text = memory_pool_text(&pool, "kept");
    assert_non_null(text);
    assert_null(memory_pool_new(&pool, SIZE_MAX, 1));
    assert_null(memory_pool_new(&pool, SIZE_MAX / 8 + 1, 8));
    assert_null(memory_pool_new(&pool, SIZE_MAX - 20, 1)); // no room for the block's own data
    assert_null(memory_pool_new(&pool, 100000, 1));
    assert_string_equal(text, "kept");
    assert_null(memory_pool_text(&pool, NULL));
    memory_pool_free(&pool);
    assert_int_equal(counter.present, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
