// SPDX-License-Identifier: MIT
//
// homotopy(actual, simplified) at the initialization: the initial equations with
// lambda actual + (1 - lambda) simplified in its place are solved for lambda = 0 from the start
// values, then for larger and larger lambda from the solution before, up to lambda = 1 (section
// 3.7.4.4 of the specification). The solution is where the initialization itself begins. Where the
// actual equations have several solutions, the simplified ones say which is meant.
//
// These equations have a structure of their own, since the simplified ones may contain other
// variables; so they are a program of their own. Conditions are those of the simplified solution,
// and stay as they are on the way.

#ifndef SALTUS_MODES_CONTINUATION_H
#define SALTUS_MODES_CONTINUATION_H

#include "modes/model_parts.h"

// For the mode of these choices; NULL: the model has no homotopy, or the simplified equations
// cannot be solved.
const Continuation *continuation_create(const Model *model, const Choice *choices);

const Continuation *continuation_keep(const Continuation *continuation,
                                      const Keeper *keeper); // or NULL

// Sets the conditions to what they are with the unknowns of the start as they are now. False: that
// cannot be computed.
typedef bool (*ContinuationConditions)(void *user, bool *changed);

// New guesses for the start, whose unknowns `w` are changed. False: it came not to the end.
// `memory` is that of `inputs`.
bool continuation_run(const Continuation *continuation, const ProgramInputs *inputs, double *memory,
                      const Program *start, double *w, double *guesses,
                      ContinuationConditions conditions, void *user);

#endif
