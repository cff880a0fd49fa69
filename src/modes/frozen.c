// SPDX-License-Identifier: MIT

#include "modes/frozen.h"

#include "base/message.h"
#include "modes/failure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Passes over what start values determine.
enum { FROZEN_ROUNDS = 3 };

ProgramInputs frozen_inputs(const ModelMemory *memory, double t, const double *x, const double *p)
{
    return (ProgramInputs){.time = t,
                           .vectors = {[PROGRAM_STATES] = x,
                                       [PROGRAM_PARAMETERS] = p,
                                       [PROGRAM_MEMORY] = memory->m,
                                       [PROGRAM_HELD] = memory->held}};
}

double *frozen_values(const Model *m, const ModelMemory *memory, double t, const double *p,
                      FrozenEntry entry)
{
    double *values = calloc(m->frozen_most + 1u, sizeof *values);
    ProgramScratch *scratch = program_scratch(m->frozen);
    const ProgramInputs inputs = frozen_inputs(memory, t, NULL, p);
    const bool is_fine =
        values && scratch &&
        program_evaluate(m->frozen, scratch, &inputs, (uint32_t)entry, values) == PROGRAM_FINE;
    program_scratch_free(scratch);
    if (is_fine)
        return values;
    free(values);
    return NULL;
}

// ---------------------------------------------------------------------------
// States of machines
// ---------------------------------------------------------------------------

// Whether states are active, since when, and for how long, as variables of the model.
void frozen_show_states(const Model *m, ModelMemory *memory)
{
    const MachineTables *t = m->machines;
    const Assembly *a = m->assembly;
    for (uint32_t k = 0; k < t->state_count; k++) {
        const uint32_t number = assemble_state(m->flat, t->states[k].flat);
        const uint32_t machine = t->states[k].machine;
        const bool is_active = machine_is_active(t, memory->machines, k);
        memory->m[m->places[a->states.active[number]].index] = is_active;
        if (!is_active)
            continue;
        memory->m[m->places[a->states.since[number]].index] =
            machine_entry_time(t, memory->machines, machine);
        memory->m[m->places[a->states.ticks[number]].index] =
            machine_ticks(t, memory->machines, machine);
    }
}

// The states of the machines as choices; a suspended machine counts as in its initial state.
void frozen_show_choices(const Model *m, const double *machines, Choice *choices)
{
    const MachineTables *t = m->machines;
    for (uint32_t i = 0; i < t->machine_count; i++) {
        const uint32_t active = machine_active(t, machines, i);
        choices[t->machines[i].flat->index] =
            active == MACHINE_NONE ? 0 : active - t->machines[i].first_state;
    }
}

static void start_machines(const Model *m, double time, ModelMemory *memory, Choice *choices)
{
    const MachineTables *t = m->machines;
    if (t->machine_count == 0)
        return;
    MachineEffects effects = {.is_entered = calloc(t->state_count, sizeof(bool)),
                              .is_left = calloc(t->state_count, sizeof(bool)),
                              .is_reset = calloc(t->state_count, sizeof(bool)),
                              .fired = calloc(t->machine_count, sizeof(uint32_t))};
    if (effects.is_entered && effects.is_left && effects.is_reset && effects.fired)
        machine_start(t, time, memory->machines, &effects);
    free(effects.is_entered);
    free(effects.is_left);
    free(effects.is_reset);
    free(effects.fired);
    frozen_show_states(m, memory);
    frozen_show_choices(m, memory->machines, choices);
}

// ---------------------------------------------------------------------------
// Start values
// ---------------------------------------------------------------------------

static void set_start_values(const Model *m, const double *values, ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->defined.count; i++) {
        memory->m[m->defined.items[i].place] = values[i];
        if (m->defined.items[i].left != CODE_NONE)
            memory->m[m->defined.items[i].left] = values[i];
    }
    for (uint32_t i = 0; i < m->left.count && m->assembly->has_modes; i++)
        memory->m[m->left.items[i].place] = values[m->defined.count + i];
}

bool frozen_start(const Model *m, double t, const double *p, void *block, Choice *choices,
                  char **why)
{
    ModelMemory memory = model_memory(m, block);
    const ProgramInputs inputs = frozen_inputs(&memory, t, NULL, p);
    ProgramScratch *scratch = program_scratch(m->frozen);
    double *values = calloc(m->frozen_most + 1u, sizeof *values);
    if (m->initial_place != CODE_NONE)
        memory.m[m->initial_place] = 1.0;
    if (m->assembly->lambda != DAG_NONE)
        memory.m[m->places[m->assembly->lambda].index] = 1.0;
    start_machines(m, t, &memory, choices);
    bool is_fine =
        scratch && values &&
        program_evaluate(m->frozen, scratch, &inputs, FROZEN_STARTS, values) == PROGRAM_FINE;
    if (is_fine)
        set_start_values(m, values, &memory);
    // Several times, because relations may contain relations and what follows from them.
    for (int i = 0; i < FROZEN_ROUNDS && is_fine; i++) {
        const bool is_known =
            program_evaluate(m->frozen, scratch, &inputs, FROZEN_HOLDS, values) == PROGRAM_FINE;
        // A function that start values are nothing for says nothing.
        is_fine = is_known || !m->assembly->has_modes;
        for (uint32_t h = 0; h < m->sizes.held && is_known; h++)
            memory.held[h] = isfinite(values[h]) ? values[h] : 0.0;
        is_fine = is_fine && program_evaluate(m->frozen, scratch, &inputs, FROZEN_DISCRETE,
                                              values) == PROGRAM_FINE;
        for (uint32_t k = 0; k < m->defined.count && is_fine && m->assembly->has_modes; k++)
            memory.m[m->defined.items[k].place] = values[k];
    }
    is_fine = is_fine && program_evaluate(m->frozen, scratch, &inputs, FROZEN_BRANCHES, values) ==
                             PROGRAM_FINE;
    for (uint32_t i = 0; i < m->flat->conditional_count && is_fine; i++)
        choices[m->flat->machine_count + i] = (uint32_t)values[i];
    if (!is_fine && scratch && values)
        failure_text(m->frozen, m->diagnostics->sources, scratch, scratch->code, why);
    else if (!is_fine)
        message_set(why, "out of memory");
    program_scratch_free(scratch);
    free(values);
    return is_fine;
}
