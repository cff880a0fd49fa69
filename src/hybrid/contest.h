// SPDX-License-Identifier: MIT
//
// Which solver does a mode's work with the fewest operations? Where `auto` may choose for an ODE,
// the run tries: a rival takes over for some steps, and whoever gets further for an operation
// goes on. What counts are evaluations and steps, not seconds, so that a run is the same on every
// machine and under every load. Where events come often, what is measured spans some of them: what
// a solver pays for its beginnings is part of its price. What was learnt in a mode holds when the
// mode is entered again.

#ifndef SALTUS_HYBRID_CONTEST_H
#define SALTUS_HYBRID_CONTEST_H

#include <saltus/saltus.h>

#include <stdbool.h>

typedef enum ContestRole {
    CONTEST_LOW,        // explicit, of order 5: little is lost where an event cuts a step
    CONTEST_HIGH,       // explicit, of order 8: long steps
    CONTEST_ROSENBROCK, // implicit, at its full order from the first step on
    CONTEST_MULTISTEP,  // implicit, with few evaluations for a step, but a slow beginning
    CONTEST_ROLES
} ContestRole;

// Of a mode in a run. All zero: nothing has been measured.
typedef struct Contest {
    ContestRole role, before;   // of the solver that is measured; in a trial: who had the work
    bool is_begun;              // somebody is measured
    bool is_trial;              // of the solver of this role
    bool is_stiff;              // because an explicit solver says that the mode is
    bool is_told;               // a client says the same of its own steps
    bool has_events;            // often
    int steps, events;          // of what is measured
    int stretch;                // steps since the last restart
    int shorts;                 // stretches in a row that were short
    long restarts, absences;    // of the run, as far as they are known here
    long apart;                 // evaluations that have nothing to do with a solver
    double t, cost;             // of the run, likewise, without these
    double gone, paid;          // time and cost of what is measured
    double total;               // cost of all steps in this mode
    double step;                // of the one before, in a trial
    double rate[CONTEST_ROLES]; // time for an operation, as it was last; 0: not known
    double waits[CONTEST_ROLES], stiff_waits[CONTEST_ROLES]; // before a rival is tried once more
    double due[CONTEST_ROLES], stiff_due[CONTEST_ROLES];     // when it is, by the total
} Contest;

// After a step that was accepted, with nothing that interrupts it: true if another solver takes
// over, whose first step is *step (0: its own choice).
bool contest_look(SaltusRun *run, double *step);

// What a client did in a stretch costs as well.
void contest_add_stretch(SaltusRun *run, const SaltusStatistics *stretch);
// How many steps, at most so many, a client may make before solvers are compared again. A solver
// that is tried because steps are limited by stability goes on with them.
long contest_steps_left(const SaltusRun *run, long most);

// No step succeeds, however short: true if there is another implicit solver, which takes over.
// The stages of explicit methods may leave the domain of the equations although the solution
// does not: their coefficients have both signs. Where x' = sqrt(t) - sqrt(x) begins at 0, the fifth
// stage of dopri5 lies below 0 for every size of the step. Those of rodas may do so, too, and find
// no solution of algebraic equations where cvode's predictor does.
bool contest_rescue(SaltusRun *run);

#endif
