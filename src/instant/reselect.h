// SPDX-License-Identifier: MIT
//
// Dynamic state selection: where the pivots of a mode's states become poor, another Mode of the
// same equations takes over, with states that are better there.
//
// What always holds: the other one has the same choices and the same event functions; a change is
// no event. A selection is given up where it is half as good as the best one there, so the new one
// stays for a while.

#ifndef SALTUS_INSTANT_RESELECT_H
#define SALTUS_INSTANT_RESELECT_H

#include "instant/system.h"

// The mode with the best states for these values of MODEL_PIVOTS; the same one if it is good
// enough, or if there is no other. The scratch is one of the mode's.
const Mode *reselect_mode(const Mode *mode, ModelScratch *scratch, const double *pivots);
// The same of a mode of one part.
const Mode *reselect_part(const Mode *mode, const double *pivots);

// What a variable is in a mode that is solved: a state, or among the unknowns.
double reselect_value(const Mode *mode, const ProgramScratch *scratch, const double *x, uint32_t v);

// At an accepted step.
void reselect_accepted(SaltusEvent *event);
// Whether other states would be better at a point of a mode that a model made; z: a guess.
bool reselect_is_due(const SaltusContext *context, double t, const double *x, const double *z);

#endif
