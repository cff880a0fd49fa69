// SPDX-License-Identifier: MIT
//
// The text of a kernel: one C function that runs whole trajectories of a model, without calls into
// the library. It is C for the processor, where a vector has as many lanes as LANES says, and CUDA
// for the GPU, where each thread has one trajectory.
//
// The text has four parts: prelude.inc (vectors and operators); what this model is (equations with
// their derivatives, tables of its conditions, start values); one step of the solver, unrolled;
// trajectory.inc (the run: steps, detection, location, events), which is the same for all models.

#ifndef SALTUS_KERNEL_SOURCE_H
#define SALTUS_KERNEL_SOURCE_H

#include "kernel/kernel.h"

// NULL: it can be written; else what the kernel cannot hold, in words. `out` has an arena.
// *modes: how many it has.
const char *source_write(const KernelDef *def, unsigned lanes, StringBuilder *out, unsigned *modes);

#endif
