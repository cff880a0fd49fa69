// SPDX-License-Identifier: MIT
//
// Transitions of state machines at an event: the step of the machines, and the entry of states.
//
// The order of an entry: the iteration ends in the mode that is left; states that are reset take
// their start values, with what shared variables were just before; then when clauses act on what is
// active now, from left limits alone, before any equation of the entered state is looked at; then
// comes the consistent restart.

#ifndef SALTUS_INSTANT_TRANSITIONS_H
#define SALTUS_INSTANT_TRANSITIONS_H

#include "instant/change.h"

// One step with the values that were settled. has_changed: another state is active, the mode was
// changed; is_unsettled: another iteration is needed. False: the run has failed.
bool transitions_step(SaltusEvent *event, Settling *settled, bool *has_changed, bool *is_unsettled);
// The states that were entered are as others from now on.
void transitions_end(const Model *model, ModelMemory *memory);

#endif
