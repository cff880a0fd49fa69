// SPDX-License-Identifier: MIT
//
// Equations that depend on each other in their highest derivatives, though the structure does not
// say so: C (u1' - u2') in one equation and C (u2' - u1') in another. Then the Jacobian of
// offsets.h is singular for all values, and offsets and index are too small.
//
// G. Tan, N. S. Nedialkov, J. D. Pryce: Conversion methods for improving structural analysis of
// differential-algebraic equation systems, BIT 57 (2017): with weights u, u^T J = 0, and the least
// c of the equations with u_i <> 0, an equation with that c is replaced by
//     sum u_i f_i^(c_i - c) = 0,
// in which the highest derivatives cancel: the value of the transversal falls, so this ends.
//
// Only weights that are constant are looked for: in rows whose coefficients are numbers, or have
// given values.

#ifndef SALTUS_STRUCTURE_DEPENDENCE_H
#define SALTUS_STRUCTURE_DEPENDENCE_H

#include "structure/offsets.h"

typedef struct Dependence {
    uint32_t replaced; // the equation that the sum takes the place of
    uint32_t count;
    const uint32_t *equations; // with the orders and weights of the sum
    const uint32_t *orders;
    const double *weights;
} Dependence;

// values[e] (NULL: none): the coefficient of entry e, where it is constant; NAN: not known. Numbers
// are known anyway. Each equation is replaced at most once. Near-linear for sparse blocks.
uint32_t dependence_find(Arena *arena, const Signature *s, const Offsets *o, const double *values,
                         const Dependence **found);

#endif
