// SPDX-License-Identifier: MIT
//
// Equations that only observe: a sum over components, the current into a common ground. Each
// determines a variable that nothing else reads, so it can be left out of all that is solved and be
// computed afterwards, from the results of parts that it would else connect.

#ifndef SALTUS_MODES_OBSERVERS_H
#define SALTUS_MODES_OBSERVERS_H

#include "modes/assemble.h"

typedef struct Observer {
    uint32_t equation;      // of the assembly
    GraphVariable variable; // of the graph
    Node value;             // by that equation, from variables of the model
} Observer;

// constants: by variable of the graph, what is known once and for all, or NODE_NONE.
Observer *observers_find(const Assembly *assembly, const Node *constants, uint32_t *count);

#endif
