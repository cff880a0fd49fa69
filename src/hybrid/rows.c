// SPDX-License-Identifier: MIT
//
// The rows of a run: the values at a step, inside of one, at an event, kept or handed over.

#include "hybrid/run.h"

#include "base/real.h"
#include "events/locate.h"

#include <math.h>
#include <string.h>

static bool row_is_wanted(unsigned record, SaltusRowKind kind)
{
    switch (kind) {
    case SALTUS_ROW_STEP:
        return record & SALTUS_RECORD_STEPS;
    case SALTUS_ROW_INTERVAL:
        return record & SALTUS_RECORD_INTERVALS;
    default:
        return record != SALTUS_RECORD_NOTHING;
    }
}

// Fills the values of a row: x, z, y.
static int rows_fill(const RunInstance *instance, double t, const double *x, const double *z,
                     double *values)
{
    const SaltusModeDef *mode = instance->mode;
    double *z_row = values + mode->state_count, *y_row = z_row + mode->algebraic_count;
    memcpy(values, x, (size_t)mode->state_count * sizeof *x);
    if (mode->algebraic_count > 0)
        memcpy(z_row, z, (size_t)mode->algebraic_count * sizeof *z);
    return problem_outputs(instance->problem, t, values, z_row, y_row);
}

static bool row_is_finite(const SaltusModeDef *mode, const double *values)
{
    const int count = mode->state_count + mode->algebraic_count + mode->output_count;
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

// The values at an event, or just before it, may lie where the equations are not defined, by the
// rounding of its time: sqrt(y) until y <= 0. Then they are those of a moment before. So are those
// of a row at an interval that is the time of an event.
static void row_from_inside(const SaltusRun *run, double t, const RunInstance *instance,
                            double *values)
{
    enum { TRIES = 8 };
    Solver *solver = run->solver;
    const SaltusModeDef *mode = instance->mode;
    double *x = instance->sample.x, *z = instance->sample.z, back = locate_resolution(t);
    memcpy(instance->branch.begin, values + mode->state_count,
           (size_t)mode->algebraic_count * sizeof *z);             // of t
    for (int i = 0; i < TRIES && t <= solver->t; i++, back *= 2.0) // the step may begin here
        if (solver->kind->interpolate(solver, t - back, x, z) == 0 &&
            rows_fill(instance, t - back, x, z, values) == 0 && row_is_finite(mode, values))
            return;
    if (solver->kind->interpolate(solver, t, x, z) == 0)
        rows_fill(instance, t, x, instance->branch.begin, values);
}

SaltusStatus run_record_row(SaltusRun *run, SaltusRowKind kind, double t,
                            const RunInstance *instance, const double *x, const double *z)
{
    if (!row_is_wanted(run->options.record, kind))
        return SALTUS_OK;
    Trajectory *trajectory = &run->trajectory;
    const bool kept = run->options.row == NULL;
    double *values = trajectory_add(trajectory, t, instance->index, instance->mode, kind);
    if (!values)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the trajectory");
    if (rows_fill(instance, t, x, z, values) != 0) {
        trajectory_drop(trajectory);
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "while recording");
    }
    const bool is_before =
        kind == SALTUS_ROW_BEFORE_EVENT ||
        (kind == SALTUS_ROW_INTERVAL && t >= run->rows.event_at - 16.0 * locate_resolution(t));
    if (is_before && run->solver && instance == run->active &&
        !row_is_finite(instance->mode, values))
        row_from_inside(run, t, instance, values);
    if (kept)
        return SALTUS_OK;
    SaltusRow row = trajectory_row(trajectory, trajectory->count - 1);
    if (run->options.row(run->options.user, &row) != 0)
        run->status.is_interrupted = true; // an event in progress is finished first
    trajectory_drop(trajectory);
    return SALTUS_OK;
}

// Whether nothing can happen inside of a step, and nothing of it is wanted but rows at times that
// are known before.
static bool rows_are_all(const SaltusRun *run)
{
    const SaltusModeDef *mode = run->active->mode;
    return mode->event_count == 0 && schedule_first(&run->schedule) == INFINITY &&
           !run->options.piece && !run->def->passed &&
           !(run->options.record & SALTUS_RECORD_STEPS) &&
           (!run->def->accepted || mode->ignores_steps);
}

double rows_limit_of_exact(SaltusRun *run, double limit)
{
    const SaltusOptions *o = &run->options;
    Problem *problem = run->active->problem;
    problem->is_unwatched = rows_are_all(run);
    if (!problem->is_unwatched || !(o->record & SALTUS_RECORD_INTERVALS))
        return limit;
    double next = o->start_time + o->output_interval * (double)run->rows.index;
    if (next <= run->t) // there is a row at the start
        next = o->start_time + o->output_interval * (double)(run->rows.index + 1);
    return next > run->t ? real_smaller(limit, next) : limit;
}

// Whether a state inside the step contradicts what event functions are armed with: no event is
// there, so it is an error of the dense output. Behind a small resistance, that of a current is
// large.
static bool is_contradictory(const RunInstance *active, double t, const double *x, const double *z)
{
    const SaltusModeDef *mode = active->mode;
    if (mode->event_count == 0 || problem_events(active->problem, t, x, z, active->sample.h) != 0)
        return false;
    for (int i = 0; i < mode->event_count; i++)
        if (!mode->events[i].is_muted &&
            active->armed[i].sign * detect_sign(&active->armed[i], active->sample.h[i]) < 0)
            return true;
    return false;
}

// A step of the method that ends there is as good as the one that was accepted; it is taken where
// the dense output is not good enough.
int rows_state(SaltusRun *run, double t)
{
    RunInstance *active = run->active;
    Solver *solver = run->solver;
    int code = solver->kind->interpolate(solver, t, active->sample.x, active->sample.z);
    if (code != 0) { // where a branch of solutions was left, its begin is the better guess
        real_copy(active->sample.z, solver->z_old, active->problem->nz);
        code = problem_algebraics(active->problem, t, active->sample.x, active->sample.z);
    }
    if (code != 0 || !solver->kind->closing_step || t <= solver->t_old || t >= solver->t ||
        !is_contradictory(active, t, active->sample.x, active->sample.z))
        return code;
    return solver->kind->closing_step(solver, t, active->sample.x, active->sample.z);
}

// A row at a time inside of the solver's step.
static SaltusStatus record_at(SaltusRun *run, SaltusRowKind kind, double t)
{
    RunInstance *active = run->active;
    if (rows_state(run, t) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "inside a step");
    return run_record(run, kind, t, active, active->sample.x, active->sample.z);
}

// Rows inside of a step in (from, to): the solver exact needs so few that a line through their ends
// does not show the motion.
static SaltusStatus record_inside(SaltusRun *run, double from, double to)
{
    const Solver *solver = run->solver;
    if (!(run->options.record & SALTUS_RECORD_STEPS) || solver->kind->id != SALTUS_SOLVER_EXACT)
        return SALTUS_OK;
    for (int j = 1; j < solver->cells; j++) {
        const double t = solver->t_old + (solver->t - solver->t_old) * j / solver->cells;
        if (!(t > from && t < to))
            continue;
        const SaltusStatus status = record_at(run, SALTUS_ROW_STEP, t);
        if (status != SALTUS_OK)
            return status;
    }
    return SALTUS_OK;
}

SaltusStatus rows_record(SaltusRun *run, double from, double to)
{
    const double interval = run->options.output_interval;
    if (!(run->options.record & SALTUS_RECORD_INTERVALS))
        return record_inside(run, from, to);
    for (;; run->rows.index++) {
        const double t = run->options.start_time + interval * (double)run->rows.index;
        if (t <= from)
            continue;
        if (t > to)
            return SALTUS_OK;
        const SaltusStatus status = record_at(run, SALTUS_ROW_INTERVAL, t);
        if (status != SALTUS_OK)
            return status;
    }
}
