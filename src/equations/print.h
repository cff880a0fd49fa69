// SPDX-License-Identifier: MIT
//
// Expressions as Modelica text, for messages. What triggers events stands plain, what does not
// although it could stands in noEvent().

#ifndef SALTUS_EQUATIONS_PRINT_H
#define SALTUS_EQUATIONS_PRINT_H

#include "base/text.h"
#include "equations/dag.h"

void print_node(const Dag *dag, Node node, StringBuilder *out);
// In the arena of the graph.
const char *print_text(const Dag *dag, Node node);
void print_equation(const Dag *dag, Node left, Node right, StringBuilder *out);

#endif
