// SPDX-License-Identifier: MIT
//
// Operator records (chapter 14 of the specification): which of a record's functions an operator
// means.
//
//   operator record Complex ... encapsulated operator '-' function negate ... function subtract ...
//
// All classes that are short definitions of one operator record have its operators, and values of
// them can take each other's place.

#ifndef SALTUS_FLATTEN_OVERLOAD_H
#define SALTUS_FLATTEN_OVERLOAD_H

#include "flatten/elaborate.h"

// The operator record that `c` is, or is a short definition of; NULL: none.
Class *overload_class(Flattener *f, Class *c);
// Whether a component of class `c` can be declared as far as operators go; role: ROLE_FLOW asks for
// those that connections need. False after a message.
bool overload_allows(Flattener *f, Class *c, uint8_t role, Span use);
// Whether it is an operator record, or an array of such.
static inline bool overload_concerns(const FlatExpression *e)
{
    return e->type->operators != NULL;
}
// Whether values of the type have functions for the operator `name`, as in "'String'".
bool overload_has(Flattener *f, const FlatType *type, const char *name);

// a op b, op a, sum(a) where overload_concerns some operand.
FlatExpression *overload_binary(Flattener *f, Scope *s, Operation op, FlatExpression *a,
                                FlatExpression *b, Span span);
FlatExpression *overload_unary(Flattener *f, Scope *s, Operation op, FlatExpression *a, Span span);
FlatExpression *overload_sum(Flattener *f, Scope *s, FlatExpression *a, Span span);
// A call C(...) or String(...) of the operator `name` of `type`.
FlatExpression *overload_call(Flattener *f, Scope *s, const FlatType *type, const char *name,
                              const Expression *e);

#endif
