// SPDX-License-Identifier: MIT
//
// What the files of `saltus simulate` share: simulate.c has the options and the way through,
// simulate_output.c what is written row by row, simulate_report.c what is said at the end.

#ifndef SALTUS_CLI_SIMULATE_H
#define SALTUS_CLI_SIMULATE_H

#include "cli/inputs.h"
#include "cli/model.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "modes/model.h"
#include "open/apart.h"
#include "results/table.h"
#include "results/writer.h"
#include "studies/sensitivity.h"

typedef struct SimulateCommand {
    Settings settings;
    double output_interval; // NAN: not given
    const char *output, *events, *manifest, *input;
    double max_events; // 0: no limit
    OptionList parameters, starts, variables, plots, sensitivities;
    int record, backend, show, interpolate;
    ModelOptions model;
    bool stats, json, quiet, realtime, pace, together;
    int interface; // 0: what the FMU has, 1: co-simulation, 2: model exchange, 3: scheduled
    const char *const *words; // the command line
    size_t word_count;
} SimulateCommand;

// The trajectory on its way into a file.
typedef struct Output {
    Writer *writer;         // NULL: nowhere
    TableHeading *headings; // time, variables, mode
    uint32_t *places;       // of the variables: which output of the model
    size_t count;           // of variables
    size_t *derived;        // those of them that have derivatives
    size_t derived_count, column_count;
    double *values; // one row
    TableConstant *constants;
    size_t constant_count;
    long row_count;  // of an FMU
    double last_row; // its time
    SaltusRowKind last_kind;
    const char *wild; // the first variable that was not finite; NULL: none
    double wild_time;
    // Variables that the model declares to be constant between events, and how far they move there.
    struct {
        uint32_t place; // which output of the model
        double begin;   // its value at the start, or after the last event
        double drift;   // the largest distance from it so far
        double time;    // when that was
    } * invariants;
    size_t invariant_count;
    struct Drifts *watch; // of the constraints; NULL: not asked for
    bool is_unwatched;    // memory did not suffice
    // Columns whose variables have a `min` or `max` that is a number, and how far they go beyond.
    struct {
        size_t column;
        double least, most, nominal;
        double excess, value; // the largest so far, 0: none, and with which value
        double since;         // when it was first beyond
    } * limits;
    size_t limit_count;
    char *plot_folder, *plot_file; // of --plot and --show; NULL: none
    AtomicFile events;             // opened before the run, so that a wrong path is known then
    long event_count;              // that were written to it
} Output;

// Everything about one run.
typedef struct Simulation {
    const SimulateCommand *command;
    const Loaded *loaded;
    const Compilation *compilation;
    const FlatModel *flat;
    const Model *model;
    SaltusSystem *system;
    SaltusRun *run;
    Apart *apart; // the parts of the model that are run by themselves; NULL: it is one whole
    SaltusOptions options;
    double stop_time, seconds; // how long it took
    _Atomic double reached;    // the time of the last step; NAN: there is none yet
    double *parameters;
    Inputs *inputs;           // that come from a file; NULL: none do
    uint32_t *by;             // parameters of --sensitivity
    Sensitivity *sensitivity; // NULL: not asked for
    SaltusStatus status;
    char *message;        // why it stopped; NULL: it did not
    const char *variable; // whose derivative is not finite; NULL: none
    Output output;
    Progress progress;
    // Pacing to the wall clock.
    struct {
        double begin; // of the run, on progress_clock
        long steps, overruns;
        double worst; // seconds behind
    } pace;
    // Steps that hardly come forward.
    struct {
        long steps; // since `from`; below zero: it was said
        double from;
        long events; // before `from`
        long vain;   // steps before `from` that were rejected or begun again
        int windows; // of so many steps, since windows_from
        double windows_from;
    } creeping;
} Simulation;

// ---------------------------------------------------------------------------
// Simulate_output.c
// ---------------------------------------------------------------------------

// False, after a message, if options or files are wrong.
bool output_open(Simulation *s);
void output_row(Simulation *s, const SaltusRow *row);
// That variables went beyond their limits, and since when. NULL: none did.
const char *output_excess(const Simulation *s, Arena *arena, double *since);
// For events in words.
LogSource simulate_log(const Simulation *s);
void output_event(Simulation *s, const SaltusLogEntry *entry);
// A run with values that are not finite has failed, though it came to its end.
void output_judge(Simulation *s);
// Of the last column, which has the active mode: no other one is called so.
const char *output_mode_name(const Output *o);
// Writes the rest, and the manifests. False, after a message: something could not be written.
bool output_close(Simulation *s);
void output_free(Output *output);

// ---------------------------------------------------------------------------
// Simulate_plot.c
// ---------------------------------------------------------------------------

// Whether the run is shown in the terminal, in place of rows on standard output.
bool plotting_is_shown(const SimulateCommand *command);
// False, after a message, if --plot, --show and -o do not fit together.
bool plotting_check(const SimulateCommand *command);
// A place for the trajectory, until it is drawn. False, after a message: there is none.
bool plotting_open(Simulation *s, const char **path);
// Draws what was written there, into a file or the terminal. False, after a message, if it could
// not be done.
bool plotting_draw(const Simulation *s);
void plotting_free(Output *output);

// ---------------------------------------------------------------------------
// Simulate_report.c
// ---------------------------------------------------------------------------

void report_text(const Simulation *s); // on stderr
void report_json(const Simulation *s); // on stdout
// A model that is wrong, as JSON.
void report_errors(const Compilation *compilation);
const char *report_status(SaltusStatus status); // "finished", "interrupted", ...

// ---------------------------------------------------------------------------
// Simulate_blame.c
// ---------------------------------------------------------------------------

// The equation of the derivative or variable that is not finite, with its parameters, and what in
// it or before it has no value any more. Nothing if there is no such variable.
void blame_print(const Simulation *s);

// ---------------------------------------------------------------------------
// Simulate_fmu.c
// ---------------------------------------------------------------------------

// Whether the words after the options are one FMU.
bool simulate_is_fmu(int argc, char **argv);
// Runs it, if foreign code is allowed.
ExitStatus simulate_fmu(const SimulateCommand *command, const char *path);

#endif
