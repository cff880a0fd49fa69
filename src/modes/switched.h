// SPDX-License-Identifier: MIT
//
// The linear equations of a program without solving them: what is left over in them, and what an
// entry is, where their unknowns have any values. Both are affine in the unknowns if all stages are
// linear; singular or not does not matter.

#ifndef SALTUS_MODES_SWITCHED_H
#define SALTUS_MODES_SWITCHED_H

#include "modes/program.h"

// How many unknowns are solved for in all linear stages. False: there are nonlinear ones.
bool switched_count(const Program *p, uint32_t *count);
// Residuals, as many as unknowns u, and the values of an entry. False: an evaluation failed.
bool switched_evaluate(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                       EntryNumber entry, const double *u, double *residuals, double *values);

#endif
