// SPDX-License-Identifier: MIT

#include "hybrid/branch.h"

#include "base/real.h"
#include "solvers/control.h"
#include <math.h>

// Algebraic variables that change less than this part of their size in a step are not looked at.
static const double much = 0.1;
// Solutions that differ by more than this part are not the same.
static const double different = 1e-3;
// A nominal value that nobody gave is 1, whatever the variable is; what is below this part of it
// may be rounding.
static const double least = 1e-9;
// Part of the relative tolerance that the time of a jump is known to.
static const double time_part = 0.01;
// More unknowns are not searched: each costs a dozen solutions.
enum { MOST_UNKNOWNS = 100 };

static double branch_nominal_of(const Problem *problem, int i)
{
    return problem->mode->nominal[problem->nx + i];
}

static double branch_size_of(const Problem *problem, int i, double a, double b)
{
    return real_larger(real_larger(fabs(a), fabs(b)), least * branch_nominal_of(problem, i));
}

// The largest difference, relative to the variable's size.
static double branch_difference(const Problem *problem, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < problem->nz; i++)
        most = real_larger(most, fabs(a[i] - b[i]) / branch_size_of(problem, i, a[i], b[i]));
    return most;
}

// The solution at (t, x) from the guess in z; that is where it will be.
static bool solve_from(Problem *problem, double t, const double *x, double *z)
{
    double *kept = problem->z_guess;
    problem->z_guess = z;
    // a joint evaluation reads the guess before it writes the solution
    const int code = problem_algebraics(problem, t, x, z);
    problem->z_guess = kept;
    return code == 0 &&
           problem_check(problem, z, problem->nz, problem->nx, "the algebraic variables", t) == 0;
}

double branch_resolution(const SaltusRun *run)
{
    return real_larger(4.0 * control_shortest(run->t),
                       time_part * run->active->problem->relative * fabs(run->t));
}

// The variable that changes most, relative to its size, from a to b.
static int most_changed(const Problem *problem, const double *a, const double *b)
{
    int most = 0;
    double change = -1.0;
    for (int i = 0; i < problem->nz; i++) {
        const double own = fabs(b[i] - a[i]) / branch_size_of(problem, i, a[i], b[i]);
        if (own > change) {
            change = own;
            most = i;
        }
    }
    return most;
}

// The solution in the middle of a part of the step, from z_begin and from z_end: in z_sample.
// False: these are not the same, or there is none.
static bool solve_middle(RunInstance *active, Solver *solver, double t)
{
    const Problem *problem = active->problem;
    if (solver->kind->interpolate(solver, t, active->sample.x, NULL) != 0)
        return false;
    real_copy(active->sample.z, active->branch.end, problem->nz);
    if (!solve_from(active->problem, t, active->sample.x, active->sample.z))
        return false;
    const int i = most_changed(problem, active->branch.begin, active->branch.end);
    const double change = active->branch.end[i] - active->branch.begin[i],
                 found = active->sample.z[i];
    real_copy(active->sample.z, active->branch.begin, problem->nz);
    return solve_from(active->problem, t, active->sample.x, active->sample.z) &&
           fabs(active->sample.z[i] - found) <= different * fabs(change);
}

// Whether the change from z_begin to z_end is gradual.
static bool is_gradual(RunInstance *active, Solver *solver)
{
    static const double most_of_it = 0.9;
    enum { HALVINGS = 12 };
    const Problem *problem = active->problem;
    double begin = solver->t_old, end = solver->t;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = begin + 0.5 * (end - begin);
        if (!solve_middle(active, solver, middle))
            return false;
        const int i = most_changed(problem, active->branch.begin, active->branch.end);
        const double first = fabs(active->sample.z[i] - active->branch.begin[i]);
        const double second = fabs(active->branch.end[i] - active->sample.z[i]);
        const double whole = fabs(active->branch.end[i] - active->branch.begin[i]);
        if (first <= most_of_it * whole && second <= most_of_it * whole)
            return true;
        const bool is_first = first > second;
        real_copy(is_first ? active->branch.end : active->branch.begin, active->sample.z,
                  problem->nz);
        if (is_first)
            end = middle;
        else
            begin = middle;
    }
    return false;
}

bool branch_was_left(SaltusRun *run)
{
    Solver *solver = run->solver;
    RunInstance *active = run->active;
    const Problem *problem = solver->problem;
    if (problem->nz == 0 || problem->form == PROBLEM_IMPLICIT || run->t != solver->t_old ||
        branch_difference(problem, solver->z, solver->z_old) <= much)
        return false;
    real_copy(active->branch.begin, solver->z_old, problem->nz);
    real_copy(active->branch.end, solver->z, problem->nz);
    const bool is_left = !is_gradual(active, solver);
    real_copy(active->sample.z, solver->z, problem->nz);
    return is_left;
}

// From beside the present values, one variable at a time, nearer guesses first.
bool branch_find(SaltusRun *run)
{
    static const double parts[] = {0.03, -0.03, 0.1, -0.1, 0.3, -0.3, 1.0, -1.0, 3.0, -3.0};
    RunInstance *active = run->active;
    const Problem *problem = active->problem;
    const double t = run->t + branch_resolution(run);
    if (problem->nz == 0 || problem->nz > MOST_UNKNOWNS || problem->form == PROBLEM_IMPLICIT)
        return false;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int i = 0; i < problem->nz; i++) {
            real_copy(active->sample.z, run->z, problem->nz);
            active->sample.z[i] +=
                parts[k] * real_larger(fabs(run->z[i]), branch_nominal_of(problem, i));
            if (solve_from(active->problem, t, run->x, active->sample.z) &&
                branch_difference(problem, active->sample.z, run->z) > different)
                return true;
        }
    return false;
}

// At the very end of a branch rounding decides whether it is found again; left limits have to be
// there, so they are those of the other one then.
void branch_hold(SaltusRun *run)
{
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    real_copy(active->branch.begin, active->z, problem->nz);
    if (solve_from(problem, run->t, active->x, active->branch.begin))
        return;
    real_copy(active->z, active->sample.z, problem->nz);
    real_copy(problem->z_guess, active->sample.z, problem->nz);
}

void branch_take(SaltusEvent *event)
{
    const RunInstance *active = event->run->active;
    const Problem *problem = active->problem;
    for (int i = 0; i < problem->nz; i++) {
        const double before = event->run->solver->z_old[i], after = active->sample.z[i];
        if (fabs(after - before) > different * branch_size_of(problem, i, before, after))
            saltus_log_change(event, problem->mode->algebraic_names[i], before, after, SALTUS_SE_F);
        event->z[i] = after;
    }
}
