// SPDX-License-Identifier: MIT
//
// Where several combinations of conditions agree at an instant, one of them is taken (search.h,
// settle.h: the nearest to the values before). Here is found out that there was another one, for
// the event log.
//
// A combination is looked for from what the instant has decided: each condition that it changed (at
// the start: each condition), and those at most MOST_ASKED, is given its other value and keeps it,
// while the others follow for a few rounds. What comes to rest then, in the same mode, agrees with
// the equations and is not left at once by the flow, is another candidate. So this costs at most
// MOST_ASKED times MOST_ROUNDS solutions, and only where somebody reads the notes of the log; what
// the run does never depends on it. A candidate that is two such steps away, or in another mode, is
// not seen.

#ifndef SALTUS_INSTANT_CHOICE_H
#define SALTUS_INSTANT_CHOICE_H

#include "modes/model_parts.h"

// At the end of an iteration in which nothing has changed. Notes the first other candidate.
void choice_look(SaltusEvent *event, const ModelMemory *memory);

#endif
