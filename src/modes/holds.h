// SPDX-License-Identifier: MIT
//
// What a mode holds between events: relations and what jumps, each with the event function that
// tells when it changes, or the time.

#ifndef SALTUS_MODES_HOLDS_H
#define SALTUS_MODES_HOLDS_H

#include "modes/model_parts.h"

typedef struct Holds {
    const ModelHold *items;
    const bool *is_live; // by number
    const SaltusEventDef *definitions;
    uint32_t count, event_count, time_count;
    const Node *events, *sizes, *times, *literals; // see ModelEntry
} Holds;

// Upper bounds of what values are the sums of, |a| + |b| for a - b, so that their rounding is
// relative to it.
const Node *holds_sizes(const Gathered *gathered, const Node *nodes, uint32_t count);
// By number: those that the choices of the mode depend on, also through discrete variables.
const bool *holds_decisive(const Gathered *gathered);
// Those that occur in what was gathered.
Holds holds_find(const Gathered *gathered);

#endif
