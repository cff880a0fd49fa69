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

// Models set and cancel all their times at each event, mostly to what they were: that costs no
// search through the others.
typedef struct Schedule {
    const SaltusAllocator *allocator;
    ScheduledEvent *events; // in the order of their times, then of being set
    int count, capacity;
    double next;    // see schedule_next; if there are events
    bool *is_there; // for each id that is small enough: whether it is among the events
    int id_count;
} Schedule;

// False: out of memory.
bool schedule_set(Schedule *schedule, int id, double time);
void schedule_cancel(Schedule *schedule, int id);
// Time of the first event, infinity if there is none.
static inline double schedule_first(const Schedule *schedule)
{
    return schedule->count > 0 ? schedule->events[0].time : INFINITY;
}
// When the next events are due. Those that are apart by rounding alone are at one instant, the last
// of theirs: three tenths are not 0.3.
static inline double schedule_next(const Schedule *schedule)
{
    return schedule->count > 0 ? schedule->next : INFINITY;
}
// Removes one event due at or before t and gives its id; false if none is.
bool schedule_take(Schedule *schedule, double t, int *id);
bool schedule_copy(Schedule *to, const Schedule *from);
void schedule_free(Schedule *schedule);

#endif
