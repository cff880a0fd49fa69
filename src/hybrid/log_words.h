// SPDX-License-Identifier: MIT
//
// Events of a run in words.

#ifndef SALTUS_HYBRID_LOG_WORDS_H
#define SALTUS_HYBRID_LOG_WORDS_H

#include <saltus/saltus.h>

typedef struct LogSource {
    const SaltusSystem *system;
    const SaltusRun *run;
    // The names of modes, if the system does not know them; NULL: it does.
    const char *(*mode_name)(const void *mode_user, int mode);
    const void *mode_user;
} LogSource;

// What happened at an event, in words, one after the other: the conditions that fired (direction 1:
// rising, -1: falling), each once though it may have fired in several iterations, be it in several
// modes; then the time events (direction 0). The texts stay as long as the system.
typedef void LogTake(void *user, const char *text, int direction);
void log_conditions(const LogSource *source, const SaltusLogEntry *entry, LogTake *take,
                    void *user);

#endif
