// SPDX-License-Identifier: MIT
//
// The manifest of a run, if it is asked for: by what version, with what options and from which
// texts results were made, and what their columns are. It has no date, so that the same run gives
// the same bytes. The schema is in docs/results.md.

#ifndef SALTUS_RESULTS_MANIFEST_H
#define SALTUS_RESULTS_MANIFEST_H

#include "base/named.h"
#include "base/source.h"
#include "results/atomic.h"
#include "results/table.h"

#include <stdint.h>

typedef struct Manifest {
    const char *path;            // where it is written
    const char *table, *log;     // results: files; NULL: there is none
    const TableHeading *columns; // of the table
    size_t column_count;
    const char *const *command; // words of the command line
    size_t command_count;
    const char *model; // NULL: none
    const SourceFile *const *texts;
    size_t text_count;
    const NamedSetting *settings; // what the options came to
    size_t setting_count;
    const uint64_t *seed; // NULL: no random numbers
    const char *status;   // "finished", "interrupted", ...
} Manifest;

// False: the message says why.
bool manifest_write(const Manifest *manifest, char **message);
// Gives the columns of a table the units and descriptions that a manifest says, if it can be read
// and has the file `result`, which is known by its name without the folder.
void manifest_describe_from(Table *table, const char *result, const char *manifest);
// The same from manifest.json in the folder of the result.
void manifest_describe(Table *table, const char *result);

#endif
