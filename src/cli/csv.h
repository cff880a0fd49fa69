// SPDX-License-Identifier: MIT
//
// Results as CSV: the trajectory row by row, the event log at the end. A file is written under a
// temporary name and renamed when it is complete, so that nobody reads half of one.

#ifndef SALTUS_CLI_CSV_H
#define SALTUS_CLI_CSV_H

#include <saltus/saltus.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct CsvFile {
    FILE *stream;
    const char *path; // NULL: standard output
    char *temporary;
} CsvFile;

// path NULL: standard output. False: it cannot be written, errno says why.
bool csv_open(CsvFile *file, const char *path);
// Closes and renames. False: something could not be written.
bool csv_close(CsvFile *file);

// The columns of a trajectory: those of the outputs for which `chosen` is true; NULL: all.
void csv_header(FILE *stream, int count, const char *const *names, const bool *chosen);
void csv_row(FILE *stream, const SaltusRow *row, const bool *chosen, const char *mode);

// What happened at a time event: its name by its id.
typedef const char *CsvTimeName(const void *user, int id);
void csv_events(FILE *stream, const SaltusSystem *system, const SaltusRun *run, CsvTimeName *name,
                const void *user);

#endif
