// SPDX-License-Identifier: MIT
//
// The component library that comes with the command.

#ifndef SALTUS_CLI_LIBRARIES_H
#define SALTUS_CLI_LIBRARIES_H

#include "base/arena.h"
#include "cli/options.h"

enum { LIBRARIES_PATH = 4200 }; // of a path, with its end

// The folder that the program is in. False: the system does not tell.
bool libraries_find_program(char folder[LIBRARIES_PATH]);

// The folder of the models that come with the command, beside it or where it was built. False:
// there is none.
bool libraries_own(char folder[LIBRARIES_PATH]);

// Where libraries are looked for: the folders given by --library, then where they are without it.
// NULL: none were given.
const char *libraries_path(Arena *arena, const OptionList *folders);

// Lets models use the package Saltus without any setting: its folder is searched after those of
// MODELICAPATH (or OPENMODELICALIBRARY).
void libraries_add_own(void);

#endif
