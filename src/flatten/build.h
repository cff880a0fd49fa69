// SPDX-License-Identifier: MIT
//
// Constructors of typed expressions. They check types and sizes, convert Integer to Real, fold
// constants, and expand arrays: an operation on arrays whose elements are known (FLAT_ARRAY) gives
// a FLAT_ARRAY of operations on scalars. Inside functions elements are not known, and the operation
// stays one on arrays.
//
// An operand of type FLAT_TYPE_NONE means that an error was reported; the result is one too.

#ifndef SALTUS_FLATTEN_BUILD_H
#define SALTUS_FLATTEN_BUILD_H

#include "flatten/context.h"

FlatExpression *build_none(Flattener *f, Span span);
FlatExpression *build_real(Flattener *f, double value, Span span);
FlatExpression *build_integer(Flattener *f, int64_t value, Span span);
FlatExpression *build_boolean(Flattener *f, bool value, Span span);
FlatExpression *build_string(Flattener *f, const char *value, Span span);
FlatExpression *build_enumeration(Flattener *f, const FlatType *type, int64_t value, Span span);

// Gives an expression the shape of another; returns it.
static inline FlatExpression *build_shaped(FlatExpression *e, const FlatExpression *of)
{
    e->rank = of->rank;
    e->dims = of->dims;
    return e;
}
// A node with `count` operands to be filled in. The variability is that of a constant.
FlatExpression *build_node(Flattener *f, FlatKind kind, const FlatType *type, uint32_t count,
                           Span span);
// Sets rank and dims; copies the dims.
void build_shape(Flattener *f, FlatExpression *e, uint32_t rank, const uint32_t *dims);
// The variability of the operands' fastest.
void build_vary(FlatExpression *e);
// A scalar operation without checks or folding.
FlatExpression *build_operation(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                                FlatExpression **operands, Span span);

// The literal that a scalar operation on literals gives; NULL: it stays an operation.
FlatExpression *build_folded(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                             FlatExpression **operands, Span span);

FlatExpression *build_unary(Flattener *f, Operation op, FlatExpression *a, Span span);
FlatExpression *build_binary(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                             Span span);
// One operation with any number of scalar operands of one type, at least 1: ADD, MULTIPLY, MINIMUM,
// MAXIMUM. Literals at the beginning are folded.
FlatExpression *build_chain(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                            FlatExpression **operands, Span span);
// The sum of any number of scalars of one type.
FlatExpression *build_sum(Flattener *f, uint32_t count, FlatExpression **terms,
                          const FlatType *type, Span span);
FlatExpression *build_if(Flattener *f, uint32_t count, FlatExpression **operands, Span span);
// An array of elements that have one shape; {a, b} gives rank + 1. Converts to a common type.
FlatExpression *build_array(Flattener *f, uint32_t count, FlatExpression **items, Span span);
// The FLAT_ARRAY of scalars of one type, row-major; scalars are not copied.
FlatExpression *build_elements(Flattener *f, const FlatType *type, uint32_t rank,
                               const uint32_t *dims, FlatExpression **items, Span span);
// One whole sub-array or element: the first `count` subscripts are numbers from 1.
FlatExpression *build_subscripted(Flattener *f, FlatExpression *a, uint32_t count,
                                  FlatExpression **subscripts, Span span);
FlatExpression *build_member(Flattener *f, FlatExpression *record, const Name *name, Span span);
// A built-in function by the rules of its signature, or by its own.
FlatExpression *build_call(Flattener *f, Operation op, uint32_t count, FlatExpression **arguments,
                           Span span);

// `e` as a value of that type: itself, or the Integer converted to Real. NULL: it cannot be.
FlatExpression *build_convert(Flattener *f, FlatExpression *e, const FlatType *type);
// The same with shape, with a message: `what` is what the value is for, as in "condition".
FlatExpression *build_expect(Flattener *f, FlatExpression *e, const FlatType *type, uint32_t rank,
                             const uint32_t *dims, const char *what);

bool expression_is_none(const FlatExpression *e);
bool expression_is_literal(const FlatExpression *e);  // a number, text or array or record of such
bool expression_is_explicit(const FlatExpression *e); // a scalar, or an array of known elements
uint64_t expression_size(const FlatExpression *e);    // elements; of unknown sizes: UINT64_MAX
// Scalars of simple type in a value whose elements are known.
uint64_t expression_scalars(const FlatExpression *e);
FlatExpression *expression_element(FlatExpression *e, uint64_t index); // of an explicit one
bool expression_same_shape(const FlatExpression *a, const FlatExpression *b);
// "Real[3, 2]", for messages.
const char *expression_type_text(Flattener *f, const FlatExpression *e);
const char *type_text(Flattener *f, const FlatType *type, uint32_t rank, const uint32_t *dims);
bool type_is_numeric(const FlatType *type);

#endif
