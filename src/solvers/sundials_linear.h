// SPDX-License-Identifier: MIT
//
// The linear algebra of the SUNDIALS solvers: a matrix, its linear solver and the Jacobian that
// fills it. Dense below a size or where the mode gives no sparsity, KLU above.
//
// The pattern of a sparse matrix never changes, so KLU's analysis and pivot order are kept over
// restarts; they are made anew when a factorization with them fails. Creation allocates, and
// so does the first factorization with KLU; later ones do not.

#ifndef SALTUS_SOLVERS_SUNDIALS_LINEAR_H
#define SALTUS_SOLVERS_SUNDIALS_LINEAR_H

#include "solvers/jacobian.h"
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

typedef struct SundialsLinear {
    Jacobian *jacobian;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    int n;
    int value_count;
    bool is_sparse;
    int *pivot; // dense
    int flag;   // dense: the column of a zero pivot, from 1; 0: none
} SundialsLinear;

// For a matrix over vectors like y; `linear` must not move. reduced: of the states alone, where the
// algebraic variables of a semi-explicit problem are solved for. False: out of memory (destroy all
// the same).
bool sundials_linear_create(SundialsLinear *linear, Problem *problem, N_Vector y, bool reduced,
                            SUNContext context);
void sundials_linear_destroy(SundialsLinear *linear);

// The values of the matrix, in the order of the Jacobian; writing them needs the pattern,
// which SUNDIALS erases together with the values.
double *sundials_linear_values(const SundialsLinear *linear);
void sundials_linear_restore_pattern(SundialsLinear *linear);

// matrix = I - gamma * values, with the values of the Jacobian df/dx.
void sundials_linear_shift(SundialsLinear *linear, double gamma, const double *values);

#endif
