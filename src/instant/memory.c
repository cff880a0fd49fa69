// SPDX-License-Identifier: MIT

#include "instant/memory.h"

#include <string.h>

void memory_copy(const Model *m, const ModelMemory *from, ModelMemory *to)
{
    memcpy(to->m, from->m, m->sizes.memory * sizeof *to->m);
    if (m->sizes.held)
        memcpy(to->held, from->held, m->sizes.held * sizeof *to->held);
}

bool memory_is_unsettled(const Model *m, const ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->defined.count; i++) {
        const ModelDiscrete *d = &m->defined.items[i];
        if (d->left != CODE_NONE && memory->m[d->left] != memory->m[d->place])
            return true;
    }
    return false;
}

bool memory_shift(const Model *m, ModelMemory *memory)
{
    const bool changed = memory_is_unsettled(m, memory);
    for (uint32_t i = 0; i < m->defined.count; i++)
        if (m->defined.items[i].left != CODE_NONE)
            memory->m[m->defined.items[i].left] = memory->m[m->defined.items[i].place];
    return changed;
}

bool memory_has_sample(const Model *m, const ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->samples.count; i++)
        if (memory->m[m->samples.places[i]] != 0.0)
            return true;
    return false;
}

void memory_end_samples(const Model *m, ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->samples.count; i++)
        memory->m[m->samples.places[i]] = 0.0;
}
