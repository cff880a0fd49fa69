// SPDX-License-Identifier: MIT
//
// Calls replaced by what the function computes, for functions that ask for it by the annotation
// Inline (or LateInline, InlineAfterIndexReduction): then the structure of the equations is seen
// through the call, and what it is linear in.

#ifndef SALTUS_EQUATIONS_INLINE_H
#define SALTUS_EQUATIONS_INLINE_H

#include "equations/dag.h"

// `node` with the results of such calls replaced, also in what is put in.
Node inline_calls(Dag *dag, Node node);

#endif
