// SPDX-License-Identifier: MIT

#define _DEFAULT_SOURCE // mkstemps

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool cuda_is_there(void)
{
    return system("command -v nvcc >/dev/null 2>&1") == 0;
}

int cuda_compile(SweepKernel *kernel)
{
    char path[] = "/tmp/saltus-kernel-XXXXXX.cu", command[200];
    assert_non_null(kernel);
    const String text = kernel_source(sweep_kernel_code(kernel));
    const int descriptor = mkstemps(path, 3);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    assert_int_equal(fwrite(text.text, 1, text.length, file), text.length);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "nvcc --ptx -w -o /dev/null %s", path);
    const int status = system(command);
    unlink(path);
    sweep_kernel_destroy(kernel);
    return status;
}
