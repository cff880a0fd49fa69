// SPDX-License-Identifier: MIT
//
// Which derivatives of states depend on which states, through all blocks between them: the pattern
// of the Jacobian that implicit solvers need.
//
// The set of states that a variable depends on is the union of those of the variables that occur in
// its definition; all unknowns of a block depend on what any of its residuals depends on.

#ifndef SALTUS_MODES_SPARSITY_H
#define SALTUS_MODES_SPARSITY_H

#include "structure/solution.h"

#include <saltus/saltus.h>

// Whether a pattern of so many entries is worth more than a dense matrix.
bool sparsity_pays(uint32_t states, double entries);
// In the arena of the graph. NULL: dense, or so nearly that it does not matter.
const SaltusSparsity *sparsity_find(Dag *dag, const Solution *solution);

#endif
