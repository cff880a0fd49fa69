// SPDX-License-Identifier: MIT
//
// What the files of an event (event.c, event_action.c, event_changes.c, event_iterate.c) share.

#ifndef SALTUS_HYBRID_EVENT_PARTS_H
#define SALTUS_HYBRID_EVENT_PARTS_H

#include "base/real.h"
#include "hybrid/run.h"
#include <string.h>

static inline size_t bytes_of(int count)
{
    return (size_t)count * sizeof(double);
}

static inline bool same_numbers(const double *a, const double *b, int count)
{
    return count == 0 || memcmp(a, b, bytes_of(count)) == 0;
}

// --- event_action.c ---

// Points the event at the active instance.
void event_show_active(SaltusRun *run);
// The values with which a run begins in the mode; NaN: undetermined.
void event_start_values(RunInstance *instance);

// --- event_iterate.c ---

// x' at the event, for the left limits and for arming.
SaltusStatus event_derivative(SaltusRun *run);
// Takes the time events that are due; false: out of memory.
bool event_take_due(SaltusRun *run);
// Algebraic variables and event functions that belong to what the actions left behind.
SaltusStatus event_evaluate(SaltusRun *run);
// Notes that an event function fires in the present iteration.
void event_fire(SaltusRun *run, int event, int direction);
// Event functions of a mode just entered fire if they are meant to.
SaltusStatus event_fire_at_entry(SaltusRun *run);
// Iterates from what has fired so far to the fixed point.
SaltusStatus event_iterate(SaltusRun *run, SaltusAction request);
// Values, derivative and signs after the event, iterating again when arming turns a sign.
SaltusStatus event_settle(SaltusRun *run, const SaltusFired *crossings, int crossing_count);

// Whether an event function of the active mode that has crossed zero stays there, after
// event_settle.
bool event_rests(SaltusRun *run, SaltusFired crossing);

// --- event_changes.c ---

// What the event changed, as a set of classes; logs every change.
SaltusStatus event_classify(SaltusRun *run, RunInstance *from, const SaltusMethod *method_left,
                            long records_before, unsigned *classes);

#endif
