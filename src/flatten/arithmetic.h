// SPDX-License-Identifier: MIT
//
// Operations on scalar values: the meaning of the table in operation.h for folding and for the
// interpreter.

#ifndef SALTUS_FLATTEN_ARITHMETIC_H
#define SALTUS_FLATTEN_ARITHMETIC_H

#include "flatten/evaluate.h"

// `type` is that of the operands (they have one), `count` their number; the result's type follows
// from the operation. False: not defined for these values, *reason says why, or no such operation
// on scalars (then *reason is NULL).
bool arithmetic_apply(Arena *arena, Operation op, const FlatType *type, uint32_t count,
                      const Scalar *operands, Scalar *result, const char **reason);
// String(value, ...) as of section 3.7.1: the general form, and the one with a C-like format.
const char *arithmetic_text(Arena *arena, const FlatType *type, Scalar value, int64_t digits,
                            int64_t minimum, bool left, const char *format);
// String(x, ...), whose format is known, of this x.
const char *arithmetic_shown(Arena *arena, const FlatExpression *string, double x);

#endif
