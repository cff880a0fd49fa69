// SPDX-License-Identifier: MIT

#include "fmi/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *disk_read(const char *path, long most, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size = 0;
    bool is_fine = file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0;
    if (is_fine && size > most) {
        errno = EFBIG;
        is_fine = false;
    }
    if (is_fine) {
        rewind(file);
        bytes = malloc((size_t)size + 1);
        is_fine = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    }
    if (file)
        fclose(file);
    if (!is_fine) {
        free(bytes);
        return NULL;
    }
    bytes[size] = '\0';
    *length = (size_t)size;
    return bytes;
}

static int disk_remove_one(const char *path, const struct stat *info, int flag, struct FTW *base)
{
    (void)info, (void)flag, (void)base;
    return remove(path);
}

// The lock on a folder that is ours and not in use; -1: it is neither.
static int disk_lock(const char *path)
{
    struct stat info;
    const int lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock >= 0 && fstat(lock, &info) == 0 && info.st_uid == geteuid() &&
        flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (lock >= 0)
        close(lock);
    return -1;
}

// Whether a name is PREFIX and the six letters of mkdtemp, and nobody has used it for a minute: the
// time between making and locking.
static bool disk_is_old(int folder, const char *name, const char *prefix)
{
    struct stat info;
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 && strlen(name) == length + 6 &&
           fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode) &&
           info.st_mtime < time(NULL) - 60;
}

static void disk_remove_left(const char *prefix)
{
    DIR *all = opendir("/tmp");
    for (const struct dirent *e; all && (e = readdir(all));) {
        DiskFolder left;
        if (!disk_is_old(dirfd(all), e->d_name, prefix))
            continue;
        snprintf(left.path, sizeof left.path, "/tmp/%.50s", e->d_name);
        left.lock = disk_lock(left.path);
        if (left.lock >= 0)
            disk_remove(&left);
    }
    if (all)
        closedir(all);
}

bool disk_make(DiskFolder *folder, const char *kind)
{
    char prefix[40];
    snprintf(prefix, sizeof prefix, "saltus-%s-", kind);
    disk_remove_left(prefix);
    snprintf(folder->path, sizeof folder->path, "/tmp/%sXXXXXX", prefix);
    folder->lock = -1;
    if (!mkdtemp(folder->path)) {
        folder->path[0] = '\0';
        return false;
    }
    folder->lock = disk_lock(folder->path);
    return true;
}

void disk_remove(DiskFolder *folder)
{
    if (!folder->path[0])
        return;
    nftw(folder->path, disk_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    if (folder->lock >= 0)
        close(folder->lock);
    folder->path[0] = '\0';
}
