// SPDX-License-Identifier: MIT
//
// The event log of a run as CSV (time,class,condition,from,to,changes,note; one row per event) and
// as a
// JSON array. What is recorded (SE-O) stands among the changes, as a value without a left limit.

#ifndef SALTUS_RESULTS_LOG_WRITE_H
#define SALTUS_RESULTS_LOG_WRITE_H

#include "hybrid/log_words.h"

#include <stdio.h>

// The log that the run has kept.
void log_write_json(FILE *stream, const LogSource *source);

// One after the other, as events happen; number: of the entry, from 0 on. The run is not asked.
void log_write_csv_heading(FILE *stream);
void log_write_csv_entry(FILE *stream, const LogSource *source, const SaltusLogEntry *entry);
void log_write_json_entry(FILE *stream, const LogSource *source, const SaltusLogEntry *entry,
                          long number);
void log_write_json_end(FILE *stream, long count);

#endif
