// SPDX-License-Identifier: MIT
//
// Whole files, and folders with all that is in them.

#ifndef SALTUS_FMI_DISK_H
#define SALTUS_FMI_DISK_H

#include <stdbool.h>
#include <stddef.h>

// A folder for the time being. Who has it holds a lock on it, so that what a process leaves that is
// killed, or has no memory to remove it, can be told from what is in use.
typedef struct DiskFolder {
    char path[64]; // empty: there is none
    int lock;
} DiskFolder;

// The bytes and a zero after them, to be freed. NULL: errno says why; it may be that there are more
// than `most`.
char *disk_read(const char *path, long most, size_t *length);
// Makes /tmp/saltus-KIND-..., and removes what others have left there a minute ago or more. False:
// errno says why.
bool disk_make(DiskFolder *folder, const char *kind);
// With all that is in it.
void disk_remove(DiskFolder *folder);

#endif
