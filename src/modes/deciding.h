// SPDX-License-Identifier: MIT
//
// What decides about if-equations: the sign of one variable, as in ideal diodes, or nothing that is
// unknown, as in switches that are controlled, or anything else. Found once for all modes.

#ifndef SALTUS_MODES_DECIDING_H
#define SALTUS_MODES_DECIDING_H

#include "modes/assemble.h"

// In place of the variable whose sign decides.
#define DECIDING_NOTHING (DAG_NONE - 1) // that is unknown
#define DECIDING_OTHER DAG_NONE

// After everything else is assembled.
void deciding_assemble(Assembly *assembly);

#endif
