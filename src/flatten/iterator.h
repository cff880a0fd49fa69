// SPDX-License-Identifier: MIT
//
// Ranges of loops and comprehensions.

#ifndef SALTUS_FLATTEN_ITERATOR_H
#define SALTUS_FLATTEN_ITERATOR_H

#include "flatten/elaborate.h"

// The class that an expression names, if it is Boolean or an enumeration; NULL: none.
Class *iterator_type(Flattener *f, Scope *s, const Expression *e);
// The vector of the values: FLAT_ARRAY if they are known. FLAT_TYPE_NONE after a message. An
// iterator without a range has that of the subscript it is used as (section 11.2.2.1): in
// a for-equation,
FlatExpression *iterator_equation_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                        const Equation *loop);
// or of a for-statement, whose values may be known in the run only.
FlatExpression *iterator_statement_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                         const Statement *loop);
// Counts an iteration of an unrolled loop; false, with a message, beyond the limit.
bool iterator_count(Flattener *f, Span span);
// The iterations of an unrolled loop with so many values, and those of the loops around it; 0, with
// a message: far beyond the limit.
double iterator_rounds(Flattener *f, Span span, const ScopeIterator *outer, uint32_t count);

// {body for iterator in range}, in a function.
FlatExpression *iterator_loop(Flattener *f, FlatLocal *iterator, FlatExpression *range,
                              FlatExpression *body, Span span);
// The element of an array in a function at each value of a new iterator over its first dimension.
FlatExpression *iterator_over(Flattener *f, Scope *s, FlatExpression *vector, FlatLocal **iterator,
                              FlatExpression **range);

#endif
