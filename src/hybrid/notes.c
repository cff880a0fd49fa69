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
    unsigned classes = 0;
    for (const SaltusNoted *number = n->numbers; number < n->numbers + n->number_count; number++) {
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

// False: nothing has happened.
static bool notes_take(SaltusRun *run, const SaltusNotes *n, const double *record)
{
    Guard guards[NOTES_CROSSINGS];
    const RunInstance *active = run->active;
    const bool is_guarded = run->options.zeno != SALTUS_ZENO_CONTINUE;
    const int fired_count = (int)record[n->fired_count];
    Log *log = &run->log;
    if ((is_guarded && !notes_guard(run, n, record, guards)) ||
        !log_reserve(log, fired_count, n->number_count))
        return false;
    SaltusLogEntry *entry = log_open(log, record[n->t], active->index);
    notes_fired(log, n, record, active->index, fired_count);
    const unsigned classes = notes_changes(log, n, record);
    entry->occasion = SALTUS_AT_CROSSING;
    entry->classes = classes ? classes : SALTUS_SE_O;
    entry->iterations = (int)record[n->iterations];
    log_close(log);
    run->statistics.events++;
    run->statistics.event_iterations += entry->iterations;
    if (!is_guarded || !(classes & ~(unsigned)SALTUS_SE_O))
        return true; // events that only record can follow each other as they like
    const double *fired = record + n->fired;
    for (int i = 0; i < (int)record[n->crossing_count]; i++, fired += n->fired_size)
        active->guards[(int)fired[0]] = guards[i];
    return true;
}

long saltus_stretch_note(SaltusStretch *s, const SaltusNotes *notes)
{
    long done = 0;
    while (done < notes->count &&
           notes_take(s->run, notes, notes->records + done * (long)notes->size))
        done++;
    return done;
}
