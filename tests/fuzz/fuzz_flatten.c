// SPDX-License-Identifier: MIT
//
// libFuzzer target: any text that parses can be flattened, or is rejected, without crash, hang or
// leak and in bounded memory. A model that comes out can be printed, as text and as JSON, and what
// is printed parses. No error without a message: without a model there is at least one.

#include "flatten/print.h"
#include "target.h"

enum { MOST_MEMORY = 256 << 20 };

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

int fuzz_flatten(const uint8_t *data, size_t size)
{
    Compilation *c = compilation_create(NULL);
    if (!c)
        return 0;
    const FlatModel *model = target_flatten(c, data, size, MOST_MEMORY);
    if (model)
        print(c, model);
    StringBuilder messages = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, false, &messages);
    compilation_destroy(c);
    return 0;
}
