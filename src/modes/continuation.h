// SPDX-License-Identifier: MIT
//
// homotopy(actual, simplified) at the initialization, when Newton's method fails without: the
// initial equations with lambda actual + (1 - lambda) simplified in its place are solved for
// lambda = 0 from the start values, then for larger and larger lambda from the solution before, up
// to lambda = 1 (section 3.7.4.4 of the specification). The solution is where the initialization
// itself begins once more.
//
// These equations have a structure of their own, since the simplified ones may contain other
// variables; so they are a program of their own. Conditions stay as they are on the way.

#ifndef SALTUS_MODES_CONTINUATION_H
#define SALTUS_MODES_CONTINUATION_H

#include "modes/model_parts.h"

// For the mode of these choices; NULL: the model has no homotopy, or the simplified equations
// cannot be solved.
const Continuation *continuation_create(const Model *model, const uint32_t *choices);

const Continuation *continuation_keep(const Continuation *continuation,
                                      const Keeper *keeper); // or NULL

// New guesses for the start. False: it came not to the end. `memory` is that of `inputs`.
bool continuation_run(const Continuation *continuation, const ProgramInputs *inputs, double *memory,
                      const Program *start, double *guesses);

#endif
