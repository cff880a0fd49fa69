// SPDX-License-Identifier: MIT
//
// A row or a column is open until it has its place. What can be placed without a guess is placed
// at once, from both ends of the order:
//   - an open row with one open column, if it can be solved for it: next in the order;
//   - an open column that occurs in one open row, if that can be solved for it: last in the order,
//     for nobody else needs it.
// Where nothing can be placed, a column is torn. The gain of a column is the number of open rows
// that have just one other open column and can be solved for that: what would follow at once. The
// few columns with the largest gain are tried, and the one from which most follows is torn.
//
// A row all of whose columns have their place is a residual.

#include "structure/tearing.h"

#include <stdbool.h>

enum {
    TRIED = 6,        // columns that are tried before one is torn
    TRIAL_EFFORT = 8, // edges looked at in trials, for each edge of the block
};

typedef struct TearingCandidate {
    uint64_t key; // larger is better
    uint32_t column;
} TearingCandidate;

typedef struct Tear {
    const Graph *rows, *columns; // the same edges both ways
    const bool *solvable;        // by edge of `rows`
    const uint32_t *edge;        // by edge of `columns`: the one of `rows`
    uint32_t *open_columns;      // by row
    uint32_t *open_rows;         // by column
    bool *row_open, *column_open;
    uint32_t *gain, *chances;           // by column; chances: open rows that can be solved for it
    uint32_t (*pair)[2];                // by row with two open columns: those
    uint32_t *row_queue, *column_queue; // to be looked at; a row or a column may be in it often
    uint32_t row_queue_count, column_queue_count;
    TearingCandidate *heap;
    uint32_t heap_count;

    uint32_t *first_rows, *first_columns, *last_rows, *last_columns; // the order from both ends
    uint32_t first_count, last_count;
    uint32_t *residuals, *torn;
    uint32_t residual_count, torn_count;

    struct {
        uint32_t *left; // by row: open columns in a trial, if `row` is the trial's number
        uint32_t *row, *column, *stack;
        uint32_t number;
    } trial;
    uint64_t effort;
} Tear;

// ---------------------------------------------------------------------------
// Candidates: a heap with stale items
// ---------------------------------------------------------------------------

// Columns that no row can be solved for must be torn anyway; then the gain, then the number of
// open rows.
static uint64_t tearing_key_of(const Tear *t, uint32_t column)
{
    uint64_t must = t->chances[column] == 0;
    return must << 63 | (uint64_t)t->gain[column] << 32 | t->open_rows[column];
}

static bool before(const TearingCandidate *a, const TearingCandidate *b)
{
    return a->key > b->key || (a->key == b->key && a->column < b->column);
}

static void tearing_push(Tear *t, uint32_t column)
{
    TearingCandidate item = {.key = tearing_key_of(t, column), .column = column};
    uint32_t at = t->heap_count++;
    while (at > 0 && before(&item, &t->heap[(at - 1) / 2])) {
        t->heap[at] = t->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    t->heap[at] = item;
}

static TearingCandidate pop(Tear *t)
{
    TearingCandidate top = t->heap[0], item = t->heap[--t->heap_count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < t->heap_count && before(&t->heap[child + 1], &t->heap[child]))
            child++;
        if (child >= t->heap_count || !before(&t->heap[child], &item))
            break;
        t->heap[at] = t->heap[child];
        at = child;
    }
    t->heap[at] = item;
    return top;
}

// ---------------------------------------------------------------------------
// Gains
// ---------------------------------------------------------------------------

// The edge of the row to its open column that is not `other`.
static uint32_t open_edge(const Tear *t, uint32_t row, uint32_t other)
{
    uint32_t e = t->rows->start[row];
    while (!t->column_open[t->rows->columns[e]] || t->rows->columns[e] == other)
        e++;
    return e;
}

static void change_gain(Tear *t, uint32_t column, bool more)
{
    t->gain[column] += more ? 1u : UINT32_MAX;
    if (t->column_open[column])
        tearing_push(t, column);
}

// The row has two open columns: with one known the other would follow.
static void note_pair(Tear *t, uint32_t row)
{
    uint32_t e = open_edge(t, row, GRAPH_NONE);
    uint32_t a = t->rows->columns[e], f = open_edge(t, row, a), b = t->rows->columns[f];
    t->pair[row][0] = t->solvable[f] ? a : GRAPH_NONE;
    t->pair[row][1] = t->solvable[e] ? b : GRAPH_NONE;
    for (int k = 0; k < 2; k++) {
        if (t->pair[row][k] != GRAPH_NONE)
            change_gain(t, t->pair[row][k], true);
    }
}

static void forget_pair(Tear *t, uint32_t row)
{
    for (int k = 0; k < 2; k++) {
        if (t->pair[row][k] != GRAPH_NONE)
            change_gain(t, t->pair[row][k], false);
        t->pair[row][k] = GRAPH_NONE;
    }
}

// ---------------------------------------------------------------------------
// Placing
// ---------------------------------------------------------------------------

static void close_row(Tear *t, uint32_t row)
{
    t->row_open[row] = false;
    forget_pair(t, row);
    for (uint32_t e = t->rows->start[row]; e < t->rows->start[row + 1]; e++) {
        uint32_t c = t->rows->columns[e];
        if (!t->column_open[c])
            continue;
        t->chances[c] -= t->solvable[e];
        t->open_rows[c]--;
        if (t->open_rows[c] == 1)
            t->column_queue[t->column_queue_count++] = c;
        tearing_push(t, c);
    }
}

static void close_column(Tear *t, uint32_t column)
{
    t->column_open[column] = false;
    for (uint32_t e = t->columns->start[column]; e < t->columns->start[column + 1]; e++) {
        uint32_t r = t->columns->columns[e];
        if (!t->row_open[r])
            continue;
        uint32_t left = --t->open_columns[r];
        if (left == 1)
            forget_pair(t, r);
        if (left == 2)
            note_pair(t, r);
        else if (left == 1)
            t->row_queue[t->row_queue_count++] = r;
        else if (left == 0) {
            t->residuals[t->residual_count++] = r;
            t->row_open[r] = false;
        }
    }
}

static void tearing_place_row(Tear *t, uint32_t row)
{
    if (!t->row_open[row] || t->open_columns[row] != 1)
        return;
    uint32_t e = open_edge(t, row, GRAPH_NONE);
    if (!t->solvable[e])
        return;
    t->first_rows[t->first_count] = row;
    t->first_columns[t->first_count++] = t->rows->columns[e];
    close_row(t, row);
    close_column(t, t->rows->columns[e]);
}

static void place_column(Tear *t, uint32_t column)
{
    if (!t->column_open[column] || t->open_rows[column] != 1)
        return;
    uint32_t e = t->columns->start[column];
    while (!t->row_open[t->columns->columns[e]])
        e++;
    if (!t->solvable[t->edge[e]])
        return;
    t->last_rows[t->last_count] = t->columns->columns[e];
    t->last_columns[t->last_count++] = column;
    t->column_open[column] = false;
    close_row(t, t->columns->columns[e]);
}

static void tearing_place_all(Tear *t)
{
    while (t->row_queue_count > 0 || t->column_queue_count > 0) {
        if (t->row_queue_count > 0)
            tearing_place_row(t, t->row_queue[--t->row_queue_count]);
        else
            place_column(t, t->column_queue[--t->column_queue_count]);
    }
}

// ---------------------------------------------------------------------------
// Trials
// ---------------------------------------------------------------------------

// The edge of the row to its only column that is open in the trial too; GRAPH_NONE: that one has
// followed already.
static uint32_t last_edge(Tear *t, uint32_t row)
{
    for (uint32_t e = t->rows->start[row]; e < t->rows->start[row + 1]; e++, t->effort++) {
        uint32_t c = t->rows->columns[e];
        if (t->column_open[c] && t->trial.column[c] != t->trial.number)
            return e;
    }
    return GRAPH_NONE;
}

// How many columns would follow if this one were torn.
static uint32_t try_column(Tear *t, uint32_t column)
{
    uint32_t height = 0, followers = 0;
    t->trial.number++;
    t->trial.column[column] = t->trial.number;
    t->trial.stack[height++] = column;
    while (height > 0) {
        uint32_t c = t->trial.stack[--height];
        for (uint32_t k = t->columns->start[c]; k < t->columns->start[c + 1]; k++, t->effort++) {
            uint32_t r = t->columns->columns[k];
            if (!t->row_open[r])
                continue;
            if (t->trial.row[r] != t->trial.number) {
                t->trial.row[r] = t->trial.number;
                t->trial.left[r] = t->open_columns[r];
            }
            if (--t->trial.left[r] != 1)
                continue;
            uint32_t e = last_edge(t, r);
            if (e == GRAPH_NONE || !t->solvable[e])
                continue;
            t->trial.column[t->rows->columns[e]] = t->trial.number;
            t->trial.stack[height++] = t->rows->columns[e];
            followers++;
        }
    }
    return followers;
}

// The next of the heap that is not stale; GRAPH_NONE: none is left.
static uint32_t next_candidate(Tear *t)
{
    while (t->heap_count > 0) {
        TearingCandidate c = pop(t);
        if (t->column_open[c.column] && c.key == tearing_key_of(t, c.column))
            return c.column;
    }
    return GRAPH_NONE;
}

static bool contains(const uint32_t *items, uint32_t count, uint32_t item)
{
    uint32_t k = 0;
    while (k < count && items[k] != item)
        k++;
    return k < count;
}

// The column to be torn; GRAPH_NONE: all have their place.
static uint32_t tearing_choose(Tear *t)
{
    uint32_t tried[TRIED], count = 0, best = next_candidate(t), most = 0;
    uint64_t limit = (uint64_t)TRIAL_EFFORT * t->rows->start[t->rows->row_count];
    if (best == GRAPH_NONE || t->chances[best] == 0 || t->effort > limit)
        return best;
    for (uint32_t c = best; c != GRAPH_NONE; c = count < TRIED ? next_candidate(t) : GRAPH_NONE) {
        if (contains(tried, count, c))
            continue;
        tried[count++] = c;
        uint32_t followers = try_column(t, c);
        if (followers > most) {
            most = followers;
            best = c;
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        if (tried[k] != best)
            tearing_push(t, tried[k]);
    }
    return best;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// The edge of `graph` for each edge of its transpose.
static uint32_t *edges_of_transpose(Arena *arena, const Graph *graph, const Graph *transpose)
{
    uint32_t *edge = ARENA_ARRAY(arena, graph->start[graph->row_count], uint32_t);
    uint32_t *next = ARENA_ARRAY(arena, transpose->row_count, uint32_t);
    for (uint32_t c = 0; c < transpose->row_count; c++)
        next[c] = transpose->start[c];
    for (uint32_t e = 0; e < graph->start[graph->row_count]; e++)
        edge[next[graph->columns[e]]++] = e;
    return edge;
}

static void tearing_allocate(Arena *arena, uint32_t n, uint32_t edges, Tear *t)
{
    uint32_t **lists[] = {&t->open_columns, &t->open_rows,    &t->gain,         &t->chances,
                          &t->row_queue,    &t->column_queue, &t->first_rows,   &t->first_columns,
                          &t->last_rows,    &t->last_columns, &t->residuals,    &t->torn,
                          &t->trial.left,   &t->trial.row,    &t->trial.column, &t->trial.stack};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        *lists[k] = ARENA_ARRAY(arena, n, uint32_t);
    t->row_open = ARENA_ARRAY(arena, n, bool);
    t->column_open = ARENA_ARRAY(arena, n, bool);
    t->pair = arena_array(arena, n, sizeof *t->pair);
    // A column is pushed at the start, when one of its rows is closed, and when a row becomes or
    // ceases to be a pair; a trial puts back what it took.
    t->heap = ARENA_ARRAY(arena, n + edges + 4u * n + TRIED, TearingCandidate);
}

static void tearing_begin(Tear *t)
{
    uint32_t n = t->rows->row_count;
    for (uint32_t k = 0; k < n; k++) {
        t->row_open[k] = t->column_open[k] = true;
        t->open_columns[k] = t->rows->start[k + 1] - t->rows->start[k];
        t->open_rows[k] = t->columns->start[k + 1] - t->columns->start[k];
        t->pair[k][0] = t->pair[k][1] = GRAPH_NONE;
    }
    for (uint32_t e = 0; e < t->rows->start[n]; e++)
        t->chances[t->rows->columns[e]] += t->solvable[e];
    for (uint32_t k = n; k-- > 0;) {
        tearing_push(t, k);
        if (t->open_columns[k] == 1)
            t->row_queue[t->row_queue_count++] = k;
        if (t->open_columns[k] == 2)
            note_pair(t, k);
        if (t->open_rows[k] == 1)
            t->column_queue[t->column_queue_count++] = k;
    }
}

static void list_order(const Tear *t, Tearing *result, uint32_t *rows, uint32_t *columns)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < t->first_count; k++, count++) {
        rows[count] = t->first_rows[k];
        columns[count] = t->first_columns[k];
    }
    for (uint32_t k = t->last_count; k-- > 0; count++) {
        rows[count] = t->last_rows[k];
        columns[count] = t->last_columns[k];
    }
    result->solved = count;
    for (uint32_t k = 0; k < t->torn_count; k++, count++) {
        rows[count] = t->residuals[k];
        columns[count] = t->torn[k];
    }
}

// A unit of error in each torn column grows by the walk: that of a solved column is at most the
// sum of |a_other / a_own| times that of the others in its row.
typedef struct TearingWalk {
    const Graph *graph;
    const double *weights; // two by edge: least, largest
    double *growth;        // by column
    bool *is_torn;         // by column: torn because of its growth
} TearingWalk;

static double growth_of(const TearingWalk *w, uint32_t row, uint32_t column)
{
    double own = 1.0, others = 0.0;
    for (uint32_t e = w->graph->start[row]; e < w->graph->start[row + 1]; e++) {
        if (w->graph->columns[e] == column)
            own = w->weights ? w->weights[2 * e] : 1.0;
        else
            others += (w->weights ? w->weights[2 * e + 1] : 1.0) * w->growth[w->graph->columns[e]];
    }
    return others / own;
}

static void tear_for_growth(TearingWalk *w, uint32_t column)
{
    w->growth[column] = 1.0;
    w->is_torn[column] = true;
}

// What feeds the growth is torn; in a recurrence that is more than the last column. If that does
// not help, the column itself.
static void limit_step(TearingWalk *w, uint32_t row, uint32_t column)
{
    w->growth[column] = growth_of(w, row, column);
    if (w->growth[column] <= TEARING_GROWTH)
        return;
    for (uint32_t e = w->graph->start[row]; e < w->graph->start[row + 1]; e++) {
        uint32_t c = w->graph->columns[e];
        if (c != column && w->growth[c] > TEARING_GROWTH / 8.0)
            tear_for_growth(w, c);
    }
    w->growth[column] = growth_of(w, row, column);
    if (w->growth[column] > TEARING_GROWTH)
        tear_for_growth(w, column);
}

static void limit_growth(Arena *arena, const Graph *graph, const double *weights, Tearing *t,
                         uint32_t *rows, uint32_t *columns)
{
    uint32_t n = graph->row_count, torn = 0, kept = 0;
    uint32_t(*demoted)[2] = arena_array(arena, n, sizeof *demoted);
    TearingWalk w = {.graph = graph,
                     .weights = weights,
                     .growth = ARENA_ARRAY(arena, n, double),
                     .is_torn = ARENA_ARRAY(arena, n, bool)};
    for (uint32_t k = t->solved; k < n; k++)
        w.growth[columns[k]] = 1.0;
    for (uint32_t k = 0; k < t->solved; k++)
        limit_step(&w, rows[k], columns[k]);
    for (uint32_t k = 0; k < t->solved; k++) {
        if (w.is_torn[columns[k]]) {
            demoted[torn][0] = rows[k];
            demoted[torn++][1] = columns[k];
        } else {
            rows[kept] = rows[k];
            columns[kept++] = columns[k];
        }
    }
    for (uint32_t k = 0; k < torn; k++) {
        rows[kept + k] = demoted[k][0];
        columns[kept + k] = demoted[k][1];
    }
    t->solved = kept;
}

Tearing tearing_find(Arena *arena, const Graph *graph, const bool *is_solvable,
                     const double *weights, uint32_t most)
{
    uint32_t n = graph->row_count;
    uint32_t *rows = ARENA_ARRAY(arena, n, uint32_t);
    uint32_t *columns = ARENA_ARRAY(arena, n, uint32_t);
    ArenaMark mark = arena_mark(arena);
    Graph transpose = graph_transpose(arena, graph);
    Tear t = {.rows = graph,
              .columns = &transpose,
              .solvable = is_solvable,
              .edge = edges_of_transpose(arena, graph, &transpose)};
    tearing_allocate(arena, n, graph->start[n], &t);
    tearing_begin(&t);
    tearing_place_all(&t);
    for (uint32_t c = tearing_choose(&t); c != GRAPH_NONE && t.torn_count <= most;
         c = tearing_choose(&t)) {
        t.torn[t.torn_count++] = c;
        close_column(&t, c);
        tearing_place_all(&t);
    }
    Tearing result = {.rows = rows, .columns = columns};
    if (t.torn_count <= most) {
        list_order(&t, &result, rows, columns);
        limit_growth(arena, graph, weights, &result, rows, columns);
    }
    if (n - result.solved > most) {
        result.solved = 0;
        for (uint32_t k = 0; k < n; k++)
            rows[k] = columns[k] = k;
    }
    arena_release(arena, mark);
    return result;
}
