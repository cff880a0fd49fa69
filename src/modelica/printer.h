// SPDX-License-Identifier: MIT
//
// The printer: expressions of the syntax tree as Modelica text, on one line and without comments.
// What it prints parses to an equal tree.

#ifndef SALTUS_MODELICA_PRINTER_H
#define SALTUS_MODELICA_PRINTER_H

#include "base/text.h"
#include "modelica/syntax.h"

void printer_print_expression(StringBuilder *out, const Expression *expression);
void printer_print_reference(StringBuilder *out, const Reference *reference);

#endif
