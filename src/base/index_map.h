// SPDX-License-Identifier: MIT
//
// A map from numbers that a client chose (of modes, say) to positions in an array: an
// open-addressed hash table, at most half full. Nothing is ever taken out of it.

#ifndef SALTUS_BASE_INDEX_MAP_H
#define SALTUS_BASE_INDEX_MAP_H

#include "base/memory.h"
#include <stdbool.h>

typedef struct IndexEntry {
    int number;
    int place; // position + 1; 0: the entry is empty
} IndexEntry;

// Zero, apart from the hooks, is an empty map.
typedef struct IndexMap {
    const SaltusAllocator *allocator;
    IndexEntry *entries;
    int count, capacity; // the capacity is a power of two
} IndexMap;

// The position of a number; -1: it has none.
int index_map_find(const IndexMap *map, int number);
// Room for one more number; false: out of memory.
bool index_map_reserve(IndexMap *map);
// Gives a number that has none the next position, which is the count so far. There is room.
int index_map_add(IndexMap *map, int number);
bool index_map_copy(IndexMap *to, const IndexMap *from); // `to` is empty; false: out of memory
void index_map_free(IndexMap *map);

#endif
