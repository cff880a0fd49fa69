// SPDX-License-Identifier: MIT
//
// The map from numbers to positions, against what a plain array says.

#include "base/index_map.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Numbers as clients choose them: in order, far apart, negative, with the same low or high bits.
static int number_at(int position)
{
    switch (position % 4) {
    case 0:
        return position;
    case 1:
        return INT_MAX - 65536 * (position % 16384) - position / 16384;
    case 2:
        return -position;
    default:
        return 1 << 20 | position << 2;
    }
}

static void test_positions(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    const SaltusAllocator allocator = memory_default();
    IndexMap map = {.allocator = &allocator}, copy = {.allocator = &allocator};
    assert_int_equal(index_map_find(&map, 0), -1);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(index_map_find(&map, number_at(i)), -1);
        assert_true(index_map_reserve(&map));
        assert_int_equal(index_map_add(&map, number_at(i)), i);
    }
    assert_true(index_map_copy(&copy, &map));
    index_map_free(&map);
    assert_int_equal(index_map_find(&map, number_at(1)), -1);
    assert_int_equal(copy.count, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(index_map_find(&copy, number_at(i)), i);
    assert_int_equal(index_map_find(&copy, INT_MIN), -1);
    index_map_free(&copy);
}

static void *refuse(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
    return NULL;
}

// Without memory the map stays what it was.
static void test_out_of_memory(void **state)
{
    (void)state;
    const SaltusAllocator allocator = memory_default(), none = {.reallocate = refuse};
    IndexMap map = {.allocator = &allocator}, copy = {.allocator = &none};
    int count = 0;
    for (; map.count < 8; count++) {
        assert_true(index_map_reserve(&map));
        index_map_add(&map, 10 * count);
    }
    map.allocator = &none;
    assert_false(index_map_reserve(&map));
    assert_false(index_map_copy(&copy, &map));
    map.allocator = &allocator;
    for (int i = 0; i < count; i++)
        assert_int_equal(index_map_find(&map, 10 * i), i);
    index_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
