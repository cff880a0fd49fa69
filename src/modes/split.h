// SPDX-License-Identifier: MIT
//
// Equations 0 = if c then a else b as if-equations: nothing in them is there in both branches, so
// that the branches may have different structure. Likewise u = if c then 0 else s where s occurs in
// such branches only: the diode of the textbooks. Whether they have, branches.h decides.

#ifndef SALTUS_MODES_SPLIT_H
#define SALTUS_MODES_SPLIT_H

#include "base/arena.h"
#include "flatten/flat.h"

// The model itself where there are no such equations; else a copy that shares all the rest.
const FlatModel *split_choices(Arena *arena, const FlatModel *flat);

#endif
