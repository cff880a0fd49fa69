// SPDX-License-Identifier: MIT
//
// A structure for people and programs: as text, JSON, a graph for Graphviz, a picture.

#ifndef SALTUS_STRUCTURE_OUTLINE_H
#define SALTUS_STRUCTURE_OUTLINE_H

#include "base/text.h"
#include "structure/structure.h"

// all: every block; else without the plain assignments.
void outline_text(const Structure *s, bool all, StringBuilder *out);
// One object, without a line break at the end.
void outline_json(const Structure *s, StringBuilder *out);
// The blocks as nodes, an edge from each block to those that need its unknowns.
void outline_dot(const Structure *s, StringBuilder *out);
// The incidence matrix in the order of evaluation, blocks coloured, a small one with labels: SVG.
void outline_svg(const Structure *s, StringBuilder *out);

// "x", "der(x)", "der(der(x))"
void outline_derivative(StringBuilder *out, const char *name, uint32_t order);

#endif
