// SPDX-License-Identifier: MIT
//
// Values that come from outside while a run goes on: an event whose first iteration sets them. What
// follows from them is found in the next ones, as at any other event.

#include "base/message.h"
#include "instant/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Assigning {
    const ModelAssignment *items;
    uint32_t count;
    uint32_t *states; // of each item, if it is a state: which
    double *p;        // all parameters afterwards
    bool is_plain;    // only states and live inputs are set
} Assigning;

// The mode is the run's as long as it is active in it.
static const Mode *assign_mode(const SaltusRun *run)
{
    const SaltusSystem *system = saltus_run_system(run);
    const int number = saltus_run_mode(run);
    const SaltusModeDef *def = saltus_system_use_mode(system, number);
    const Mode *mode = def ? def->data : NULL;
    if (def)
        saltus_system_leave_mode(system, number);
    return mode;
}

const Model *model_of_run(const SaltusRun *run)
{
    const Mode *mode = assign_mode(run);
    return mode ? mode->model : NULL;
}

// ---------------------------------------------------------------------------
// Before the event: what cannot be set
// ---------------------------------------------------------------------------

static bool assign_find_state(const Mode *mode, const char *name, uint32_t *state, char **message)
{
    for (*state = 0; *state < mode->states.count; ++*state)
        if (strcmp(mode->states.names[*state], name) == 0)
            return true;
    message_set(message, "%s is no state now%s%s: it cannot be set", name,
                mode->model->sizes.choices ? ", in the mode " : "",
                mode->model->sizes.choices ? mode->name : "");
    return false;
}

static bool assign_check_parameter(const FlatVariable *v, char **message)
{
    const char *why = v->is_structural ? "shapes the model: it needs a new run"
                      : v->is_final    ? "is final: it cannot be changed"
                                       : NULL;
    if (why)
        message_set(message, "%s %s", v->name, why);
    return !why;
}

static bool assign_check(const Mode *mode, Assigning *a, char **message)
{
    const Model *m = mode->model;
    for (uint32_t i = 0; i < a->count; i++) {
        const ModelAssignment *item = &a->items[i];
        const char *name =
            item->is_state ? m->outputs.names[item->number] : m->parameters->names[item->number];
        if (!isfinite(item->value)) {
            message_set(message, "%g is no value for %s", item->value, name);
            return false;
        }
        if (item->is_state ? !assign_find_state(mode, name, &a->states[i], message)
                           : !assign_check_parameter(m->parameters->flat[item->number], message))
            return false;
    }
    return true;
}

// All parameters after the event. (Nothing but equations depends on live inputs.)
static bool assign_follow(const Model *m, const SaltusRun *run, Assigning *a, char **message)
{
    const double *before = saltus_run_parameters(run);
    bool *is_set = calloc(m->parameters->count + 1u, sizeof *is_set);
    bool is_plain = true, is_fine = true;
    SaltusError error = {.status = SALTUS_OK};
    if (!is_set) {
        message_set(message, "out of memory");
        return false;
    }
    memcpy(a->p, before, m->parameters->count * sizeof *a->p);
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->items[i].is_state)
            continue;
        a->p[a->items[i].number] = a->items[i].value;
        is_set[a->items[i].number] = true;
        is_plain &= m->parameters->flat[a->items[i].number]->live != NULL;
    }
    a->is_plain = is_plain;
    if (!is_plain && model_follow_parameters(m, is_set, before, a->p, &error) != SALTUS_OK) {
        message_set(message, "%s", error.message);
        is_fine = false;
    }
    saltus_error_clear(&error);
    free(is_set);
    return is_fine;
}

// Start, interval and delay times with these parameters. False: they cannot be computed.
static bool assign_samples(const Mode *mode, const SaltusRun *run, const double *p, double *z,
                           ModelScratch *s, double *values)
{
    const ModelMemory memory = model_memory(mode->model, saltus_run_memory(run));
    const ProgramInputs inputs =
        frozen_inputs(&memory, saltus_run_time(run), saltus_run_states(run), p);
    if (mode->flow->guesses.count)
        memcpy(z, saltus_run_algebraics(run), mode->flow->guesses.count * sizeof *z);
    return program_solve(mode->flow, s->program, &inputs, PROGRAM_ALL, z, NULL) == PROGRAM_FINE &&
           program_evaluate(mode->flow, s->program, &inputs, MODEL_SAMPLES, values) == PROGRAM_FINE;
}

static const char *assign_first_parameter(const Model *m, const Assigning *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (!a->items[i].is_state && !m->parameters->flat[a->items[i].number]->live)
            return m->parameters->names[a->items[i].number];
    return "what is set";
}

// The grid of a sample and the time of a delay were fixed at the start: what is scheduled and what
// is remembered depend on them.
static bool assign_check_samples(const Mode *mode, const SaltusRun *run, const Assigning *a,
                                 char **message)
{
    const Model *m = mode->model;
    if (m->samples.count + m->delay_count == 0)
        return true;
    size_t count = 2u * (m->samples.count + m->delay_count);
    for (uint32_t i = 0; i < m->delay_count; i++)
        count += 2u * m->delays[i].point_count;
    ModelScratch *s = mode_take_scratch(mode);
    double *z = calloc(mode->flow->guesses.count + 1u, sizeof *z);
    double *before = calloc(count + 1, sizeof *before);
    bool is_same = s && z && before;
    if (!is_same)
        message_set(message, "out of memory");
    if (is_same && assign_samples(mode, run, saltus_run_parameters(run), z, s, s->values)) {
        memcpy(before, s->values, count * sizeof *before);
        is_same = !assign_samples(mode, run, a->p, z, s, s->values) ||
                  memcmp(before, s->values, count * sizeof *before) == 0;
        if (!is_same)
            message_set(message,
                        "the times of a sample or delay depend on %s: it needs a "
                        "new run",
                        assign_first_parameter(m, a));
    }
    if (s)
        mode_give_scratch(mode, s);
    free(z);
    free(before);
    return is_same;
}

// ---------------------------------------------------------------------------
// The event
// ---------------------------------------------------------------------------

// The event finds the run in the states that are set, and the parameters change in it: what acts on
// pre(v) of a state sees what v was set to, as if the run had come there by itself; what acts on an
// input sees that it jumped.
static void assign_values(SaltusEvent *event)
{
    const Model *m = event->user;
    const Assigning *a = event->argument;
    ModelInstant instant;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->items[i].is_state)
            event->x[a->states[i]] = a->items[i].value;
    model_begin_instant(m, &instant);
    const bool is_begun = update_begin(event);
    model_end_instant(m, &instant);
    if (is_begun)
        memcpy(event->p, a->p, m->parameters->count * sizeof *a->p);
}

SaltusStatus model_assign(SaltusRun *run, const ModelAssignment *items, uint32_t count,
                          char **message)
{
    const Mode *mode = assign_mode(run);
    Assigning a = {.items = items, .count = count};
    SaltusStatus status = SALTUS_ERROR_ARGUMENT;
    if (!mode) {
        message_set(message, "the run is of no model");
        return status;
    }
    a.states = calloc(count + 1u, sizeof *a.states);
    a.p = calloc(mode->model->parameters->count + 1u, sizeof *a.p);
    if (!a.states || !a.p)
        message_set(message, "out of memory");
    else if (assign_check(mode, &a, message) && assign_follow(mode->model, run, &a, message) &&
             (a.is_plain || assign_check_samples(mode, run, &a, message)))
        status = saltus_run_request(run, assign_values, &a);
    free(a.states);
    free(a.p);
    return status;
}
