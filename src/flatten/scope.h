// SPDX-License-Identifier: MIT
//
// Where an expression stands: what its names mean, and what is allowed in it. A name is, in this
// order, an iterator, a local variable of the function at hand, a component of the instance, a
// constant or a class by lexical lookup.

#ifndef SALTUS_FLATTEN_SCOPE_H
#define SALTUS_FLATTEN_SCOPE_H

#include "flatten/instance.h"

// The iterator of a loop that is being unrolled (value), or stays (local).
typedef struct ScopeIterator {
    const struct ScopeIterator *outer;
    const Name *name;
    FlatExpression *value;
    double rounds; // of the loop and of those around it; 0: it stays
} ScopeIterator;

struct Scope {
    Class *class_;      // whose text it is
    Instance *instance; // in which the class's components are; NULL: only constants can be named
    const ScopeIterator *iterators;
    FlatExpression *end; // what `end` means in the subscripts being read; NULL: nothing
    struct FunctionBuilder *function; // the function it belongs to; NULL: none
    const FlatLoop *loop;
    const FlatState *state; // of the transition whose condition it is
    bool in_when;           // inside a when clause
    bool is_nested;         // inside a loop
    bool in_if;             // inside an if-statement
    bool in_algorithm;
    bool in_initial; // an initial section
};

Scope scope_of_instance(Instance *i, Class *text);
Scope scope_of_class(Class *text);
// The scope of a layer's text, for the modifications of `at`.
Scope scope_of_layer(Flattener *f, const Layer *layer, Instance *at);

#endif
