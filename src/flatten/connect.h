// SPDX-License-Identifier: MIT
//
// Connections (chapter 9): connect equations to connection sets, sets to equations.
//
// Connect equations are read before all others: what other equations say may depend on them
// (cardinality, Connections.isRoot).

#ifndef SALTUS_FLATTEN_CONNECT_H
#define SALTUS_FLATTEN_CONNECT_H

#include "flatten/equation.h"

// One connect equation, of one connector with another.
typedef struct Connecting {
    const Instance *level; // whose equation it is
    const FlatGuard *guard;
    Span span;
    bool is_first_outside, is_second_outside;
    bool is_kept; // it stays in the graph of overconstrained connections, or is not of it
} Connecting;

// Opens the model `i`, gives all instances their guards, and reads all connect equations.
void connections_collect(Flattener *f, Instance *i);
// Connects what is in `a` with what is in `b`.
void connect_instances(Flattener *f, const Connecting *c, Instance *a, Instance *b);
// Whether a connector belongs to the component `level` whose equation connects it.
bool connections_outside(Flattener *f, const Instance *i, const Instance *level);
// Whether the connections were read; else reports that `what` is used too early.
bool connections_known(Flattener *f, Span span, const char *what);
// cardinality(c).
FlatExpression *connections_cardinality(Flattener *f, Scope *s, const Expression *call);
// An equation of a connection set.
void connections_equation(Flattener *f, FlatExpression *left, FlatExpression *right,
                          const FlatGuard *guard, const Instance *level, Span span);
// The equations of all sets, and of flow variables in no set. `i` is the whole model.
void connections_finish(Flattener *f, Instance *i);
// Whether something is connected to a variable of a component from outside of it.
bool connections_contain(const Flattener *f, const FlatVariable *v);
// A variable in a connection set, seen from inside its component or from outside.
typedef struct Connected {
    struct Connected *parent; // itself: the root of its set
    struct Connected *next;   // the members of a set form a ring
    FlatVariable *variable;
    uint32_t order;
    uint32_t rank;
    bool is_outside;
    bool is_finished;      // of a root: its equations were made
    Span span;             // of the connect equation that named it first
    const Instance *level; // whose connect equation it was
} Connected;
// The set that a variable is in, seen from there: Connected, in the order of the connect equations.
// Empty if it is in none.
List connections_set(Flattener *f, FlatVariable *v, bool is_outside);

#endif
