// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // F_SETSIG, where there is one

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char *process_reason(int error)
{
    switch (error) {
    case ENOMEM:
        return "out of memory";
    case EAGAIN:
        return "the compiler cannot be started: there are too many processes";
    case ENOENT:
    case EACCES:
        return "there is no C compiler: 'cc' cannot be started";
    default:
        return "the compiler cannot be started";
    }
}

// Who holds the other end of the pipe that is the child's standard input is told when this program
// is gone, however that came: here by a signal that ends it. Elsewhere it goes on to its own end.
#if defined F_SETSIG && defined O_ASYNC
static bool process_has_lifeline(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static void process_tie(int end, pid_t group)
{
    if (fcntl(end, F_SETSIG, SIGKILL) == 0 && fcntl(end, F_SETOWN, -group) == 0)
        fcntl(end, F_SETFL, O_ASYNC);
}
#else
static bool process_has_lifeline(int ends[2])
{
    (void)ends;
    return false;
}

static void process_tie(int end, pid_t group)
{
    (void)end;
    (void)group;
}
#endif

static void process_close(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

// Returns an error of posix_spawn, or 0. Input below zero: none.
static int process_spawn(char *const *arguments, int input, const char *output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int set_input =
        input >= 0
            ? posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    const bool is_set =
        set_input == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO) == 0;
    const int error =
        is_set ? posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ)
               : ENOMEM;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

Process process_start(char *const *arguments, const char *output, const char **reason)
{
    Process child = {.lifeline = -1};
    int ends[2] = {-1, -1};
    if (!process_has_lifeline(ends)) {
        process_close(&ends[0]);
        process_close(&ends[1]);
    }
    const int error = process_spawn(arguments, ends[0], output, &child.id);
    if (error) {
        child.id = 0;
        if (reason)
            *reason = process_reason(error);
        process_close(&ends[1]);
    } else if (ends[0] >= 0) {
        process_tie(ends[0], child.id);
        child.lifeline = ends[1];
    }
    process_close(&ends[0]);
    return child;
}

bool process_has_ended(Process *child, bool wait, bool *is_fine)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(child->id, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return false;
    *is_fine = ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    child->id = 0;
    process_close(&child->lifeline);
    return true;
}

bool process_ends_in_time(Process *child, double seconds, bool *is_fine)
{
    const struct timespec pause = {0, 2000000};
    *is_fine = false;
    for (double waited = 0.0; waited < seconds; waited += 0.002) {
        if (process_has_ended(child, false, is_fine))
            return true;
        nanosleep(&pause, NULL);
    }
    kill(-child->id, SIGKILL);
    process_has_ended(child, true, is_fine);
    *is_fine = false;
    return false;
}
