// SPDX-License-Identifier: MIT

#include "results/atomic.h"
#include "base/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool atomic_fail(char **message, const char *path, int reason)
{
    return message_set(message, "cannot write '%s': %s", path, strerror(reason));
}

static void atomic_forget(AtomicFile *file)
{
    free(file->path);
    free(file->temporary);
    file->path = file->temporary = NULL;
    file->stream = NULL;
}

// Whether it is "NAME.PROCESS-NUMBER.part", and the process is gone.
static bool is_left_behind(const char *entry, const char *name)
{
    const size_t length = strlen(name);
    long process;
    int number, end = 0;
    return strncmp(entry, name, length) == 0 && entry[length] == '.' &&
           sscanf(entry + length, ".%ld-%d.part%n", &process, &number, &end) == 2 && end > 0 &&
           entry[length + (size_t)end] == '\0' && process > 0 && kill((pid_t)process, 0) != 0 &&
           errno == ESRCH;
}

// Removes what processes that were killed have left of this file. On a file system of several
// machines the process may be on another one: what was written a minute ago stays.
static void remove_left_behind(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    struct stat info;
    if ((size_t)(name - path) >= sizeof folder)
        return;
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    DIR *files = opendir(slash ? folder : ".");
    for (const struct dirent *e; files && (e = readdir(files));)
        if (is_left_behind(e->d_name, name) &&
            fstatat(dirfd(files), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_mtime < time(NULL) - 60)
            unlinkat(dirfd(files), e->d_name, 0);
    if (files)
        closedir(files);
}

// A new file beside the path. The name has the process in it, so that two of them that write one
// file do not meet.
static FILE *open_beside(AtomicFile *file)
{
    enum { ATTEMPTS = 1000 };
    const size_t room = strlen(file->path) + 64;
    file->temporary = malloc(room);
    if (!file->temporary)
        return NULL;
    remove_left_behind(file->path);
    for (int i = 0; i < ATTEMPTS; i++) {
        snprintf(file->temporary, room, "%s.%ld-%d.part", file->path, (long)getpid(), i);
        const int handle = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (handle >= 0) {
            FILE *stream = fdopen(handle, "w");
            if (!stream)
                close(handle);
            return stream;
        }
        if (errno != EEXIST)
            break;
    }
    free(file->temporary);
    file->temporary = NULL;
    return NULL;
}

bool atomic_is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

bool atomic_is_stream(const char *path)
{
    struct stat info;
    return atomic_is_standard(path) || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

bool atomic_open(AtomicFile *file, const char *path, char **message)
{
    *file = (AtomicFile){.stream = stdout};
    if (atomic_is_standard(path))
        return true;
    struct stat info;
    const bool is_there = stat(path, &info) == 0;
    // Renaming would replace a link: write where it leads to.
    char resolved[PATH_MAX];
    file->path = strdup(is_there && realpath(path, resolved) ? resolved : path);
    if (!file->path) {
        atomic_forget(file);
        return atomic_fail(message, path, ENOMEM);
    }
    errno = EISDIR;
    if (is_there && S_ISDIR(info.st_mode))
        file->stream = NULL;
    else if (is_there && !S_ISREG(info.st_mode))
        file->stream = fopen(file->path, "w");
    else
        file->stream = open_beside(file);
    if (file->stream)
        return true;
    const int reason = errno;
    atomic_forget(file);
    return atomic_fail(message, path, reason);
}

// Why something could not be written; 0: all could. A stream does not keep why: of a file that is
// to be discarded, one more write tells.
static int atomic_reason(const AtomicFile *file)
{
    errno = 0;
    if (fflush(file->stream) == 0 && !ferror(file->stream))
        return 0;
    if (!errno && file->temporary && fputc('\n', file->stream) != EOF)
        fflush(file->stream);
    return errno ? errno : EIO;
}

bool atomic_commit(AtomicFile *file, char **message)
{
    if (!file->stream)
        return false;
    int reason = atomic_reason(file);
    bool is_fine = reason == 0;
    if (!file->path) {
        file->stream = NULL;
        return is_fine || atomic_fail(message, "standard output", reason);
    }
    if (fclose(file->stream) != 0 && is_fine) {
        is_fine = false;
        reason = errno;
    }
    if (is_fine && file->temporary && rename(file->temporary, file->path) != 0) {
        is_fine = false;
        reason = errno;
    }
    if (!is_fine && file->temporary)
        unlink(file->temporary);
    if (!is_fine)
        atomic_fail(message, file->path, reason);
    atomic_forget(file);
    return is_fine;
}

void atomic_discard(AtomicFile *file)
{
    if (file->stream && file->path)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    atomic_forget(file);
}
