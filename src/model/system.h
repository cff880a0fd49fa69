// SPDX-License-Identifier: MIT
//
// What the callbacks of a Model's system share.

#ifndef SALTUS_MODEL_SYSTEM_H
#define SALTUS_MODEL_SYSTEM_H

#include "model/model_parts.h"

// The start action: initial values, discrete variables, time events.
void start_run(SaltusEvent *event);
// Sets the memory to start values, and the choices to those that follow from them. False: a
// function failed, or there is no memory.
bool start_choices(const Model *model, double t, const double *p, void *memory, uint32_t *choices);

// One iteration of an event.
unsigned update_event(SaltusEvent *event);
// Fails or warns where assertions are violated, by the values of MODEL_ASSERTIONS. False: the run
// is over.
bool update_assert(SaltusEvent *event, const Mode *mode, const double *violated);
// Does what fired when clauses say, except reinit. False: the run is over.
bool update_perform(SaltusEvent *event, const Mode *mode, const double *actions);

// Event functions of the engine are numbered as HOLD_CROSSING holds; time events: samples, then
// holds by their number.
static inline int system_time_id(const Model *model, const ModelHold *hold)
{
    return (int)(model->sample_count + hold->number);
}

// Values that left limits determine, at an event; to be freed. NULL: a function failed, or there is
// no memory.
double *system_frozen(const SaltusEvent *event, const ModelMemory *memory, FrozenEntry entry);

ProgramInputs system_inputs(const ModelMemory *memory, double t, const double *x, const double *p);
// Why a program failed last, in the words of the model.
void system_explain(const Model *model, const Program *program, const ProgramScratch *scratch,
                    char message[512]);
// Why a mode cannot be entered.
void system_complain(const Mode *mode, char message[512]);

#endif
