// SPDX-License-Identifier: MIT
//
// State machines (chapter 17): initialState, transition and the operators on states.

#ifndef SALTUS_FLATTEN_MACHINE_H
#define SALTUS_FLATTEN_MACHINE_H

#include "flatten/equation.h"

// Finds which components of `i` are states, before their equations are read.
void machines_scan(Flattener *f, Instance *i, const FlatGuard *guard);
// initialState(...) and transition(...) as an equation.
void machines_equation(Flattener *f, EquationContext *c, const Equation *equation, Operation op);
// Groups states to machines; checks them.
void machines_finish(Flattener *f);
// activeState(s), timeInState(), ticksInState() as an expression.
FlatExpression *machine_expression(Flattener *f, Scope *s, const Expression *e, Operation op);

#endif
