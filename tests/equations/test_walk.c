// SPDX-License-Identifier: MIT
//
// Maps from nodes to numbers (DagMemo): against a plain array, with keys in the places of all
// sizes, few and many of them, overwritten, emptied and given back.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/walk.h"

#include <stdlib.h>

enum { KEYS = 60000, NOTHING = 0 }; // values are above NOTHING

static uint32_t next_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static void compare(const DagMemo *memo, const uint32_t *expected)
{
    for (uint32_t key = 0; key < KEYS; key++) {
        assert_int_equal(memo_has(memo, key), expected[key] != NOTHING);
        if (expected[key] != NOTHING)
            assert_int_equal(memo_get(memo, key), expected[key]);
    }
}

// So many keys from `first` on, drawn at random, set two or three times in a row.
static void set_some(DagMemo *memo, uint32_t *expected, uint32_t count, uint32_t first,
                     uint64_t *seed)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = first + next_number(seed) % (KEYS - first);
        for (uint32_t k = 0; k < 1 + i % 3; k++) {
            expected[key] = 1 + next_number(seed) % 1000000;
            memo_set(memo, key, expected[key]);
        }
    }
}

// In a graph of so many numbers, and what it has by itself.
static void check_maps(uint32_t numbers)
{
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    for (uint32_t i = 0; i < numbers; i++)
        dag_real(dag, i);
    uint32_t *expected = calloc(KEYS, sizeof *expected);
    assert_non_null(expected);
    uint64_t seed = 1;
    // up to 512 large keys are few, 513 are not in a small graph; in a large one 5,000 are, too
    static const uint32_t counts[] = {1, 100, 511, 512, 513, 5000, 3, 700, 0, 512};
    for (uint32_t round = 0; round < 40; round++) {
        DagMemo *memo = memo_take(dag);
        for (uint32_t use = 0; use < 2; use++) { // emptied in between
            const uint32_t count = counts[(round + 3 * use) % 10];
            for (uint32_t key = 0; key < KEYS; key++)
                expected[key] = NOTHING;
            set_some(memo, expected, count, round % 2 ? 4096 : 0, &seed);
            compare(memo, expected);
            set_some(memo, expected, 10, 0, &seed);
            compare(memo, expected);
            memo_clear(memo);
        }
        memo_give(memo);
        for (uint32_t k = 0; k < 2 && round % 7 == 6; k++) // the second time there is nothing left
            memo_give_back(dag);
    }
    free(expected);
    arena_destroy(arena);
}

static void maps_of_all_sizes(void **state)
{
    (void)state;
    check_maps(0);
}

static void maps_in_large_graphs(void **state)
{
    (void)state;
    check_maps(20000);  // few are up to 1,024
    check_maps(200000); // up to 8,192, in a table that is given back
}

// What looks at 5,000 of 400,000 nodes has a table of 16,384 slots with 12 bytes, half a byte for
// each node (and the smaller tables before it, and room of the arena), not arrays with 6 bytes.
static void few_take_little(void **state)
{
    (void)state;
    enum { NODES = 400000, SOME = 5000 };
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    for (uint32_t i = 0; i < NODES; i++)
        dag_real(dag, i);
    const size_t before = arena->taken;
    DagMemo *memo = memo_take(dag);
    for (uint32_t i = 0; i < SOME; i++)
        memo_set(memo, NODES - i, i);
    assert_true(arena->taken - before < (size_t)2 * NODES);
    arena_destroy(arena);
}

// A memo is emptied by another stamp. Where stamps begin anew, what was set under the first one
// must not be there again: below the room, and among the few keys of a large graph.
static void memos_stay_empty(void **state)
{
    (void)state;
    enum { STAMPS = 1 << 16, LARGE = 1 << 20 };
    Arena *arena = arena_create(NULL);
    DagMemo *memo = memo_take(dag_create(arena));
    memo_set(memo, 5, 7);
    memo_set(memo, LARGE, 8);
    for (int i = 0; i < 2 * STAMPS + 2; i++) {
        memo_clear(memo);
        if (memo_has(memo, 5) || memo_has(memo, LARGE))
            fail_msg("what was cleared is there after %d times", i + 1);
    }
    memo_set(memo, 5, 9);
    memo_set(memo, LARGE, 10);
    assert_int_equal(memo_get(memo, 5), 9);
    assert_int_equal(memo_get(memo, LARGE), 10);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memos_stay_empty), cmocka_unit_test(maps_of_all_sizes),
        cmocka_unit_test(maps_in_large_graphs), cmocka_unit_test(few_take_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
