// SPDX-License-Identifier: MIT
//
// Jacobians of a problem, for every solver that needs one: from the mode's callback
// where it gives one, else by differences, coloured where it gives a sparsity.
//
// The unknowns are y = (x, z), n = problem->n of them; the equations are (f, g), or F
// of a fully implicit problem. Values are stored dense, column by column, or in the
// compressed columns of `column_start` and `rows`. Creation allocates, evaluation never.
//
// Every evaluation returns 0, a positive number (recoverable) or a negative one, with
// problem->failure set, and counts statistics->jacobians.

#ifndef SALTUS_SOLVERS_JACOBIAN_H
#define SALTUS_SOLVERS_JACOBIAN_H

#include "solvers/problem.h"

typedef enum JacobianStorage {
    JACOBIAN_DENSE,  // n * n values
    JACOBIAN_SPARSE, // value_count values, in the order of column_start and rows
} JacobianStorage;

typedef struct Jacobian {
    Problem *problem;
    JacobianStorage storage;
    int n;
    int value_count; // values that an evaluation writes
    // The pattern of sparse storage: the mode's sparsity and, except in the fully implicit
    // form, the diagonal of the states (alpha I needs its place); everything if the mode
    // gives no sparsity. NULL with dense storage.
    int *column_start; // n + 1
    int *rows;         // value_count, ascending in each column
    struct JacobianDifferences *differences; // NULL if the mode gives its Jacobian
    int *place; // with a sparsity: value k of the mode's order is value place[k] of ours
    double *values; // with a sparsity: values in the mode's order
    double *work;   // 5 n
} Jacobian;

// NULL: out of memory.
Jacobian *jacobian_create(Problem *problem, JacobianStorage storage);
void jacobian_destroy(Jacobian *jacobian);

// d(f, g)/d(x, z) of a problem that is not fully implicit. `fg` holds f and g at the
// point if the caller knows them, else NULL. `span` is the step the caller is about to
// make, 0 if unknown: the increments of differences follow from it.
int jacobian_evaluate(Jacobian *jacobian, double t, const double *x, const double *z,
                      const double *fg, double span, double *values);

// d(f, g)/dt over the step `span` (not 0) from t: one-sided differences inside the step.
int jacobian_time(Jacobian *jacobian, double t, const double *x, const double *z, const double *fg,
                  double span, double *derivative);

// dF/d(x, z) + alpha dF/dx' with F of any form: of a semi-explicit one F = (x' - f, g).
// `span` as above.
int jacobian_implicit(Jacobian *jacobian, double t, const double *x, const double *z,
                      const double *dx, double alpha, double span, double *values);

// df/dx of a semi-explicit problem with z solved for, f_x - f_z g_z^-1 g_x: nx * nx values,
// dense. For solvers that see x' = f(t, x, z(t, x)); of an ODE the same as jacobian_evaluate.
// Dense storage only.
int jacobian_reduced(Jacobian *jacobian, double t, const double *x, const double *z, double span,
                     double *values);

#endif
