// SPDX-License-Identifier: MIT
//
// Programs that are run beside this one, compilers: without a shell, for a bounded time.

#ifndef SALTUS_BASE_PROCESS_H
#define SALTUS_BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct Process {
    pid_t id;     // of the process and of its group; 0: none is running
    int lifeline; // a pipe that nobody writes to: when this program is gone, the child is ended
} Process;

// Starts a program, looked for as execvp does, with its output in a file, as a process group of its
// own, so that it can be ended with what it has started itself. Its id is 0 if it could not be
// started, and *reason says why; NULL is allowed.
Process process_start(char *const *arguments, const char *output, const char **reason);
// Whether a child has ended, and well; then its id is 0. Where children are reaped by somebody
// else, the result is judged by its file.
bool process_has_ended(Process *child, bool wait, bool *is_fine);
// Waits for a child, but no longer than that: then it and what it has started are ended, and it is
// false.
bool process_ends_in_time(Process *child, double seconds, bool *is_fine);

#endif
