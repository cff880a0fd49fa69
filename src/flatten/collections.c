// SPDX-License-Identifier: MIT
//
// Lists and maps: see collections.h. The map is an open-addressing table with linear probing, at
// most two thirds full.

#include "flatten/collections.h"

void list_append(Arena *arena, List *list, void *item)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 8;
        list->items = arena_grow(arena, list->items, list->capacity * sizeof *list->items,
                                 capacity * sizeof *list->items);
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
}

static uint32_t map_slot(const Map *map, const void *key)
{
    // Allocations are 16 bytes apart; Fibonacci hashing spreads them over the table.
    const uint64_t hash = ((uint64_t)(uintptr_t)key >> 4) * 11400714819323198485u;
    uint32_t slot = (uint32_t)(hash >> 32) & (map->capacity - 1);
    while (map->entries[slot].key && map->entries[slot].key != key)
        slot = (slot + 1) & (map->capacity - 1);
    return slot;
}

void *map_find(const Map *map, const void *key)
{
    return map->count ? map->entries[map_slot(map, key)].value : NULL;
}

static void map_enlarge(Arena *arena, Map *map)
{
    const Map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 8;
    map->entries = arena_array(arena, map->capacity, sizeof *map->entries);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.entries[i].key)
            map->entries[map_slot(map, old.entries[i].key)] = old.entries[i];
}

void map_set(Arena *arena, Map *map, const void *key, void *value)
{
    if (3 * (map->count + 1) > 2 * map->capacity)
        map_enlarge(arena, map);
    const uint32_t slot = map_slot(map, key);
    map->count += !map->entries[slot].key;
    map->entries[slot].key = key;
    map->entries[slot].value = value;
}
