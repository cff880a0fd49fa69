// SPDX-License-Identifier: MIT
//
// libFuzzer target: any text that parses can be flattened, or is rejected, without crash, hang or
// leak and in bounded memory. A model that comes out can be printed, as text and as JSON, and what
// is printed parses. No error without a message: without a model there is at least one.

#include "flatten/flatten.h"
#include "flatten/print.h"
#include "modelica/parser.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MEMORY = 256 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

static void print(Compilation *c, const FlatModel *model)
{
    StringBuilder text = builder_create(c->arena), json = builder_create(c->arena);
    flat_print(&text, model);
    flat_print_json(&json, model, c->sources);
    const String printed = builder_string(&text);
    require(builder_string(&json).length > 0, "there is JSON");
    const SourceFile *file;
    if (sources_add(c->sources, "printed", printed.text, printed.length, &file) != SOURCE_OK)
        return; // a short text can be a large model
    parser_parse(c, file);
    if (c->diagnostics->error_count)
        fputs(printed.text, stderr);
    require(c->diagnostics->error_count == 0, "the flat model parses");
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
            const FlatModel *model = flatten_definitions(c, 1, &definition, NULL, &options);
            require((model == NULL) == (c->diagnostics->error_count > 0),
                    "there is a model, or an error");
            arena_set_maximum(c->arena, 0); // the limit was for the flattener
            if (model)
                print(c, model);
        }
        StringBuilder messages = builder_create(c->arena);
        diagnostics_render_text(c->diagnostics, false, &messages);
    }
    compilation_destroy(c);
    return 0;
}
