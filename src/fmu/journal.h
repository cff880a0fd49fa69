// SPDX-License-Identifier: MIT
//
// States of an instance as bytes (fmi2SerializeFMUstate, fmi3SerializeFMUState): what they consist
// of (snapshot.h), for any process that has the same FMU. Models with delays have a past, too:
// theirs are what was done to the instance since it was made or reset. A run is determined by that
// to the last bit, so who reads the bytes does it again, which takes as long as the run did. (For
// model exchange there are no delays.)
//
// Entries are shared by the states that come after them, so that keeping a state costs nothing.

#ifndef SALTUS_FMU_JOURNAL_H
#define SALTUS_FMU_JOURNAL_H

#include "fmu/instance.h"

typedef enum JournalKind {
    JOURNAL_SET,        // reference, value
    JOURNAL_RATE,       // reference, order, value
    JOURNAL_SETTLE,     // what was set took effect
    JOURNAL_INITIALIZE, // start time, stop time, tolerance
    JOURNAL_STEP,       // time, step, and where it ended
    JOURNAL_UPDATE,     // in event mode
    JOURNAL_RESTORE,    // it went on from a copy
    JOURNAL_TERMINATE,
} JournalKind;

typedef struct JournalEntry {
    struct JournalEntry *before;
    int users; // entries and states
    JournalKind kind;
    uint32_t reference;
    int order;
    uint32_t count; // of the numbers
    double numbers[];
} JournalEntry;

// Notes what is done to an instance that has a past, unless it is being done again. A journal that
// is too long is not gone on with: then states cannot be written.
void journal_add(Fmu *fmu, JournalKind kind, uint32_t reference, int order, uint32_t count,
                 const double *numbers);
JournalEntry *journal_share(JournalEntry *journal);
void journal_release(JournalEntry *journal); // NULL is allowed

// The bytes of a kept state. An error: there are too many, or no room for them.
FmuStatus journal_measure(const Fmu *fmu, const FmuState *state, size_t *size);
FmuStatus journal_write(const Fmu *fmu, const FmuState *state, uint8_t *bytes, size_t size);
// A new state; an error: the bytes are none of this FMU, or it cannot be done again.
FmuStatus journal_read(Fmu *fmu, const uint8_t *bytes, size_t size, FmuState **state);

#endif
