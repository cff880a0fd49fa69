// SPDX-License-Identifier: MIT
//
// Making, copying and destroying runs.

#include "hybrid/run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static SaltusStatus check_options(const SaltusOptions *o, SaltusError *error)
{
    if (!isfinite(o->start_time))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "the start time is not finite");
    const unsigned records = SALTUS_RECORD_STEPS | SALTUS_RECORD_INTERVALS | SALTUS_RECORD_EVENTS;
    if (o->record & ~records)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "record %#x: there is no such bit",
                         o->record);
    const bool interval = o->output_interval > 0.0 && isfinite(o->output_interval);
    if ((o->record & SALTUS_RECORD_INTERVALS) && !interval)
        return error_set(error, SALTUS_ERROR_ARGUMENT,
                         "recording at intervals needs a positive output_interval");
    if ((int)o->backstep < SALTUS_BACKSTEP || (int)o->backstep > SALTUS_NO_BACKSTEP_LINEAR)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "backstep %d: there is no such choice",
                         (int)o->backstep);
    if ((int)o->zeno < SALTUS_ZENO_STOP || (int)o->zeno > SALTUS_ZENO_CONTINUE)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "zeno %d: there is no such choice",
                         (int)o->zeno);
    if (o->max_event_iterations < 1 || o->max_steps < 0 || o->max_events < 0)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "a limit of steps or events is too small");
    return method_check(&o->method, error);
}

// Bytes of a run that are one block: about what a run of a small model takes, which is made of some
// seventy pieces. With hooks of the caller each piece is a block of its own, which they see; with a
// sanitizer likewise.
#if defined(__SANITIZE_ADDRESS__)
#define RUN_IS_APART
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RUN_IS_APART
#endif
#endif
#ifdef RUN_IS_APART
enum { RUN_BLOCK = 0 };
#else
enum { RUN_BLOCK = 16384 };
#endif

// Room for a run and its first pieces, of which the run is zero; NULL: out of memory.
static SaltusRun *run_make_room(const SaltusAllocator *a)
{
    const size_t room = a->reallocate == memory_default().reallocate ? RUN_BLOCK : 0;
    SaltusRun *run = memory_resize(a, NULL, sizeof *run + room, 1);
    if (!run)
        return NULL;
    memset(run, 0, sizeof *run);
    heap_begin(&run->heap, a, run + 1, room);
    run->allocator = room > 0 ? &run->heap.hooks : a;
    return run;
}

// The run without instances; NULL: out of memory.
SaltusRun *run_allocate(const SaltusSystem *system, const SaltusOptions *options)
{
    const SaltusSystemDef *def = system_definition(system);
    SaltusRun *run = run_make_room(system_allocator(system));
    if (!run)
        return NULL;
    const SaltusAllocator *a = run->allocator;
    run->system = system;
    run->def = def;
    run->pool.allocator = a;
    run->instances.visits_at.allocator = a;
    run->schedule.allocator = a;
    run->trajectory.allocator = a;
    run->log.allocator = a;
    run->log.names.allocator = a;
    run->options = *options;
    run->trajectory.is_short = options->row != NULL;
    run->method = options->method;
    run->t = options->start_time;
    run->trouble.edge = run->trouble.branched = NAN;
    run->stop_time = options->start_time;
    run_forget_error(run, run->t);
    run->data.p = MEMORY_POOL_NEW(&run->pool, def->parameter_count, double);
    run->data.u = MEMORY_POOL_NEW(&run->pool, def->input_count, double);
    run->data.p_left = MEMORY_POOL_NEW(&run->pool, def->parameter_count, double);
    run->data.u_left = MEMORY_POOL_NEW(&run->pool, def->input_count, double);
    run->data.memory = memory_pool_new(&run->pool, def->memory.size, 1);
    run->data.memory_left = memory_pool_new(&run->pool, def->memory.size, 1);
    run->now.fired = MEMORY_POOL_NEW(&run->pool, 1, SaltusFired);
    if (!run->data.p || !run->data.u || !run->data.p_left || !run->data.u_left ||
        !run->data.memory || !run->data.memory_left || !run->now.fired) {
        saltus_run_destroy(run);
        return NULL;
    }
    run->data.has_memory =
        !def->memory.create || def->memory.create(def->user, run->data.memory) == 0;
    if (!run->data.has_memory) {
        saltus_run_destroy(run);
        return NULL;
    }
    const double *p = options->parameters ? options->parameters : def->parameters;
    const double *u = options->inputs ? options->inputs : def->inputs;
    memcpy(run->data.p, p, (size_t)def->parameter_count * sizeof *p);
    memcpy(run->data.u, u, (size_t)def->input_count * sizeof *u);
    run->options.parameters = NULL; // the caller's array is not ours to keep
    run->options.inputs = NULL;
    event_prepare(run);
    return run;
}

SaltusStatus saltus_run_create(const SaltusSystem *system, const SaltusOptions *options,
                               SaltusRun **run, SaltusError *error)
{
    if (!run)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no place for the run");
    *run = NULL;
    if (!system || !options)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no system or no options");
    SaltusStatus status = check_options(options, error);
    if (status != SALTUS_OK)
        return status;
    SaltusRun *made = run_allocate(system, options);
    if (!made)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    made->status.is_busy = true;
    status = event_start(made);
    made->status.is_busy = false;
    if (status == SALTUS_OK)
        status = run_interrupted(made);
    error_copy(error, &made->error);
    if (status < 0) {
        saltus_run_destroy(made);
        return status;
    }
    *run = made;
    return status;
}

void saltus_run_destroy(SaltusRun *run)
{
    if (!run)
        return;
    const SaltusAllocator *a = run->allocator;
    free(run->said);
    free(run->now.advice);
    instances_free(run);
    if (run->data.has_memory && run->def->memory.destroy)
        run->def->memory.destroy(run->def->user, run->data.memory);
    trajectory_free(&run->trajectory);
    log_free(&run->log);
    schedule_free(&run->schedule);
    memory_free(a, run->now.due);
    memory_pool_free(&run->pool);
    memory_free(run->heap.behind, run);
}

// What a mode remembers for when it is entered again: guesses, guards, step size.
static void copy_instance(RunInstance *to, const RunInstance *from)
{
    const size_t events = (size_t)from->mode->event_count;
    size_t nx = (size_t)from->mode->state_count, nz = (size_t)from->mode->algebraic_count;
    memcpy(to->x, from->x, nx * sizeof(double));
    memcpy(to->z, from->z, nz * sizeof(double));
    to->problem->preferred = from->problem->preferred;
    to->contest = from->contest;
    to->made = from->made;
    memcpy(to->problem->z_guess, from->problem->z_guess, nz * sizeof(double));
    memcpy(to->h, from->h, events * sizeof(double));
    memcpy(to->armed, from->armed, events * sizeof(Armed));
    memcpy(to->guards, from->guards, events * sizeof(Guard));
    to->habit.stay = from->habit.stay;
    to->habit.step = from->habit.step;
    to->habit.was_exact = from->habit.was_exact;
    to->problem->no_matrix = from->problem->no_matrix;
}

// All instances, and the active one with its present state and solver.
static SaltusStatus copy_instances(SaltusRun *to, const SaltusRun *from)
{
    if (!instances_copy_visits(&to->instances, &from->instances))
        return run_fail(to, SALTUS_ERROR_MEMORY, "out of memory");
    const RunInstance *source = from->instances.oldest;
    for (; source; source = source->order.newer) {
        RunInstance *made = instance_of(to, source->index);
        if (!made)
            return to->error.status;
        copy_instance(made, source);
    }
    RunInstance *active = to->active = instance_of(to, from->active->index);
    memcpy(active->x, from->x, (size_t)active->mode->state_count * sizeof(double));
    memcpy(active->z, from->z, (size_t)active->mode->algebraic_count * sizeof(double));
    const SaltusStatus status = run_restart(to, NULL, 0.0);
    if (status != SALTUS_OK)
        return status;
    to->t_restart = from->t_restart;
    to->stretch.is_exchanged =
        from->stretch.is_exchanged; // a client's stretch: the solver stays behind
    to->trouble.stiff_steps = from->trouble.stiff_steps;
    to->trouble.branch_changes = from->trouble.branch_changes;
    to->trouble.abrupt_steps = from->trouble.abrupt_steps;
    to->trouble.abrupt = from->trouble.abrupt;
    to->trouble.abrupt_time = from->trouble.abrupt_time;
    to->trouble.unfollowed_steps = from->trouble.unfollowed_steps;
    to->trouble.unfollowed = from->trouble.unfollowed;
    to->trouble.unfollowed_time = from->trouble.unfollowed_time;
    to->trouble.step_limit = from->trouble.step_limit;
    to->trouble.failed_samples = from->trouble.failed_samples;
    to->trouble.distrust = from->trouble.distrust;
    to->trouble.edge = from->trouble.edge;
    to->trouble.branched = from->trouble.branched;
    to->trouble.jumped = from->trouble.jumped;
    to->trouble.jump_time = from->trouble.jump_time;
    to->trouble.jump_before = from->trouble.jump_before;
    to->trouble.jump_after = from->trouble.jump_after;
    to->trouble.edge_events = from->trouble.edge_events;
    to->trouble.change = from->trouble.change;
    to->trouble.growing = from->trouble.growing;
    const bool exact = from->solver->kind->copy && from->solver->kind == to->solver->kind;
    if (!exact)
        return SALTUS_OK;
    if (from->solver->kind->copy(to->solver, from->solver) != 0)
        return run_fail(to, SALTUS_ERROR_SOLVER, "the solver could not be copied");
    const bool at_solver = from->x == from->solver->x;
    to->x = at_solver ? to->solver->x : active->x;
    to->z = at_solver ? to->solver->z : active->z;
    return SALTUS_OK;
}

static bool copy_memory(SaltusRun *to, const SaltusRun *from)
{
    const SaltusSystemDef *def = from->def;
    if (def->memory.copy)
        return def->memory.copy(def->user, to->data.memory, from->data.memory) == 0;
    memcpy(to->data.memory, from->data.memory, def->memory.size);
    return true;
}

SaltusStatus saltus_run_copy(const SaltusRun *run, SaltusRun **copy, SaltusError *error)
{
    if (!run || !copy)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no run, or no place for its copy");
    *copy = NULL;
    if (run->status.is_busy)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "a callback of the run cannot copy it");
    if (run->status.has_failed) { // no state to go on from
        error_copy(error, &run->error);
        return run->error.status;
    }
    SaltusOptions options = run->options;
    SaltusRun *made = run_allocate(run->system, &options);
    if (!made)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    made->method = run->method;
    made->t = run->t;
    made->stop_time = run->stop_time;
    made->rows.index = run->rows.index;
    made->stretch.is_alone = run->stretch.is_alone;
    made->stretch.solver = run->stretch.solver;
    memcpy(made->data.p, run->data.p, (size_t)run->def->parameter_count * sizeof(double));
    memcpy(made->data.u, run->data.u, (size_t)run->def->input_count * sizeof(double));
    if (!copy_memory(made, run)) {
        saltus_run_destroy(made);
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    }
    const SaltusStatus status = schedule_copy(&made->schedule, &run->schedule)
                                    ? copy_instances(made, run)
                                    : run_fail(made, SALTUS_ERROR_MEMORY, "out of memory");
    error_copy(error, &made->error);
    if (status < 0) {
        saltus_run_destroy(made);
        return status;
    }
    made->statistics = run->statistics;
    *copy = made;
    return SALTUS_OK;
}
