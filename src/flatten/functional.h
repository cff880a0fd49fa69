// SPDX-License-Identifier: MIT
//
// Functions as arguments of functions (section 12.4.2 of the specification). They are known when a
// model is compiled: a function that takes functions is made once for each list of them (see
// function_specialised), and what they are bound to by `function g(a = 2)` is handed to it as
// further arguments.

#ifndef SALTUS_FLATTEN_FUNCTIONAL_H
#define SALTUS_FLATTEN_FUNCTIONAL_H

#include "flatten/function.h"

// A function with all its inputs free.
Functional functional_of(Flattener *f, FlatFunction *fn);
// The input of the function at hand that is a function and has this name; NULL: there is none.
const Functional *functional_input(const Scope *s, const Reference *r);
// The function of class `c` for a call of it: `rest` gets the call without the arguments that are
// functions. False after a message.
bool functional_callee(Flattener *f, Scope *s, Class *c, const Expression *call, Functional *callee,
                       Expression *rest);
// A function that does what an operation on numbers does; NULL after a message.
FlatFunction *functional_operation(Flattener *f, Operation op, Span span);
// The input of that name that a call can give, free or not; NULL: there is none.
FlatLocal *functional_named(const Functional *value, const Name *name);

#endif
