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

#endif
