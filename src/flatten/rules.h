// SPDX-License-Identifier: MIT
//
// What Modelica forbids although it could be given a meaning: who may extend whom, what a
// specialised class may contain, where prefixes may stand, which names can be looked up. Each rule
// names its section of the specification. A rule that the Modelica Standard Library itself breaks
// is not here.

#ifndef SALTUS_FLATTEN_RULES_H
#define SALTUS_FLATTEN_RULES_H

#include "flatten/instance.h"
#include "flatten/lookup.h"

// The text of a class, once it is expanded: its own elements and sections.
void rules_check_class(Flattener *f, Class *c);
// `c` extends `base`, or is a short definition by it (`element` is NULL then). False: it may not.
bool rules_check_base(Flattener *f, Class *c, Class *base, const Element *element);
// The name of a base class: it is not inherited itself, nor replaceable, nor around an operator
// record.
void rules_check_base_name(Flattener *f, Class *c, Class *base, const Reference *name);
// A `redeclare` element of a class, and the inherited one that it replaces.
void rules_check_redeclaration(Flattener *f, const Member *own, const Member *inherited);
// A component that is declared: its prefixes and those of its type and of what it is in.
void rules_check_component(Flattener *f, Instance *i, const Component *component);
// `member` of class `in`, named by a dot. False: it cannot be seen that way.
bool rules_check_member(Flattener *f, Class *in, Member *member, Span span);
// The subscript of a dimension that a type counts, NULL: numbers. False: it has another type.
bool rules_check_subscript(Flattener *f, Class *index, const FlatExpression *subscript);
// `time` in the text of a class. False: it has none.
bool rules_check_time(Flattener *f, Class *c, Span span);
// A component whose function is called. False: it cannot be.
bool rules_check_function_owner(Flattener *f, const Instance *i, const Reference *r);
// A connector in an equation of `level`. False: it is too deep in it.
bool rules_check_connector(Flattener *f, const Instance *i, const Instance *level,
                           const Reference *r);
// Two variables that are connected, neither of them a flow variable alone. False: they cannot be.
bool rules_check_connected(Flattener *f, Span span, const Instance *a, const Instance *b);
// A variable that a when clause of `level` defines. False: it is not its to define.
bool rules_check_defined(Flattener *f, const Instance *level, const FlatVariable *v, Span span);
// The finished model: discrete variables.
void rules_check_model(Flattener *f);

#endif
