// SPDX-License-Identifier: MIT
//
// The laboratory of a report: models of one folder, compiled once each, and runs of them with all
// that happened.
//
//   Lab *lab = lab_create(&exhausted, "benchmarks/c21", overrides, count);
//   LabRun *run = lab_run(lab, &(LabSetup){.file = "Ball.mo", .model = "Ball.Linear",
//                                          LAB_VALUES({"mu", 0.8}), .stop_time = 30});
//   ... run->time, lab_column(run, "x"), lab_changes(run, "bounces", ...) ...
//   lab_run_free(run);
//   lab_destroy(lab);
//
// What always holds: a run that failed or could not be made has a message and whatever it computed
// before. Overrides are parameters that all runs get whose models have them, unless the setup gives
// them itself.

#ifndef SALTUS_REPORT_LAB_H
#define SALTUS_REPORT_LAB_H

#include "base/arena.h"
#include "base/text.h"
#include "studies/linearize.h"

#include <saltus/saltus.h>

typedef struct Lab Lab;

// NULL: no memory. Where there is none later on, the lab jumps: see base/arena.h.
Lab *lab_create(jmp_buf *exhausted, const char *folder, const SaltusSetting *overrides,
                size_t count);
void lab_destroy(Lab *lab);

typedef struct LabSetup {
    const char *file, *model;
    const SaltusSetting *values;
    size_t value_count;
    double stop_time;    // 0: as the model's experiment says
    double interval;     // between rows, besides those of events; 0: every step has one
    SaltusMethod method; // relative_tolerance 0: all defaults
    SaltusBackstep backstep;
    SaltusZeno zeno;
    bool is_silent;     // no rows but those of events
    bool is_linearized; // at the end
    bool may_fail;      // that is what the task is about
    long max_events;
} LabSetup;

// The parameters of a setup: LAB_VALUES({"k", 1e6}, {"d", 500}).
#define LAB_VALUES(...)                                                                            \
    .values = (const SaltusSetting[]){__VA_ARGS__},                                                \
    .value_count = sizeof((const SaltusSetting[]){__VA_ARGS__}) / sizeof(SaltusSetting)

// A solver with tolerances, everything else as usual. absolute 0: a thousandth of the relative one.
SaltusMethod lab_method(SaltusSolver solver, double relative, double absolute);

typedef struct LabEvent {
    double t;
    unsigned classes;
    const char *condition, *from, *to;
    int iterations;
    size_t row; // of the values before; those after follow. SIZE_MAX: not recorded
    const SaltusChange *changes;
    size_t change_count;
} LabEvent;

typedef struct LabRun {
    Arena *arena;
    const SaltusSystem *system; // while it runs
    SaltusStatus status;        // < 0: it failed
    const char *message;        // why it failed or stopped; "": it did not
    SaltusStatistics statistics;
    const char *solver;
    double seconds; // of computing
    double end;     // time
    size_t row_count, row_room;
    double *time;
    const char **modes; // of the rows
    SaltusRowKind *kinds;
    struct {
        const char *name, *unit; // unit NULL: none
        double *values;          // one per row
    } * columns;
    size_t column_count;
    LabEvent *events;
    size_t event_count;
    SaltusEigenvalue *eigenvalues; // if the run was linearized: of the states
    size_t eigenvalue_count;
} LabRun;

// NULL: no memory.
LabRun *lab_run(Lab *lab, const LabSetup *setup);
void lab_run_free(LabRun *run); // NULL is allowed

// A column's values; NULL: there is none.
const double *lab_column(const LabRun *run, const char *name);
// The last value, NAN if there is none.
double lab_last(const LabRun *run, const char *name);
// The value just before or after an event.
double lab_before(const LabRun *run, const LabEvent *event, const char *name);
double lab_after(const LabRun *run, const LabEvent *event, const char *name);

// The events at which a discrete variable changed (to `value`, if that is not NAN), or at which a
// mode was entered; at most `most` of them, returns how many there are.
size_t lab_changes(const LabRun *run, const char *name, double value, const LabEvent **events,
                   size_t most);
size_t lab_entries(const LabRun *run, const char *mode, const LabEvent **events, size_t most);

// A parameter's value in a setup, NAN if there is none.
double lab_parameter(Lab *lab, const LabSetup *setup, const char *name);
// The text of a class of a file, from its first line to its `end`; NULL text: there is none.
String lab_listing(Lab *lab, const char *file, const char *model);
// An override that no model of the runs so far has as a parameter; NULL: none.
const char *lab_unused_override(const Lab *lab);
// What is wrong with the models that could not be compiled; "" if nothing.
const char *lab_messages(const Lab *lab);

#endif
