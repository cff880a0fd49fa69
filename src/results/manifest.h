// SPDX-License-Identifier: MIT
//
// The manifest beside a result: by what version, with what options, from which texts it was made,
// and what its columns are. It has no date, so that the same run gives the same bytes. The schema
// is in docs/results.md.

#ifndef SALTUS_RESULTS_MANIFEST_H
#define SALTUS_RESULTS_MANIFEST_H

#include "results/atomic.h"
#include "results/table.h"

#include <stdint.h>

typedef struct ManifestText {
    const char *name; // of the file
    const char *text;
    size_t length;
} ManifestText;

// A number, or a text if that is not NULL.
typedef struct ManifestSetting {
    const char *name;
    const char *text;
    double number;
} ManifestSetting;

typedef struct Manifest {
    const char *result;         // the file it belongs to
    const char *const *command; // words of the command line
    size_t command_count;
    const char *model; // NULL: none
    const ManifestText *texts;
    size_t text_count;
    const ManifestSetting *settings; // what the options came to
    size_t setting_count;
    const uint64_t *seed; // NULL: no random numbers
    const char *status;   // "finished", "interrupted", ...
    const TableHeading *columns;
    size_t column_count;
} Manifest;

// RESULT.manifest.json; the caller frees it with free. NULL: out of memory, or a result that is no
// regular file (standard output, a device).
char *manifest_path(const char *result);
// Writes it where manifest_path says, if anywhere. False: the message says why.
bool manifest_write(const Manifest *manifest, char message[ATOMIC_MESSAGE]);
// Gives the columns of a table the units and descriptions that the manifest of the file `result`
// says, if there is one that can be read.
void manifest_describe(Table *table, const char *result);

#endif
