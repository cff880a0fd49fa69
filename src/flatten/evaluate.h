// SPDX-License-Identifier: MIT
//
// Values at compile time: of expressions whose variables are constants or parameters with a value.
//
// Evaluating a parameter makes it structural: its value has shaped the model.
//
//   value.c      Value: scalars, arrays, records
//   evaluate.c   expressions
//   evaluate_array.c  the built-in functions on arrays: see array_operation.h
//   interpret.c  functions of the user

#ifndef SALTUS_FLATTEN_EVALUATE_H
#define SALTUS_FLATTEN_EVALUATE_H

#include "flatten/build.h"

typedef struct Value Value;

typedef union Scalar {
    double real;
    int64_t integer; // also Boolean (0, 1) and enumerations (from 1)
    const char *string;
    Value *fields; // of a record: one for each field
} Scalar;

// An array has its elements in row-major order at `items`; a scalar has the one in `scalar`.
// Values share what they point to; value_copy makes a value of its own.
struct Value {
    const FlatType *type;
    uint32_t rank;
    uint32_t *dims;
    Scalar scalar;
    Scalar *items;
};

uint64_t value_count(const Value *v); // of elements; 1 for a scalar
// Of an array, or the scalar.
static inline Scalar *value_items(Value *v)
{
    return v->rank ? v->items : &v->scalar;
}
Value value_scalar(const FlatType *type, Scalar scalar);
Value value_integer(int64_t x);
// A zeroed array; false if it would be too large.
bool value_array(Arena *arena, const FlatType *type, uint32_t rank, const uint32_t *dims,
                 Value *value);
Value value_copy(Arena *arena, const Value *v);
// Converts Integer to Real where `type` asks for it.
void value_convert(Arena *arena, Value *v, const FlatType *type);
// Element `index` of an array as a value.
Value value_element(const Value *v, uint64_t index);
// The literal expression for a value.
FlatExpression *value_expression(Flattener *f, const Value *v, Span span);

// The values of a function's locals while it runs.
typedef struct Frame {
    const FlatFunction *function;
    Value *locals;
    bool *is_set;
    FlatExpression **arguments; // of evaluate_size: what the inputs stand for; NULL: values
} Frame;

typedef struct Evaluation {
    Flattener *f;
    Arena *scratch; // for values in between
    Frame *frame;   // NULL: no function is running
    uint64_t steps;
    // What a run knows of an expression, asked before anything else; NULL: there is no run.
    bool (*observed)(const void *run, const FlatExpression *e, Value *result);
    const void *run;
    // Why it failed:
    const char *reason;
    Span span;
} Evaluation;

// False: it has no value at compile time, or an error; `reason` and `span` say which.
bool evaluate_expression(Evaluation *ev, const FlatExpression *e, Value *result);
bool evaluate_array_operation(Evaluation *ev, const FlatExpression *e, Value *result);
// Values of all operands of a node, in the scratch arena; NULL: failed.
Value *evaluate_operands(Evaluation *ev, const FlatExpression *e);
// The subscripts of a FLAT_SELECT for an array of such a shape: the places they select.
typedef struct Slice {
    uint32_t rank; // of what is selected
    uint32_t *dims;
    uint64_t count;
    uint64_t *places; // in the array, row-major
} Slice;
bool evaluate_slice(Evaluation *ev, const FlatExpression *select, const Value *array, Slice *slice);
// The call of a function: its outputs, in the scratch arena.
// target := value; false after a message.
bool interpret_assign(Evaluation *ev, const FlatExpression *target, Value *value);
bool interpret_call(Evaluation *ev, const FlatExpression *call, Value **outputs);
// Notes why it failed: (ev, span, format, ...). The value is false, for a return.
#define evaluate_fail(...) (evaluate_note(__VA_ARGS__), false)
void evaluate_note(Evaluation *ev, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
// Counts steps; false beyond the limit.
bool evaluate_step(Evaluation *ev, uint64_t steps, Span span);

// Entry points. Each returns a literal expression, or NULL: with a message, if `what` (as in "array
// size") is given.
FlatExpression *evaluate(Flattener *f, const FlatExpression *e, const char *what);
bool evaluate_integer(Flattener *f, const FlatExpression *e, const char *what, int64_t *value);
bool evaluate_boolean(Flattener *f, const FlatExpression *e, const char *what, bool *value);
bool evaluate_real(Flattener *f, const FlatExpression *e, const char *what, double *value);
// A size in the declaration of a function, for given arguments; quiet.
bool evaluate_size(Flattener *f, const FlatFunction *function, FlatExpression **arguments,
                   const FlatExpression *e, int64_t *value);

#endif
