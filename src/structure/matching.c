// SPDX-License-Identifier: MIT
//
// Symbols of Hopcroft and Karp:
//   X, Y     rows, columns
//   L_i      rows at level[r] == i: those that an alternating path of 2 i edges reaches from a
//            free row, and none that is shorter
//   phase    layer(), which finds the levels up to the first free column, then augment() from
//            every free row: paths along the levels that have no row in common
//
// A row whose edges are exhausted in a phase gets no level any more, so a phase looks at each edge
// twice at most. There are O(sqrt(rows)) phases. No recursion: the path is a stack of rows, and
// cursor[r] is the edge by which it leaves r.

#include "structure/matching.h"

typedef struct MatchingSearch {
    const Graph *graph;
    Matching *m;
    uint32_t *level, *cursor, *queue, *path;
} MatchingSearch;

Matching matching_empty(Arena *arena, uint32_t row_count, uint32_t column_count)
{
    Matching m = {.column_of = ARENA_ARRAY(arena, row_count, uint32_t),
                  .row_of = ARENA_ARRAY(arena, column_count, uint32_t)};
    for (uint32_t r = 0; r < row_count; r++)
        m.column_of[r] = GRAPH_NONE;
    for (uint32_t c = 0; c < column_count; c++)
        m.row_of[c] = GRAPH_NONE;
    return m;
}

static void match(Matching *m, uint32_t row, uint32_t column)
{
    m->column_of[row] = column;
    m->row_of[column] = row;
}

// ---------------------------------------------------------------------------
// Start: Karp and Sipser
// ---------------------------------------------------------------------------

// Vertices are rows, then columns. A vertex with one free neighbour can be matched with it without
// loss; they wait in a stack. Where there is none, the next row takes its rarest column.
typedef struct MatchingStart {
    const Graph *rows, *columns; // the same edges both ways
    Matching *m;
    uint32_t *degree; // free neighbours of free vertices
    uint32_t *single;
    uint32_t single_count;
} MatchingStart;

static void lose_neighbour(MatchingStart *s, uint32_t vertex)
{
    if (--s->degree[vertex] == 1)
        s->single[s->single_count++] = vertex;
}

static void matching_take(MatchingStart *s, uint32_t row, uint32_t column)
{
    uint32_t n = s->rows->row_count;
    match(s->m, row, column);
    s->m->size++;
    for (uint32_t e = s->rows->start[row]; e < s->rows->start[row + 1]; e++) {
        if (s->m->row_of[s->rows->columns[e]] == GRAPH_NONE)
            lose_neighbour(s, n + s->rows->columns[e]);
    }
    for (uint32_t e = s->columns->start[column]; e < s->columns->start[column + 1]; e++) {
        if (s->m->column_of[s->columns->columns[e]] == GRAPH_NONE)
            lose_neighbour(s, s->columns->columns[e]);
    }
}

// The free neighbour of the least degree, GRAPH_NONE if there is none.
static uint32_t rarest(const Graph *graph, uint32_t vertex, const uint32_t *partner,
                       const uint32_t *degree)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t e = graph->start[vertex]; e < graph->start[vertex + 1]; e++) {
        uint32_t other = graph->columns[e];
        if (partner[other] == GRAPH_NONE && (best == GRAPH_NONE || degree[other] < degree[best]))
            best = other;
    }
    return best;
}

static void take_singles(MatchingStart *s)
{
    uint32_t n = s->rows->row_count;
    while (s->single_count > 0) {
        uint32_t v = s->single[--s->single_count];
        if (v < n && s->m->column_of[v] == GRAPH_NONE) {
            uint32_t column = rarest(s->rows, v, s->m->row_of, s->degree + n);
            if (column != GRAPH_NONE)
                matching_take(s, v, column);
        } else if (v >= n && s->m->row_of[v - n] == GRAPH_NONE) {
            uint32_t row = rarest(s->columns, v - n, s->m->column_of, s->degree);
            if (row != GRAPH_NONE)
                matching_take(s, row, v - n);
        }
    }
}

static void start_matching(Arena *arena, const Graph *graph, Matching *m)
{
    Graph columns = graph_transpose(arena, graph);
    uint32_t n = graph->row_count, all = n + graph->column_count;
    MatchingStart s = {.rows = graph,
                       .columns = &columns,
                       .m = m,
                       .degree = ARENA_ARRAY(arena, all, uint32_t),
                       .single = ARENA_ARRAY(arena, all, uint32_t)};
    // From the last to the first, so that the stack gives the first of them first.
    for (uint32_t v = all; v-- > 0;) {
        const uint32_t *start = v < n ? &graph->start[v] : &columns.start[v - n];
        s.degree[v] = start[1] - start[0];
        if (s.degree[v] == 1)
            s.single[s.single_count++] = v;
    }
    take_singles(&s);
    for (uint32_t r = 0; r < n; r++) {
        if (m->column_of[r] != GRAPH_NONE)
            continue;
        uint32_t column = rarest(graph, r, m->row_of, s.degree + n);
        if (column == GRAPH_NONE)
            continue;
        matching_take(&s, r, column);
        take_singles(&s);
    }
}

// ---------------------------------------------------------------------------
// Phases
// ---------------------------------------------------------------------------

// Levels of the rows up to the first free column. False: there is none.
static bool layer(MatchingSearch *s, const uint32_t *free_rows, uint32_t count)
{
    const Graph *g = s->graph;
    uint32_t first = 0, last = 0, deepest = GRAPH_NONE;
    for (uint32_t r = 0; r < g->row_count; r++)
        s->level[r] = GRAPH_NONE;
    for (uint32_t k = 0; k < count; k++) {
        s->level[free_rows[k]] = 0;
        s->queue[last++] = free_rows[k];
    }
    while (first < last) {
        uint32_t r = s->queue[first++];
        s->cursor[r] = g->start[r];
        if (deepest != GRAPH_NONE && s->level[r] > deepest)
            continue;
        for (uint32_t e = g->start[r]; e < g->start[r + 1]; e++) {
            uint32_t next = s->m->row_of[g->columns[e]];
            if (next == GRAPH_NONE) {
                deepest = s->level[r];
            } else if (s->level[next] == GRAPH_NONE) {
                s->level[next] = s->level[r] + 1;
                s->queue[last++] = next;
            }
        }
    }
    return deepest != GRAPH_NONE;
}

// The path ends in a free column: its last edge is the last row's cursor.
static void flip(MatchingSearch *s, uint32_t length)
{
    for (uint32_t k = 0; k < length; k++)
        match(s->m, s->path[k], s->graph->columns[s->cursor[s->path[k]]]);
    s->m->size++;
}

static bool augment(MatchingSearch *s, uint32_t root)
{
    const Graph *g = s->graph;
    uint32_t length = 1;
    s->path[0] = root;
    while (length > 0) {
        uint32_t r = s->path[length - 1];
        if (s->cursor[r] == g->start[r + 1]) {
            s->level[r] = GRAPH_NONE;
            if (--length > 0)
                s->cursor[s->path[length - 1]]++;
            continue;
        }
        uint32_t next = s->m->row_of[g->columns[s->cursor[r]]];
        if (next == GRAPH_NONE) {
            flip(s, length);
            for (uint32_t k = 0; k < length; k++)
                s->level[s->path[k]] = GRAPH_NONE;
            return true;
        }
        if (s->level[next] == s->level[r] + 1)
            s->path[length++] = next;
        else
            s->cursor[r]++;
    }
    return false;
}

void matching_extend(Arena *arena, const Graph *graph, const uint32_t *rows, uint32_t count,
                     Matching *m)
{
    ArenaMark mark = arena_mark(arena);
    uint32_t n = graph->row_count, free_count = 0;
    MatchingSearch s = {.graph = graph,
                        .m = m,
                        .level = ARENA_ARRAY(arena, n, uint32_t),
                        .cursor = ARENA_ARRAY(arena, n, uint32_t),
                        .queue = ARENA_ARRAY(arena, n, uint32_t),
                        .path = ARENA_ARRAY(arena, n, uint32_t)};
    uint32_t *free_rows = ARENA_ARRAY(arena, count, uint32_t);
    for (uint32_t k = 0; k < count; k++) {
        if (m->column_of[rows[k]] == GRAPH_NONE)
            free_rows[free_count++] = rows[k];
    }
    while (free_count > 0 && layer(&s, free_rows, free_count)) {
        uint32_t left = 0;
        for (uint32_t k = 0; k < free_count; k++) {
            if (!augment(&s, free_rows[k]))
                free_rows[left++] = free_rows[k];
        }
        free_count = left;
    }
    arena_release(arena, mark);
}

void matching_maximum(Arena *arena, const Graph *graph, Matching *m)
{
    ArenaMark mark = arena_mark(arena);
    uint32_t *rows = ARENA_ARRAY(arena, graph->row_count, uint32_t);
    for (uint32_t r = 0; r < graph->row_count; r++)
        rows[r] = r;
    if (m->size == 0)
        start_matching(arena, graph, m);
    matching_extend(arena, graph, rows, graph->row_count, m);
    arena_release(arena, mark);
}

// ---------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------

// Marks all that alternating paths reach from the vertices of one side that have no partner.
// graph: by that side; `partner` of the other side's vertices.
static uint32_t mark_part(Arena *arena, const Graph *graph, const uint32_t *own,
                          const uint32_t *partner, MatchingPart part, uint8_t *of_own,
                          uint8_t *of_other)
{
    uint32_t *stack = ARENA_ARRAY(arena, graph->row_count, uint32_t);
    uint32_t height = 0;
    for (uint32_t v = 0; v < graph->row_count; v++) {
        if (own[v] != GRAPH_NONE)
            continue;
        of_own[v] = (uint8_t)part;
        stack[height++] = v;
    }
    uint32_t surplus = height;
    while (height > 0) {
        uint32_t v = stack[--height];
        for (uint32_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
            uint32_t other = graph->columns[e], next = partner[other];
            of_other[other] = (uint8_t)part;
            if (next == GRAPH_NONE || of_own[next] == part)
                continue;
            of_own[next] = (uint8_t)part;
            stack[height++] = next;
        }
    }
    return surplus;
}

MatchingParts matching_parts(Arena *arena, const Graph *graph, const Matching *m)
{
    MatchingParts parts = {.of_row = ARENA_ARRAY(arena, graph->row_count, uint8_t),
                           .of_column = ARENA_ARRAY(arena, graph->column_count, uint8_t)};
    ArenaMark mark = arena_mark(arena);
    Graph columns = graph_transpose(arena, graph);
    parts.surplus_rows = mark_part(arena, graph, m->column_of, m->row_of, MATCHING_OVER,
                                   parts.of_row, parts.of_column);
    parts.surplus_columns = mark_part(arena, &columns, m->row_of, m->column_of, MATCHING_UNDER,
                                      parts.of_column, parts.of_row);
    arena_release(arena, mark);
    return parts;
}
