// SPDX-License-Identifier: MIT
//
// Blocks that are kept once: the same bytes have the same address, others another.

#include "hybrid/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXTS = 1000 };

static const char *text_at(int index, char text[32])
{
    snprintf(text, 32, "a name, number %d", index);
    return text;
}

static void test_texts(void **state)
{
    (void)state;
    const SaltusAllocator allocator = memory_default();
    MemoryPool pool = {.allocator = &allocator};
    Shared shared = {.pool = &pool};
    const char *kept[TEXTS];
    char text[32];
    for (int i = 0; i < TEXTS; i++)
        kept[i] = shared_text(&shared, text_at(i, text));
    for (int i = 0; i < TEXTS; i++) {
        assert_string_equal(kept[i], text_at(i, text));
        assert_ptr_equal(shared_text(&shared, text), kept[i]);
    }
    assert_int_equal(shared.count, TEXTS); // all different
    shared_free(&shared);
    assert_string_equal(kept[TEXTS - 1], text_at(TEXTS - 1, text)); // the pool's
    memory_pool_free(&pool);
}

// Beginnings, ends and nothing at all are blocks of their own.
static void test_sizes(void **state)
{
    (void)state;
    const SaltusAllocator allocator = memory_default();
    MemoryPool pool = {.allocator = &allocator};
    Shared shared = {.pool = &pool};
    const unsigned char zeros[32] = {0};
    const void *kept[33];
    for (size_t size = 0; size <= 32; size++) {
        kept[size] = shared_block(&shared, zeros, size);
        assert_non_null(kept[size]);
        for (size_t other = 0; other < size; other++)
            assert_ptr_not_equal(kept[size], kept[other]);
    }
    assert_ptr_equal(shared_block(&shared, NULL, 0), kept[0]);
    double numbers[4] = {0.0, 0.0, 0.0, 0.0};
    assert_ptr_equal(shared_block(&shared, numbers, sizeof numbers), kept[32]);
    numbers[3] = -0.0; // another number
    assert_ptr_not_equal(shared_block(&shared, numbers, sizeof numbers), kept[32]);
    shared_free(&shared);
    memory_pool_free(&pool);
}

static void *allocate_few(void *user, void *block, size_t size)
{
    int *left = user;
    const SaltusAllocator real = memory_default();
    return size > 0 && (*left)-- <= 0 ? NULL : real.reallocate(real.user, block, size);
}

// Without memory nothing new is kept, and what is there is still found.
static void test_out_of_memory(void **state)
{
    (void)state;
    int left = 2; // the table, and a block of texts
    char large[20000] = "";
    const SaltusAllocator allocator = {.reallocate = allocate_few, .user = &left};
    MemoryPool pool = {.allocator = &allocator};
    Shared shared = {.pool = &pool};
    const char *one = shared_text(&shared, "one");
    assert_non_null(one);
    memset(large, 'x', sizeof large - 1); // more than a block has
    assert_null(shared_text(&shared, large));
    assert_ptr_equal(shared_text(&shared, "one"), one);
    left = 1;
    assert_string_equal(shared_text(&shared, large), large);
    shared_free(&shared);
    memory_pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
