// SPDX-License-Identifier: MIT
//
// Independent parts of a model: what no equation, event function, action or assertion connects.
// Each is analysed, compiled and restarted by itself, and a mode of the model is one mode of each,
// so that independent switches do not multiply.
//
// Continuous variables connect, unless they are constants, as the potential of a ground is;
// equations that only observe (observers.h) do not. Choices connect, too: what is there only in a
// branch or a state belongs with it. Discrete variables and held conditions do not, for they stand
// in the memory that all parts read. Whatever has no choice of its own, nor states that are chosen
// anew during a run, is in part 0, together.
//
// What always holds: equations, actions and what is held read continuous variables of their own
// part only; a choice is a matter of one part. A condition that others than its own part read is
// there in all modes of the part.

#ifndef SALTUS_MODES_PARTS_H
#define SALTUS_MODES_PARTS_H

#include "modes/indices.h"
#include "modes/observers.h"

// Of gather: all parts at once.
#define PARTS_ALL UINT32_MAX
// Of equations that only observe several parts, and of what they determine.
#define PARTS_NONE (UINT32_MAX - 1)

typedef struct Parts {
    uint32_t count;                // 1: the model is one whole, and the rest is NULL
    const PartNumber *of_variable; // of the graph
    uint32_t variable_count;
    const PartNumber *of_choice; // by machine, then by conditional
    const PartNumber *of_equation, *of_action, *of_assertion, *of_hold; // of the assembly
    const bool *is_always_held; // by hold: something that is always there reads it
    const Node *constants;      // by variable: its value if that is a constant, or NODE_NONE
    const Observer *observers;  // of several parts; their values read variables of parts only
    uint32_t observer_count;
} Parts;

// Of a model that is one whole.
extern const Parts parts_none;

// What makes a part of what it is connected with.
typedef struct PartsReasons {
    const bool *is_choice; // of each choice: it makes a difference to the structure
    const GraphVariable
        *variables; // of the graph: among them and others states are chosen anew in runs
    uint32_t variable_count;
} PartsReasons;

const Parts *parts_find(const Assembly *assembly, const PartsReasons *reasons);

// Of a variable, or of the one that it is a derivative or the left limit of.
PartNumber parts_of_variable(const Parts *parts, const Dag *dag, GraphVariable variable);

#endif
