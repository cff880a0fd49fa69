// SPDX-License-Identifier: MIT
//
// Signs of expressions: whether a coefficient can be zero. What is known comes from the operators
// alone: exp(x) and 1 + x^2 are positive, whatever x is. A parameter counts as a value that is not
// zero, unless the values that are known say so.
//
// Each node is looked at once; the answers are kept.

#ifndef SALTUS_STRUCTURE_NONZERO_H
#define SALTUS_STRUCTURE_NONZERO_H

#include "equations/dag.h"

typedef struct Nonzero Nonzero;

// runs_calls: nonzero_vanishes looks into functions (foresee.h), within bounds.
Nonzero *nonzero_create(Dag *dag, bool runs_calls);
void nonzero_end(Nonzero *n);

// Zero for no values of the variables.
bool nonzero_always(Nonzero *n, Node node);
// A formula of parameters that is zero with these values (by variable of the graph, `count` of
// them; NAN: it is not known): it may be another one in other runs, but to divide by it would be
// unwise.
bool nonzero_vanishes(Nonzero *n, Node node, const double *values, uint32_t count);
// Between which sizes such a formula is, over the sides of the if-expressions in it (a zero apart:
// see below). False: it is not known, or may be zero.
bool nonzero_size(Nonzero *n, Node node, const double *values, uint32_t count, double *least,
                  double *most);
// The number zero on one side of an if-expression, and something else on the other.
bool nonzero_by_choice(Nonzero *n, Node node);

#endif
