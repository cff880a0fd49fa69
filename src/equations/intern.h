// SPDX-License-Identifier: MIT
//
// The hash table behind the graph: only its constructors use it.

#ifndef SALTUS_EQUATIONS_INTERN_H
#define SALTUS_EQUATIONS_INTERN_H

#include "equations/dag.h"

// The type of an operation on these operands.
DagType intern_type(const Dag *dag, Operator op, const Node *operands);

// The node with this content, made if there is none. Type, variability and facts of operations are
// filled in here.
Node intern_number(Dag *dag, DagType type, double value);
Node intern_operation(Dag *dag, Operator op, Node a, Node b, Node c);
Node intern_power(Dag *dag, Node base, int power);

#endif
