// SPDX-License-Identifier: MIT
//
// A recording: a run of a model as a table in memory, with its events, for what is drawn along it.

#ifndef SALTUS_DRAWING_RECORDING_H
#define SALTUS_DRAWING_RECORDING_H

#include "open/loaded.h"
#include "plot/figure.h"
#include "results/table.h"

typedef struct Recording {
    Arena *arena;
    const Loaded *loaded;
    SaltusSystem *system; // while it runs
    Table table;          // time, all variables, mode; its memory is the arena's
    bool *is_event;       // per row: it is one of the two of an event
    size_t room;          // for rows
    size_t left_out;      // rows of events, where there were too many
    PlotMark *events;     // what happened, in words
    size_t event_count;
    SaltusStatus status;
} Recording;

// Runs the model from the options' start time to the stop time, with a row at every output interval
// and two at events, as long as there is room. NULL: there was no run at all; `error` says why. A
// run that ends early is there as far as it came. The arena needs a target for its exhaustion.
Recording *recording_create(Arena *arena, const Loaded *loaded, const SaltusOptions *options,
                            double stop_time, SaltusError *error);

// Whether a state of a machine is active in a mode, by their names: "working" in
// "working.fast, day".
bool recording_is_active(const char *mode, const char *state);

#endif
