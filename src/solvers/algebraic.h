// SPDX-License-Identifier: MIT
//
// Solves the algebraic equations 0 = g(t, x, z) of a semi-explicit problem for z.

#ifndef SALTUS_SOLVERS_ALGEBRAIC_H
#define SALTUS_SOLVERS_ALGEBRAIC_H

#include "solvers/problem.h"

// NULL: out of memory. algebraic_destroy accepts NULL.
ProblemNewton *algebraic_create(Problem *problem);
void algebraic_destroy(ProblemNewton *newton);

// z: guess in, solution out (on failure still the guess). A pure function of (t, x, z). 0, or
// the code of a failed evaluation, or positive, with problem->failure set.
int algebraic_solve(ProblemNewton *newton, double t, const double *x, double *z);

#endif
