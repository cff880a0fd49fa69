// SPDX-License-Identifier: MIT
//
// Rules about variability that only the whole flat model can be checked for: no cycles in the
// bindings of parameters, left limits of discrete variables only, no equality of Reals that change.

#ifndef SALTUS_FLATTEN_VARIABILITY_H
#define SALTUS_FLATTEN_VARIABILITY_H

#include "flatten/context.h"

void variability_check(Flattener *f);

#endif
