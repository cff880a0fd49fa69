// SPDX-License-Identifier: MIT
//
// The schedule of time events against a list that is searched: order, equal times, moving,
// cancelling, taking, copies.

#include "base/memory.h"
#include "events/schedule.h"
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static SaltusAllocator standard;

static Schedule new_schedule(void)
{
    standard = memory_default();
    return (Schedule){.allocator = &standard};
}

static void test_empty(void **state)
{
    (void)state;
    Schedule schedule = new_schedule();
    int id = 5;
    assert_true(isinf(schedule_next(&schedule)));
    assert_false(schedule_take(&schedule, 1e300, &id));
    assert_int_equal(id, 5);
    schedule_cancel(&schedule, 1);
    schedule_free(&schedule);
    schedule_free(&schedule); // twice does no harm
}

static void test_order(void **state)
{
    (void)state;
    Schedule schedule = new_schedule();
    assert_true(schedule_set(&schedule, 1, 3.0));
    assert_true(schedule_set(&schedule, 2, 1.0));
    assert_true(schedule_set(&schedule, 3, 2.0));
    assert_true(schedule_set(&schedule, 4, 1.0)); // after 2, which came first
    assert_true(schedule_set(&schedule, 5, INFINITY));
    int id;
    assert_true(schedule_next(&schedule) == 1.0);
    assert_false(schedule_take(&schedule, 0.999, &id));
    const int expected[] = {2, 4, 3, 1};
    for (int i = 0; i < 4; i++) {
        assert_true(schedule_take(&schedule, 3.0, &id));
        assert_int_equal(id, expected[i]);
    }
    assert_false(schedule_take(&schedule, 3.0, &id));
    assert_true(isinf(schedule_next(&schedule)));
    schedule_free(&schedule);
}

static void test_move(void **state)
{
    (void)state;
    Schedule schedule = new_schedule();
    schedule_set(&schedule, 7, 1.0);
    schedule_set(&schedule, 8, 2.0);
    schedule_set(&schedule, 7, 3.0);
    assert_true(schedule_next(&schedule) == 2.0);
    assert_int_equal(schedule.count, 2);
    schedule_set(&schedule, 7, 0.5);
    assert_true(schedule_next(&schedule) == 0.5);
    schedule_cancel(&schedule, 7);
    assert_true(schedule_next(&schedule) == 2.0);
    schedule_cancel(&schedule, 8);
    assert_true(isinf(schedule_next(&schedule)));
    schedule_free(&schedule);
}

// ---------------------------------------------------------------------------
// Against a list
// ---------------------------------------------------------------------------

enum { IDS = 40 };

// Small ones, some that are not, some below zero.
static int id_of(int i)
{
    return i < 30 ? i : i < 35 ? INT_MAX - (i - 30) : -i;
}

static int number_of(int id)
{
    return id < 0 ? -id : id < 30 ? id : INT_MAX - id + 30;
}

typedef struct List {
    double time[IDS]; // NaN: not scheduled
    long order[IDS];  // of scheduling
} List;

static int list_first(const List *list)
{
    int first = -1;
    for (int i = 0; i < IDS; i++) {
        if (isnan(list->time[i]))
            continue;
        if (first < 0 || list->time[i] < list->time[first] ||
            (list->time[i] == list->time[first] && list->order[i] < list->order[first]))
            first = i;
    }
    return first;
}

static uint64_t seed = 7;

static int any(int below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)below);
}

static void test_against_a_list(void **state)
{
    (void)state;
    Schedule schedule = new_schedule();
    List list;
    for (int i = 0; i < IDS; i++)
        list.time[i] = NAN;
    for (long n = 0; n < 20000; n++) {
        int id = any(IDS), what = any(10);
        if (what < 5) {
            double time = any(20); // many equal ones
            assert_true(schedule_set(&schedule, id_of(id), time));
            list.time[id] = time;
            list.order[id] = n;
        } else if (what < 7) {
            schedule_cancel(&schedule, id_of(id));
            list.time[id] = NAN;
        } else {
            double now = any(20);
            int first = list_first(&list), taken = -1;
            bool due = first >= 0 && list.time[first] <= now;
            assert_int_equal(schedule_take(&schedule, now, &taken), due);
            if (due) {
                assert_int_equal(number_of(taken), first);
                list.time[first] = NAN;
            }
        }
        int first = list_first(&list);
        assert_true(first < 0 ? isinf(schedule_next(&schedule))
                              : schedule_next(&schedule) == list.time[first]);
    }
    schedule_free(&schedule);
}

static void test_copy(void **state)
{
    (void)state;
    Schedule schedule = new_schedule(), copy = new_schedule(), empty = new_schedule();
    for (int i = 0; i < 100; i++)
        assert_true(schedule_set(&schedule, i, any(50)));
    assert_true(schedule_copy(&copy, &schedule));
    int a, b;
    while (schedule_take(&schedule, 1e3, &a)) {
        assert_true(schedule_take(&copy, 1e3, &b));
        assert_int_equal(a, b);
    }
    assert_false(schedule_take(&copy, 1e3, &b));
    assert_true(schedule_copy(&copy, &empty));
    assert_int_equal(copy.count, 0);
    schedule_free(&schedule);
    schedule_free(&copy);
    schedule_free(&empty);
}

static void *refuse(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
    return NULL;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    SaltusAllocator none = {.reallocate = refuse};
    Schedule schedule = {.allocator = &none}, full = new_schedule();
    assert_false(schedule_set(&schedule, 1, 1.0));
    assert_true(isinf(schedule_next(&schedule)));
    schedule_set(&full, 1, 1.0);
    assert_false(schedule_copy(&schedule, &full));
    schedule_free(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty), cmocka_unit_test(test_order),
        cmocka_unit_test(test_move),  cmocka_unit_test(test_against_a_list),
        cmocka_unit_test(test_copy),  cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
