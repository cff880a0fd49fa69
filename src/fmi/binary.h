// SPDX-License-Identifier: MIT
//
// The shared object of an FMU, loaded: foreign code, whose functions are called from here on.

#ifndef SALTUS_FMI_BINARY_H
#define SALTUS_FMI_BINARY_H

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

#define FMI2_MEMBER(result, name, arguments) result(*name) arguments;
#define FMI3_MEMBER(result, name, arguments) result(*name) arguments;

// Functions that the FMU does not have are NULL; those that its interface must have are there.
typedef struct Fmi2Table {
    FMI2_FUNCTIONS(FMI2_MEMBER)
} Fmi2Table;

typedef struct Fmi3Table {
    FMI3_FUNCTIONS(FMI3_MEMBER)
} Fmi3Table;

#undef FMI2_MEMBER
#undef FMI3_MEMBER

typedef enum FmuInterface { FMU_COSIMULATION, FMU_EXCHANGE, FMU_SCHEDULED } FmuInterface;

typedef struct FmuBinary {
    void *handle;
    Fmi2Table fmi2; // of version 2
    Fmi3Table fmi3; // of version 3
} FmuBinary;

// False: a message says why.
bool binary_open(FmuBinary *binary, const char *path, int version, FmuInterface interface,
                 char **message);
void binary_close(FmuBinary *binary);

#endif
