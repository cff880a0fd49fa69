// SPDX-License-Identifier: MIT
//
// Functions of the user: a function class to a FlatFunction, made once, on first use.

#ifndef SALTUS_FLATTEN_FUNCTION_H
#define SALTUS_FLATTEN_FUNCTION_H

#include "flatten/elaborate.h"

// A function as a value (section 12.4.2): which one, and what some of its inputs are bound to.
typedef struct Functional {
    FlatFunction *function;
    FlatExpression **bound;       // one for each of its inputs; NULL: it is free
    uint32_t visible;             // so many of the free inputs can be given, the first ones
    const FlatFunction *expected; // whose names they have; NULL: the names of its own
    bool is_operation;            // a built-in function, whose names do not count
} Functional;

typedef struct FunctionBuilder {
    Class *class_;
    FlatFunction *function;
    Map names;       // of its variables -> FlatLocal
    List locals;     // in the order of FlatFunction.locals
    List beginning;  // FlatStatement: what members of records begin with
    Map functionals; // of its inputs that are functions -> Functional, bound to hidden inputs
    const Functional *given; // what those inputs are, in their order; NULL: there are none
} FunctionBuilder;

// NULL after a message: it is not a function, or one that cannot be used.
FlatFunction *function_of(Flattener *f, Class *c, Span use);
// The function for given values of its inputs that are functions: these are gone, and what they are
// bound to are further inputs, after all others, in the order of `given` and of the bound inputs.
FlatFunction *function_specialised(Flattener *f, Class *c, uint32_t count, const Functional *given,
                                   Span use);
// The inputs and outputs of a function that may be partial; NULL after a message.
FlatFunction *function_signature(Flattener *f, Class *c, Span use);
// The input `name`; NULL: there is none.
FlatLocal *function_input(const FlatFunction *fn, const Name *name);
// A name for a new function: `name`, or with a number.
const char *function_unique_name(Flattener *f, const char *name);
// A new variable of a function, not yet in its list.
FlatLocal *function_variable(Flattener *f, const Name *name, FlatLocalRole role,
                             const FlatType *type, Span span);
// The component of the text that a member is.
const Component *function_component(const Member *member);
// Whether a member of a function is an input that is a function; whether a function has such.
bool function_is_functional(Flattener *f, Member *member);
bool function_takes_functions(Flattener *f, Class *c);
// The operation that a function with `external "builtin" y = sin(u)`, as in the Modelica library,
// or with "C" is another name for; OPERATION_COUNT: it is no such function.
Operation function_operation(Flattener *f, Class *c);
// function g = der(f, x, y) (function_derivative.c): fills in `fn`; false after a message.
bool function_derivative(Flattener *f, Class *c, FlatFunction *fn);
// Reads the annotations of a function whose variables are known (function_annotation.c).
void function_annotations(Flattener *f, FunctionBuilder *b, Class *c);
// What the members of a variable that is a record begin with, and its sizes (function_record.c).
void function_record_values(Flattener *f, FunctionBuilder *b, Member *member);
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
// assert and terminate, of statements and equations, or (OPERATION_COUNT) a call that is an error,
// which is an assertion that fails: its text has the values of the run. NULL after a message.
FlatStatement *statement_check(Flattener *f, Scope *s, const Expression *call, Operation op);

#endif
