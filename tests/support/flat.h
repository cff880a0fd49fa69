// SPDX-License-Identifier: MIT
//
// Flattens a text in a test.

#ifndef SALTUS_TESTS_SUPPORT_FLAT_H
#define SALTUS_TESTS_SUPPORT_FLAT_H

#include "flatten/flatten.h"

// The last model of the text; NULL after errors, which the compilation has. No libraries are found.
const FlatModel *flat_from_text(Compilation *compilation, const char *text);
const FlatModel *flat_from_text_with(Compilation *compilation, const char *text, const char *model,
                                     const FlattenOptions *options);
// By name; NULL: there is none.
FlatVariable *flat_variable(const FlatModel *model, const char *name);
// The text of an expression; lives in the compilation.
const char *flat_text(Compilation *compilation, const FlatExpression *e);
// Whether some error contains the text.
bool flat_has_error(const Compilation *compilation, const char *text);

#endif
