// SPDX-License-Identifier: MIT
//
// Deep equality of syntax trees. Spans and comments do not count; numbers are equal if their bits
// are. Both trees must have their names from one table.

#ifndef SALTUS_MODELICA_EQUALITY_H
#define SALTUS_MODELICA_EQUALITY_H

#include "modelica/syntax.h"

bool class_equal(const ClassDefinition *a, const ClassDefinition *b);
// The same but for its description and annotation.
bool element_means_same(const Element *a, const Element *b);
bool expression_equal(const Expression *a, const Expression *b);
bool reference_equal(const Reference *a, const Reference *b);

#endif
