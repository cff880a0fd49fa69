// SPDX-License-Identifier: MIT
//
// ZIP archives, written by zlib and read by minizip: an FMU is one.

#ifndef SALTUS_FMI_ARCHIVE_H
#define SALTUS_FMI_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Archive Archive;

// A new archive at the path, which is there when it was closed without an error; NULL: errno says
// why.
Archive *archive_create(const char *path);
// Adds a file; is_large: packed quickly rather than well.
bool archive_add(Archive *archive, const char *name, const void *bytes, size_t length,
                 bool is_large);
// False: something failed, and nothing was written at the path; errno says why.
bool archive_close(Archive *archive);
// Forgets what was written; errno says what failed before.
void archive_discard(Archive *archive);

// Unpacks everything below a folder that exists. False, and why: no archive, damaged, a name that
// leads out of the folder, more than the bounds (see archive.c).
bool archive_unpack(const char *path, const char *folder, char **message);
// Hands over all files, one after the other, until one is refused. False, and why.
bool archive_read(const char *path,
                  bool (*visit)(void *user, const char *name, const void *bytes, size_t length),
                  void *user, char **message);

#endif
