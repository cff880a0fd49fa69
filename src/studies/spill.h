// SPDX-License-Identifier: MIT
//
// Large arrays that need not be in memory: they are a file without a name, mapped into memory,
// whose pages the system takes back. Small ones, and those for which there is no room in the folder
// of temporary files (TMPDIR, or /tmp), are ordinary memory.

#ifndef SALTUS_STUDIES_SPILL_H
#define SALTUS_STUDIES_SPILL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Spill {
    void *memory; // all zero at first; NULL: out of memory
    size_t size;
    bool is_file;
} Spill;

Spill spill_create(size_t count, size_t size);
void spill_free(Spill *spill);
// What was touched so far leaves memory; it comes back when it is touched again.
void spill_relieve(const Spill *spill);

#endif
