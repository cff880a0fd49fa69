// SPDX-License-Identifier: MIT
//
// The text of a kernel: one C function that runs whole trajectories of a model, without calls into
// the library. It is C for the processor, where a vector has as many lanes as LANES says, and CUDA
// for the GPU, where each thread has one trajectory.
//
// The text: prelude.inc (vectors and operators) and shared.inc (what all modes share); then each
// mode: its equations with their derivatives, tables of its conditions, one step of the solver,
// unrolled, its start, and trajectory.inc (steps, detection, location, events), change.inc and
// jump.inc (leaving and entering it), run.inc (lanes), which are the same for all; then driver.inc.
// For one run instead (whole.h): whole_call.inc and whole_shared.inc after shared.inc,
// whole_run.inc after run.inc, whole_driver.inc.

#ifndef SALTUS_KERNEL_SOURCE_H
#define SALTUS_KERNEL_SOURCE_H

#include "kernel/kernel.h"

// NULL: it can be written; else what the kernel cannot hold, in words. `out` has an arena.
// *modes: how many it has, numbers: which (KERNEL_MOST_MODES).
const char *source_write(const KernelDef *def, unsigned lanes, StringBuilder *out, unsigned *modes,
                         uint32_t *numbers);

#endif
