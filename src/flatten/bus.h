// SPDX-License-Identifier: MIT
//
// Expandable connectors (section 9.1.3).

#ifndef SALTUS_FLATTEN_BUS_H
#define SALTUS_FLATTEN_BUS_H

#include "flatten/connect.h"

bool bus_is_expandable(Flattener *f, const Instance *i);
// Notes an expandable connector, which is not opened yet.
void bus_note(Flattener *f, Instance *i, const FlatGuard *guard);
bool bus_exists(const Flattener *f);
// Notes what a connect equation says about the components of expandable connectors.
void bus_connect(Flattener *f, EquationContext *c, const Equation *equation);
// Gives all expandable connectors the components that their connections add, in classes of their
// own, and calls `open` for each.
void bus_expand(Flattener *f, void (*open)(Flattener *f, Instance *i, const FlatGuard *guard));
// The nearest expandable connector that an instance is in; NULL: none.
const Instance *bus_around(Flattener *f, const Instance *i);

#endif
