// SPDX-License-Identifier: MIT
//
// Preloaded into the command: it is killed in the moment in which a compiler that it has started is
// about to be tied to it, whoever does that.

#define _GNU_SOURCE // RTLD_NEXT

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

static pid_t command; // a child has it from the command

__attribute__((constructor)) static void orphan_begin(void)
{
    command = getpid();
}

// All that the command passes on fits into a long.
int fcntl64(int file, int what, ...)
{
    int (*const next)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl64");
    va_list arguments;
    va_start(arguments, what);
    const long argument = va_arg(arguments, long);
    va_end(arguments);
    if (what == F_SETOWN)
        kill(command, SIGKILL);
    return next(file, what, argument);
}

int fcntl(int file, int what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    const long argument = va_arg(arguments, long);
    va_end(arguments);
    return fcntl64(file, what, argument);
}
