// SPDX-License-Identifier: MIT
//
// The classes of packages, and those that are meant to be run: models with an experiment annotation
// (section 18.4).

#ifndef SALTUS_FLATTEN_EXAMPLES_H
#define SALTUS_FLATTEN_EXAMPLES_H

#include "flatten/class.h"

// Those of a package, or the model itself, appended as FlattenExample: in the order of the text,
// of packages in folders as package.order says. `c` NULL: of all that the user's files have.
// are_all: every class of the packages instead, and these themselves.
void examples_find(Flattener *f, Class *c, bool are_all, List *examples);

#endif
