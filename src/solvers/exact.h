// SPDX-License-Identifier: MIT
//
// The exact solution of linear modes, as a solver: where it can be used.

#ifndef SALTUS_SOLVERS_EXACT_H
#define SALTUS_SOLVERS_EXACT_H

#include "solvers/problem.h"

#include <stdbool.h>

// Whether the equations of a problem are linear, and few enough for dense matrices.
bool exact_is_possible(const Problem *problem);
// Whether that is the best that can be done with them.
bool exact_pays(const Problem *problem);

#endif
