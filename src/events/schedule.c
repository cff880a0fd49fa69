// SPDX-License-Identifier: MIT

#include "events/schedule.h"

#include "base/memory.h"
#include <string.h>

static bool schedule_reserve(Schedule *schedule, int count)
{
    if (count <= schedule->capacity)
        return true;
    int capacity = schedule->capacity ? 2 * schedule->capacity : 8;
    while (capacity < count)
        capacity *= 2;
    ScheduledEvent *grown = memory_resize(schedule->allocator, schedule->events, (size_t)capacity,
                                          sizeof(ScheduledEvent));
    if (!grown)
        return false;
    schedule->events = grown;
    schedule->capacity = capacity;
    return true;
}

static void remove_at(Schedule *schedule, int position)
{
    ScheduledEvent *at = schedule->events + position;
    memmove(at, at + 1, (size_t)(schedule->count - position - 1) * sizeof *at);
    schedule->count--;
}

bool schedule_set(Schedule *schedule, int id, double time)
{
    schedule_cancel(schedule, id);
    if (!schedule_reserve(schedule, schedule->count + 1))
        return false;
    int position = schedule->count;
    while (position > 0 && schedule->events[position - 1].time > time)
        position--;
    ScheduledEvent *at = schedule->events + position;
    memmove(at + 1, at, (size_t)(schedule->count - position) * sizeof *at);
    *at = (ScheduledEvent){.time = time, .id = id};
    schedule->count++;
    return true;
}

void schedule_cancel(Schedule *schedule, int id)
{
    for (int i = 0; i < schedule->count; i++) {
        if (schedule->events[i].id == id) {
            remove_at(schedule, i);
            return;
        }
    }
}

bool schedule_take(Schedule *schedule, double t, int *id)
{
    if (schedule->count == 0 || schedule->events[0].time > t)
        return false;
    *id = schedule->events[0].id;
    remove_at(schedule, 0);
    return true;
}

bool schedule_copy(Schedule *to, const Schedule *from)
{
    if (!schedule_reserve(to, from->count))
        return false;
    if (from->count > 0)
        memcpy(to->events, from->events, (size_t)from->count * sizeof *from->events);
    to->count = from->count;
    return true;
}

void schedule_free(Schedule *schedule)
{
    memory_free(schedule->allocator, schedule->events);
    schedule->events = NULL;
    schedule->count = schedule->capacity = 0;
}
