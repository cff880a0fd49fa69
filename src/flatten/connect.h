// SPDX-License-Identifier: MIT
//
// Connections (chapter 9): connect equations to connection sets, sets to equations.

#ifndef SALTUS_FLATTEN_CONNECT_H
#define SALTUS_FLATTEN_CONNECT_H

#include "flatten/equation.h"

void connections_create(Flattener *f);
// A connect equation.
void connections_add(Flattener *f, EquationContext *c, const Equation *equation);
// The equations of all sets, and of flow variables in no set. `i` is the whole model.
void connections_finish(Flattener *f, Instance *i);
// Whether something is connected to a variable of a component from outside of it.
bool connections_contain(const Flattener *f, const FlatVariable *v);
// A variable in a connection set, seen from inside its component or from outside.
typedef struct Connected {
    FlatVariable *variable;
    bool is_outside;
} Connected;
// The set that a variable is in, seen from there: Connected, in the order of the connect equations.
// The variable alone if it is in none.
List connections_set(Flattener *f, FlatVariable *v, bool is_outside);

#endif
