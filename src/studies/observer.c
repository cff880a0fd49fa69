// SPDX-License-Identifier: MIT
//
// Observers of the public interface: observations of any system, with a compilation of their own
// for the expressions.

#include "base/error.h"
#include "hybrid/system.h"
#include "studies/observe.h"

#include <math.h>
#include <stdlib.h>

struct SaltusObserver {
    Compilation *compilation;
    Observations *observations;
    RunObserver *observer;
    const char **names; // of variables
    size_t name_count, name_room;
    bool is_finished;
};

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

static bool observer_add_name(SaltusObserver *o, const char *name)
{
    for (size_t i = 0; i < o->name_count; i++)
        if (strcmp(o->names[i], name) == 0)
            return true;
    if (o->name_count == o->name_room) {
        const size_t room = 2 * o->name_room + 16;
        const char **names = realloc(o->names, room * sizeof *names);
        if (!names)
            return false;
        o->names = names;
        o->name_room = room;
    }
    o->names[o->name_count++] = name;
    return true;
}

static bool add_names(SaltusObserver *o, const char *const *names, int count)
{
    bool is_fine = true;
    for (int i = 0; names && is_fine && i < count; i++)
        is_fine = observer_add_name(o, names[i]);
    return is_fine;
}

static bool name_variables(SaltusObserver *o, const SaltusSystem *system)
{
    const SaltusModeDef *mode;
    for (int i = 0; (mode = saltus_system_mode(system, i)) != NULL; i++)
        if (!add_names(o, mode->output_names, mode->output_count) ||
            !add_names(o, mode->state_names, mode->state_count) ||
            !add_names(o, mode->algebraic_names, mode->algebraic_count))
            return false;
    return true;
}

// ---------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------

static SaltusStatus fail_text(SaltusObserver *o, SaltusError *error)
{
    StringBuilder text = builder_create(o->compilation->arena);
    diagnostics_render_text(o->compilation->diagnostics, false, &text);
    return error_set(error, SALTUS_ERROR_ARGUMENT, "%s", builder_string(&text).text);
}

static SaltusStatus studies_observer_create(SaltusObserver *o, const SaltusSystem *system,
                                            int count, const char *const *expressions,
                                            SaltusError *error)
{
    o->compilation = compilation_create(NULL);
    if (!o->compilation || !name_variables(o, system))
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    const SaltusSystemDef *def = system_definition(system);
    const ObserveNames names = {.variable_count = o->name_count,
                                .variables = o->names,
                                .parameter_count = (size_t)def->parameter_count,
                                .parameters = def->parameter_names};
    o->observations = observations_create(o->compilation, &names, (size_t)count, expressions);
    if (!o->observations)
        return fail_text(o, error);
    o->observer = observer_create(o->observations);
    return o->observer ? SALTUS_OK : error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
}

SaltusStatus saltus_observer_create(const SaltusSystem *system, int count,
                                    const char *const *expressions, SaltusObserver **observer,
                                    SaltusError *error)
{
    if (observer)
        *observer = NULL;
    if (!system || !observer || count < 0 || (count > 0 && !expressions))
        return error_set(error, SALTUS_ERROR_ARGUMENT,
                         "an observer needs a system and expressions");
    SaltusObserver *o = calloc(1, sizeof *o);
    if (!o)
        return error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    const SaltusStatus status = studies_observer_create(o, system, count, expressions, error);
    if (status == SALTUS_OK)
        *observer = o;
    else
        saltus_observer_destroy(o);
    return status;
}

void saltus_observer_destroy(SaltusObserver *o)
{
    if (!o)
        return;
    observer_destroy(o->observer);
    compilation_destroy(o->compilation);
    free(o->names);
    free(o);
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

int saltus_observer_piece(void *observer, const SaltusPiece *piece)
{
    const SaltusObserver *o = observer;
    return observer_piece(o->observer, piece);
}

SaltusStatus saltus_observer_finish(SaltusObserver *o, const SaltusRun *run)
{
    if (!o || !run)
        return SALTUS_ERROR_ARGUMENT;
    o->is_finished = observer_finish(o->observer, run);
    return o->is_finished ? SALTUS_OK : SALTUS_ERROR_EVALUATION;
}

void saltus_observer_reset(SaltusObserver *o)
{
    observer_reset(o->observer);
    o->is_finished = false;
}

static bool observer_has(const SaltusObserver *o, int index)
{
    return o->is_finished && index >= 0 && (size_t)index < observations_count(o->observations);
}

int saltus_observer_count(const SaltusObserver *o, int index)
{
    return observer_has(o, index) ? (int)observer_result(o->observer, (size_t)index).count : 0;
}

double saltus_observer_value(const SaltusObserver *o, int index, int element)
{
    if (!observer_has(o, index) || element < 0)
        return NAN;
    const ObserveResult r = observer_result(o->observer, (size_t)index);
    return (size_t)element < r.count ? r.values[element] : NAN;
}

const char *saltus_observer_reason(const SaltusObserver *o, int index)
{
    return observer_has(o, index) ? observer_result(o->observer, (size_t)index).reason : "";
}
