// SPDX-License-Identifier: MIT
//
// What is printed for people cannot command their terminal: names, texts of models and paths may
// have control characters in them, of which escape sequences are made, and others that turn the
// direction of the text around them. On standard error, and on standard output if that is a
// terminal, these and bytes that are no UTF-8 become '?'. The
// colours of messages may pass.

#ifndef SALTUS_CLI_TERMINAL_H
#define SALTUS_CLI_TERMINAL_H

#include <stddef.h>

// From now on, for the whole program.
void terminal_protect(void);

// The text without what is not to be printed; as long as it was.
void terminal_clean(char *text, size_t length);

#endif
