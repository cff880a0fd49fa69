// SPDX-License-Identifier: MIT
//
// A study: one model, compiled once, run many times with other parameters, in any number of
// threads, and what is observed in each run.
//
//   Study *study = study_create(&def);          // study_observations: NULL after errors
//   StudyRunner *runner = study_runner(study);  // one per thread
//   study_run(runner, values, count, &outcome);
//
// What always holds: a run depends on its parameters and the study's definition only, so that all
// runs give the same bits in whatever order and thread they are made. A parameter that shapes the
// model (an array's size, say) has the model compiled again, once for each of its values.

#ifndef SALTUS_STUDIES_STUDY_H
#define SALTUS_STUDIES_STUDY_H

#include "open/embed.h"
#include "studies/observe.h"

#include <stdatomic.h>

// What was measured: rows of values of variables, to which runs are compared.
typedef struct StudyData {
    size_t row_count, column_count;
    const double *times;          // ascending
    const char *const *variables; // one per column
    const double *values;         // column by column; NaN: not measured
} StudyData;

typedef struct StudyDef {
    LoadedDef load;       // what is to be opened
    const Loaded *loaded; // a model that is open already, and outlives the study; NULL: none
    size_t observation_count;
    const char *const *observations; // see observe.h
    const StudyData *data;           // must outlive the study; NULL: none
    SaltusOptions options;           // of the runs; see study_set_options
    double stop_time;                // of the runs
    bool (*is_interrupted)(void);    // looked at in every step; NULL: never
    const atomic_bool *stops;        // likewise
    void (*tick)(void *user);        // after every step, from the thread of the run; NULL: nothing
    void *user;                      // for it
} StudyDef;

typedef struct Study Study;

// Compiles. NULL: out of memory.
Study *study_create(const StudyDef *def);
void study_destroy(Study *study); // NULL is allowed; after its runners

// The model as it was opened.
const Loaded *study_loaded(const Study *study);
// The model; NULL after errors, which are in the diagnostics of the compilation.
const Model *study_model(const Study *study);
const FlatModel *study_flat(const Study *study); // likewise
Compilation *study_compilation(const Study *study);
// The observations; NULL after errors in them.
const Observations *study_observations(const Study *study);
// Whether it is interrupted.
bool study_is_interrupted(const Study *study);
// How its runs are made from now on.
void study_set_options(Study *study, const SaltusOptions *options, double stop_time);
// Inputs of all runs from now on, which must outlive them; NULL: none.
void study_set_inputs(Study *study, const EmbeddedSignals *inputs);
bool study_has_inputs(const Study *study);
// How they are.
const SaltusOptions *study_options(const Study *study, double *stop_time);

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

typedef struct StudyRunner StudyRunner;
StudyRunner *study_runner(Study *study); // NULL: out of memory
void study_runner_destroy(StudyRunner *runner);

typedef struct StudyOutcome {
    SaltusStatus status;
    const char *message; // why it failed or stopped, "" if it came to its end; until the next run
    double end_time;
    double seconds;
    SaltusStatistics statistics;
    SaltusSolver solver;
    const SaltusRun *run; // until the runner's next run; NULL: there is none
    bool is_observed;     // study_result has results
} StudyOutcome;

// Runs with these parameters in place of those of the model. The outcome's status is below zero
// if the run failed; it is SALTUS_INTERRUPTED if the study is.
void study_run(StudyRunner *runner, const ParameterValue *values, uint32_t count,
               StudyOutcome *outcome);
// Whether runs are observed, as they are from the beginning. Timing is fair without.
void study_set_observing(StudyRunner *runner, bool is_observing);
// Of the last run, if it is observed.
ObserveResult study_result(const StudyRunner *runner, size_t observation);

// What the last run had where the study's data were measured, in their order; at the instant of an
// event the value just before it. NaN: the run did not come there.
const double *study_traced(const StudyRunner *runner);

// Runs from now on have the derivatives of what is traced, and of results, by these parameters, if
// there are any; 0: no longer. The numbers are copied. False: out of memory.
bool study_set_derivatives(StudyRunner *runner, const uint32_t *by, uint32_t count);
// Of the last run by parameter k, as study_traced. NULL: it has none. NaN: likewise, there.
const double *study_traced_derivatives(const StudyRunner *runner, uint32_t k);
// Of a result of the last run by parameter k. NaN: it has none, or is not made of final values,
// parameters, counts and times of events.
double study_result_derivative(const StudyRunner *runner, size_t observation, size_t element,
                               uint32_t k);

// What happened at the event `index` of the last run, in words: its conditions, then the modes if
// they changed; to be freed. False: there is no such event.
bool study_event_text(const StudyRunner *runner, long index, char **text);
// A hash of the same, of any length.
bool study_event_hash(const StudyRunner *runner, long index, uint64_t *hash);

#endif
