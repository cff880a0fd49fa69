// SPDX-License-Identifier: MIT
//
// What a study varies, in the flat model: parameters, and start values, which become parameters of
// their own called "x.start".

#ifndef SALTUS_STUDIES_VARY_H
#define SALTUS_STUDIES_VARY_H

#include "flatten/flat.h"

// Before the model is compiled. A name that the model does not have changes nothing.
void vary(Arena *arena, FlatModel *flat, const char *name);

#endif
