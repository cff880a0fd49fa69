// SPDX-License-Identifier: MIT
//
// The equations and algorithms of all instances, to guarded flat equations.

#ifndef SALTUS_FLATTEN_EQUATION_H
#define SALTUS_FLATTEN_EQUATION_H

#include "flatten/elaborate.h"

// Where an equation of the text is being read.
typedef struct EquationContext {
    Scope scope;
    const FlatGuard *guard;
    bool is_initial;
    bool is_survey;        // nothing that is made keeps where it comes from
    List *statements;      // inside a when clause: where its statements go. NULL: not inside
    FlatExpression *clock; // of the clocked when clause around it; NULL: none
} EquationContext;

// Everything in and below an instance, once its connections were collected.
void equations_collect(Flattener *f, Instance *i);
// Notes that the equations of the guard's state define the shared variable.
void equations_share(Flattener *f, FlatVariable *variable, const FlatGuard *guard);
// Calls `visit` for the equation sections of the class and its bases, with the class whose text
// they are. Initial and algorithm sections too.
typedef void SectionVisitor(Flattener *f, Instance *i, Class *text, const Section *section,
                            void *data);
void equations_visit(Flattener *f, Instance *i, SectionVisitor *visit, void *data);
// Calls `body` once for each iteration of a loop equation.
typedef void EquationVisitor(Flattener *f, EquationContext *c, const Equation *equation);
void equations_unroll(Flattener *f, EquationContext *c, const Equation *loop,
                      EquationVisitor *visit);
// Resolves an if-equation whose conditions are parameters: the branch that holds, or NULL with
// *is_resolved set if none does. Not resolved: *is_resolved is false.
const Section *equations_resolve(Flattener *f, EquationContext *c, const Equation *equation,
                                 bool *is_resolved);

#endif
