// SPDX-License-Identifier: MIT

#include "hybrid/carry.h"

#include "hybrid/run.h"

bool carry_is_possible(const SaltusRun *run)
{
    return !run->def->memory.copy && !run->status.has_failed && !run->status.is_busy;
}

static void carry_instance(RunInstance *i, Carrier *c)
{
    const size_t events = (size_t)i->mode->event_count;
    carry_reals(c, i->x, i->mode->state_count);
    carry_reals(c, i->z, i->mode->algebraic_count);
    carry_reals(c, i->problem->z_guess, i->mode->algebraic_count);
    CARRY(c, i->problem->preferred);
    CARRY(c, i->contest);
    CARRY(c, i->made.solver);
    CARRY(c, i->made.client);
    CARRY(c, i->made.refusals);
    carry_reals(c, i->h, i->mode->event_count);
    carry(c, i->armed, events * sizeof *i->armed);
    carry(c, i->guards, events * sizeof *i->guards);
    CARRY(c, i->habit.stay);
    CARRY(c, i->habit.step);
    CARRY(c, i->habit.was_exact);
}

static bool carry_schedule(Schedule *s, Carrier *c)
{
    int count = s->count;
    CARRY(c, count);
    for (int i = 0; i < count && !c->has_failed; i++) {
        ScheduledEvent event = {0};
        if (!c->is_reading)
            event = s->events[i];
        CARRY(c, event.time);
        CARRY(c, event.id);
        if (c->is_reading && !c->has_failed && !schedule_set(s, event.id, event.time))
            return false;
    }
    return true;
}

// What does not depend on the modes.
static bool carry_common(SaltusRun *run, Carrier *c)
{
    CARRY(c, run->t);
    CARRY(c, run->stop_time);
    CARRY(c, run->rows.index);
    CARRY(c, run->method);
    CARRY(c, run->statistics);
    carry_reals(c, run->data.p, run->def->parameter_count);
    carry_reals(c, run->data.u, run->def->input_count);
    carry(c, run->data.memory, run->def->memory.size);
    return carry_schedule(&run->schedule, c);
}

// Where the solver is, once it has been started.
static void carry_solver(SaltusRun *run, Carrier *c)
{
    const SolverKind *kind = run->solver->kind;
    bool is_at_solver = run->x == run->solver->x;
    SaltusSolver id = kind->id;
    CARRY(c, run->t_restart);
    CARRY(c, run->stretch.is_exchanged); // (a restart has made it false)
    CARRY(c, run->stretch.is_alone);
    CARRY(c, run->stretch.solver);
    CARRY(c, run->trouble.stiff_steps);
    CARRY(c, run->trouble.branch_changes);
    CARRY(c, run->trouble.abrupt_steps);
    CARRY(c, run->trouble.unfollowed_steps);
    CARRY(c, run->trouble.step_limit);
    CARRY(c, run->trouble.failed_samples);
    CARRY(c, run->trouble.distrust);
    CARRY(c, run->trouble.edge);
    CARRY(c, run->trouble.branched);
    CARRY(c, run->trouble.edge_events);
    CARRY(c, run->trouble.change);
    CARRY(c, run->trouble.growing);
    CARRY(c, is_at_solver);
    CARRY(c, id);
    if (!kind->carry || id != kind->id)
        return;
    c->has_failed = c->has_failed || !kind->carry(run->solver, c);
    run->x = is_at_solver ? run->solver->x : run->active->x;
    run->z = is_at_solver ? run->solver->z : run->active->z;
}

void carry_write(const SaltusRun *run, Carrier *c, CarryMode *mode, void *user)
{
    SaltusRun *own = (SaltusRun *)(uintptr_t)run; // nothing is written to it
    int count = 0; // without the one before the start, which is no mode
    for (const RunInstance *i = run->instances.oldest; i; i = i->order.newer)
        count += i->index >= 0;
    carry_common(own, c);
    CARRY(c, count);
    for (RunInstance *i = run->instances.oldest; i; i = i->order.newer) {
        if (i->index < 0)
            continue;
        mode(user, c, i->mode->data);
        carry_instance(i, c);
    }
    mode(user, c, run->active->mode->data);
    const RunInstance *active = run->active;
    carry_reals(c, (double *)(uintptr_t)run->x, active->mode->state_count);
    carry_reals(c, (double *)(uintptr_t)run->z, active->mode->algebraic_count);
    carry_solver(own, c);
}

static bool carry_read_modes(SaltusRun *run, Carrier *c, CarryMode *mode, void *user)
{
    int count = 0;
    CARRY(c, count);
    for (int k = 0; k < count && !c->has_failed; k++) {
        const int index = mode(user, c, NULL);
        RunInstance *instance = index >= 0 ? instance_of(run, index) : NULL;
        if (!instance)
            return false;
        carry_instance(instance, c);
    }
    const int index = c->has_failed ? -1 : mode(user, c, NULL);
    run->active = index >= 0 ? instance_of(run, index) : NULL;
    if (!run->active)
        return false;
    carry_reals(c, run->active->x, run->active->mode->state_count);
    carry_reals(c, run->active->z, run->active->mode->algebraic_count);
    if (c->has_failed || run_restart(run, NULL, 0.0) != SALTUS_OK)
        return false;
    carry_solver(run, c);
    return !c->has_failed;
}

SaltusRun *carry_read(const SaltusSystem *system, const SaltusOptions *options, Carrier *c,
                      CarryMode *mode, void *user)
{
    SaltusRun *run = run_allocate(system, options);
    if (!run)
        return NULL;
    const bool is_fine =
        carry_common(run, c) && !c->has_failed && carry_read_modes(run, c, mode, user);
    if (is_fine)
        return run;
    saltus_run_destroy(run);
    return NULL;
}
