// SPDX-License-Identifier: MIT
//
// Events of a stretch that are only logged: their entries are written straight from the records
// that the client's code has left of them. Where a guard would have to look at the run, the event
// is one that is put.

#include "hybrid/run.h"
#include <string.h>

// More crossings at once are put.
enum { NOTES_CROSSINGS = 8 };

// The guards as the event leaves them; false: one of them has to look at the run.
static bool notes_guard(const SaltusRun *run, const SaltusNotes *n, const double *record,
                        Guard *guards)
{
    const RunInstance *active = run->active;
    const double horizon = run->stop_time - run->options.start_time, *fired = record + n->fired;
    const int count = (int)record[n->crossing_count];
    if (count > NOTES_CROSSINGS)
        return false;
    for (int i = 0; i < count; i++, fired += n->fired_size) {
        const int event = (int)fired[0];
        guards[i] = active->guards[event];
        guards[i].direction = (int)fired[1];
        if (guard_note(&guards[i], record[n->t], horizon) != GUARD_FINE ||
            (active->armed[event].sign == (int)fired[1] && !guard_is_even(&guards[i])))
            return false;
    }
    return true;
}

// What the event changed, into the log, where there is room; the classes.
static unsigned notes_changes(Log *log, const SaltusNotes *n, const double *record)
{
    SaltusChange *to = log->changes + log->change_count;
    const SaltusNoted *const end = n->numbers + n->number_count;
    unsigned classes = 0;
    for (const SaltusNoted *number = n->numbers; number < end; number++) {
        const double *before = record + number->before, *after = record + number->after;
        if (memcmp(before, after, sizeof *before) == 0 || (!number->is_state && *before == *after))
            continue;
        classes |= number->classes;
        if (number->name)
            *to++ = (SaltusChange){.name = number->name, .before = *before, .after = *after};
    }
    log->change_count = to - log->changes;
    return classes;
}

// Likewise, what fired in it.
static void notes_fired(Log *log, const SaltusNotes *n, const double *record, int mode, int count)
{
    const double *fired = record + n->fired;
    SaltusFired *to = log->fired + log->fired_count;
    for (int i = 0; i < count; i++, fired += n->fired_size)
        to[i] = (SaltusFired){.mode = mode, .event = (int)fired[0], .direction = (int)fired[1]};
    log->fired_count += count;
}

// The entry of an event, where there is room; the classes.
static unsigned notes_entry(SaltusRun *run, const SaltusNotes *n, const double *record)
{
    Log *log = &run->log;
    const int mode = run->active->index, fired_count = (int)record[n->fired_count];
    LogItem *item = &log->items[log->item_count];
    log_begin(log, item, record[n->t], mode);
    notes_fired(log, n, record, mode, fired_count);
    const unsigned classes = notes_changes(log, n, record);
    item->entry.occasion = SALTUS_AT_CROSSING;
    item->entry.classes = classes ? classes : SALTUS_SE_O;
    item->entry.iterations = (int)record[n->iterations];
    log_end(log, item);
    run->statistics.events++;
    run->statistics.event_iterations += item->entry.iterations;
    return classes;
}

// False: nothing has happened.
static bool notes_take(SaltusRun *run, const SaltusNotes *n, const double *record)
{
    Guard guards[NOTES_CROSSINGS];
    const bool is_guarded = run->options.zeno != SALTUS_ZENO_CONTINUE;
    if (is_guarded && !notes_guard(run, n, record, guards))
        return false;
    const unsigned classes = notes_entry(run, n, record);
    if (!is_guarded || !(classes & ~(unsigned)SALTUS_SE_O))
        return true; // events that only record can follow each other as they like
    const double *fired = record + n->fired;
    for (int i = 0; i < (int)record[n->crossing_count]; i++, fired += n->fired_size)
        run->active->guards[(int)fired[0]] = guards[i];
    return true;
}

// Those that fired in all of them.
static long notes_fired_count(const SaltusNotes *n)
{
    long count = 0;
    for (long i = 0; i < n->count; i++)
        count += (long)n->records[i * n->size + n->fired_count];
    return count;
}

long saltus_stretch_note(SaltusStretch *s, const SaltusNotes *notes)
{
    long done = 0;
    if (!log_reserve(&s->run->log, notes->count, notes_fired_count(notes),
                     notes->count * notes->number_count))
        return 0;
    while (done < notes->count &&
           notes_take(s->run, notes, notes->records + done * (long)notes->size))
        done++;
    return done;
}
