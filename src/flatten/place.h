// SPDX-License-Identifier: MIT
//
// Where people see what a message is about. An equation or a variable of a library component stands
// in a file that they did not write; theirs is the declaration of the component.

#ifndef SALTUS_FLATTEN_PLACE_H
#define SALTUS_FLATTEN_PLACE_H

#include "flatten/flat.h"

// `span` itself if it stands in the model's file, in its folder or below that; else the declaration
// of the innermost component around it that does; `span` where there is none.
Span place_of(const Sources *sources, const FlatModel *model, Span span,
              const FlatComponent *component);

// How a modification gives it a value: "a(b(c = ...))" of a.b[2].c.
const char *place_modification(Arena *arena, const FlatVariable *variable);

#endif
