// SPDX-License-Identifier: MIT
//
// Programs that the command has started, such as compilers: they are process groups of their own
// (base/process.h), so who ends the command must end them.

#ifndef SALTUS_CLI_CHILDREN_H
#define SALTUS_CLI_CHILDREN_H

// Ends all of them, with what they have started themselves. It may be called by a signal handler.
void children_end(void);

#endif
