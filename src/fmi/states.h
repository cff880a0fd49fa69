// SPDX-License-Identifier: MIT
//
// The states that others integrate (model exchange): those of all modes together. What a mode does
// not have as a state is still a variable of it, with a derivative (fmu/exchange.c).

#ifndef SALTUS_FMI_STATES_H
#define SALTUS_FMI_STATES_H

#include "fmi/describe.h"

// False, and why.
bool states_find(const Loaded *loaded, DescribeStates *states, char **message);

#endif
