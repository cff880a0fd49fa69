// SPDX-License-Identifier: MIT
//
// Expressions of the text to typed expressions. Nothing here returns NULL unless it says so: after
// an error the result has type FLAT_TYPE_NONE.

#ifndef SALTUS_FLATTEN_ELABORATE_H
#define SALTUS_FLATTEN_ELABORATE_H

#include "flatten/build.h"
#include "flatten/scope.h"

FlatExpression *elaborate(Flattener *f, Scope *s, const Expression *e);
// A size in a declaration: a number, or Boolean and enumeration types for their values. NULL after
// an error, which is reported unless `is_quiet`.
FlatExpression *elaborate_size(Flattener *f, Scope *s, const Expression *e, bool is_quiet);
// A scalar condition.
// Whether it is made of numbers and of parameters that shaped the model already.
bool elaborate_is_settled(const FlatExpression *e);
FlatExpression *elaborate_condition(Flattener *f, Scope *s, const Expression *e);
// A condition as of `when`: a Boolean, or an array of them.
FlatExpression *elaborate_when_condition(Flattener *f, Scope *s, const Expression *e);
FlatExpression *elaborate_reference(Flattener *f, Scope *s, const Reference *r);
FlatExpression *elaborate_call(Flattener *f, Scope *s, const Expression *e);
// The call of a function class with values for its first inputs.
FlatExpression *elaborate_function(Flattener *f, Class *c, uint32_t count, FlatExpression **values,
                                   Span span);
// The value of a component: a variable, an array or a record.
FlatExpression *instance_value(Flattener *f, Instance *i, Span span);
// The class that a call names, also by a component it is a member of; NULL after a message.
Class *elaborate_called_class(Flattener *f, Scope *s, const Reference *r);
FlatExpression *elaborate_comprehension(Flattener *f, Scope *s, const Expression *e);
// The operation that a call's function names, unless a class of the user hides it;
// OPERATION_COUNT: none.
Operation elaborate_operation(Flattener *f, Scope *s, const Reference *function);
// A call of it.
FlatExpression *elaborate_builtin(Flattener *f, Scope *s, const Expression *e, Operation op);
// Whether a call ends the run with a text, as Modelica.Utilities.Streams.error does: its function
// is ModelicaError in C.
bool elaborate_is_error(Flattener *f, Scope *s, const Expression *e);
// The call of a function of the user as one node, with its results as they are: for (a, b) = f(x).
// NULL after a message.
FlatExpression *elaborate_whole_call(Flattener *f, Scope *s, const Expression *e);
// One output of such a call as a value: an array or record of its scalars, outside functions.
FlatExpression *call_output(Flattener *f, const Scope *s, FlatExpression *call, uint32_t output);
// The call `e` of the function of class `c`.
FlatExpression *call_class(Flattener *f, Scope *s, Class *c, const Expression *e);
// The first output of a function for values of its inputs: what it computes, where that can stand
// for the call (unfold.h), or the call.
FlatExpression *call_value(Flattener *f, Scope *s, FlatFunction *fn, FlatExpression **values,
                           Span span);
// The same with values that can be converted to the types of the inputs; NULL: the default.
FlatExpression *call_given(Flattener *f, Scope *s, FlatFunction *fn, FlatExpression **values,
                           Span span);
// `e` with `values` in place of the inputs of `fn`, where they are not NULL, and with those of its
// other variables that have some.
FlatExpression *call_substitute(Flattener *f, const FlatFunction *fn, FlatExpression *e,
                                FlatExpression **values);
// What a reference to components names: one of them, or an array with its shape. For simple types
// the items are variables.
typedef struct Selection {
    Instance **instances;     // NULL: variables
    FlatVariable **variables; // NULL: instances
    uint32_t count;
    uint32_t rank;
    uint32_t *dims;
    FlatExpression **pending; // for each dimension: a subscript that is not known yet, or NULL
    bool is_absent;           // the condition of a component is false
    bool is_dynamic;          // there are pending subscripts
} Selection;
// For connect, initialState and so on. False after a message, or if it does not name components.
bool select_components(Flattener *f, Scope *s, const Reference *r, Selection *selection);
// The subscripts of one part, with `end` meaning the sizes given.
FlatExpression **elaborate_subscripts(Flattener *f, Scope *s, uint32_t count,
                                      Expression *const *subscripts, uint32_t rank,
                                      FlatExpression *const *sizes);
// The shape of a component reference without its elements: NULL if it is none.
FlatExpression *elaborate_shape(Flattener *f, Scope *s, const Reference *r);

// The text of a reference, for messages.
const char *reference_text(Flattener *f, const Reference *r);

#endif
