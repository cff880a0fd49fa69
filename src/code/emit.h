// SPDX-License-Identifier: MIT
//
// A module as C: readable, without any header, one function per entry named "saltus_" and the
// entry's name, of type CodeFunction. In long entries what repeats becomes a loop (loops.h), and
// they are cut into functions of some 256 operations, because compilers take more than linear time
// for long ones.
//
// Names that the layout gives to vectors must not be `in`, `out`, `run`, `w`, `i`, or r and v with
// a number.

#ifndef SALTUS_CODE_EMIT_H
#define SALTUS_CODE_EMIT_H

#include "code/code.h"

// Changes whenever the text for the same module would.
#define EMIT_VERSION "4"

// `title` goes into the first line; may be NULL. The module is finished.
void emit_module(const CodeModule *module, const char *title, StringBuilder *out);
// One entry alone, as a function with `mark` before its type and `prefix` before its name, for a
// text that has the prelude's types already. The module calls no users' functions.
void emit_entry_as(const CodeModule *module, uint32_t entry, const char *mark, const char *prefix,
                   StringBuilder *out);

#endif
