// SPDX-License-Identifier: MIT

#include "hybrid/system.h"

#include "base/index_map.h"
#include "base/message.h"
#include "hybrid/shared.h"
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A mode from the provider.
typedef struct Provided {
    SaltusModeDef def;
    MemoryPool pool; // what it has for itself
    int uses;        // by instances of runs
    bool stays;      // somebody was given its address
    long asked;      // when: the count of questions then
} Provided;

struct SaltusSystem {
    SaltusSystemDef def;
    MemoryPool pool;
    pthread_mutex_t lock;        // protects what follows, and the pool after creation
    Shared shared;               // what the modes have in common
    const SaltusModeDef *latest; // the mode copied last: the next one is likely to be like it
    IndexMap provided_at;        // where the modes from the provider are
    Provided **provided;         // in the order in which they first came; NULL: let go of
    int provided_capacity;
    int provided_count; // of those that are there
    long questions;
};

static SaltusStatus out_of_memory(SaltusError *error)
{
    return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
}

// ---------------------------------------------------------------------------
// Methods
// ---------------------------------------------------------------------------

static bool is_size(double value)
{
    return value >= 0.0 && isfinite(value);
}

SaltusStatus method_check(const SaltusMethod *m, SaltusError *error)
{
    SaltusSolver solver;
    SaltusLocate locate;
    if (!saltus_solver_from_name(saltus_solver_name(m->solver), &solver))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "there is no solver number %d",
                         (int)m->solver);
    if (!saltus_locate_from_name(saltus_locate_name(m->locate), &locate))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "there is no locator number %d",
                         (int)m->locate);
    if (!is_size(m->relative_tolerance) || m->relative_tolerance == 0.0)
        return error_set(error, SALTUS_ERROR_ARGUMENT,
                         "the relative tolerance %g must be a positive number",
                         m->relative_tolerance);
    if (!is_size(m->absolute_tolerance))
        return error_set(error, SALTUS_ERROR_ARGUMENT,
                         "the absolute tolerance %g must not be negative", m->absolute_tolerance);
    if (!is_size(m->step) || !(m->max_step >= 0.0) || !is_size(m->event_tolerance))
        return error_set(error, SALTUS_ERROR_ARGUMENT,
                         "step %g, max_step %g and event_tolerance %g must be finite and not "
                         "negative",
                         m->step, m->max_step, m->event_tolerance);
    if (m->locate_iterations < 0)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "locate_iterations is negative");
    return SALTUS_OK;
}

// ---------------------------------------------------------------------------
// Modes: check and copy
// ---------------------------------------------------------------------------

static SaltusStatus wrong(SaltusError *error, const char *mode, const char *what)
{
    return error_set(error, SALTUS_ERROR_ARGUMENT, "mode %s: %s", mode, what);
}

static SaltusStatus system_check_equations(const SaltusModeDef *m, SaltusError *error)
{
    const int forms = (m->rhs != NULL) + (m->evaluate != NULL) + (m->residual != NULL);
    if (m->state_count < 0 || m->algebraic_count < 0)
        return wrong(error, m->name, "a negative number of states or algebraic unknowns");
    if (m->state_count > INT_MAX - m->algebraic_count)
        return wrong(error, m->name, "too many states and algebraic unknowns");
    if (forms > 1)
        return wrong(error, m->name, "give one of rhs, evaluate and residual, not several");
    if (m->state_count == 0 && m->rhs)
        return wrong(error, m->name, "a right-hand side, but state_count is 0");
    if (m->state_count > 0 && forms == 0)
        return wrong(error, m->name, "states, but neither rhs nor evaluate nor residual");
    if (m->algebraic_count > 0 && !m->algebraic && !m->evaluate && !m->residual)
        return wrong(error, m->name, "algebraic unknowns, but no algebraic equations");
    if (m->algebraic && m->algebraic_count == 0)
        return wrong(error, m->name, "algebraic equations, but algebraic_count is 0");
    if (m->algebraic && (m->evaluate || m->residual || (!m->rhs && m->state_count > 0)))
        return wrong(error, m->name, "algebraic goes with rhs");
    if (!m->work.create != !m->work.destroy)
        return wrong(error, m->name, "give both work.create and work.destroy, or neither");
    const SaltusLinear *l = m->hints.linear;
    if (l && (l->signal_count < 0 || l->coefficient_count < 0 || !l->coefficients || !l->matrix))
        return wrong(error, m->name, "a linear mode needs coefficients and a matrix");
    if (m->hints.jacobian && m->residual)
        return wrong(error, m->name, "a residual goes with implicit_jacobian, not with jacobian");
    return SALTUS_OK;
}

static SaltusStatus system_check_events(const SaltusModeDef *m, SaltusError *error)
{
    if (m->event_count < 0 || m->output_count < 0)
        return wrong(error, m->name, "a negative number of event functions or outputs");
    if (m->event_count > 0 && !m->events)
        return wrong(error, m->name, "event_count without events");
    if (m->event_count > 0 && !m->event_functions && !m->evaluate)
        return wrong(error, m->name, "events, but no event_functions");
    if (m->output_count > 0 && !m->outputs && !m->evaluate)
        return wrong(error, m->name, "output_count, but no outputs");
    for (int i = 0; i < m->event_count; i++) {
        const SaltusEventDef *e = &m->events[i];
        const char *name = e->name ? e->name : "without a name";
        if (e->direction < SALTUS_FALLING || e->direction > SALTUS_RISING)
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "mode %s, event %s: a direction that is not -1, 0 or +1", m->name,
                             name);
        if (e->at_zero < -1 || e->at_zero > 1)
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "mode %s, event %s: a sign at zero that is not -1, 0 or +1", m->name,
                             name);
        if (!is_size(e->noise))
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "mode %s, event %s: a noise %g that is no size", m->name, name,
                             e->noise);
    }
    return SALTUS_OK;
}

static SaltusStatus check_sparsity(const SaltusModeDef *m, SaltusError *error)
{
    if (!m->hints.sparsity)
        return SALTUS_OK;
    const SaltusSparsity *s = m->hints.sparsity;
    const int n = m->state_count + (m->algebraic || m->residual ? m->algebraic_count : 0);
    bool is_good = s->column_start && s->rows && s->column_start[0] == 0;
    for (int j = 0; j < n && is_good; j++) {
        is_good = s->column_start[j + 1] >= s->column_start[j];
        for (int k = s->column_start[j]; k < s->column_start[j + 1] && is_good; k++)
            is_good = s->rows[k] >= 0 && s->rows[k] < n &&
                      (k == s->column_start[j] || s->rows[k] > s->rows[k - 1]);
    }
    return is_good ? SALTUS_OK
                   : wrong(error, m->name,
                           "the sparsity is not compressed columns with ascending rows");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Values are carried over by name from mode to mode: no two variables of a mode may share one.
static SaltusStatus system_check_names(const SaltusModeDef *m, const SaltusAllocator *allocator,
                                       SaltusError *error)
{
    size_t nx = (size_t)m->state_count, nz = (size_t)m->algebraic_count;
    const char **names = MEMORY_NEW(allocator, nx + nz, const char *);
    if (!names)
        return out_of_memory(error);
    memcpy(names, m->state_names, nx * sizeof *names);
    memcpy(names + nx, m->algebraic_names, nz * sizeof *names);
    qsort(names, nx + nz, sizeof *names, compare_names);
    SaltusStatus status = SALTUS_OK;
    for (size_t i = 1; i < nx + nz && status == SALTUS_OK; i++) {
        if (strcmp(names[i - 1], names[i]) == 0)
            status = error_set(error, SALTUS_ERROR_ARGUMENT,
                               "mode %s: two variables have the name %s", m->name, names[i]);
    }
    memory_free(allocator, names);
    return status;
}

// Nominal values, tolerances and method of a copied mode, whose variables all have names.
static SaltusStatus system_check_numbers(const SaltusModeDef *m, SaltusError *error)
{
    for (int i = 0; i < m->state_count + m->algebraic_count; i++) {
        const bool state = i < m->state_count;
        const char *name = state ? m->state_names[i] : m->algebraic_names[i - m->state_count];
        if (!is_size(m->nominal[i]) || m->nominal[i] == 0.0)
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "mode %s: the nominal value of %s must be a positive number, not %g",
                             m->name, name, m->nominal[i]);
        if (m->absolute_tolerance && !is_size(m->absolute_tolerance[i]))
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "mode %s: the absolute tolerance of %s must not be negative, but is "
                             "%g",
                             m->name, name, m->absolute_tolerance[i]);
    }
    SaltusError found;
    if (!m->method || method_check(m->method, &found) == SALTUS_OK)
        return SALTUS_OK;
    wrong(error, m->name, found.message);
    saltus_error_clear(&found);
    return SALTUS_ERROR_ARGUMENT;
}

// Copies names, or makes "x0", "x1", ... NULL: out of memory.
static const char *const *system_copy_names(Shared *shared, const char *const *names, int count,
                                            const char *prefix)
{
    const char **list = MEMORY_NEW(shared->pool->allocator, count, const char *);
    bool is_complete = list != NULL;
    for (int i = 0; i < count && is_complete; i++) {
        char made[32];
        snprintf(made, sizeof made, "%s%d", prefix, i);
        list[i] = shared_text(shared, names && names[i] ? names[i] : made);
        is_complete = list[i] != NULL;
    }
    const void *copy =
        is_complete ? shared_block(shared, list, (size_t)count * sizeof *list) : NULL;
    memory_free(shared->pool->allocator, list);
    return copy;
}

// A list of names that the latest mode may have, too: then it is that one, after a look at each.
static const char *const *copy_names_like(Shared *shared, const char *const *latest,
                                          int latest_count, const char *const *names, int count,
                                          const char *prefix)
{
    bool is_same = latest && latest_count == count && names;
    for (int i = 0; i < count && is_same; i++)
        is_same = names[i] && strcmp(names[i], latest[i]) == 0;
    return is_same ? latest : system_copy_names(shared, names, count, prefix);
}

static const double *system_copy_numbers(Shared *shared, const double *from, int count,
                                         double missing)
{
    if (from)
        return shared_block(shared, from, (size_t)count * sizeof *from);
    double *numbers = MEMORY_NEW(shared->pool->allocator, count, double);
    for (int i = 0; numbers && i < count; i++)
        numbers[i] = missing;
    const void *copy =
        numbers ? shared_block(shared, numbers, (size_t)count * sizeof *numbers) : NULL;
    memory_free(shared->pool->allocator, numbers);
    return copy;
}

// Member by member: the bytes between them are zero, so that equal ones are shared.
static bool copy_event(Shared *shared, const SaltusEventDef *def, int index, SaltusEventDef *copy)
{
    char made[32];
    snprintf(made, sizeof made, "h%d", index);
    copy->name = shared_text(shared, def->name ? def->name : made);
    const char *condition = def->condition ? def->condition : copy->name;
    copy->condition = condition ? shared_text(shared, condition) : NULL;
    copy->place = def->place ? shared_text(shared, def->place) : NULL;
    copy->direction = def->direction;
    copy->classes = def->classes;
    copy->noise = def->noise;
    copy->at_entry = def->at_entry;
    copy->at_zero = def->at_zero;
    copy->is_muted = def->is_muted;
    copy->of_time = def->of_time;
    copy->action = def->action;
    return copy->name && copy->condition && (!def->place || copy->place);
}

// A mode is copied to `shared`, what it shares with others, and to `own`, what it has for itself,
// so that the system can let go of it; without such a pool modes stay, and it shares these things,
// too.

static const void *place_block(Shared *shared, MemoryPool *own, const void *bytes, size_t size)
{
    return own ? memory_pool_copy(own, bytes, size, 1) : shared_block(shared, bytes, size);
}

static const SaltusEventDef *copy_events(Shared *shared, MemoryPool *own, const SaltusModeDef *def)
{
    const SaltusAllocator *a = shared->pool->allocator;
    SaltusEventDef *events = MEMORY_NEW(a, def->event_count, SaltusEventDef);
    bool is_complete = events != NULL;
    for (int i = 0; i < def->event_count && is_complete; i++)
        is_complete = copy_event(shared, &def->events[i], i, &events[i]);
    const size_t size = (size_t)def->event_count * sizeof *events;
    const void *copy = is_complete ? place_block(shared, own, events, size) : NULL;
    memory_free(a, events);
    return copy;
}

static const SaltusSparsity *system_copy_sparsity(Shared *shared, MemoryPool *own,
                                                  const SaltusModeDef *def)
{
    const SaltusSparsity *from = def->hints.sparsity;
    const int n = def->state_count + (def->algebraic || def->residual ? def->algebraic_count : 0);
    size_t columns = (size_t)n + 1, entries = (size_t)from->column_start[n];
    SaltusSparsity copy = {.column_start =
                               place_block(shared, own, from->column_start, columns * sizeof(int)),
                           .rows = place_block(shared, own, from->rows, entries * sizeof(int))};
    const bool is_complete = copy.column_start && copy.rows;
    return is_complete ? place_block(shared, own, &copy, sizeof copy) : NULL;
}

// The right-hand side of a mode without states.
static int no_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z, (void)dx;
    return 0;
}

// Lists, texts and numbers of a mode that is in order; false: out of memory.
static bool copy_contents(Shared *shared, MemoryPool *own, const SaltusModeDef *def,
                          const SaltusModeDef *latest, SaltusModeDef *copy)
{
    MemoryPool *pool = own ? own : shared->pool;
    static const SaltusModeDef none;
    const SaltusModeDef *like = latest ? latest : &none;
    const int all = def->state_count + def->algebraic_count;
    copy->name = memory_pool_text(pool, def->name);
    copy->state_names = copy_names_like(shared, like->state_names, like->state_count,
                                        def->state_names, def->state_count, "x");
    copy->algebraic_names = copy_names_like(shared, like->algebraic_names, like->algebraic_count,
                                            def->algebraic_names, def->algebraic_count, "z");
    copy->output_names = copy_names_like(shared, like->output_names, like->output_count,
                                         def->output_names, def->output_count, "y");
    copy->nominal = system_copy_numbers(shared, def->nominal, all, 1.0);
    copy->events = copy_events(shared, own, def);
    bool is_complete = copy->name && copy->state_names && copy->algebraic_names &&
                       copy->output_names && copy->nominal && copy->events;
    if (def->start)
        is_complete =
            is_complete && (copy->start = system_copy_numbers(shared, def->start, all, 0.0));
    if (def->absolute_tolerance)
        is_complete = is_complete && (copy->absolute_tolerance = system_copy_numbers(
                                          shared, def->absolute_tolerance, all, 0.0));
    if (def->hints.sparsity)
        is_complete =
            is_complete && (copy->hints.sparsity = system_copy_sparsity(shared, own, def));
    if (def->hints.linear)
        is_complete = is_complete && (copy->hints.linear = memory_pool_copy(
                                          pool, def->hints.linear, 1, sizeof(SaltusLinear)));
    if (def->hints.nonlinear)
        is_complete =
            is_complete && (copy->hints.nonlinear = memory_pool_text(pool, def->hints.nonlinear));
    if (def->method)
        is_complete = is_complete &&
                      (copy->method = memory_pool_copy(pool, def->method, 1, sizeof(SaltusMethod)));
    return is_complete;
}

// Copies a mode; `latest` (or NULL) is one that was copied before.
static SaltusStatus copy_mode(Shared *shared, MemoryPool *own, const SaltusModeDef *def,
                              const SaltusModeDef *latest, SaltusModeDef *copy, SaltusError *error)
{
    *copy = *def;
    if (!def->name || !def->name[0])
        return error_set(error, SALTUS_ERROR_ARGUMENT, "a mode without a name");
    SaltusStatus status = system_check_equations(def, error);
    if (status == SALTUS_OK)
        status = system_check_events(def, error);
    if (status == SALTUS_OK)
        status = check_sparsity(def, error);
    if (status != SALTUS_OK)
        return status;
    if (!copy_contents(shared, own, def, latest, copy))
        return out_of_memory(error);
    if (def->state_count == 0 && !def->evaluate && !def->residual)
        copy->rhs = no_rhs;
    const bool is_checked = latest && latest->state_names == copy->state_names &&
                            latest->algebraic_names == copy->algebraic_names;
    status = is_checked ? SALTUS_OK : system_check_names(copy, shared->pool->allocator, error);
    return status == SALTUS_OK ? system_check_numbers(copy, error) : status;
}

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

static SaltusStatus check_system(const SaltusSystemDef *def, SaltusError *error)
{
    if (!def)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no system definition");
    if (def->mode_count < 0 || (def->mode_count > 0 && !def->modes))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "mode_count without modes");
    if (def->mode_count == 0 && !def->provider)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "a system without modes");
    const bool is_chosen_at_start = def->initial_mode == -1 && def->start;
    if (!is_chosen_at_start &&
        (def->initial_mode < 0 || (def->initial_mode >= def->mode_count && !def->provider)))
        return error_set(error, SALTUS_ERROR_MODE, "initial mode %d: there are %d modes",
                         def->initial_mode, def->mode_count);
    if (def->parameter_count < 0 || (def->parameter_count > 0 && !def->parameters))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "parameter_count without parameters");
    if (def->input_count < 0 || (def->input_count > 0 && !def->inputs))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "input_count without inputs");
    if (!def->memory.create != !def->memory.copy || !def->memory.create != !def->memory.destroy)
        return error_set(error, SALTUS_ERROR_ARGUMENT,
                         "memory.create, memory.copy and memory.destroy go together");
    return SALTUS_OK;
}

static SaltusStatus copy_system(SaltusSystem *system, const SaltusSystemDef *def,
                                SaltusError *error)
{
    SaltusSystemDef *d = &system->def;
    MemoryPool *pool = &system->pool;
    Shared *shared = &system->shared;
    SaltusModeDef *modes = MEMORY_POOL_NEW(pool, def->mode_count, SaltusModeDef);
    d->name = memory_pool_text(pool, def->name ? def->name : "system");
    d->parameter_names = system_copy_names(shared, def->parameter_names, def->parameter_count, "p");
    if (def->parameter_classes) {
        unsigned *classes = MEMORY_POOL_NEW(pool, def->parameter_count, unsigned);
        if (!classes)
            return out_of_memory(error);
        memcpy(classes, def->parameter_classes, (size_t)def->parameter_count * sizeof *classes);
        d->parameter_classes = classes;
    }
    d->input_names = system_copy_names(shared, def->input_names, def->input_count, "u");
    d->parameters = system_copy_numbers(shared, def->parameters, def->parameter_count, 0.0);
    d->inputs = system_copy_numbers(shared, def->inputs, def->input_count, 0.0);
    if (!modes || !d->name || !d->parameter_names || !d->input_names || !d->parameters ||
        !d->inputs)
        return out_of_memory(error);
    d->modes = modes;
    SaltusStatus status = SALTUS_OK;
    for (int i = 0; i < def->mode_count && status == SALTUS_OK; i++) {
        status = copy_mode(shared, NULL, &def->modes[i], system->latest, &modes[i], error);
        system->latest = &modes[i];
    }
    return status;
}

SaltusStatus saltus_system_create(const SaltusSystemDef *def, SaltusSystem **system,
                                  SaltusError *error)
{
    if (!system)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no place for the system");
    *system = NULL;
    SaltusStatus status = check_system(def, error);
    if (status != SALTUS_OK)
        return status;
    SaltusAllocator allocator = def->allocator.reallocate ? def->allocator : memory_default();
    SaltusSystem *made = MEMORY_NEW(&allocator, 1, SaltusSystem);
    if (!made)
        return out_of_memory(error);
    made->def = *def;
    made->def.allocator = allocator;
    made->pool.allocator = &made->def.allocator;
    made->shared.pool = &made->pool;
    made->provided_at.allocator = &made->def.allocator;
    pthread_mutex_init(&made->lock, NULL);
    status = copy_system(made, def, error);
    if (status != SALTUS_OK) {
        saltus_system_destroy(made);
        return status;
    }
    if (error)
        error_set(error, SALTUS_OK, "%s", "");
    *system = made;
    return SALTUS_OK;
}

static void provided_free(SaltusSystem *system, Provided *p)
{
    memory_pool_free(&p->pool);
    memory_free(&system->def.allocator, p);
}

// Of the mode at a position, if it is there.
static void let_go(SaltusSystem *system, int position)
{
    Provided *p = system->provided[position];
    if (!p)
        return;
    if (system->def.release)
        system->def.release(system->def.user, p->def.data);
    if (system->latest == &p->def)
        system->latest = NULL;
    system->provided[position] = NULL;
    system->provided_count--;
    provided_free(system, p);
}

void saltus_system_destroy(SaltusSystem *system)
{
    if (!system)
        return;
    SaltusAllocator allocator = system->def.allocator;
    for (int i = 0; i < system->provided_at.count; i++)
        let_go(system, i);
    memory_free(&allocator, system->provided);
    index_map_free(&system->provided_at);
    shared_free(&system->shared);
    memory_pool_free(&system->pool);
    pthread_mutex_destroy(&system->lock);
    memory_free(&allocator, system);
}

const char *system_time_name(const SaltusSystem *system, int id)
{
    const SaltusSystemDef *def = system_definition(system);
    return def->time_name ? def->time_name(def->user, id) : "time";
}

const SaltusSystemDef *system_definition(const SaltusSystem *system)
{
    return &system->def;
}

const SaltusAllocator *system_allocator(const SaltusSystem *system)
{
    return &system->def.allocator;
}

// ---------------------------------------------------------------------------
// Modes from the provider
// ---------------------------------------------------------------------------

// Room for one more; false: out of memory.
static bool provided_reserve(SaltusSystem *system)
{
    if (system->provided_at.count == system->provided_capacity) {
        const int capacity = system->provided_capacity ? 2 * system->provided_capacity : 16;
        Provided **grown = memory_resize(&system->def.allocator, system->provided, (size_t)capacity,
                                         sizeof *system->provided);
        if (!grown)
            return false;
        system->provided = grown;
        system->provided_capacity = capacity;
    }
    return index_map_reserve(&system->provided_at);
}

// Lets go of the mode that nobody has asked for for the longest time, if there are more than
// wanted.
static void provided_limit(SaltusSystem *system)
{
    if (system->def.most_modes <= 0 || system->provided_count < system->def.most_modes)
        return;
    int oldest = -1;
    for (int i = 0; i < system->provided_at.count; i++) {
        const Provided *p = system->provided[i];
        if (p && p->uses == 0 && !p->stays &&
            (oldest < 0 || p->asked < system->provided[oldest]->asked))
            oldest = i;
    }
    if (oldest >= 0)
        let_go(system, oldest);
}

// Asks the provider; the lock is held.
static Provided *system_provide(SaltusSystem *system, int index, SaltusError *error)
{
    SaltusMessage message = {0};
    SaltusModeDef def = saltus_default_mode();
    const bool is_there = system->def.provider(system->def.user, index, &def, &message) == 0;
    if (!is_there)
        error_set(error, SALTUS_ERROR_MODE, "mode %d could not be provided%s%s", index,
                  message.is_begun ? ": " : "", message.is_begun ? message_text(message.text) : "");
    free(message.text);
    if (!is_there)
        return NULL;
    provided_limit(system);
    Provided *p = MEMORY_NEW(&system->def.allocator, 1, Provided);
    if (p)
        p->pool.allocator = &system->def.allocator;
    int position = index_map_find(&system->provided_at, index);
    if (!p || (position < 0 && !provided_reserve(system))) {
        memory_free(&system->def.allocator, p);
        out_of_memory(error);
        return NULL;
    }
    MemoryPool *own = system->def.most_modes > 0 ? &p->pool : NULL;
    if (copy_mode(&system->shared, own, &def, system->latest, &p->def, error) != SALTUS_OK) {
        provided_free(system, p);
        return NULL;
    }
    system->latest = &p->def;
    system->provided_count++;
    if (position < 0)
        position = index_map_add(&system->provided_at, index);
    return system->provided[position] = p;
}

// A mode that has been provided, from the provider once more if it was let go of; NULL: not yet.
// The lock is held.
static Provided *find_provided(SaltusSystem *system, int index, SaltusError *error)
{
    const int position = index_map_find(&system->provided_at, index);
    if (position < 0)
        return NULL;
    return system->provided[position] ? system->provided[position]
                                      : system_provide(system, index, error);
}

const SaltusModeDef *system_find_mode(const SaltusSystem *system, int mode, SaltusError *error)
{
    // Where a run is before its start has chosen a mode.
    static const SaltusModeDef none = {.name = "(none)", .rhs = no_rhs};
    if (mode == -1 && system->def.initial_mode == -1)
        return &none;
    if (mode >= 0 && mode < system->def.mode_count)
        return &system->def.modes[mode];
    if (mode < 0 || !system->def.provider) {
        error_set(error, SALTUS_ERROR_MODE, "there is no mode %d; the system has %d modes", mode,
                  system->def.mode_count);
        return NULL;
    }
    // Shared by runs in many threads: the only part of a system that ever changes.
    SaltusSystem *shared = (SaltusSystem *)system;
    pthread_mutex_lock(&shared->lock);
    Provided *found = find_provided(shared, mode, error);
    if (!found && index_map_find(&shared->provided_at, mode) < 0)
        found = system_provide(shared, mode, error);
    if (found) {
        found->uses++;
        found->asked = ++shared->questions;
    }
    pthread_mutex_unlock(&shared->lock);
    return found ? &found->def : NULL;
}

void saltus_system_leave_mode(const SaltusSystem *system, int mode)
{
    if (mode < system->def.mode_count)
        return;
    SaltusSystem *shared = (SaltusSystem *)system;
    pthread_mutex_lock(&shared->lock);
    const int position = index_map_find(&shared->provided_at, mode);
    if (position >= 0 && shared->provided[position])
        shared->provided[position]->uses--;
    pthread_mutex_unlock(&shared->lock);
}

// The mode if it is known.
static const SaltusModeDef *look_up(const SaltusSystem *system, int mode, bool stays)
{
    if (mode >= 0 && mode < system->def.mode_count)
        return &system->def.modes[mode];
    SaltusSystem *shared = (SaltusSystem *)system;
    pthread_mutex_lock(&shared->lock);
    Provided *found = find_provided(shared, mode, NULL);
    if (found) {
        found->stays |= stays;
        found->uses += !stays;
    }
    pthread_mutex_unlock(&shared->lock);
    return found ? &found->def : NULL;
}

const SaltusModeDef *saltus_system_mode(const SaltusSystem *system, int mode)
{
    return look_up(system, mode, true);
}

const SaltusModeDef *saltus_system_use_mode(const SaltusSystem *system, int mode)
{
    return look_up(system, mode, false);
}
