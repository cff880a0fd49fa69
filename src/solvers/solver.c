// SPDX-License-Identifier: MIT

#include "solvers/solver.h"

#include "base/memory.h"
#include "numerics/sparse.h"
#include "solvers/exact.h"
#include <string.h>

const SolverKind *solver_kind(SaltusSolver id)
{
#define KIND(NAME, text, what) [SALTUS_SOLVER_##NAME] = &solver_##NAME,
    static const SolverKind *const kinds[] = {SALTUS_SOLVER_KINDS(KIND)};
#undef KIND
    return kinds[id];
}

const Tableau *tableau_of(SaltusSolver solver)
{
    const SolverKind *kind = solver_kind(solver);
    return kind ? kind->tableau : NULL;
}

bool method_equal(const SaltusMethod *a, const SaltusMethod *b)
{
    return a->solver == b->solver && a->locate == b->locate &&
           a->relative_tolerance == b->relative_tolerance &&
           a->absolute_tolerance == b->absolute_tolerance && a->step == b->step &&
           a->max_step == b->max_step && a->event_tolerance == b->event_tolerance &&
           a->locate_iterations == b->locate_iterations;
}

// Above this many unknowns the linear algebra of rodas, dense or sparse, loses to BDF, which
// factors less often. (Sparse: RC ladders of 10,000 states are still twice as fast with rodas, heat
// equations on a square are equal at 10,000; with tighter tolerances BDF gains.)
enum { RODAS_LARGEST = 100, RODAS_LARGEST_SPARSE = 2000 };

// Below this relative tolerance the higher order of dop853 pays.
static const double dop853_from = 1e-9;

SaltusSolver solver_choose_stiff(const Problem *problem)
{
    const SaltusSparsity *s = problem->mode->hints.sparsity;
    const int n = problem->n;
    const int largest =
        s && sparse_pays(n, s->column_start[n]) ? RODAS_LARGEST_SPARSE : RODAS_LARGEST;
    return n <= largest ? SALTUS_SOLVER_RODAS : SALTUS_SOLVER_CVODE;
}

SaltusSolver solver_choose(const Problem *problem, const SaltusMethod *method)
{
    const bool is_exact = method->solver == SALTUS_SOLVER_EXACT;
    if (is_exact ? exact_is_possible(problem) : method->solver != SALTUS_SOLVER_AUTO)
        return method->solver;
    if (!is_exact && method->locate != SALTUS_LOCATE_HENON && exact_pays(problem))
        return SALTUS_SOLVER_EXACT;
    if (problem->form == PROBLEM_IMPLICIT)
        return SALTUS_SOLVER_IDA;
    if (problem->form == PROBLEM_SEMI_EXPLICIT)
        return problem->n <= RODAS_LARGEST ? SALTUS_SOLVER_RODAS : SALTUS_SOLVER_IDA;
    if (problem->preferred != SALTUS_SOLVER_AUTO)
        return problem->preferred;
    return method->relative_tolerance < dop853_from ? SALTUS_SOLVER_DOP853 : SALTUS_SOLVER_DOPRI5;
}

Solver *solver_allocate(const SolverKind *kind, Problem *problem, const SaltusMethod *method,
                        size_t size, size_t extra, double **extra_out)
{
    const SaltusAllocator *a = problem->allocator;
    Solver *solver = memory_new(a, 1, size);
    if (!solver)
        return NULL;
    size_t nx = (size_t)problem->nx, nz = (size_t)problem->nz;
    double *block = MEMORY_NEW(a, 2 * nx + 2 * nz + extra, double);
    solver->root_direction = MEMORY_NEW(a, problem->mode->event_count, signed char);
    if (!block || !solver->root_direction) {
        memory_free(a, block);
        memory_free(a, solver->root_direction);
        memory_free(a, solver);
        return NULL;
    }
    solver->kind = kind;
    solver->problem = problem;
    solver->method = *method;
    solver->cells = solver_cells(kind);
    solver->x_old = block;
    solver->z_old = solver->x_old + nx;
    solver->x = solver->z_old + nz;
    solver->z = solver->x + nx;
    if (extra_out)
        *extra_out = solver->z + nz;
    return solver;
}

void solver_free(Solver *solver)
{
    if (!solver)
        return;
    const SaltusAllocator *a = solver->problem->allocator;
    memory_free(a, solver->x_old);
    memory_free(a, solver->root_direction);
    memory_free(a, solver);
}

void solver_place(Solver *solver, double t, const double *x, const double *z)
{
    const int nx = solver->problem->nx, nz = solver->problem->nz;
    solver->t_old = solver->t = t;
    real_copy(solver->x, x, nx);
    real_copy(solver->z, z, nz);
    real_copy(solver->x_old, x, nx);
    real_copy(solver->z_old, z, nz);
}

void solver_copy_common(Solver *to, const Solver *from)
{
    const int all = from->problem->nx + from->problem->nz;
    to->method = from->method;
    to->t_old = from->t_old;
    to->t = from->t;
    to->step_next = from->step_next;
    to->seems_stiff = from->seems_stiff;
    to->cells = from->cells;
    real_copy(to->x_old, from->x_old, all);
    real_copy(to->x, from->x, all);
}

void solver_carry_common(Solver *s, Carrier *c)
{
    const int all = s->problem->nx + s->problem->nz;
    CARRY(c, s->method);
    CARRY(c, s->t_old);
    CARRY(c, s->t);
    CARRY(c, s->step_next);
    CARRY(c, s->seems_stiff);
    CARRY(c, s->cells);
    carry_reals(c, s->x_old, all);
    carry_reals(c, s->x, all);
}

bool solver_at_end(const Solver *solver, double t, double *x, double *z)
{
    if (t != solver->t && t != solver->t_old)
        return false;
    const bool is_end = t == solver->t;
    real_copy(x, is_end ? solver->x : solver->x_old, solver->problem->nx);
    if (z)
        real_copy(z, is_end ? solver->z : solver->z_old, solver->problem->nz);
    return true;
}
