// SPDX-License-Identifier: MIT

#include "fmu/journal.h"

#include "fmu/exchange.h"
#include "fmu/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Entries beyond these are not noted.
enum { JOURNAL_MOST = 1 << 21, JOURNAL_HEAD = 64, JOURNAL_SUM = 56, JOURNAL_NUMBERS = 4 };

static const char journal_magic[16] = "saltus state 2";

// ---------------------------------------------------------------------------
// Notes
// ---------------------------------------------------------------------------

JournalEntry *journal_share(JournalEntry *journal)
{
    if (journal)
        journal->users++;
    return journal;
}

void journal_release(JournalEntry *journal)
{
    while (journal && --journal->users == 0) {
        JournalEntry *before = journal->before;
        free(journal);
        journal = before;
    }
}

void journal_add(Fmu *fmu, JournalKind kind, uint32_t reference, int order, uint32_t count,
                 const double *numbers)
{
    FmuState *s = &fmu->state;
    if (!fmu->has_past || fmu->is_repeating || s->is_unwritten)
        return;
    JournalEntry *entry = malloc(sizeof *entry + count * sizeof *numbers);
    s->is_unwritten = !entry || ++s->journal_count > JOURNAL_MOST;
    if (s->is_unwritten) {
        free(entry);
        journal_release(s->journal);
        s->journal = NULL;
        return;
    }
    *entry = (JournalEntry){s->journal, 1, kind, reference, order, count};
    if (count)
        memcpy(entry->numbers, numbers, count * sizeof *numbers);
    s->journal = entry; // which has the share of the state in the one before
}

// ---------------------------------------------------------------------------
// Bytes
// ---------------------------------------------------------------------------

// What is after the head, FNV-1a: damaged bytes could keep a run going for ever.
static uint64_t journal_sum(const uint8_t *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u ^ size;
    for (size_t i = JOURNAL_HEAD; i < size; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

// An entry: four words of 32 bits, then its numbers.
static size_t journal_entry_size(const JournalEntry *entry)
{
    return 4 * sizeof(uint32_t) + entry->count * sizeof(double);
}

static size_t journal_size(const FmuState *s)
{
    size_t size = JOURNAL_HEAD + JOURNAL_NUMBERS * sizeof(double);
    for (const JournalEntry *e = s->journal; e; e = e->before)
        size += journal_entry_size(e);
    return size;
}

// The head: what it is, the token, the sum of the rest.
static void journal_finish(const Fmu *fmu, uint8_t *bytes, size_t size)
{
    memset(bytes, 0, JOURNAL_HEAD);
    memcpy(bytes, journal_magic, sizeof journal_magic);
    strncpy((char *)bytes + sizeof journal_magic, fmu->manifest.token,
            JOURNAL_SUM - sizeof journal_magic - 1);
    const uint64_t sum = journal_sum(bytes, size);
    memcpy(bytes + JOURNAL_SUM, &sum, sizeof sum);
}

static size_t journal_snapshot_size(const Fmu *fmu, const FmuState *s)
{
    Carrier counter = {.place = JOURNAL_HEAD};
    snapshot_write(fmu, s, &counter);
    return counter.place;
}

FmuStatus journal_measure(const Fmu *fmu, const FmuState *s, size_t *size)
{
    *size = 0;
    if (!s)
        return fmu_refuse(fmu, "SerializedFMUStateSize", "there is no state");
    if (!fmu->has_past && !snapshot_is_possible(s))
        return fmu_refuse(fmu, "SerializedFMUStateSize", "the instance has failed");
    if (!fmu->has_past) {
        *size = journal_snapshot_size(fmu, s);
        return FMU_OK;
    }
    *size = s->is_unwritten ? 0 : journal_size(s);
    return *size ? FMU_OK
                 : fmu_refuse(fmu, "SerializedFMUStateSize",
                              "more was done to the instance than is kept for that");
}

// The head; numbers; the entries.
FmuStatus journal_write(const Fmu *fmu, const FmuState *s, uint8_t *bytes, size_t size)
{
    if (!s)
        return fmu_refuse(fmu, "SerializeFMUState", "there is no state");
    if (!fmu->has_past) {
        Carrier writer = {.bytes = bytes, .size = size, .place = JOURNAL_HEAD};
        if (size < JOURNAL_HEAD || !snapshot_is_possible(s))
            return fmu_refuse(fmu, "SerializeFMUState", "there is no room for the state");
        snapshot_write(fmu, s, &writer);
        if (writer.has_failed)
            return fmu_refuse(fmu, "SerializeFMUState", "there is no room for the state");
        memset(bytes + writer.place, 0, size - writer.place);
        journal_finish(fmu, bytes, size);
        return FMU_OK;
    }
    if (s->is_unwritten || size < journal_size(s))
        return fmu_refuse(fmu, "SerializeFMUState", "there is no room for the state");
    const double numbers[JOURNAL_NUMBERS] = {s->phase, s->start_time, s->stop_time, s->tolerance};
    uint8_t *end = bytes + journal_size(s);
    memcpy(bytes + JOURNAL_HEAD, numbers, sizeof numbers);
    for (const JournalEntry *e = s->journal; e; e = e->before) {
        const uint32_t words[] = {(uint32_t)e->kind, e->reference, (uint32_t)e->order, e->count};
        end -= journal_entry_size(e);
        memcpy(end, words, sizeof words);
        memcpy(end + sizeof words, e->numbers, e->count * sizeof(double));
    }
    journal_finish(fmu, bytes, journal_size(s));
    return FMU_OK;
}

// ---------------------------------------------------------------------------
// Again
// ---------------------------------------------------------------------------

static FmuStatus journal_restore(Fmu *fmu)
{
    FmuState *copy = NULL;
    FmuStatus status = fmu_keep(fmu, &copy);
    if (status == FMU_OK)
        status = fmu_restore(fmu, copy);
    fmu_forget(fmu, copy);
    return status;
}

// A step ends early where it did: by an event, or because the importer wanted it.
static FmuStatus journal_step(Fmu *fmu, const double *numbers)
{
    FmuStep done;
    const bool stops = fmu->stops_at_events;
    fmu->early_time = numbers[2];
    fmu->stops_at_events = numbers[3] != 0.0;
    const FmuStatus status = fmu_step(fmu, numbers[0], numbers[1], &done);
    fmu->stops_at_events = stops;
    const bool is_there = done.time == numbers[2];
    return status != FMU_OK || is_there ? status : FMU_ERROR;
}

static FmuStatus journal_repeat(Fmu *fmu, const uint32_t words[4], const double *numbers)
{
    static const uint32_t needed[] = {[JOURNAL_SET] = 1,
                                      [JOURNAL_RATE] = 1,
                                      [JOURNAL_INITIALIZE] = 3,
                                      [JOURNAL_STEP] = 4,
                                      [JOURNAL_TERMINATE] = 0};
    ExchangeInfo info;
    if (words[0] > JOURNAL_TERMINATE || words[3] < needed[words[0]])
        return FMU_ERROR;
    switch ((JournalKind)words[0]) {
    case JOURNAL_SET:
        return fmu_set(fmu, words[1], numbers[0]);
    case JOURNAL_RATE:
        return fmu_set_rate(fmu, words[1], (int)words[2], numbers[0]);
    case JOURNAL_SETTLE:
        return fmu_settle(fmu);
    case JOURNAL_INITIALIZE:
        fmu->state.start_time = numbers[0];
        fmu->state.stop_time = numbers[1];
        fmu->state.tolerance = numbers[2];
        fmu->state.phase = PHASE_INITIALIZING;
        return fmu_initialize(fmu);
    case JOURNAL_STEP:
        return journal_step(fmu, numbers);
    case JOURNAL_UPDATE:
        return exchange_update(fmu, &info);
    case JOURNAL_RESTORE:
        return journal_restore(fmu);
    case JOURNAL_TERMINATE:
        return fmu_terminate(fmu);
    }
    return FMU_ERROR;
}

// All entries.
static FmuStatus journal_repeat_all(Fmu *fmu, const uint8_t *bytes, const uint8_t *end)
{
    FmuStatus status = FMU_OK;
    while (bytes < end && status == FMU_OK) {
        uint32_t words[4];
        if ((size_t)(end - bytes) < sizeof words)
            return FMU_ERROR;
        memcpy(words, bytes, sizeof words);
        bytes += sizeof words;
        if (words[3] > (size_t)(end - bytes) / sizeof(double))
            return FMU_ERROR;
        double *numbers = malloc(words[3] * sizeof *numbers + sizeof *numbers);
        if (!numbers)
            return FMU_ERROR;
        memcpy(numbers, bytes, words[3] * sizeof *numbers);
        bytes += words[3] * sizeof *numbers;
        fmu->is_repeating = true;
        status = journal_repeat(fmu, words, numbers);
        fmu->is_repeating = false;
        if (status == FMU_WARNING)
            status = FMU_OK;
        journal_add(fmu, (JournalKind)words[0], words[1], (int)words[2], words[3], numbers);
        free(numbers);
    }
    return status;
}

// The instance as it is made anew, and done to it what the bytes say. The phase before the
// initialization is no consequence of the entries.
static FmuStatus journal_run(Fmu *fmu, const uint8_t *bytes, size_t size)
{
    FmuState *s = &fmu->state;
    double numbers[JOURNAL_NUMBERS];
    memcpy(numbers, bytes + JOURNAL_HEAD, sizeof numbers);
    FmuStatus status = fmu_reset(fmu);
    if (status == FMU_OK)
        status = journal_repeat_all(fmu, bytes + JOURNAL_HEAD + sizeof numbers, bytes + size);
    if (status == FMU_OK && s->phase < PHASE_RUNNING) {
        s->phase = numbers[0] == PHASE_INITIALIZING ? PHASE_INITIALIZING : PHASE_INSTANTIATED;
        s->start_time = numbers[1];
        s->stop_time = numbers[2];
        s->tolerance = numbers[3];
        s->has_pending = true;
    }
    return status;
}

static FmuStatus journal_snapshot(Fmu *fmu, const uint8_t *bytes, size_t size)
{
    Carrier reader = {.bytes = (uint8_t *)(uintptr_t)bytes, // nothing is written to them
                      .size = size,
                      .place = JOURNAL_HEAD,
                      .is_reading = true};
    const FmuStatus status = fmu_reset(fmu);
    return status == FMU_OK ? snapshot_read(fmu, &reader) : status;
}

FmuStatus journal_read(Fmu *fmu, const uint8_t *bytes, size_t size, FmuState **state)
{
    FmuState *own = NULL;
    const unsigned categories = fmu->categories;
    struct Exchange *exchange = fmu->exchange;
    bool is_ours = size >= JOURNAL_HEAD + JOURNAL_NUMBERS * sizeof(double); // of any kind
    if (is_ours) {
        const uint64_t sum = journal_sum(bytes, size);
        is_ours = memcmp(bytes, journal_magic, sizeof journal_magic) == 0 &&
                  strncmp((const char *)bytes + sizeof journal_magic, fmu->manifest.token,
                          JOURNAL_SUM - sizeof journal_magic - 1) == 0 &&
                  memcmp(bytes + JOURNAL_SUM, &sum, sizeof sum) == 0;
    }
    if (!is_ours)
        return fmu_refuse(fmu, "DeserializeFMUState", "this is no state of this FMU");
    FmuStatus status = fmu_keep(fmu, &own);
    if (status != FMU_OK)
        return status;
    fmu->categories = 0;
    fmu->exchange = NULL; // the one of the importer stays as it is
    status = fmu->has_past ? journal_run(fmu, bytes, size) : journal_snapshot(fmu, bytes, size);
    if (status == FMU_OK)
        status = fmu_keep(fmu, state);
    exchange_destroy(fmu);
    fmu->exchange = exchange;
    const FmuStatus back = fmu_restore(fmu, own);
    fmu->categories = categories;
    fmu_forget(fmu, own);
    if (status != FMU_OK)
        return fmu_refuse(fmu, "DeserializeFMUState", "the state cannot be made again");
    return back;
}
