// SPDX-License-Identifier: MIT
//
// Discrete variables that depend on themselves without pre: a = not b, b = not a. They have no
// value, or more than one, and the specification does not say which (appendix B): an error.

#ifndef SALTUS_MODES_CYCLE_H
#define SALTUS_MODES_CYCLE_H

#include "modes/gather.h"

// False, after a message, if there is one.
bool cycle_check(Gathered *gathered);

#endif
