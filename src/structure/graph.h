// SPDX-License-Identifier: MIT
//
// Bipartite graphs: rows (equations) and columns (variables), edges by rows in compressed storage.
// A graph does not change once it is made. Edges have no order in meaning, only in storage.

#ifndef SALTUS_STRUCTURE_GRAPH_H
#define SALTUS_STRUCTURE_GRAPH_H

#include "base/arena.h"

#include <stdint.h>

#define GRAPH_NONE UINT32_MAX

typedef struct Graph {
    uint32_t row_count, column_count;
    const uint32_t *start;   // row_count + 1 of them
    const uint32_t *columns; // of row r: columns[start[r]] ... columns[start[r + 1] - 1]
} Graph;

// The same edges by columns: its rows are the columns of `graph`, ascending in each.
Graph graph_transpose(Arena *arena, const Graph *graph);

// Connected components, numbered in the order of their first row; a column without rows is one of
// its own, after those. Returns their number. O(edges * inverse of Ackermann's function): union
// by size with path halving (Tarjan 1975).
uint32_t graph_components(Arena *arena, const Graph *graph, uint32_t *of_row, uint32_t *of_column);

// Rows and columns are the same vertices: puts into `order` all of them, each behind those that its
// edges lead to. Returns GRAPH_NONE, or a vertex that leads back to itself: then there
// is no order. Depth first (Tarjan 1976) along a stack, for ways may be long; O(edges).
uint32_t graph_order(Arena *arena, const Graph *graph, uint32_t *order);

#endif
