// SPDX-License-Identifier: MIT
//
// Ideal switches in other words. An equation is taken as a sum of terms with choices in it: if
// (of two branches), min, max, abs, semiLinear. In each of their branches it has other terms, some
// of which may cancel. Where no unknown is left in both branches, 0 = min(i, -u) or i = max(0, i +
// u), and where one occurs in branches only and decides, i = max(0, s) with u = s - max(0, s), the
// equation is written as 0 = if c then a else b, and what split.h says of such equations follows.
// (min and max have no events otherwise.)
//
// Before that, branches for equality are dropped, if s > 0 then a elseif s < 0 then b else c, where
// c is what a or b is at s = 0.

#ifndef SALTUS_MODES_REWORD_H
#define SALTUS_MODES_REWORD_H

#include "base/arena.h"
#include "flatten/flat.h"

// The model itself where there are no such equations; else a copy that shares all the rest.
const FlatModel *reword_choices(Arena *arena, const FlatModel *flat);
// Whether two values, that a relation decides between, differ by a multiple of what it compares: i
// and -u by i < -u. Such a choice is continuous, and one of two things is zero.
bool reword_is_complementary(Arena *arena, const FlatExpression *relation, FlatExpression *one,
                             FlatExpression *other);

#endif
