// SPDX-License-Identifier: MIT
//
// Ranges of loops and comprehensions.

#ifndef SALTUS_FLATTEN_ITERATOR_H
#define SALTUS_FLATTEN_ITERATOR_H

#include "flatten/elaborate.h"

// What a loop's iterator without a range is used in.
typedef struct IteratorBody {
    uint32_t expression_count, equation_count, statement_count;
    Expression *const *expressions;
    Equation *const *equations;
    Statement *const *statements;
} IteratorBody;

// The class that an expression names, if it is Boolean or an enumeration; NULL: none.
Class *iterator_type(Flattener *f, Scope *s, const Expression *e);
// The vector of the values: FLAT_ARRAY if they are known. FLAT_TYPE_NONE after a message.
FlatExpression *iterator_range(Flattener *f, Scope *s, const Iterator *iterator,
                               const IteratorBody *body);
// The same for a loop of statements, whose values may be known in the run only.
FlatExpression *iterator_statement_range(Flattener *f, Scope *s, const Iterator *iterator,
                                         const IteratorBody *body);
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
