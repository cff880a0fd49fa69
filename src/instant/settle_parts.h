// SPDX-License-Identifier: MIT
//
// What settle.c and settle_conditions.c share.

#ifndef SALTUS_INSTANT_SETTLE_PARTS_H
#define SALTUS_INSTANT_SETTLE_PARTS_H

#include "instant/settle.h"

// The whole part of a larger number cannot be followed: numbers are known to 1e-10 of their size
// (point_accuracy), and its event function has a size of 1.
static const double settle_most_whole = 1e9;

// Room for the sides of all event functions and what they are found from: see mode.c.
typedef struct SettleRoom {
    double *h, *sizes, *literals; // literals: two for each hold
    signed char *sides, *course;
} SettleRoom;

static inline SettleRoom settle_room_of(const Settling *s)
{
    const Mode *m = s->point.mode;
    SettleRoom r = {.h = s->point.values};
    r.sizes = r.h + m->conditions.event_count;
    r.literals = r.sizes + m->conditions.event_count;
    r.sides = (signed char *)(void *)(r.literals + 2 * m->conditions.hold_count);
    r.course = r.sides + m->conditions.event_count;
    return r;
}

// Conditions as they are now, all or (is_single) the first that is not right. `before`: the event
// functions that the engine's signs are about.
bool settle_update_conditions(Settling *s, const double *before, bool is_single, bool *changed);

#endif
