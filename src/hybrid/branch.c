// SPDX-License-Identifier: MIT

#include "hybrid/branch.h"

#include "base/real.h"
#include "solvers/control.h"
#include <math.h>

// Algebraic variables that change less than this part of their size in a step are not looked at.
static const double much = 0.1;
// Solutions that differ by more than this part are not the same.
static const double different = 1e-3;
// Part of the relative tolerance that the time of a jump is known to.
static const double time_part = 0.01;
// More unknowns are not searched: each costs a dozen solutions.
enum { MOST_UNKNOWNS = 100 };

static double size_of(const Problem *problem, int i, double a, double b)
{
    const double nominal = problem->mode->nominal[problem->nx + i];
    return real_larger(real_larger(fabs(a), fabs(b)), nominal);
}

// The largest difference, relative to the variable's size.
static double difference(const Problem *problem, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < problem->nz; i++)
        most = real_larger(most, fabs(a[i] - b[i]) / size_of(problem, i, a[i], b[i]));
    return most;
}

// The solution at (t, x) from the guess in z_sample; that is where it will be.
static bool solve_from(Instance *active, double t, const double *x)
{
    Problem *problem = active->problem;
    double *kept = problem->z_guess;
    problem->z_guess = active->z_sample;
    // a joint evaluation reads the guess before it writes the solution
    const int code = problem_algebraics(problem, t, x, active->z_sample);
    problem->z_guess = kept;
    return code == 0 && problem_check(problem, active->z_sample, problem->nz, problem->nx,
                                      "the algebraic variables", t) == 0;
}

double branch_resolution(const SaltusRun *run)
{
    return real_larger(4.0 * control_shortest(run->t),
                       time_part * run->active->problem->relative * fabs(run->t));
}

bool branch_was_left(SaltusRun *run)
{
    const Solver *solver = run->solver;
    Problem *problem = solver->problem;
    if (problem->nz == 0 || problem->form == PROBLEM_IMPLICIT || run->t != solver->t_old ||
        difference(problem, solver->z, solver->z_old) <= much)
        return false;
    real_copy(run->active->z_sample, solver->z, problem->nz);
    const bool is_same = solve_from(run->active, solver->t_old, solver->x_old) &&
                         difference(problem, run->active->z_sample, solver->z_old) <= different;
    real_copy(run->active->z_sample, solver->z, problem->nz);
    return !is_same;
}

// From beside the present values, one variable at a time, nearer guesses first.
bool branch_find(SaltusRun *run)
{
    static const double parts[] = {0.03, -0.03, 0.1, -0.1, 0.3, -0.3, 1.0, -1.0, 3.0, -3.0};
    Instance *active = run->active;
    const Problem *problem = active->problem;
    const double t = run->t + branch_resolution(run);
    if (problem->nz == 0 || problem->nz > MOST_UNKNOWNS || problem->form == PROBLEM_IMPLICIT)
        return false;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int i = 0; i < problem->nz; i++) {
            real_copy(active->z_sample, run->z, problem->nz);
            active->z_sample[i] += parts[k] * size_of(problem, i, run->z[i], 0.0);
            if (solve_from(active, t, run->x) &&
                difference(problem, active->z_sample, run->z) > different)
                return true;
        }
    return false;
}

// At the very end of a branch rounding decides whether it is found again; left limits have to be
// there, so they are those of the other one then.
void branch_hold(SaltusRun *run)
{
    Instance *active = run->active;
    Problem *problem = active->problem;
    if (problem_rhs(problem, run->t, active->x, active->z, active->dx) == 0)
        return;
    real_copy(active->z, active->z_sample, problem->nz);
    real_copy(problem->z_guess, active->z_sample, problem->nz);
}

void branch_take(SaltusEvent *event)
{
    const Instance *active = event->run->active;
    const Problem *problem = active->problem;
    for (int i = 0; i < problem->nz; i++) {
        const double before = event->run->solver->z_old[i], after = active->z_sample[i];
        if (fabs(after - before) > different * size_of(problem, i, before, after))
            saltus_log_change(event, problem->mode->algebraic_names[i], before, after, SALTUS_SE_F);
        event->z[i] = after;
    }
}
