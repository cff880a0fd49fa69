// SPDX-License-Identifier: MIT
//
// Balanced models (section 4.7): as many equations as unknowns, in total and in every component.

#ifndef SALTUS_FLATTEN_BALANCE_H
#define SALTUS_FLATTEN_BALANCE_H

#include "flatten/instance.h"

void balance_check(Flattener *f);

#endif
