// SPDX-License-Identifier: MIT

#include "code/cache.h"

#include "base/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Marks the digest at the end of a file, and its format.
static const char magic[] = "saltus01";
enum { TRAILER = sizeof magic - 1 + SHA256_SIZE };

// ---------------------------------------------------------------------------
// The folder
// ---------------------------------------------------------------------------

static bool cache_join(char path[CACHE_PATH], const char *a, const char *b)
{
    const int length = snprintf(path, CACHE_PATH, "%s/%s", a, b);
    return length > 0 && length < CACHE_PATH;
}

static bool usual_folder(char path[CACHE_PATH])
{
    const char *base = getenv("XDG_CACHE_HOME");
    char parent[CACHE_PATH];
    // The XDG base directory specification: a relative path is to be ignored.
    if (base && base[0] == '/') {
        if (snprintf(parent, sizeof parent, "%s", base) >= CACHE_PATH)
            return false;
    } else {
        const char *home = getenv("HOME");
        if (!home || home[0] != '/' || !cache_join(parent, home, ".cache"))
            return false;
    }
    if (mkdir(parent, 0700) != 0 && errno != EEXIST)
        return false;
    return cache_join(path, parent, "saltus");
}

static bool is_safe(const char *folder)
{
    struct stat s;
    return lstat(folder, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
           (s.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(folder, W_OK | X_OK) == 0;
}

static bool open_private(Cache *cache)
{
    const char *base = getenv("TMPDIR");
    cache->is_private = true;
    return cache_join(cache->folder, base && base[0] == '/' ? base : "/tmp", "saltus-XXXXXX") &&
           mkdtemp(cache->folder) != NULL;
}

bool cache_open(Cache *cache, const char *folder)
{
    cache->is_private = false;
    bool is_named = true;
    if (folder)
        is_named = snprintf(cache->folder, CACHE_PATH, "%s", folder) < CACHE_PATH;
    else
        is_named = usual_folder(cache->folder);
    if (is_named && (mkdir(cache->folder, 0700) == 0 || errno == EEXIST) && is_safe(cache->folder))
        return true;
    return open_private(cache);
}

void cache_close(Cache *cache)
{
    if (!cache->is_private)
        return;
    DIR *folder = opendir(cache->folder);
    char path[CACHE_PATH];
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (e->d_name[0] != '.' && cache_join(path, cache->folder, e->d_name))
            unlink(path);
    if (folder)
        closedir(folder);
    rmdir(cache->folder);
}

bool cache_path(const Cache *cache, const char *name, const char *suffix, char path[CACHE_PATH])
{
    const int length = snprintf(path, CACHE_PATH, "%s/%s%s", cache->folder, name, suffix);
    return length > 0 && length < CACHE_PATH;
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

// Digests `length` bytes of a file from where it stands; false: it is shorter.
static bool digest_of(FILE *file, long length, unsigned char digest[SHA256_SIZE])
{
    Sha256 s = sha256_begin();
    unsigned char bytes[4096];
    while (length > 0) {
        const size_t wanted = length < (long)sizeof bytes ? (size_t)length : sizeof bytes;
        const size_t count = fread(bytes, 1, wanted, file);
        if (count == 0)
            return false;
        sha256_add(&s, bytes, count);
        length -= (long)count;
    }
    sha256_end(&s, digest);
    return true;
}

static bool check_file(FILE *file, bool is_own)
{
    struct stat s;
    unsigned char digest[SHA256_SIZE], trailer[TRAILER];
    if (fstat(fileno(file), &s) != 0 || !S_ISREG(s.st_mode) || s.st_size <= TRAILER)
        return false;
    if (is_own && (s.st_uid != geteuid() || (s.st_mode & (S_IWGRP | S_IWOTH)) != 0))
        return false;
    if (!digest_of(file, (long)s.st_size - TRAILER, digest) ||
        fread(trailer, 1, TRAILER, file) != TRAILER)
        return false;
    return memcmp(trailer, magic, sizeof magic - 1) == 0 &&
           memcmp(trailer + sizeof magic - 1, digest, SHA256_SIZE) == 0;
}

bool cache_check(const char *path, bool is_own)
{
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file && descriptor >= 0)
        close(descriptor);
    if (!file)
        return false;
    const bool is_fine = check_file(file, is_own);
    fclose(file);
    return is_fine;
}

bool cache_store(const char *temporary, const char *path)
{
    FILE *file = fopen(temporary, "r+b");
    if (!file)
        return false;
    struct stat s;
    unsigned char digest[SHA256_SIZE];
    bool is_fine = fstat(fileno(file), &s) == 0 && digest_of(file, (long)s.st_size, digest) &&
                   fseek(file, 0, SEEK_END) == 0 &&
                   fwrite(magic, 1, sizeof magic - 1, file) == sizeof magic - 1 &&
                   fwrite(digest, 1, SHA256_SIZE, file) == SHA256_SIZE;
    is_fine = fchmod(fileno(file), 0700) == 0 && is_fine; // whatever the umask is
    is_fine = fclose(file) == 0 && is_fine;
    return is_fine && rename(temporary, path) == 0;
}

// ---------------------------------------------------------------------------
// Eviction
// ---------------------------------------------------------------------------

typedef struct Aged {
    time_t time;
    char name[80];
} Aged;

static int compare_ages(const void *a, const void *b)
{
    const Aged *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

// The files of the folder with their times; only those whose names are as ours.
static unsigned list_files(const Cache *cache, Aged *files, unsigned room)
{
    DIR *folder = opendir(cache->folder);
    unsigned count = 0;
    char path[CACHE_PATH];
    struct stat s;
    for (struct dirent *e; folder && count < room && (e = readdir(folder));) {
        const size_t length = strlen(e->d_name);
        if (length < 3 || length >= sizeof files->name || e->d_name[0] == '.' ||
            strcmp(e->d_name + length - 3, ".so") != 0 ||
            !cache_join(path, cache->folder, e->d_name) || stat(path, &s) != 0)
            continue;
        files[count].time = s.st_mtime;
        memcpy(files[count++].name, e->d_name, length + 1);
    }
    if (folder)
        closedir(folder);
    return count;
}

// What compilers and processes that were killed have left: nothing takes an hour.
static void cache_sweep(const Cache *cache)
{
    DIR *folder = opendir(cache->folder);
    const time_t old = time(NULL) - 3600;
    char path[CACHE_PATH];
    struct stat s;
    for (struct dirent *e; folder && (e = readdir(folder));)
        if ((strncmp(e->d_name, "source-", 7) == 0 || strncmp(e->d_name, "version-", 8) == 0) &&
            cache_join(path, cache->folder, e->d_name) && lstat(path, &s) == 0 && s.st_mtime < old)
            unlink(path);
    if (folder)
        closedir(folder);
}

void cache_evict(const Cache *cache, unsigned most)
{
    cache_sweep(cache);
    const unsigned room = 2 * most + 16;
    Aged *files = calloc(room, sizeof *files);
    if (!files)
        return;
    const unsigned count = list_files(cache, files, room);
    qsort(files, count, sizeof *files, compare_ages);
    char path[CACHE_PATH];
    for (unsigned i = 0; i + most < count; i++)
        if (cache_join(path, cache->folder, files[i].name))
            unlink(path);
    free(files);
}
