// SPDX-License-Identifier: MIT

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

// Returns an error of posix_spawn, or 0.
static int process_spawn(char *const *arguments, const char *output, pid_t *child)
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
    const bool is_set =
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
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

pid_t process_start(char *const *arguments, const char *output, const char **reason)
{
    pid_t child = 0;
    const int error = process_spawn(arguments, output, &child);
    if (error && reason)
        *reason = process_reason(error);
    return error ? 0 : child;
}

bool process_has_ended(pid_t child, bool wait, bool *is_fine)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(child, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return false;
    *is_fine = ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return true;
}

bool process_ends_in_time(pid_t child, double seconds, bool *is_fine)
{
    const struct timespec pause = {0, 2000000};
    *is_fine = false;
    for (double waited = 0.0; waited < seconds; waited += 0.002) {
        if (process_has_ended(child, false, is_fine))
            return true;
        nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL);
    process_has_ended(child, true, is_fine);
    *is_fine = false;
    return false;
}
