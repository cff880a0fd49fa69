// SPDX-License-Identifier: MIT
//
// Units: warns about equations whose sides, and sums whose terms, have different dimensions.

#ifndef SALTUS_FLATTEN_UNITS_H
#define SALTUS_FLATTEN_UNITS_H

#include "flatten/instance.h"

void units_check(Flattener *f);

#endif
