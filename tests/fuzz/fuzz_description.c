// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes are read as the description of an FMU, or refused with a message,
// without crash, hang or leak; what is read has its indices in bounds.

#include "fmi/description_read.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create(NULL);
    char message[256];
    if (!arena)
        return 0;
    const FmuDescription *d = description_read(arena, (const char *)data, size, message);
    require(d || message[0], "a refusal has a message");
    for (uint32_t i = 0; d && i < d->output_count; i++)
        require(d->outputs[i] < d->variable_count, "an output is a variable");
    for (uint32_t i = 0; d && i < d->derivative_count; i++)
        require(d->derivatives[i] < d->variable_count, "a derivative is a variable");
    for (uint32_t i = 0; d && i < d->variable_count; i++)
        require(d->variables[i].name[0] != '\0', "a variable has a name");
    arena_destroy(arena);
    return 0;
}
