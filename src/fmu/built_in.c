// SPDX-License-Identifier: MIT

#include "fmu/built_in.h"

const NativeBuiltIn fmu_built_in[] = {{NULL, NULL}};
