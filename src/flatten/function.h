// SPDX-License-Identifier: MIT
//
// Functions of the user: a function class to a FlatFunction, made once, on first use.

#ifndef SALTUS_FLATTEN_FUNCTION_H
#define SALTUS_FLATTEN_FUNCTION_H

#include "flatten/elaborate.h"

typedef struct FunctionBuilder {
    Class *class_;
    FlatFunction *function;
    Map names;   // of its variables -> FlatLocal
    List locals; // in the order of FlatFunction.locals
} FunctionBuilder;

// NULL after a message: it is not a function, or one that cannot be used.
FlatFunction *function_of(Flattener *f, Class *c, Span use);
// The operation that a function with `external "builtin" y = sin(u)` is another name for, as in the
// Modelica library; OPERATION_COUNT: it is no such function.
Operation function_operation(Flattener *f, Class *c);
// Reads the annotations of a function whose variables are known (function_annotation.c).
void function_annotations(Flattener *f, FunctionBuilder *b, Class *c);
// A reference to a local variable; NULL: there is none of that name.
FlatExpression *function_local(Flattener *f, FunctionBuilder *builder, const Name *name);
// A new iterator. Without a builder it belongs to an algorithm of the model.
FlatLocal *function_iterator(Flattener *f, FunctionBuilder *builder, const Name *name,
                             const FlatType *type, Span span);
// The sizes of an output for given arguments, where they are known at compile time.
bool function_output_sizes(Flattener *f, const FlatFunction *function, uint32_t output,
                           FlatExpression **arguments, uint32_t *dims);

// The function that returns its `count` scalar arguments as they are: what assigns several
// variables at once needs a call.
FlatFunction *function_identity(Flattener *f, uint32_t count, FlatExpression *const *values);

// The statements of an algorithm: statement.c. `out` gets FlatStatements.
void statements_translate(Flattener *f, Scope *s, uint32_t count, Statement *const *statements,
                          List *out);
// assert and terminate, of statements and equations; NULL after a message.
FlatStatement *statement_check(Flattener *f, Scope *s, const Expression *call, Operation op);

#endif
