// SPDX-License-Identifier: MIT
//
// Stretches of a run that the client makes by itself. While it does, the solver stays behind
// (is_exchanged); where the engine goes on, it begins anew. Events that the client does not want to
// make are handled as all others are.

#include "base/real.h"
#include "hybrid/run.h"
#include <math.h>
#include <string.h>

// In stretches there is no contest of solvers. So, if they are long and the contest has not decided
// yet, the engine makes some steps by itself, in which it finds the solver for the others.
// The client is asked after each event until it has refused so often in a mode, then after so many.
enum { STRETCH_REFUSALS = 4, STRETCH_REST = 32 };
enum { STRETCH_FIRST = 500, STRETCH_CONTEST = 800, STRETCH_STEPS = 20000 };

static bool stretch_has_contest(const SaltusRun *run)
{
    const RunInstance *active = run->active;
    return instance_method(run, active)->solver == SALTUS_SOLVER_AUTO &&
           run->solver->kind->id != SALTUS_SOLVER_EXACT &&
           active->problem->preferred == SALTUS_SOLVER_AUTO &&
           active->made.solver < STRETCH_CONTEST;
}

// The solver that the client is to take.
static SaltusSolver stretch_solver(const SaltusRun *run)
{
    static const double high_order_from = 1e-7; // without the contest
    const SaltusMethod *method = instance_method(run, run->active);
    const bool is_open = method->solver == SALTUS_SOLVER_AUTO &&
                         run->active->problem->preferred == SALTUS_SOLVER_AUTO;
    const SaltusSolver chosen = run->solver->kind->id;
    return is_open && chosen == SALTUS_SOLVER_DOPRI5 && method->relative_tolerance < high_order_from
               ? SALTUS_SOLVER_DOP853
               : chosen;
}

bool stretch_is_possible(const SaltusRun *run)
{
    const SaltusOptions *o = &run->options;
    const RunInstance *active = run->active;
    if (run->stretch.is_alone || active->made.refusals >= STRETCH_REFUSALS || o->piece ||
        run->def->passed || o->max_steps > 0 || o->backstep != SALTUS_BACKSTEP ||
        isfinite(run->trouble.step_limit) ||
        (active->made.client >= STRETCH_FIRST && stretch_has_contest(run)) ||
        contest_steps_left(run, STRETCH_STEPS) == 0)
        return false;
    for (int i = 0; i < active->mode->event_count; i++)
        if (active->armed[i].sign == 0 && !active->mode->events[i].is_muted)
            return false; // it rests at zero
    return true;
}

static void stretch_show(SaltusStretch *s)
{
    const SaltusRun *run = s->run;
    const RunInstance *active = run->active;
    s->mode = active->index;
    s->data = active->mode->data;
    s->x = active->x;
    s->z = active->z;
    s->sign = active->said.sign;
    s->noise = active->noise;
    s->fired = run->now.crossed;
    s->x_old = run->solver->problem == active->problem ? run->solver->x_old : active->sample.x;
}

static void stretch_show_signs(SaltusStretch *s)
{
    const RunInstance *active = s->run->active;
    for (int i = 0; i < active->mode->event_count; i++) {
        s->sign[i] = active->armed[i].sign;
        s->noise[i] = active->armed[i].noise;
    }
}

static void stretch_open(SaltusRun *run, double limit, SaltusStretch *s)
{
    RunInstance *active = run->active;
    const SaltusOptions *o = &run->options;
    const bool has_rows = o->record & SALTUS_RECORD_INTERVALS;
    if (run->x != active->x) {
        real_copy(active->x, run->x, active->mode->state_count);
        real_copy(active->z, run->z, active->mode->algebraic_count);
        run->x = active->x;
        run->z = active->z;
    }
    *s = (SaltusStretch){
        .run = run,
        .user = run->def->user,
        .p = run->data.p,
        .memory = run->data.memory,
        .method = instance_method(run, active),
        .solver = stretch_solver(run),
        .horizon = run->stop_time - o->start_time,
        .limit = limit,
        .step = run->solver->step_next,
        .begun = run->t_restart,
        .rows.has_steps = o->record & SALTUS_RECORD_STEPS,
        .rows.has_last_step = schedule_next(&run->schedule) > limit,
        .rows.has_only_log = o->record == SALTUS_RECORD_NOTHING && !o->logged && !o->notes,
        .rows.first = o->start_time,
        .rows.interval = has_rows ? o->output_interval : 0.0,
        .rows.index = run->rows.index,
        .most_steps = stretch_has_contest(run) ? STRETCH_FIRST - active->made.client
                                               : contest_steps_left(run, STRETCH_STEPS),
        .most_events = o->max_events > 0 ? 1 : 1000,
        .t = run->t,
        .fired = run->now.crossed};
    stretch_show(s);
    stretch_show_signs(s);
}

// The run is where the client says.
static SaltusStatus stretch_place(SaltusRun *run, const SaltusStretch *s)
{
    RunInstance *active = run->active;
    const int count = active->mode->event_count;
    run->t = s->t;
    run->x = active->x;
    run->z = active->z;
    run->t_restart = s->begun;
    run->rows.index = s->rows.index;
    run->solver->step_next = s->step;
    run->stretch.solver = s->solver;
    run->trouble.failed_samples = run->trouble.distrust = 0;
    real_copy(active->problem->z_guess, active->z, active->mode->algebraic_count);
    for (int i = 0; i < count; i++)
        active->armed[i] =
            (Armed){.sign = s->sign[i], .noise = s->noise[i], .rounding = s->noise[i]};
    if (count > 0 && problem_events(active->problem, run->t, run->x, run->z, active->h) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at the end of a step");
    return SALTUS_OK;
}

#define STRETCH_ADD(name, what) run->statistics.name += s->statistics.name;

static void stretch_count(SaltusRun *run, const SaltusStretch *s)
{
    SALTUS_STATISTICS_LIST(STRETCH_ADD)
}

#undef STRETCH_ADD

void stretch_allow(SaltusRun *run)
{
    int *refusals = &run->active->made.refusals;
    run->stretch.is_alone = false;
    if (*refusals >= STRETCH_REFUSALS && ++*refusals >= STRETCH_REFUSALS + STRETCH_REST)
        *refusals = STRETCH_REFUSALS - 1;
}

SaltusStatus stretch_advance(SaltusRun *run, double limit)
{
    SaltusStretch s;
    stretch_open(run, limit, &s);
    const bool was_exchanged = run->stretch.is_exchanged;
    const SaltusSolver solver = s.solver;
    run->stretch.is_exchanged = true;
    const SaltusStretchEnd end = run->def->stretch(&s);
    run->stretch.is_alone = end == SALTUS_STRETCH_REFUSED;
    if (end == SALTUS_STRETCH_REFUSED && s.t == run->t && s.statistics.steps == 0) {
        run->stretch.is_exchanged = was_exchanged; // the solver may have a step that goes on
        run->active->made.refusals++;
        return SALTUS_OK;
    }
    run->active->made.refusals = 0;
    if (end == SALTUS_STRETCH_REFUSED && s.solver == SALTUS_SOLVER_RODAS) {
        run->active->contest.is_told |= solver != SALTUS_SOLVER_RODAS;
        s.solver = solver;
    }
    stretch_count(run, &s);
    run->active->made.client += s.statistics.steps;
    contest_add_stretch(run, &s.statistics);
    if (s.status != SALTUS_OK && s.status != SALTUS_ZENO)
        return s.status;
    SaltusStatus status = stretch_place(run, &s);
    if (s.status != SALTUS_OK || status != SALTUS_OK || end != SALTUS_STRETCH_EVENT)
        return s.status != SALTUS_OK ? s.status : status;
    status = event_handle(run, SALTUS_AT_CROSSING, 0.0, s.fired, s.fired_count, NULL);
    run->stretch.is_exchanged = false; // it has begun anew
    return status;
}

SaltusStatus saltus_stretch_row(SaltusStretch *s, SaltusRowKind kind, double t, const double *x)
{
    SaltusRun *run = s->run;
    RunInstance *active = run->active;
    real_copy(active->sample.x, x, active->mode->state_count);
    real_copy(active->sample.z, active->z, active->mode->algebraic_count);
    if (problem_algebraics(active->problem, t, active->sample.x, active->sample.z) != 0)
        s->status = run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "inside a step");
    else
        s->status = run_record(run, kind, t, active, active->sample.x, active->sample.z);
    return s->status;
}

SaltusStatus saltus_stretch_event(SaltusStretch *s, void *argument)
{
    SaltusRun *run = s->run;
    const long restarts = run->statistics.restarts;
    run->t = s->t;
    run->now.event.argument = argument;
    s->status = event_replay(run, s);
    run->now.event.argument = NULL;
    s->fired_count = 0;
    stretch_show(s);
    if (run->statistics.restarts == restarts)
        return s->status;
    stretch_show_signs(s); // events accumulate, and the run goes on at their limit
    return SALTUS_INTERRUPTED;
}
