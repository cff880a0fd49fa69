// SPDX-License-Identifier: MIT
//
// Linearization: the active mode of a run at its present state,
//
//   x' = f(t, x, z, u),  0 = g(t, x, z, u),  y = y(t, x, z, u)
//   dx' = A dx + B du,   dy = C dx + D du
//
// with the algebraic variables z eliminated, and the eigenvalues of A (LAPACK).
//
// What always holds: the run is not changed, all is done on a copy. Discrete variables and the
// choices of branches are held. Derivatives are by Ridders' method: central differences over
// shrinking steps, extrapolated, with an estimate of the error (C. J. F. Ridders: Accurate
// computation of F'(x) and F'(x)F''(x), Advances in Engineering Software 4, 1982).

#ifndef SALTUS_STUDIES_LINEARIZE_H
#define SALTUS_STUDIES_LINEARIZE_H

#include "base/memory.h"

#include <saltus/saltus.h>

// An input: an input of the system, or a direction in the space of its parameters.
typedef struct LinearizeInput {
    const char *name;
    const double *direction; // of the parameters, for du = 1; NULL: u[index]
    int index;
    double value; // at the point; 0 is fine
} LinearizeInput;

typedef struct LinearizeDef {
    int input_count;
    const LinearizeInput *inputs;
    int output_count;
    const int *outputs; // numbers of outputs of the mode
} LinearizeDef;

typedef struct Eigenvalue {
    double real, imaginary;
    double frequency; // |lambda| / (2 pi), in Hz
    double damping;   // -real / |lambda|; NAN for zero
} Eigenvalue;

// Matrices row by row. It stands alone: the run and its system may be destroyed.
typedef struct Linearization {
    double t;
    int mode;
    const char *mode_name;
    int n, input_count, output_count; // n: states
    const char **state_names, **input_names, **output_names;
    double *x, *dx, *u, *y; // the point
    double *a, *b, *c, *d;
    double error;            // estimated, of the elements, relative to the largest of their row
    Eigenvalue *eigenvalues; // n, by falling real part, then falling imaginary part
    MemoryPool pool;         // has all of it
    SaltusAllocator allocator;
} Linearization;

// NULL: an evaluation failed, or out of memory; `error` says which.
Linearization *linearize_run(const SaltusRun *run, const LinearizeDef *def, SaltusError *error);
void linearize_destroy(Linearization *linearization); // NULL is allowed

// The eigenvalues of a matrix (n by n, row by row). False: the QR steps did not converge, the
// matrix is not finite, or out of memory.
bool linearize_eigenvalues(int n, const double *a, Eigenvalue *eigenvalues);

#endif
