// SPDX-License-Identifier: MIT

#include "hybrid/log.h"

#include <math.h>

// Elements of an array: those of a run of few events, or whose entries are packed; then room for
// many.
enum { LOG_FEW = 8, LOG_MANY = 256 };

static long log_grown(long capacity)
{
    return capacity == 0 ? LOG_FEW : capacity < LOG_MANY ? LOG_MANY : 2 * capacity;
}

// The array with room for one more element, or as it is if there is no memory.
static void *log_grow(Log *log, void *array, long count, long *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const long grown = log_grown(*capacity);
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

// The beginning and the end of an entry.
static void log_begin(const Log *log, LogItem *item, double t, int from)
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

static void log_end(const Log *log, LogItem *item)
{
    item->entry.fired_count = (int)(log->fired_count - item->fired);
    item->entry.time_count = (int)(log->time_count - item->times);
    item->entry.change_count = (int)(log->change_count - item->changes);
    item->entry.record_count = (int)(log->record_count - item->records);
}

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
        log_end(log, &log->items[log->item_count++]);
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

// ---------------------------------------------------------------------------
// Packs
// ---------------------------------------------------------------------------

// Entries of packs up to the end of this one.
static long log_after(const LogPack *pack)
{
    return pack->first - pack->at + pack->count;
}

// Room for one more; false: out of memory.
static bool log_reserve_pack(Log *log)
{
    if (log->pack_count < log->pack_capacity)
        return true;
    const long grown = log_grown(log->pack_capacity);
    LogPack **packs = memory_resize(log->allocator, log->packs, (size_t)grown, sizeof(LogPack *));
    if (!packs)
        return false;
    log->packs = packs;
    log->pack_capacity = grown;
    return true;
}

LogPack *log_pack(Log *log, int mode, const SaltusNoted *numbers, int number_count, long entries,
                  long fired)
{
    const size_t numbers_size = (size_t)number_count * sizeof *numbers;
    const size_t room =
        (size_t)entries * (LOG_PACK_HEAD + 2 * (size_t)number_count) + 2 * (size_t)fired;
    // Room for the entries, too, so that they can always be made; nothing touches it before.
    const size_t entry_size = sizeof(SaltusLogEntry) + (size_t)number_count * sizeof(SaltusChange);
    LogPack *pack = NULL;
    if (!log_reserve_pack(log) ||
        !(pack =
              memory_resize(log->allocator, NULL,
                            sizeof *pack + numbers_size + room * sizeof(double) +
                                (size_t)entries * entry_size + (size_t)fired * sizeof(SaltusFired),
                            1)))
        return NULL;
    const long before = log->pack_count ? log_after(log->packs[log->pack_count - 1]) : 0;
    *pack = (LogPack){.at = log->item_count,
                      .first = before + log->item_count,
                      .fired_count = fired,
                      .mode = mode,
                      .number_count = number_count};
    pack->data = pack->end = (double *)(pack->numbers + number_count);
    pack->entries = (SaltusLogEntry *)(pack->data + room);
    memcpy(pack->numbers, numbers, numbers_size);
    return pack;
}

void log_pack_end(Log *log, LogPack *pack, long count)
{
    pack->count = count;
    if (count > 0)
        log->packs[log->pack_count++] = pack;
    else
        memory_free(log->allocator, pack);
}

// What an event changed, from `to` on: how many; the classes.
static int log_unpack_changes(const LogPack *pack, const double *values, SaltusChange *to,
                              unsigned *classes)
{
    int count = 0;
    *classes = 0;
    for (int i = 0; i < pack->number_count; i++, values += 2) {
        const SaltusNoted *number = &pack->numbers[i];
        if (!log_has_changed(number, values[0], values[1]))
            continue;
        *classes |= number->classes;
        if (number->name)
            to[count++] =
                (SaltusChange){.name = number->name, .before = values[0], .after = values[1]};
    }
    *classes = *classes ? *classes : SALTUS_SE_O; // its only effect is to be logged
    return count;
}

static void log_unpack(LogPack *pack)
{
    const size_t change_count = (size_t)pack->count * (size_t)pack->number_count;
    SaltusLogEntry *entry = pack->entries;
    SaltusChange *change = (SaltusChange *)(entry + pack->count);
    SaltusFired *fired = (SaltusFired *)(change + change_count);
    const double *at = pack->data;
    for (; entry < pack->entries + pack->count; entry++) {
        *entry = (SaltusLogEntry){.t = at[0],
                                  .occasion = SALTUS_AT_CROSSING,
                                  .from = pack->mode,
                                  .to = pack->mode,
                                  .iterations = (int)at[1],
                                  .fired_count = (int)at[2],
                                  .fired = fired};
        at += LOG_PACK_HEAD;
        for (int i = 0; i < entry->fired_count; i++, at += 2)
            *fired++ =
                (SaltusFired){.mode = pack->mode, .event = (int)at[0], .direction = (int)at[1]};
        entry->change_count = log_unpack_changes(pack, at, change, &entry->classes);
        entry->changes = entry->change_count > 0 ? change : NULL;
        change += entry->change_count;
        at += 2L * pack->number_count;
    }
    pack->is_unpacked = true;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

long log_count(const Log *log)
{
    return log->item_count + (log->pack_count ? log_after(log->packs[log->pack_count - 1]) : 0);
}

// The last pack that begins at an entry or before it; NULL: there is none.
static LogPack *log_find_pack(const Log *log, long index)
{
    long low = 0, high = log->pack_count;
    while (low < high) {
        const long middle = low + (high - low) / 2;
        if (log->packs[middle]->first <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? log->packs[low - 1] : NULL;
}

SaltusLogEntry log_read(const Log *log, long index)
{
    const SaltusLogEntry none = {.t = NAN, .from = -1, .to = -1};
    if (index < 0 || index >= log_count(log))
        return none;
    LogPack *pack = log_find_pack(log, index);
    if (pack && index < pack->first + pack->count) {
        if (!pack->is_unpacked)
            log_unpack(pack);
        return pack->entries[index - pack->first];
    }
    const LogItem *item = &log->items[index - (pack ? log_after(pack) : 0)];
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
    for (long i = 0; i < log->pack_count; i++)
        memory_free(log->allocator, log->packs[i]);
    memory_free(log->allocator, log->packs);
    memory_pool_free(&log->names);
    memory_free(log->allocator, log->items);
    memory_free(log->allocator, log->fired);
    memory_free(log->allocator, log->times);
    memory_free(log->allocator, log->changes);
    memory_free(log->allocator, log->records);
}
