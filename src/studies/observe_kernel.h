// SPDX-License-Identifier: MIT
//
// Observations that a kernel makes (kernel/kernel.h): final values, and events of the model with
// their times and the values just before and after.

#ifndef SALTUS_STUDIES_OBSERVE_KERNEL_H
#define SALTUS_STUDIES_OBSERVE_KERNEL_H

#include "kernel/kernel.h"
#include "studies/observe.h"

// Fills in what the kernel is to observe; everything lives in the arena. NULL: it can; else what it
// cannot, in words.
const char *observe_kernel_plan(const Observations *o, Arena *arena, KernelDef *def);
// Whether parameters occur, so that observe_kernel_read needs them.
bool observe_kernel_has_parameters(const Observations *o);
// What an observer would have seen in a run with these results, whose last mode has this name.
// False: out of memory.
bool observe_kernel_read(RunObserver *observer, const KernelDef *def, const double *parameters,
                         const double *results, const char *mode);

#endif
