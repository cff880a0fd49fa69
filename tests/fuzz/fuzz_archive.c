// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes are unpacked as an FMU is, or refused with a message, without crash,
// hang or leak; nothing is written outside of the folder.

#include "fmi/archive.h"
#include "target.h"

#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *place)
{
    (void)s;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

static void remove_tree(const char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// For archive_read: a few entries are enough.
static bool visit(void *user, const char *name, const void *bytes, size_t length)
{
    size_t *count = user;
    require(name[0] || length == 0 || bytes, "an entry has bytes");
    return ++*count < 50;
}

// A file that is larger than this is not written: what few bytes can unpack to takes too long.
static void bound_files(void)
{
    const struct rlimit limit = {4u << 20, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
}

int fuzz_archive(const uint8_t *data, size_t size)
{
    char path[TARGET_PATH], outer[] = "/tmp/saltus-fuzz-XXXXXX", folder[64], *message = NULL;
    size_t count = 0;
    bound_files();
    if (!mkdtemp(outer))
        return 0;
    snprintf(folder, sizeof folder, "%s/in", outer);
    if (mkdir(folder, 0700) == 0 && target_put(path, ".fmu", data, size)) {
        require(archive_unpack(path, folder, &message) || message, "a refusal has a message");
        free(message);
        message = NULL;
        require(archive_read(path, visit, &count, &message) || message, "a refusal has a message");
        unlink(path);
        remove_tree(folder);
        require(rmdir(outer) == 0, "nothing is written outside of the folder");
    }
    free(message);
    remove_tree(outer);
    return 0;
}
