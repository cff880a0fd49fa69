// SPDX-License-Identifier: MIT
//
// The flat model as Modelica text that parses again: the types and functions it needs, then one
// model. Variables of components and arrays have quoted names ('r[2].v'), guards are if-equations,
// states are empty blocks.

#ifndef SALTUS_FLATTEN_PRINT_H
#define SALTUS_FLATTEN_PRINT_H

#include "flatten/flat.h"

void flat_print(StringBuilder *out, const FlatModel *model);
// The model as JSON: see the members in json.c.
void flat_print_json(StringBuilder *out, const FlatModel *model, const Sources *sources);

void flat_print_expression(StringBuilder *out, const FlatExpression *e);
// A name of the flat model as one identifier, quoted if it has to be.
void flat_print_name(StringBuilder *out, const char *name);
// With line breaks, beginning at the given indentation.
void flat_print_statements(StringBuilder *out, uint32_t count, FlatStatement *const *statements,
                           unsigned indent, bool is_equation);
void flat_print_function(StringBuilder *out, const FlatFunction *function, unsigned indent);
// "Real[3]" with the sizes of a local variable, where they are given.
void flat_print_type(StringBuilder *out, const FlatType *type);

#endif
