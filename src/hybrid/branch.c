// SPDX-License-Identifier: MIT

#include "hybrid/branch.h"

#include "base/real.h"
#include "solvers/control.h"
#include <math.h>

// Part of the relative tolerance that the time of a jump is known to.
static const double time_part = 0.01;
// More unknowns are not searched: each costs a dozen solutions.
enum { MOST_UNKNOWNS = 100 };

static double branch_nominal_of(const Problem *problem, int i)
{
    return problem->mode->nominal[problem->nx + i];
}

// The largest difference, in what may be one of the same solution.
static double branch_difference(const Problem *problem, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < problem->nz; i++)
        most =
            real_larger(most, fabs(a[i] - b[i]) / problem_solution_error(problem, i, a[i], b[i]));
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
        const double own = fabs(b[i] - a[i]) / problem_solution_size(problem, i, a[i], b[i]);
        if (own > change) {
            change = own;
            most = i;
        }
    }
    return most;
}

// The solution at a part of the straight way from the begin of the step to the point that was
// noted, from the guess in z.
static bool solve_on_way(RunInstance *active, const Solver *solver, double part, double *z)
{
    Problem *problem = active->problem;
    for (int i = 0; i < problem->nx; i++)
        active->sample.x[i] = solver->x_old[i] + part * (problem->watch.x[i] - solver->x_old[i]);
    return solve_from(problem, solver->t_old + part * (problem->watch.t - solver->t_old),
                      active->sample.x, z);
}

// Whether a piece of the way, from z0 over z_half to z1, shows no jump: it is nearly straight; or
// it is so short that what is steep would be nearly straight, and little of the whole change is in
// it (as with a root of time at its end, which is straight nowhere).
static bool has_no_jump(const Problem *problem, const Solver *solver, bool is_short,
                        const double *z0, const double *z_half, const double *z1)
{
    static const double bend = 0.1, little = 0.02;
    for (int i = 0; i < problem->nz; i++) {
        const double change = fabs(z1[i] - z0[i]), off = fabs(z_half[i] - 0.5 * (z0[i] + z1[i]));
        const double same = problem_solution_error(problem, i, z0[i], z1[i]);
        const double whole = fabs(problem->watch.z[i] - solver->z_old[i]);
        if (off > bend * change && off > same &&
            !(is_short && change <= little * whole && off <= change))
            return false;
    }
    return true;
}

// Whether the solution at the begin of the step, followed in pieces of the way, leads to the one
// that was noted.
static bool is_gradual(RunInstance *active, const Solver *solver)
{
    static const double shortest = 0x1p-18;
    const Problem *problem = active->problem;
    double *here = active->branch.begin, *half = active->sample.z, *there = active->branch.end;
    real_copy(here, solver->z_old, problem->nz);
    for (double part = 0.0, piece = 1.0; part < 1.0;) {
        real_copy(half, here, problem->nz);
        bool is_fine = solve_on_way(active, solver, part + 0.5 * piece, half);
        real_copy(there, half, problem->nz);
        is_fine = is_fine && solve_on_way(active, solver, part + piece, there) &&
                  has_no_jump(problem, solver, piece <= shortest, here, half, there);
        if (is_fine) {
            real_copy(here, there, problem->nz);
            part += piece;
            piece = real_smaller(2.0 * piece, 1.0 - part);
        } else if (piece <= shortest) {
            return false;
        } else {
            piece *= 0.5;
        }
    }
    return branch_difference(problem, here, problem->watch.z) <= 1.0;
}

bool branch_was_left(SaltusRun *run)
{
    const Solver *solver = run->solver;
    RunInstance *active = run->active;
    Problem *problem = solver->problem;
    if (problem->nz == 0 || problem->form == PROBLEM_IMPLICIT || run->t != solver->t_old)
        return false;
    const bool is_tried = problem->watch.distance > 0.0 && problem->watch.t <= solver->t;
    const bool is_end = is_tried && problem->watch.t == solver->t &&
                        branch_difference(problem, problem->watch.z, solver->z) <= 1.0;
    bool is_left = is_tried && !is_gradual(active, solver);
    if (!is_left && !is_end) {
        problem_watch_again(problem);
        problem_watch_point(problem, solver->t, solver->x, solver->z);
        is_left = problem->watch.distance > 0.0 && !is_gradual(active, solver);
    }
    real_copy(active->sample.z, problem->watch.z, problem->nz);
    return is_left;
}

void branch_follow(SaltusRun *run)
{
    const Solver *solver = run->solver;
    Problem *problem = run->active->problem;
    problem->watch.reach = 2.0 * (solver->t - solver->t_old);
    for (int i = 0; i < problem->nz; i++) {
        problem->z_guess[i] = solver->z[i];
        problem->watch.slope[i] = (solver->z[i] - solver->z_old[i]) / (solver->t - solver->t_old);
    }
}

// How far a solution is from z, in what z is: of two that are not the same as z, one may be nearer.
static double branch_distance(const Problem *problem, const double *found, const double *z)
{
    double most = 0.0;
    for (int i = 0; i < problem->nz; i++)
        most = real_larger(most,
                           fabs(found[i] - z[i]) / problem_solution_size(problem, i, z[i], z[i]));
    return most;
}

// From beside the present values, one variable at a time.
bool branch_find(SaltusRun *run, const double *x, const double *z)
{
    static const double parts[] = {0.03, -0.03, 0.1, -0.1, 0.3, -0.3, 1.0, -1.0, 3.0, -3.0};
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    const double t = run->t + branch_resolution(run);
    double nearest = INFINITY, *found = active->branch.begin;
    if (problem->nz == 0 || problem->nz > MOST_UNKNOWNS || problem->form == PROBLEM_IMPLICIT)
        return false;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int i = 0; i < problem->nz; i++) {
            real_copy(found, z, problem->nz);
            found[i] += parts[k] * real_larger(fabs(z[i]), branch_nominal_of(problem, i));
            if (!solve_from(problem, t, x, found))
                continue;
            const double distance = branch_distance(problem, found, z);
            if (distance < nearest && branch_difference(problem, found, z) > 1.0) {
                nearest = distance;
                real_copy(active->sample.z, found, problem->nz);
            }
        }
    return nearest < INFINITY;
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
    SaltusRun *run = event->run;
    const RunInstance *active = run->active;
    const Problem *problem = active->problem;
    const double *left = run->solver->z_old, *found = active->sample.z;
    for (int i = 0; i < problem->nz; i++) {
        if (fabs(found[i] - left[i]) > problem_solution_error(problem, i, left[i], found[i]))
            saltus_log_change(event, problem->mode->algebraic_names[i], left[i], found[i],
                              SALTUS_SE_F);
        event->z[i] = found[i];
    }
    if (run->trouble.jumped)
        return;
    const int most = most_changed(problem, left, found);
    run->trouble.jumped = problem->mode->algebraic_names[most];
    run->trouble.jump_time = event->t;
    run->trouble.jump_before = left[most];
    run->trouble.jump_after = found[most];
}
