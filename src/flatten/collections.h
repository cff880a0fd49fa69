// SPDX-License-Identifier: MIT
//
// The two collections of the flattener, both in an arena: a list of pointers that grows, and a map
// from interned names (or any pointers) to pointers. The map keeps no order.

#ifndef SALTUS_FLATTEN_COLLECTIONS_H
#define SALTUS_FLATTEN_COLLECTIONS_H

#include "base/arena.h"

#include <stdint.h>

// memcpy that may copy nothing from nowhere: an empty list has no items.
static inline void copy_items(void *to, const void *from, size_t bytes)
{
    if (bytes)
        memcpy(to, from, bytes);
}

typedef struct List {
    void **items;
    uint32_t count;
    uint32_t capacity;
} List;

void list_append(Arena *arena, List *list, void *item);

typedef struct Map {
    struct {
        const void *key; // NULL: free
        void *value;
    } * entries;
    uint32_t count;
    uint32_t capacity; // a power of two, or 0
} Map;

// NULL: the map has no such key.
void *map_find(const Map *map, const void *key);
// Adds or replaces.
void map_set(Arena *arena, Map *map, const void *key, void *value);

#endif
