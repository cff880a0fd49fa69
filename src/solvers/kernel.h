// SPDX-License-Identifier: MIT
//
// The arithmetic of an explicit Runge-Kutta step, compiled for each tableau, so that coefficients
// are constants and terms with coefficient 0 are not there; and for small systems, of which there
// are many, for each number of components, so that there are no loops over them.
//
// k holds the stages one after the other, problem->nx doubles each. Names and
// formulas as in tableau.h. Evaluations return 0, positive (recoverable) or negative;
// values that are not finite are recoverable failures.

#ifndef SALTUS_SOLVERS_KERNEL_H
#define SALTUS_SOLVERS_KERNEL_H

#include "solvers/problem.h"

typedef struct Kernel {
    // Stages 0 ... s - 1 of a step from (t, x), where x' is dx, to t_new, and x_new. z: with
    // algebraic residuals the guess that goes in, then carried from stage to stage; else NULL.
    int (*stages)(Problem *problem, double t, double t_new, const double *x, const double *dx,
                  double *z, double *k, double *x_new);

    // The norm of the embedded error estimate. NULL: fixed step.
    double (*error)(const Problem *problem, double h, const double *x, const double *x_new,
                    const double *k);

    // The stages after k[s], for the dense output; x_work: nx doubles. NULL: there are none.
    int (*more_stages)(Problem *problem, double t, double t_new, const double *x, double *z,
                       double *k, double *x_work);

    // The terms r of the dense output of a step from t to t_new, n doubles each.
    void (*dense)(int n, double h, const double *x, const double *x_new, const double *k,
                  double *r);
    // Its values at `count` times, n doubles each.
    void (*values)(int n, double t, double t_new, const double *x, const double *r, int count,
                   const double *times, double *values);
} Kernel;

// Kernels by number of components; 0: any. The last one is for many components on a machine that
// has vectors of four numbers. Its bits are those of the others: each component is computed as it
// would be alone, and nothing is contracted.
enum { KERNEL_SIZES = 4, KERNEL_WIDE = KERNEL_SIZES, KERNELS };

#if defined(__GNUC__) && defined(__x86_64__)
#define KERNEL_MACHINE __attribute__((target("avx2")))
static inline bool kernel_has_machine(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
#else
#define KERNEL_MACHINE
static inline bool kernel_has_machine(void)
{
    return false;
}
#endif

static inline int kernel_place(int n)
{
    if (n < KERNEL_SIZES)
        return n;
    return n >= PROBLEM_MANY && kernel_has_machine() ? KERNEL_WIDE : 0;
}

// The derivatives at (t, x), checked.
static inline int kernel_evaluate(Problem *problem, double t, const double *x, double *z,
                                  double *dx)
{
    int code = problem_rhs(problem, t, x, z, dx);
    return code != 0 ? code : problem_check(problem, dx, problem->nx, 0, "the right-hand side", t);
}

#endif
