// SPDX-License-Identifier: MIT
//
// The journal of a sweep: the points that are finished, one line each, as they come, so that an
// interrupted sweep can go on. A line has a checksum; one that was cut off by a crash does not
// count.
//
// What always holds: what was read back is, bit for bit, what was written.

#ifndef SALTUS_STUDIES_JOURNAL_H
#define SALTUS_STUDIES_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct JournalRecord {
    size_t index; // of the point
    int status;   // SaltusStatus; below zero: it failed
    size_t count; // of the values
    const double *values;
    const char *message; // why it failed, stopped, or has a value that is missing; ""; one line
} JournalRecord;

typedef struct Journal Journal;

// Called for each record that is there already; what it points to is valid in the call only. False:
// it does not fit the sweep, and the record does not count.
typedef bool JournalRead(void *user, const JournalRecord *record);

// Opens the journal of the sweep that `key` stands for, which has no line breaks. is_resumed: it
// may be there, with records of `count` values, which are read; if not, it must not be there.
// NULL: the message says why.
Journal *journal_open(const char *path, const char *key, bool is_resumed, size_t count,
                      JournalRead *read, void *user, char **message);
// False: it cannot be written; the message says why.
bool journal_add(Journal *journal, const JournalRecord *record, char **message);
// Closes it; is_finished: it is not needed any more and removed.
void journal_close(Journal *journal, bool is_finished);

#endif
