// SPDX-License-Identifier: MIT
//
// Walks over everything in a flat model that is an expression.

#ifndef SALTUS_FLATTEN_WALK_H
#define SALTUS_FLATTEN_WALK_H

#include "flatten/flat.h"

// `component`: what the expression belongs to; NULL inside functions.
typedef void FlatVisitor(void *data, FlatExpression *e, const FlatComponent *component);

// All equations, bindings, attributes, conditions, statements; not the functions.
void flat_walk(const FlatModel *model, FlatVisitor *visit, void *data);
void flat_walk_statements(uint32_t count, FlatStatement *const *statements, FlatVisitor *visit,
                          void *data, const FlatComponent *component);
// The values, sizes and statements of a function.
void flat_walk_function(const FlatFunction *function, FlatVisitor *visit, void *data);

// Whether the test holds for one of the expressions that flat_walk_function, or
// flat_walk_statements, would visit.
typedef bool FlatTest(const void *data, const FlatExpression *e);
bool flat_any_in_function(const FlatFunction *function, FlatTest *test, const void *data);
bool flat_any_in_statements(uint32_t count, FlatStatement *const *statements, FlatTest *test,
                            const void *data);

#endif
