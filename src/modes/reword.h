// SPDX-License-Identifier: MIT
//
// Ideal switches in other words. An equation is taken as a sum of terms with choices in it: if
// (of two branches), min, max, abs, semiLinear. In each of their branches it has other terms, some
// of which may cancel. Where no unknown is left in both branches, 0 = min(i, -u) or i = max(0, i +
// u), and where one occurs in branches only and decides, i = max(0, s) with u = s - max(0, s), the
// equation is written as 0 = if c then a else b, and what split.h says of such equations follows.
// (min and max have no events otherwise.)

#ifndef SALTUS_MODES_REWORD_H
#define SALTUS_MODES_REWORD_H

#include "base/arena.h"
#include "flatten/flat.h"

// The model itself where there are no such equations; else a copy that shares all the rest.
const FlatModel *reword_choices(Arena *arena, const FlatModel *flat);

#endif
