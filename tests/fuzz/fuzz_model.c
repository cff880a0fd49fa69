// SPDX-License-Identifier: MIT
//
// libFuzzer target: any text that flattens is a model that can run, or is rejected with a message,
// without crash, hang or leak: functions, derivatives, inverses, index reduction, code.

#include "modes/model.h"
#include "target.h"

enum { MOST_MEMORY = 64 << 20, MOST_VARIABLES = 200 };

static void make(Compilation *c, const FlatModel *flat)
{
    const Model *model = model_create(c->arena, flat, c->diagnostics);
    require(model || c->diagnostics->error_count, "there is a model that can run, or an error");
    if (model)
        model_release(model);
}

int fuzz_model(const uint8_t *data, size_t size)
{
    Compilation *c = compilation_create(NULL);
    if (!c)
        return 0;
    const FlatModel *flat = target_flatten(c, data, size, MOST_MEMORY);
    if (flat && flat->variable_count <= MOST_VARIABLES)
        make(c, flat);
    compilation_destroy(c);
    return 0;
}
