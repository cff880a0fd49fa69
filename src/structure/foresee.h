// SPDX-License-Identifier: MIT
//
// What a call of a function gives whatever some of its arguments are: the function runs with values
// that are numbers or not known (NAN). Zero times what is not known is zero, a choice that is not
// known has the value that both of its sides have. So a capacitance that is c0 / (1 - u)^m is known
// to be zero if c0 is, though a function with many branches computes it.

#ifndef SALTUS_STRUCTURE_FORESEE_H
#define SALTUS_STRUCTURE_FORESEE_H

#include "equations/dag.h"

// An operation on such values.
double foresee_operation(Operator op, uint32_t count, const double *operand);
// The results of a function. Takes from *steps; without any left nothing is known.
void foresee_call(Dag *dag, uint32_t function, const double *inputs, double *outputs,
                  uint64_t *steps);

#endif
