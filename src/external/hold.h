// SPDX-License-Identifier: MIT
//
// What impure functions leave behind. An instant is evaluated many times until its values agree, by
// several programs, so a function that gives another number with every call would never settle: its
// results are held. The n-th call of a site within a pass (one run of an entry of code) has at one
// time always the same results, unless its inputs or those of a call before it have changed. What
// is printed is kept until the instant is over, and of several passes the last one counts.
//
// A run is known by its thread: it stays in one from its start on, and starts anew by hold_begin.

#ifndef SALTUS_EXTERNAL_HOLD_H
#define SALTUS_EXTERNAL_HOLD_H

#include "external/external.h"

typedef struct Hold Hold;

Hold *hold_create(void); // NULL: no memory
void hold_destroy(Hold *hold);

// A run begins in this thread.
void hold_begin(Hold *hold);
// Calls an impure function, or gives back what it gave before. False after a failure.
bool hold_call(Hold *hold, const ExternalSite *site, ExternalCall *call, ExternalMoment *moment);
// See store_next_message.
bool hold_next(Hold *hold, uint32_t *index, ExternalMessage *message);
bool hold_take(Hold *hold, ExternalMessage *message);
// A text at a time (NAN: before the run), at once.
void hold_say(Hold *hold, double time, bool is_warning, const char *text);

#endif
