// SPDX-License-Identifier: MIT
//
// The events of a run as a sequence: what happened one after the other, without times. Two runs
// with different sequences belong to different branches of a result that depends on parameters:
// between them it may jump.

#ifndef SALTUS_STUDIES_SEQUENCE_H
#define SALTUS_STUDIES_SEQUENCE_H

#include "studies/study.h"

typedef struct Sequence {
    uint64_t *events; // a hash of each
    size_t count;
} Sequence;

// Of the runner's last run. False: out of memory.
bool sequence_take(const StudyRunner *runner, Sequence *sequence);
void sequence_free(Sequence *sequence);
bool sequence_equal(const Sequence *a, const Sequence *b);
// The number of the first event in which they differ, from 0; the common length if there is none.
size_t sequence_difference(const Sequence *a, const Sequence *b);

#endif
