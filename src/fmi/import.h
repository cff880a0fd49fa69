// SPDX-License-Identifier: MIT
//
// An FMU that anybody made, run here: unpacked into a folder of its own, which is gone when it is
// closed. Its code is loaded by import_begin and not before; it can do whatever this process can.
//
//   ImportedFmu *fmu = import_open("X.fmu", message);          // NULL: the message says why
//   fmu->... description, columns ...
//   import_begin(fmu, &def, message) && import_run(fmu, row, user, message);
//   import_close(fmu);

#ifndef SALTUS_FMI_IMPORT_H
#define SALTUS_FMI_IMPORT_H

#include "fmi/binary.h"
#include "fmi/description.h"

#include <saltus/saltus.h>

// A number that a row has: a variable, or an element of an array.
typedef struct ImportSetting {
    const char *name, *value; // value: as text; of arrays numbers with blanks between them
    const double *numbers;    // or as numbers; then the text is NULL
} ImportSetting;

typedef struct ImportDef {
    bool is_exchange;                       // model exchange, integrated by Saltus
    bool is_scheduled;                      // scheduled execution; neither: co-simulation
    double start_time, stop_time, interval; // stop_time may be infinite: not known
    double step;           // the longest communication step of co-simulation; 0: the interval
    SaltusOptions options; // of model exchange; of its tolerance also for co-simulation
    size_t setting_count;
    const ImportSetting *settings; // parameters, start values, inputs, times of triggered clocks
    int signal_count;
    const SaltusSignal *signals; // inputs over time, which are variables of the description
} ImportDef;

typedef struct ImportedFmu {
    const FmuDescription *description;
    uint32_t column_count;
    // All numbers but the independent variable.
    struct {
        const char *name;
        uint32_t variable;
    } * columns;
    struct ImportParts *parts;
} ImportedFmu;

// A row of results; anything but 0 ends the run.
typedef int ImportRow(void *user, double time, const double *values);

ImportedFmu *import_open(const char *path, char **message);
void import_close(ImportedFmu *import); // NULL is allowed

// From now on rows have the outputs alone. False: out of memory.
bool import_only_outputs(ImportedFmu *import);
// Loads the library, instantiates, sets, initializes; what was begun before ends. False: the
// message says why.
bool import_begin(ImportedFmu *import, const ImportDef *def, char **message);
// To the stop time, or to where something ends it: SALTUS_TERMINATED, SALTUS_INTERRUPTED (by a
// row), errors, with the reason in the message.
SaltusStatus import_run(ImportedFmu *import, ImportRow *row, void *user, char **message);

#endif
