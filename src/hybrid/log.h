// SPDX-License-Identifier: MIT
//
// The event log of a run. Entries are opened, filled and closed one after the other.

#ifndef SALTUS_HYBRID_LOG_H
#define SALTUS_HYBRID_LOG_H

#include "base/memory.h"
#include <saltus/saltus.h>

// Positions in the common arrays instead of pointers, because the arrays grow.
typedef struct LogItem {
    SaltusLogEntry entry;
    long fired, times, changes, records;
} LogItem;

// Names that come again and again are kept once: those met last, by their address.
enum { LOG_KNOWN = 16 };

typedef struct Log {
    MemoryPool names; // of records and changes
    const char *given[LOG_KNOWN], *kept[LOG_KNOWN];
    const SaltusAllocator *allocator;
    LogItem *items;
    SaltusFired *fired;
    int *times;
    SaltusChange *changes, *records;
    long item_count, fired_count, time_count, change_count, record_count;
    long item_capacity, fired_capacity, time_capacity, change_capacity, record_capacity;
    bool is_short;         // entries are handed over, one by one
    bool is_out_of_memory; // something could not be kept
} Log;

// A new entry of an event at t in mode `from`, which counts only once it is closed; NULL: out of
// memory.
SaltusLogEntry *log_open(Log *log, double t, int from);
void log_fired(Log *log, SaltusFired fired);
void log_time(Log *log, int id);
void log_change(Log *log, const char *name, double before, double after); // name is not copied
void log_record(Log *log, const char *name, double value);                // name is copied
void log_note(Log *log, const char *note);                                // likewise
// A copy of a name that lives as long as the log; NULL: out of memory.
const char *log_name(Log *log, const char *name);
// The entry that is open.
SaltusLogEntry *log_entry(Log *log);
void log_close(Log *log);
void log_discard(Log *log); // forgets the entry that is open

// Room for so many entries with so many of these, which are then written by who asks; false: there
// is no memory.
bool log_reserve(Log *log, long items, long fired, long changes);

// The beginning and the end of an entry that has room.
static inline void log_begin(const Log *log, LogItem *item, double t, int from)
{
    SaltusLogEntry *entry = &item->entry; // counts are set at its end, pointers when it is read
    entry->t = t;
    entry->bracket = 0.0;
    entry->occasion = entry->classes = 0;
    entry->from = entry->to = from;
    entry->iterations = 0;
    entry->note = NULL;
    item->fired = log->fired_count;
    item->times = log->time_count;
    item->changes = log->change_count;
    item->records = log->record_count;
}

static inline void log_end(Log *log, LogItem *item)
{
    item->entry.fired_count = (int)(log->fired_count - item->fired);
    item->entry.time_count = (int)(log->time_count - item->times);
    item->entry.change_count = (int)(log->change_count - item->changes);
    item->entry.record_count = (int)(log->record_count - item->records);
    log->item_count++;
}

// Forgets all entries; none is open.
void log_clear(Log *log);

SaltusLogEntry log_read(const Log *log, long index);
void log_free(Log *log);

#endif
