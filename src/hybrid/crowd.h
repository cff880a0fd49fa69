// SPDX-License-Identifier: MIT
//
// Steps that do not get on: the stop time is out of reach, or a state goes to infinity before it.

#ifndef SALTUS_HYBRID_CROWD_H
#define SALTUS_HYBRID_CROWD_H

#include "hybrid/run.h"

enum { CROWD = 100000 }; // steps, that are looked at together

// The rest of crowd_check, out of line: at the beginning and at the end of a crowd.
SaltusStatus crowd_look(SaltusRun *run);

// After each step. Not SALTUS_OK: the run has failed, with a message.
static inline SaltusStatus crowd_check(SaltusRun *run)
{
    const int count = run->trouble.crowd++;
    return count > 0 && count < CROWD ? SALTUS_OK : crowd_look(run);
}

#endif
