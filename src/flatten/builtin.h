// SPDX-License-Identifier: MIT
//
// What build_call is made of.

#ifndef SALTUS_FLATTEN_BUILTIN_H
#define SALTUS_FLATTEN_BUILTIN_H

#include "flatten/build.h"

// Reports that the argument must be something else, `wanted`; no expression.
FlatExpression *build_wrong_argument(Flattener *f, Operation op, const FlatExpression *a,
                                     const char *wanted);
// The functions on arrays of section 10.3; array_functions.c.
FlatExpression *build_array_call(Flattener *f, Operation op, uint32_t count,
                                 FlatExpression **arguments, Span span);
// Clocks and what looks at them, chapter 16; clock_build.c. (`sample` has its own place.)
static inline bool operation_is_clocked(Operation op)
{
    return op >= OPERATION_CLOCK && op <= OPERATION_INTERVAL;
}

static inline bool operation_has_past(Operation op)
{
    return op >= OPERATION_SPATIAL_DISTRIBUTION && op <= OPERATION_DELAY;
}
FlatExpression *build_clocked(Flattener *f, Operation op, uint32_t count,
                              FlatExpression **arguments, Span span);
// start:step:stop.
FlatExpression *build_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                            FlatExpression *stop, Span span);
// The same for a loop of statements: it stays an operation if its values are known in the run only.
FlatExpression *build_loop_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                                 FlatExpression *stop, Span span);
// For one of a function: Integers stay an operation, however many they are.
FlatExpression *build_counting_range(Flattener *f, FlatExpression *start, FlatExpression *step,
                                     FlatExpression *stop, Span span);
// Arrays side by side along dimension `along` (from 1).
FlatExpression *build_cat(Flattener *f, uint32_t along, uint32_t count, FlatExpression **items,
                          Span span);
// With dimensions of size 1 added at the end.
FlatExpression *build_promoted(Flattener *f, FlatExpression *a, uint32_t rank);
// E(2).
FlatExpression *build_to_enumeration(Flattener *f, const FlatType *type, FlatExpression *a,
                                     Span span);

// The number of arguments a built-in function takes; false: any number from *least.
bool operation_arity(Operation op, uint32_t *least, uint32_t *most);
// What is said about an operation that has no value. NULL: it has one.
FlatExpression *call_reject_operation(Flattener *f, const Expression *e, Operation op);

#endif
