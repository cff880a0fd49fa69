// SPDX-License-Identifier: MIT
//
// The printer: syntax tree to Modelica text. What it prints parses to an equal tree.

#ifndef SALTUS_MODELICA_PRINTER_H
#define SALTUS_MODELICA_PRINTER_H

#include "base/text.h"
#include "modelica/syntax.h"

// The whole file, one element, equation or statement per line. Comments of the text are kept:
// each stands before, or at the end of the line of, what it stood at.
void printer_print(StringBuilder *out, const StoredDefinition *definition);

// Parts, on one line and without comments.
void printer_print_expression(StringBuilder *out, const Expression *expression);
void printer_print_reference(StringBuilder *out, const Reference *reference);
void printer_print_modification(StringBuilder *out, const Modification *modification);
// With ';' and line break, beginning at the given indentation.
void printer_print_equation(StringBuilder *out, const Equation *equation, unsigned indent);
void printer_print_statement(StringBuilder *out, const Statement *statement, unsigned indent);
void printer_print_element(StringBuilder *out, const Element *element, unsigned indent);

#endif
