// SPDX-License-Identifier: MIT
//
// Saltus: models in Modelica, as systems that run; and studies, many runs of one model. The
// conventions are those of saltus/saltus.h, which includes this header.

#ifndef SALTUS_MODEL_H
#define SALTUS_MODEL_H

#include <saltus/saltus.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------
// Models: the compiler
// ---------------------------------------------------------------------------

// A Modelica model, translated. It does not change, and may be shared by runs in many threads; it
// must outlive the systems that are made from it.
typedef struct SaltusModel SaltusModel;

// How the equations of a model are evaluated. Results of the first three are identical to the last
// bit; those of the last one agree within the tolerance.
typedef enum SaltusBackend {
    SALTUS_BACKEND_INTERPRET, // by an interpreter
    SALTUS_BACKEND_C,         // compiled by the C compiler of the machine, where there is one
    SALTUS_BACKEND_AUTO,      // compiled in the background once a run takes long
    SALTUS_BACKEND_WHOLE, // like C, and steps and events are one compiled function where possible
} SaltusBackend;

typedef struct SaltusModelDef {
    int file_count;
    const char *const *files; // .mo files and folders of packages
    const char *text;         // Modelica text, read after the files; NULL: none
    const char *name;         // of the model, "Package.Model"; NULL: the last one
    const char *modification; // "(n = 3, x(start = 2))"; NULL: none
    int setting_count;
    const struct SaltusSetting *settings; // parameters and start values ("x.start") of all systems
    const char *library_path;             // folders with libraries, separated by ':'
    bool live_inputs;      // inputs may change while a run goes on: see saltus_model_set
    SaltusBackend backend; // of all runs of the model, also those of studies
    SaltusAllocator allocator;
} SaltusModelDef;

// No files, libraries where MODELICAPATH says.
SaltusModelDef saltus_default_model(void);

// Reads, checks and translates a model. If it has errors the status is SALTUS_ERROR_MODEL; *model
// is there all the same, only to be asked for its messages, and to be destroyed.
SaltusStatus saltus_model_create(const SaltusModelDef *def, SaltusModel **model);
void saltus_model_destroy(SaltusModel *model); // NULL is allowed

// Errors and warnings, for people: "file:line:column: error: ...". Empty if there are none.
const char *saltus_model_messages(const SaltusModel *model);
const char *saltus_model_name(const SaltusModel *model);

// Parameters, and the variables that rows have as y, in their order. NULL: no such index; a unit
// that is not given is empty.
int saltus_model_parameter_count(const SaltusModel *model);
const char *saltus_model_parameter_name(const SaltusModel *model, int index);
int saltus_model_variable_count(const SaltusModel *model);
const char *saltus_model_variable_name(const SaltusModel *model, int index);
const char *saltus_model_variable_unit(const SaltusModel *model, int index);
int saltus_model_find_variable(const SaltusModel *model, const char *name); // -1: there is none

int saltus_model_find_parameter(const SaltusModel *model, const char *name); // likewise

// Live inputs, in the order of the model: none without SaltusModelDef.live_inputs, where inputs are
// parameters. Each is also a variable, and has the parameters that saltus_model_set changes.
int saltus_model_input_count(const SaltusModel *model);
const char *saltus_model_input_name(const SaltusModel *model, int index);
int saltus_model_find_input(const SaltusModel *model, const char *name); // -1: there is none

// Options as the model's experiment annotation says, and the time at which it ends there (the
// start time + 1 if it does not say); stop_time may be NULL.
SaltusOptions saltus_model_options(const SaltusModel *model, double *stop_time);

typedef struct SaltusSetting {
    const char *name;
    double value; // Booleans: 0 and 1; enumerations: their number from 1
} SaltusSetting;

// A system with these parameters. One that shapes the model (the size of an array, say) has it
// translated again, once for each of its values; such a system has variables of its own, which are
// those of its modes (saltus_system_mode). Final ones cannot be set. `error` may be NULL.
SaltusStatus saltus_model_system(const SaltusModel *model, const SaltusSetting *settings, int count,
                                 SaltusSystem **system, SaltusError *error);
// The end of a run of the model's system: what happens when terminal() becomes true.
SaltusStatus saltus_model_finish(const SaltusModel *model, SaltusRun *run);

// What saltus_model_set can set.
typedef enum SaltusTarget {
    SALTUS_TARGET_INPUT,     // a live input
    SALTUS_TARGET_PARAMETER, // one that does not shape the model; what depends on it follows
    SALTUS_TARGET_STATE,     // a variable that is a state of the active mode
} SaltusTarget;

typedef struct SaltusAssignment {
    SaltusTarget target;
    int index; // of the input, the parameter, the variable
    double value;
    // Of a continuous input: its first three derivatives from here on. {0}: it is held. It goes on
    // as the polynomial that these are the coefficients of until it is set again.
    double rates[3];
} SaltusAssignment;

// Sets all of these at the present time, as one event (SALTUS_AT_REQUEST): conditions, discrete
// variables, when clauses and modes follow as at any other event. What cannot be set is refused
// before anything is changed, with SALTUS_ERROR_ARGUMENT and the reason in `error`, which may be
// NULL; the run can go on. Other errors are the run's.
SaltusStatus saltus_model_set(const SaltusModel *model, SaltusRun *run,
                              const SaltusAssignment *assignments, int count, SaltusError *error);

// An input from outside as a function of time: from times[i] on it is the polynomial with the value
// and the three derivatives values[4 i], ..., values[4 i + 3] there; before times[0] it is as the
// run has it. Of several equal times the last one counts.
typedef struct SaltusSignal {
    int input;
    long count;
    const double *times; // ascending
    const double *values;
} SaltusSignal;

// Advances a run with inputs that follow these signals: each of their times after the present one,
// up to the stop time, is an event in which the inputs are set. Where a run begins they are as its
// system says. `error` may be NULL; what the signals have wrong is refused before the run goes on.
SaltusStatus saltus_model_advance(const SaltusModel *model, SaltusRun *run,
                                  const SaltusSignal *signals, int count, double stop_time,
                                  SaltusError *error);

// What happened at an event of the run's log, in words ("h <= 0 rising", "sample(0.0, 0.1)"),
// separated by "; ". Returns the length that all of it has, as snprintf does; size may be 0.
size_t saltus_model_event_text(const SaltusModel *model, const SaltusRun *run,
                               const SaltusLogEntry *entry, char *text, size_t size);

// Warnings about a run, in words: assertions of level warning that were violated, what singular
// equations left open, a solver that stability makes slow, values that are not finite. Returns the
// length of the index-th one, as snprintf does; 0: none. *time: from when on; NaN: the whole run.
size_t saltus_model_warning(const SaltusModel *model, const SaltusRun *run, int index, double *time,
                            char *text, size_t size);
// What the functions of the run's model printed, or warned of, in any of its runs: the next text
// that was not asked for before, which lasts as long as the model. NULL: there is none. *time: NaN:
// before a run.
const char *saltus_model_printed(const SaltusModel *model, const SaltusRun *run, double *time,
                                 bool *is_warning);

// The values of all parameters of a system with these settings, if none of them shapes the model.
SaltusStatus saltus_model_parameters(const SaltusModel *model, const SaltusSetting *settings,
                                     int count, double *p, SaltusError *error);

// Linearizes the active mode of a run of the model, as saltus_linearize does, by names. Inputs are
// live inputs or parameters, with all that follows from them; NULL: all continuous live inputs.
// Outputs are variables; NULL: those that are declared `output`.
SaltusStatus saltus_model_linearize(const SaltusModel *model, const SaltusRun *run,
                                    const char *const *inputs, int input_count,
                                    const char *const *outputs, int output_count,
                                    SaltusLinearization **linearization, SaltusError *error);

// ---------------------------------------------------------------------------
// Studies: many runs of one model
// ---------------------------------------------------------------------------

typedef struct SaltusStudyDef {
    SaltusOptions options; // of the runs; what they record and their callbacks are not used
    double stop_time;
    int fixed_count;
    const SaltusSetting *fixed; // parameters of all runs
    int observation_count;
    const char *const *observations; // what is asked of each run, see SaltusObserver
    int jobs;                        // threads; 0: as many as there are processors
    // Called now and then from the thread that called; fraction: 0 to 1, or NaN if it is not known;
    // anything but 0 interrupts the study. NULL: not wanted.
    int (*progress)(void *user, double fraction, long runs);
    void *user;
} SaltusStudyDef;

// Options and stop time as saltus_model_options says.
SaltusStudyDef saltus_default_study(const SaltusModel *model);

// What runs gave, one row of results for each point; all observations one after the other.
typedef struct SaltusSweep {
    long point_count;
    int result_count;
    const double *results;        // row by row; NaN: the run failed, or it did not happen
    const SaltusStatus *statuses; // below zero: the run failed
    const char *const *messages;  // why it failed or stopped, or a result is missing; ""
    const int *lengths;           // of each observation: how many results it has
} SaltusSweep;

// Runs the model at these points: `values` has a row of parameter_count numbers for each. A point
// that fails does not end the sweep. Results do not depend on the number of threads.
SaltusStatus saltus_model_sweep(const SaltusModel *model, const SaltusStudyDef *def,
                                const char *const *parameters, int parameter_count,
                                const double *values, long point_count, SaltusSweep **sweep,
                                SaltusError *error);
void saltus_sweep_destroy(SaltusSweep *sweep); // NULL is allowed

// What is sought, by the first observations of the study, its targets.
typedef enum SaltusSeek {
    SALTUS_SEEK_ROOT,     // all targets are zero, or the sum of their squares is smallest
    SALTUS_SEEK_ALL,      // all roots of one target over one unknown, and its jumps over zero
    SALTUS_SEEK_MINIMUM,  // one target is smallest
    SALTUS_SEEK_BOUNDARY, // a target has another value from here on; without targets: there are
                          // other events. One unknown
} SaltusSeek;

typedef struct SaltusUnknown {
    const char *name;
    double lower, upper;
    double guess;        // of several unknowns; NaN: the parameter's own value, or the middle
    bool is_logarithmic; // equal ratios are equal distances
} SaltusUnknown;

typedef struct SaltusSolveDef {
    SaltusSeek seek;
    int unknown_count;
    const SaltusUnknown *unknowns;
    int target_count; // of the study's observations
    int points;       // intervals that are looked at for all roots and boundaries
} SaltusSolveDef;

typedef enum SaltusFound {
    SALTUS_FOUND_ROOT,
    SALTUS_FOUND_JUMP, // the target jumps over zero: no root
    SALTUS_FOUND_MINIMUM,
    SALTUS_FOUND_BOUNDARY,
} SaltusFound;

typedef struct SaltusSolution {
    SaltusFound found;
    const double *unknowns;
    double value;          // of the target; of several the root of the sum of their squares
    double left, right;    // jump, boundary: the target just below and just above
    double width;          // of the bracket
    const char *note;      // what changes there
    const double *results; // of all observations
    int result_count;
} SaltusSolution;

typedef struct SaltusSolutions {
    long count, runs;
    const SaltusSolution *items; // ascending
    const char *message;         // why nothing, or not all, was found; ""
} SaltusSolutions;

SaltusStatus saltus_model_solve(const SaltusModel *model, const SaltusStudyDef *def,
                                const SaltusSolveDef *solve, SaltusSolutions **solutions,
                                SaltusError *error);
void saltus_solutions_destroy(SaltusSolutions *solutions); // NULL is allowed

#ifdef __cplusplus
}
#endif

#endif
