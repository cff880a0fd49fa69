// SPDX-License-Identifier: MIT
//
// Whole files: the syntax tree to Modelica text that parses to an equal tree, and what equal is.

#ifndef SALTUS_TESTS_SUPPORT_PRINTER_H
#define SALTUS_TESTS_SUPPORT_PRINTER_H

#include "modelica/printer.h"

// One element, equation or statement per line. Comments of the text are kept: each stands before,
// or at the end of the line of, what it stood at.
void printer_print(StringBuilder *out, const StoredDefinition *definition);

// Parts, without comments: on one line;
void printer_print_modification(StringBuilder *out, const Modification *modification);
// with ';' and line break, beginning at the given indentation.
void printer_print_equation(StringBuilder *out, const Equation *equation, unsigned indent);
void printer_print_statement(StringBuilder *out, const Statement *statement, unsigned indent);
void printer_print_element(StringBuilder *out, const Element *element, unsigned indent);

// As of modelica/equality.h.
bool definition_equal(const StoredDefinition *a, const StoredDefinition *b);

#endif
