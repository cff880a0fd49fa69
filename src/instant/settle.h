// SPDX-License-Identifier: MIT
//
// Conditions, discrete variables and algebraic variables that agree with each other, at one point
// of a mode: the active one at an event, or one that might become active.
//
// The sign that the engine gives a relation of the active mode counts as long as its event function
// has the value that the sign is about; what discrete variables moved is looked at literally. In a
// mode that might become active there are no signs yet: what is zero up to the accuracy of events
// keeps the value it has; if it has none, or was zero by a constraint of the mode before, it takes
// the one that its derivative along the flow leads to.

#ifndef SALTUS_INSTANT_SETTLE_H
#define SALTUS_INSTANT_SETTLE_H

#include "instant/system.h"

typedef struct Settling {
    const Mode *mode;
    ModelScratch *scratch;
    ModelMemory memory;
    ProgramInputs inputs;
    const double *guesses;    // of algebraic variables
    const signed char *signs; // of event functions; NULL: it is not the active mode
    const double *impulses;   // likewise, of a mode that might become active; may be NULL
    const Mode *before;       // of a mode that might become active: the active one
    bool by_course;           // and what is zero goes where the flow leads it, all of it
    bool *is_released;        // likewise, by hold: it is decided where what was zero goes
    bool held_changed;
    char message[512]; // why it failed
} Settling;

// After reinit: conditions of the active mode that the event has turned, that are zero and that the
// flow would turn back, are as they were before the event. So an elastic impact does not enter the
// mode of the contact.
bool settle_release(Settling *s, const double *left_held);

bool settle_solve(Settling *s);
bool settle_evaluate(Settling *s, ModelEntry entry, double *values);
// The sign of an event function that goes with the value of the condition; 0: there is none.
int settle_sign(const ModelHold *hold, double value);
// The event functions, and what each of them must not exceed to be zero.
bool settle_zeros(Settling *s, double *values, double *bounds);
// False, after a message, if there are no values that agree.
bool settle(Settling *s);

// Held values that time decides about, from a and b of each; *changed if one does.
void settle_times(const Mode *mode, double t, const double *times, double *held, bool *changed);
// Schedules the times to come, cancels what is over.
void settle_schedule(SaltusEvent *event, const Mode *mode, const double *times);

#endif
