// SPDX-License-Identifier: MIT
//
// Settings: what is said of a model from outside (options of the command, studies, the public
// interface), as syntax, so that it means what the same modification in a text would mean.

#ifndef SALTUS_FLATTEN_SETTING_H
#define SALTUS_FLATTEN_SETTING_H

#include "flatten/context.h"
#include "flatten/flatten.h"

struct FlattenSetting {
    const char *name; // of a component, "a.b.n"
    bool is_start;    // of its attribute start
    const char *text; // an expression of Modelica; NULL: the number
    double value;     // Booleans: 0 and 1; enumerations: their number from 1
    const FlatType
        *type; // of the number, in any compilation; NULL: Real, or Integer if it is whole
};

// (a.b.n = 5, x(start = 2)); NULL: there are none, or after errors.
const Modification *settings_modification(Flattener *f, size_t count,
                                          const FlattenSetting *settings);

// A start value "x.start" becomes a parameter of its own; a parameter without a value gets its
// start value, or the default of its type. A name that the model does not have changes nothing.
void settings_vary(Flattener *f, const char *name);

// What a variable of this type is if nothing is said.
FlatExpression *settings_type_default(Arena *arena, const FlatVariable *v);
// Another variable of the flat model.
void settings_add_variable(Arena *arena, FlatModel *flat, FlatVariable *v);

#endif
