// SPDX-License-Identifier: MIT
//
// The sources that an FMU is built from. Those of Saltus are in an archive beside saltus-fmu.so,
// which the build makes, with their places in the repository: src/base/text.c becomes
// sources/base/text.c.

#ifndef SALTUS_FMI_PACKED_H
#define SALTUS_FMI_PACKED_H

#include "fmi/compiled.h"
#include "fmi/description.h"

typedef struct PackedSources {
    Arena *arena;
    uint32_t count, room;
    const char **names; // below sources/
    String *texts;
} PackedSources;

// False, and why.
bool packed_read(PackedSources *sources, const char *path, Arena *arena, char **message);
// What has to be compiled: the files of C among them, then the modes.
void packed_list(const PackedSources *sources, const CompiledModes *modes, FmuDescription *d,
                 Arena *arena);
// Adds all files and, for FMI 3.0, how to build them.
bool packed_add(const PackedSources *sources, const CompiledModes *modes, const FmuDescription *d,
                Archive *archive, Arena *arena);

#endif
