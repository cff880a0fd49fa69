// SPDX-License-Identifier: MIT
//
// What ends a command from outside: Ctrl-C, SIGTERM, SIGHUP, SIGXCPU, --max-time, --max-memory. The
// loops of a run look at a flag (progress_is_interrupted) and end in their own way. Where nothing
// looks for a twentieth of a second (a long evaluation, the analysis of a mode, a search, foreign
// code), the thread that watches ends the command in their place: results are written by whoever
// holds the lock.

#ifndef SALTUS_CLI_WATCH_H
#define SALTUS_CLI_WATCH_H

#include <stdbool.h>

// Writes what there is, and says where it was: "reason" is the beginning of a message. Called once,
// by the watching thread, with the lock; the program ends after it.
typedef void WatchFinish(void *user, const char *reason);

// Limits from now on, in seconds and in 1e6 bytes; 0: none.
void watch_limit(const char *command, double seconds, double megabytes);
// From now on signals set a flag, the first time; a second one ends the program at once. NULL:
// nothing is to be written.
void watch_begin(WatchFinish *finish, void *user);
// The command has its results and ends by itself. Who is too late does not return from here.
void watch_end(void);
// Around everything that writes results between the two.
void watch_lock(void);
void watch_unlock(void);

// A signal came, or a limit was reached.
bool watch_is_over(void);
// The limit that was reached: "--max-time=5 is over"; NULL: none.
const char *watch_reason(void);

#endif
