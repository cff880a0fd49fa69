// SPDX-License-Identifier: MIT
//
// The event log of a run. Entries are opened, filled and closed one after the other.

#ifndef SALTUS_HYBRID_LOG_H
#define SALTUS_HYBRID_LOG_H

#include "base/memory.h"
#include <saltus/saltus.h>
#include <stdint.h>
#include <string.h>

// Positions in the common arrays instead of pointers, because the arrays grow.
typedef struct LogItem {
    SaltusLogEntry entry;
    long fired, times, changes, records;
} LogItem;

enum { LOG_PACK_HEAD = 3 };
// Entries of events in one mode as numbers: of each the time, the iterations, how many event
// functions fired, these and their directions, and what the event may have changed, before and
// after. Entries are made of them when one is read.
typedef struct LogPack {
    long at;    // the items before it
    long first; // the number of its first entry
    long count, fired_count;
    int mode, number_count;
    bool is_unpacked;        // the entries have been made
    double *data, *end;      // behind `numbers`
    SaltusLogEntry *entries; // behind these; with what they point to
    SaltusNoted numbers[];
} LogPack;

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
    LogPack **packs;
    long item_count, fired_count, time_count, change_count, record_count, pack_count;
    long item_capacity, fired_capacity, time_capacity, change_capacity, record_capacity;
    long pack_capacity;
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

// A pack for so many entries at most, in which so many event functions fired: its data are written
// by who asks, up to `end`. NULL: out of memory.
LogPack *log_pack(Log *log, int mode, const SaltusNoted *numbers, int number_count, long entries,
                  long fired);
// It has so many entries, or none: then it is not needed.
void log_pack_end(Log *log, LogPack *pack, long count);

// Whether that is a change.
static inline bool log_has_changed(const SaltusNoted *number, double before, double after)
{
    uint64_t bits[2];
    memcpy(&bits[0], &before, sizeof before);
    memcpy(&bits[1], &after, sizeof after);
    return bits[0] != bits[1] && (number->is_state || before != after);
}

// Forgets all entries; none is open, or in a pack.
void log_clear(Log *log);

long log_count(const Log *log);
// An entry; that of no time if there is none.
SaltusLogEntry log_read(const Log *log, long index);
void log_free(Log *log);

#endif
