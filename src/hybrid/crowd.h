// SPDX-License-Identifier: MIT
//
// Steps that do not get on: the stop time is out of reach, or a state goes to infinity before it.

#ifndef SALTUS_HYBRID_CROWD_H
#define SALTUS_HYBRID_CROWD_H

#include "hybrid/run.h"

// After each step. Not SALTUS_OK: the run has failed, with a message.
SaltusStatus crowd_check(SaltusRun *run);

#endif
