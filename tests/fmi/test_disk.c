// SPDX-License-Identifier: MIT
//
// Folders for the time being: gone with who made them, also if that was killed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/disk.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// One with a file in a folder in it.
static DiskFolder filled_folder(void)
{
    DiskFolder folder;
    char path[100];
    assert_true(disk_make(&folder, "left"));
    snprintf(path, sizeof path, "%s/inside", folder.path);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/inside/file", folder.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    return folder;
}

static void make_old(const char *path)
{
    const struct timespec long_ago[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
}

static bool disk_test_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void removed_by_its_owner(void **state)
{
    (void)state;
    DiskFolder folder = filled_folder();
    char path[sizeof folder.path];
    memcpy(path, folder.path, sizeof path);
    disk_remove(&folder);
    assert_false(disk_test_exists(path));
    disk_remove(&folder); // there is none
}

// A process is killed; the next one removes what it left, but nothing that is in use or new.
static void left_behind(void **state)
{
    (void)state;
    int ends[2];
    char left[sizeof((DiskFolder *)NULL)->path] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const DiskFolder folder = filled_folder();
        make_old(folder.path);
        if (write(ends[1], folder.path, sizeof folder.path) > 0)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ends[0], left, sizeof left), sizeof left);
    DiskFolder used = filled_folder();
    make_old(used.path);
    assert_true(disk_test_exists(left)); // its owner is alive
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    DiskFolder other = filled_folder();
    assert_false(disk_test_exists(left));
    assert_true(disk_test_exists(used.path));
    char path[sizeof other.path];
    memcpy(path, other.path, sizeof path);
    close(other.lock); // left a moment ago
    DiskFolder next = filled_folder();
    assert_true(disk_test_exists(path));
    make_old(path);
    disk_remove(&next);
    next = filled_folder();
    assert_false(disk_test_exists(path));
    disk_remove(&next);
    disk_remove(&used);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(removed_by_its_owner),
                                       cmocka_unit_test(left_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
