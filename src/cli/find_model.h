// SPDX-License-Identifier: MIT
//
// The file of a model that is given by its name alone: `saltus simulate Ball` for Ball.mo.

#ifndef SALTUS_CLI_FIND_MODEL_H
#define SALTUS_CLI_FIND_MODEL_H

#include "cli/options.h"
#include "open/loaded.h"

// If there is no file but a name, looks for the file of its first part: NAME.mo in the present
// folder or in models/; then, if no library has that name, among the models that come with the
// command. What is found becomes the file of the definition, and a name that is not that of a model
// in it (of a package, say) is dropped, which leaves the choice to the file. False, after a
// message: several files are found, or none but one with a name that is nearly the same. If there
// is none at all nothing changes.
bool find_model(const OptionTable *table, Arena *arena, LoadedDef *def);

#endif
