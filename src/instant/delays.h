// SPDX-License-Identifier: MIT
//
// delay(expr, delayTime): the past of what is delayed (Modelica specification, section 3.7.4.1).
//
// What is delayed is a variable of its own. Its values are recorded for each piece of a run, in the
// form of base/history.h, which the equations read by a handle in the memory. Where it jumped, what
// was delayed jumps later: at a time event. No step is longer than half of the shortest delay, so
// that what a step reads was recorded before it. Fronts that leave at an end of a
// spatialDistribution are state events. When jumps arrive after a time that changes during
// the run is not known; they are left to the error control of the solver, as is the length of
// steps, for what a step reads too early is no number.
//
// The histories belong to the run, not to the memory that is copied at events: an event that is
// undone had nothing recorded, for its instant has no length.

#ifndef SALTUS_INSTANT_DELAYS_H
#define SALTUS_INSTANT_DELAYS_H

#include "modes/model_parts.h"

// What the engine has to know.
void delays_define(const Model *model, SaltusSystemDef *def);
// At the start; `samples`: MODEL_SAMPLES. False: a delay is not possible, with a message.
bool delays_start(SaltusEvent *event, const double *samples, char **message);
// At the beginning of an iteration: what jumped long enough ago jumps now. What that changed, as an
// event_update answers.
unsigned delays_update(SaltusEvent *event);
// At the end of one: fronts that have arrived (base/profile.h) have left.
unsigned delays_pass_fronts(SaltusEvent *event);
// The time events of jumps, and the limit of the step.
void delays_schedule(SaltusEvent *event);

#endif
