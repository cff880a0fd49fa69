// SPDX-License-Identifier: MIT
//
// Overconstrained connections (section 9.4): the virtual connection graph.

#ifndef SALTUS_FLATTEN_GRAPH_H
#define SALTUS_FLATTEN_GRAPH_H

#include "flatten/connect.h"

// Whether a function is one of `Connections`.
bool graph_is_operator(const Flattener *f, const Reference *function);
// Connections.branch, root, potentialRoot: an equation.
void graph_equation(Flattener *f, EquationContext *c, const Expression *call);
// Connections.isRoot, rooted, and rooted(a) of old models: an expression.
FlatExpression *graph_expression(Flattener *f, Scope *s, const Expression *call);
// Notes the connection of two components of an overdetermined type or record; it is an edge that
// may be broken. False: they are of no such type.
bool graph_connect(Flattener *f, const Connecting *c, Instance *a, Instance *b);
// Chooses the roots and the edges that are broken; connects the ends of all others.
void graph_break(Flattener *f);
// The equations of broken edges.
void graph_finish(Flattener *f);
// Notes the model that a connector belongs to, for the next.
void graph_note_owner(Flattener *f, const Instance *connector);
// Whether an instance has equations of its own for what its connectors overdetermine.
bool graph_concerns(const Flattener *f, const Instance *owner);

#endif
