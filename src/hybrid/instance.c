// SPDX-License-Identifier: MIT
//
// What a run keeps for each mode it has entered: problem, solvers, detector,
// vectors, and the maps that carry values over from other modes by name.

#include "events/arm.h"
#include "events/henon.h"
#include "hybrid/run.h"
#include <string.h>

// ---------------------------------------------------------------------------
// Making instances
// ---------------------------------------------------------------------------

static bool allocate_vectors(SaltusRun *run, Instance *instance, int cells)
{
    MemoryPool *pool = &run->pool;
    size_t nx = (size_t)instance->mode->state_count, nz = (size_t)instance->mode->algebraic_count;
    size_t events = (size_t)instance->mode->event_count;
    double **states[] = {&instance->x, &instance->dx, &instance->x_left, &instance->dx_left,
                         &instance->x_scale};
    double **algebraics[] = {&instance->z, &instance->z_left, &instance->z_sample};
    double **functions[] = {&instance->h,      &instance->h_end, &instance->h_sample,
                            &instance->h_left, &instance->noise, &instance->zero};
    bool complete = true;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        complete = (*states[i] = MEMORY_POOL_NEW(pool, nx, double)) && complete;
    for (size_t i = 0; i < sizeof algebraics / sizeof algebraics[0]; i++)
        complete = (*algebraics[i] = MEMORY_POOL_NEW(pool, nz, double)) && complete;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        complete = (*functions[i] = MEMORY_POOL_NEW(pool, events, double)) && complete;
    instance->x_sample = MEMORY_POOL_NEW(pool, (size_t)cells * nx, double);
    size_t arm = arm_work_size(instance->mode), henon = henon_work_size(instance->mode);
    instance->work = MEMORY_POOL_NEW(pool, arm > henon ? arm : henon, double);
    instance->armed = MEMORY_POOL_NEW(pool, events, Armed);
    instance->guards = MEMORY_POOL_NEW(pool, events, Guard);
    instance->sign = MEMORY_POOL_NEW(pool, events, signed char);
    instance->rest = MEMORY_POOL_NEW(pool, events, signed char);
    return complete && instance->x_sample && instance->work && instance->armed &&
           instance->guards && instance->sign && instance->rest;
}

static bool reserve_fired(SaltusRun *run, int count)
{
    if (count <= run->fired_capacity)
        return true;
    SaltusFired *fired = MEMORY_POOL_NEW(&run->pool, count, SaltusFired);
    SaltusFired *crossed = MEMORY_POOL_NEW(&run->pool, count, SaltusFired);
    if (!fired || !crossed)
        return false;
    run->fired = fired; // what the event in progress has of the old ones stays valid
    run->crossed = crossed;
    run->fired_capacity = count;
    return true;
}

static void destroy_work(Instance *instance)
{
    if (instance->context.work)
        instance->mode->work_destroy(instance->context.work);
}

static Instance *make_instance(SaltusRun *run, int index, const SaltusModeDef *mode)
{
    Instance *instance = MEMORY_POOL_NEW(&run->pool, 1, Instance);
    if (!instance)
        return NULL;
    instance->index = index;
    instance->mode = mode;
    instance->context = (SaltusContext){.p = run->p,
                                        .u = run->u,
                                        .memory = run->memory,
                                        .user = run->def->user,
                                        .data = mode->data};
    if (mode->work_create && !(instance->context.work = mode->work_create(&instance->context)))
        return NULL;
    const SaltusMethod *method = instance_method(run, instance);
    instance->problem =
        problem_create(mode, &instance->context, method, &run->statistics, run->allocator);
    if (!instance->problem) {
        destroy_work(instance);
        return NULL;
    }
    instance->next = run->instances; // from here on it is destroyed with the run
    run->instances = instance;
    const SolverKind *kind = solver_kind(solver_choose(instance->problem, method));
    int cells = kind->dense_order > 4 ? kind->dense_order + 1 : 4;
    if (!allocate_vectors(run, instance, cells) || !reserve_fired(run, mode->event_count) ||
        !detector_create(&instance->detector, &run->pool, mode, cells))
        return NULL;
    if (mode->start && mode->algebraic_count > 0) // the first guess, wherever it is entered from
        memcpy(instance->z, mode->start + mode->state_count,
               (size_t)mode->algebraic_count * sizeof(double));
    for (int i = 0; i < mode->event_count; i++)
        guard_reset(&instance->guards[i], run->t);
    run->statistics.modes_entered += index >= 0;
    return instance;
}

Instance *instance_of(SaltusRun *run, int mode)
{
    for (Instance *instance = run->instances; instance; instance = instance->next) {
        if (instance->index == mode)
            return instance;
    }
    SaltusError error;
    const SaltusModeDef *def = system_find_mode(run->system, mode, &error);
    if (!def) {
        run_fail(run, error.status, "%s", error.message);
        return NULL;
    }
    Instance *instance = make_instance(run, mode, def);
    if (!instance)
        run_fail(run, SALTUS_ERROR_MEMORY, "out of memory while entering mode %s", def->name);
    return instance;
}

void instance_destroy(Instance *instance)
{
    for (int i = 0; i < RUN_SOLVERS; i++) {
        if (instance->solvers[i])
            instance->solvers[i]->kind->destroy(instance->solvers[i]);
    }
    problem_destroy(instance->problem);
    destroy_work(instance);
}

// ---------------------------------------------------------------------------
// Solvers
// ---------------------------------------------------------------------------

const SaltusMethod *instance_method(const SaltusRun *run, const Instance *instance)
{
    return instance->mode->method ? instance->mode->method : &run->method;
}

// Why a solver cannot integrate a problem, NULL if it can.
static const char *unsuitable(const SolverKind *kind, const SaltusRun *run,
                              const Instance *instance, const SaltusMethod *method)
{
    if (instance->problem->form == PROBLEM_IMPLICIT && !(kind->traits & SOLVER_IMPLICIT))
        return "needs x' = f(t, x, z); a mode given by a residual needs ida";
    if (method->locate == SALTUS_LOCATE_SUNDIALS && !(kind->traits & SOLVER_ROOTS))
        return "has no root finding of its own; the locator sundials goes with cvode, adams, ida";
    if (run->options.backstep != SALTUS_BACKSTEP && !(kind->traits & SOLVER_FIXED_STEP))
        return "chooses its step size; runs without backstepping need a fixed step";
    if ((kind->traits & SOLVER_FIXED_STEP) && !(method->step > 0.0))
        return "needs a fixed step: set method.step";
    return NULL;
}

SaltusStatus instance_solver(SaltusRun *run, Instance *instance, Solver **solver)
{
    const SaltusMethod *method = instance_method(run, instance);
    SaltusSolver id = solver_choose(instance->problem, method);
    Solver **made = &instance->solvers[id];
    if (*made && method_equal(&(*made)->method, method)) {
        *solver = *made;
        return SALTUS_OK;
    }
    const SolverKind *kind = solver_kind(id);
    const char *why = unsuitable(kind, run, instance, method);
    if (why)
        return run_fail(run, SALTUS_ERROR_SOLVER, "solver %s %s", saltus_solver_name(id), why);
    // Tolerances and step sizes are fixed when a solver is made.
    problem_set_tolerances(instance->problem, method);
    Solver *fresh = kind->create(instance->problem, method);
    if (!fresh)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory while making solver %s",
                        saltus_solver_name(id));
    if (*made)
        (*made)->kind->destroy(*made);
    *solver = *made = fresh;
    return SALTUS_OK;
}

// ---------------------------------------------------------------------------
// Values carried over by name
// ---------------------------------------------------------------------------

static const char *variable_name(const SaltusModeDef *mode, int index)
{
    return index < mode->state_count ? mode->state_names[index]
                                     : mode->algebraic_names[index - mode->state_count];
}

// Sorts `order` by name: a merge sort, for it needs the mode at hand.
static void sort_by_name(const SaltusModeDef *mode, int *order, int *scratch, int count)
{
    if (count < 2)
        return;
    int half = count / 2;
    sort_by_name(mode, order, scratch, half);
    sort_by_name(mode, order + half, scratch, count - half);
    memcpy(scratch, order, (size_t)half * sizeof *order);
    int left = 0, right = half, out = 0;
    while (left < half && right < count) {
        int order_of =
            strcmp(variable_name(mode, scratch[left]), variable_name(mode, order[right]));
        order[out++] = order_of <= 0 ? scratch[left++] : order[right++];
    }
    while (left < half)
        order[out++] = scratch[left++];
}

static const int *sorted_variables(SaltusRun *run, Instance *instance)
{
    if (instance->sorted)
        return instance->sorted;
    int count = instance->mode->state_count + instance->mode->algebraic_count;
    int *order = MEMORY_POOL_NEW(&run->pool, count, int);
    int *scratch = MEMORY_NEW(run->allocator, count, int);
    if (order && scratch) {
        for (int i = 0; i < count; i++)
            order[i] = i;
        sort_by_name(instance->mode, order, scratch, count);
        instance->sorted = order;
    }
    memory_free(run->allocator, scratch);
    return instance->sorted;
}

// Merges the two sorted lists of names.
static void match_names(const Instance *to, const Instance *from, int *source)
{
    int to_count = to->mode->state_count + to->mode->algebraic_count;
    int from_count = from->mode->state_count + from->mode->algebraic_count;
    for (int i = 0, j = 0; i < to_count; i++) {
        const char *name = variable_name(to->mode, to->sorted[i]);
        while (j < from_count && strcmp(variable_name(from->mode, from->sorted[j]), name) < 0)
            j++;
        bool same = j < from_count && strcmp(variable_name(from->mode, from->sorted[j]), name) == 0;
        source[to->sorted[i]] = same ? from->sorted[j] : -1;
    }
}

const NameMap *instance_map(SaltusRun *run, Instance *to, Instance *from)
{
    for (const NameMap *map = to->maps; map; map = map->next) {
        if (map->from == from->index)
            return map;
    }
    int count = to->mode->state_count + to->mode->algebraic_count;
    NameMap *map = MEMORY_POOL_NEW(&run->pool, 1, NameMap);
    int *source = MEMORY_POOL_NEW(&run->pool, count, int);
    if (!map || !source || !sorted_variables(run, to) || !sorted_variables(run, from))
        return NULL;
    match_names(to, from, source);
    map->from = from->index;
    map->source = source;
    int states = to->mode->state_count;
    map->same_variables = states == from->mode->state_count &&
                          to->mode->algebraic_count == from->mode->algebraic_count;
    for (int i = 0; i < count && map->same_variables; i++)
        map->same_variables = source[i] >= 0 && (source[i] < states) == (i < states);
    map->next = to->maps;
    to->maps = map;
    return map;
}
