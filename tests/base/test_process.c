// SPDX-License-Identifier: MIT
//
// Programs that end well, badly, never, or cannot be started.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char output[] = "/tmp/saltus-process-XXXXXX";

static int process_test_begin(void **state)
{
    (void)state;
    const int file = mkstemp(output);
    return file < 0 ? -1 : close(file);
}

static int process_test_end(void **state)
{
    (void)state;
    return unlink(output);
}

static Process process_test_start(const char *line, const char **reason)
{
    char shell[] = "sh", option[] = "-c", text[200];
    snprintf(text, sizeof text, "%s", line);
    char *const arguments[] = {shell, option, text, NULL};
    return process_start(arguments, output, reason);
}

static void endings(void **state)
{
    (void)state;
    char text[20] = "";
    bool is_fine = false;
    Process child = process_test_start("echo said; echo more >&2", NULL);
    assert_true(child.id > 0);
    assert_true(process_has_ended(&child, true, &is_fine));
    assert_true(is_fine);
    FILE *file = fopen(output, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 10);
    fclose(file);
    assert_string_equal(text, "said\nmore\n");
    child = process_test_start("exit 3", NULL);
    assert_true(process_ends_in_time(&child, 100.0, &is_fine));
    assert_false(is_fine);
}

// It is ended together with what it has started itself.
static void without_end(void **state)
{
    (void)state;
    const struct timespec pause = {0, 10000000};
    bool is_fine = true;
    Process child = process_test_start("sleep 1000 & sleep 1000", NULL);
    const pid_t group = child.id;
    assert_false(process_ends_in_time(&child, 0.1, &is_fine));
    assert_false(is_fine);
    for (int i = 0; i < 1000 && kill(-group, 0) == 0; i++) // until somebody has reaped its own
        nanosleep(&pause, NULL);
    assert_int_not_equal(kill(-group, 0), 0);
}

static void not_started(void **state)
{
    (void)state;
    char name[] = "saltus-no-such-program";
    char *const arguments[] = {name, NULL};
    const char *reason = NULL;
    assert_int_equal(process_start(arguments, output, &reason).id, 0);
    assert_non_null(strstr(reason, "there is no C compiler"));
    assert_int_equal(process_start(arguments, output, NULL).id, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(endings), cmocka_unit_test(without_end),
                                       cmocka_unit_test(not_started)};
    return cmocka_run_group_tests(tests, process_test_begin, process_test_end);
}
