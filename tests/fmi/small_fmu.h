// SPDX-License-Identifier: MIT
//
// An FMU that is made of a few lines of C.

#ifndef SALTUS_TESTS_FMI_SMALL_FMU_H
#define SALTUS_TESTS_FMI_SMALL_FMU_H

#include <stdbool.h>

// Its path, in a folder of its own. `name` is that of its library. False: there is no compiler.
bool small_fmu_make(char path[64], const char *name, const char *description, const char *source);
void small_fmu_remove(const char *path);

#endif
