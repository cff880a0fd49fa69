// SPDX-License-Identifier: MIT
//
// A state of an instance as bytes, by what it consists of: see journal.h for those of models whose
// past counts.

#ifndef SALTUS_FMU_SNAPSHOT_H
#define SALTUS_FMU_SNAPSHOT_H

#include "base/carrier.h"
#include "fmu/instance.h"

// Whether there is anything to write; the run may have failed.
bool snapshot_is_possible(const FmuState *state);
// Writes the state, or counts its bytes.
void snapshot_write(const Fmu *fmu, const FmuState *state, Carrier *carrier);
// Becomes that of the instance. An error: the bytes are wrong, or there is no memory.
FmuStatus snapshot_read(Fmu *fmu, Carrier *carrier);

#endif
