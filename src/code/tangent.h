// SPDX-License-Identifier: MIT
//
// The derivative of an entry in one direction, forward through its instructions by the columns
// "by a" and "by b" of base/operator_table.h: exact up to rounding.

#ifndef SALTUS_CODE_TANGENT_H
#define SALTUS_CODE_TANGENT_H

#include "code/code.h"

// Doubles of working memory that the entries of a module need.
size_t tangent_room(const CodeModule *module);
// seeds: directions of the input vectors, NULL: zero; tangents: what follows for the outputs that
// the entry writes. False: it calls users' functions, or only the interpreter's words are there.
bool tangent_run(const CodeModule *module, uint32_t entry, const double *const *inputs,
                 const double *const *seeds, double *const *tangents, double *work);

#endif
