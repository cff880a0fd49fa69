// SPDX-License-Identifier: MIT
//
// The public way to make a model. FMUs that carry their sources do without it, and without kernels.

#include "kernel/whole.h"
#include "open/embed.h"

#include <saltus/saltus.h>

SaltusStatus saltus_model_create(const SaltusModelDef *def, SaltusModel **model)
{
    return embed_create(def, whole_enable, model);
}
