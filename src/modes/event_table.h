// SPDX-License-Identifier: MIT
//
// The events that a flat model can have, before any run: one row for each relation and sample, with
// what happens when it changes, and the classes of state events that this belongs to.
//
// A relation acts on what its value reaches: when clauses, equations, if-equations, transitions,
// assertions, directly or through discrete variables. The classes are those that the action is
// meant to have; the event log says which ones it had. A relation of time alone that only switches
// an equation is an input that changes (SE-I).

#ifndef SALTUS_MODES_EVENT_TABLE_H
#define SALTUS_MODES_EVENT_TABLE_H

#include "base/source.h"
#include "base/text.h"
#include "flatten/flat.h"
#include "modes/model.h"

typedef enum EventDirection {
    EVENT_FALLING, // of the event function: below zero
    EVENT_RISING,
    EVENT_BOTH,
    EVENT_TIME, // at times that are known
} EventDirection;

typedef struct EventRow {
    const char *condition; // "h <= 0.0"
    const char *function;  // the event function, "h"; of a sample: NULL
    const char *action;    // "v: reinit(v, -e * pre(v)); ..."
    EventDirection direction;
    unsigned classes; // SALTUS_SE_...
    Span span;        // of the condition
} EventRow;

// The rows, in the order of the text. The modes of the model that are known tell whether another
// branch or state has other states; NULL: by the derivatives in the text.
const EventRow *event_table_create(Arena *arena, const FlatModel *flat, const Model *model,
                                   uint32_t *count);
const char *event_table_direction(EventDirection direction); // "falling", ...

#endif
