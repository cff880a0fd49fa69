// SPDX-License-Identifier: MIT
//
// Observations: expressions over a whole run, in Modelica's syntax over its variables.
//
//   Observations *o = observations_create(compilation, &names, count, texts);   // NULL: errors
//   Observer *observer = observer_create(o);            // one for each run at a time
//   options.piece = observer_piece, options.user = observer;
//   ... saltus_run_create, saltus_run_advance ...
//   observer_finish(observer, run);
//   ObserveResult r = observer_result(observer, 0);
//
// A plain variable is its value at the end of the run. Functions look at the whole run: maximum(x),
// minimum(x), time_of_maximum(x), time_of_minimum(x), integral(x), at(x, when, n), before(...),
// after(...), time_of(when, n), count(when), duration(when). `when` is a condition, of which the
// instants count at which it becomes true, or crossing(x), rising(x), falling(x), event("x <= 0"),
// transition("from", "to"). docs/observations.md explains them all.
//
// What always holds: observations are immutable and may be shared by observers in many threads.
// Nothing that is observed changes the run.

#ifndef SALTUS_STUDIES_OBSERVE_H
#define SALTUS_STUDIES_OBSERVE_H

#include "modelica/parser.h"

#include <saltus/saltus.h>

// What the expressions may name. Variables are outputs, states or algebraic variables of the modes.
typedef struct ObserveNames {
    size_t variable_count, parameter_count;
    const char *const *variables;
    const char *const *parameters; // in the order of the run's parameters
    // What a time event of the system is, in words; NULL: not known.
    const char *(*time_event)(const void *user, int id);
    const void *user;
} ObserveNames;

typedef struct Observations Observations;

// Each text is EXPRESSION or NAME = EXPRESSION. Everything lives in the compilation's arena. NULL
// after errors, which are in its diagnostics.
Observations *observations_create(Compilation *compilation, const ObserveNames *names, size_t count,
                                  const char *const *texts);
size_t observations_count(const Observations *o);
const char *observations_name(const Observations *o, size_t index);
// How many values it has: 1, or the length of its range, or OBSERVE_EVERY.
enum { OBSERVE_EVERY = -1 };
long observations_length(const Observations *o, size_t index);

typedef struct RunObserver RunObserver;

// NULL: out of memory.
RunObserver *observer_create(const Observations *o);
void observer_destroy(RunObserver *observer); // NULL is allowed
// Forgets what it saw, for the next run.
void observer_reset(RunObserver *observer);

// For SaltusOptions.piece, with the observer as `user`.
int observer_piece(void *observer, const SaltusPiece *piece);
// The run has come to its end. False: out of memory, or an evaluation failed.
bool observer_finish(RunObserver *observer, const SaltusRun *run);

typedef struct ObserveResult {
    size_t count;
    const double *values; // NaN: there is none, because it did not happen, or is no number
    const char *reason;   // why the first one that is missing is; "" if none is
} ObserveResult;

// How a run moves with a parameter: its outputs at the end, its parameters, the times of the events
// of its log.
typedef struct ObserveRates {
    const double *outputs, *parameters, *events;
    int output_count;
    long event_count;
} ObserveRates;

// After observer_finish: the derivative of a value. NaN: it is made of other things than these.
double observer_derivative(const RunObserver *observer, size_t index, size_t element,
                           const ObserveRates *rates);

// Valid until the observer is reset.
ObserveResult observer_result(const RunObserver *observer, size_t index);

#endif
