// SPDX-License-Identifier: MIT
//
// Points of a sweep by a kernel: many at once, on the processor or on a GPU.

#ifndef SALTUS_STUDIES_SWEEP_KERNEL_H
#define SALTUS_STUDIES_SWEEP_KERNEL_H

#include "kernel/kernel.h"
#include "studies/axis.h"

typedef struct SweepKernel SweepKernel;

// NULL: out of memory.
SweepKernel *sweep_kernel_create(Study *study, const Axis *axes, size_t axis_count,
                                 KernelDevice device);
void sweep_kernel_destroy(SweepKernel *kernel); // NULL is allowed
// Why points cannot be run by it; "" if they can.
const char *sweep_kernel_reason(const SweepKernel *kernel);
const KernelCode *sweep_kernel_code(const SweepKernel *kernel);
// How many numbers kernel_run makes of a point.
size_t sweep_kernel_result_count(const SweepKernel *kernel);

// After more runs: the kernel once more, if they have met modes that it does not have. False: they
// have not, or it could not be made; then it is as it was.
bool sweep_kernel_renew(SweepKernel *kernel);

// See kernel_run: those of one point after the other.
bool sweep_kernel_run(SweepKernel *kernel, const double *values, size_t count, double *results,
                      int *status);
// The values of all observations of a point, and the reason why the first one that is missing is.
// One thread at a time; the message is valid until the next call. False: out of memory.
bool sweep_kernel_read(SweepKernel *kernel, const double *values, const double *results,
                       double *observed, const char **message);

#endif
