// SPDX-License-Identifier: MIT
//
// What the files of sensitivity.h share: sensitivity.c drives the run, sensitivity_flow.c follows
// the sensitivities between events, sensitivity_event.c through them.

#ifndef SALTUS_STUDIES_SENSITIVITY_PARTS_H
#define SALTUS_STUDIES_SENSITIVITY_PARTS_H

#include "base/memory.h"
#include "hybrid/run.h"
#include "modes/model_parts.h"
#include "studies/sensitivity.h"

// Which way to move: all of it scaled by one number. NULL: not at all.
typedef struct SensitivityDirection {
    double time;
    const double *x, *m, *p;
} SensitivityDirection;

// Of the present mode: derivatives of the states, event functions, outputs.
typedef enum SensitivityWhat {
    SENSITIVITY_FLOW,
    SENSITIVITY_EVENTS,
    SENSITIVITY_OUTPUTS
} SensitivityWhat;

// The sensitivities of the states at a time: by parameter, then by state.
typedef struct SensitivityTrack {
    double t;
    double step; // that the next part of a piece is tried with; 0: all of it
    double *s;
} SensitivityTrack;

// A row that waits until the event before it has been followed.
typedef struct SensitivityRow {
    bool is_there;
    SaltusRow row;
    double *values;
    size_t room;
} SensitivityRow;

struct Sensitivity {
    SensitivityDef def;
    const Model *model;
    SaltusRun *run;                // that is followed
    SaltusRun *bench;              // a copy of it in the same mode: what is evaluated nearby
    SensitivityTrack main, cursor; // at the end of the last piece; at the last row in it
    double *memory;                // sensitivities of the run's memory, by parameter, then by place
    double *direction;             // those of all parameters
    double *p, *m;                 // of the bench, where nothing is moved
    ParameterValue *given;         // to a run that begins nearby

    // The event that is to be followed, as the run has seen it.
    struct {
        double t;
        unsigned occasion;
        bool has_effect; // it changed more than what is logged of it
        int from, to;
        int fired_count, time_count;
        SaltusFired *fired;
        int *time_ids;
    } event;
    // What is set from outside.
    struct {
        EmbeddedSignals inputs;
        long *places;               // by signal: its next place
        SaltusAssignment *assigned; // what was set last
        int assigned_count;
    } outside;
    int pending;       // events that were not followed yet
    double last_event; // the time of the one before
    SensitivityRow after, last;
    bool is_reselected; // the mode has other states now, without an event
    bool is_stopped;    // by the client's own callbacks
    bool is_out_of_memory;
    MemoryPool pool;      // what lasts as long as all of it
    MemoryPool mode_pool; // as long as the bench

    // Those of the times of events so far, and of time events to come.
    struct {
        double *scheduled; // of the bench's time events, by event, then by parameter
        double *items;     // those of the times of events so far
        uint32_t count, room;
    } times;
    // The last piece of the run: where it ended, half of its duration, its middle.
    struct {
        double *x_end, *z_end; // where the last piece ended
        double half;           // of its duration, and the states in its middle
        double *x_middle;
        double bracket; // that the event was located in
    } piece;
    // The point of the present evaluations.
    struct {
        double t;
        double *x;
        double *z;
        double *dx;
    } point;
    // Working memory of evaluations.
    struct {
        double *x_moved;
        double *z_moved;
        double *values[5]; // of a function at the point and near it
        double *sizes[3];  // the largest values so far, by SensitivityWhat
        double *a, *b, *matrix, *right, *unit, *next,
            *stages[7]; // of a step, see sensitivity_flow.c
        int *pivot;
        double *outputs;
    } work;
    // The row that is handed over now.
    struct {
        const SaltusRow *row;
        double *x, *z;
    } handed;
    // Why, and since when, there are none any more.
    struct {
        bool is_there;
        double time;
        char *text;
    } loss;
    // Sizes.
    struct {
        uint32_t parameters, memory, outputs;
    } counts;
};

// From now on there are none; the first reason counts.
void sensitivity_lose(Sensitivity *z, double t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- sensitivity_flow.c ---

// Makes everything for the mode of the bench. False: out of memory.
bool sensitivity_prepare(Sensitivity *z);
// The step in a direction over which smooth functions are differentiated.
double sensitivity_reach(const Sensitivity *z, const double *x, const SensitivityDirection *d);
// The point of what is differentiated next.
void sensitivity_place(Sensitivity *z, double t, const double *x, const double *z_guess);
// The derivatives in a direction, `count` of them, as good as can be: where the functions have
// kinks that no event announces, that is not good. False: they cannot be evaluated there.
bool sensitivity_derive(Sensitivity *z, SensitivityWhat what, const SensitivityDirection *d,
                        size_t count, double *out);
// How uncertain a derivative is by the error of a difference: up to 1 it is as good as can be.
// `size`: of the values.
double sensitivity_doubt(double derivative, double error, double size, double step);
// From values at -2, -1, 1, 2 steps: the derivative, and a bound of its error.
double sensitivity_difference(const double values[4], double step, double *error);
// Takes a track to a time of the solver's present step.
void sensitivity_follow(Sensitivity *z, SensitivityTrack *track, double t);
// The way that parameter k moves everything at a track.
SensitivityDirection sensitivity_direction(const Sensitivity *z, const SensitivityTrack *track,
                                           uint32_t k);

// --- sensitivity_event.c ---

// The sensitivities at the start, from runs that begin nearby.
void sensitivity_start(Sensitivity *z, const SaltusSystem *system);
// Through the event; the run stands behind it.
void sensitivity_jump(Sensitivity *z);
// The same where inputs were set.
void sensitivity_assign(Sensitivity *z);
// The same for a mode that has other states.
void sensitivity_reselect(Sensitivity *z);

#endif
