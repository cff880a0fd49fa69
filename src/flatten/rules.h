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
// The name of a base class: it is not inherited itself, nor replaceable.
void rules_check_base_name(Flattener *f, Class *c, const Reference *name);
// A `redeclare` element of a class, and the inherited one that it replaces.
void rules_check_redeclaration(Flattener *f, const Member *own, const Member *inherited);
// A component that is declared: its prefixes and those of its type and of what it is in.
void rules_check_component(Flattener *f, Instance *i, const Component *component);
// `member` of class `in`, by a dot from the text of `from`. False: it cannot be seen from there.
bool rules_check_member(Flattener *f, Class *from, Class *in, Member *member, Span span);

#endif
