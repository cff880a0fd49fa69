// SPDX-License-Identifier: MIT
//
// The last step: numbers variables, functions and relations, names everything, fills the model.

#ifndef SALTUS_FLATTEN_FINISH_H
#define SALTUS_FLATTEN_FINISH_H

#include "flatten/instance.h"

void finish_model(Flattener *f);

#endif
