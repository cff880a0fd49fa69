// SPDX-License-Identifier: MIT
//
// The derivative of an entry in one direction, forward through its instructions and those of the
// functions that it calls, by the columns "by a" and "by b" of base/operator_table.h: exact up to
// rounding. Of external functions it has those that have derivatives forwards, the tables among
// them; of users' C code these are differences (external/foreign.c).

#ifndef SALTUS_CODE_TANGENT_H
#define SALTUS_CODE_TANGENT_H

#include "code/code.h"

// Doubles of working memory that the entries of a module need.
size_t tangent_room(const CodeModule *module);
// seeds: directions of the input vectors, NULL: zero; tangents: what follows for the outputs that
// the entry writes. False: it calls an external function without a derivative, a function of it
// fails, there is no memory, or only the interpreter's words are there.
bool tangent_run(const CodeModule *module, uint32_t entry, const double *const *inputs,
                 const double *const *seeds, double *const *tangents, double *work);

#endif
