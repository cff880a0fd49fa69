// SPDX-License-Identifier: MIT

#include "hybrid/log.h"

#include <stdint.h>
#include <string.h>

// The array with room for one more element, or as it is if there is no memory.
static void *log_grow(Log *log, void *array, long count, long *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const long grown = *capacity ? 2 * *capacity : log->is_short ? 8 : 256;
    void *block = memory_resize(log->allocator, array, (size_t)grown, size);
    if (!block) {
        log->is_out_of_memory = true;
        return array;
    }
    *capacity = grown;
    return block;
}

// The place of a new last element of one of the log's arrays; NULL: out of memory.
#define ADD(log, member, counter, limit)                                                           \
    ((log)->member =                                                                               \
         log_grow((log), (log)->member, (log)->counter, &(log)->limit, sizeof *(log)->member),     \
     (log)->counter < (log)->limit ? &(log)->member[(log)->counter++] : NULL)

SaltusLogEntry *log_open(Log *log, double t, int from)
{
    LogItem *item = ADD(log, items, item_count, item_capacity);
    if (!item)
        return NULL;
    log->item_count--; // until it is closed
    log_begin(log, item, t, from);
    return &item->entry;
}

SaltusLogEntry *log_entry(Log *log)
{
    return &log->items[log->item_count].entry;
}

void log_fired(Log *log, SaltusFired fired)
{
    SaltusFired *at = ADD(log, fired, fired_count, fired_capacity);
    if (at)
        *at = fired;
}

void log_time(Log *log, int id)
{
    int *at = ADD(log, times, time_count, time_capacity);
    if (at)
        *at = id;
}

void log_change(Log *log, const char *name, double before, double after)
{
    SaltusChange *at = ADD(log, changes, change_count, change_capacity);
    if (at)
        *at = (SaltusChange){.name = name, .before = before, .after = after};
}

const char *log_name(Log *log, const char *name)
{
    const size_t place = ((uintptr_t)name >> 3) % LOG_KNOWN;
    if (!name)
        name = "";
    // (What was at an address may have been another name.)
    if (log->given[place] == name && strcmp(log->kept[place], name) == 0)
        return log->kept[place];
    const char *copy = memory_pool_text(&log->names, name);
    log->given[place] = copy ? name : NULL;
    log->kept[place] = copy;
    return copy;
}

void log_record(Log *log, const char *name, double value)
{
    const char *copy = log_name(log, name);
    SaltusChange *at = copy ? ADD(log, records, record_count, record_capacity) : NULL;
    if (at)
        *at = (SaltusChange){.name = copy, .before = value, .after = value};
    else
        log->is_out_of_memory = true;
}

void log_note(Log *log, const char *note)
{
    const char *copy = memory_pool_text(&log->names, note);
    if (copy)
        log_entry(log)->note = copy;
    else
        log->is_out_of_memory = true;
}

void log_close(Log *log)
{
    if (!log->is_out_of_memory)
        log_end(log, &log->items[log->item_count]);
}

void log_discard(Log *log)
{
    if (log->is_out_of_memory)
        return;
    const LogItem *item = &log->items[log->item_count];
    log->fired_count = item->fired;
    log->time_count = item->times;
    log->change_count = item->changes;
    log->record_count = item->records;
}

bool log_reserve(Log *log, long items, long fired, long changes)
{
    while (log->item_count + items > log->item_capacity ||
           log->fired_count + fired > log->fired_capacity ||
           log->change_count + changes > log->change_capacity) {
        log->items = log_grow(log, log->items, log->item_count + items - 1, &log->item_capacity,
                              sizeof *log->items);
        log->fired = log_grow(log, log->fired, log->fired_count + fired - 1, &log->fired_capacity,
                              sizeof *log->fired);
        log->changes = log_grow(log, log->changes, log->change_count + changes - 1,
                                &log->change_capacity, sizeof *log->changes);
        if (log->is_out_of_memory)
            return false;
    }
    return true;
}

SaltusLogEntry log_read(const Log *log, long index)
{
    const LogItem *item = &log->items[index];
    SaltusLogEntry entry = item->entry;
    // The arrays do not exist before something is in them.
    entry.fired = entry.fired_count > 0 ? log->fired + item->fired : NULL;
    entry.time_ids = entry.time_count > 0 ? log->times + item->times : NULL;
    entry.changes = entry.change_count > 0 ? log->changes + item->changes : NULL;
    entry.records = entry.record_count > 0 ? log->records + item->records : NULL;
    return entry;
}

void log_clear(Log *log)
{
    log->item_count = log->fired_count = log->time_count = 0;
    log->change_count = log->record_count = 0;
    memory_pool_free(&log->names);
    memset(log->given, 0, sizeof log->given);
}

void log_free(Log *log)
{
    memory_pool_free(&log->names);
    memory_free(log->allocator, log->items);
    memory_free(log->allocator, log->fired);
    memory_free(log->allocator, log->times);
    memory_free(log->allocator, log->changes);
    memory_free(log->allocator, log->records);
}
