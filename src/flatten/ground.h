// SPDX-License-Identifier: MIT
//
// Potentials that nothing determines, because the equations contain only their differences: a
// circuit without ground. Such equations are singular, but what a singular system says of itself is
// a sum of currents that follows from the others; this says what is missing.

#ifndef SALTUS_FLATTEN_GROUND_H
#define SALTUS_FLATTEN_GROUND_H

#include "base/diagnostics.h"
#include "flatten/flat.h"

// An error for each set of potentials that could all be higher by the same amount. False after one.
bool ground_check(Arena *arena, const FlatModel *model, Diagnostics *diagnostics);

#endif
