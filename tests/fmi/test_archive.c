// SPDX-License-Identifier: MIT
//
// Archives: what is written is read again by minizip, which is another's code, and by Python's
// zipfile in cli/fmu; the same content makes the same bytes; what fails leaves nothing.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"
#include "fmi/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 300000 };
static char noise[LARGE], zeros[LARGE];

// In the order in which they are added.
static const struct {
    const char *name;
    const char *bytes;
    size_t length;
    bool is_large;
} entries[] = {
    {"a.txt", "text", 4, false},           {"empty", "", 0, false},
    {"folder/zeros", zeros, LARGE, false}, {"folder/Grüße.txt", "hello", 5, false},
    {"folder/noise", noise, LARGE, true},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static char folder[] = "/tmp/saltus-archive-XXXXXX";

static int prepare(void **state)
{
    (void)state;
    uint32_t x = 1;
    for (int i = 0; i < LARGE; i++)
        noise[i] = (char)((x = 1664525 * x + 1013904223) >> 24);
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int end(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void write_all(const char *path)
{
    Archive *a = archive_create(path);
    assert_non_null(a);
    for (int i = 0; i < ENTRIES; i++)
        assert_true(archive_add(a, entries[i].name, entries[i].bytes, entries[i].length,
                                entries[i].is_large));
    assert_int_equal(access(path, F_OK), -1); // not before it is whole
    assert_true(archive_close(a));
}

static bool compare_entry(void *user, const char *name, const void *bytes, size_t length)
{
    int *index = user;
    assert_true(*index < ENTRIES);
    assert_string_equal(name, entries[*index].name);
    assert_int_equal(length, entries[*index].length);
    assert_memory_equal(bytes, entries[*index].bytes, length);
    ++*index;
    return true;
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    return size;
}

static void round_trip(void **state)
{
    (void)state;
    int count = 0;
    char *message = NULL;
    write_all("one.zip");
    assert_true(archive_read("one.zip", compare_entry, &count, &message));
    assert_int_equal(count, ENTRIES);
    // Noise cannot be packed, by five bytes in 16 KiB at most larger (RFC 1951, 3.2.4); zeros can.
    assert_true(size_of("one.zip") > LARGE && size_of("one.zip") < LARGE + 2000);
    write_all("two.zip");
    assert_int_equal(system("cmp one.zip two.zip"), 0);
    assert_true(archive_unpack("one.zip", ".", &message));
    assert_int_equal(size_of("folder/noise"), LARGE);
    assert_int_equal(size_of("empty"), 0);
    assert_null(message);
}

static bool refuse(void *user, const char *name, const void *bytes, size_t length)
{
    (void)name, (void)bytes, (void)length;
    return ++*(int *)user < 2;
}

static void nothing_is_left(void **state)
{
    (void)state;
    int count = 0;
    char *message = NULL;
    assert_null(archive_create("none/a.zip"));
    assert_int_equal(errno, ENOENT);
    Archive *a = archive_create("gone.zip");
    assert_true(archive_add(a, "a", "b", 1, false));
    archive_discard(a);
    assert_int_equal(access("gone.zip", F_OK), -1);
    // The name has no room in a header: the archive is spoilt.
    char *name = malloc(70000);
    memset(name, 'n', 69999);
    name[69999] = '\0';
    a = archive_create("gone.zip");
    assert_false(archive_add(a, name, "b", 1, false));
    assert_false(archive_add(a, "a", "b", 1, false));
    assert_false(archive_close(a));
    assert_int_equal(access("gone.zip", F_OK), -1);
    assert_int_equal(system("ls | grep -q part"), 256); // status 1: nothing found
    free(name);
    // A disk without room.
    a = archive_create("/dev/full");
    assert_non_null(a);
    archive_add(a, "noise", noise, LARGE, true);
    assert_false(archive_close(a));
    assert_int_equal(errno, ENOSPC);
    write_all("three.zip");
    assert_false(archive_read("three.zip", refuse, &count, &message));
    assert_int_equal(count, 2);
    assert_string_equal(message_text(message), "'three.zip' cannot be read");
    free(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip),
                                       cmocka_unit_test(nothing_is_left)};
    return cmocka_run_group_tests(tests, prepare, end);
}
