// SPDX-License-Identifier: MIT
//
// What the files of an import share: import.c opens and runs, import_values.c reads and sets
// variables, import_signals.c makes inputs follow signals, import_exchange.c makes a system of the
// engine of it, import_schedule.c a schedule.

#ifndef SALTUS_FMI_IMPORT_PARTS_H
#define SALTUS_FMI_IMPORT_PARTS_H

#include "base/arena.h"
#include "fmi/disk.h"
#include "fmi/import.h"

// The variables of one type, read by one call.
typedef struct ImportGroup {
    uint32_t count;       // of variables
    uint32_t value_count; // of their elements
    uint32_t *references;
    uint32_t *columns; // of each value
    void *values;      // room for them
} ImportGroup;

typedef struct ImportParts {
    Arena *arena;
    DiskFolder folder;
    FmuBinary binary;
    void *instance; // NULL: none
    ImportDef def;
    ImportGroup groups[FMU_STRING]; // of the types that are numbers
    double *values;                 // a row
    char *said;     // the first error that the FMU logged, the others follow from it
    bool has_ended; // terminateSimulation
    uint32_t state_count, indicator_count;
    double *beyond;   // of model exchange: states, their derivatives and event functions
    double next_time; // of a time event; infinite: none
    double since;     // the last event: inputs follow what their signals say there
    // Who gets the rows of a run, and the time of the one before; NAN: there is none.
    struct {
        ImportRow *row;
        void *user;
        double last;
    } rows;
    struct ImportSchedule *schedule; // of scheduled execution, while it runs; NULL: none
} ImportParts;

// What a status of either version is: 0 fine, 1 a step to be tried smaller, -1 an error.
static inline int import_code(int status)
{
    return status <= FMI2_WARNING ? 0 : status == FMI2_DISCARD ? 1 : -1;
}

// All columns now. False: the FMU says an error.
bool import_get_values(ImportedFmu *import, double *values);
bool import_make_groups(ImportedFmu *import);
// Adds what the FMU said, if it did.
void import_add_said(const ImportParts *parts, char **message);
// Sets a variable by its text; false with a message.
bool import_set(ImportedFmu *import, const ImportSetting *setting, char **message);

// Sets a variable that is a number, or an array of them; the status is of either version.
int import_set_numbers(const ImportedFmu *import, const FmuVariable *v, const double *values);

// Sets the inputs that follow signals to what they are at t: at an event all of them, just after
// t; in between those that are continuous. The status is of either version.
int import_set_signals(const ImportedFmu *import, double t, bool is_event);
// The next time at which one of them has another piece; infinite: none.
double import_next_signal(const ImportedFmu *import, double t);

// One communication step; *time is where it ended.
SaltusStatus import_step(ImportedFmu *import, double *time, double step);
// A state that can be set again, of FMUs that can keep one. False: it failed.
bool import_keep(const ImportedFmu *import, void **state);
bool import_restore(const ImportedFmu *import, void *state);
void import_forget(const ImportedFmu *import, void **state);

// Model exchange: how many states and indicators there are; the states, in continuous-time mode,
// after the initialization; derivatives (NULL: not wanted) and indicators; an event. 0: fine.
void import_exchange_count(const ImportedFmu *import);
int import_exchange_begin(ImportedFmu *import, double *x);
int import_exchange_flow(const ImportedFmu *import, double t, const double *x, double *dx,
                         double *z);
int import_exchange_event(ImportedFmu *import, double t, double *x);
// A step ended where the flow was computed last; *wants_event: it is to be an event.
int import_exchange_completed(ImportedFmu *import, bool *wants_event, bool *has_ended);

// Scheduled execution. Whether a text has times at which a clock can tick; the FMU's callbacks; the
// run, from the initialized instance on.
bool import_schedule_check(const FmuVariable *clock, const char *text, char **message);
void import_schedule_update(void *environment);
void import_schedule_lock(void);
SaltusStatus import_run_schedule(ImportedFmu *import, ImportRow *row, void *user, char **message);

// Model exchange: the run, from the initialized instance on.
SaltusStatus import_run_exchange(ImportedFmu *import, ImportRow *row, void *user, char **message);

#endif
