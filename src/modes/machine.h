// SPDX-License-Identifier: MIT
//
// The discrete step of state machines: Modelica 3.6, section 17.3, with an event iteration as tick.
//
// All that a step remembers is an array of doubles, in a run's memory. A step reads it, and the
// conditions of the transitions as they are now, and says what it becomes:
//
//   MachineTables *t = machine_tables(arena, flat);      // once
//   machine_start(t, time, memory, &effects);            // at initialization
//   machine_step(t, time, memory, conditions, next, &effects);   // in each event iteration
//
// What always holds:
// - A machine makes at most one transition in a step. A state that was entered stays active at
//   least until the next one: its exit conditions were not evaluated in it yet.
// - Outer machines come before inner ones. An inner machine steps only while its state was active
//   and stays active; it goes to its initial state when its state is reset; it goes on where it
//   was left when its state is entered without reset.
// - A state is reset when it is entered by a transition with reset, or for the first time since its
//   machine was reset.
// - Of the transitions that can fire, the one of the smallest priority does: immediate ones whose
//   condition holds, delayed ones whose condition held in the step before.

#ifndef SALTUS_MODES_MACHINE_H
#define SALTUS_MODES_MACHINE_H

#include "base/arena.h"
#include "flatten/flat.h"
#include "modes/indices.h"

#define MACHINE_NONE UINT32_MAX

// Transitions at one instant; beyond it is an endless cascade.
enum { MACHINE_MOST_TRANSITIONS = 500 };

typedef struct MachineState {
    const FlatState *flat;
    uint32_t machine;
    bool is_final; // no transition leaves it
} MachineState;

typedef struct MachineTransition {
    const FlatTransition *flat; // its condition is for the caller to evaluate
    uint32_t from, to;          // states
} MachineTransition;

typedef struct MachineTable {
    const FlatMachine *flat;
    uint32_t first_state, state_count; // the first one is the initial one
    uint32_t first_transition, transition_count;
    uint32_t parent;   // the state that contains it; MACHINE_NONE: none
    MemoryPlace place; // in the memory
} MachineTable;

// Numbers of states and transitions count through all machines, in the order of the tables.
typedef struct MachineTables {
    const MachineTable *machines; // outer ones first
    const MachineState *states;
    const MachineTransition *transitions; // by state, then by priority
    uint32_t machine_count, state_count, transition_count;
    uint32_t memory_count; // doubles
} MachineTables;

// A step and what it did. The arrays belong to the caller.
typedef struct MachineEffects {
    bool *is_entered;  // by state: it is active now, and was not, or was left by a self transition
    bool *is_left;     // by state: it was active
    bool *is_reset;    // by state: its variables take their start values, before all else
    uint32_t *fired;   // by machine: a transition, or MACHINE_NONE
    bool has_changed;  // a state was entered
    bool is_unsettled; // another iteration is needed: that, or a delayed transition waits
    bool is_endless;   // MACHINE_MOST_TRANSITIONS is exceeded: see machine_cycle
    // What machine_start or machine_step were given.
    const MachineTables *t;
    double time;
    const double *memory, *conditions;
    double *next;
} MachineEffects;

const MachineTables *machine_tables(Arena *arena, const FlatModel *flat);

// All machines at their beginning: outermost ones in their initial states, entered by reset.
void machine_start(const MachineTables *tables, double time, double *memory,
                   MachineEffects *effects);
// conditions[k] != 0: the condition of transition k holds. Only those of transitions that leave an
// active state matter. `next` may be `memory`.
void machine_step(const MachineTables *tables, double time, const double *memory,
                  const double *conditions, double *next, MachineEffects *effects);

// The state of this number in a machine's table, or of a FlatState.
uint32_t machine_state(const MachineTables *tables, const FlatState *state);
// The active state of a machine; MACHINE_NONE: the machine is suspended.
uint32_t machine_active(const MachineTables *tables, const double *memory, uint32_t machine);
bool machine_is_active(const MachineTables *tables, const double *memory, uint32_t state);
// When the machine's active state was entered, and how many iterations it has been active since,
// with that one. Of a suspended machine: of the state in which it was left.
double machine_entry_time(const MachineTables *tables, const double *memory, uint32_t machine);
double machine_ticks(const MachineTables *tables, const double *memory, uint32_t machine);

// After an endless cascade: "a -> b -> a", the cycle that the last transitions were in, or these if
// they are none; where there is no room for all of it, without its middle (base/message.h).
void machine_cycle(const MachineTables *tables, const double *memory, char **text);

// What kernels know of machines (kernel/shared.inc): of each the number of its active state among
// all, RUNNING, WAITING, ENTRY, TICKS; then of each state whether it is reset when it becomes
// active. machine_packed doubles.
static inline uint32_t machine_packed(const MachineTables *t)
{
    return t->machine_count ? 5 * t->machine_count + t->state_count : 0;
}
void machine_pack(const MachineTables *t, const double *memory, double *packed);
void machine_unpack(const MachineTables *t, const double *packed, double *memory);

#endif
