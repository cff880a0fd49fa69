// SPDX-License-Identifier: MIT

#include "hybrid/contest.h"

#include "hybrid/run.h"
#include "numerics/sparse.h"

// A stretch that is measured; a trial, and its first steps, in which the size of steps is found.
enum { WINDOW = 40, TRIAL = 16, RUN_IN = 5, TRIAL_OF_MULTISTEP = 80, RUN_IN_OF_MULTISTEP = 50 };
// Stretches between events so short that order 8 does not pay, so many in a row; the beginning of a
// trial and an event in it.
enum { SHORT = 8, MOST_SHORT = 5, MOST_INTERRUPTIONS = 2 };
// Of a trial that is lost, about half of the work between explicit solvers, nearly all between
// explicit and implicit ones: so much is spent first that it does not matter. More each time.
static const double patience_explicit = 1.5, patience_implicit = 20.0, patience_grows = 4.0,
                    probation = 3.0;
// Whoever takes over is better by this; whoever is worse by that is compared at once.
static const double better = 1.1, worse = 0.6;

static ContestRole contest_role_of(const Solver *solver)
{
    switch (solver->kind->id) {
    case SALTUS_SOLVER_DOPRI5:
        return CONTEST_LOW;
    case SALTUS_SOLVER_DOP853:
        return CONTEST_HIGH;
    default:
        return CONTEST_IMPLICIT;
    }
}

static SaltusSolver contest_solver(const Problem *problem, ContestRole role)
{
    return role == CONTEST_LOW    ? SALTUS_SOLVER_DOPRI5
           : role == CONTEST_HIGH ? SALTUS_SOLVER_DOP853
                                  : solver_choose_stiff(problem);
}

static bool contest_is_multistep(const Problem *problem, ContestRole role)
{
    return !(solver_kind(contest_solver(problem, role))->traits & SOLVER_ONE_STEP);
}

// In evaluations. A dense factorization takes n^3/3 operations, an evaluation is taken to have 10
// for each state; a sparse one is not much more than that.
static double factor_cost(const Problem *problem)
{
    const double n = problem->n;
    const SaltusSparsity *s = problem->mode->sparsity;
    return s && sparse_pays(problem->n, s->column_start[problem->n]) ? 4.0 : n * n / 30.0;
}

static double cost_so_far(const SaltusRun *run)
{
    const SaltusStatistics *s = &run->statistics;
    return (double)s->f_evaluations + (double)s->h_evaluations +
           (double)s->factorizations * factor_cost(run->active->problem);
}

// What a trial costs.
static double trial_cost(const Problem *problem, ContestRole role)
{
    switch (role) {
    case CONTEST_LOW:
        return 6.0 * TRIAL;
    case CONTEST_HIGH:
        return 12.0 * TRIAL;
    case CONTEST_IMPLICIT:
    default:
        return contest_is_multistep(problem, role)
                   ? 2.0 * TRIAL_OF_MULTISTEP
                   : TRIAL * (8.0 + problem->n + factor_cost(problem));
    }
}

static double first_wait(const Problem *problem, ContestRole present, ContestRole rival)
{
    const bool is_implicit = present == CONTEST_IMPLICIT || rival == CONTEST_IMPLICIT;
    return (is_implicit ? patience_implicit : patience_explicit) * trial_cost(problem, rival);
}

static void measure_from_here(Contest *c, const SaltusRun *run)
{
    c->t = run->t;
    c->cost = cost_so_far(run);
}

// Events and other restarts end what is measured.
static void contest_interrupt(Contest *c, const SaltusRun *run, ContestRole role)
{
    c->restarts = run->statistics.restarts;
    const bool is_short = c->steps < SHORT;
    c->interruptions = c->is_trial || is_short ? c->interruptions + 1 : 0;
    c->role = role;
    c->steps = 0;
    for (int i = 0; i < CONTEST_ROLES && !c->is_trial; i++)
        c->rate[i] = 0.0; // behind an event all may be different
    measure_from_here(c, run);
}

// The solver goes on to be that; a trial, if there was one, is over.
static bool contest_decide(Contest *c, SaltusRun *run, ContestRole winner, ContestRole loser,
                           double *step)
{
    const Problem *problem = run->active->problem;
    const double first = first_wait(problem, winner, loser);
    c->waits[loser] = real_larger(patience_grows * c->waits[loser], first);
    // Whoever takes over from an implicit solver is on probation.
    if (loser == CONTEST_IMPLICIT && c->is_trial && c->before == loser)
        c->waits[loser] = probation * trial_cost(problem, loser);
    c->is_trial = false;
    c->interruptions = 0;
    c->spent = 0.0;
    const bool is_change = contest_role_of(run->solver) != winner;
    *step = is_change && winner == c->before ? c->step : 0.0;
    run->active->problem->preferred = contest_solver(problem, winner);
    return is_change;
}

static bool judge_trial(Contest *c, SaltusRun *run, double *step)
{
    const bool is_slow = contest_is_multistep(run->active->problem, c->role);
    // An event ends it before anything is known. What is stiff is so all the same; else all stays
    // as it was.
    if (c->interruptions >= MOST_INTERRUPTIONS)
        return c->is_stiff ? contest_decide(c, run, c->role, c->before, step)
                           : contest_decide(c, run, c->before, c->role, step);
    if (c->steps == (is_slow ? RUN_IN_OF_MULTISTEP : RUN_IN))
        measure_from_here(c, run);
    if (c->steps < (is_slow ? TRIAL_OF_MULTISTEP : TRIAL))
        return false;
    c->rate[c->role] = (run->t - c->t) / real_larger(cost_so_far(run) - c->cost, 1.0);
    const bool is_won = c->rate[c->role] > better * c->rate[c->before];
    if (c->is_stiff)
        c->stiff_wait = is_won ? 0.0
                               : real_larger(patience_grows * c->stiff_wait,
                                             trial_cost(run->active->problem, CONTEST_IMPLICIT));
    const ContestRole winner = is_won ? c->role : c->before, loser = is_won ? c->before : c->role;
    const bool is_change = contest_decide(c, run, winner, loser, step);
    measure_from_here(c, run);
    c->steps = 0;
    return is_change;
}

static bool contest_is_due(const Contest *c, const SaltusRun *run, ContestRole rival)
{
    if (rival == CONTEST_IMPLICIT && run->solver->seems_stiff)
        return c->spent + cost_so_far(run) - c->cost >= c->stiff_wait;
    if (c->steps < WINDOW || rival == c->role || (rival == CONTEST_LOW && c->role == CONTEST_HIGH))
        return false;
    // From implicit ones back to where the work came from.
    if (c->role == CONTEST_IMPLICIT && rival == CONTEST_HIGH && c->rate[CONTEST_HIGH] == 0.0)
        return false;
    const double wait =
        c->waits[rival] > 0.0 ? c->waits[rival] : first_wait(run->active->problem, c->role, rival);
    return c->spent >= wait || c->rate[c->role] < worse * c->rate[rival];
}

static bool begin_trial(Contest *c, SaltusRun *run, ContestRole rival, double *step)
{
    enum { ENOUGH = 3 }; // trials of the present steps that are left to be done
    const Problem *problem = run->active->problem;
    const int length = contest_is_multistep(problem, rival) ? TRIAL_OF_MULTISTEP : TRIAL;
    if (run->t + ENOUGH * length * run->solver->step_next > run->stop_time)
        return false;
    c->before = c->role;
    c->is_trial = true;
    c->is_stiff = run->solver->seems_stiff;
    c->interruptions = 0;
    c->step = *step = run->solver->step_next;
    run->active->problem->preferred = contest_solver(problem, rival);
    return true;
}

static bool contest_may_choose(const SaltusRun *run)
{
    return run->solver->method.solver == SALTUS_SOLVER_AUTO &&
           run->active->problem->form == PROBLEM_ODE &&
           run->solver->kind->id != SALTUS_SOLVER_EXACT;
}

bool contest_look(SaltusRun *run, double *step)
{
    Contest *c = &run->active->contest;
    const Problem *problem = run->active->problem;
    if (!contest_may_choose(run))
        return false;
    const ContestRole role = contest_role_of(run->solver);
    if (c->restarts != run->statistics.restarts)
        contest_interrupt(c, run, role);
    c->steps++;
    if (c->is_trial)
        return judge_trial(c, run, step);
    if (role == CONTEST_HIGH && problem->preferred != SALTUS_SOLVER_AUTO &&
        c->interruptions >= MOST_SHORT)
        return contest_decide(c, run, CONTEST_LOW, CONTEST_HIGH, step);
    if (c->steps >= WINDOW) {
        const double spent = cost_so_far(run) - c->cost;
        c->rate[role] = (run->t - c->t) / real_larger(spent, 1.0);
        c->spent += spent;
    }
    bool is_change = false;
    for (ContestRole rival = CONTEST_LOW; rival < CONTEST_ROLES && !is_change; rival++)
        is_change = contest_is_due(c, run, rival) && begin_trial(c, run, rival, step);
    if (c->steps >= WINDOW) {
        measure_from_here(c, run);
        c->steps = 0;
    }
    return is_change;
}

bool contest_rescue(SaltusRun *run)
{
    Contest *c = &run->active->contest;
    Problem *problem = run->active->problem;
    if (!contest_may_choose(run) || contest_role_of(run->solver) == CONTEST_IMPLICIT)
        return false;
    *c = (Contest){.role = CONTEST_IMPLICIT};
    problem->preferred = contest_solver(problem, CONTEST_IMPLICIT);
    return true;
}
