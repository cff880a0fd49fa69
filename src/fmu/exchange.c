// SPDX-License-Identifier: MIT
//
// The importer's states are those of all modes. It integrates all of them; the active mode reads
// its own and computes what the others are. These have their true derivatives, along the flow, so
// that the importer's values are right, too, up to the errors of its integrator; nothing depends on
// them, and at events they become what they are. A variable that the mode does not have at all
// keeps its value.

#include "fmu/exchange.h"

#include "base/message.h"
#include "fmu/derivative.h"
#include "fmu/journal.h"
#include "hybrid/exchange.h"
#include "hybrid/run.h"
#include "instant/reselect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Exchange {
    int mode; // of the engine; -1: none yet
    // Of each state of the description:
    const char **names;
    int *place;        // in the mode; -1: it is none of its states
    int *variable;     // among the variables; -1: it is none
    int *lower;        // the state that it is the derivative of; -1: none
    double *rates;     // its derivative
    double *nominals;  // of the last mode that had it
    int foreign_count; // that are not of the mode
    // By value reference: the parameters of an input, or -1, and what its value was at the last two
    // times at which it was noted; NaN: it was not.
    int *value_of, *rate_of, *since_of;
    double *noted[2], noted_time[2];
    int indicator_count; // in the description
    int room;            // of h
    double *x, *dx, *h;  // of the mode
    double *slopes;      // of all variables
    bool is_event_mode;
    bool has_ended;        // terminate(), or events that accumulate
    bool has_dx;           // dx, rates and h are those of now
    bool states_changed;   // since the importer was told
    bool nominals_changed; // likewise
} Exchange;

void exchange_destroy(Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    if (!e)
        return;
    free(e->names);
    free(e->place);
    free(e->x);
    free(e->value_of);
    free(e->noted[0]);
    free(e->h);
    free(e);
    fmu->exchange = NULL;
}

// "u.value" of an input u, or another part of it: see SaltusModelDef.live_inputs.
static int exchange_find_part(const Fmu *fmu, const char *input, const char *suffix)
{
    char usual[256];
    const size_t size = strlen(input) + strlen(suffix) + 1;
    char *name = size <= sizeof usual ? usual : malloc(size);
    if (!name)
        return -1;
    snprintf(name, size, "%s%s", input, suffix);
    const int number = saltus_model_find_parameter(fmu->model, name);
    if (name != usual)
        free(name);
    return number;
}

int exchange_find_value(const Fmu *fmu, const char *input)
{
    return exchange_find_part(fmu, input, ".value");
}

// What the states of the description are.
static void exchange_find(Fmu *fmu)
{
    const FmuManifest *m = &fmu->manifest;
    Exchange *e = fmu->exchange;
    int count = 0;
    for (int i = 0; i < m->item_count; i++) {
        const bool is_input = m->items[i].kind == ITEM_INPUT;
        e->value_of[i] = is_input ? exchange_find_value(fmu, m->items[i].text) : -1;
        e->rate_of[i] = is_input ? exchange_find_part(fmu, m->items[i].text, ".rate") : -1;
        e->since_of[i] = is_input ? exchange_find_part(fmu, m->items[i].text, ".since") : -1;
        if (m->items[i].kind != ITEM_DERIVATIVE)
            continue;
        const int state = (int)m->items[i].value;
        e->names[count] = m->items[i].text;
        e->variable[count] = exchange_variable(fmu, &m->items[i]);
        int before = 0; // how many states are before it
        for (int k = 0; k < state; k++)
            before += m->items[k].kind == ITEM_DERIVATIVE;
        e->lower[count] = m->items[state].kind == ITEM_DERIVATIVE ? before : -1;
        e->nominals[count++] = 1.0;
    }
}

FmuStatus exchange_begin(Fmu *fmu, bool with_states)
{
    const size_t states = (size_t)fmu->state_count + 1;
    const size_t variables = (size_t)saltus_model_variable_count(fmu->model);
    Exchange *e = fmu->exchange = calloc(1, sizeof *e);
    if (!e)
        return fmu_fail(fmu, "out of memory");
    e->mode = -1;
    e->is_event_mode = true;
    e->names = calloc(states, sizeof *e->names);
    e->place = calloc(3 * states, sizeof *e->place);
    e->x = calloc(4 * states + variables, sizeof *e->x);
    const size_t items = (size_t)fmu->manifest.item_count + 1;
    e->value_of = calloc(3 * items, sizeof *e->value_of);
    e->noted[0] = calloc(2 * items, sizeof *e->noted[0]);
    if (!e->names || !e->place || !e->x || !e->value_of || !e->noted[0])
        return fmu_fail(fmu, "out of memory");
    e->noted[1] = e->noted[0] + items;
    e->rate_of = e->value_of + items;
    e->since_of = e->rate_of + items;
    e->variable = e->place + states;
    e->lower = e->variable + states;
    e->dx = e->x + states;
    e->rates = e->dx + states;
    e->nominals = e->rates + states;
    e->slopes = e->nominals + states;
    e->indicator_count = fmu->manifest.indicator_count;
    exchange_find(fmu);
    return exchange_adopt(fmu, with_states);
}

static FmuStatus exchange_refuse_mode(Fmu *fmu, const SaltusModeDef *mode, const char *state)
{
    char *message = NULL;
    if (state)
        message_set(&message,
                    "model exchange: mode %s has the state %s, which no mode has that was known "
                    "when the FMU was made; co-simulation can run it",
                    mode->name, state);
    else
        message_set(&message,
                    "model exchange: mode %s has more event functions than the modes that were "
                    "known when the FMU was made; co-simulation can run it",
                    mode->name);
    const FmuStatus status = fmu_fail(fmu, message_text(message));
    free(message);
    return status;
}

// Where the mode has the states of the description.
static FmuStatus exchange_map(Fmu *fmu, const SaltusModeDef *mode)
{
    Exchange *e = fmu->exchange;
    e->foreign_count = fmu->state_count;
    for (int i = 0; i < fmu->state_count; i++)
        e->place[i] = -1;
    for (int k = 0; k < mode->state_count; k++) {
        int i = 0;
        while (i < fmu->state_count && strcmp(mode->state_names[k], e->names[i]) != 0)
            i++;
        if (i == fmu->state_count)
            return exchange_refuse_mode(fmu, mode, mode->state_names[k]);
        const double nominal = mode->nominal ? mode->nominal[k] : 1.0;
        e->nominals_changed = e->nominals_changed || e->nominals[i] != nominal;
        e->nominals[i] = nominal;
        e->place[i] = k;
        e->foreign_count--;
    }
    if (mode->event_count > e->indicator_count)
        return exchange_refuse_mode(fmu, mode, NULL);
    if (mode->event_count <= e->room)
        return FMU_OK;
    free(e->h);
    e->h = calloc((size_t)mode->event_count, sizeof *e->h);
    e->room = e->h ? mode->event_count : 0;
    return e->h ? FMU_OK : fmu_fail(fmu, "out of memory");
}

// The derivatives of the states of the description, from those of the mode's.
static bool exchange_rates(Fmu *fmu, double t, const double *x)
{
    Exchange *e = fmu->exchange;
    if (e->foreign_count > 0 && !derivative_along(fmu, t, x, e->dx, e->slopes))
        return false;
    for (int i = 0; i < fmu->state_count; i++) {
        const double slope = e->place[i] >= 0      ? e->dx[e->place[i]]
                             : e->variable[i] >= 0 ? e->slopes[e->variable[i]]
                                                   : 0.0;
        e->rates[i] = e->place[i] >= 0 || isfinite(slope) ? slope : 0.0;
    }
    return true;
}

// The importer's states become those of the run.
static FmuStatus exchange_take_states(Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    FmuState *s = &fmu->state;
    const double *x = saltus_run_states(s->run);
    s->time = saltus_run_time(s->run);
    if (e->foreign_count > 0 && (exchange_evaluate(s->run, s->time, x, e->dx, NULL, fmu->y) != 0 ||
                                 !exchange_rates(fmu, s->time, x)))
        return fmu_fail(fmu, "the variables could not be computed after an event");
    for (int i = 0; i < fmu->state_count; i++) {
        const double value = e->place[i] >= 0      ? x[e->place[i]]
                             : e->variable[i] >= 0 ? fmu->y[e->variable[i]]
                             : e->lower[i] >= 0    ? e->rates[e->lower[i]]
                                                   : s->x[i];
        if (!isfinite(value) || s->x[i] == value)
            continue;
        s->x[i] = value;
        e->states_changed = true;
    }
    return FMU_OK;
}

FmuStatus exchange_adopt(Fmu *fmu, bool with_states)
{
    Exchange *e = fmu->exchange;
    const int mode = saltus_run_mode(fmu->state.run);
    fmu->has_y = e->has_dx = false;
    e->noted_time[0] = e->noted_time[1] = NAN;
    const FmuStatus status = exchange_map(fmu, saltus_system_mode(fmu->state.system->system, mode));
    e->states_changed = e->states_changed || (e->mode >= 0 && e->mode != mode);
    e->mode = mode;
    return status != FMU_OK || !with_states ? status : exchange_take_states(fmu);
}

// The states in the order of the mode.
static const double *exchange_x(const Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    for (int i = 0; i < fmu->state_count; i++)
        if (e->place[i] >= 0)
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
    const double *x = exchange_x(fmu);
    if (exchange_evaluate(fmu->state.run, fmu->state.time, x, e->dx, e->h, NULL) != 0 ||
        !exchange_rates(fmu, fmu->state.time, x))
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

int exchange_variable(const Fmu *fmu, const Item *derivative)
{
    const int state = (int)derivative->value;
    const ItemKind kind = fmu->manifest.items[state].kind;
    return kind == ITEM_VARIABLE || kind == ITEM_START ? fmu->index[state] : -1;
}

// What is no state of the mode: its derivative along the flow, from those of the states.
static double exchange_slope_of_run(Fmu *fmu, const Item *derivative, const double *dx)
{
    SaltusRun *run = fmu->state.run;
    const int variable = exchange_variable(fmu, derivative);
    double *slopes = calloc((size_t)saltus_model_variable_count(fmu->model) + 1, sizeof *slopes);
    const bool is_fine =
        slopes && variable >= 0 &&
        derivative_along(fmu, saltus_run_time(run), saltus_run_states(run), dx, slopes);
    const double slope = is_fine ? slopes[variable] : NAN;
    free(slopes);
    return slope;
}

// In co-simulation, and before the initialization is over: where the run is. What the mode does not
// have at all is NaN.
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
    int place = item->kind == ITEM_INDICATOR ? mode->state_count : 0;
    while (place < mode->state_count && strcmp(mode->state_names[place], item->text) != 0)
        place++;
    if (is_fine && place < mode->state_count)
        *value = item->kind == ITEM_STATE ? x[place] : room[place];
    else if (is_fine && item->kind == ITEM_DERIVATIVE)
        *value = exchange_slope_of_run(fmu, item, room);
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
            *value = item->kind == ITEM_STATE ? fmu->state.x[i] : e->rates[i];
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
// How inputs move
// ---------------------------------------------------------------------------
//
// The importer says values of its inputs only. At an event they go on as they came: a condition on
// an input alone, which is zero there up to rounding, would otherwise seem to rest, and keep the
// value that it had.

static void exchange_note_inputs(Fmu *fmu)
{
    Exchange *e = fmu->exchange;
    const double time = fmu->state.time;
    for (int i = 0; i < fmu->manifest.item_count; i++) {
        if (e->rate_of[i] < 0)
            continue;
        e->noted[1][i] = time > e->noted_time[0] ? e->noted[0][i] : e->noted[1][i];
        e->noted[0][i] = fmu->state.run->data.p[e->value_of[i]];
    }
    e->noted_time[1] = time > e->noted_time[0] ? e->noted_time[0] : e->noted_time[1];
    e->noted_time[0] = time;
}

// From the present time on; not any more.
static void exchange_move_inputs(Fmu *fmu, bool is_on)
{
    const Exchange *e = fmu->exchange;
    SaltusRun *run = fmu->state.run;
    const double time = fmu->state.time;
    const int last = time > e->noted_time[0] ? 0 : 1; // the importer's last step may end here
    const double passed = time - e->noted_time[last];
    for (int i = 0; i < fmu->manifest.item_count; i++) {
        if (e->rate_of[i] < 0 || e->since_of[i] < 0)
            continue;
        const double moved = run->data.p[e->value_of[i]] - e->noted[last][i];
        const double rate = is_on && passed > 0.0 ? moved / passed : 0.0;
        exchange_set_parameter(run, e->rate_of[i], isfinite(rate) ? rate : 0.0);
        exchange_set_parameter(run, e->since_of[i], time);
    }
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

FmuStatus exchange_enter_event_mode(Fmu *fmu)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "EnterEventMode");
    if (status != FMU_OK)
        return status;
    fmu->exchange->is_event_mode = true;
    fmu->event_count = 0;
    fmu_end_ticks(fmu);
    exchange_move_inputs(fmu, true);
    const SaltusStatus code = exchange_event(fmu->state.run, fmu->state.time, exchange_x(fmu));
    exchange_move_inputs(fmu, false);
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
    fmu->event_count = 0;
    const FmuStatus adopted = exchange_adopt(fmu, true);
    exchange_note_inputs(fmu);
    info->states_changed = had_event || e->states_changed;
    info->nominals_changed = e->nominals_changed;
    e->states_changed = e->nominals_changed = false;
    return adopted;
}

FmuStatus exchange_enter_continuous(Fmu *fmu)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "EnterContinuousTimeMode");
    if (status == FMU_OK)
        fmu->exchange->is_event_mode = false;
    return status;
}

FmuStatus exchange_completed(Fmu *fmu, bool *wants_event)
{
    const FmuStatus status = exchange_check(fmu, 0, 0, "CompletedIntegratorStep");
    *wants_event = false;
    if (status != FMU_OK)
        return status;
    const SaltusRun *run = fmu->state.run;
    const double *x = exchange_x(fmu);
    exchange_accept(fmu->state.run, fmu->state.time, x);
    exchange_note_inputs(fmu);
    *wants_event = reselect_is_due(&run->active->context, fmu->state.time, x, run->z);
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
        dx[i] = fmu->exchange->rates[i];
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
    if (status == FMU_OK)
        memcpy(nominals, fmu->exchange->nominals, count * sizeof *nominals);
    return status;
}
