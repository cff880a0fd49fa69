// SPDX-License-Identifier: MIT
//
// Sequences of events: see sequence.h.

#include "studies/sequence.h"

#include <stdlib.h>

// FNV-1a
static uint64_t hash(const char *text)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return sum;
}

bool sequence_take(const StudyRunner *runner, Sequence *sequence)
{
    char text[200];
    long count = 0;
    *sequence = (Sequence){0};
    while (study_event_text(runner, count, text))
        count++;
    sequence->events = calloc((size_t)count + 1, sizeof *sequence->events);
    if (!sequence->events)
        return false;
    for (; study_event_text(runner, (long)sequence->count, text); sequence->count++)
        sequence->events[sequence->count] = hash(text);
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
