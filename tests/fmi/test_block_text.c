// SPDX-License-Identifier: MIT
//
// Names of an FMU's variables in the text of its block: whatever quotes they have, they stay names.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/block_text.h"
#include "fmi/description_read.h"
#include "modelica/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A description with a parameter of this name; the text of its block, which is parsed.
static const char *block_of(Compilation *c, const char *name)
{
    char text[2000], *message = NULL;
    const int length =
        snprintf(text, sizeof text,
                 "<?xml version=\"1.0\"?><fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" "
                 "instantiationToken=\"t\"><CoSimulation modelIdentifier=\"M\"/><ModelVariables>"
                 "<Float64 name=\"%s\" valueReference=\"1\" causality=\"parameter\" "
                 "variability=\"tunable\" initial=\"exact\" start=\"1\"/>"
                 "<Float64 name=\"y\" valueReference=\"2\" causality=\"output\"/>"
                 "</ModelVariables><ModelStructure><Output valueReference=\"2\"/></ModelStructure>"
                 "</fmiModelDescription>",
                 name);
    const FmuDescription *d = description_read(c->arena, text, (size_t)length, &message);
    if (!d)
        fail_msg("%s: %s", name, message);
    StringBuilder out = builder_create(c->arena);
    assert_true(block_write(&out, d, "a.fmu", "B", false, 2, 1, &message));
    const SourceFile *file;
    assert_int_equal(
        sources_add(c->sources, "block.mo", builder_string(&out).text, out.length, &file),
        SOURCE_OK);
    parser_parse(c, file);
    if (c->diagnostics->error_count)
        fail_msg("%s: %s in\n%s", name, c->diagnostics->first->message, builder_string(&out).text);
    return builder_string(&out).text;
}

static void names_stay_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *written;
    } rows[] = {{"p", "Real p = "},
                {"a b", "Real 'a b' = "},
                {"'a b'", "Real 'a b' = "},
                {"'a\\'b'", "Real 'a\\'b' = "},
                {"'", "Real '\\'' = "},
                {"''", "Real '\\'\\'' = "},
                {"'a", "Real '\\'a' = "},
                {"'a = 1; Real b = 2; Real c", "Real '\\'a = 1; Real b = 2; Real c' = "},
                {"'a' = 1; Real 'b'", "Real '\\'a\\' = 1; Real \\'b\\'' = "},
                {"'a\\q'", "Real '\\'a\\\\q\\'' = "},
                {"'a\\'", "Real '\\'a\\\\\\'' = "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Compilation *c = compilation_create(NULL);
        assert_non_null(c);
        const char *text = block_of(c, rows[i].name);
        if (!strstr(text, rows[i].written))
            fail_msg("%s: no '%s' in\n%s", rows[i].name, rows[i].written, text);
        compilation_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_stay_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
