// SPDX-License-Identifier: MIT
//
// libFuzzer target: any text that flattens is a model that can run, or is rejected with a message,
// without crash, hang or leak: functions, derivatives, inverses, index reduction, code.

#include "flatten/flatten.h"
#include "model/model.h"
#include "modelica/parser.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MEMORY = 64 << 20, MOST_VARIABLES = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make(Compilation *c, const FlatModel *flat)
{
    const Model *model = model_create(c->arena, flat, c->diagnostics);
    if (!model && c->diagnostics->error_count == 0) {
        fputs("violated: there is a model that can run, or an error\n", stderr);
        abort();
    }
    if (model)
        model_release(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    if (!c)
        return 0;
    if (sources_add(c->sources, "fuzz.mo", (const char *)data, size, &file) == SOURCE_OK) {
        StoredDefinition *definition = parser_parse(c, file);
        FlattenOptions options = flatten_default_options();
        options.library_path = NULL;
        options.memory_maximum = MOST_MEMORY;
        options.step_maximum = 100 * 1000;
        if (definition && c->diagnostics->error_count == 0) {
            const FlatModel *flat = flatten_definitions(c, 1, &definition, NULL, &options);
            arena_set_maximum(c->arena, 0); // the limit was for the flattener
            if (flat && flat->variable_count <= MOST_VARIABLES)
                make(c, flat);
        }
    }
    compilation_destroy(c);
    return 0;
}
