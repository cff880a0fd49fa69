// SPDX-License-Identifier: MIT
//
// What the callbacks of a Model's system share.

#ifndef SALTUS_MODEL_SYSTEM_H
#define SALTUS_MODEL_SYSTEM_H

#include "model/model_parts.h"

// The start action: initial values, discrete variables, time events.
void start_run(SaltusEvent *event);

// One iteration of an event.
unsigned update_event(SaltusEvent *event);
// Fails or warns where assertions are violated, by the values of MODEL_ASSERTIONS. False: the run
// is over.
bool update_assert(SaltusEvent *event, const Model *model, const double *violated);
// Does what fired when clauses say, except reinit. False: the run is over.
bool update_perform(SaltusEvent *event, const Model *model, const double *actions);
// Held values that time decides about, from a and b of each; *changed if one does. Times to come
// are scheduled.
void update_times(SaltusEvent *event, const Model *model, const double *times, double *held,
                  bool *changed);

// Event functions of the engine are numbered as HOLD_CROSSING holds; time events: samples, then
// HOLD_TIME holds.
static inline int system_time_id(const Model *model, const ModelHold *hold)
{
    return (int)(model->sample_count + hold->index);
}

ProgramInputs system_inputs(const Model *model, double t, const double *x, const double *p,
                            const void *memory);
// Why a program failed last, in the words of the model.
void system_explain(const Model *model, const Program *program, const ProgramScratch *scratch,
                    char message[512]);

#endif
