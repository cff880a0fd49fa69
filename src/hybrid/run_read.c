// SPDX-License-Identifier: MIT
//
// What can be read of a run.

#include "hybrid/run.h"
#include <math.h>
#include <string.h>

double saltus_run_time(const SaltusRun *run)
{
    return run->t;
}

int saltus_run_mode(const SaltusRun *run)
{
    return run->active->index;
}

const double *saltus_run_states(const SaltusRun *run)
{
    return run->x;
}

const double *saltus_run_algebraics(const SaltusRun *run)
{
    return run->z;
}

const double *saltus_run_parameters(const SaltusRun *run)
{
    return run->data.p;
}

const double *saltus_run_inputs(const SaltusRun *run)
{
    return run->data.u;
}

const void *saltus_run_memory(const SaltusRun *run)
{
    return run->data.memory;
}

SaltusSolver saltus_run_solver(const SaltusRun *run)
{
    if (run->stretch.solver != SALTUS_SOLVER_AUTO)
        return run->stretch.solver;
    return run->solver ? run->solver->kind->id : run->method.solver; // before its first step
}

bool saltus_run_was_exact(const SaltusRun *run, int mode)
{
    const int position = index_map_find(&run->instances.visits_at, mode);
    if (position < 0)
        return false;
    const Visit *visit = &run->instances.visits[position];
    return visit->instance ? visit->instance->habit.was_exact : visit->was_exact;
}

const SaltusSystem *saltus_run_system(const SaltusRun *run)
{
    return run->system;
}

void saltus_run_set_user(SaltusRun *run, void *user)
{
    run->options.user = user;
}

double saltus_run_next_time_event(const SaltusRun *run)
{
    return schedule_next(&run->schedule);
}

int saltus_run_outputs(const SaltusRun *run, double *y)
{
    return problem_outputs(run->active->problem, run->t, run->x, run->z, y);
}

int saltus_piece_values(const SaltusPiece *piece, double t, double *x, double *z, double *y)
{
    const SaltusRun *run = piece->run;
    RunInstance *active = run->active;
    const SaltusModeDef *mode = active->mode;
    const double *x_at = run->handed.x, *z_at = run->handed.z;
    if (t != piece->to) {
        x_at = active->sample.x;
        z_at = active->sample.z;
        if (run->solver->kind->interpolate(run->solver, t, active->sample.x, active->sample.z) != 0)
            return 1;
    }
    if (x)
        memcpy(x, x_at, (size_t)mode->state_count * sizeof *x);
    if (z && mode->algebraic_count > 0)
        memcpy(z, z_at, (size_t)mode->algebraic_count * sizeof *z);
    return y ? problem_outputs(active->problem, t, x_at, z_at, y) : 0;
}

const SaltusError *saltus_run_error(const SaltusRun *run)
{
    return &run->error;
}

long saltus_run_row_count(const SaltusRun *run)
{
    return run->trajectory.count;
}

SaltusRow saltus_run_row(const SaltusRun *run, long index)
{
    const bool is_there = index >= 0 && index < run->trajectory.count;
    return is_there ? trajectory_row(&run->trajectory, index) : (SaltusRow){.t = NAN, .mode = -1};
}

long saltus_run_event_count(const SaltusRun *run)
{
    return log_count(&run->log);
}

SaltusLogEntry saltus_run_event(const SaltusRun *run, long index)
{
    return log_read(&run->log, index);
}

SaltusStatistics saltus_run_statistics(const SaltusRun *run)
{
    return run->statistics;
}
