// SPDX-License-Identifier: MIT
//
// A run that somebody else integrates (FMI for model exchange): values of the active mode at any
// time and states, and events where the integrator has found them.

#ifndef SALTUS_HYBRID_EXCHANGE_H
#define SALTUS_HYBRID_EXCHANGE_H

#include <saltus/saltus.h>

// Derivatives, event functions and outputs of the active mode at a time and states; NULL: not
// wanted. The run is not changed, but for what it knows of its event functions' signs. 0, or an
// evaluation failed. Event functions that are not monitored are 1, and those that are zero after an
// event have the sign that they are known to have.
int exchange_evaluate(SaltusRun *run, double t, const double *x, double *dx, double *h, double *y);

// The integrator has come here by an accepted step.
void exchange_accept(SaltusRun *run, double t, const double *x);

// An event at this time and states: event functions that have changed their signs since the last
// event fire, and time events that are due. Without either the run is there as after an accepted
// step.
SaltusStatus exchange_event(SaltusRun *run, double t, const double *x);

// An event at this time and states, at which these event functions cross zero, whatever their
// values are; z: a guess. The run may go back for it.
SaltusStatus exchange_fire(SaltusRun *run, double t, const double *x, const double *z,
                           const SaltusFired *crossings, int count);

// A parameter changes as time goes on (the value of a continuous input): no event.
void exchange_set_parameter(SaltusRun *run, int index, double value);

#endif
