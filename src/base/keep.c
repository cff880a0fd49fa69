// SPDX-License-Identifier: MIT

#include "base/keep.h"

#include <stdint.h>

bool keep_is_needed(const Keeper *k, const void *address)
{
    bool is_needed = arena_owns(k->from, address);
    for (const Arena *child = k->from->child; child && !is_needed; child = child->sibling)
        is_needed = child != k->to && arena_owns(child, address);
    return is_needed;
}

void *keep_array(const Keeper *k, const void *array, size_t count, size_t size)
{
    if (!array || !keep_is_needed(k, array))
        return (void *)(uintptr_t)array;
    void *own =
        k->given ? arena_hand_over(k->given, (void *)(uintptr_t)array, k->to, count * size) : NULL;
    if (own)
        return own;
    void *copy = arena_array(k->to, count, size);
    if (copy && count)
        memcpy(copy, array, count * size);
    return copy;
}

const char *keep_text(const Keeper *k, const char *text)
{
    return text && keep_is_needed(k, text) ? arena_copy_text(k->to, text, strlen(text)) : text;
}

const char *const *keep_texts(const Keeper *k, const char *const *texts, size_t count)
{
    const char **kept = keep_array(k, texts, count, sizeof *kept);
    for (size_t i = 0; i < count && kept != texts; i++)
        kept[i] = keep_text(k, texts[i]);
    return kept;
}
