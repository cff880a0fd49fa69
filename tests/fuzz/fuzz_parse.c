// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes at all are parsed without crash, hang or leak; their diagnostics can
// be rendered; and if they are Modelica, printing them gives text that parses to an equal tree.

#include "support/printer.h"
#include "target.h"

static void render(const Compilation *c)
{
    StringBuilder text = builder_create(c->arena), json = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, true, &text);
    diagnostics_render_json(c->diagnostics, &json);
    String rendered = builder_string(&json);
    require(rendered.length >= 2 && rendered.text[rendered.length - 1] == ']', "JSON is closed");
    for (size_t i = 0, n; i < rendered.length; i += n) {
        n = utf8_length(rendered.text + i, rendered.length - i);
        require(n > 0, "JSON is UTF-8");
    }
}

static void round_trip(Compilation *c, const StoredDefinition *first)
{
    StringBuilder text = builder_create(c->arena);
    printer_print(&text, first);
    String printed = builder_string(&text);
    const SourceFile *file;
    require(sources_add(c->sources, "printed", printed.text, printed.length, &file) == SOURCE_OK,
            "the printed text fits");
    StoredDefinition *second = parser_parse(c, file);
    require(second && c->diagnostics->error_count == 0, "the printed text parses");
    require(definition_equal(first, second), "the printed text parses to an equal tree");
    require(first->comment_count == second->comment_count, "comments are kept");
}

int fuzz_parse(const uint8_t *data, size_t size)
{
    Compilation *c = compilation_create(NULL);
    if (!c)
        return 0;
    const StoredDefinition *definition = target_parse(c, data, size);
    render(c);
    if (definition && c->diagnostics->error_count == 0)
        round_trip(c, definition);
    compilation_destroy(c);
    return 0;
}
