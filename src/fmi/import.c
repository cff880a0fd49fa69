// SPDX-License-Identifier: MIT
//
// The life of an FMU (FMI 3.0, section 2.3; FMI 2.0, section 2.1.6 has the same under older names),
// one function each:
//
//   import_open          unpacked, described         nothing of its code has run
//   import_instantiate   "Instantiated"              settings are made
//   import_initialize    "Initialization Mode" and out of it
//   import_run           steps, or an integration of Saltus, or a schedule; then Terminate
//   import_end           FreeInstance
//
// What always holds: an instance exists if and only if parts->instance is not NULL, and
// FreeInstance is called once for each; after an error or a step that failed nothing but that is
// called, as the standard demands. Both versions are told apart at each call, by the description's
// version: their functions have other arguments.

#include "base/message.h"
#include "fmi/archive.h"
#include "fmi/description_read.h"
#include "fmi/disk.h"
#include "fmi/import_parts.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A description of more bytes is refused.
enum { IMPORT_MOST_BYTES = 256 << 20, IMPORT_MOST_COLUMNS = 1 << 20 };

// ---------------------------------------------------------------------------
// Opening
// ---------------------------------------------------------------------------

// The columns: scalars by their names, elements of arrays as "x[1]". False: there are too many.
static bool import_make_columns(ImportedFmu *import)
{
    const FmuDescription *d = import->description;
    Arena *arena = import->parts->arena;
    uint64_t count = 0;
    for (uint32_t i = 0; i < d->variable_count; i++)
        count += d->variables[i].type < FMU_STRING ? d->variables[i].size : 0;
    if (count > IMPORT_MOST_COLUMNS)
        return false;
    import->columns = arena_array(arena, count + 1, sizeof *import->columns);
    for (uint32_t i = 0; import->columns && i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        if (v->type >= FMU_STRING || v->causality == FMU_INDEPENDENT)
            continue;
        for (uint32_t k = 0; k < v->size; k++) {
            const size_t room = strlen(v->name) + 16;
            char *name = v->size > 1 ? arena_allocate(arena, room) : NULL;
            if (name)
                snprintf(name, room, "%s[%u]", v->name, k + 1);
            import->columns[import->column_count].name = name ? name : v->name;
            import->columns[import->column_count++].variable = i;
        }
    }
    import->parts->values = ARENA_ARRAY(arena, import->column_count + 1u, double);
    return import->columns && import->parts->values && import_make_groups(import);
}

bool import_only_outputs(ImportedFmu *import)
{
    const FmuDescription *d = import->description;
    uint32_t count = 0;
    for (uint32_t i = 0; i < import->column_count; i++)
        if (d->variables[import->columns[i].variable].causality == FMU_OUTPUT)
            import->columns[count++] = import->columns[i];
    import->column_count = count;
    memset(import->parts->groups, 0, sizeof import->parts->groups);
    return import_make_groups(import);
}

static bool import_read(ImportedFmu *import, const char *path, char **message)
{
    ImportParts *p = import->parts;
    char *why = NULL, description[128];
    if (!disk_make(&p->folder, "fmu"))
        return message_set(message, "cannot make a folder in /tmp: %s", strerror(errno));
    if (!archive_unpack(path, p->folder.path, &why)) {
        message_set(message, "cannot unpack '%s': %s", path, message_text(why));
        free(why);
        return false;
    }
    size_t length = 0;
    snprintf(description, sizeof description, "%s/modelDescription.xml", p->folder.path);
    char *text = disk_read(description, IMPORT_MOST_BYTES, &length);
    import->description = text ? description_read(p->arena, text, length, &why) : NULL;
    free(text);
    if (!import->description) {
        message_set(message, "the description of '%s' cannot be read: %s", path,
                    text ? message_text(why) : "there is no modelDescription.xml");
        free(why);
        return false;
    }
    if (!import_make_columns(import))
        return message_set(message, "'%s' has too many variables", path);
    return true;
}

ImportedFmu *import_open(const char *path, char **message)
{
    Arena *arena = arena_create(NULL);
    ImportedFmu *import = arena ? ARENA_NEW(arena, ImportedFmu) : NULL;
    ImportParts *parts = import ? ARENA_NEW(arena, ImportParts) : NULL;
    if (!parts) {
        message_set(message, "out of memory");
        arena_destroy(arena);
        return NULL;
    }
    *parts = (ImportParts){.arena = arena};
    *import = (ImportedFmu){.parts = parts};
    if (import_read(import, path, message))
        return import;
    import_close(import);
    return NULL;
}

static void import_end(ImportedFmu *import)
{
    ImportParts *p = import->parts;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what has an instance was described
    if (p->instance && import->description->version == 3)
        p->binary.fmi3.FreeInstance(p->instance);
    else if (p->instance)
        p->binary.fmi2.FreeInstance(p->instance);
    p->instance = NULL;
}

void import_close(ImportedFmu *import)
{
    if (!import)
        return;
    ImportParts *p = import->parts;
    import_end(import);
    binary_close(&p->binary);
    disk_remove(&p->folder);
    free(p->said);
    arena_destroy(p->arena);
}

// ---------------------------------------------------------------------------
// Beginning
// ---------------------------------------------------------------------------

static void import_hush(ImportParts *p)
{
    free(p->said);
    p->said = NULL;
}

static void import_log_2(void *environment, Fmi2String instance, Fmi2Status status,
                         Fmi2String category, Fmi2String message, ...)
{
    ImportParts *p = environment;
    (void)instance, (void)category;
    if (status < FMI2_ERROR || !p || !message || p->said)
        return;
    va_list arguments;
    va_start(arguments, message);
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
    message_set_arguments(&p->said, message, arguments);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    va_end(arguments);
}

static void import_log_3(void *environment, Fmi3Status status, Fmi3String category,
                         Fmi3String message)
{
    ImportParts *p = environment;
    (void)category;
    if (status >= FMI3_ERROR && p && message && !p->said)
        message_set(&p->said, "%s", message);
}

static bool import_instantiate(ImportedFmu *import)
{
    const FmuDescription *d = import->description;
    ImportParts *p = import->parts;
    char resources[128];
    if (d->version == 3) {
        snprintf(resources, sizeof resources, "%s/resources/", p->folder.path);
        p->instance = p->def.is_scheduled
                          ? p->binary.fmi3.InstantiateScheduledExecution(
                                d->name, d->token, resources, false, true, p, import_log_3,
                                import_schedule_update, import_schedule_lock, import_schedule_lock)
                      : p->def.is_exchange
                          ? p->binary.fmi3.InstantiateModelExchange(d->name, d->token, resources,
                                                                    false, true, p, import_log_3)
                          : p->binary.fmi3.InstantiateCoSimulation(d->name, d->token, resources,
                                                                   false, true, false, false, NULL,
                                                                   0, p, import_log_3, NULL);
        return p->instance;
    }
    Fmi2Callbacks *callbacks = ARENA_NEW(p->arena, Fmi2Callbacks); // some keep the pointer
    if (!callbacks)
        return false;
    *callbacks = (Fmi2Callbacks){import_log_2, calloc, free, NULL, p};
    snprintf(resources, sizeof resources, "file://%s/resources", p->folder.path);
    p->instance = p->binary.fmi2.Instantiate(
        d->name, p->def.is_exchange ? FMI2_MODEL_EXCHANGE : FMI2_CO_SIMULATION, d->token, resources,
        callbacks, 0, 1); // errors are kept, see import_say
    return p->instance;
}

static bool import_initialize(ImportedFmu *import)
{
    const ImportParts *p = import->parts;
    const ImportDef *def = &p->def;
    const double tolerance = def->options.method.relative_tolerance;
    const bool has_stop = isfinite(def->stop_time);
    if (import->description->version == 3)
        return p->binary.fmi3.EnterInitializationMode(p->instance, true, tolerance, def->start_time,
                                                      has_stop, def->stop_time) <= FMI3_WARNING &&
               p->binary.fmi3.ExitInitializationMode(p->instance) <= FMI3_WARNING;
    return p->binary.fmi2.SetupExperiment(p->instance, 1, tolerance, def->start_time, has_stop,
                                          def->stop_time) <= FMI2_WARNING &&
           p->binary.fmi2.EnterInitializationMode(p->instance) <= FMI2_WARNING &&
           p->binary.fmi2.ExitInitializationMode(p->instance) <= FMI2_WARNING;
}

void import_add_said(const ImportParts *p, char **message)
{
    if (p->said && *p->said)
        message_add(message, ": %s", p->said);
}

static bool import_say(const ImportedFmu *import, const char *what, char **message)
{
    message_set(message, "%s", what);
    import_add_said(import->parts, message);
    return false;
}

bool import_begin(ImportedFmu *import, const ImportDef *def, char **message)
{
    const FmuDescription *d = import->description;
    ImportParts *p = import->parts;
    const char *identifier = def->is_scheduled  ? d->scheduled
                             : def->is_exchange ? d->exchange
                                                : d->cosimulation;
    char path[4096], *why = NULL;
    p->def = *def;
    if (!identifier)
        return import_say(import,
                          def->is_scheduled  ? "the FMU has no scheduled execution"
                          : def->is_exchange ? "the FMU has no model exchange"
                                             : "the FMU has no co-simulation",
                          message);
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", p->folder.path,
             d->version == 3 ? "x86_64-linux" : "linux64", identifier);
    if (access(path, R_OK) != 0)
        return import_say(import, "the FMU has no library for Linux on x86-64", message);
    import_end(import);
    import_hush(p);
    const FmuInterface interface = def->is_scheduled  ? FMU_SCHEDULED
                                   : def->is_exchange ? FMU_EXCHANGE
                                                      : FMU_COSIMULATION;
    if (!p->binary.handle && !binary_open(&p->binary, path, d->version, interface, &why)) {
        message_set(message, "the FMU: %s", message_text(why));
        free(why);
        return false;
    }
    if (!import_instantiate(import))
        return import_say(import, "the FMU could not be instantiated", message);
    for (size_t i = 0; i < def->setting_count; i++)
        if (!import_set(import, &def->settings[i], message))
            return false;
    if (import_set_signals(import, def->start_time, true) > FMI2_WARNING)
        return import_say(import, "the FMU refuses the value of an input", message);
    return import_initialize(import) ||
           import_say(import, "the FMU could not be initialized", message);
}

// ---------------------------------------------------------------------------
// Kept states
// ---------------------------------------------------------------------------

bool import_keep(const ImportedFmu *import, void **state)
{
    const ImportParts *p = import->parts;
    if (import->description->version == 3)
        return p->binary.fmi3.GetFMUState &&
               p->binary.fmi3.GetFMUState(p->instance, state) <= FMI3_WARNING;
    return p->binary.fmi2.GetFMUstate &&
           p->binary.fmi2.GetFMUstate(p->instance, state) <= FMI2_WARNING;
}

bool import_restore(const ImportedFmu *import, void *state)
{
    const ImportParts *p = import->parts;
    if (import->description->version == 3)
        return p->binary.fmi3.SetFMUState &&
               p->binary.fmi3.SetFMUState(p->instance, state) <= FMI3_WARNING;
    return p->binary.fmi2.SetFMUstate &&
           p->binary.fmi2.SetFMUstate(p->instance, state) <= FMI2_WARNING;
}

void import_forget(const ImportedFmu *import, void **state)
{
    const ImportParts *p = import->parts;
    if (!*state)
        return;
    if (import->description->version == 3 && p->binary.fmi3.FreeFMUState)
        p->binary.fmi3.FreeFMUState(p->instance, state);
    else if (import->description->version == 2 && p->binary.fmi2.FreeFMUstate)
        p->binary.fmi2.FreeFMUstate(p->instance, state);
    *state = NULL;
}

// ---------------------------------------------------------------------------
// Co-simulation
// ---------------------------------------------------------------------------

SaltusStatus import_step(ImportedFmu *import, double *time, double step)
{
    ImportParts *p = import->parts;
    if (import->description->version == 3) {
        bool needs_event = false, terminate = false, is_early = false;
        double last = *time + step;
        const Fmi3Status status = p->binary.fmi3.DoStep(p->instance, *time, step, true,
                                                        &needs_event, &terminate, &is_early, &last);
        *time = terminate || is_early ? last : *time + step;
        return status > FMI3_WARNING ? SALTUS_ERROR_SOLVER
               : terminate           ? SALTUS_TERMINATED
                                     : SALTUS_OK;
    }
    const Fmi2Status status = p->binary.fmi2.DoStep(p->instance, *time, step, 1);
    Fmi2Boolean has_ended = 0;
    if (status == FMI2_DISCARD && p->binary.fmi2.GetBooleanStatus &&
        p->binary.fmi2.GetBooleanStatus(p->instance, FMI2_TERMINATED, &has_ended) == FMI2_OK &&
        has_ended) {
        if (p->binary.fmi2.GetRealStatus)
            p->binary.fmi2.GetRealStatus(p->instance, FMI2_LAST_SUCCESSFUL_TIME, time);
        return SALTUS_TERMINATED;
    }
    *time += step;
    return status <= FMI2_WARNING ? SALTUS_OK : SALTUS_ERROR_SOLVER;
}

static SaltusStatus import_run_steps(ImportedFmu *import, ImportRow *row, void *user,
                                     char **message)
{
    ImportParts *p = import->parts;
    const ImportDef *def = &p->def;
    double time = def->start_time;
    bool is_row = true;
    SaltusStatus status = SALTUS_OK;
    for (long k = 1; status == SALTUS_OK; k++) {
        if (import_set_signals(import, time, true) > FMI2_WARNING) {
            import_say(import, "the FMU refuses the value of an input", message);
            return SALTUS_ERROR_EVALUATION;
        }
        if (is_row && !import_get_values(import, p->values)) {
            import_say(import, "the FMU has no values", message);
            return SALTUS_ERROR_EVALUATION;
        }
        if (is_row && row(user, time, p->values) != 0)
            return SALTUS_INTERRUPTED;
        if (!(time < def->stop_time))
            return SALTUS_OK;
        double next = def->start_time + (double)k * def->interval;
        if (next > def->stop_time || def->stop_time - next < 1e-9 * def->interval)
            next = def->stop_time;
        const double change = import_next_signal(import, time);
        if (change < next - 1e-9 * def->interval) {
            next = change;
            k--;
        }
        is_row = !(def->step > 0.0 && next - time > (1.0 + 1e-9) * def->step);
        if (!is_row) {
            next = time + def->step;
            k--;
        }
        status = import_step(import, &time, next - time);
        if (status == SALTUS_OK && fabs(time - next) < 1e-9 * def->interval)
            time = next;
        else if (status == SALTUS_OK) {
            k -= is_row; // it returned early
            is_row = true;
        }
    }
    if (status == SALTUS_TERMINATED && import_get_values(import, p->values))
        row(user, time, p->values);
    import_say(import,
               status == SALTUS_TERMINATED ? "the FMU ended the simulation" : "a step failed",
               message);
    return status;
}

SaltusStatus import_run(ImportedFmu *import, ImportRow *row, void *user, char **message)
{
    ImportParts *p = import->parts;
    const SaltusStatus status =
        p->def.is_scheduled  ? import_run_schedule(import, row, user, message)
        : p->def.is_exchange ? import_run_exchange(import, row, user, message)
                             : import_run_steps(import, row, user, message);
    if (status < 0)
        return status; // what Terminate must not be called after
    if (import->description->version == 3)
        p->binary.fmi3.Terminate(p->instance);
    else
        p->binary.fmi2.Terminate(p->instance);
    return status;
}
