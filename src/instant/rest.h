// SPDX-License-Identifier: MIT
//
// Behind an accumulation point: what a model does where its events accumulate, with the states at
// their limits. Conditions that are zero there are what they say of zero, and when clauses act on
// that, as they would if the point were reached. Whether the model stays there is for the engine to
// see: a ball that has a state of rest lies then, one that has none would fall through its floor.

#ifndef SALTUS_INSTANT_REST_H
#define SALTUS_INSTANT_REST_H

#include "instant/settle.h"

// The action of SaltusSystemDef.accumulated.
void rest_at_limit(SaltusEvent *event);

#endif
