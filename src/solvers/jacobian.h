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
    int n;           // unknowns and equations
    int value_count; // values that an evaluation writes
    // The pattern of sparse storage: the mode's sparsity and, except in the fully implicit
    // form, the diagonal of the states (alpha I needs its place); everything if the mode
    // gives no sparsity. NULL with dense storage.
    int *column_start; // n + 1
    int *rows;         // value_count, ascending in each column

    // The rest is the module's own.
    bool is_algebraic; // g and z only
    int first;         // the unknowns and equations are those of the problem from here on
    bool is_sparse;    // the mode gives a sparsity; then:
    int *given_start;  // n + 1, its compressed columns, the unknowns and equations before
    int *given_rows;   // `first` left out
    int *place;        // where its entry k is in our values
    int *source;       // where it is in the values of the mode's callback
    double *given;     // what the mode's callback writes, NULL: directly into our values
    int *diagonal;     // sparse storage: where diagonal element j < nx is in our values
    int group_count;   // differences: groups of columns that are moved together
    int *group_start;  // group_count + 1
    int *group;        // n columns
    double *work;      // 5 n
    double *full, *gz; // jacobian_reduced: n * n, nz * nz
    int *pivot;        // likewise: nz
} Jacobian;

// Of all equations with respect to all unknowns. NULL: out of memory.
Jacobian *jacobian_create(Problem *problem, JacobianStorage storage);
// Of g with respect to z only, of a semi-explicit problem: n = nz. Sparse where the mode gives a
// sparsity and that pays.
Jacobian *jacobian_create_algebraic(Problem *problem);
void jacobian_destroy(Jacobian *jacobian);

// d(f, g)/d(x, z) of a problem that is not fully implicit. `fg` holds f and g at the
// point if the caller knows them, else NULL. `span` is the step the caller is about to
// make, 0 if unknown: the increments of differences follow from it.
int jacobian_evaluate(Jacobian *jacobian, double t, const double *x, const double *z,
                      const double *fg, double span, double *values);

// dg/dz at (t, x, z), where the residuals are g; of jacobian_create_algebraic.
int jacobian_algebraic(Jacobian *jacobian, double t, const double *x, const double *z,
                       const double *g, double *values);

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
