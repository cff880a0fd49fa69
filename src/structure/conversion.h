// SPDX-License-Identifier: MIT
//
// Equations whose highest derivatives depend on each other for all values of variables and
// parameters are replaced by sums in which these cancel (dependence.h), so that the structural
// analysis sees what the system really is.
//
// Parameters count as indeterminates: they get numbers, twice, and only what holds with the same
// weights both times is used. So a conversion is right for all values of the parameters, up to an
// accident of the numbers that has probability zero.

#ifndef SALTUS_STRUCTURE_CONVERSION_H
#define SALTUS_STRUCTURE_CONVERSION_H

#include "structure/system.h"

// `system` itself where there is nothing to convert. *signature becomes that of the result.
const System *conversion_apply(Arena *arena, const System *system, const Signature **signature);

#endif
