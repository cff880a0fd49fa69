// SPDX-License-Identifier: MIT
//
//   Tarjan      here
//   NUMBER      number[r], from 1; 0: not seen; DONE: its component is complete
//   LOWLINK     low[r]
//   the stack   stack, of rows whose component is not complete
//   recursion   path and cursor

#include "structure/blocks.h"

#define DONE UINT32_MAX

typedef struct Tarjan {
    const Graph *graph;
    const Matching *m;
    uint32_t *number, *low, *cursor, *stack, *path, *of_row;
    uint32_t seen, height, length, count;
} Tarjan;

static void blocks_enter(Tarjan *t, uint32_t row)
{
    t->number[row] = t->low[row] = ++t->seen;
    t->cursor[row] = t->graph->start[row];
    t->stack[t->height++] = row;
    t->path[t->length++] = row;
}

// All edges of the row are followed.
static void blocks_leave(Tarjan *t, uint32_t row)
{
    t->length--;
    if (t->length > 0) {
        uint32_t before = t->path[t->length - 1];
        if (t->low[row] < t->low[before])
            t->low[before] = t->low[row];
    }
    if (t->low[row] != t->number[row])
        return;
    uint32_t member;
    do {
        member = t->stack[--t->height];
        t->number[member] = DONE;
        t->of_row[member] = t->count;
    } while (member != row);
    t->count++;
}

static void blocks_search(Tarjan *t, uint32_t root)
{
    blocks_enter(t, root);
    while (t->length > 0) {
        uint32_t r = t->path[t->length - 1];
        if (t->cursor[r] == t->graph->start[r + 1]) {
            blocks_leave(t, r);
            continue;
        }
        uint32_t next = t->m->row_of[t->graph->columns[t->cursor[r]++]];
        if (next == GRAPH_NONE || t->number[next] == DONE)
            continue;
        if (t->number[next] == 0)
            blocks_enter(t, next);
        else if (t->number[next] < t->low[r])
            t->low[r] = t->number[next];
    }
}

// The rows of each block, ascending.
static void list_rows(Arena *arena, uint32_t n, Blocks *blocks)
{
    uint32_t *start = ARENA_ARRAY(arena, blocks->count + 2u, uint32_t);
    uint32_t *rows = ARENA_ARRAY(arena, n, uint32_t);
    for (uint32_t r = 0; r < n; r++)
        start[blocks->of_row[r] + 2]++;
    for (uint32_t b = 0; b < blocks->count; b++)
        start[b + 2] += start[b + 1];
    for (uint32_t r = 0; r < n; r++)
        rows[start[blocks->of_row[r] + 1]++] = r;
    blocks->start = start;
    blocks->rows = rows;
}

Blocks blocks_find(Arena *arena, const Graph *graph, const Matching *m)
{
    uint32_t n = graph->row_count;
    uint32_t *of_row = ARENA_ARRAY(arena, n, uint32_t);
    ArenaMark mark = arena_mark(arena);
    Tarjan t = {.graph = graph,
                .m = m,
                .number = ARENA_ARRAY(arena, n, uint32_t),
                .low = ARENA_ARRAY(arena, n, uint32_t),
                .cursor = ARENA_ARRAY(arena, n, uint32_t),
                .stack = ARENA_ARRAY(arena, n, uint32_t),
                .path = ARENA_ARRAY(arena, n, uint32_t),
                .of_row = of_row};
    for (uint32_t r = 0; r < n; r++) {
        if (t.number[r] == 0)
            blocks_search(&t, r);
    }
    Blocks blocks = {.count = t.count, .of_row = of_row};
    arena_release(arena, mark);
    list_rows(arena, n, &blocks);
    return blocks;
}
