// SPDX-License-Identifier: MIT
//
// Flattening in tests: see flat.h.

#include "support/flat.h"

#include "flatten/print.h"

const FlatModel *flat_from_text_with(Compilation *c, const char *text, const char *model,
                                     const FlattenOptions *options)
{
    FlattenOptions with_text = *options;
    with_text.text = text;
    return flatten_files(c, 0, NULL, model, &with_text);
}

const FlatModel *flat_from_text(Compilation *c, const char *text)
{
    FlattenOptions options = flatten_default_options();
    options.library_path = NULL;
    options.standard_libraries = false;
    return flat_from_text_with(c, text, NULL, &options);
}

FlatVariable *flat_variable(const FlatModel *model, const char *name)
{
    for (uint32_t i = 0; i < model->variable_count; i++)
        if (strcmp(model->variables[i]->name, name) == 0)
            return model->variables[i];
    return NULL;
}

const char *flat_text(Compilation *c, const FlatExpression *e)
{
    StringBuilder out = builder_create(c->arena);
    flat_print_expression(&out, e);
    return builder_string(&out).text;
}

bool flat_has_error(const Compilation *c, const char *text)
{
    for (const Diagnostic *d = c->diagnostics->first; d; d = d->next)
        if (d->severity == SEVERITY_ERROR && strstr(d->message, text))
            return true;
    return false;
}
