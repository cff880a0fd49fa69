// SPDX-License-Identifier: MIT
//
// A progress bar on stderr: only on a terminal, only after half a second, without colours. Ctrl-C
// as a flag that loops look at.

#ifndef SALTUS_CLI_PROGRESS_H
#define SALTUS_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    const char *what; // "Ball"
    bool is_shown;    // false: never draws anything
    double begin, last;
    int width; // of what stands on the line now
} Progress;

// Seconds on a clock that never goes back.
double progress_clock(void);

Progress progress_begin(const char *what, bool is_wanted);
// fraction: 0 to 1; NAN: nobody knows, and no bar is drawn. note: what else to say, "t = 3.4"; may
// be NULL. Cheap enough for every step.
void progress_show(Progress *progress, double fraction, const char *note);
// Wipes the line: before anything else is printed.
void progress_end(Progress *progress);

// Ctrl-C and SIGTERM only set a flag from here on, the first time: a second Ctrl-C ends the
// program, and so does watch.h where nobody looks at the flag.
void progress_catch_interrupt(void);
bool progress_is_interrupted(void);

#endif
