// SPDX-License-Identifier: MIT
//
// Parameters that are zero: a resistance or capacitance that is left out. The structure of the
// equations must not rest on `R * i = v - u` determining i if R is zero: without that term it is
// another structure, often of another index. So where no solution by the structure gets along
// without such coefficients, the parameters in them shape the model, like sizes of arrays: they
// count as numbers from then on, and other values of them make another variant of the model.

#ifndef SALTUS_MODES_ZEROS_H
#define SALTUS_MODES_ZEROS_H

#include "modes/gather.h"
#include "modes/model_parts.h"
#include "structure/signature.h"

// The parameters that shape the mode of these choices, by number of the flat model's variables, in
// the arena; those that they are computed from are among them. NULL: none does.
const bool *zeros_find(const Model *model, Arena *arena, const Choice *choices);
// Whether no coefficient of the gathered equations, with this signature, and no variable is zero
// because parameters are.
bool zeros_are_none(const Gathered *gathered, const Signature *signature);
// Makes these parameters structural, with their own values, or plain again.
void zeros_fix(const Model *model, const bool *is_zero);
void zeros_release(const FlatModel *flat, const bool *is_zero);
// In a model that has been shaped so: v = 0 f(x) is v = 0, whatever f is.
void zeros_reduce(Gathered *gathered);

#endif
