// SPDX-License-Identifier: MIT

#include "modes/machine.h"

#include "base/message.h"

#include <string.h>

// The memory: the instant of the last transition, how many there were at it, the last of them in a
// ring; then each machine's part with a mark for each state.
enum { TRACE_TIME, TRACE_COUNT, TRACE_RING, RING = 64, TRACE_SIZE = TRACE_RING + RING };

// A machine's part.
enum {
    ACTIVE,  // number of the active state in the machine, or where it was left
    RUNNING, // 1: the machine is not suspended
    WAITING, // 1 + number of the delayed transition that fires next; 0: none
    ENTRY,   // when the active state was entered
    TICKS,   // iterations in it
    MARKS,   // by state: 1: reset it when it becomes active
};

// ---------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------

static const FlatState *parent_of(const FlatMachine *machine)
{
    const FlatGuard *guard = machine->guard;
    while (guard && !guard->state)
        guard = guard->outer;
    return guard ? guard->state : NULL;
}

static uint32_t depth_of(const FlatMachine *machine)
{
    const FlatState *parent = parent_of(machine);
    uint32_t depth = 0;
    for (; parent; parent = parent_of(parent->machine))
        depth++;
    return depth;
}

uint32_t machine_state(const MachineTables *t, const FlatState *state)
{
    for (uint32_t n = 0; n < t->machine_count; n++)
        if (t->machines[n].flat == state->machine)
            return t->machines[n].first_state + state->index;
    return MACHINE_NONE;
}

static void fill_machine(const MachineTables *t, const MachineTable *m, MachineState *states,
                         MachineTransition *transitions)
{
    for (uint32_t k = 0; k < m->state_count; k++)
        states[m->first_state + k] = (MachineState){
            .flat = m->flat->states[k], .machine = (uint32_t)(m - t->machines), .is_final = true};
    for (uint32_t k = 0; k < m->transition_count; k++) {
        const FlatTransition *flat = &m->flat->transitions[k];
        const uint32_t from = m->first_state + flat->from->index;
        transitions[m->first_transition + k] =
            (MachineTransition){flat, from, m->first_state + flat->to->index};
        states[from].is_final = false;
    }
}

const MachineTables *machine_tables(Arena *arena, const FlatModel *flat)
{
    MachineTables *t = ARENA_NEW(arena, MachineTables);
    MachineTable *machines = ARENA_ARRAY(arena, flat->machine_count, MachineTable);
    t->machines = machines;
    t->memory_count = flat->machine_count ? TRACE_SIZE : 0;
    for (uint32_t depth = 0; t->machine_count < flat->machine_count; depth++) {
        for (uint32_t k = 0; k < flat->machine_count; k++) {
            const FlatMachine *m = flat->machines[k];
            if (depth_of(m) != depth)
                continue;
            const FlatState *parent = parent_of(m);
            machines[t->machine_count++] =
                (MachineTable){.flat = m,
                               .first_state = t->state_count,
                               .state_count = m->state_count,
                               .first_transition = t->transition_count,
                               .transition_count = m->transition_count,
                               .parent = parent ? machine_state(t, parent) : MACHINE_NONE,
                               .place = t->memory_count};
            t->state_count += m->state_count;
            t->transition_count += m->transition_count;
            t->memory_count += MARKS + m->state_count;
        }
    }
    MachineState *states = ARENA_ARRAY(arena, t->state_count, MachineState);
    MachineTransition *transitions = ARENA_ARRAY(arena, t->transition_count, MachineTransition);
    for (uint32_t n = 0; n < t->machine_count; n++)
        fill_machine(t, &t->machines[n], states, transitions);
    t->states = states;
    t->transitions = transitions;
    return t;
}

// ---------------------------------------------------------------------------
// Reading the memory
// ---------------------------------------------------------------------------

uint32_t machine_active(const MachineTables *t, const double *memory, uint32_t machine)
{
    const MachineTable *m = &t->machines[machine];
    if (memory[m->place + RUNNING] == 0.0)
        return MACHINE_NONE;
    return m->first_state + (uint32_t)memory[m->place + ACTIVE];
}

bool machine_is_active(const MachineTables *t, const double *memory, uint32_t state)
{
    return machine_active(t, memory, t->states[state].machine) == state;
}

double machine_entry_time(const MachineTables *t, const double *memory, uint32_t machine)
{
    return memory[t->machines[machine].place + ENTRY];
}

double machine_ticks(const MachineTables *t, const double *memory, uint32_t machine)
{
    return memory[t->machines[machine].place + TICKS];
}

// ---------------------------------------------------------------------------
// The step
// ---------------------------------------------------------------------------

static void begin_effects(MachineEffects *s, const MachineTables *t, double time,
                          const double *memory, const double *conditions, double *next)
{
    memset(s->is_entered, 0, t->state_count * sizeof(bool));
    memset(s->is_left, 0, t->state_count * sizeof(bool));
    memset(s->is_reset, 0, t->state_count * sizeof(bool));
    for (uint32_t n = 0; n < t->machine_count; n++)
        s->fired[n] = MACHINE_NONE;
    s->has_changed = s->is_unsettled = s->is_endless = false;
    s->t = t;
    s->time = time;
    s->memory = memory;
    s->conditions = conditions;
    s->next = next;
}

// The state becomes active; it is reset if `reset` says so, or its mark.
static void machine_enter(MachineEffects *s, const MachineTable *m, uint32_t state, bool reset)
{
    double *next = s->next + m->place;
    const uint32_t k = state - m->first_state;
    next[ACTIVE] = k;
    next[RUNNING] = 1.0;
    next[WAITING] = 0.0;
    next[ENTRY] = s->time;
    next[TICKS] = 1.0;
    s->is_entered[state] = true;
    s->is_reset[state] = reset || next[MARKS + k] != 0.0;
    s->has_changed = s->is_unsettled = true;
    next[MARKS + k] = 0.0;
}

static void reset_machine(MachineEffects *s, const MachineTable *m)
{
    for (uint32_t k = 0; k < m->state_count; k++)
        s->next[m->place + MARKS + k] = 1.0;
    machine_enter(s, m, m->first_state, true);
}

// Whether all machines inside a state are in final states. They are as they were: inner ones step
// after outer ones.
static bool is_finished(const MachineEffects *s, uint32_t state)
{
    for (uint32_t n = 0; n < s->t->machine_count; n++) {
        const MachineTable *m = &s->t->machines[n];
        if (m->parent != state)
            continue;
        const uint32_t active = machine_active(s->t, s->memory, n);
        if (active == MACHINE_NONE || !s->t->states[active].is_final)
            return false;
    }
    return true;
}

static bool is_enabled(const MachineEffects *s, uint32_t transition)
{
    const MachineTransition *t = &s->t->transitions[transition];
    return s->conditions[transition] != 0.0 &&
           (!t->flat->is_synchronized || is_finished(s, t->from));
}

// The first transition of the state that can fire; or the first delayed one that is enabled.
static uint32_t machine_find_transition(const MachineEffects *s, const MachineTable *m,
                                        uint32_t state, bool is_delayed)
{
    const double waiting = s->memory[m->place + WAITING];
    for (uint32_t k = 0; k < m->transition_count; k++) {
        const uint32_t number = m->first_transition + k;
        const MachineTransition *t = &s->t->transitions[number];
        if (t->from != state)
            continue;
        if (is_delayed ? !t->flat->is_immediate && is_enabled(s, number)
                       : (t->flat->is_immediate ? is_enabled(s, number) : waiting == k + 1.0))
            return number;
    }
    return MACHINE_NONE;
}

static void record(MachineEffects *s, uint32_t transition)
{
    double *next = s->next;
    if (next[TRACE_TIME] != s->time) {
        next[TRACE_TIME] = s->time;
        next[TRACE_COUNT] = 0.0;
    }
    next[TRACE_RING + (uint32_t)next[TRACE_COUNT] % RING] = transition;
    next[TRACE_COUNT] += 1.0;
    s->is_endless = s->is_endless || next[TRACE_COUNT] > MACHINE_MOST_TRANSITIONS;
}

// Of a machine that was running and is not reset.
static void step_machine(MachineEffects *s, uint32_t number)
{
    const MachineTable *m = &s->t->machines[number];
    const uint32_t active = machine_active(s->t, s->memory, number);
    const uint32_t fired = machine_find_transition(s, m, active, false);
    if (fired != MACHINE_NONE) {
        const MachineTransition *t = &s->t->transitions[fired];
        s->fired[number] = fired;
        s->is_left[active] = true;
        record(s, fired);
        machine_enter(s, m, t->to, t->flat->is_reset);
        return;
    }
    const uint32_t waiting = machine_find_transition(s, m, active, true);
    double *next = s->next + m->place;
    next[TICKS] += 1.0;
    next[WAITING] = waiting == MACHINE_NONE ? 0.0 : waiting - m->first_transition + 1.0;
    s->is_unsettled = s->is_unsettled || waiting != MACHINE_NONE;
}

// A machine inside a state that is not active any more is suspended.
static void suspend(MachineEffects *s, uint32_t number)
{
    const uint32_t active = machine_active(s->t, s->memory, number);
    double *next = s->next + s->t->machines[number].place;
    if (active != MACHINE_NONE)
        s->is_left[active] = true;
    next[RUNNING] = next[WAITING] = 0.0;
}

static void machine_visit(MachineEffects *s, uint32_t number)
{
    const MachineTable *m = &s->t->machines[number];
    const bool is_outermost = m->parent == MACHINE_NONE;
    const uint32_t active = machine_active(s->t, s->memory, number);
    if (!is_outermost && !machine_is_active(s->t, s->next, m->parent)) {
        suspend(s, number);
    } else if (!is_outermost && s->is_reset[m->parent]) {
        if (active != MACHINE_NONE)
            s->is_left[active] = true;
        reset_machine(s, m);
    } else if (active == MACHINE_NONE) {
        machine_enter(s, m, m->first_state + (uint32_t)s->memory[m->place + ACTIVE], false);
    } else if (!is_outermost && s->is_entered[m->parent]) {
        // a self transition of the outer machine without reset: left and entered again
        s->is_left[active] = true;
        machine_enter(s, m, active, false);
    } else {
        step_machine(s, number);
    }
}

void machine_start(const MachineTables *t, double time, double *memory, MachineEffects *effects)
{
    begin_effects(effects, t, time, memory, NULL, memory);
    memset(memory, 0, t->memory_count * sizeof *memory);
    for (uint32_t n = 0; n < t->machine_count; n++) {
        const MachineTable *m = &t->machines[n];
        for (uint32_t k = 0; k < m->state_count; k++)
            memory[m->place + MARKS + k] = 1.0;
        if (m->parent == MACHINE_NONE || effects->is_reset[m->parent])
            reset_machine(effects, m);
    }
}

void machine_step(const MachineTables *t, double time, const double *memory,
                  const double *conditions, double *next, MachineEffects *effects)
{
    begin_effects(effects, t, time, memory, conditions, next);
    if (next != memory)
        memcpy(next, memory, t->memory_count * sizeof *next);
    for (uint32_t n = 0; n < t->machine_count; n++)
        machine_visit(effects, n);
}

// ---------------------------------------------------------------------------
// Endless cascades
// ---------------------------------------------------------------------------

// The k-th transition from the last one.
static uint32_t traced(const double *memory, uint32_t k)
{
    return (uint32_t)memory[TRACE_RING + ((uint32_t)memory[TRACE_COUNT] - 1 - k) % RING];
}

// The shortest period of the last transitions, seen twice; without one, a few of them.
static uint32_t find_period(const double *memory)
{
    for (uint32_t period = 1; period <= RING / 2; period++) {
        bool is_same = true;
        for (uint32_t k = 0; k + period < RING && is_same; k++)
            is_same = traced(memory, k) == traced(memory, k + period);
        if (is_same)
            return period;
    }
    return RING / 8;
}

void machine_cycle(const MachineTables *t, const double *memory, char **text)
{
    uint32_t last = MACHINE_NONE;
    message_set(text, "%s", "");
    for (uint32_t k = find_period(memory); k-- > 0;) {
        const MachineTransition *transition = &t->transitions[traced(memory, k)];
        if (transition->from != last)
            message_add(text, "%s%s", last == MACHINE_NONE ? "" : ", ",
                        t->states[transition->from].flat->name);
        message_add(text, " -> %s", t->states[transition->to].flat->name);
        last = transition->to;
    }
}

// ---------------------------------------------------------------------------
// For kernels
// ---------------------------------------------------------------------------

void machine_pack(const MachineTables *t, const double *memory, double *packed)
{
    double *marks = packed + MARKS * (size_t)t->machine_count;
    for (uint32_t n = 0; n < t->machine_count; n++) {
        const MachineTable *m = &t->machines[n];
        const double *own = memory + m->place;
        *packed++ = own[ACTIVE] + m->first_state;
        *packed++ = own[RUNNING];
        *packed++ = own[WAITING];
        *packed++ = own[ENTRY];
        *packed++ = own[TICKS];
        for (uint32_t i = 0; i < m->state_count; i++)
            marks[m->first_state + i] = own[MARKS + i];
    }
}

void machine_unpack(const MachineTables *t, const double *packed, double *memory)
{
    const double *marks = packed + MARKS * (size_t)t->machine_count;
    for (uint32_t n = 0; n < t->machine_count; n++) {
        const MachineTable *m = &t->machines[n];
        double *own = memory + m->place;
        own[ACTIVE] = *packed++ - m->first_state;
        own[RUNNING] = *packed++;
        own[WAITING] = *packed++;
        own[ENTRY] = *packed++;
        own[TICKS] = *packed++;
        for (uint32_t i = 0; i < m->state_count; i++)
            own[MARKS + i] = marks[m->first_state + i];
    }
}
