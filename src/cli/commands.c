// SPDX-License-Identifier: MIT
//
// The table of all commands.

#include "cli/commands.h"

#include <stddef.h>

const Command commands[] = {
#define COMMAND_ENTRY(name, function, summary) {#name, summary, function, &name##_table},
    COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
        {0},
};
