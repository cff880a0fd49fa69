// SPDX-License-Identifier: MIT
//
// Events: one call is one iteration in the sense of the specification (section 8.6): relations,
// discrete variables and algebraic variables are solved for together while the left limits stay,
// then when clauses act, then the left limits follow. Iterations end when nothing changes.
//
// The sign that the engine gives a relation counts as long as its event function has the value
// that the sign is about; what discrete variables moved is looked at literally.

#include "model/system.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROUNDS = 100 };

typedef struct Update {
    SaltusEvent *event;
    const Model *m;
    ModelMemory memory;
    ModelScratch *scratch;
    ProgramInputs inputs;
    bool held_changed;
} Update;

static bool evaluate(Update *u, ModelEntry entry, double *values)
{
    if (program_evaluate(u->m->flow, u->scratch->program, &u->inputs, (uint32_t)entry, values) ==
        PROGRAM_FINE)
        return true;
    char message[512];
    system_explain(u->m, u->m->flow, u->scratch->program, message);
    saltus_fail(u->event, message);
    return false;
}

static bool solve(Update *u)
{
    if (program_solve(u->m->flow, u->scratch->program, &u->inputs, PROGRAM_ALL, u->event->z,
                      NULL) != PROGRAM_FINE) {
        char message[512];
        system_explain(u->m, u->m->flow, u->scratch->program, message);
        saltus_fail(u->event, message);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------
// Conditions
// ---------------------------------------------------------------------------

// The whole part of x, which is near a whole number, by the sign of sin(pi x): it is positive where
// the whole part is even.
static double whole_by_sign(double x, int sign)
{
    const double nearest = round(x);
    const bool is_even = fmod(nearest, 2.0) == 0.0;
    return is_even == (sign > 0) ? nearest : nearest - 1.0;
}

// The value of what is held, by the sign of its event function. x: what it rounds.
static double value_by_sign(const ModelHold *hold, int sign, double x)
{
    switch (hold->op) {
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
        return sign < 0;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
        return sign > 0;
    case OPERATOR_CEIL:
        return whole_by_sign(x, sign) + 1.0;
    case OPERATOR_DIV: {
        const double whole = whole_by_sign(x, sign);
        return whole < 0.0 ? whole + 1.0 : whole;
    }
    default:
        return whole_by_sign(x, sign);
    }
}

static void set_held(Update *u, const ModelHold *hold, double value, bool *changed)
{
    double *held = &u->memory.held[hold->number];
    if (*held == value)
        return;
    *held = value;
    *changed = true;
}

void update_times(SaltusEvent *event, const Model *m, const double *times, double *held,
                  bool *changed)
{
    for (uint32_t i = 0; i < m->hold_count; i++) {
        const ModelHold *hold = &m->holds[i];
        if (hold->kind != HOLD_TIME)
            continue;
        // a t + b has the sign of a after t = -b / a, and at it: the right limit.
        const double a = times[2 * hold->index], b = times[2 * hold->index + 1], at = -b / a;
        const int sign = a == 0.0 ? (b > 0.0) - (b < 0.0) : (event->t >= at) == (a > 0.0) ? 1 : -1;
        const double value = hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL
                                 ? sign < 0 || (sign == 0 && hold->op == OPERATOR_LESS_EQUAL)
                                 : sign > 0 || (sign == 0 && hold->op == OPERATOR_GREATER_EQUAL);
        *changed |= held[hold->number] != value;
        held[hold->number] = value;
        if (a != 0.0 && at > event->t && isfinite(at))
            saltus_schedule(event, system_time_id(m, hold), at);
        else
            saltus_cancel(event, system_time_id(m, hold));
    }
}

// Conditions as they are now. `before`: the event functions that the engine's signs are about.
static bool update_conditions(Update *u, const double *before, bool *changed)
{
    const Model *m = u->m;
    double *values = u->scratch->values;
    if (!evaluate(u, MODEL_TIMES, values))
        return false;
    update_times(u->event, m, values, u->memory.held, changed);
    if (!evaluate(u, MODEL_EVENTS, values))
        return false;
    // The signs that are still valid, as bits of the values: NAN where they are not.
    for (uint32_t i = 0; i < m->event_count; i++)
        values[i] = values[i] == before[i] && u->event->sign[i] ? u->event->sign[i] : NAN;
    double *literal = values + m->event_count, *rounded = literal + m->hold_count;
    if (!evaluate(u, MODEL_HOLDS, literal))
        return false;
    for (uint32_t i = 0; i < m->hold_count; i++) {
        const ModelHold *hold = &m->holds[i];
        if (hold->kind == HOLD_TIME)
            continue;
        const double sign = hold->kind == HOLD_CROSSING ? values[hold->index] : NAN;
        // Only near a whole number does the sign know better.
        const bool is_far = rounded[i] != 0.0 && fabs(rounded[i] - round(rounded[i])) > 0.25;
        set_held(u, hold,
                 isnan(sign) || is_far ? literal[i] : value_by_sign(hold, (int)sign, rounded[i]),
                 changed);
    }
    return true;
}

static bool update_discrete(Update *u, bool *changed)
{
    const Model *m = u->m;
    if (!evaluate(u, MODEL_DISCRETE, u->scratch->values))
        return false;
    for (uint32_t i = 0; i < m->discrete_count; i++) {
        double *value = &u->memory.m[m->discrete[i].place];
        *changed |= *value != u->scratch->values[i];
        *value = u->scratch->values[i];
    }
    return true;
}

// Conditions, discrete and algebraic variables that agree with each other.
static bool find_values(Update *u)
{
    if (!solve(u) || !evaluate(u, MODEL_EVENTS, u->scratch->more))
        return false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool conditions = false, discrete = false;
        if (!update_conditions(u, u->scratch->more, &conditions) || !update_discrete(u, &discrete))
            return false;
        u->held_changed |= conditions;
        if (!conditions && !discrete)
            return true;
        if (!solve(u))
            return false;
    }
    saltus_fail(u->event, "conditions contradict each other: no consistent values at an event");
    return false;
}

// ---------------------------------------------------------------------------
// Left limits, samples
// ---------------------------------------------------------------------------

static bool keep_left_limits(Update *u)
{
    const Model *m = u->m;
    if (!evaluate(u, MODEL_LEFT, u->scratch->values))
        return false;
    for (uint32_t i = 0; i < m->left_count; i++)
        u->memory.m[m->left_places[i]] = u->scratch->values[i];
    return true;
}

// Samples are true in the iteration in which they are due.
static bool update_samples(Update *u)
{
    const Model *m = u->m;
    for (uint32_t i = 0; i < m->sample_count; i++)
        u->memory.m[m->sample_places[i]] = 0.0;
    if (u->event->time_count == 0 || m->sample_count == 0)
        return true;
    if (!evaluate(u, MODEL_SAMPLES, u->scratch->values))
        return false;
    for (int k = 0; k < u->event->time_count; k++) {
        const int i = u->event->time_ids[k];
        if (i >= (int)m->sample_count)
            continue;
        u->memory.m[m->sample_places[i]] = 1.0;
        u->memory.ticks[i] += 1.0;
        const double *sample = &u->scratch->values[2 * i];
        saltus_schedule(u->event, i, sample[0] + u->memory.ticks[i] * sample[1]);
    }
    return true;
}

// Whether another iteration is needed: discrete variables differ from their left limits, which
// follow them now.
static bool shift_discrete(Update *u)
{
    bool changed = false;
    for (uint32_t i = 0; i < u->m->discrete_count; i++) {
        const ModelDiscrete *d = &u->m->discrete[i];
        if (d->left == CODE_NONE)
            continue;
        changed |= u->memory.m[d->left] != u->memory.m[d->place];
        u->memory.m[d->left] = u->memory.m[d->place];
    }
    return changed;
}

// ---------------------------------------------------------------------------
// Actions
// ---------------------------------------------------------------------------

static bool violate(SaltusEvent *event, const Model *m, const AssembledAction *action)
{
    if (action->kind == ACTION_TERMINATE) {
        saltus_stop(event, action->message);
        return true;
    }
    if (action->level == FLAT_LEVEL_WARNING)
        return true;
    char message[400];
    const SourcePlace place = sources_locate(m->assembly->diagnostics->sources, action->span.begin);
    snprintf(message, sizeof message, "assertion in %.120s, line %u, is violated: %.200s",
             place.file ? place.file->name : "the model", place.line, action->message);
    saltus_fail(event, message);
    return false;
}

bool update_assert(SaltusEvent *event, const Model *m, const double *violated)
{
    const ModelMemory memory = model_memory(m, event->memory);
    for (uint32_t i = 0; i < m->assembly->assertion_count; i++) {
        if (violated[i] == 0.0)
            continue;
        if (isnan(memory.warned[i]))
            memory.warned[i] = event->t;
        if (!violate(event, m, &m->assembly->assertions[i]))
            return false;
    }
    return true;
}

bool update_perform(SaltusEvent *event, const Model *m, const double *actions)
{
    for (uint32_t i = 0; i < m->assembly->action_count; i++) {
        const AssembledAction *action = &m->assembly->actions[i];
        if (action->kind != ACTION_REINIT && actions[2 * i] != 0.0 && !violate(event, m, action))
            return false;
    }
    return true;
}

// At most one for each state and iteration.
static bool reinitialise(Update *u, const double *actions, bool *changed)
{
    const Model *m = u->m;
    for (uint32_t i = 0; i < m->assembly->action_count; i++) {
        if (m->action_states[i] == UINT32_MAX || actions[2 * i] == 0.0)
            continue;
        for (uint32_t k = 0; k < i; k++) {
            if (m->action_states[k] != m->action_states[i] || actions[2 * k] == 0.0)
                continue;
            char message[200];
            snprintf(message, sizeof message, "%.100s is reinitialised twice at one event",
                     m->state_names[m->action_states[i]]);
            saltus_fail(u->event, message);
            return false;
        }
        u->event->x[m->action_states[i]] = actions[2 * i + 1];
        *changed = true;
    }
    return true;
}

// What changed since the last time, for the event log.
static void log_changes(Update *u)
{
    for (uint32_t i = 0; i < u->m->discrete_count; i++) {
        const ModelDiscrete *d = &u->m->discrete[i];
        const double value = u->memory.m[d->place];
        if (d->is_plain && u->memory.logged[i] != value)
            saltus_log_change(u->event, d->name, u->memory.logged[i], value, SALTUS_SE_P);
        u->memory.logged[i] = value;
    }
}

static unsigned iterate(Update *u)
{
    bool changed = false;
    double *actions = u->scratch->values;
    if (u->event->iteration == 0 && (!solve(u) || !keep_left_limits(u)))
        return SALTUS_NOTHING_CHANGED;
    if (!update_samples(u) || !find_values(u) || !evaluate(u, MODEL_ACTIONS, actions) ||
        !update_perform(u->event, u->m, actions) || !reinitialise(u, actions, &changed))
        return SALTUS_NOTHING_CHANGED;
    for (uint32_t i = 0; i < u->m->flow->guess_count; i++)
        u->event->z[i] = u->scratch->program->w[u->m->flow->guessed[i]];
    if (!keep_left_limits(u))
        return SALTUS_NOTHING_CHANGED;
    changed |= shift_discrete(u);
    if (!changed) {
        log_changes(u);
        if (!evaluate(u, MODEL_ASSERTIONS, u->scratch->values) ||
            !update_assert(u->event, u->m, u->scratch->values))
            return SALTUS_NOTHING_CHANGED;
    }
    return (changed ? SALTUS_AGAIN | SALTUS_RHS_CHANGED : 0) |
           (u->held_changed ? SALTUS_RHS_CHANGED : 0);
}

unsigned update_event(SaltusEvent *event)
{
    const Model *m = event->user;
    Update u = {.event = event,
                .m = m,
                .memory = model_memory(m, event->memory),
                .scratch = model_take_scratch(m),
                .inputs = system_inputs(m, event->t, event->x, event->p, event->memory)};
    if (!u.scratch) {
        saltus_fail(event, "out of memory");
        return SALTUS_NOTHING_CHANGED;
    }
    const unsigned answer = iterate(&u);
    model_give_scratch(m, u.scratch);
    return answer;
}
