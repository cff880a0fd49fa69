// SPDX-License-Identifier: MIT
//
// Equations 0 = if c then a else b as if-equations: nothing in them is there in both branches, so
// that the branches may have different structure. Likewise u = if c then 0 else s where s occurs in
// such branches only: the diode of the textbooks, also with factors, u = s*(if c then 0 else 1).
// And k der(x) where such a factor takes the derivative away. Whether they have, branches.h
// decides.

#ifndef SALTUS_MODES_SPLIT_H
#define SALTUS_MODES_SPLIT_H

#include "base/arena.h"
#include "flatten/flat.h"

// What the branches of such an equation differ by may be a multiple of what the condition compares:
// i and -u where i < -u. Then they are complementary: where one thing is not zero, another one is.

// The model itself where there are no such equations; else a copy that shares all the rest.
const FlatModel *split_choices(Arena *arena, const FlatModel *flat);
// Marks parameters that would make equations such ones if they were numbers, or would take what
// decides about an equation out of one of its branches, u = s*(if s < 0 then 1 else Ron); is_zero:
// those that are zero, by variable.
void split_mark_zeros(Arena *arena, const FlatModel *flat, const bool *is_zero, bool *is_marked);

static inline bool split_is_complementary(const FlatIf *c)
{
    return c->has_multiples && !c->has_jumps;
}

// Whether expressions say the same in the same words.
bool split_is_equal(const FlatExpression *a, const FlatExpression *b);
// Whether one condition is the other, or (is_opposite) its opposite, in whatever words.
bool split_is_same(const FlatExpression *a, const FlatExpression *b, bool is_opposite);

#endif
