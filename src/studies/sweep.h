// SPDX-License-Identifier: MIT
//
// A sweep: runs over a grid or a sample of parameter values, in several threads.
//
// What always holds: points have an order (the last axis is the fastest), and each has the same
// values and results, bit for bit, whatever the number of threads and however often the sweep was
// interrupted and resumed. A point that fails has its reason and the others go on.

#ifndef SALTUS_STUDIES_SWEEP_H
#define SALTUS_STUDIES_SWEEP_H

#include "studies/axis.h"
#include "studies/journal.h"

typedef enum SweepSample {
    SWEEP_GRID,      // all combinations
    SWEEP_RANDOM,    // independent, equally distributed over each axis (or its logarithm)
    SWEEP_HYPERCUBE, // Latin hypercube: each of the strata of an axis once
    SWEEP_GIVEN,     // the points themselves are given
} SweepSample;

typedef struct SweepDef {
    Study *study;
    size_t axis_count;
    const Axis *axes;
    SweepSample sample;
    size_t sample_count;  // not of a grid
    const double *points; // of those that are given: values by point, then by axis
    uint64_t seed;
    unsigned jobs;       // threads; 0: as many as there are processors
    const char *journal; // path; NULL: none
    const char *key;     // of the journal: stands for everything that the results depend on
    bool is_resumed;
    bool (*is_interrupted)(void); // NULL: never
    // Called from the thread that called sweep_run, every tenth of a second; may be NULL.
    void (*progress)(void *user, size_t done, size_t failed, size_t total);
    void *user;
} SweepDef;

typedef struct Sweep Sweep;

enum { SWEEP_MESSAGE = 512 };

// The definition must outlive the sweep. NULL: the message says why.
Sweep *sweep_create(const SweepDef *def, char message[SWEEP_MESSAGE]);
void sweep_destroy(Sweep *sweep);

typedef enum SweepStatus {
    SWEEP_FINISHED,    // though points may have failed
    SWEEP_INTERRUPTED, // what is finished is kept in the journal
    SWEEP_FAILED,      // it could not be made, or the journal not be written
} SweepStatus;

SweepStatus sweep_run(Sweep *sweep, char message[SWEEP_MESSAGE]);
// The results have been written: the journal is not needed any more.
void sweep_forget_journal(Sweep *sweep);

size_t sweep_count(const Sweep *sweep);        // of points
size_t sweep_resumed(const Sweep *sweep);      // of those that the journal had
size_t sweep_result_count(const Sweep *sweep); // of values at each, over all observations
// The value of an axis at a point.
double sweep_value(const Sweep *sweep, size_t point, size_t axis);

typedef struct SweepPoint {
    bool is_done;
    SaltusStatus status; // below zero: it failed
    const char *message; // why it failed, stopped, or has a value that is missing; ""
    const double *results;
} SweepPoint;

SweepPoint sweep_point(const Sweep *sweep, size_t point);

#endif
