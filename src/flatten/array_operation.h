// SPDX-License-Identifier: MIT
//
// The built-in functions on arrays (section 10.3 of the specification), matrix products and
// concatenation, once for elements of any kind: expressions of the flat model (array_functions.c),
// values before the run (evaluate_array.c), nodes of the graph (equations/convert_array.c).
//
// Here stand the shape of the result, and which element of the operands, or what combination of
// them, each of its elements is; the rest is left to the five functions of an ArrayElements.

#ifndef SALTUS_FLATTEN_ARRAY_OPERATION_H
#define SALTUS_FLATTEN_ARRAY_OPERATION_H

#include "flatten/evaluate.h"

typedef struct ArrayShape {
    uint32_t rank; // 0: a scalar
    const uint32_t *dims;
} ArrayShape;

typedef union ArrayElement {
    FlatExpression *flat;
    Scalar scalar;
    uint32_t node;
} ArrayElement;

typedef struct ArrayCall ArrayCall;

// Elements are numbered in row-major order; a scalar is element 0.
typedef struct ArrayElements {
    // Element `to` of the result is element `from` of an operand.
    void (*take)(ArrayCall *c, uint64_t to, uint32_t operand, uint64_t from);
    // The same in two steps, of numbers.
    ArrayElement (*get)(ArrayCall *c, uint32_t operand, uint64_t from);
    void (*set)(ArrayCall *c, uint64_t to, ArrayElement element);
    // A number, of the type of the result.
    ArrayElement (*number)(ArrayCall *c, double value);
    // NEGATE of one; SUBTRACT, DIVIDE of two; ADD, MULTIPLY, MINIMUM, MAXIMUM of one or more, from
    // left to right. False: it fails.
    bool (*combine)(ArrayCall *c, Operation op, uint32_t count, const ArrayElement *x,
                    ArrayElement *result);
} ArrayElements;

enum { ARRAY_MOST_RANK = UINT8_MAX };

struct ArrayCall {
    Operation op;
    const FlatType *type; // of the result
    uint32_t count;       // of operands
    const ArrayShape *shapes;
    const int64_t *numbers; // of operands that are numbers, below; others are not looked at
    // The result, by array_shape. Sizes may be FLAT_UNKNOWN_SIZE if those of the operands are.
    uint32_t rank;
    uint32_t *dims; // the caller's, room for ARRAY_MOST_RANK
    // What array_shape has to say: the operand that is wrong, and what it must be.
    uint32_t wrong;
    const char *wanted;
    // For array_fill.
    const ArrayElements *elements;
    Arena *scratch;
    // For the functions of `elements`: who calls, with what, where the result goes, and the text.
    void *caller;
    const void *operands;
    void *result;
    Span span;
};

// Whether this operand is a number that the result's shape depends on, as in fill(x, 3).
bool array_takes_number(Operation op, uint32_t operand);
// False: the operands do not fit.
bool array_shape(ArrayCall *c);
// All elements of the result, whose sizes are known. False: combining some failed.
bool array_fill(ArrayCall *c);

// How many values start : step : stop has (section 10.4.3); a rounding error of Reals is forgiven.
// The step is not zero. NaN and infinities are possible.
double array_range_size(bool is_real, double start, double step, double stop);

#endif
