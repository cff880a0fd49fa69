// SPDX-License-Identifier: MIT
//
// An instance of an FMU that Saltus made: a model, its run, and what was set before the next step.
// The functions of FMI 2.0 (fmi2.c) and FMI 3.0 (fmi3.c) are thin layers on it; it uses the public
// interface of Saltus, for model exchange hybrid/exchange.h, and modes/model.h for compiled modes.
//
// What always holds: values that are set are kept, and take effect together when something depends
// on them: a step, or a value that is asked for. Before the initialization is over they are
// settings of a run that is made anew; later they are one event of the run.

#ifndef SALTUS_FMU_INSTANCE_H
#define SALTUS_FMU_INSTANCE_H

#include "fmu/manifest.h"

#include <saltus/saltus.h>
#include <stdint.h>

// The same numbers in FMI 2.0 and 3.0.
typedef enum FmuStatus { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } FmuStatus;

typedef enum FmuPhase {
    PHASE_INSTANTIATED,
    PHASE_INITIALIZING,
    PHASE_RUNNING, // step mode, event mode, continuous-time mode
    PHASE_TERMINATED,
    PHASE_FAILED,
} FmuPhase;

// Log categories, in the order of FMU_LOG_CATEGORIES; a set of bits.
enum { LOG_EVENTS = 1 << 0, LOG_WARNINGS = 1 << 1, LOG_ERRORS = 1 << 2, LOG_ALL = 7 };

struct Fmu;
// Hands a message to the importer.
typedef void FmuLog(const struct Fmu *fmu, FmuStatus status, const char *category,
                    const char *message);
// Called after every accepted step; true: the step is to end here.
typedef bool FmuIntermediate(struct Fmu *fmu, double time);

// What is given for a value reference.
typedef struct Given {
    double value, rates[3];
    bool is_given;   // since the instance was made or reset
    bool is_pending; // and the run does not know it yet
    bool is_moving;  // an input with derivatives
} Given;

// The run's system, which an instance and the states that were kept of it share.
typedef struct FmuSystem {
    SaltusSystem *system;
    int users;
} FmuSystem;

// What fmi2GetFMUstate and fmi3GetFMUState keep, and what changes in an instance.
typedef struct FmuState {
    FmuPhase phase;
    double start_time, stop_time, tolerance; // NAN: not given
    Given *given;                            // by value reference
    bool has_pending;
    SaltusRun *run; // NULL: it is made when something depends on it
    FmuSystem *system;
    double time;                  // of model exchange: where the importer is,
    double *x;                    // and its states, in the order of the description
    struct JournalEntry *journal; // what was done: see journal.h
    long journal_count;
    bool is_unwritten; // it was too much
} FmuState;

typedef struct Fmu {
    FmuLog *log;
    void *user; // of the log
    void *environment;
    FmuIntermediate *intermediate; // NULL: none
    char *name;
    unsigned categories;  // of what is logged
    bool stops_at_events; // a step ends at the first event in it
    bool is_exchange;

    FmuManifest manifest;
    char *modes; // the folder of compiled ones; NULL: it is not known
    SaltusModel *model;
    int *index; // by value reference: of the variable, the parameter; -1: there is none
    int *input; // of the input
    FmuState state;
    double *y;  // all variables of the model
    bool has_y; // they are those of now
    SaltusAssignment *assignments;
    bool has_past;             // of delays: states are written as what was done, see journal.h
    struct Exchange *exchange; // of model exchange; NULL: none
    int state_count;           // in the description
    int clock_count;           // likewise
    uint32_t *clocks;          // their value references
    bool *has_ticked;          // each of them, at the event that the instance is at
    double tick_time;          // of that
    long event_count;          // since the step began
    double told;               // the time up to which warnings of the model were logged
    bool is_repeating;         // what a journal says
    double early_time;         // where a step ended that is repeated
} Fmu;

// `location`: of the resources, see location.h. NULL: the reason went to the log, or there is no
// memory.
Fmu *fmu_create(const char *name, const char *token, const char *location, FmuLog *log, void *user,
                void *environment, unsigned categories);
void fmu_destroy(Fmu *fmu);

// Says it to the importer, if it wants the category; returns the status.
FmuStatus fmu_say(const Fmu *fmu, FmuStatus status, unsigned category, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Which categories are logged; none named: all.
void fmu_set_logging(Fmu *fmu, bool is_on, size_t count, const char *const *categories);
// An error of the engine, which ends the instance.
FmuStatus fmu_fail(Fmu *fmu, const char *message);
// Wrong use of the interface.
FmuStatus fmu_refuse(const Fmu *fmu, const char *function, const char *why);

FmuStatus fmu_reset(Fmu *fmu);
// The options of its run; the system of it, with what was given.
SaltusOptions fmu_options(Fmu *fmu);
FmuStatus fmu_open_system(Fmu *fmu);
// The experiment; NAN: not given.
FmuStatus fmu_set_experiment(Fmu *fmu, double tolerance, double start_time, double stop_time);
FmuStatus fmu_enter_initialization(Fmu *fmu);
FmuStatus fmu_initialize(Fmu *fmu); // the end of the initialization
FmuStatus fmu_terminate(Fmu *fmu);

// A double as a whole number that every integer type has room for; 0: it is none.
static inline int fmu_whole(double value)
{
    return value >= -2147483648.0 && value <= 2147483647.0 ? (int)value : 0;
}

FmuStatus fmu_get(Fmu *fmu, uint32_t reference, double *value);
// Whether a clock ticks at the event that the instance is at.
FmuStatus fmu_get_clock(const Fmu *fmu, uint32_t reference, bool *value);
// The event is over: no clock ticks.
void fmu_end_ticks(Fmu *fmu);
FmuStatus fmu_get_text(Fmu *fmu, uint32_t reference, const char **value);
FmuStatus fmu_set(Fmu *fmu, uint32_t reference, double value);
FmuStatus fmu_set_rate(Fmu *fmu, uint32_t reference, int order, double value);
// What was set takes effect.
FmuStatus fmu_settle(Fmu *fmu);

typedef struct FmuStep {
    double time;    // that was reached
    bool has_ended; // terminate(), or events that accumulate
    bool is_early;  // it ended before its end
    bool had_event;
} FmuStep;

// From `time` over `step`, or to where something ends it.
FmuStatus fmu_step(Fmu *fmu, double time, double step, FmuStep *done);

// Kept states; *kept NULL: a new one is made.
FmuStatus fmu_keep(Fmu *fmu, FmuState **kept);
FmuStatus fmu_restore(Fmu *fmu, const FmuState *kept);
void fmu_forget(Fmu *fmu, FmuState *kept);

#endif
