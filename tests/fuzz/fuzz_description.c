// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes are read as the description of an FMU, or refused with a message,
// without crash, hang or leak; what is read has its indices in bounds, and is a block whose text
// has no syntax errors.

#include "fmi/block_text.h"
#include "fmi/description_read.h"
#include "target.h"

static void check_block(const FmuDescription *d)
{
    Compilation *c = compilation_create(NULL);
    char *message = NULL;
    uint64_t elements = 0;
    for (uint32_t i = 0; i < d->variable_count; i++)
        elements += d->variables[i].size;
    if (!c || elements > 10000) { // which would take long
        compilation_destroy(c);
        return;
    }
    StringBuilder out = builder_create(c->arena);
    if (block_write(&out, d, "/tmp/a b\\\".fmu", "a b", d->version == 3, 2, 1, &message)) {
        target_parse(c, (const uint8_t *)builder_string(&out).text, out.length);
        if (c->diagnostics->error_count)
            fprintf(stderr, "%s\n%s\n", c->diagnostics->first->message, builder_string(&out).text);
        require(c->diagnostics->error_count == 0, "a block has no syntax errors");
    }
    free(message);
    compilation_destroy(c);
}

int fuzz_description(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create(NULL);
    char *message = NULL;
    if (!arena)
        return 0;
    const FmuDescription *d = description_read(arena, (const char *)data, size, &message);
    require(d || message, "a refusal has a message");
    free(message);
    for (uint32_t i = 0; d && i < d->output_count; i++)
        require(d->outputs[i] < d->variable_count, "an output is a variable");
    for (uint32_t i = 0; d && i < d->derivative_count; i++)
        require(d->derivatives[i] < d->variable_count, "a derivative is a variable");
    for (uint32_t i = 0; d && i < d->variable_count; i++)
        require(d->variables[i].name[0] != '\0', "a variable has a name");
    if (d)
        check_block(d);
    arena_destroy(arena);
    return 0;
}
