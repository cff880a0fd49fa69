// SPDX-License-Identifier: MIT
//
// All models in models/, interpreted and compiled: rows and events must be the same, bit for bit.
// Skipped where there is no C compiler.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/cache.h"
#include "model/trial.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Enough to see every part of the code at work.
enum { MOST_STEPS = 300, MOST_EVENTS = 30 };

static Cache cache;

static void start(Trial *t, BackendChoice backend)
{
    const NativeOptions options = {.cache = cache.folder};
    trial_backend(t, backend, &options);
    trial_options(t)->max_steps = MOST_STEPS;
    trial_options(t)->max_events = MOST_EVENTS;
}

static void assert_same(const char *file, const char *what, long number, const void *a,
                        const void *b, size_t size)
{
    if (size && memcmp(a, b, size) != 0)
        fail_msg("%s: %s %ld: compiled code does something else", file, what, number);
}

static void assert_same_runs(const char *file, const SaltusRun *a, const SaltusRun *b)
{
    if (!a || !b) {
        assert_ptr_equal(a, b);
        return;
    }
    assert_int_equal(saltus_run_row_count(a), saltus_run_row_count(b));
    for (long i = 0; i < saltus_run_row_count(a); i++) {
        const SaltusRow x = saltus_run_row(a, i), y = saltus_run_row(b, i);
        assert_same(file, "time of row", i, &x.t, &y.t, sizeof x.t);
        assert_int_equal(x.mode, y.mode);
        assert_same(file, "row", i, x.x, y.x, (size_t)x.x_count * sizeof(double));
        assert_same(file, "row", i, x.y, y.y, (size_t)x.y_count * sizeof(double));
    }
    assert_int_equal(saltus_run_event_count(a), saltus_run_event_count(b));
    for (long i = 0; i < saltus_run_event_count(a); i++) {
        const SaltusLogEntry x = saltus_run_event(a, i), y = saltus_run_event(b, i);
        assert_same(file, "event", i, &x.t, &y.t, sizeof x.t);
        assert_int_equal(x.classes, y.classes);
    }
}

// Whether there is compiled code.
static bool compare(const char *file)
{
    Trial *interpreted = trial_file(file, NULL), *compiled = trial_file(file, NULL);
    start(interpreted, BACKEND_INTERPRET);
    start(compiled, BACKEND_C);
    const double stop_time = trial_stop_time(interpreted);
    const SaltusStatus status = trial_run(interpreted, stop_time);
    assert_int_equal(trial_run(compiled, stop_time), status);
    assert_same_runs(file, trial_get_run(interpreted), trial_get_run(compiled));
    const bool is_compiled = trial_is_compiled(compiled);
    assert_false(trial_is_compiled(interpreted));
    trial_end(compiled);
    trial_end(interpreted);
    return is_compiled;
}

static int is_model(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".mo") == 0;
}

// All models of a folder under models/; the last one of a file with several.
static bool compare_folder(const char *folder)
{
    struct dirent **list = NULL;
    char path[256];
    snprintf(path, sizeof path, "%s/models/%s", SALTUS_SOURCE_DIR, folder);
    const int count = scandir(path, &list, is_model, alphasort);
    assert_true(count > 10);
    bool is_compiled = true;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%.40s/%.200s", folder, list[i]->d_name);
        is_compiled = is_compiled && compare(path);
        free(list[i]);
    }
    free(list);
    return is_compiled;
}

static void all_models(void **state)
{
    (void)state;
    if (!compare_folder("examples") || !compare_folder("modes") || !compare_folder("reference"))
        skip();
}

#define PENDULUM                                                                                   \
    "model P Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; "   \
    "der(v) = -9.81 * sin(x); end P;"

// In the middle of a run that takes long, compiled code takes over; nothing else changes.
static void takes_over(void **state)
{
    (void)state;
    const NativeOptions options = {.cache = cache.folder};
    Trial *interpreted = trial_text(PENDULUM), *automatic = trial_text(PENDULUM);
    trial_backend(automatic, BACKEND_AUTO, &options);
    trial_options(interpreted)->record = SALTUS_RECORD_NOTHING;
    trial_options(automatic)->record = SALTUS_RECORD_NOTHING;
    double time = 0.0;
    for (int i = 0; i < 500 && !trial_is_compiled(automatic); i++) {
        time += 1000.0;
        assert_int_equal(trial_run(automatic, time), SALTUS_OK);
    }
    if (!trial_is_compiled(automatic))
        skip();
    for (double t = 1000.0; t <= time; t += 1000.0)
        assert_int_equal(trial_run(interpreted, t), SALTUS_OK);
    assert_false(trial_is_compiled(interpreted));
    assert_memory_equal(saltus_run_states(trial_get_run(interpreted)),
                        saltus_run_states(trial_get_run(automatic)), 2 * sizeof(double));
    assert_true(time > 1000.0); // the compiler was not waited for
    trial_end(automatic);
    trial_end(interpreted);
}

// Without a compiler the run goes on as it began.
static void no_compiler(void **state)
{
    (void)state;
    const NativeOptions options = {.cache = cache.folder, .compiler = "/none/cc"};
    Trial *t = trial_text(PENDULUM);
    trial_backend(t, BACKEND_C, &options);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    assert_false(trial_is_compiled(t));
    trial_end(t);
}

static int open_cache(void **state)
{
    (void)state;
    return cache_open(&cache, "/dev/null/none") ? 0 : -1; // one of its own, in a temporary folder
}

static int close_cache(void **state)
{
    (void)state;
    cache_close(&cache);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_models),
        cmocka_unit_test(takes_over),
        cmocka_unit_test(no_compiler),
    };
    return cmocka_run_group_tests(tests, open_cache, close_cache);
}
