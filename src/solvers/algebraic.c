// SPDX-License-Identifier: MIT
//
// Newton's method for the algebraic equations: residuals from the problem, a Jacobian that is given
// or found by differences, dense or sparse factors.

#include "solvers/algebraic.h"

#include "base/memory.h"
#include "numerics/dense.h"
#include "numerics/newton.h"
#include "numerics/sparse.h"
#include "solvers/jacobian.h"
#include <float.h>
#include <math.h>
#include <string.h>

// A correction that no longer contracts is rounding noise if it is below this part of the
// relative tolerance (but not below what can be had).
static const double noise_part = 0.01, noise_least = 1000.0 * DBL_EPSILON;

struct ProblemNewton {
    Problem *problem;
    Jacobian *jacobian;
    Newton newton;
    double *matrix; // values of J, factored in place if dense
    int *pivot;     // dense
    Sparse *sparse; // else: its factors; NULL: dense
    double *floor;  // sizes that corrections are measured by
    double *guess;  // what z was at first: it is put back on failure
    // where z is sought
    double t;
    const double *x;
};

// The matrix and what its factorization needs.
static bool create_matrix(ProblemNewton *a)
{
    const SaltusAllocator *allocator = a->problem->allocator;
    Jacobian *jacobian = a->jacobian;
    a->matrix = MEMORY_NEW(allocator, jacobian->value_count, double);
    if (jacobian->storage == JACOBIAN_DENSE) {
        a->pivot = MEMORY_NEW(allocator, a->newton.n, int);
        return a->matrix && a->pivot;
    }
    a->sparse = sparse_create(a->newton.n, jacobian->column_start, jacobian->rows, allocator);
    return a->matrix && a->sparse;
}

static int algebraic_residuals(void *user, double *g);
static int algebraic_linearize(void *user, const double *g);
static void solvers_algebraic_solve(void *user, double *b);

ProblemNewton *algebraic_create(Problem *problem)
{
    const SaltusAllocator *allocator = problem->allocator;
    ProblemNewton *a = MEMORY_NEW(allocator, 1, ProblemNewton);
    if (!a)
        return NULL;
    const size_t n = (size_t)problem->nz;
    a->problem = problem;
    a->jacobian = jacobian_create_algebraic(problem);
    a->newton = (Newton){.n = problem->nz,
                         .user = a,
                         .residuals = algebraic_residuals,
                         .linearize = algebraic_linearize,
                         .solve = solvers_algebraic_solve,
                         .columns = a->jacobian ? a->jacobian->group_count : 0,
                         .work = MEMORY_NEW(allocator, newton_work(problem->nz) + 2 * n, double)};
    if (!a->jacobian || !a->newton.work || !create_matrix(a)) {
        algebraic_destroy(a);
        return NULL;
    }
    a->floor = a->newton.work + newton_work(problem->nz);
    a->guess = a->floor + n;
    a->newton.floor = a->floor;
    return a;
}

void algebraic_destroy(ProblemNewton *a)
{
    if (!a)
        return;
    const SaltusAllocator *allocator = a->problem->allocator;
    sparse_destroy(a->sparse);
    jacobian_destroy(a->jacobian);
    memory_free(allocator, a->newton.work);
    memory_free(allocator, a->matrix);
    memory_free(allocator, a->pivot);
    memory_free(allocator, a);
}

// ---------------------------------------------------------------------------
// What Newton's method asks for
// ---------------------------------------------------------------------------

static int algebraic_residuals(void *user, double *g)
{
    ProblemNewton *a = user;
    Problem *problem = a->problem;
    const int code = problem_constraints(problem, a->t, a->x, a->newton.u, g);
    if (code != 0)
        return code;
    return problem_check(problem, g, problem->nz, problem->nx, "the algebraic equations", a->t);
}

static int algebraic_linearize(void *user, const double *g)
{
    ProblemNewton *a = user;
    Problem *problem = a->problem;
    const int code = jacobian_algebraic(a->jacobian, a->t, a->x, a->newton.u, g, a->matrix);
    if (code != 0)
        return code;
    problem->statistics->factorizations++;
    const int failed = a->sparse ? sparse_factor(a->sparse, a->matrix)
                                 : dense_factor(problem->nz, a->matrix, a->pivot);
    if (failed < 0)
        return problem_fail(problem, -1, SALTUS_ERROR_MEMORY,
                            "the Jacobian of the algebraic equations", NULL, a->t);
    if (failed > 0)
        return problem_fail(problem, 1, SALTUS_ERROR_SINGULAR,
                            "the Jacobian of the algebraic equations",
                            problem->mode->algebraic_names[failed - 1], a->t);
    return 0;
}

static void solvers_algebraic_solve(void *user, double *b)
{
    ProblemNewton *a = user;
    if (a->sparse)
        sparse_solve(a->sparse, b);
    else
        dense_solve(a->newton.n, a->matrix, a->pivot, b);
}

// ---------------------------------------------------------------------------
// The solution
// ---------------------------------------------------------------------------

// Names the unknown whose last correction was largest.
static int not_converged(const ProblemNewton *a)
{
    Problem *problem = a->problem;
    const double *correction = a->newton.work;
    int worst = 0;
    double most = -1.0;
    for (int i = 0; i < problem->nz; i++) {
        const double e = fabs(correction[i]) / fmax(fabs(a->newton.u[i]), a->floor[i]);
        if (!(e <= most)) {
            most = e;
            worst = i;
        }
    }
    return problem_fail(problem, 1, SALTUS_ERROR_NEWTON, "the algebraic equations",
                        problem->mode->algebraic_names[worst], a->t);
}

// Where components become small, the absolute tolerance counts.
static void set_tolerances(ProblemNewton *a)
{
    const Problem *problem = a->problem;
    a->newton.noise = fmax(noise_part * problem->relative, noise_least);
    for (int i = 0; i < problem->nz; i++)
        a->floor[i] = fmax(problem->absolute[problem->nx + i] / problem->relative, DBL_MIN);
}

int algebraic_solve(ProblemNewton *a, double t, const double *x, double *z)
{
    Problem *problem = a->problem;
    const size_t size = (size_t)problem->nz * sizeof *z;
    memcpy(a->guess, z, size);
    a->t = t;
    a->x = x;
    a->newton.u = z;
    set_tolerances(a);
    const NewtonStatus status = newton_solve(&a->newton);
    problem->statistics->newton_iterations += a->newton.iterations;
    if (status == NEWTON_SOLVED)
        return 0;
    const int code = status == NEWTON_STOPPED ? a->newton.code : not_converged(a);
    memcpy(z, a->guess, size);
    if (code > 0)
        problem->statistics->newton_failures++;
    return code;
}
