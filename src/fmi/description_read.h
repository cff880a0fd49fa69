// SPDX-License-Identifier: MIT
//
// Reads modelDescription.xml of FMI 2.0 and 3.0, from anybody: what is wrong with it is said, and
// does no harm.

#ifndef SALTUS_FMI_DESCRIPTION_READ_H
#define SALTUS_FMI_DESCRIPTION_READ_H

#include "base/arena.h"
#include "fmi/description.h"

// In the arena, which has no jump target. NULL: a message says why.
FmuDescription *description_read(Arena *arena, const char *text, size_t length, char **message);

#endif
