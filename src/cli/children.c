// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // syscall, clone
#include "cli/children.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// An entry of a folder as the kernel writes it (getdents64(2)); the C library's reader allocates.
typedef struct ChildEntry {
    uint64_t number;
    int64_t next;
    unsigned short size;
    unsigned char kind;
    char name[];
} ChildEntry;

// Numbers of processes with spaces between them.
static void children_end_listed(const char *list, size_t length)
{
    pid_t child = 0;
    for (size_t i = 0; i < length; i++) {
        if (list[i] >= '0' && list[i] <= '9') {
            child = 10 * child + (list[i] - '0');
            continue;
        }
        if (child > 1)
            kill(-child, SIGKILL); // fails if it is no group
        child = 0;
    }
}

// What a thread has started.
static void children_end_of(int threads, const char *thread)
{
    char path[64] = "", list[4096];
    const size_t length = strlen(thread);
    if (length > 20)
        return;
    memcpy(path, thread, length + 1);
    memcpy(path + length, "/children", sizeof "/children");
    const int file = openat(threads, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    const ssize_t size = read(file, list, sizeof list);
    if (size > 0)
        children_end_listed(list, (size_t)size);
    close(file);
}

void children_end(void)
{
    _Alignas(ChildEntry) char entries[4096];
    const int threads = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (threads < 0)
        return;
    for (;;) {
        const long size = syscall(SYS_getdents64, threads, entries, sizeof entries);
        if (size <= 0)
            break;
        for (long at = 0; at < size;) {
            const ChildEntry *entry = (const void *)(entries + at);
            if (entry->name[0] != '.')
                children_end_of(threads, entry->name);
            at += entry->size;
        }
    }
    close(threads);
}

// Who waits for the end of a pipe must not wait for this one.
static int children_outlive(void *command)
{
    const struct timespec little = {.tv_nsec = 2000000};
    syscall(SYS_close_range, 0U, ~0U, 0U);
    for (int i = 0; i < 5000 && getppid() == (pid_t)(intptr_t)command; i++)
        nanosleep(&little, NULL);
    _exit(0);
}

void children_take_memory(void)
{
    enum { LEAST = 256 << 10, ROOM = 16 << 10 }; // in KiB; in bytes
    static _Alignas(64) char stack[ROOM];
    struct rusage usage;
    sigset_t all, before;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < LEAST)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // it inherits that
    clone(children_outlive, stack + ROOM, CLONE_VM, (void *)(intptr_t)getpid());
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
