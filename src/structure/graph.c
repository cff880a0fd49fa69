// SPDX-License-Identifier: MIT

#include "structure/graph.h"

#include "base/sets.h"

Graph graph_transpose(Arena *arena, const Graph *graph)
{
    uint32_t edges = graph->start[graph->row_count];
    uint32_t *start = ARENA_ARRAY(arena, graph->column_count + 2u, uint32_t);
    uint32_t *rows = ARENA_ARRAY(arena, edges, uint32_t);

    // start[c + 1] counts up to the beginning of column c, then moves to its end while filling.
    for (uint32_t e = 0; e < edges; e++)
        start[graph->columns[e] + 2]++;
    for (uint32_t c = 0; c < graph->column_count; c++)
        start[c + 2] += start[c + 1];
    for (uint32_t r = 0; r < graph->row_count; r++) {
        for (uint32_t e = graph->start[r]; e < graph->start[r + 1]; e++)
            rows[start[graph->columns[e] + 1]++] = r;
    }
    return (Graph){.row_count = graph->column_count,
                   .column_count = graph->row_count,
                   .start = start,
                   .columns = rows};
}

static void graph_join(uint32_t *parent, uint32_t *size, uint32_t a, uint32_t b)
{
    a = sets_root(parent, a);
    b = sets_root(parent, b);
    if (a == b)
        return;
    uint32_t large = size[a] < size[b] ? b : a, small = a ^ b ^ large;
    parent[small] = large;
    size[large] += size[small];
}

uint32_t graph_components(Arena *arena, const Graph *graph, uint32_t *of_row, uint32_t *of_column)
{
    ArenaMark mark = arena_mark(arena);
    uint32_t rows = graph->row_count, all = rows + graph->column_count, count = 0;
    uint32_t *parent = ARENA_ARRAY(arena, all, uint32_t);
    uint32_t *size = ARENA_ARRAY(arena, all, uint32_t);
    uint32_t *number = ARENA_ARRAY(arena, all, uint32_t);
    for (uint32_t v = 0; v < all; v++) {
        parent[v] = v;
        size[v] = 1;
        number[v] = GRAPH_NONE;
    }
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t e = graph->start[r]; e < graph->start[r + 1]; e++)
            graph_join(parent, size, r, rows + graph->columns[e]);
    }
    for (uint32_t v = 0; v < all; v++) {
        uint32_t *n = &number[sets_root(parent, v)];
        if (*n == GRAPH_NONE)
            *n = count++;
        if (v < rows)
            of_row[v] = *n;
        else
            of_column[v - rows] = *n;
    }
    arena_release(arena, mark);
    return count;
}

uint32_t graph_order(Arena *arena, const Graph *graph, uint32_t *order)
{
    enum { UNSEEN, ON_THE_WAY, DONE };
    const ArenaMark mark = arena_mark(arena);
    const uint32_t count = graph->row_count;
    uint8_t *marks = ARENA_ARRAY(arena, count, uint8_t);
    uint32_t *next = ARENA_ARRAY(arena, count, uint32_t); // edge to be looked at, on the way
    uint32_t *way = ARENA_ARRAY(arena, count, uint32_t);
    uint32_t placed = 0, circular = GRAPH_NONE;
    for (uint32_t first = 0; first < count && circular == GRAPH_NONE; first++) {
        uint32_t depth = 0;
        if (marks[first] == UNSEEN)
            way[depth++] = first;
        while (depth && circular == GRAPH_NONE) {
            const uint32_t v = way[depth - 1];
            if (marks[v] == UNSEEN) {
                marks[v] = ON_THE_WAY;
                next[v] = graph->start[v];
            }
            if (next[v] == graph->start[v + 1]) {
                marks[v] = DONE;
                order[placed++] = v;
                depth--;
                continue;
            }
            const uint32_t to = graph->columns[next[v]++];
            if (marks[to] == ON_THE_WAY)
                circular = to;
            else if (marks[to] == UNSEEN)
                way[depth++] = to;
        }
    }
    arena_release(arena, mark);
    return circular;
}
