// SPDX-License-Identifier: MIT
//
// The component library that comes with the command.

#ifndef SALTUS_CLI_LIBRARIES_H
#define SALTUS_CLI_LIBRARIES_H

// Lets models use the package Saltus without any setting: its folder is searched after those of
// MODELICAPATH (or OPENMODELICALIBRARY).
void libraries_add_own(void);

#endif
