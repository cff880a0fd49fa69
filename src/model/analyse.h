// SPDX-License-Identifier: MIT
//
// From equations to formulas: the structure of what was assembled, its initialization, and both
// solved block by block.

#ifndef SALTUS_MODEL_ANALYSE_H
#define SALTUS_MODEL_ANALYSE_H

#include "model/assemble.h"
#include "structure/initial.h"
#include "structure/solution.h"

typedef struct Analysis {
    Assembly *assembly;
    System system;
    const Signature *signature;
    const Structure *structure;
    const Initial *initial;
    const Solution *flow, *start;
} Analysis;

// False after errors.
bool analyse(Assembly *assembly, Analysis *analysis);

// What must be zero of an initial equation or a start value.
Node analyse_initial_row(const Analysis *analysis, const InitialRow *row);
// The start value of a variable of the graph: 0 where none is given.
Node analyse_start_value(Assembly *assembly, uint32_t variable);
// Nominal values, one per variable of the graph; 0: not given.
const double *analyse_nominals(const Analysis *analysis);

#endif
