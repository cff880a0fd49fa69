// SPDX-License-Identifier: MIT
//
// A model of models/ or a text, exported as an FMU, unpacked and loaded, for tests.

#ifndef SALTUS_TESTS_FMI_UNPACKED_H
#define SALTUS_TESTS_FMI_UNPACKED_H

#include "fmi/binary.h"

typedef struct Unpacked {
    char folder[64], resources[128], location[160]; // location: the resources as a URI
    char token[64];
    char *description; // the XML
    FmuBinary binary;
} Unpacked;

// Fails the test after errors. `model` NULL: the last one of the file. `def` of the export:
// version, interfaces.
void unpacked_create(Unpacked *unpacked, const char *file, const char *model, int version,
                     bool is_exchange);
void unpacked_end(Unpacked *unpacked);
// The value reference of a variable of the description.
unsigned unpacked_reference(const Unpacked *unpacked, const char *name);

#endif
