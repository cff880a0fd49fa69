// SPDX-License-Identifier: MIT
//
// Whole files, and folders with all that is in them.

#ifndef SALTUS_FMI_DISK_H
#define SALTUS_FMI_DISK_H

#include <stddef.h>

// The bytes and a zero after them, to be freed. NULL: errno says why; it may be that there are more
// than `most`.
char *disk_read(const char *path, long most, size_t *length);
void disk_remove(const char *folder);

#endif
