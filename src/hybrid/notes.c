// SPDX-License-Identifier: MIT
//
// Events of a stretch that are only logged: packed entries are written straight from the records
// that the client's code has left of them. Where a guard would have to look at the run, the event
// is one that is put.

#include "hybrid/run.h"
#include <string.h>

// More crossings at once are put.
enum { NOTES_CROSSINGS = 8 };

// Whether states have jumped.
static bool notes_jumps(const SaltusNotes *n, const double *record)
{
    for (int i = 0; i < n->number_count; i++)
        if (n->numbers[i].is_state && record[n->numbers[i].before] != record[n->numbers[i].after])
            return true;
    return false;
}

// The guards as the event leaves them; false: one of them has to look at the run, and they are as
// they were. (It looks at functions that go on behind their crossing although states have jumped.)
static bool notes_guard(RunInstance *active, double horizon, const SaltusNotes *n,
                        const double *record)
{
    Guard before[NOTES_CROSSINGS];
    const double *fired = record + n->fired;
    const int count = (int)record[n->crossing_count];
    bool is_fine = count <= NOTES_CROSSINGS;
    int noted = 0;
    for (; noted < count && is_fine; noted++, fired += n->fired_size) {
        const int event = (int)fired[0], direction = (int)fired[1];
        Guard *guard = &active->guards[event];
        before[noted] = *guard;
        guard->direction = direction;
        is_fine = guard_note(guard, record[n->t], horizon) == GUARD_FINE &&
                  ((int)record[n->signs + event] != direction || guard_is_even(guard) ||
                   !notes_jumps(n, record));
    }
    while (!is_fine && noted-- > 0) {
        fired -= n->fired_size;
        active->guards[(int)fired[0]] = before[noted];
    }
    return is_fine;
}

// Whether more has changed than what is only logged. (States, which most events change, are behind
// the others.)
static bool notes_is_effective(const SaltusNotes *n, const double *record)
{
    for (int i = n->number_count - 1; i >= 0; i--)
        if ((n->numbers[i].classes & ~(unsigned)SALTUS_SE_O) &&
            log_has_changed(&n->numbers[i], record[n->numbers[i].before],
                            record[n->numbers[i].after]))
            return true;
    return false;
}

// An event, behind those that are packed.
static void notes_put(SaltusRun *run, const SaltusNotes *n, const double *record, LogPack *pack)
{
    double *to = pack->end;
    const double *fired = record + n->fired;
    const int fired_count = (int)record[n->fired_count];
    to[0] = record[n->t];
    to[1] = record[n->iterations];
    to[2] = record[n->fired_count];
    to += LOG_PACK_HEAD;
    for (int i = 0; i < fired_count; i++, fired += n->fired_size, to += 2) {
        to[0] = fired[0];
        to[1] = fired[1];
    }
    const SaltusNoted *number = n->numbers, *const end = number + n->number_count;
    for (; number < end; number++, to += 2) {
        to[0] = record[number->before];
        to[1] = record[number->after];
    }
    pack->end = to;
    run->statistics.events++;
    run->statistics.event_iterations += (int)record[n->iterations];
}

// The guards of one that is like any other. False: it has to be put.
static bool notes_take(SaltusRun *run, const SaltusNotes *n, const double *record)
{
    // Events that only record can follow each other as they like.
    return run->options.zeno == SALTUS_ZENO_CONTINUE || !notes_is_effective(n, record) ||
           notes_guard(run->active, run->stop_time - run->options.start_time, n, record);
}

// Those that begin with one crossing of the same event function, which does not go on behind it
// after a jump: the guard is asked about all of them together. How many.
static long notes_take_alike(SaltusRun *run, const SaltusNotes *n, const double *records, long most)
{
    const int event = (int)records[n->fired];
    long count = 0;
    if (run->options.zeno == SALTUS_ZENO_CONTINUE)
        return 0;
    for (const double *at = records; count < most; count++, at += n->size)
        if (at[n->crossing_count] != 1.0 || at[n->fired] != event ||
            (at[n->signs + event] == at[n->fired + 1] && notes_jumps(n, at)) ||
            !notes_is_effective(n, at))
            break;
    Guard *guard = &run->active->guards[event];
    count = guard_note_fine(guard, records + n->t, n->size, count,
                            run->stop_time - run->options.start_time);
    if (count > 0)
        guard->direction = (int)records[(count - 1) * n->size + n->fired + 1];
    return count;
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
    SaltusRun *run = s->run;
    const double *record = notes->records;
    long done = 0;
    LogPack *pack = log_pack(&run->log, run->active->index, notes->numbers, notes->number_count,
                             notes->count, notes_fired_count(notes));
    if (!pack)
        return 0;
    while (done < notes->count) {
        long alike = notes_take_alike(run, notes, record, notes->count - done);
        if (alike == 0 && !notes_take(run, notes, record))
            break;
        for (alike = alike > 0 ? alike : 1; alike > 0; alike--, done++, record += notes->size)
            notes_put(run, notes, record, pack);
    }
    log_pack_end(&run->log, pack, done);
    return done;
}
