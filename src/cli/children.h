// SPDX-License-Identifier: MIT
//
// Programs that the command has started, such as compilers: they are process groups of their own
// (base/process.h), so who ends the command must end them.

#ifndef SALTUS_CLI_CHILDREN_H
#define SALTUS_CLI_CHILDREN_H

// Ends all of them, with what they have started themselves. It may be called by a signal handler.
void children_end(void);

// Before the end of the program: a process that shares its memory and ends after it, so that nobody
// waits while the system takes that back: 0.3 s for each 1e9 bytes on a busy machine. It does
// nothing if there is not much. It may be called by a signal handler.
void children_take_memory(void);

#endif
