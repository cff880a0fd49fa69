// SPDX-License-Identifier: MIT
//
// Entering and leaving sliding modes at an event (modes/sliding.h has their equations).
//
// Entered: where arming turns a relation whose function is zero, and the function's rates along the
// flows of both sides point to the surface. Where no surface by itself will do, but relations turn
// each other to and fro without end, all that are zero slide together, if their unknowns are inside
// [0, 1]: a corner.
// Left: when an unknown is not inside any more; before reinit acts, so that it finds the states of
// the mode without sliding. Changes of the structure lead out of them by themselves. Whoever still
// has to slide afterwards is found by arming, at the same instant.
//
// What always holds: values are taken over, nothing jumps but by the error of the surface's event.

#ifndef SALTUS_INSTANT_SLIDING_H
#define SALTUS_INSTANT_SLIDING_H

#include "instant/settle.h"

// In the active mode, after settle; actions: values of MODEL_ACTIONS. *is_other: the mode is
// another one now, in which the iteration goes on. False: the run has failed. States that a surface
// determines stay where they were as the iteration began (begun, see sliding_asks): if it has moved
// without them, it is left.
bool sliding_leave(SaltusEvent *event, Settling *settled, const double *actions,
                   const double *begun, bool *is_other);
// Where the equations of the active mode have no solution any more: what held its surfaces there is
// gone (if y > 1 then 3 elseif x > 0 then -1 else 1, as y passes 1). All of them are left.
bool sliding_lose(SaltusEvent *event, Settling *settled, bool *is_other);
// At a crossing, before settle: so nobody sees the value of the other side, which the relation
// would have for no time. Only where somebody could; else it is found by arming.
bool sliding_meet(SaltusEvent *event, Settling *settled, bool *is_other);
// The same where nothing else happened in the iteration, by arming. What has moved in it is not the
// surface that was met.
bool sliding_enter(SaltusEvent *event, Settling *settled, const double *begun, bool *is_other);
// Whether these ask for what the memory, and then what is held, were as the iteration began.
bool sliding_asks(const SaltusEvent *event, const Mode *mode);
// Whether the last change of the mode began or ended sliding, where nothing jumps, and the event
// had turned this condition before, in a mode in which it was monitored: that is decided. held:
// what conditions were as the iteration began.
bool sliding_has_decided(const SaltusEvent *event, const Mode *mode, const ModelHold *hold,
                         const double *held);
// At the limit of events that accumulate: all surfaces that are zero there slide, if they can.
bool sliding_enter_limit(SaltusEvent *event, Settling *settled, bool *is_other);
// Likewise: all surfaces are left where the model rests without them, as at the end of what slides
// into an equilibrium. What slid is then what it says of zero: -sign(s) is 0.
bool sliding_leave_limit(SaltusEvent *event, Settling *settled, bool *is_other);

#endif
