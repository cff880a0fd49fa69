// SPDX-License-Identifier: MIT
//
// What the two files of the printer share; for them only.

#ifndef SALTUS_MODELICA_PRINTER_PARTS_H
#define SALTUS_MODELICA_PRINTER_PARTS_H

#include "modelica/printer.h"

// printer_expression.c
void print_string(StringBuilder *out, String string); // with quotes and escapes
void print_name(StringBuilder *out, const Name *name);
void print_list(StringBuilder *out, Expression *const *items, uint32_t count);
void print_subscripts(StringBuilder *out, Expression *const *subscripts, uint32_t count);
void print_iterators(StringBuilder *out, const NamedExpression *iterators, uint32_t count);
void print_simple_expression(StringBuilder *out, const Expression *expression);
void print_annotation(StringBuilder *out, const Modification *annotation);
void print_description(StringBuilder *out, const Description *description); // blank before it

// printer.c
void print_redeclaration(StringBuilder *out, const Argument *argument);

#endif
