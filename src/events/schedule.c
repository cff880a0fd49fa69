// SPDX-License-Identifier: MIT

#include "events/schedule.h"

#include "base/memory.h"
#include <float.h>
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

// Ids from here on are searched for.
enum { MOST_IDS = 1 << 20 };

static bool schedule_reserve_ids(Schedule *schedule, int count)
{
    if (count <= schedule->id_count)
        return true;
    int capacity = schedule->id_count ? 2 * schedule->id_count : 8;
    while (capacity < count)
        capacity *= 2;
    bool *grown =
        memory_resize(schedule->allocator, schedule->is_there, (size_t)capacity, sizeof(bool));
    if (!grown)
        return false;
    memset(grown + schedule->id_count, 0, (size_t)(capacity - schedule->id_count));
    schedule->is_there = grown;
    schedule->id_count = capacity;
    return true;
}

static bool may_be_there(const Schedule *schedule, int id)
{
    return id < 0 || id >= MOST_IDS || (id < schedule->id_count && schedule->is_there[id]);
}

static void note_id(Schedule *schedule, int id, bool is_there)
{
    if (id >= 0 && id < schedule->id_count)
        schedule->is_there[id] = is_there;
}

// After every change.
static void schedule_find_next(Schedule *schedule)
{
    const double first = schedule_first(schedule);
    schedule->next = first;
    for (int i = 1; i < schedule->count; i++) {
        const double time = schedule->events[i].time;
        if (time - first > 2.0 * DBL_EPSILON * fabs(first))
            break;
        schedule->next = time;
    }
}

static void remove_at(Schedule *schedule, int position)
{
    ScheduledEvent *at = schedule->events + position;
    note_id(schedule, at->id, false);
    memmove(at, at + 1, (size_t)(schedule->count - position - 1) * sizeof *at);
    schedule->count--;
    schedule_find_next(schedule);
}

// How many events are at that time or before.
static int schedule_find_end(const Schedule *schedule, double time)
{
    int from = 0, to = schedule->count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (schedule->events[middle].time > time)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

bool schedule_set(Schedule *schedule, int id, double time)
{
    if (may_be_there(schedule, id)) {
        const int end = schedule_find_end(schedule, time);
        if (end > 0 && schedule->events[end - 1].id == id && schedule->events[end - 1].time == time)
            return true;
        schedule_cancel(schedule, id);
    }
    if (!schedule_reserve(schedule, schedule->count + 1) ||
        !schedule_reserve_ids(schedule, id < MOST_IDS ? id + 1 : 0))
        return false;
    const int position = schedule_find_end(schedule, time);
    ScheduledEvent *at = schedule->events + position;
    memmove(at + 1, at, (size_t)(schedule->count - position) * sizeof *at);
    *at = (ScheduledEvent){.time = time, .id = id};
    schedule->count++;
    note_id(schedule, id, true);
    schedule_find_next(schedule);
    return true;
}

void schedule_cancel(Schedule *schedule, int id)
{
    for (int i = 0; may_be_there(schedule, id) && i < schedule->count; i++)
        if (schedule->events[i].id == id)
            remove_at(schedule, i);
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
    if (!schedule_reserve(to, from->count) || !schedule_reserve_ids(to, from->id_count))
        return false;
    if (to->id_count > 0)
        memset(to->is_there, 0, (size_t)to->id_count);
    if (from->id_count > 0)
        memcpy(to->is_there, from->is_there, (size_t)from->id_count);
    if (from->count > 0)
        memcpy(to->events, from->events, (size_t)from->count * sizeof *from->events);
    to->count = from->count;
    to->next = from->next;
    return true;
}

void schedule_free(Schedule *schedule)
{
    memory_free(schedule->allocator, schedule->events);
    memory_free(schedule->allocator, schedule->is_there);
    schedule->events = NULL;
    schedule->is_there = NULL;
    schedule->count = schedule->capacity = schedule->id_count = 0;
}
