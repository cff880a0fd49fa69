// SPDX-License-Identifier: MIT
//
// The modes of a model as compiled code that goes into its FMU, so that no compiler is needed where
// it runs. They are those that a run of the model's experiment meets; others are interpreted there,
// with the same bits.

#ifndef SALTUS_FMI_COMPILED_H
#define SALTUS_FMI_COMPILED_H

#include "fmi/archive.h"
#include "fmi/disk.h"
#include "open/loaded.h"

typedef struct CompiledModes {
    DiskFolder folder; // where the files are for the time being
    char **keys;       // of the modes, sorted; in the arena
    uint32_t count;
    char *reason; // why one of them was not compiled; NULL: all were
} CompiledModes;

// Runs the model, which must have been opened as the FMU opens it.
CompiledModes compiled_make(const Loaded *live, Arena *arena);
// Adds binaries/<platform>/modes/KEY.so, which src/fmu looks for beside itself.
bool compiled_add_code(const CompiledModes *modes, Archive *archive, const char *platform,
                       Arena *arena);
// Adds the texts sources/compiled/mode_N.c, and sources/fmu/built_in.c, the list of them.
bool compiled_add_sources(const CompiledModes *modes, Archive *archive, Arena *arena);
void compiled_end(CompiledModes *modes);

#endif
