// SPDX-License-Identifier: MIT
//
// Symbolic derivatives. A derivative is zero where its variable does not occur: that zero is the
// constant, and products with it are never made, so no 0 * x is left behind.
//
// Rules at kinks and jumps: d|x| = sign(x) dx, d min(a, b) = if a < b then da else db (silent
// relations: a derivative triggers no events of its own), d sign = d floor = ... = 0, the condition
// of an if-expression is not differentiated, what is held is constant.

#ifndef SALTUS_EQUATIONS_DERIVE_H
#define SALTUS_EQUATIONS_DERIVE_H

#include "equations/dag.h"
#include "equations/walk.h"

// A differentiation with fixed derivatives of the variables. It remembers what it has
// differentiated, so keep one for many expressions.
typedef struct Derivation {
    Dag *dag;
    DagMemo *seeds; // variable -> node that is its derivative; others: zero
    bool owns_seeds;
    bool is_temporal; // others: by time, see derive_by_time
    DagMemo *done;
    const char *reason; // why the last one failed
} Derivation;

// By one variable: its derivative is 1, all others have 0.
Derivation derive_by(Dag *dag, uint32_t variable);
// In a direction: seeds maps variables to nodes.
Derivation derive_along(Dag *dag, DagMemo *seeds);
// By time: time has 1; a DAG_CONTINUOUS variable of role plain, derivative or auxiliary has its
// derivative variable (made if there is none) unless seeds (may be NULL) has another; all
// others have 0.
Derivation derive_by_time(Dag *dag, DagMemo *seeds);
void derive_end(Derivation *d);

// The derivative of e; NODE_NONE if it has none (an impure function, an order of derivative that an
// annotation does not give...): then `reason` says why.
Node derive(Derivation *d, Node e);

// w times the partial derivative of an operation (not `if`) by its operand k.
Node derive_scaled(Dag *dag, Node node, uint32_t k, Node w);
// The partial derivative of a result of a call by one argument; NODE_NONE: there is none.
Node derive_argument(Dag *dag, Node result, uint32_t argument, const char **reason);

// The gradient of e: for every variable that `variables` has (NULL: all) and e depends on, its
// partial derivative, by one sweep backwards: cost proportional to the size of e.
// By ascending variable, in the arena; false: not differentiable.
bool derive_gradient(Dag *dag, Arena *arena, Node e, const DagMemo *variables, DagTerm **partials,
                     uint32_t *count);

#endif
