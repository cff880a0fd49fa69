// SPDX-License-Identifier: MIT
//
// Calls that are replaced by what the function computes.
//
// Functions of operator records are expressions in disguise: c1*c2 of complex numbers is four
// products. As calls they would hide from index reduction which member depends on which, that the
// equations are linear, and what can be solved for.

#ifndef SALTUS_FLATTEN_UNFOLD_H
#define SALTUS_FLATTEN_UNFOLD_H

#include "flatten/elaborate.h"

// The output of a function with operator records as inputs or output, for given values of its
// inputs. NULL: the call must stay. It stays if the body has loops, choices, checks, or what would
// trigger events outside of a function, or if the result would be too large.
FlatExpression *unfold_call(Flattener *f, Scope *s, const FlatFunction *fn, FlatExpression **values,
                            Span span);
// The nodes of an expression, `most` at most; what is in it twice counts twice.
uint32_t unfold_weight(const FlatExpression *e, uint32_t most);

#endif
