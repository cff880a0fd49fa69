// SPDX-License-Identifier: MIT
//
// The Jacobian of the derivatives of the states by the states, as expressions: exact, and cheaper
// than differences where its entries share what they are computed from.
//
// Along the definitions, in their order, each variable gets its derivatives by the states from
// those of the variables that occur in its definition (the chain rule, forwards). What is held is
// constant; at kinks it is the derivative of one side (equations/derive.h).

#ifndef SALTUS_MODES_SLOPES_H
#define SALTUS_MODES_SLOPES_H

#include "structure/solution.h"

#include <saltus/saltus.h>

typedef struct FlowSlopes {
    const Node
        *nodes;      // as SaltusJacobian wants them: in the order of a sparsity, or all, by columns
    uint32_t count;  // 0: there are none
    uint32_t groups; // evaluations of the derivatives that differences would take, at least
} FlowSlopes;

// None where a block has to be solved for the derivatives, where something has no derivative, or in
// large modes, where implicit solvers need few Jacobians.
FlowSlopes slopes_find(Dag *dag, const Solution *solution, const SaltusSparsity *sparsity);

#endif
