// SPDX-License-Identifier: MIT
//
// Clocked differential equations with constraints between their states, as in inverse models. An
// explicit method gives each state a value from the tick before; where equations of the partition
// constrain states, that is too much. So constraints are differentiated,
//
// C. C. Pantelides: The consistent initialization of differential-algebraic systems, SIAM J. Sci.
// Stat. Comput. 9 (1988),
//
// until they determine slopes, and as many steps of states are left out: which ones is decided by
// the matching, those of states with the smallest stateSelect first (dummy derivatives: S. E.
// Mattsson, G. Soderlind, SIAM J. Sci. Comput. 14, 1993).

#ifndef SALTUS_MODES_ASSEMBLE_INDEX_H
#define SALTUS_MODES_ASSEMBLE_INDEX_H

#include "modes/assemble.h"

// Adds derivatives of undirected equations. False: there are none that would help, or a message
// says why they cannot be made.
bool assemble_reduce_index(Assembly *a);

#endif
