// SPDX-License-Identifier: MIT
//
// Where event functions that are zero go: the flow of a mode is followed for a short time, longer
// and longer, until they have left zero. So simple, double and triple roots are decided alike, in a
// mode that is not active yet. (For the active one the engine does the same: arm.h.)

#ifndef SALTUS_INSTANT_PROBE_H
#define SALTUS_INSTANT_PROBE_H

#include "instant/system.h"

// signs[i] of each event function i that is 0 before: -1, +1 just after, 0: it stays zero as far as
// can be seen, or the flow cannot be evaluated. Others are not looked at. An event function counts as zero below `accuracy` of MODEL_SIZES.
// The program's unknowns belong to the point again afterwards. False: no memory.
bool probe_signs(const Mode *mode, ProgramScratch *scratch, const ProgramInputs *inputs,
                 const double *guesses, double accuracy, signed char *signs);

#endif
