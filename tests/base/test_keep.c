// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/keep.h"

static void what_lies_in_the_arena_is_copied(void **state)
{
    (void)state;
    Arena *from = arena_create(NULL), *to = arena_create(NULL), *other = arena_create(NULL);
    const Keeper k = {.to = to, .from = from};
    int *numbers = ARENA_ARRAY(from, 3000, int); // a block of its own, then small ones again
    for (int i = 0; i < 3000; i++)
        numbers[i] = i;
    const char *own = arena_copy_text(from, "own", 3),
               *shared = arena_copy_text(other, "shared", 6);
    const char **texts = ARENA_ARRAY(from, 3, const char *);
    texts[0] = own;
    texts[1] = shared;
    texts[2] = NULL;
    const char *const *kept = keep_texts(&k, texts, 3);
    KEEP(&k, numbers, 3000);
    assert_true(arena_owns(to, numbers));
    assert_true(arena_owns(to, kept));
    assert_true(arena_owns(to, kept[0]));
    arena_destroy(from);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(numbers[i], i);
    assert_string_equal(kept[0], "own");
    assert_ptr_equal(kept[1], shared);
    assert_null(kept[2]);
    arena_destroy(to);
    arena_destroy(other);
}

static void what_lies_in_children_is_copied(void **state)
{
    (void)state;
    Arena *from = arena_create(NULL), *first = arena_child(from), *second = arena_child(from);
    const char *text = arena_copy_text(first, "first", 5);
    const char *kept = keep_text(&(Keeper){.to = second, .from = from}, text);
    assert_true(arena_owns(second, kept));
    assert_ptr_equal(keep_text(&(Keeper){.to = second, .from = from}, kept), kept);
    arena_destroy(first);
    assert_string_equal(kept, "first");
    arena_destroy(from);
}

// A large array of the arena that is given is not copied, others are.
static void what_is_given_is_handed_over(void **state)
{
    (void)state;
    enum { LARGE = 20000 };
    Arena *from = arena_create(NULL), *to = arena_create(NULL), *given = arena_child(from);
    int *large = arena_regrow(given, NULL, 0, LARGE * sizeof *large),
        *small = ARENA_ARRAY(given, 10, int),
        *other = arena_regrow(from, NULL, 0, LARGE * sizeof *other);
    large[LARGE - 1] = small[9] = other[LARGE - 1] = 7;
    const size_t taken = from->taken;
    const Keeper k = {.to = to, .from = from, .given = given};
    KEEP(&k, large, LARGE);
    KEEP(&k, small, 10);
    KEEP(&k, other, LARGE);
    assert_true(arena_owns(to, large) && arena_owns(to, small) && arena_owns(to, other));
    assert_false(arena_owns(given, large));
    assert_int_equal(from->taken, taken);
    arena_destroy(from);
    assert_int_equal(large[LARGE - 1], 7);
    assert_int_equal(small[9], 7);
    assert_int_equal(other[LARGE - 1], 7);
    arena_destroy(to);
}

static void what_lies_elsewhere_is_shared(void **state)
{
    (void)state;
    Arena *from = arena_create(NULL), *to = arena_create(NULL);
    const Keeper k = {.to = to, .from = from};
    const char *const texts[] = {"a", "b"};
    assert_ptr_equal(keep_texts(&k, texts, 2), texts);
    assert_ptr_equal(keep_array(&k, texts, 2, sizeof *texts), texts);
    assert_null(keep_array(&k, NULL, 2, 8));
    assert_null(keep_text(&k, NULL));
    assert_false(arena_owns(from, texts));
    arena_destroy(from);
    arena_destroy(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_in_the_arena_is_copied),
        cmocka_unit_test(what_lies_in_children_is_copied),
        cmocka_unit_test(what_is_given_is_handed_over),
        cmocka_unit_test(what_lies_elsewhere_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
