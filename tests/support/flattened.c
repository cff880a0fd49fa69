// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/flattened.h"

#include "flatten/flatten.h"

#include <string.h>

Flattened flattened_from_text(const char *text)
{
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    FlattenOptions options = flatten_default_options();
    options.check_units = false;
    options.text = text;
    Flattened f = {c, c->arena, c->diagnostics, flatten_files(c, 0, NULL, NULL, &options)};
    if (!f.model) {
        flattened_show_errors(&f);
        fail();
    }
    return f;
}

void flattened_show_errors(const Flattened *f)
{
    StringBuilder b = builder_create(f->arena);
    diagnostics_render_text(f->diagnostics, false, &b);
    print_error("%s\n", builder_string(&b).text);
}

void flattened_end(Flattened *f)
{
    compilation_destroy(f->compilation);
}
