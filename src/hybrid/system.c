// SPDX-License-Identifier: MIT

#include "hybrid/system.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ProvidedMode {
    int index;
    const SaltusModeDef *mode;
} ProvidedMode;

struct SaltusSystem {
    SaltusSystemDef def;
    MemoryPool pool;
    pthread_mutex_t lock;   // protects what follows, and the pool after creation
    ProvidedMode *provided; // ascending by index
    int provided_count, provided_capacity;
};

SaltusStatus error_set(SaltusError *error, SaltusStatus status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        *error = (SaltusError){.status = status, .time = NAN, .mode = -1, .event = -1};
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

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

static SaltusStatus check_equations(const SaltusModeDef *m, SaltusError *error)
{
    int forms = (m->rhs != NULL) + (m->evaluate != NULL) + (m->residual != NULL);
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
    if (!m->work_create != !m->work_destroy)
        return wrong(error, m->name, "give both work_create and work_destroy, or neither");
    if (m->jacobian && m->residual)
        return wrong(error, m->name, "a residual goes with implicit_jacobian, not with jacobian");
    return SALTUS_OK;
}

static SaltusStatus check_events(const SaltusModeDef *m, SaltusError *error)
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
        if (!is_size(e->noise))
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "mode %s, event %s: a noise %g that is no size", m->name, name,
                             e->noise);
    }
    return SALTUS_OK;
}

static SaltusStatus check_sparsity(const SaltusModeDef *m, SaltusError *error)
{
    if (!m->sparsity)
        return SALTUS_OK;
    const SaltusSparsity *s = m->sparsity;
    int n = m->state_count + (m->algebraic || m->residual ? m->algebraic_count : 0);
    bool good = s->column_start && s->rows && s->column_start[0] == 0;
    for (int j = 0; j < n && good; j++) {
        good = s->column_start[j + 1] >= s->column_start[j];
        for (int k = s->column_start[j]; k < s->column_start[j + 1] && good; k++)
            good = s->rows[k] >= 0 && s->rows[k] < n &&
                   (k == s->column_start[j] || s->rows[k] > s->rows[k - 1]);
    }
    return good ? SALTUS_OK
                : wrong(error, m->name,
                        "the sparsity is not compressed columns with ascending rows");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Values are carried over by name from mode to mode: no two variables of a mode may share one.
static SaltusStatus check_names(const SaltusModeDef *m, const SaltusAllocator *allocator,
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
static SaltusStatus check_numbers(const SaltusModeDef *m, SaltusError *error)
{
    for (int i = 0; i < m->state_count + m->algebraic_count; i++) {
        bool state = i < m->state_count;
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
    if (m->method && method_check(m->method, &found) != SALTUS_OK)
        return wrong(error, m->name, found.message);
    return SALTUS_OK;
}

// Copies names, or makes "x0", "x1", ... NULL: out of memory.
static const char *const *copy_names(MemoryPool *pool, const char *const *names, int count,
                                     const char *prefix)
{
    char **copy = MEMORY_POOL_NEW(pool, count, char *);
    for (int i = 0; copy && i < count; i++) {
        char made[32];
        snprintf(made, sizeof made, "%s%d", prefix, i);
        copy[i] = memory_pool_text(pool, names && names[i] ? names[i] : made);
        if (!copy[i])
            return NULL;
    }
    return (const char *const *)copy;
}

static const double *copy_numbers(MemoryPool *pool, const double *from, int count, double missing)
{
    double *copy = MEMORY_POOL_NEW(pool, count, double);
    for (int i = 0; copy && i < count; i++)
        copy[i] = from ? from[i] : missing;
    return copy;
}

static const SaltusEventDef *copy_events(MemoryPool *pool, const SaltusModeDef *def)
{
    SaltusEventDef *copy = MEMORY_POOL_NEW(pool, def->event_count, SaltusEventDef);
    for (int i = 0; copy && i < def->event_count; i++) {
        char made[32];
        snprintf(made, sizeof made, "h%d", i);
        copy[i] = def->events[i];
        copy[i].name = memory_pool_text(pool, copy[i].name ? copy[i].name : made);
        const char *condition = copy[i].condition ? copy[i].condition : copy[i].name;
        copy[i].condition = condition ? memory_pool_text(pool, condition) : NULL;
        copy[i].place = copy[i].place ? memory_pool_text(pool, copy[i].place) : NULL;
        if (!copy[i].name || !copy[i].condition || (def->events[i].place && !copy[i].place))
            return NULL;
    }
    return copy;
}

static const SaltusSparsity *copy_sparsity(MemoryPool *pool, const SaltusModeDef *def)
{
    const SaltusSparsity *from = def->sparsity;
    int n = def->state_count + (def->algebraic || def->residual ? def->algebraic_count : 0);
    SaltusSparsity *copy = MEMORY_POOL_NEW(pool, 1, SaltusSparsity);
    if (!copy)
        return NULL;
    size_t columns = (size_t)n + 1, entries = (size_t)from->column_start[n];
    copy->column_start = memory_pool_copy(pool, from->column_start, columns, sizeof(int));
    copy->rows = memory_pool_copy(pool, from->rows, entries, sizeof(int));
    return copy->column_start && copy->rows ? copy : NULL;
}

// The right-hand side of a mode without states.
static int no_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z, (void)dx;
    return 0;
}

SaltusStatus system_copy_mode(MemoryPool *pool, const SaltusModeDef *def, SaltusModeDef *copy,
                              SaltusError *error)
{
    *copy = *def;
    if (!def->name || !def->name[0])
        return error_set(error, SALTUS_ERROR_ARGUMENT, "a mode without a name");
    SaltusStatus status = check_equations(def, error);
    if (status == SALTUS_OK)
        status = check_events(def, error);
    if (status == SALTUS_OK)
        status = check_sparsity(def, error);
    if (status != SALTUS_OK)
        return status;
    int all = def->state_count + def->algebraic_count;
    copy->name = memory_pool_text(pool, def->name);
    copy->state_names = copy_names(pool, def->state_names, def->state_count, "x");
    copy->algebraic_names = copy_names(pool, def->algebraic_names, def->algebraic_count, "z");
    copy->output_names = copy_names(pool, def->output_names, def->output_count, "y");
    copy->nominal = copy_numbers(pool, def->nominal, all, 1.0);
    copy->events = copy_events(pool, def);
    bool complete = copy->name && copy->state_names && copy->algebraic_names &&
                    copy->output_names && copy->nominal && copy->events;
    if (def->start)
        complete = complete && (copy->start = copy_numbers(pool, def->start, all, 0.0));
    if (def->absolute_tolerance)
        complete = complete && (copy->absolute_tolerance =
                                    copy_numbers(pool, def->absolute_tolerance, all, 0.0));
    if (def->sparsity)
        complete = complete && (copy->sparsity = copy_sparsity(pool, def));
    if (def->method)
        complete = complete &&
                   (copy->method = memory_pool_copy(pool, def->method, 1, sizeof(SaltusMethod)));
    if (def->state_count == 0 && !def->evaluate && !def->residual)
        copy->rhs = no_rhs;
    if (!complete)
        return out_of_memory(error);
    status = check_names(copy, pool->allocator, error);
    return status == SALTUS_OK ? check_numbers(copy, error) : status;
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
    bool chosen_at_start = def->initial_mode == -1 && def->start;
    if (!chosen_at_start &&
        (def->initial_mode < 0 || (def->initial_mode >= def->mode_count && !def->provider)))
        return error_set(error, SALTUS_ERROR_MODE, "initial mode %d: there are %d modes",
                         def->initial_mode, def->mode_count);
    if (def->parameter_count < 0 || (def->parameter_count > 0 && !def->parameters))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "parameter_count without parameters");
    if (def->input_count < 0 || (def->input_count > 0 && !def->inputs))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "input_count without inputs");
    return SALTUS_OK;
}

static SaltusStatus copy_system(SaltusSystem *system, const SaltusSystemDef *def,
                                SaltusError *error)
{
    SaltusSystemDef *d = &system->def;
    MemoryPool *pool = &system->pool;
    SaltusModeDef *modes = MEMORY_POOL_NEW(pool, def->mode_count, SaltusModeDef);
    d->name = memory_pool_text(pool, def->name ? def->name : "system");
    d->parameter_names = copy_names(pool, def->parameter_names, def->parameter_count, "p");
    d->input_names = copy_names(pool, def->input_names, def->input_count, "u");
    d->parameters = copy_numbers(pool, def->parameters, def->parameter_count, 0.0);
    d->inputs = copy_numbers(pool, def->inputs, def->input_count, 0.0);
    if (!modes || !d->name || !d->parameter_names || !d->input_names || !d->parameters ||
        !d->inputs)
        return out_of_memory(error);
    d->modes = modes;
    SaltusStatus status = SALTUS_OK;
    for (int i = 0; i < def->mode_count && status == SALTUS_OK; i++)
        status = system_copy_mode(pool, &def->modes[i], &modes[i], error);
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

void saltus_system_destroy(SaltusSystem *system)
{
    if (!system)
        return;
    SaltusAllocator allocator = system->def.allocator;
    for (int i = 0; i < system->provided_count && system->def.release; i++)
        system->def.release(system->def.user, system->provided[i].mode->data);
    memory_free(&allocator, system->provided);
    memory_pool_free(&system->pool);
    pthread_mutex_destroy(&system->lock);
    memory_free(&allocator, system);
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

// Where `index` stands or should stand among the provided modes.
static int provided_position(const SaltusSystem *system, int index)
{
    int low = 0, high = system->provided_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (system->provided[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static SaltusStatus provided_insert(SaltusSystem *system, int position, int index,
                                    const SaltusModeDef *mode)
{
    if (system->provided_count == system->provided_capacity) {
        int capacity = system->provided_capacity ? 2 * system->provided_capacity : 16;
        ProvidedMode *grown = memory_resize(&system->def.allocator, system->provided,
                                            (size_t)capacity, sizeof(ProvidedMode));
        if (!grown)
            return SALTUS_ERROR_MEMORY;
        system->provided = grown;
        system->provided_capacity = capacity;
    }
    ProvidedMode *at = system->provided + position;
    memmove(at + 1, at, (size_t)(system->provided_count - position) * sizeof *at);
    *at = (ProvidedMode){.index = index, .mode = mode};
    system->provided_count++;
    return SALTUS_OK;
}

// Asks the provider; the lock is held.
static const SaltusModeDef *provide(SaltusSystem *system, int position, int index,
                                    SaltusError *error)
{
    char message[256] = "";
    SaltusModeDef def = saltus_default_mode();
    if (system->def.provider(system->def.user, index, &def, message) != 0) {
        error_set(error, SALTUS_ERROR_MODE, "mode %d could not be provided%s%s", index,
                  message[0] ? ": " : "", message);
        return NULL;
    }
    SaltusModeDef *copy = MEMORY_POOL_NEW(&system->pool, 1, SaltusModeDef);
    if (!copy) {
        out_of_memory(error);
        return NULL;
    }
    if (system_copy_mode(&system->pool, &def, copy, error) != SALTUS_OK)
        return NULL;
    if (provided_insert(system, position, index, copy) != SALTUS_OK) {
        out_of_memory(error);
        return NULL;
    }
    return copy;
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
    int position = provided_position(shared, mode);
    bool known = position < shared->provided_count && shared->provided[position].index == mode;
    const SaltusModeDef *found =
        known ? shared->provided[position].mode : provide(shared, position, mode, error);
    pthread_mutex_unlock(&shared->lock);
    return found;
}

const SaltusModeDef *saltus_system_mode(const SaltusSystem *system, int mode)
{
    if (mode >= 0 && mode < system->def.mode_count)
        return &system->def.modes[mode];
    SaltusSystem *shared = (SaltusSystem *)system;
    pthread_mutex_lock(&shared->lock);
    int position = provided_position(shared, mode);
    bool known = position < shared->provided_count && shared->provided[position].index == mode;
    const SaltusModeDef *found = known ? shared->provided[position].mode : NULL;
    pthread_mutex_unlock(&shared->lock);
    return found;
}
