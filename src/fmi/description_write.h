// SPDX-License-Identifier: MIT
//
// modelDescription.xml of FMI 2.0 and 3.0.

#ifndef SALTUS_FMI_DESCRIPTION_WRITE_H
#define SALTUS_FMI_DESCRIPTION_WRITE_H

#include "base/text.h"
#include "fmi/description.h"

// Log categories of the FMUs that Saltus makes: X(name, what it has).
#define FMU_LOG_CATEGORIES(X)                                                                      \
    X("logEvents", "each event: its time, its mode, what it changed")                              \
    X("logStatusWarning", "warnings, why a simulation was terminated")                             \
    X("logStatusError", "errors")

void description_write(StringBuilder *out, const FmuDescription *description);

#endif
