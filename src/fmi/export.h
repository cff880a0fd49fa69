// SPDX-License-Identifier: MIT
//
// A model as an FMU: its description, the library that runs it (src/fmu), and under resources/ the
// Modelica files that it was made of and how to open them.

#ifndef SALTUS_FMI_EXPORT_H
#define SALTUS_FMI_EXPORT_H

#include "open/loaded.h"

typedef struct FmuExport {
    const char *path;     // of the FMU
    const char *library;  // the shared object that is put into it
    const char *sources;  // the archive of sources; NULL: they are not wanted
    const LoadedDef *def; // what the model was opened with
    int version;          // 2 or 3
    bool has_exchange, has_cosimulation;
} FmuExport;

// False, and why: the FMU was not written. True: the message is NULL as before, or a note.
bool export_fmu(const Loaded *loaded, const FmuExport *wanted, char **message);

#endif
