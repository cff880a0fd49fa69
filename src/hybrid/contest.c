// SPDX-License-Identifier: MIT

#include "hybrid/contest.h"

#include "hybrid/run.h"
#include "numerics/sparse.h"
#include "solvers/runge_kutta.h"

#include <math.h>

// A stretch that is measured, shorter where no event can change what was measured; a trial, and its
// first steps, in which the size of steps is found.
enum {
    WINDOW = 40,
    WINDOW_WITHOUT_EVENTS = 16,
    TRIAL = 16,
    RUN_IN = 5,
    TRIAL_OF_MULTISTEP = 80,
    RUN_IN_OF_MULTISTEP = 50
};
// Steps by which it is known what a solver gains that a client has found to be limited by
// stability.
enum { TOLD = 8 };
// Stretches between events so short that order 8 does not pay, so many in a row.
enum { SHORT = 8, MOST_SHORT = 5 };
// Events are frequent if there are fewer steps between them than that. Then so many of them belong
// to what is measured, unless it becomes longer by that factor.
enum { FREQUENT = 300, EVENTS_MEASURED = 2, LONGEST = 8 };
// Of a trial that is lost, about half of the work between solvers of a kind, nearly all between
// explicit and implicit ones: so much is spent first that it does not matter. More each time.
static const double patience_alike = 1.5, patience_without_events = 0.6, patience_implicit = 10.0,
                    patience_grows = 4.0, probation = 3.0;
// Whoever takes over is better by this; whoever is worse by that is compared at once. A trial that
// looks hopeless ends.
static const double better = 1.1, worse = 0.6, hopeless = 0.5;

static ContestRole contest_role_of(const Solver *solver)
{
    switch (solver->kind->id) {
    case SALTUS_SOLVER_DOPRI5:
        return CONTEST_LOW;
    case SALTUS_SOLVER_DOP853:
        return CONTEST_HIGH;
    case SALTUS_SOLVER_RODAS:
        return CONTEST_ROSENBROCK;
    default:
        return CONTEST_MULTISTEP;
    }
}

static const SaltusSolver contest_solver[CONTEST_ROLES] = {
    [CONTEST_LOW] = SALTUS_SOLVER_DOPRI5,
    [CONTEST_HIGH] = SALTUS_SOLVER_DOP853,
    [CONTEST_ROSENBROCK] = SALTUS_SOLVER_RODAS,
    [CONTEST_MULTISTEP] = SALTUS_SOLVER_CVODE,
};

static bool is_implicit(ContestRole role)
{
    return role >= CONTEST_ROSENBROCK;
}

static ContestRole implicit_role(const Problem *problem)
{
    return solver_choose_stiff(problem) == SALTUS_SOLVER_RODAS ? CONTEST_ROSENBROCK
                                                               : CONTEST_MULTISTEP;
}

// ---------------------------------------------------------------------------
// What it costs, in operations
// ---------------------------------------------------------------------------

// Of an evaluation: as the mode says, or so many for each state.
static double contest_evaluation_cost(const Problem *problem)
{
    const double said = problem->mode->hints.evaluation_cost;
    return said > 0.0 ? said : 30.0 + 10.0 * problem->n;
}

// To factor the matrix of an implicit step, and to solve with it.
static void matrix_cost(const Problem *problem, double *factor, double *solve)
{
    const double n = problem->n;
    const SaltusSparsity *s = problem->mode->hints.sparsity;
    const bool is_sparse = s && sparse_pays(problem->n, s->column_start[problem->n]);
    const double entries = is_sparse ? s->column_start[problem->n] : n * n;
    *factor = is_sparse ? 40.0 * entries : n * n * n / 3.0 + entries;
    *solve = (is_sparse ? 10.0 : 2.0) * entries;
}

// A step, besides its evaluations: the combinations of its stages, its error, the solutions of its
// linear equations; where there are event functions, the dense output of explicit methods, and
// samples of it.
static double step_cost_with(const Problem *problem, ContestRole role, double solve)
{
    static const double fixed[CONTEST_ROLES] = {150.0, 150.0, 500.0, 1500.0},
                        by_state[CONTEST_ROLES] = {20.0, 60.0, 80.0, 60.0},
                        sampling[CONTEST_ROLES] = {0.0, 150.0, 0.0, 0.0},
                        sampling_by_state[CONTEST_ROLES] = {20.0, 60.0, 0.0, 0.0},
                        solutions[CONTEST_ROLES] = {0.0, 0.0, 8.0, 2.0};
    const double plain = fixed[role] + by_state[role] * problem->n + solutions[role] * solve;
    return problem->mode->event_count == 0
               ? plain
               : plain + sampling[role] + sampling_by_state[role] * problem->n;
}

static double step_cost(const Problem *problem, ContestRole role)
{
    double factor, solve;
    matrix_cost(problem, &factor, &solve);
    return step_cost_with(problem, role, solve);
}

// `apart`: evaluations that do not count. (This is done after every step.)
static double cost_of(const Problem *problem, const SaltusStatistics *s, ContestRole role,
                      long apart)
{
    double factor = 0.0, solve = 0.0;
    if (is_implicit(role) || s->factorizations)
        matrix_cost(problem, &factor, &solve);
    return (double)(s->f_evaluations + s->h_evaluations - apart) *
               contest_evaluation_cost(problem) +
           (double)(s->steps + s->rejected_steps) * step_cost_with(problem, role, solve) +
           (double)s->factorizations * factor;
}

static const int trial_length[CONTEST_ROLES] = {TRIAL, TRIAL, TRIAL, TRIAL_OF_MULTISTEP};

static double trial_cost(const Problem *problem, ContestRole role)
{
    static const double evaluations[CONTEST_ROLES] = {6.0, 12.0, 8.0, 2.0},
                        matrices[CONTEST_ROLES] = {0.0, 0.0, 1.0, 0.1};
    double factor, solve;
    matrix_cost(problem, &factor, &solve);
    const double evaluation = contest_evaluation_cost(problem);
    return trial_length[role] * (evaluations[role] * evaluation + step_cost(problem, role) +
                                 matrices[role] * (problem->n * evaluation + factor));
}

static double first_wait(const Problem *problem, ContestRole present, ContestRole rival)
{
    const bool is_alike = is_implicit(present) == is_implicit(rival);
    const double patience = !is_alike                        ? patience_implicit
                            : problem->mode->event_count > 0 ? patience_alike
                                                             : patience_without_events;
    return patience * trial_cost(problem, rival);
}

// ---------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------

static void measure_from_here(Contest *c)
{
    c->steps = c->events = 0;
    c->gone = c->paid = 0.0;
}

// Events and other restarts. Where they are rare, they end what is measured.
static void contest_interrupt(Contest *c)
{
    c->shorts = c->stretch < SHORT ? c->shorts + 1 : 0;
    c->has_events = c->stretch < FREQUENT;
    c->stretch = 0;
    c->events++;
    if (c->has_events)
        return;
    for (int i = 0; i < CONTEST_ROLES && !c->is_trial; i++)
        c->rate[i] = 0.0; // behind an event all may be different
    measure_from_here(c);
}

// One more step. What happened while the mode or its solver was not at work does not count.
static void contest_count(Contest *c, const SaltusRun *run, ContestRole role)
{
    const SaltusStatistics *s = &run->statistics;
    const Problem *problem = run->active->problem;
    const double cost = cost_of(problem, s, role, c->apart);
    const long absences = s->mode_changes + s->reselections + s->stretch_steps;
    if (!c->is_begun || c->role != role) {
        measure_from_here(c);
        c->stretch = 0;
        c->is_begun = true;
    } else {
        if (c->restarts != s->restarts)
            contest_interrupt(c);
        if (c->absences == absences) {
            c->gone += run->t - c->t;
            c->paid += cost - c->cost;
            c->total += cost - c->cost;
        }
    }
    c->role = role;
    c->restarts = s->restarts;
    c->absences = absences;
    c->t = run->t;
    c->cost = cost;
    c->steps++;
    c->stretch++;
    c->has_events = c->has_events && c->stretch < FREQUENT;
}

static bool is_measured(const Contest *c, int length)
{
    return c->steps >= length &&
           (!c->has_events || c->events >= EVENTS_MEASURED || c->steps >= LONGEST * length);
}

static double rate_here(const Contest *c)
{
    return c->gone / real_larger(c->paid, 1.0);
}

// ---------------------------------------------------------------------------
// Deciding
// ---------------------------------------------------------------------------

// The solver goes on to be that; a trial, if there was one, is over.
static bool contest_decide(Contest *c, SaltusRun *run, ContestRole winner, ContestRole loser,
                           double *step)
{
    Problem *problem = run->active->problem;
    c->waits[loser] =
        real_larger(patience_grows * c->waits[loser], first_wait(problem, winner, loser));
    // Whoever takes over from an implicit solver is on probation.
    if (is_implicit(loser) && !is_implicit(winner) && c->is_trial && c->before == loser)
        c->waits[loser] = probation * trial_cost(problem, loser);
    c->due[loser] = c->total + c->waits[loser];
    for (ContestRole i = CONTEST_LOW; i < CONTEST_ROLES && c->before != winner; i++)
        if (i != loser)
            c->due[i] = real_larger(c->due[i], c->total + first_wait(problem, winner, i));
    c->is_trial = false;
    c->shorts = 0;
    const bool is_change = contest_role_of(run->solver) != winner;
    *step = is_change && winner == c->before ? c->step : 0.0;
    problem->preferred = contest_solver[winner];
    measure_from_here(c);
    return is_change;
}

static bool judge_trial(Contest *c, SaltusRun *run, double *step)
{
    const bool is_slow = c->role == CONTEST_MULTISTEP;
    const int length = is_slow ? TRIAL_OF_MULTISTEP : TRIAL,
              run_in = is_slow && !c->has_events ? RUN_IN_OF_MULTISTEP : RUN_IN;
    if (c->steps == run_in) {
        c->gone = c->paid = 0.0;
        c->events = 0;
    }
    if (!is_measured(c, length) &&
        (c->steps < length || rate_here(c) > hopeless * c->rate[c->before]))
        return false;
    c->rate[c->role] = rate_here(c);
    // What is stiff between two events is so all the same, whatever was measured beyond them.
    const bool is_won =
        (c->is_stiff && c->events > 0) || c->rate[c->role] > better * c->rate[c->before];
    const ContestRole winner = is_won ? c->role : c->before, loser = is_won ? c->before : c->role;
    if (c->is_stiff) {
        double *wait = &c->stiff_waits[c->role];
        *wait =
            is_won ? 0.0
                   : real_larger(patience_grows * *wait, trial_cost(run->active->problem, c->role));
        c->stiff_due[c->role] = c->total + *wait;
    }
    return contest_decide(c, run, winner, loser, step);
}

// Whether the other implicit method may be better than a Rosenbrock method, which evaluates more
// often: where this is most of the work. (A small gain would not be worth it: of a run with cvode
// no copy can be made that goes on with the same bits.)
static bool multistep_may_pay(const Problem *problem)
{
    static const double most = 10.0;
    enum { STAGES = 8 };
    return (STAGES + problem->n) * contest_evaluation_cost(problem) >
           most * step_cost(problem, CONTEST_MULTISTEP);
}

// Who may be tried at all: from implicit solvers back to where the work came from, to the other
// implicit one from the first.
static bool contest_is_rival(const Contest *c, const Problem *problem, ContestRole rival)
{
    const ContestRole implicit = implicit_role(problem);
    switch (rival) {
    case CONTEST_LOW:
        return c->role != rival;
    case CONTEST_HIGH:
        return c->role != rival && (!is_implicit(c->role) || c->rate[CONTEST_HIGH] > 0.0);
    case CONTEST_ROSENBROCK:
        return c->role != rival && implicit == rival;
    default:
        return c->role != rival && (implicit == rival || (c->rate[CONTEST_ROSENBROCK] > 0.0 &&
                                                          multistep_may_pay(problem)));
    }
}

// Whether steps are so near to the longest that is allowed that order 8 gains nothing. (Where there
// are events, they may be longer than that for a while only.)
static bool contest_is_bounded(const Solver *solver)
{
    const Problem *problem = solver->problem;
    const double ratio = trial_cost(problem, CONTEST_HIGH) / trial_cost(problem, CONTEST_LOW);
    return problem->mode->event_count == 0 && solver->method.max_step > 0.0 &&
           better * ratio * solver->step_next > solver->method.max_step;
}

static bool contest_is_stiff(const Contest *c, const SaltusRun *run)
{
    return run->solver->seems_stiff || (c->is_told && c->steps >= TOLD);
}

static bool contest_is_due(Contest *c, const SaltusRun *run, ContestRole rival, bool is_window)
{
    const Problem *problem = run->active->problem;
    if (!contest_is_rival(c, problem, rival))
        return false;
    const bool is_stiff = contest_is_stiff(c, run);
    if (is_implicit(rival) && is_stiff && c->total >= c->stiff_due[rival])
        return true;
    if (!is_window || (rival == CONTEST_HIGH && contest_is_bounded(run->solver)))
        return false;
    if (rival == CONTEST_HIGH && run->solver->kind->id == SALTUS_SOLVER_DOPRI5 &&
        runge_kutta_is_limited(run->solver))
        return false;
    if (c->due[rival] == 0.0)
        c->due[rival] = first_wait(problem, c->role, rival);
    return c->total >= c->due[rival] || c->rate[c->role] < worse * c->rate[rival];
}

static bool begin_trial(Contest *c, SaltusRun *run, ContestRole rival, double *step)
{
    enum { ENOUGH = 3 }; // trials of the present steps that are left to be done
    const int length = rival == CONTEST_MULTISTEP ? TRIAL_OF_MULTISTEP : TRIAL;
    if (run->t + ENOUGH * length * run->solver->step_next > run->stop_time)
        return false;
    c->before = c->role;
    c->is_trial = true;
    c->is_stiff = run->solver->seems_stiff || c->is_told;
    c->is_told = false;
    if (c->rate[c->role] == 0.0 || (c->is_stiff && rate_here(c) < c->rate[c->role]))
        c->rate[c->role] = rate_here(c);
    c->step = *step = run->solver->step_next;
    run->active->problem->preferred = contest_solver[rival];
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
    if (!contest_may_choose(run))
        return false;
    const ContestRole role = contest_role_of(run->solver);
    contest_count(c, run, role);
    if (c->is_trial)
        return judge_trial(c, run, step);
    if (role == CONTEST_HIGH && run->active->problem->preferred != SALTUS_SOLVER_AUTO &&
        c->shorts >= MOST_SHORT)
        return contest_decide(c, run, CONTEST_LOW, CONTEST_HIGH, step);
    const bool has_functions = run->active->mode->event_count > 0;
    const bool is_window = is_measured(c, has_functions ? WINDOW : WINDOW_WITHOUT_EVENTS);
    if (!is_window && !contest_is_stiff(c, run))
        return false; // nobody can be due
    if (is_window)
        c->rate[role] = rate_here(c);
    bool is_change = false;
    for (ContestRole rival = CONTEST_LOW; rival < CONTEST_ROLES && !is_change; rival++)
        is_change = contest_is_due(c, run, rival, is_window) && begin_trial(c, run, rival, step);
    if (is_window)
        measure_from_here(c);
    return is_change;
}

void contest_add_stretch(SaltusRun *run, const SaltusStatistics *stretch)
{
    Contest *c = &run->active->contest;
    if (contest_may_choose(run) && c->is_begun)
        c->total += cost_of(run->active->problem, stretch, c->role, 0);
}

long contest_steps_left(const SaltusRun *run, long most)
{
    const Contest *c = &run->active->contest;
    const Problem *problem = run->active->problem;
    if (!contest_may_choose(run) || !c->is_begun || problem->preferred == SALTUS_SOLVER_AUTO)
        return most;
    if (c->is_trial)
        return c->is_stiff ? most : 0;
    const double step = trial_cost(problem, c->role) / trial_length[c->role];
    for (ContestRole rival = CONTEST_LOW; rival < CONTEST_ROLES; rival++)
        if (contest_is_rival(c, problem, rival) && c->due[rival] > 0.0)
            most = (long)real_larger(
                0.0, real_smaller((double)most, ceil((c->due[rival] - c->total) / step)));
    return most;
}

bool contest_rescue(SaltusRun *run)
{
    Contest *c = &run->active->contest;
    Problem *problem = run->active->problem;
    if (!contest_may_choose(run))
        return false;
    const ContestRole role = contest_role_of(run->solver), implicit = implicit_role(problem);
    const ContestRole other = role == CONTEST_ROSENBROCK ? CONTEST_MULTISTEP : implicit;
    if (other == role)
        return false;
    *c = (Contest){.role = other};
    c->waits[role] = probation * patience_implicit * first_wait(problem, other, role);
    c->due[role] = c->stiff_due[role] = c->waits[role];
    problem->preferred = contest_solver[other];
    return true;
}
