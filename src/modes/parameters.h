// SPDX-License-Identifier: MIT
//
// Parameters: their values from their bindings, in the order in which they depend on each other, so
// that a value given from outside reaches all that depend on it.

#ifndef SALTUS_MODES_PARAMETERS_H
#define SALTUS_MODES_PARAMETERS_H

#include "modes/assemble.h"
#include "modes/model.h"
#include "modes/program.h"

// NULL after errors. Sets places[v] of every variable that is a parameter.
const Parameters *parameters_create(Assembly *assembly, CodePlace *places);

// The code of one that is computed; NULL: it is a number.
const CodeBody *parameters_code(const Parameters *p, uint32_t parameter);

// All values, with those given in place of their bindings.
SaltusStatus parameters_evaluate(const Parameters *p, const Sources *sources,
                                 const ParameterValue *given, uint32_t count, double *values,
                                 SaltusError *error);

// See model_follow_parameters.
SaltusStatus parameters_follow(const Parameters *p, const Sources *sources, const bool *is_set,
                               const double *before, double *values, SaltusError *error);

// Makes those of the values, which are those of the bindings, zero that are rounding: less than the
// last digits of what they are computed from make of them, like the cosine of pi/2.
void parameters_drop_rounding(const Parameters *p, const Sources *sources, double *values);

#endif
