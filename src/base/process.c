// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // pipe2; F_SETSIG, where there is one

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *process_reason(int error)
{
    switch (error) {
    case ENOMEM:
        return "out of memory";
    case EAGAIN:
        return "the compiler cannot be started: there are too many processes";
    case EMFILE:
        return "the compiler cannot be started: there are too many open files";
    case ENOENT:
    case EACCES:
        return "there is no C compiler: 'cc' cannot be started";
    default:
        return "the compiler cannot be started";
    }
}

static void process_close(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static bool process_has_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) == 0)
        return true;
    ends[0] = ends[1] = -1;
    return false;
}

// ---------------------------------------------------------------------------
// In the child, between its beginning and the program that it becomes. Other threads are not there,
// so only what a handler of a signal may call is called.
// ---------------------------------------------------------------------------

// Who holds the other end of the pipe that is the child's standard input is gone when this end is
// told so, however that came: by a signal that ends the group. A program that is gone already tells
// nobody, hence the look after the tie. Elsewhere the child goes on to its own end.
static bool process_is_tied(int input)
{
#if defined F_SETSIG && defined O_ASYNC
    struct pollfd end = {.fd = input};
    if (fcntl(input, F_SETSIG, SIGKILL) == 0 && fcntl(input, F_SETOWN, -getpid()) == 0 &&
        fcntl(input, F_SETFL, O_ASYNC) == 0)
        return poll(&end, 1, 0) <= 0 || !(end.revents & POLLHUP);
#endif
    (void)input;
    return true;
}

static bool process_has_streams(int input, const char *path)
{
    const int output = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return dup2(input, STDIN_FILENO) >= 0 && output >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
           dup2(output, STDERR_FILENO) >= 0;
}

// Says through `errors` why the program could not be started.
static _Noreturn void process_become(char *const *arguments, int input, const char *output,
                                     int errors)
{
    if (setpgid(0, 0) == 0 && process_has_streams(input, output)) {
        if (!process_is_tied(STDIN_FILENO))
            _exit(1);
        execvp(arguments[0], arguments);
    }
    const int error = errno;
    _exit(write(errors, &error, sizeof error) == sizeof error ? 1 : 2);
}

// ---------------------------------------------------------------------------
// In this program
// ---------------------------------------------------------------------------

// Waits until the child has become the program, or has said why not.
static int process_await(int errors)
{
    int error = 0;
    ssize_t size;
    do
        size = read(errors, &error, sizeof error);
    while (size < 0 && errno == EINTR);
    return size == sizeof error ? error : 0;
}

// Returns an error, or 0.
static int process_fork(char *const *arguments, int lifeline[2], const char *output, pid_t *child)
{
    int errors[2];
    if (!process_has_pipe(errors))
        return EMFILE;
    int error = 0, status;
    *child = fork();
    if (*child < 0) {
        error = errno;
    } else if (*child == 0) {
        close(lifeline[1]); // else it would hold its own
        process_become(arguments, lifeline[0], output, errors[1]);
    }
    process_close(&errors[1]);
    if (!error)
        error = process_await(errors[0]);
    process_close(&errors[0]);
    if (error && *child > 0)
        waitpid(*child, &status, 0);
    return error;
}

Process process_start(char *const *arguments, const char *output, const char **reason)
{
    Process child = {.lifeline = -1};
    int ends[2];
    const int error =
        process_has_pipe(ends) ? process_fork(arguments, ends, output, &child.id) : EMFILE;
    process_close(&ends[0]);
    if (error) {
        child.id = 0;
        if (reason)
            *reason = process_reason(error);
        process_close(&ends[1]);
    }
    child.lifeline = ends[1];
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
