// SPDX-License-Identifier: MIT
//
// Which solver does a mode's work with the fewest evaluations? Where `auto` may choose for an ODE,
// the run tries: a rival takes over for some steps, and whoever gets further for an evaluation
// goes on. What counts are evaluations, not seconds, so that a run is the same on every machine.

#ifndef SALTUS_HYBRID_CONTEST_H
#define SALTUS_HYBRID_CONTEST_H

#include <saltus/saltus.h>

#include <stdbool.h>

typedef enum ContestRole {
    CONTEST_LOW,  // explicit, of order 5: little is lost where an event cuts a step
    CONTEST_HIGH, // explicit, of order 8: long steps
    CONTEST_IMPLICIT,
    CONTEST_ROLES
} ContestRole;

// Of a mode in a run. All zero: nothing has been measured.
typedef struct Contest {
    ContestRole role;            // of the solver that was measured last
    bool is_trial;               // of the solver of this role
    bool is_stiff;               // because an explicit solver says that the mode is
    ContestRole before;          // in a trial: who had the work
    int steps;                   // without interruption
    int interruptions;           // of the trial; else short stretches in a row
    long restarts;               // of the run, as far as they are known here
    double t, cost;              // where the measurement began
    double spent;                // since the last decision
    double step;                 // of the one before, in a trial
    double rate[CONTEST_ROLES];  // time for an evaluation, as it was last; 0: not known
    double waits[CONTEST_ROLES]; // what is spent before a rival is tried; 0: nothing decided
    double stiff_wait;           // the same where an explicit solver says that the mode is stiff
} Contest;

// After a step that was accepted, with nothing that interrupts it: true if another solver takes
// over, whose first step is *step (0: its own choice).
bool contest_look(SaltusRun *run, double *step);

// No step succeeds, however short: true if it was an explicit solver's, and an implicit one takes
// over. The stages of explicit methods may leave the domain of the equations although the solution
// does not: their coefficients have both signs. Where x' = sqrt(t) - sqrt(x) begins at 0, the fifth
// stage of dopri5 lies below 0 for every size of the step.
bool contest_rescue(SaltusRun *run);

#endif
