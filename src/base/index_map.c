// SPDX-License-Identifier: MIT

#include "base/index_map.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

// The entry that has the number, or the empty one where it belongs.
static IndexEntry *index_map_find_entry(IndexEntry *entries, int capacity, int number)
{
    // Knuth, The Art of Computer Programming 3, 6.4: multiply by the golden ratio; the high
    // bits, which depend on all bits of the number, come down.
    uint32_t hash = (uint32_t)number * 2654435769u, mask = (uint32_t)capacity - 1;
    hash ^= hash >> 16;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        if (entries[i].place == 0 || entries[i].number == number)
            return &entries[i];
    }
}

int index_map_find(const IndexMap *map, int number)
{
    return map->capacity > 0 ? index_map_find_entry(map->entries, map->capacity, number)->place - 1
                             : -1;
}

bool index_map_reserve(IndexMap *map)
{
    if (2 * (map->count + 1) <= map->capacity)
        return true;
    if (map->capacity > INT_MAX / 4)
        return false;
    int capacity = map->capacity ? 2 * map->capacity : FIRST_CAPACITY;
    IndexEntry *entries = MEMORY_NEW(map->allocator, capacity, IndexEntry);
    if (!entries)
        return false;
    for (int i = 0; i < map->capacity; i++) {
        if (map->entries[i].place != 0)
            *index_map_find_entry(entries, capacity, map->entries[i].number) = map->entries[i];
    }
    memory_free(map->allocator, map->entries);
    map->entries = entries;
    map->capacity = capacity;
    return true;
}

int index_map_add(IndexMap *map, int number)
{
    IndexEntry *entry = index_map_find_entry(map->entries, map->capacity, number);
    *entry = (IndexEntry){.number = number, .place = ++map->count};
    return entry->place - 1;
}

bool index_map_copy(IndexMap *to, const IndexMap *from)
{
    if (from->capacity == 0)
        return true;
    to->entries = MEMORY_NEW(to->allocator, from->capacity, IndexEntry);
    if (!to->entries)
        return false;
    memcpy(to->entries, from->entries, (size_t)from->capacity * sizeof *from->entries);
    to->count = from->count;
    to->capacity = from->capacity;
    return true;
}

void index_map_free(IndexMap *map)
{
    memory_free(map->allocator, map->entries);
    map->entries = NULL;
    map->count = map->capacity = 0;
}
