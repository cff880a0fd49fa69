// SPDX-License-Identifier: MIT
//
// Whether a model can be integrated by others (model exchange): one set of states over all modes.

#ifndef SALTUS_FMI_STATES_H
#define SALTUS_FMI_STATES_H

#include "fmi/describe.h"

// False, and why: modes have other states, or may choose others on the way.
bool states_find(const Loaded *loaded, DescribeStates *states, char message[512]);

#endif
