// SPDX-License-Identifier: MIT
//
// What is to be told about a run that did not fail.

#ifndef SALTUS_OPEN_WARNINGS_H
#define SALTUS_OPEN_WARNINGS_H

#include "modes/model.h"

// The next warning from *index on, which is 0 at first: assertions of level warning, what singular
// equations left open, what made the run slow if the model or the method is to blame for it,
// parameters that are not finite or beyond their limits. False: none. *time: from when on; NaN: the
// run as a whole. arena: of messages that are put together.
bool warnings_next(const Model *model, const SaltusRun *run, uint32_t *index, double *time,
                   Arena *arena, const char **message);

#endif
