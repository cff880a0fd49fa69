// SPDX-License-Identifier: MIT
//
// Files that are there as a whole or not at all: written beside their place under another name,
// and renamed when they are complete. Whatever goes wrong before leaves the old file as it was.
// What is no regular file (a device, a pipe) is written directly.

#ifndef SALTUS_RESULTS_ATOMIC_H
#define SALTUS_RESULTS_ATOMIC_H

#include "base/message.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct AtomicFile {
    FILE *stream;    // NULL: not open
    char *path;      // of the file, links followed; NULL: standard output
    char *temporary; // its name until then; NULL: written directly
} AtomicFile;

// Whether the path is standard output (NULL, "-" or "/dev/stdout").
bool atomic_is_standard(const char *path);
// Whether it is that, or exists and is no regular file: a device, a pipe.
bool atomic_is_stream(const char *path);

// Standard output, a device or a file. False: it cannot be written, the message (base/message.h)
// says why: "cannot write 'a/b.csv': No such file...".
bool atomic_open(AtomicFile *file, const char *path, char **message);
// Closes, and gives the file its name. False: something could not be written; then the place is
// as it was.
bool atomic_commit(AtomicFile *file, char **message);
// Closes and forgets.
void atomic_discard(AtomicFile *file);

#endif
