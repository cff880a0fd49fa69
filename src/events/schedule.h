// SPDX-License-Identifier: MIT
//
// Time events: (time, id) pairs, ascending by time, each id at most once.

#ifndef SALTUS_EVENTS_SCHEDULE_H
#define SALTUS_EVENTS_SCHEDULE_H

#include <math.h>
#include <saltus/saltus.h>
#include <stdbool.h>

typedef struct ScheduledEvent {
    double time;
    int id;
} ScheduledEvent;

typedef struct Schedule {
    const SaltusAllocator *allocator;
    ScheduledEvent *events;
    int count, capacity;
} Schedule;

// False: out of memory.
bool schedule_set(Schedule *schedule, int id, double time);
void schedule_cancel(Schedule *schedule, int id);
// Time of the next event, infinity if there is none.
static inline double schedule_next(const Schedule *schedule)
{
    return schedule->count > 0 ? schedule->events[0].time : INFINITY;
}
// Removes one event due at or before t and gives its id; false if none is.
bool schedule_take(Schedule *schedule, double t, int *id);
bool schedule_copy(Schedule *to, const Schedule *from);
void schedule_free(Schedule *schedule);

#endif
