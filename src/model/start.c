// SPDX-License-Identifier: MIT
//
// The beginning of a run: initial values of continuous and discrete variables together. The
// equations of the initialization are solved with the conditions as they are, then conditions and
// discrete variables are computed anew, until nothing changes.

#include "model/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 100 };

typedef struct Start {
    SaltusEvent *event;
    const Model *m;
    ModelMemory memory;
    ProgramScratch *scratch;
    double *values, *guesses;
    ProgramInputs inputs;
} Start;

static bool fail(Start *s)
{
    char reason[512], message[600];
    system_explain(s->m, s->m->start, s->scratch, reason);
    snprintf(message, sizeof message, "no initial values: %s", reason);
    saltus_fail(s->event, message);
    return false;
}

static bool evaluate(Start *s, ModelEntry entry)
{
    return program_evaluate(s->m->start, s->scratch, &s->inputs, (uint32_t)entry, s->values) ==
               PROGRAM_FINE ||
           fail(s);
}

// Left limits are the start values.
static bool set_starts(Start *s)
{
    const Model *m = s->m;
    if (m->initial_place != CODE_NONE)
        s->memory.m[m->initial_place] = 1.0;
    for (uint32_t i = 0; i < m->assembly->assertion_count; i++)
        s->memory.warned[i] = NAN;
    if (!evaluate(s, MODEL_STARTS))
        return false;
    for (uint32_t i = 0; i < m->discrete_count; i++) {
        s->memory.m[m->discrete[i].place] = s->values[i];
        if (m->discrete[i].left != CODE_NONE)
            s->memory.m[m->discrete[i].left] = s->values[i];
    }
    if (!evaluate(s, MODEL_GUESSES))
        return false;
    for (uint32_t i = 0; i < m->start->guess_count; i++)
        s->guesses[i] = s->values[m->guess_steps[i]];
    return true;
}

static bool solve(Start *s)
{
    return program_solve(s->m->start, s->scratch, &s->inputs, PROGRAM_ALL, s->guesses, NULL) ==
           PROGRAM_FINE;
}

// New values of conditions and discrete variables. False: the run is over.
static bool update_discrete(Start *s, bool *changed)
{
    const Model *m = s->m;
    *changed = false;
    if (!evaluate(s, MODEL_HOLDS))
        return false;
    for (uint32_t i = 0; i < m->hold_count; i++) {
        double *held = &s->memory.held[m->holds[i].number];
        if (m->holds[i].kind == HOLD_TIME || *held == s->values[i])
            continue;
        *held = s->values[i];
        *changed = true;
    }
    if (!evaluate(s, MODEL_TIMES))
        return false;
    update_times(s->event, m, s->values, s->memory.held, changed);
    if (!evaluate(s, MODEL_DISCRETE))
        return false;
    for (uint32_t i = 0; i < m->discrete_count; i++) {
        double *value = &s->memory.m[m->discrete[i].place];
        *changed |= *value != s->values[i];
        *value = s->values[i];
    }
    return true;
}

static bool find_values(Start *s)
{
    bool changed = true;
    for (int round = 0; changed; round++) {
        if (round == MOST_ROUNDS) {
            saltus_fail(s->event, "no initial values: conditions contradict each other");
            return false;
        }
        // What fails may do so because conditions are not known yet: integer(x) in a subscript.
        const bool is_solved = solve(s);
        if (!update_discrete(s, &changed))
            return false;
        if (!is_solved && !changed)
            return fail(s);
    }
    return true;
}

// Initial equations and fixed starts beyond those that were solved must hold, too.
static bool check_surplus(Start *s)
{
    const Initial *initial = s->m->analysis.initial;
    if (!evaluate(s, MODEL_SURPLUS))
        return false;
    for (uint32_t i = 0; i < initial->surplus_count; i++) {
        if (fabs(s->values[i]) <= 1e-6)
            continue;
        const InitialRow *row = &initial->surplus[i];
        char message[256];
        if (row->kind == INITIAL_EQUATION)
            snprintf(message, sizeof message, "initial equation %u contradicts the others by %g",
                     row->number + 1, s->values[i]);
        else
            snprintf(message, sizeof message,
                     "the fixed start value of %.100s contradicts the "
                     "equations by %g",
                     s->m->analysis.signature->variables[row->number].name, s->values[i]);
        saltus_fail(s->event, message);
        return false;
    }
    return true;
}

// The first instant of each sample that is not over.
static bool schedule_samples(Start *s)
{
    if (!evaluate(s, MODEL_SAMPLES))
        return false;
    for (uint32_t i = 0; i < s->m->sample_count; i++) {
        const double first = s->values[2 * i], interval = s->values[2 * i + 1];
        if (!(interval > 0.0)) {
            saltus_fail(s->event, "the interval of a sample is not positive");
            return false;
        }
        const double ticks = ceil((s->event->t - first) / interval - 1e-9);
        s->memory.ticks[i] = fmax(ticks, 0.0);
        saltus_schedule(s->event, (int)i, first + s->memory.ticks[i] * interval);
    }
    return true;
}

// What was found becomes the state of the run; initialization is over.
static bool finish(Start *s)
{
    const Model *m = s->m;
    if (!evaluate(s, MODEL_ACTIONS) || !update_perform(s->event, m, s->values) ||
        !evaluate(s, MODEL_ASSERTIONS) || !update_assert(s->event, m, s->values))
        return false;
    for (uint32_t i = 0; i < m->state_count; i++)
        s->event->x[i] = s->scratch->w[m->start_places[i]];
    for (uint32_t i = 0; i < m->flow->guess_count; i++)
        s->event->z[i] = s->scratch->w[m->start_places[m->state_count + i]];
    if (m->initial_place != CODE_NONE)
        s->memory.m[m->initial_place] = 0.0;
    for (uint32_t i = 0; i < m->discrete_count; i++) {
        s->memory.logged[i] = s->memory.m[m->discrete[i].place];
        if (m->discrete[i].left != CODE_NONE)
            s->memory.m[m->discrete[i].left] = s->memory.logged[i];
    }
    return schedule_samples(s);
}

void start_run(SaltusEvent *event)
{
    const Model *m = event->user;
    Start s = {.event = event,
               .m = m,
               .memory = model_memory(m, event->memory),
               .scratch = program_scratch(m->start),
               .values = calloc(m->most_values + m->start->guess_count + 1u, sizeof(double)),
               .inputs = system_inputs(m, event->t, event->x, event->p, event->memory)};
    if (s.scratch && s.values) {
        s.guesses = s.values + m->most_values;
        if (set_starts(&s) && find_values(&s) && check_surplus(&s))
            finish(&s);
    } else {
        saltus_fail(event, "out of memory");
    }
    program_scratch_free(s.scratch);
    free(s.values);
}
