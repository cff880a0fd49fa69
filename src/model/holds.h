// SPDX-License-Identifier: MIT
//
// What a mode holds between events: relations and what jumps, each with the event function that
// tells when it changes, or the time.

#ifndef SALTUS_MODEL_HOLDS_H
#define SALTUS_MODEL_HOLDS_H

#include "model/model_parts.h"

typedef struct Holds {
    const ModelHold *items;
    const bool *is_live; // by number
    const SaltusEventDef *definitions;
    uint32_t count, event_count, time_count;
    const Node *events, *sizes, *times, *literals; // see ModelEntry
} Holds;

// Those that occur in what was gathered.
Holds holds_find(const Gathered *gathered);

#endif
