// SPDX-License-Identifier: MIT
//
// What a run keeps for the modes it has entered: problem, solvers, detector,
// vectors, and the maps that carry values over from other modes by name.
//
// A run may pass through very many modes: only the instances of those entered last are kept. Of
// the others a visit remains, with what makes the next entry quick: the step and whether the mode
// is stiff. What is lost are guesses of algebraic variables that no other mode has, which
// are those of the first entry again, and the history of the guards: events that accumulate do so
// in few modes.

#include "events/arm.h"
#include "events/henon.h"
#include "hybrid/run.h"
#include <stdint.h>
#include <string.h>

// Instances of a run. To make one again takes about as long as to enter a mode (1 us where both
// are smallest; for 30 states and more nothing at all, for then few instances that stay in the
// processor's cache win as much). So there are enough for all modes of models of some machines,
// or of six independent switches, and more would serve those of hundreds of modes only. Fewer if
// the system is to keep fewer modes, for they use these.
enum { MOST_INSTANCES = 64 };

static int most_instances(const SaltusRun *run)
{
    const int modes = run->def->most_modes;
    return modes > 0 && modes < MOST_INSTANCES ? modes : MOST_INSTANCES;
}

// ---------------------------------------------------------------------------
// Making instances
// ---------------------------------------------------------------------------

static bool allocate_vectors(RunInstance *instance, int cells)
{
    MemoryPool *pool = &instance->pool;
    size_t nx = (size_t)instance->mode->state_count, nz = (size_t)instance->mode->algebraic_count;
    const size_t events = (size_t)instance->mode->event_count;
    double **states[] = {&instance->x,       &instance->dx,        &instance->left.x,
                         &instance->left.dx, &instance->size.step, &instance->size.stay};
    double **algebraics[] = {&instance->z, &instance->left.z, &instance->sample.z,
                             &instance->branch.begin, &instance->branch.end};
    double **functions[] = {&instance->h,      &instance->h_end, &instance->sample.h,
                            &instance->left.h, &instance->noise, &instance->said.zero};
    bool is_complete = true;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        is_complete = (*states[i] = MEMORY_POOL_NEW(pool, nx, double)) && is_complete;
    for (size_t i = 0; i < sizeof algebraics / sizeof algebraics[0]; i++)
        is_complete = (*algebraics[i] = MEMORY_POOL_NEW(pool, nz, double)) && is_complete;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        is_complete = (*functions[i] = MEMORY_POOL_NEW(pool, events, double)) && is_complete;
    instance->sample.x = MEMORY_POOL_NEW(pool, (size_t)cells * nx, double);
    size_t arm = arm_work_size(instance->mode), henon = henon_work_size(instance->mode);
    instance->work = MEMORY_POOL_NEW(pool, arm > henon ? arm : henon, double);
    instance->armed = MEMORY_POOL_NEW(pool, events, Armed);
    instance->guards = MEMORY_POOL_NEW(pool, events, Guard);
    instance->left.has_jumped = MEMORY_POOL_NEW(pool, events, bool);
    instance->said.sign = MEMORY_POOL_NEW(pool, events, signed char);
    instance->said.rest = MEMORY_POOL_NEW(pool, events, signed char);
    instance->said.held = MEMORY_POOL_NEW(pool, events, signed char);
    return is_complete && instance->sample.x && instance->work && instance->armed &&
           instance->guards && instance->left.has_jumped && instance->said.sign &&
           instance->said.rest && instance->said.held;
}

static bool reserve_fired(SaltusRun *run, int count)
{
    if (count <= run->now.fired_capacity)
        return true;
    if (count < 2 * run->now.fired_capacity)
        count = 2 * run->now.fired_capacity; // the old ones stay, so let them be few
    SaltusFired *fired = MEMORY_POOL_NEW(&run->pool, count, SaltusFired);
    SaltusFired *crossed = MEMORY_POOL_NEW(&run->pool, count, SaltusFired);
    if (!fired || !crossed)
        return false;
    run->now.fired = fired; // what the event in progress has of the old ones stays valid
    run->now.crossed = crossed;
    run->now.fired_capacity = count;
    return true;
}

static void instance_destroy(SaltusRun *run, RunInstance *instance)
{
    const SaltusAllocator *a = instance->pool.allocator;
    for (int i = 0; i < RUN_SOLVERS; i++) {
        if (instance->solvers[i])
            instance->solvers[i]->kind->destroy(instance->solvers[i]);
    }
    problem_destroy(instance->problem);
    if (instance->context.work)
        instance->mode->work.destroy(instance->context.work);
    for (int i = 0; i < instance->names.count; i++)
        memory_free(a, instance->names.maps[i].source);
    memory_pool_free(&instance->pool);
    saltus_system_leave_mode(run->system, instance->index);
    memory_free(a, instance);
}

// Everything but solvers and maps; false: out of memory.
static bool fill_instance(SaltusRun *run, RunInstance *instance)
{
    const SaltusModeDef *mode = instance->mode;
    instance->context = (SaltusContext){.p = run->data.p,
                                        .u = run->data.u,
                                        .memory = run->data.memory,
                                        .user = run->def->user,
                                        .data = mode->data,
                                        .statistics = &run->statistics};
    if (mode->work.create && !(instance->context.work = mode->work.create(&instance->context)))
        return false;
    const SaltusMethod *method = instance_method(run, instance);
    instance->problem =
        problem_create(mode, &instance->context, method, &run->statistics, run->allocator);
    if (!instance->problem)
        return false;
    const SolverKind *kind = solver_kind(solver_choose(instance->problem, method));
    const int cells = method->solver == SALTUS_SOLVER_AUTO
                          ? solver_cells(solver_kind(SALTUS_SOLVER_DOP853)) // it may come to that
                          : solver_cells(kind);
    if (!allocate_vectors(instance, cells) || !reserve_fired(run, mode->event_count) ||
        !detector_create(&instance->detector, &instance->pool, mode, cells))
        return false;
    locating_prepare(instance);
    if (mode->start && mode->algebraic_count > 0) // the first guess, wherever it is entered from
        memcpy(instance->z, mode->start + mode->state_count,
               (size_t)mode->algebraic_count * sizeof(double));
    for (int i = 0; i < mode->event_count; i++)
        guard_reset(&instance->guards[i], run->t);
    return true;
}

static void instance_fail(SaltusRun *run, const SaltusModeDef *mode)
{
    run_fail(run, SALTUS_ERROR_MEMORY, "out of memory while entering mode %s", mode->name);
}

// The mode is left before it has an instance.
static void instance_give_up(SaltusRun *run, int index, const SaltusModeDef *mode)
{
    instance_fail(run, mode);
    saltus_system_leave_mode(run->system, index);
}

// NULL: out of memory.
static RunInstance *instance_make_instance(SaltusRun *run, int index, const SaltusModeDef *mode)
{
    RunInstance *instance = MEMORY_NEW(run->allocator, 1, RunInstance);
    if (!instance) {
        instance_give_up(run, index, mode);
        return NULL;
    }
    instance->pool.allocator = run->allocator;
    instance->index = index;
    instance->mode = mode;
    if (fill_instance(run, instance))
        return instance;
    instance_fail(run, mode);
    instance_destroy(run, instance);
    return NULL;
}

// ---------------------------------------------------------------------------
// Keeping instances
// ---------------------------------------------------------------------------

static void instance_link_newest(Instances *all, RunInstance *instance)
{
    instance->order.newer = NULL;
    instance->order.older = all->newest;
    *(all->newest ? &all->newest->order.newer : &all->oldest) = instance;
    all->newest = instance;
    all->count++;
}

static void unlink_instance(Instances *all, RunInstance *instance)
{
    *(instance->order.newer ? &instance->order.newer->order.older : &all->newest) =
        instance->order.older;
    *(instance->order.older ? &instance->order.older->order.newer : &all->oldest) =
        instance->order.newer;
    all->count--;
}

// Does anything point to it? The event in progress shows the mode that was active before it and
// the one that was left last; the solver may still be that of the former.
static bool is_in_use(const SaltusRun *run, const RunInstance *instance)
{
    return instance == run->active || instance == run->now.cause.instance ||
           instance->index == run->now.event.left.mode ||
           instance->index == run->now.event.before.mode ||
           (run->solver && run->solver->problem == instance->problem);
}

// Lets go of the instance that was entered the longest time ago.
static void drop_oldest(SaltusRun *run)
{
    Instances *all = &run->instances;
    RunInstance *instance = all->oldest;
    while (instance && is_in_use(run, instance))
        instance = instance->order.newer;
    if (!instance)
        return;
    Visit *visit = &all->visits[instance->visit];
    *visit = (Visit){.stay = instance->habit.stay,
                     .step = instance->habit.step,
                     .preferred = instance->problem->preferred,
                     .contest = instance->contest,
                     .was_exact = instance->habit.was_exact};
    unlink_instance(all, instance);
    instance_destroy(run, instance);
}

// Room for the visit of a mode that was not entered before; false: out of memory.
static bool reserve_visit(SaltusRun *run)
{
    Instances *all = &run->instances;
    if (all->visits_at.count == all->visit_capacity) {
        const int capacity = all->visit_capacity ? 2 * all->visit_capacity : 16;
        Visit *grown = memory_resize(run->allocator, all->visits, (size_t)capacity, sizeof(Visit));
        if (!grown)
            return false;
        all->visits = grown;
        all->visit_capacity = capacity;
    }
    return index_map_reserve(&all->visits_at);
}

// The instance is that of its mode from here on. `position` is that of the mode's visit, -1 if it
// was never entered.
static void keep_instance(SaltusRun *run, RunInstance *instance, int position)
{
    Instances *all = &run->instances;
    if (position < 0) {
        position = index_map_add(&all->visits_at, instance->index);
        all->visits[position] = (Visit){0};
        run->statistics.modes_entered += instance->index >= 0;
    }
    Visit *visit = &all->visits[position];
    visit->instance = instance;
    instance->visit = position;
    instance->habit.stay = visit->stay;
    instance->habit.step = visit->step;
    instance->problem->preferred = visit->preferred;
    instance->contest = visit->contest;
    instance->habit.was_exact = visit->was_exact;
    instance_link_newest(all, instance);
}

RunInstance *instance_of(SaltusRun *run, int mode)
{
    Instances *all = &run->instances;
    const int position = index_map_find(&all->visits_at, mode);
    if (position >= 0 && all->visits[position].instance) {
        RunInstance *known = all->visits[position].instance;
        unlink_instance(all, known);
        instance_link_newest(all, known);
        return known;
    }
    SaltusError error;
    const SaltusModeDef *def = system_find_mode(run->system, mode, &error);
    if (!def) {
        run_fail(run, error.status, "%s", error.message);
        saltus_error_clear(&error);
        return NULL;
    }
    if (all->count >= most_instances(run))
        drop_oldest(run);
    const bool has_room = position >= 0 || reserve_visit(run);
    RunInstance *instance = has_room ? instance_make_instance(run, mode, def) : NULL;
    if (instance)
        keep_instance(run, instance, position);
    else if (!has_room)
        instance_give_up(run, mode, def);
    return instance;
}

bool instances_copy_visits(Instances *to, const Instances *from)
{
    const int count = from->visits_at.count;
    to->visits = MEMORY_NEW(to->visits_at.allocator, count, Visit);
    if (!to->visits || !index_map_copy(&to->visits_at, &from->visits_at))
        return false;
    to->visit_capacity = count;
    for (int i = 0; i < count; i++) {
        to->visits[i] = from->visits[i];
        to->visits[i].instance = NULL;
    }
    return true;
}

void instances_free(SaltusRun *run)
{
    Instances *all = &run->instances;
    while (all->newest) {
        RunInstance *instance = all->newest;
        unlink_instance(all, instance);
        instance_destroy(run, instance);
    }
    memory_free(run->allocator, all->visits);
    index_map_free(&all->visits_at);
}

double instances_largest(const SaltusRun *run, int state)
{
    const char *name = run->active->mode->state_names[state];
    double largest = run->active->size.stay[state];
    for (const RunInstance *i = run->instances.newest; i; i = i->order.older)
        for (int k = 0; k < i->mode->state_count && i != run->active; k++)
            if (i->mode->state_names[k] == name)
                largest = real_larger(largest, i->size.stay[k]);
    return largest;
}

// ---------------------------------------------------------------------------
// Solvers
// ---------------------------------------------------------------------------

const SaltusMethod *instance_method(const SaltusRun *run, const RunInstance *instance)
{
    return instance->mode->method ? instance->mode->method : &run->method;
}

// Why a solver cannot integrate a problem, NULL if it can.
static const char *unsuitable(const SolverKind *kind, const SaltusRun *run,
                              const RunInstance *instance, const SaltusMethod *method)
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

SaltusStatus instance_solver(SaltusRun *run, RunInstance *instance, Solver **solver)
{
    const SaltusMethod *method = instance_method(run, instance);
    const SaltusSolver id = solver_choose(instance->problem, method);
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

static const char *instance_variable_name(const SaltusModeDef *mode, int index)
{
    return index < mode->state_count ? mode->state_names[index]
                                     : mode->algebraic_names[index - mode->state_count];
}

// Names of a system's modes are equal if their addresses are (hybrid/shared.h).
static uintptr_t variable_key(const SaltusModeDef *mode, int index)
{
    return (uintptr_t)instance_variable_name(mode, index);
}

// Sorts `order` by the names' addresses: a merge sort, for it needs the mode at hand.
static void sort_by_name(const SaltusModeDef *mode, int *order, int *scratch, int count)
{
    if (count < 2)
        return;
    const int half = count / 2;
    sort_by_name(mode, order, scratch, half);
    sort_by_name(mode, order + half, scratch, count - half);
    memcpy(scratch, order, (size_t)half * sizeof *order);
    int left = 0, right = half, out = 0;
    while (left < half && right < count) {
        const bool is_in_order =
            variable_key(mode, scratch[left]) <= variable_key(mode, order[right]);
        order[out++] = is_in_order ? scratch[left++] : order[right++];
    }
    while (left < half)
        order[out++] = scratch[left++];
}

static const int *sorted_variables(RunInstance *instance)
{
    if (instance->names.sorted)
        return instance->names.sorted;
    const SaltusAllocator *a = instance->pool.allocator;
    const int count = instance->mode->state_count + instance->mode->algebraic_count;
    int *order = MEMORY_POOL_NEW(&instance->pool, count, int);
    int *scratch = MEMORY_NEW(a, count, int);
    if (order && scratch) {
        for (int i = 0; i < count; i++)
            order[i] = i;
        sort_by_name(instance->mode, order, scratch, count);
        instance->names.sorted = order;
    }
    memory_free(a, scratch);
    return instance->names.sorted;
}

// Merges the two sorted lists of names.
static void match_names(const RunInstance *to, const RunInstance *from, NameMap *map)
{
    const int to_count = to->mode->state_count + to->mode->algebraic_count;
    const int from_states = from->mode->state_count;
    const int from_count = from_states + from->mode->algebraic_count;
    for (int j = 0; j < from_states; j++)
        map->target[j] = -1;
    for (int i = 0, j = 0; i < to_count; i++) {
        const int here = to->names.sorted[i];
        uintptr_t name = variable_key(to->mode, here);
        while (j < from_count && variable_key(from->mode, from->names.sorted[j]) < name)
            j++;
        const bool is_same =
            j < from_count && variable_key(from->mode, from->names.sorted[j]) == name;
        map->source[here] = is_same ? from->names.sorted[j] : -1;
        if (is_same && from->names.sorted[j] < from_states)
            map->target[from->names.sorted[j]] = here;
    }
}

static bool has_same_variables(const NameMap *map, const SaltusModeDef *to,
                               const SaltusModeDef *from)
{
    int states = to->state_count, count = states + to->algebraic_count;
    bool is_same = states == from->state_count && to->algebraic_count == from->algebraic_count;
    for (int i = 0; i < count && is_same; i++)
        is_same = map->source[i] >= 0 && (map->source[i] < states) == (i < states);
    return is_same;
}

static bool is_map_from(const NameMap *map, const SaltusModeDef *from)
{
    return map->state_names == from->state_names && map->algebraic_names == from->algebraic_names;
}

// Makes a map in the place of the one that was not used for the longest time.
static bool make_map(SaltusRun *run, RunInstance *to, RunInstance *from)
{
    const int count = to->mode->state_count + to->mode->algebraic_count;
    const size_t size = (size_t)count + (size_t)from->mode->state_count;
    int *source = MEMORY_NEW(run->allocator, size, int);
    if (!source || !sorted_variables(to) || !sorted_variables(from)) {
        memory_free(run->allocator, source);
        return false;
    }
    if (to->names.count == INSTANCE_MAPS)
        memory_free(run->allocator, to->names.maps[--to->names.count].source);
    NameMap *map = &to->names.maps[to->names.count++];
    *map = (NameMap){.state_names = from->mode->state_names,
                     .algebraic_names = from->mode->algebraic_names,
                     .source = source,
                     .target = source + count};
    match_names(to, from, map);
    map->has_same_variables = has_same_variables(map, to->mode, from->mode);
    return true;
}

const NameMap *instance_map(SaltusRun *run, RunInstance *to, RunInstance *from)
{
    static const NameMap same = {.has_same_variables = true};
    if (to->mode->state_names == from->mode->state_names &&
        to->mode->algebraic_names == from->mode->algebraic_names)
        return &same;
    int found = 0;
    while (found < to->names.count && !is_map_from(&to->names.maps[found], from->mode))
        found++;
    if (found == to->names.count) {
        if (!make_map(run, to, from))
            return NULL;
        found = to->names.count - 1;
    }
    NameMap map = to->names.maps[found];
    memmove(to->names.maps + 1, to->names.maps, (size_t)found * sizeof map);
    to->names.maps[0] = map;
    return &to->names.maps[0];
}
