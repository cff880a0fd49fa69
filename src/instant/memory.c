// SPDX-License-Identifier: MIT

#include "instant/memory.h"

#include <string.h>

void memory_copy(const Model *m, const ModelMemory *from, ModelMemory *to)
{
    memcpy(to->m, from->m, m->memory_count * sizeof *to->m);
    if (m->held_count)
        memcpy(to->held, from->held, m->held_count * sizeof *to->held);
}

bool memory_is_unsettled(const Model *m, const ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->discrete_count; i++) {
        const ModelDiscrete *d = &m->discrete[i];
        if (d->left != CODE_NONE && memory->m[d->left] != memory->m[d->place])
            return true;
    }
    return false;
}

bool memory_shift(const Model *m, ModelMemory *memory)
{
    const bool changed = memory_is_unsettled(m, memory);
    for (uint32_t i = 0; i < m->discrete_count; i++)
        if (m->discrete[i].left != CODE_NONE)
            memory->m[m->discrete[i].left] = memory->m[m->discrete[i].place];
    return changed;
}

bool memory_has_sample(const Model *m, const ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->sample_count; i++)
        if (memory->m[m->sample_places[i]] != 0.0)
            return true;
    return false;
}

void memory_end_samples(const Model *m, ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->sample_count; i++)
        memory->m[m->sample_places[i]] = 0.0;
}
