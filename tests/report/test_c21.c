// SPDX-License-Identifier: MIT
//
// Every task of C21, C7 and C5: all numbers are within the bounds that the report states beside
// them, and stay so with other parameters, since nothing in the report is stored.

#include "report/benchmark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/saltus-report-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static size_t frames; // that were looked for

// The page shows the animations that are still to be made, each in a frame.
static void expect_frames(const Benchmark *b)
{
    char path[64], line[4096], frame[100];
    for (size_t i = 0; i < b->animation_count; i++) {
        bool is_there = false;
        snprintf(path, sizeof path, "%s/index.html", folder);
        snprintf(frame, sizeof frame, "<iframe src=\"%s.html\"", b->animations[i].id);
        FILE *page = fopen(path, "r");
        assert_non_null(page);
        while (!is_there && fgets(line, sizeof line, page))
            is_there = strstr(line, frame) != NULL;
        fclose(page);
        frames++;
        if (!is_there)
            fail_msg("the page has no %s", frame);
    }
}

// Runs tasks (NULL: all) and expects no failure and at least `least` numbers.
static void expect_fine(const char *name, const char *const *tasks, size_t count,
                        const SaltusSetting *overrides, size_t override_count, size_t least)
{
    char models[256];
    snprintf(models, sizeof models, "%s/benchmarks/%s", SALTUS_SOURCE_DIR, name);
    Arena *arena = arena_create(NULL);
    const Benchmark b = benchmark_run(benchmark_find(name),
                                      &(BenchmarkOptions){.models = models,
                                                          .output = folder,
                                                          .overrides = overrides,
                                                          .override_count = override_count,
                                                          .tasks = tasks,
                                                          .task_count = count},
                                      arena);
    if (b.failures.length)
        print_error("%s", builder_string(&b.failures).text);
    assert_string_equal(builder_string(&b.failures).text, "");
    assert_int_equal(findings_failed(&b.findings), 0);
    assert_true(b.is_written);
    assert_true(b.findings.count >= least);
    expect_frames(&b);
    arena_destroy(arena);
}

#define TASK(id, least)                                                                            \
    static void task_##id(void **state)                                                            \
    {                                                                                              \
        (void)state;                                                                               \
        static const char *const tasks[] = {#id};                                                  \
        expect_fine("c21", tasks, 1, NULL, 0, least);                                              \
    }

TASK(B1, 0)
TASK(B2, 2)
TASK(B3, 101)
TASK(B4, 7)
TASK(B5, 8)
TASK(B6, 0)
TASK(B7, 40)
TASK(B8, 41) // with k = 1e4 the first contact has no end, and no duration
TASK(B9, 10)
TASK(R1, 32)
TASK(R2, 40)
TASK(R3, 10)
TASK(R4, 12)
TASK(R5, 8)
TASK(R6, 0)
TASK(R7, 3)
TASK(F1, 24)
TASK(F2, 24)
TASK(F3, 36)
TASK(F4, 18)
TASK(P1, 6)
TASK(P2, 8)
TASK(P3, 0)
TASK(P4, 10)
TASK(P5, 12)
TASK(H1, 17)
TASK(E1, 14)

// Closed forms hold for any parameters, and two solvers agree.
static void other_parameters(void **state)
{
    (void)state;
    static const SaltusSetting overrides[] = {{"Ball.mu", 0.85},   {"Ball.x0", 7.0},
                                              {"Ball.g", 9.0},     {"Ball.k", 8e5},
                                              {"Pendulum.k", 0.8}, {"Pendulum.omega0", 14.0}};
    static const char *const tasks[] = {"B2", "B3", "B7", "P2"};
    expect_fine("c21", tasks, 4, overrides, 6, 140);
}

static void c7(void **state)
{
    (void)state;
    expect_fine("c7", NULL, 0, NULL, 0, 20);
}

static void c5(void **state)
{
    (void)state;
    expect_fine("c5", NULL, 0, NULL, 0, 7);
}

// A wrong model makes the report fail: here gravity that the closed forms do not know of.
static void deviation_is_a_failure(void **state)
{
    (void)state;
    static const SaltusSetting overrides[] = {{"TwoState.low", 2.6}};
    Arena *arena = arena_create(NULL);
    const Benchmark b =
        benchmark_run(benchmark_find("c5"),
                      &(BenchmarkOptions){.models = SALTUS_SOURCE_DIR "/benchmarks/c5",
                                          .output = folder,
                                          .overrides = overrides,
                                          .override_count = 1},
                      arena);
    assert_true(findings_failed(&b.findings) > 0);
    assert_non_null(strstr(builder_string(&b.failures).text, "S.t[2]"));
    arena_destroy(arena);
}

// A folder that cannot be made, models that are not there.
static void bad_folders(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Benchmark b = benchmark_run(benchmark_find("c5"),
                                &(BenchmarkOptions){.models = SALTUS_SOURCE_DIR "/benchmarks/c5",
                                                    .output = "/nowhere/at/all"},
                                arena);
    assert_false(b.is_written);
    assert_non_null(strstr(builder_string(&b.failures).text, "/nowhere/at/all"));
    b = benchmark_run(benchmark_find("c5"),
                      &(BenchmarkOptions){.models = "/nowhere", .output = folder}, arena);
    assert_non_null(strstr(builder_string(&b.failures).text, "/nowhere/TwoState.mo"));
    arena_destroy(arena);
}

// After the tasks: three of them have animations.
static void animations_have_frames(void **state)
{
    (void)state;
    assert_true(frames >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(task_B1),
        cmocka_unit_test(task_B2),
        cmocka_unit_test(task_B3),
        cmocka_unit_test(task_B4),
        cmocka_unit_test(task_B5),
        cmocka_unit_test(task_B6),
        cmocka_unit_test(task_B7),
        cmocka_unit_test(task_B8),
        cmocka_unit_test(task_B9),
        cmocka_unit_test(task_R1),
        cmocka_unit_test(task_R2),
        cmocka_unit_test(task_R3),
        cmocka_unit_test(task_R4),
        cmocka_unit_test(task_R5),
        cmocka_unit_test(task_R6),
        cmocka_unit_test(task_R7),
        cmocka_unit_test(task_F1),
        cmocka_unit_test(task_F2),
        cmocka_unit_test(task_F3),
        cmocka_unit_test(task_F4),
        cmocka_unit_test(task_P1),
        cmocka_unit_test(task_P2),
        cmocka_unit_test(task_P3),
        cmocka_unit_test(task_P4),
        cmocka_unit_test(task_P5),
        cmocka_unit_test(task_H1),
        cmocka_unit_test(task_E1),
        cmocka_unit_test(other_parameters),
        cmocka_unit_test(c7),
        cmocka_unit_test(c5),
        cmocka_unit_test(deviation_is_a_failure),
        cmocka_unit_test(bad_folders),
        cmocka_unit_test(animations_have_frames),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
