// SPDX-License-Identifier: MIT
//
// Arrays that leave memory: what was written is there again, and memory was given back.

#include "studies/spill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 4 << 20 }; // 32 MB of doubles

// Pages in memory now.
static long resident(void)
{
    long all = 0, here = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &all, &here), 2);
    fclose(file);
    return here * sysconf(_SC_PAGESIZE);
}

static void test_large(void **state)
{
    (void)state;
    Spill s = spill_create(COUNT, sizeof(double));
    double *values = s.memory;
    assert_non_null(values);
    assert_true(s.is_file);
    const long before = resident();
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(values[i] == 0.0);
        values[i] = (double)i * 0.1;
    }
    assert_true(resident() - before > 24L << 20);
    spill_relieve(&s);
    assert_true(resident() - before < 4L << 20);
    for (size_t i = COUNT; i-- > 0;)
        assert_true(values[i] == (double)i * 0.1);
    spill_free(&s);
    assert_null(s.memory);
}

// Small ones are memory, and so are those for which there is no folder.
static void test_memory(void **state)
{
    (void)state;
    Spill s = spill_create(100, sizeof(double));
    assert_non_null(s.memory);
    assert_false(s.is_file);
    spill_relieve(&s);
    spill_free(&s);
    assert_int_equal(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
    s = spill_create(COUNT, sizeof(double));
    assert_non_null(s.memory);
    assert_false(s.is_file);
    ((double *)s.memory)[COUNT - 1] = 1.0;
    spill_free(&s);
    s = spill_create(SIZE_MAX / 2, 8);
    assert_null(s.memory);
    spill_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
