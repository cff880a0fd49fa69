// SPDX-License-Identifier: MIT
//
// What the callbacks of a Model's system share.

#ifndef SALTUS_INSTANT_SYSTEM_H
#define SALTUS_INSTANT_SYSTEM_H

#include "modes/frozen.h"

// The start action: initial values, discrete variables, time events.
void start_run(SaltusEvent *event);

// One iteration of an event.
unsigned update_event(SaltusEvent *event);
// Keeps the left limits of an event whose first iteration is an action: before that changes
// anything. False: the run is over.
bool update_begin(SaltusEvent *event);
// Fails or warns where assertions are violated, by the values of MODEL_ASSERTIONS. False: the run
// is over.
bool update_assert(SaltusEvent *event, const Mode *mode, const double *violated);
// The end of an event's last iteration: log, signs, assertions by their values. What the engine is
// answered.
unsigned update_end(SaltusEvent *event, const ModelMemory *memory, const double *violated,
                    bool held_changed);
// Does what fired when clauses say, except reinit. False: the run is over.
bool update_perform(SaltusEvent *event, const Mode *mode, const double *actions);

// Event functions of the engine are numbered as HOLD_CROSSING holds; time events: samples, then
// holds by their number.
static inline int system_time_id(const Model *model, const ModelHold *hold)
{
    return (int)(model->samples.count + hold->number);
}

// Why a program failed last, in the words of the model.
void system_explain(const Model *model, const Program *program, const ProgramScratch *scratch,
                    char **message);
// Why a mode cannot be entered.
void system_complain(const Mode *mode, char **message);
// Ends the run with a message. Returns false.
bool system_fail(SaltusEvent *event, const char *format, ...) TEXT_FORMAT(2, 3);
// Lists of names in messages are no longer than this.
enum { SYSTEM_SHOWN = 12 };

#endif
