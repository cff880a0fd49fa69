// SPDX-License-Identifier: MIT
//
// Sequences of events: see sequence.h.

#include "studies/sequence.h"

#include <stdlib.h>

bool sequence_take(const StudyRunner *runner, Sequence *sequence)
{
    long count = 0;
    uint64_t hash;
    *sequence = (Sequence){0};
    while (study_event_hash(runner, count, &hash))
        count++;
    sequence->events = calloc((size_t)count + 1, sizeof *sequence->events);
    if (!sequence->events)
        return false;
    for (; study_event_hash(runner, (long)sequence->count, &hash); sequence->count++)
        sequence->events[sequence->count] = hash;
    return true;
}

void sequence_free(Sequence *sequence)
{
    free(sequence->events);
    *sequence = (Sequence){0};
}

size_t sequence_difference(const Sequence *a, const Sequence *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && a->events[i] == b->events[i])
        i++;
    return i;
}

bool sequence_equal(const Sequence *a, const Sequence *b)
{
    return a->count == b->count && sequence_difference(a, b) == a->count;
}
