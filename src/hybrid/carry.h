// SPDX-License-Identifier: MIT
//
// A run as bytes: what saltus_run_copy copies, for another process with the same system. It goes on
// with the same bits, except with multistep solvers, which start anew; what it remembers of modes
// that it has let go of is lost. Not of systems whose memory has pointers (memory_copy).

#ifndef SALTUS_HYBRID_CARRY_H
#define SALTUS_HYBRID_CARRY_H

#include "base/carrier.h"

#include <saltus/saltus.h>

// Writes what identifies a mode, by its SaltusModeDef.data, or reads it (NULL): the mode's index
// here; below zero: there is none.
typedef int CarryMode(void *user, Carrier *carrier, const void *data);

bool carry_is_possible(const SaltusRun *run);
void carry_write(const SaltusRun *run, Carrier *carrier, CarryMode *mode, void *user);
// NULL: the bytes are wrong, or there is no memory.
SaltusRun *carry_read(const SaltusSystem *system, const SaltusOptions *options, Carrier *carrier,
                      CarryMode *mode, void *user);

#endif
