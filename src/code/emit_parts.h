// SPDX-License-Identifier: MIT
//
// What emit.c writes for emit_module.c.

#ifndef SALTUS_CODE_EMIT_PARTS_H
#define SALTUS_CODE_EMIT_PARTS_H

#include "code/emit.h"

// Text of a comment that nothing in it can break out of.
void emit_comment(StringBuilder *out, const char *text);
// A function of the user's, and what announces it.
void emit_function(const CodeModule *m, uint32_t number, StringBuilder *out);
void emit_prototype(const CodeModule *m, uint32_t number, StringBuilder *out);
// An entry of the module, "saltus_" before its name.
void emit_entry(const CodeModule *m, const CodeBody *body, StringBuilder *out);

#endif
