// SPDX-License-Identifier: MIT
//
// Single runs by a kernel: a model with its solver as one C function that makes steps and events of
// a run until it comes to something that it cannot do. That is done by the engine as always, and
// the function goes on behind it (SaltusSystemDef.stretch). A function for each solver is compiled
// when a run first needs it.
//
// What always holds: an event that the function may not make like the engine is left to the engine,
// as it began. What differs from the ordinary run are the sizes of the steps, so values within the
// tolerance.

#ifndef SALTUS_KERNEL_WHOLE_H
#define SALTUS_KERNEL_WHOLE_H

#include "kernel/kernel.h"

// Runs of the model, of systems that are made from now on, are made by functions where they can. To
// be said after model_set_backend. False: out of memory.
bool whole_enable(const Model *model);
// Why the last function that was asked for is not there; "": it is, or nobody asked.
const char *whole_reason(const Model *model);

#endif
