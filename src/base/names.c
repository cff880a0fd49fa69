// SPDX-License-Identifier: MIT
//
// An open-addressed hash table of pointers, at most half full, doubled when it would be fuller.

#include "base/names.h"

#include <string.h>

struct Names {
    Arena *arena;
    const Name **slots;
    size_t capacity; // a power of two
    size_t count;
};

enum { FIRST_CAPACITY = 512 };

Names *names_create(Arena *arena)
{
    Names *names = ARENA_NEW(arena, Names);
    if (!names)
        return NULL;
    names->arena = arena;
    names->capacity = FIRST_CAPACITY;
    names->slots = ARENA_ARRAY(arena, FIRST_CAPACITY, const Name *);
    return names->slots ? names : NULL;
}

// The slot where the name is or would be.
static const Name **names_find_slot(const Names *names, const char *text, size_t length,
                                    uint32_t hash)
{
    size_t mask = names->capacity - 1;
    size_t i = hash & mask;
    for (;; i = (i + 1) & mask) {
        const Name *name = names->slots[i];
        if (!name ||
            (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0))
            return &names->slots[i];
    }
}

static uint32_t names_hash_of(const char *text, size_t length)
{
    uint32_t hash = names_hash_start();
    for (size_t i = 0; i < length; i++)
        hash = names_hash_step(hash, (unsigned char)text[i]);
    return hash;
}

static bool double_capacity(Names *names)
{
    size_t capacity = names->capacity * 2;
    const Name **slots = ARENA_ARRAY(names->arena, capacity, const Name *);
    if (!slots)
        return false;
    for (size_t i = 0; i < names->capacity; i++) {
        const Name *name = names->slots[i];
        if (!name)
            continue;
        size_t j = name->hash & (capacity - 1);
        while (slots[j])
            j = (j + 1) & (capacity - 1);
        slots[j] = name;
    }
    names->slots = slots;
    names->capacity = capacity;
    return true;
}

const Name *names_intern_hashed(Names *names, const char *text, size_t length, uint32_t hash)
{
    const Name **slot = names_find_slot(names, text, length, hash);
    if (*slot)
        return *slot;
    if (length >= UINT32_MAX)
        return arena_exhausted(names->arena);
    Name *name = arena_allocate(names->arena, sizeof(Name) + length + 1);
    if (!name)
        return NULL;
    name->hash = hash;
    name->length = (uint32_t)length;
    memcpy(name->text, text, length);
    *slot = name;
    names->count++;
    if (names->count * 2 > names->capacity && !double_capacity(names))
        return NULL;
    return name;
}

const Name *names_intern(Names *names, const char *text, size_t length)
{
    return names_intern_hashed(names, text, length, names_hash_of(text, length));
}

const Name *names_intern_text(Names *names, const char *zero_terminated)
{
    return names_intern(names, zero_terminated, strlen(zero_terminated));
}

const Name *names_find(const Names *names, const char *text, size_t length)
{
    return *names_find_slot(names, text, length, names_hash_of(text, length));
}

const Name *names_mark(Names *names, const char *zero_terminated, uint32_t mark)
{
    // The table owns its names, so it may write what others only read.
    Name *name = (Name *)(uintptr_t)names_intern_text(names, zero_terminated);
    if (name)
        name->mark = mark;
    return name;
}
