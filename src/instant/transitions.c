// SPDX-License-Identifier: MIT

#include "instant/transitions.h"

#include "base/message.h"
#include "instant/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct TransitionsStep {
    SaltusEvent *event;
    const Model *model;
    const MachineTables *tables;
    Settling *s; // of the mode that is left
    MachineEffects effects;
    double *conditions; // of all transitions
    double *next;       // of the machines' memory
    Choice *choices;
    bool *is_fixed; // by place in the memory: reinit gave it
    const Mode *to;
} TransitionsStep;

// ---------------------------------------------------------------------------
// What the machines say
// ---------------------------------------------------------------------------

void transitions_end(const Model *m, ModelMemory *memory)
{
    for (uint32_t k = 0; k < m->machines->state_count; k++)
        memory->m[m->places[m->assembly->states.entering[k]].index] = 0.0;
}

// ---------------------------------------------------------------------------
// Reset
// ---------------------------------------------------------------------------

static const FlatState *innermost(const FlatGuard *guard)
{
    while (guard && !guard->state)
        guard = guard->outer;
    return guard ? guard->state : NULL;
}

static bool is_reset(const TransitionsStep *s, const FlatGuard *guard)
{
    const FlatState *state = innermost(guard);
    return state && s->effects.is_reset[machine_state(s->tables, state)];
}

static bool is_entered(const TransitionsStep *s, const FlatGuard *guard)
{
    for (; guard; guard = guard->outer)
        if (guard->state && s->effects.is_entered[machine_state(s->tables, guard->state)])
            return true;
    return false;
}

static const FlatVariable *transitions_flat_of(const Model *m, GraphVariable variable)
{
    const uint32_t origin = m->origins[variable];
    return origin == DAG_NONE ? NULL : m->flat->variables[origin];
}

// Start values, all computed before any of them is taken.
static bool reset_variables(TransitionsStep *s)
{
    const Model *m = s->model;
    ModelMemory *memory = &s->s->point.memory;
    double *values = frozen_values(s->model, memory, s->event->t, s->event->p, FROZEN_STARTS);
    if (!values) {
        saltus_fail(s->event, "the start values of a state could not be evaluated");
        return false;
    }
    for (uint32_t i = 0; i < m->defined.count; i++) {
        if (!is_reset(s, m->defined.items[i].guard))
            continue;
        memory->m[m->defined.items[i].place] = values[i];
        if (m->defined.items[i].left != CODE_NONE)
            memory->m[m->defined.items[i].left] = values[i];
    }
    for (uint32_t i = 0; i < m->left.count; i++) {
        const FlatVariable *v = transitions_flat_of(m, m->left.items[i].variable);
        if (!v || !is_reset(s, v->guard))
            continue;
        // What has no start value is open until reinit or a constraint gives it one.
        if (v->attributes->start)
            memory->m[m->left.items[i].place] = values[m->defined.count + i];
        else if (v->is_differentiated)
            memory->m[m->left.items[i].place] = NAN;
    }
    free(values);
    return true;
}

static void mark_entries(TransitionsStep *s)
{
    const Model *m = s->model;
    for (uint32_t k = 0; k < s->tables->state_count; k++) {
        const uint32_t number = assemble_state(m->flat, s->tables->states[k].flat);
        s->s->point.memory.m[m->places[m->assembly->states.entering[number]].index] =
            s->effects.is_reset[k] ? 1.0 : 0.0;
    }
}

// ---------------------------------------------------------------------------
// When clauses at the entry
// ---------------------------------------------------------------------------

static bool transitions_reinitialise(TransitionsStep *s, const double *actions)
{
    const Mode *m = s->to;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++) {
        const MemoryPlace place = m->actions.lefts[i];
        if (m->actions.gathered.items[i].kind != ACTION_REINIT || actions[2 * i] == 0.0)
            continue;
        if (place == CODE_NONE || s->is_fixed[place])
            return system_fail(s->event, "%s is reinitialised twice at one event",
                               m->actions.names[i]);
        s->is_fixed[place] = true;
    }
    for (uint32_t i = 0; i < m->actions.gathered.count; i++)
        if (m->actions.gathered.items[i].kind == ACTION_REINIT && actions[2 * i] != 0.0)
            s->s->point.memory.m[m->actions.lefts[i]] = actions[2 * i + 1];
    return update_perform(s->event, m, actions);
}

// Discrete variables as they are after the entry. Those of a part read those of others in the
// memory, so that what follows from what has to be looked at again until nothing changes.
static bool transitions_update_discrete(TransitionsStep *s, ProgramScratch *scratch,
                                        const ProgramInputs *inputs, double *values)
{
    const Mode *m = s->to;
    bool changed = true;
    for (uint32_t round = 0; round <= m->memory.discrete_count && changed; round++) {
        changed = false;
        if (program_evaluate(m->entry, scratch, inputs, ENTRY_DISCRETE, values) != PROGRAM_FINE)
            return false;
        for (uint32_t i = 0; i < m->memory.discrete_count; i++) {
            double *value = &s->s->point.memory.m[m->memory.discrete[i].place];
            // What belongs to a state that is entered follows from its own equations, later.
            if (is_entered(s, m->memory.discrete[i].guard) || *value == values[i])
                continue;
            *value = values[i];
            changed = m->parts.count > 1;
        }
    }
    return true;
}

static bool transitions_act(TransitionsStep *s)
{
    const Mode *m = s->to;
    double *values = calloc(m->most_values + 1u, sizeof *values);
    ProgramScratch *scratch = program_scratch(m->entry);
    const ProgramInputs inputs = frozen_inputs(&s->s->point.memory, s->event->t, NULL, s->event->p);
    bool is_fine =
        values && scratch && transitions_update_discrete(s, scratch, &inputs, values) &&
        program_evaluate(m->entry, scratch, &inputs, ENTRY_ACTIONS, values) == PROGRAM_FINE;
    if (!is_fine)
        saltus_fail(s->event, "what happens when a state is entered could not be evaluated");
    is_fine = is_fine && transitions_reinitialise(s, values);
    memory_shift(s->model, &s->s->point.memory);
    program_scratch_free(scratch);
    free(values);
    return is_fine;
}

// ---------------------------------------------------------------------------
// The step
// ---------------------------------------------------------------------------

static bool transitions_fail_endless(TransitionsStep *s)
{
    char *cycle = NULL;
    machine_cycle(s->tables, s->next, &cycle);
    system_fail(s->event, "transitions go on without end at one instant: %s", message_text(cycle));
    free(cycle);
    return false;
}

// Conditions that are zero when a state is entered cause nothing until the engine knows where they
// go. If each of them fires then, one state after the other, that is a cascade all the same: it has
// no end if there are more such transitions than the machines have.
static bool circles_by_arming(TransitionsStep *s)
{
    if (!s->effects.has_changed || !(s->event->occasion & SALTUS_AT_ARMING))
        return false;
    return ++*s->s->point.memory.armed_steps > 2.0 * s->tables->transition_count + 1.0;
}

// The iteration ends in the mode that is left: its values are the left limits of the entry.
static bool transitions_leave(TransitionsStep *s)
{
    const Mode *m = s->s->point.mode;
    double *values = s->s->point.values;
    if (!point_evaluate(&s->s->point, MODEL_ACTIONS, values) ||
        !update_perform(s->event, m, values) || !point_evaluate(&s->s->point, MODEL_LEFT, values)) {
        return system_fail(s->event, "%s", message_text(s->s->point.message));
    }
    for (uint32_t i = 0; i < m->memory.left_count; i++)
        s->s->point.memory.m[m->memory.lefts[i]] = values[i];
    for (uint32_t i = 0; i < m->states.count; i++)
        if (m->states.lefts[i] != CODE_NONE)
            s->s->point.memory.m[m->states.lefts[i]] = s->event->x[i];
    memory_shift(s->model, &s->s->point.memory);
    memory_end_samples(s->model, &s->s->point.memory);
    return true;
}

static bool transitions_enter(TransitionsStep *s)
{
    const Model *m = s->model;
    ModelMemory *memory = &s->s->point.memory;
    if (!transitions_leave(s))
        return false;
    memcpy(memory->machines, s->next, s->tables->memory_count * sizeof *s->next);
    frozen_show_states(m, memory);
    mark_entries(s);
    if (!reset_variables(s) || !change_refresh(s->event, s->s->point.mode, memory) ||
        !change_choices(s->event, s->s->point.mode, memory, s->choices))
        return false;
    frozen_show_choices(m, s->next, s->choices);
    s->to = model_mode(m, s->choices, false);
    if (!s->to || s->to->is_broken) {
        char *message = NULL;
        if (s->to)
            system_complain(s->to, &message);
        saltus_fail(s->event, message_text(message));
        free(message);
        return false;
    }
    // What is reinitialised at the entry may be a state in a branch that begins with it.
    if (!transitions_act(s) ||
        (m->flat->conditional_count && !change_branches(s->event, m, memory, s->choices)))
        return false;
    const ChangeRequest request = {.from = s->s->point.mode,
                                   .memory = *memory,
                                   .choices = s->choices,
                                   .is_fixed = s->is_fixed,
                                   .may_stay = true};
    bool is_ended = false;
    return change_mode(s->event, &request, &is_ended);
}

static bool instant_transitions_step(TransitionsStep *s)
{
    const Mode *m = s->s->point.mode;
    double *values = s->s->point.values;
    if (!point_evaluate(&s->s->point, MODEL_TRANSITIONS, values)) {
        return system_fail(s->event, "%s", message_text(s->s->point.message));
    }
    for (uint32_t i = 0; i < m->switches.transition_count; i++)
        s->conditions[m->switches.transitions[i]] = values[i];
    machine_step(s->tables, s->event->t, s->s->point.memory.machines, s->conditions, s->next,
                 &s->effects);
    if (s->effects.is_endless || circles_by_arming(s))
        return transitions_fail_endless(s);
    if (s->effects.has_changed)
        return transitions_enter(s);
    memcpy(s->s->point.memory.machines, s->next, s->tables->memory_count * sizeof *s->next);
    frozen_show_states(s->model, &s->s->point.memory);
    return true;
}

bool transitions_step(SaltusEvent *event, Settling *settled, bool *has_changed, bool *is_unsettled)
{
    const Model *m = settled->point.mode->model;
    const MachineTables *t = m->machines;
    *has_changed = *is_unsettled = false;
    if (t->machine_count == 0)
        return true;
    const size_t flags = 3 * (size_t)t->state_count + m->sizes.memory;
    double *doubles = calloc(t->transition_count + t->memory_count + 1u, sizeof *doubles);
    uint32_t *numbers = calloc(t->machine_count + m->sizes.choices, sizeof *numbers);
    bool *bools = calloc(flags, sizeof *bools);
    bool is_fine = false;
    if (doubles && numbers && bools) {
        TransitionsStep s = {.event = event,
                             .model = m,
                             .tables = t,
                             .s = settled,
                             .effects = {.is_entered = bools,
                                         .is_left = bools + t->state_count,
                                         .is_reset = bools + 2 * (size_t)t->state_count,
                                         .fired = numbers},
                             .conditions = doubles,
                             .next = doubles + t->transition_count,
                             .choices = numbers + t->machine_count,
                             .is_fixed = bools + 3 * (size_t)t->state_count};
        is_fine = instant_transitions_step(&s);
        *has_changed = s.effects.has_changed;
        *is_unsettled = s.effects.is_unsettled;
    } else {
        saltus_fail(event, "out of memory");
    }
    free(doubles);
    free(numbers);
    free(bools);
    return is_fine;
}
