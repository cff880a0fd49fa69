// SPDX-License-Identifier: MIT
//
// Model exchange: the FMU as a system of the engine with one mode. The engine integrates, locates
// crossings of the event indicators and goes to the time events; the FMU's event mode is the
// action.

#include "base/message.h"
#include "base/real.h"
#include "fmi/import_parts.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Both versions
// ---------------------------------------------------------------------------

static int exchange_set_point(const ImportedFmu *i, double t, const double *x)
{
    const ImportParts *p = i->parts;
    const bool is_new = i->description->version == 3;
    int code = import_code(is_new ? (int)p->binary.fmi3.SetTime(p->instance, t)
                                  : (int)p->binary.fmi2.SetTime(p->instance, t));
    if (code == 0 && p->state_count > 0)
        code = import_code(
            is_new ? (int)p->binary.fmi3.SetContinuousStates(p->instance, x, p->state_count)
                   : (int)p->binary.fmi2.SetContinuousStates(p->instance, x, p->state_count));
    return code == 0 ? import_code(import_set_signals(i, t, false)) : code;
}

static int exchange_get_states(const ImportedFmu *i, double *x)
{
    const ImportParts *p = i->parts;
    if (p->state_count == 0)
        return 0;
    return import_code(
        i->description->version == 3
            ? (int)p->binary.fmi3.GetContinuousStates(p->instance, x, p->state_count)
            : (int)p->binary.fmi2.GetContinuousStates(p->instance, x, p->state_count));
}

static int exchange_get_nominals(const ImportedFmu *i, double *nominals)
{
    const ImportParts *p = i->parts;
    if (p->state_count == 0)
        return 0;
    return import_code(i->description->version == 3
                           ? (int)p->binary.fmi3.GetNominalsOfContinuousStates(
                                 p->instance, nominals, p->state_count)
                           : (int)p->binary.fmi2.GetNominalsOfContinuousStates(
                                 p->instance, nominals, p->state_count));
}

// Event mode until nothing more changes; it has been entered.
static int exchange_update_states(ImportedFmu *i)
{
    enum { MOST_ITERATIONS = 1000 };
    ImportParts *p = i->parts;
    bool again = true;
    int code = 0;
    for (int k = 0; again && code == 0; k++) {
        if (k == MOST_ITERATIONS)
            return -1;
        if (i->description->version == 3) {
            bool nominals, states, has_next = false;
            double next = INFINITY;
            code = import_code((int)p->binary.fmi3.UpdateDiscreteStates(
                p->instance, &again, &p->has_ended, &nominals, &states, &has_next, &next));
            p->next_time = has_next ? next : INFINITY;
        } else {
            Fmi2EventInfo info = {0};
            code = import_code((int)p->binary.fmi2.NewDiscreteStates(p->instance, &info));
            again = info.new_discrete_states_needed;
            p->has_ended = info.terminate_simulation;
            p->next_time = info.next_event_time_defined ? info.next_event_time : INFINITY;
        }
        again = again && !p->has_ended;
    }
    if (code == 0 && !p->has_ended)
        code = import_code(i->description->version == 3
                               ? (int)p->binary.fmi3.EnterContinuousTimeMode(p->instance)
                               : (int)p->binary.fmi2.EnterContinuousTimeMode(p->instance));
    return code;
}

static int exchange_get_derivatives(const ImportedFmu *i, double *dx)
{
    const ImportParts *p = i->parts;
    if (p->state_count == 0)
        return 0;
    return import_code(
        i->description->version == 3
            ? (int)p->binary.fmi3.GetContinuousStateDerivatives(p->instance, dx, p->state_count)
            : (int)p->binary.fmi2.GetDerivatives(p->instance, dx, p->state_count));
}

static int exchange_get_indicators(const ImportedFmu *i, double *h)
{
    const ImportParts *p = i->parts;
    if (p->indicator_count == 0)
        return 0;
    return import_code(
        i->description->version == 3
            ? (int)p->binary.fmi3.GetEventIndicators(p->instance, h, p->indicator_count)
            : (int)p->binary.fmi2.GetEventIndicators(p->instance, h, p->indicator_count));
}

// ---------------------------------------------------------------------------
// As a part of a model
// ---------------------------------------------------------------------------

void import_exchange_count(const ImportedFmu *i)
{
    const FmuDescription *d = i->description;
    ImportParts *p = i->parts;
    p->state_count = 0;
    for (uint32_t k = 0; k < d->derivative_count; k++)
        p->state_count += d->variables[d->derivatives[k]].size;
    p->indicator_count = d->indicators ? 0 : d->indicator_count;
    for (uint32_t k = 0; d->indicators && k < d->indicator_count; k++)
        p->indicator_count += d->variables[d->indicators[k]].size;
}

int import_exchange_begin(ImportedFmu *i, double *x)
{
    const int code = exchange_update_states(i);
    return code != 0 ? code : exchange_get_states(i, x);
}

int import_exchange_flow(const ImportedFmu *i, double t, const double *x, double *dx, double *z)
{
    int code = exchange_set_point(i, t, x);
    if (code == 0 && dx)
        code = exchange_get_derivatives(i, dx);
    return code == 0 ? exchange_get_indicators(i, z) : code;
}

int import_exchange_event(ImportedFmu *i, double t, double *x)
{
    const ImportParts *p = i->parts;
    int code = exchange_set_point(i, t, x);
    if (code == 0)
        code = import_code(i->description->version == 3
                               ? (int)p->binary.fmi3.EnterEventMode(p->instance)
                               : (int)p->binary.fmi2.EnterEventMode(p->instance));
    if (code == 0)
        code = import_code(import_set_signals(i, t, true));
    if (code == 0)
        code = exchange_update_states(i);
    return code != 0 ? code : exchange_get_states(i, x);
}

int import_exchange_completed(ImportedFmu *i, bool *wants_event, bool *has_ended)
{
    const ImportParts *p = i->parts;
    Fmi2Boolean enter = 0, terminate = 0;
    if (i->description->version == 3)
        return import_code(
            (int)p->binary.fmi3.CompletedIntegratorStep(p->instance, true, wants_event, has_ended));
    const int code = import_code(
        (int)p->binary.fmi2.CompletedIntegratorStep(p->instance, 1, &enter, &terminate));
    *wants_event = enter;
    *has_ended = terminate;
    return code;
}

// ---------------------------------------------------------------------------
// The mode
// ---------------------------------------------------------------------------

static int exchange_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    const int code = exchange_set_point(c->user, t, x);
    (void)z;
    return code != 0 ? code : exchange_get_derivatives(c->user, dx);
}

static int exchange_events(const SaltusContext *c, double t, const double *x, const double *z,
                           double *h)
{
    const int code = exchange_set_point(c->user, t, x);
    (void)z;
    return code != 0 ? code : exchange_get_indicators(c->user, h);
}

static int exchange_outputs(const SaltusContext *c, double t, const double *x, const double *z,
                            double *y)
{
    ImportedFmu *i = c->user;
    (void)z;
    const int code = exchange_set_point(i, t, x);
    return code != 0 ? code : import_get_values(i, y) ? 0 : -1;
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

// What the FMU has now, besides its states: its next time event, its end.
static void exchange_follow(SaltusEvent *event, int code)
{
    const ImportedFmu *i = event->user;
    const ImportParts *p = i->parts;
    const double next = fmin(p->next_time, import_next_signal(i, event->t));
    if (code != 0)
        saltus_fail(event, "the FMU failed in event mode");
    else if (isfinite(next))
        saltus_schedule(event, 0, next);
    else
        saltus_cancel(event, 0);
    if (code == 0 && p->has_ended)
        saltus_stop(event, "the FMU ended the simulation");
}

static void exchange_start(SaltusEvent *event)
{
    exchange_follow(event, import_exchange_begin(event->user, event->x));
}

static void exchange_handle(SaltusEvent *event)
{
    exchange_follow(event, import_exchange_event(event->user, event->t, event->x));
}

// Whether all functions that have crossed zero are beyond it at the point.
static bool exchange_is_beyond(const SaltusEvent *event, const double *x, double *h)
{
    const ImportedFmu *i = event->user;
    bool is_beyond = exchange_set_point(i, event->t, x) == 0 && exchange_get_indicators(i, h) == 0;
    for (int k = 0; k < event->fired_count && is_beyond; k++)
        is_beyond = h[event->fired[k].event] * event->fired[k].direction > 0.0;
    return is_beyond;
}

// The engine ends the search for a crossing where rounding does, and knows on which side of it the
// function is; an FMU knows the value only. So the states are led on along the flow, by no more
// than rounding may be. (In vain where the function depends on time alone: there its value is
// right.)
static bool exchange_lead_beyond(const SaltusEvent *event)
{
    const ImportedFmu *i = event->user;
    const ImportParts *p = i->parts;
    double *x = p->beyond, *dx = x + p->state_count, *h = dx + p->state_count;
    if (p->state_count == 0 || exchange_is_beyond(event, event->x, h) ||
        exchange_get_derivatives(i, dx) != 0)
        return false;
    const double most = fabs(event->t) * 1e-10;
    for (double delta = fabs(event->t) * DBL_EPSILON; delta > 0.0 && delta < most; delta *= 2.0) {
        for (uint32_t k = 0; k < p->state_count; k++)
            x[k] = event->x[k] + delta * dx[k];
        if (exchange_is_beyond(event, x, h))
            return true;
    }
    return false;
}

// The run stands there; at first, its left limits are those, too: nothing has jumped.
static void exchange_go_beyond(SaltusEvent *event)
{
    const ImportParts *p = ((const ImportedFmu *)event->user)->parts;
    double *const left = (double *)(uintptr_t)event->left.x;
    real_copy(event->x, p->beyond, (int)p->state_count);
    if (event->iteration == 0)
        real_copy(left, p->beyond, (int)p->state_count);
}

static unsigned exchange_event_update(SaltusEvent *event)
{
    const unsigned causes = SALTUS_AT_CROSSING | SALTUS_AT_TIME;
    if (!(event->occasion & causes))
        return SALTUS_NOTHING_CHANGED;
    if (event->occasion & SALTUS_AT_CROSSING && exchange_lead_beyond(event))
        exchange_go_beyond(event);
    exchange_handle(event);
    return SALTUS_RHS_CHANGED;
}

// After each step of the engine, which may be an event for the FMU (fmi2CompletedIntegratorStep).
static void exchange_accepted(SaltusEvent *event)
{
    ImportedFmu *i = event->user;
    bool wants_event = false, has_ended = false;
    int code = exchange_set_point(i, event->t, event->x);
    if (code == 0)
        code = import_exchange_completed(i, &wants_event, &has_ended);
    if (code != 0)
        saltus_fail(event, "the FMU failed after a step");
    else if (has_ended)
        saltus_stop(event, "the FMU ended the simulation");
    else if (wants_event)
        exchange_handle(event);
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

static int exchange_row(void *user, const SaltusRow *row)
{
    ImportParts *p = ((ImportedFmu *)user)->parts;
    if (row->kind == SALTUS_ROW_END && row->t == p->rows.last)
        return 0; // it is there: the end is a multiple of the interval
    p->rows.last = row->t;
    return p->rows.row(p->rows.user, row->t, row->y);
}

static const char *exchange_state_name(const FmuDescription *d, uint32_t derivative,
                                       uint32_t element, Arena *arena)
{
    const FmuVariable *v = &d->variables[derivative];
    const char *name = v->state != FMU_NOTHING ? d->variables[v->state].name : v->name;
    const size_t room = strlen(name) + 24;
    char *text = arena_allocate(arena, room);
    if (text)
        snprintf(text, room, v->size > 1 ? "%s[%u]" : "%s", name, element + 1);
    return text;
}

// The one mode; what it points to is in the arena. False: out of memory.
static bool exchange_define(ImportedFmu *i, SaltusModeDef *mode)
{
    const FmuDescription *d = i->description;
    ImportParts *p = i->parts;
    const char **states = ARENA_ARRAY(p->arena, p->state_count + 1u, const char *);
    const char **outputs = ARENA_ARRAY(p->arena, i->column_count + 1u, const char *);
    SaltusEventDef *events = ARENA_ARRAY(p->arena, p->indicator_count + 1u, SaltusEventDef);
    double *nominals = ARENA_ARRAY(p->arena, p->state_count + 1u, double);
    double *start = ARENA_ARRAY(p->arena, p->state_count + 1u, double);
    p->beyond = ARENA_ARRAY(p->arena, 2u * p->state_count + p->indicator_count + 1u, double);
    if (!states || !outputs || !events || !nominals || !start || !p->beyond)
        return false;
    uint32_t count = 0;
    for (uint32_t k = 0; k < d->derivative_count; k++)
        for (uint32_t e = 0; e < d->variables[d->derivatives[k]].size; e++)
            states[count++] = exchange_state_name(d, d->derivatives[k], e, p->arena);
    for (uint32_t k = 0; k < i->column_count; k++)
        outputs[k] = i->columns[k].name;
    if (exchange_get_nominals(i, nominals) != 0 || exchange_get_states(i, start) != 0)
        return false;
    *mode = saltus_default_mode();
    mode->name = "FMU";
    mode->state_count = (int)p->state_count;
    mode->state_names = states;
    mode->start = start;
    mode->nominal = nominals;
    mode->rhs = p->state_count ? exchange_rhs : NULL;
    mode->event_count = (int)p->indicator_count;
    mode->events = events;
    mode->event_functions = p->indicator_count ? exchange_events : NULL;
    mode->output_count = (int)i->column_count;
    mode->output_names = outputs;
    mode->outputs = exchange_outputs;
    return true;
}

SaltusStatus import_run_exchange(ImportedFmu *import, ImportRow *row, void *user, char **message)
{
    ImportParts *p = import->parts;
    p->rows.row = row;
    p->rows.user = user;
    p->rows.last = NAN;
    SaltusOptions options = p->def.options;
    SaltusError error = {.message = "out of memory"};
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusModeDef mode;
    import_exchange_count(import);
    SaltusStatus status = exchange_define(import, &mode) ? SALTUS_OK : SALTUS_ERROR_EVALUATION;
    if (status == SALTUS_OK) {
        SaltusSystemDef def = saltus_default_system();
        def.name = import->description->name;
        def.user = import;
        def.mode_count = 1;
        def.modes = &mode;
        def.start = exchange_start;
        def.event_update = exchange_event_update;
        def.accepted = exchange_accepted;
        status = saltus_system_create(&def, &system, &error);
    }
    if (status == SALTUS_OK) {
        options.row = exchange_row;
        options.user = import;
        options.start_time = p->def.start_time;
        options.record = SALTUS_RECORD_INTERVALS;
        options.output_interval = p->def.interval;
        status = saltus_run_create(system, &options, &run, &error);
    }
    if (status == SALTUS_OK)
        status = saltus_run_advance(run, p->def.stop_time);
    if (status != SALTUS_OK) {
        message_set(message, "%s", run ? saltus_run_error(run)->message : error.message);
        import_add_said(p, message);
    }
    saltus_error_clear(&error);
    if (run)
        saltus_run_destroy(run);
    if (system)
        saltus_system_destroy(system);
    return status;
}
