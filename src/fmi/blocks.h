// SPDX-License-Identifier: MIT
//
// FMUs as blocks of Modelica models: NAME.fmu, found where a class NAME would be, is a block with
// the FMU's parameters, inputs and outputs (block_text.h), whose equations call the FMU.
//
// Of co-simulation the block is a sampled one: at each communication point the outputs are those
// that a step from the last one has led to, with the inputs that were sampled there. Of model
// exchange its states are states of the model, and its event indicators relations of it.
//
// What always holds: an instance belongs to a run, which is known by its thread (external/hold.h),
// and to a component, which is known by its name. A call says what it is to compute by all of its
// arguments, so that it may be called again with the same ones; what an FMU would have to go back
// in time for, is refused.

#ifndef SALTUS_FMI_BLOCKS_H
#define SALTUS_FMI_BLOCKS_H

#include "external/external.h"

// NULL: out of memory. The store that it is invited to destroys it.
ExternalGuest *blocks_create(void);

#endif
