// SPDX-License-Identifier: MIT
//
// The compiled modes of this FMU: those that are linked into it, and where the others are.

#ifndef SALTUS_FMU_BUILT_IN_H
#define SALTUS_FMU_BUILT_IN_H

#include "code/native.h"

// Ends with a NULL key. Where an FMU is built from its sources, `saltus fmu` wrote the list.
extern const NativeBuiltIn fmu_built_in[];

#endif
