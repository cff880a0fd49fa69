// SPDX-License-Identifier: MIT
//
// Damped Newton iteration with the natural monotonicity test.
//
// P. Deuflhard: Newton Methods for Nonlinear Problems (2004), sections 2.1 and 3.3. With the
// Jacobian J at the last iterate z, the correction d and the simplified correction e,
//
//   J d = -g(z),   z+ = z + l d,   J e = -g(z+),
//
// a damping l is accepted if |e| <= (1 - l/4) |d|. The test does not depend on how the
// equations are scaled. The contraction |e| / |d| tells how good J still is: while it is
// small, e is the next correction and no new Jacobian is needed.
//
// The iteration goes on until what is left is rounding: explicit solvers and event location
// see z(t, x) as a smooth function. Nothing is kept from one solution to the next: the result
// is a pure function of (t, x, z).

#include "solvers/algebraic.h"

#include "base/memory.h"
#include "numerics/dense.h"
#include "numerics/sparse.h"
#include "solvers/jacobian.h"
#include <float.h>
#include <math.h>
#include <string.h>

// Corrections are measured relative to |z|, or to absolute / relative tolerance if that is more.
static const double rounding = 4.0 * DBL_EPSILON;
// After a correction of this size with a new Jacobian rounding is left: quadratic convergence,
// even with the errors of a Jacobian by differences.
static const double small = 1e-10;
// A correction that no longer contracts is rounding noise if it is below this part of the
// relative tolerance (but not below what can be had).
static const double noise_part = 0.01, noise_least = 1000.0 * DBL_EPSILON;
static const double smallest_damping = 1.0 / 1024.0;
enum { MOST_ITERATIONS = 50 };

struct ProblemNewton {
    Problem *problem;
    Jacobian *jacobian;
    int n;
    double *matrix;     // values of J, factored in place if dense
    int *pivot;         // dense
    Sparse *sparse;     // else: its factors; NULL: dense
    double *g;          // residuals at z, or at the trial point
    double *correction; // d
    double *simplified; // e
    double *trial;      // z+
    double *guess;      // what z was at first: it is put back on failure
};

// The matrix and what its factorization needs.
static bool create_matrix(ProblemNewton *newton)
{
    const SaltusAllocator *a = newton->problem->allocator;
    Jacobian *jacobian = newton->jacobian;
    newton->matrix = MEMORY_NEW(a, jacobian->value_count, double);
    if (jacobian->storage == JACOBIAN_DENSE) {
        newton->pivot = MEMORY_NEW(a, newton->n, int);
        return newton->matrix && newton->pivot;
    }
    newton->sparse = sparse_create(newton->n, jacobian->column_start, jacobian->rows, a);
    return newton->matrix && newton->sparse;
}

ProblemNewton *newton_create(Problem *problem)
{
    const SaltusAllocator *a = problem->allocator;
    ProblemNewton *newton = MEMORY_NEW(a, 1, ProblemNewton);
    if (!newton)
        return NULL;
    size_t n = (size_t)problem->nz;
    newton->problem = problem;
    newton->n = problem->nz;
    newton->jacobian = jacobian_create_algebraic(problem);
    newton->g = MEMORY_NEW(a, 5 * n, double);
    if (!newton->jacobian || !newton->g || !create_matrix(newton)) {
        newton_destroy(newton);
        return NULL;
    }
    newton->correction = newton->g + n;
    newton->simplified = newton->correction + n;
    newton->trial = newton->simplified + n;
    newton->guess = newton->trial + n;
    return newton;
}

void newton_destroy(ProblemNewton *newton)
{
    if (!newton)
        return;
    const SaltusAllocator *a = newton->problem->allocator;
    sparse_destroy(newton->sparse);
    jacobian_destroy(newton->jacobian);
    memory_free(a, newton->g);
    memory_free(a, newton->matrix);
    memory_free(a, newton->pivot);
    memory_free(a, newton);
}

// ---------------------------------------------------------------------------
// Parts of an iteration
// ---------------------------------------------------------------------------

// Where and from what a solution is sought.
typedef struct Search {
    double t;
    const double *x;
    double *z;
} Search;

static double size_of(const Problem *problem, int i, double z)
{
    double floor = problem->absolute[problem->nx + i] / problem->relative;
    return fmax(fmax(fabs(z), floor), DBL_MIN);
}

// The largest component of a correction of z, relative.
static double norm(const ProblemNewton *newton, const double *z, const double *correction)
{
    double most = 0.0;
    for (int i = 0; i < newton->n; i++)
        most = fmax(most, fabs(correction[i]) / size_of(newton->problem, i, z[i]));
    return most;
}

// newton->g at z
static int residuals(ProblemNewton *newton, const Search *s, const double *z)
{
    Problem *problem = newton->problem;
    int code = problem_constraints(problem, s->t, s->x, z, newton->g);
    if (code != 0)
        return code;
    return problem_check(problem, newton->g, newton->n, problem->nx, "the algebraic equations",
                         s->t);
}

// correction = -J^-1 g
static void correct(const ProblemNewton *newton, double *correction)
{
    for (int i = 0; i < newton->n; i++)
        correction[i] = -newton->g[i];
    if (newton->sparse)
        sparse_solve(newton->sparse, correction);
    else
        dense_solve(newton->n, newton->matrix, newton->pivot, correction);
}

// A new Jacobian at z, where the residuals are newton->g, and the correction.
static int linearize(ProblemNewton *newton, const Search *s)
{
    Problem *problem = newton->problem;
    int code = jacobian_algebraic(newton->jacobian, s->t, s->x, s->z, newton->g, newton->matrix);
    if (code != 0)
        return code;
    problem->statistics->factorizations++;
    int failed = newton->sparse ? sparse_factor(newton->sparse, newton->matrix)
                                : dense_factor(newton->n, newton->matrix, newton->pivot);
    if (failed < 0)
        return problem_fail(problem, -1, SALTUS_ERROR_MEMORY,
                            "the Jacobian of the algebraic equations", NULL, s->t);
    if (failed > 0)
        return problem_fail(problem, 1, SALTUS_ERROR_SINGULAR,
                            "the Jacobian of the algebraic equations",
                            problem->mode->algebraic_names[failed - 1], s->t);
    correct(newton, newton->correction);
    return 0;
}

static int not_converged(ProblemNewton *newton, const Search *s)
{
    int worst = 0;
    double most = -1.0;
    for (int i = 0; i < newton->n; i++) {
        double e = fabs(newton->correction[i]) / size_of(newton->problem, i, s->z[i]);
        if (!(e <= most)) {
            most = e;
            worst = i;
        }
    }
    return problem_fail(newton->problem, 1, SALTUS_ERROR_NEWTON, "the algebraic equations",
                        newton->problem->mode->algebraic_names[worst], s->t);
}

typedef struct Move {
    double damping;
    double length;      // |d|
    double next_length; // |e|, measured like d
    bool noise;         // the correction was noise: z did not move and is the solution
    bool blocked;       // not even the smallest step that was tried passed the test
} Move;

// Goes from z along the correction, as far as the monotonicity test allows but at least by
// `least`. z moves; g is that of the new z, and so is the simplified correction.
static int go(ProblemNewton *newton, const Search *s, double least, Move *move)
{
    int n = newton->n;
    double noise = fmax(noise_part * newton->problem->relative, noise_least);
    for (double l = 1.0; l >= least; l *= 0.5) {
        for (int i = 0; i < n; i++)
            newton->trial[i] = s->z[i] + l * newton->correction[i];
        int code = residuals(newton, s, newton->trial);
        if (code < 0)
            return code;
        if (code > 0)
            continue;
        correct(newton, newton->simplified);
        move->damping = l;
        move->next_length = norm(newton, s->z, newton->simplified);
        if (move->next_length <= (1.0 - 0.25 * l) * move->length) {
            memcpy(s->z, newton->trial, (size_t)n * sizeof *s->z);
            return 0;
        }
        if (move->length <= noise) {
            move->noise = true;
            return 0;
        }
    }
    move->blocked = true;
    return 0;
}

static void add(int n, double *z, const double *correction)
{
    for (int i = 0; i < n; i++)
        z[i] += correction[i];
}

// Is it better to go on with the old Jacobian? With contraction c, |e| falls to rounding in
// log(rounding / |e|) / log(c) iterations of one evaluation each; a new Jacobian converges in
// two, but costs an evaluation for each group of columns.
static bool keep_jacobian(const ProblemNewton *newton, const Move *move)
{
    double contraction = move->next_length / move->length;
    if (move->damping < 1.0 || contraction > 0.1)
        return false;
    double iterations = log(rounding / move->next_length) / log(contraction);
    return iterations <= 2.0 + newton->jacobian->group_count;
}

// From z with the residuals newton->g to the solution.
static int iterate(ProblemNewton *newton, const Search *s)
{
    int n = newton->n;
    bool kept = false; // the Jacobian is an old one; the correction is known
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        int code = kept ? 0 : linearize(newton, s);
        if (code != 0)
            return code;
        newton->problem->statistics->newton_iterations++;
        Move move = {.length = norm(newton, s->z, newton->correction)};
        if (move.length <= (kept ? rounding : small)) {
            add(n, s->z, newton->correction);
            return 0;
        }
        code = go(newton, s, kept ? 1.0 : smallest_damping, &move);
        if (code != 0 || move.noise)
            return code;
        if (move.blocked && !kept)
            return not_converged(newton, s);
        if (move.blocked) {
            // The old Jacobian was trusted too long; the residuals at z were overwritten.
            kept = false;
            code = residuals(newton, s, s->z);
            if (code != 0)
                return code;
            continue;
        }
        // For a quadratic g the simplified correction is half the product of d and the
        // relative change of J, by which the next one falls.
        double left = 2.0 * move.next_length * (move.next_length / move.length);
        if (move.damping == 1.0 && left <= rounding) {
            add(n, s->z, newton->simplified);
            return 0;
        }
        kept = keep_jacobian(newton, &move);
        if (kept)
            memcpy(newton->correction, newton->simplified, (size_t)n * sizeof *s->z);
    }
    return not_converged(newton, s);
}

int newton_solve(ProblemNewton *newton, double t, const double *x, double *z)
{
    Search search = {.t = t, .x = x, .z = z};
    size_t size = (size_t)newton->n * sizeof *z;
    memcpy(newton->guess, z, size);
    int code = residuals(newton, &search, z);
    if (code == 0)
        code = iterate(newton, &search);
    if (code != 0)
        memcpy(z, newton->guess, size);
    if (code > 0)
        newton->problem->statistics->newton_failures++;
    return code;
}
