// SPDX-License-Identifier: MIT
//
// The derivatives of expressions along the flow of a mode, dh/dt = h_t + h_x x' + h_w w', in
// formulas, for the event functions.
//
// The rates w' of the unknowns that occur follow from the blocks that determine the unknowns, each
// differentiated by time: w = e gives w' = e'; the residuals r(w, ...) = 0 of a block give a linear
// system for w' with the Jacobian that the block has anyway.

#ifndef SALTUS_MODES_RATES_H
#define SALTUS_MODES_RATES_H

#include "structure/solution.h"

typedef struct Rates {
    const SolutionBlock *blocks; // determine the rates, in the order of evaluation
    uint32_t block_count;
    const Node *nodes; // the derivatives of the expressions
} Rates;

// False: something that occurs has no derivative.
bool rates_find(Dag *dag, const Solution *solution, const Node *nodes, uint32_t count,
                Rates *rates);

#endif
