// SPDX-License-Identifier: MIT
//
// An FMU's description as a block in Modelica.

#ifndef SALTUS_FMI_BLOCK_TEXT_H
#define SALTUS_FMI_BLOCK_TEXT_H

#include "base/text.h"
#include "fmi/description.h"

// Parameters, inputs and outputs that are numbers, in the order of the description: those that the
// block has, and that its calls have elements for. A whole block has the others, too.
typedef enum BlockRole {
    BLOCK_NONE,
    BLOCK_PARAMETER,
    BLOCK_INPUT,
    BLOCK_OUTPUT,
    BLOCK_LOCAL,
} BlockRole;
BlockRole block_role(const FmuVariable *variable);

// Model exchange, for it has no co-simulation.
bool block_is_exchange(const FmuDescription *description);

// False: it cannot be a block, for the reason in the message. `path` is that of the FMU, `name`
// that of the block; state_count and indicator_count are of model exchange.
bool block_write(StringBuilder *out, const FmuDescription *description, const char *path,
                 const char *name, bool is_whole, uint32_t state_count, uint32_t indicator_count,
                 char **message);

// Whether a block of a model has the FMU's local variables: if there are not too many of them.
bool block_shows_locals(const FmuDescription *d);

#endif
