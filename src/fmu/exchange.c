// SPDX-License-Identifier: MIT

#include "fmu/exchange.h"

#include "base/message.h"
#include "fmu/journal.h"
#include "hybrid/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The importer's order of states and the active mode's differ; vectors are of the mode's.
typedef struct Exchange {
    int mode;            // of the engine; -1: none yet
    int *place;          // of each state of the description, in the mode
    const char **names;  // of the states of the description
    int *value_of;       // by value reference: the parameter that has the value of an input, or -1
    int indicator_count; // in the description
    int room;            // of h
    double *x, *dx, *h;
    bool is_event_mode;
    bool has_ended; // terminate(), or events that accumulate
    bool has_dx;    // dx and h are those of now
} Exchange;

void exchange_destroy(Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    if (!e)
        return;
    free(e->place);
    free(e->names);
    free(e->value_of);
    free(e->x);
    free(e->dx);
    free(e->h);
    free(e);
    fmu->exchange = NULL;
}

// "u.value" of an input u: see SaltusModelDef.live_inputs.
int exchange_find_value(const Fmu *fmu, const char *input)
{
    char name[1024];
    const int length = snprintf(name, sizeof name, "%s.value", input);
    return length < (int)sizeof name ? saltus_model_find_parameter(fmu->model, name) : -1;
}

FmuStatus exchange_begin(Fmu *fmu, bool with_states)
{
    const int items = fmu->manifest.item_count;
    const size_t states = (size_t)fmu->state_count + 1;
    Exchange *e = fmu->exchange = calloc(1, sizeof *e);
    if (!e)
        return fmu_fail(fmu, "out of memory");
    e->mode = -1;
    e->is_event_mode = true;
    e->place = calloc(states, sizeof *e->place);
    e->names = calloc(states, sizeof *e->names);
    e->x = calloc(states, sizeof *e->x);
    e->dx = calloc(states, sizeof *e->dx);
    e->value_of = calloc((size_t)items + 1, sizeof *e->value_of);
    if (!e->place || !e->names || !e->x || !e->dx || !e->value_of)
        return fmu_fail(fmu, "out of memory");
    int count = 0;
    for (int i = 0; i < items; i++) {
        const Item *item = &fmu->manifest.items[i];
        if (item->kind == ITEM_DERIVATIVE)
            e->names[count++] = item->text;
        e->value_of[i] = item->kind == ITEM_INPUT ? exchange_find_value(fmu, item->text) : -1;
    }
    e->indicator_count = fmu->manifest.indicator_count;
    return exchange_adopt(fmu, with_states);
}

static FmuStatus exchange_map(Fmu *fmu, const SaltusModeDef *mode)
{
    Exchange *e = fmu->exchange;
    bool is_same = mode->state_count == fmu->state_count;
    for (int i = 0; i < fmu->state_count && is_same; i++) {
        int k = 0;
        while (k < mode->state_count && strcmp(mode->state_names[k], e->names[i]) != 0)
            k++;
        is_same = k < mode->state_count;
        e->place[i] = k;
    }
    if (!is_same || mode->event_count > e->indicator_count) {
        char message[400];
        message_write(message, sizeof message,
                      "model exchange: mode %s has other states or more event functions than the "
                      "modes that were known when the FMU was made; co-simulation can run it",
                      mode->name);
        return fmu_fail(fmu, message);
    }
    if (mode->event_count <= e->room)
        return FMU_OK;
    free(e->h);
    e->h = calloc((size_t)mode->event_count, sizeof *e->h);
    e->room = e->h ? mode->event_count : 0;
    return e->h ? FMU_OK : fmu_fail(fmu, "out of memory");
}

FmuStatus exchange_adopt(Fmu *fmu, bool with_states)
{
    Exchange *e = fmu->exchange;
    FmuState *s = &fmu->state;
    const int mode = saltus_run_mode(s->run);
    fmu->has_y = e->has_dx = false;
    const FmuStatus status = exchange_map(fmu, saltus_system_mode(s->system->system, mode));
    e->mode = mode;
    if (status != FMU_OK || !with_states)
        return status;
    const double *x = saltus_run_states(s->run);
    s->time = saltus_run_time(s->run);
    for (int i = 0; i < fmu->state_count; i++)
        s->x[i] = x[e->place[i]];
    return FMU_OK;
}

// The states in the order of the mode.
static const double *exchange_x(const Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    for (int i = 0; i < fmu->state_count; i++)
        e->x[e->place[i]] = fmu->state.x[i];
    return e->x;
}

const double *exchange_point(const Fmu *fmu, double *time)
{
    const bool is_elsewhere = fmu->exchange && fmu->state.phase == PHASE_RUNNING;
    *time = is_elsewhere ? fmu->state.time : saltus_run_time(fmu->state.run);
    return is_elsewhere ? exchange_x(fmu) : saltus_run_states(fmu->state.run);
}

static FmuStatus exchange_check(const Fmu *fmu, size_t count, int expected, const char *function)
{
    if (!fmu->exchange || fmu->state.phase != PHASE_RUNNING)
        return fmu_refuse(fmu, function,
                          "the instance is not in model exchange, or not initialized");
    return count == (size_t)expected ? FMU_OK : fmu_refuse(fmu, function, "wrong number of values");
}

// Derivatives and event functions where the importer is.
static FmuStatus exchange_compute(Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    if (e->has_dx)
        return FMU_OK;
    if (exchange_evaluate(fmu->state.run, fmu->state.time, exchange_x(fmu), e->dx, e->h, NULL) != 0)
        return fmu_say(fmu, FMU_DISCARD, LOG_WARNINGS,
                       "the derivatives could not be computed at t = %.17g", fmu->state.time);
    e->has_dx = true;
    return FMU_OK;
}

FmuStatus exchange_look(Fmu *fmu)
{
    if (exchange_evaluate(fmu->state.run, fmu->state.time, exchange_x(fmu), NULL, NULL, fmu->y) !=
        0)
        return fmu_say(fmu, FMU_DISCARD, LOG_WARNINGS,
                       "the variables could not be computed at t = %.17g", fmu->state.time);
    fmu->has_y = true;
    return FMU_OK;
}

// In co-simulation, and before the initialization is over: where the run is. A state that its mode
// has not is NaN.
static FmuStatus exchange_get_of_run(Fmu *fmu, const Item *item, double *value)
{
    SaltusRun *run = fmu->state.run;
    const SaltusModeDef *mode = saltus_system_mode(fmu->state.system->system, saltus_run_mode(run));
    const double *x = saltus_run_states(run);
    double *room = calloc((size_t)mode->state_count + (size_t)mode->event_count + 1, sizeof *room);
    double *h = room ? room + mode->state_count : NULL;
    const bool is_fine =
        room && exchange_evaluate(run, saltus_run_time(run), x, room, h, NULL) == 0;
    if (is_fine && item->kind == ITEM_INDICATOR)
        *value = item->value < mode->event_count ? h[(int)item->value] : 1.0;
    for (int i = 0; is_fine && item->kind != ITEM_INDICATOR && i < mode->state_count; i++)
        if (strcmp(mode->state_names[i], item->text) == 0)
            *value = item->kind == ITEM_STATE ? x[i] : room[i];
    free(room);
    return is_fine ? FMU_OK : fmu_refuse(fmu, "get", "the derivatives could not be computed");
}

FmuStatus exchange_get(Fmu *fmu, const Item *item, double *value)
{
    Exchange *e = fmu->exchange;
    if (!e)
        return exchange_get_of_run(fmu, item, value);
    const FmuStatus status = exchange_compute(fmu);
    if (status != FMU_OK)
        return status;
    if (item->kind == ITEM_INDICATOR) {
        const SaltusModeDef *mode = saltus_system_mode(fmu->state.system->system, e->mode);
        *value = item->value < mode->event_count ? e->h[(int)item->value] : 1.0;
        return FMU_OK;
    }
    for (int i = 0; i < fmu->state_count; i++)
        if (strcmp(e->names[i], item->text) == 0)
            *value = item->kind == ITEM_STATE ? fmu->state.x[i] : e->dx[e->place[i]];
    return FMU_OK;
}

FmuStatus exchange_set_input(Fmu *fmu, uint32_t reference)
{
    Exchange *e = fmu->exchange;
    Given *given = &fmu->state.given[reference];
    if (e->value_of[reference] < 0 || e->is_event_mode)
        return FMU_OK;
    given->is_pending = false;
    exchange_set_parameter(fmu->state.run, e->value_of[reference], given->value);
    fmu->has_y = e->has_dx = false;
    return FMU_OK;
}

// ---------------------------------------------------------------------------
// The importer's calls
// ---------------------------------------------------------------------------

FmuStatus exchange_counts(Fmu *fmu, size_t *states, size_t *indicators)
{
    if (states)
        *states = (size_t)fmu->state_count;
    if (indicators)
        *indicators = (size_t)fmu->manifest.indicator_count;
    return FMU_OK;
}

static void exchange_note(Fmu *fmu)
{
    const FmuState *s = &fmu->state;
    const size_t nx = (size_t)fmu->state_count, signs = (size_t)exchange_sign_count(s->run);
    double *numbers = malloc((1 + nx + signs) * sizeof *numbers);
    if (!numbers) {
        fmu->state.is_unwritten = true;
        return;
    }
    numbers[0] = s->time;
    memcpy(numbers + 1, s->x, nx * sizeof *numbers);
    exchange_get_signs(s->run, numbers + 1 + nx);
    journal_add(fmu, JOURNAL_EVENT, 0, 0, (uint32_t)(1 + nx + signs), numbers);
    free(numbers);
}

FmuStatus exchange_enter_event_mode(Fmu *fmu)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "EnterEventMode");
    if (status != FMU_OK)
        return status;
    exchange_note(fmu);
    fmu->exchange->is_event_mode = true;
    fmu->event_count = 0;
    fmu_end_ticks(fmu);
    const SaltusStatus code = exchange_event(fmu->state.run, fmu->state.time, exchange_x(fmu));
    if (code < 0)
        return fmu_fail(fmu, saltus_run_error(fmu->state.run)->message);
    fmu->exchange->has_ended = code == SALTUS_TERMINATED || code == SALTUS_ZENO;
    return FMU_OK;
}

FmuStatus exchange_update(Fmu *fmu, ExchangeInfo *info)
{
    *info = (ExchangeInfo){.next_time = INFINITY};
    journal_add(fmu, JOURNAL_UPDATE, 0, 0, 0, NULL);
    const bool had_event = fmu->event_count > 0 || fmu->state.has_pending;
    const FmuStatus status = fmu_settle(fmu);
    fmu_end_ticks(fmu);
    if (status != FMU_OK)
        return status;
    info->next_time = saltus_run_next_time_event(fmu->state.run);
    Exchange *e = fmu->exchange;
    if (!e)
        return FMU_OK;
    info->has_ended = e->has_ended;
    // Importers start their integrator anew where states changed; where equations did, they must,
    // too.
    info->states_changed = had_event;
    fmu->event_count = 0;
    return exchange_adopt(fmu, true);
}

FmuStatus exchange_enter_continuous(Fmu *fmu)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "EnterContinuousTimeMode");
    if (status == FMU_OK) {
        journal_add(fmu, JOURNAL_CONTINUOUS, 0, 0, 0, NULL);
        fmu->exchange->is_event_mode = false;
    }
    return status;
}

FmuStatus exchange_completed(Fmu *fmu)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "CompletedIntegratorStep");
    if (status == FMU_OK)
        exchange_accept(fmu->state.run, fmu->state.time, exchange_x(fmu));
    return status;
}

FmuStatus exchange_set_time(Fmu *fmu, double time)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "SetTime");
    if (status != FMU_OK)
        return status;
    fmu->state.time = time;
    fmu->has_y = fmu->exchange->has_dx = false;
    return FMU_OK;
}

FmuStatus exchange_set_states(Fmu *fmu, const double *x, size_t count)
{
    const FmuStatus status = exchange_check(fmu, count, fmu->state_count, "SetContinuousStates");
    if (status != FMU_OK)
        return status;
    memcpy(fmu->state.x, x, count * sizeof *x);
    fmu->has_y = fmu->exchange->has_dx = false;
    return FMU_OK;
}

FmuStatus exchange_derivatives(Fmu *fmu, double *dx, size_t count)
{
    FmuStatus status = exchange_check(fmu, count, fmu->state_count, "GetDerivatives");
    if (status == FMU_OK)
        status = exchange_compute(fmu);
    for (size_t i = 0; i < count && status == FMU_OK; i++)
        dx[i] = fmu->exchange->dx[fmu->exchange->place[i]];
    return status;
}

FmuStatus exchange_indicators(Fmu *fmu, double *h, size_t count)
{
    FmuStatus status =
        exchange_check(fmu, count, fmu->manifest.indicator_count, "GetEventIndicators");
    if (status == FMU_OK)
        status = exchange_compute(fmu);
    if (status != FMU_OK)
        return status;
    const SaltusModeDef *mode = saltus_system_mode(fmu->state.system->system, fmu->exchange->mode);
    for (size_t i = 0; i < count; i++)
        h[i] = i < (size_t)mode->event_count ? fmu->exchange->h[i] : 1.0;
    return FMU_OK;
}

FmuStatus exchange_states(Fmu *fmu, double *x, size_t count)
{
    const FmuStatus status = exchange_check(fmu, count, fmu->state_count, "GetContinuousStates");
    if (status == FMU_OK)
        memcpy(x, fmu->state.x, count * sizeof *x);
    return status;
}

FmuStatus exchange_nominals(Fmu *fmu, double *nominals, size_t count)
{
    const FmuStatus status =
        exchange_check(fmu, count, fmu->state_count, "GetNominalsOfContinuousStates");
    if (status != FMU_OK)
        return status;
    const SaltusModeDef *mode = saltus_system_mode(fmu->state.system->system, fmu->exchange->mode);
    for (size_t i = 0; i < count; i++)
        nominals[i] = mode->nominal ? mode->nominal[fmu->exchange->place[i]] : 1.0;
    return FMU_OK;
}
