// SPDX-License-Identifier: MIT
//
// Whether nvcc takes the text of a kernel, for tests.

#ifndef SALTUS_TESTS_KERNEL_CUDA_H
#define SALTUS_TESTS_KERNEL_CUDA_H

#include "studies/sweep_kernel.h"

bool cuda_is_there(void);
// Compiles the text, and destroys the kernel. The exit status of nvcc; fails the test if the text
// cannot be written.
int cuda_compile(SweepKernel *kernel);

#endif
