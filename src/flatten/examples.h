// SPDX-License-Identifier: MIT
//
// The models of packages that are meant to be run: those with an experiment annotation (section
// 18.4).

#ifndef SALTUS_FLATTEN_EXAMPLES_H
#define SALTUS_FLATTEN_EXAMPLES_H

#include "flatten/class.h"

// Those of a package, or the model itself, appended as FlattenExample: in the order of the text,
// of packages in folders as package.order says. `c` NULL: of all that the user's files have.
void examples_find(Flattener *f, Class *c, List *examples);

#endif
