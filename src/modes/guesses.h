// SPDX-License-Identifier: MIT
//
// Guesses for the unknowns of an initialization: the start value where one is given; else, where an
// equation says what the variable is, v = e, the value of e with the guesses of what it consists
// of; else 0.

#ifndef SALTUS_MODES_GUESSES_H
#define SALTUS_MODES_GUESSES_H

#include "modes/analyse.h"

// They contain time, parameters, what is held or discrete.
void guesses_find(const Gathered *gathered, const Analysis *analysis,
                  const GraphVariable *variables, uint32_t count, Node *guesses);

#endif
