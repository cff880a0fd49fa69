// SPDX-License-Identifier: MIT
//
// A matching of the present combination is kept from one to the next: equations that lose the
// variable they are matched with look for another one along alternating paths. From one that finds
// none, these paths lead to all of the over-determined part.

#include "structure/ideal.h"

#include "structure/blocks.h"

enum {
    MOST_COMBINATIONS = 1024, // of a group that are tried
    MOST_EFFORT = 20000000,   // entries looked at
};
// A choice that has the entries of all its branches.
#define ALL_BRANCHES UINT32_MAX

typedef struct IdealCheck {
    const IdealSystem *system;
    Graph graph;             // tight entries
    const uint32_t *edge_of; // by edge: the entry
    Matching match;
    uint32_t *branch;                // by choice
    uint32_t *first_row, *rows;      // of choices
    uint32_t *owner;                 // by row: the choice whose territory it is in; or GRAPH_NONE
    uint32_t *stamp, *queue, *came;  // by row, rows, by column
    uint32_t *changed, change_count; // rows whose column has changed
    uint32_t now, reached;           // number of the search; rows that it has reached
    uint64_t effort;
} IdealCheck;

// ---------------------------------------------------------------------------
// Alternating paths
// ---------------------------------------------------------------------------

static bool ideal_has(const IdealCheck *k, uint32_t row, uint32_t mask)
{
    const uint32_t choice = k->system->choice_of[row];
    return choice == GRAPH_NONE || k->branch[choice] == ALL_BRANCHES ||
           (mask >> k->branch[choice] & 1u);
}

static bool ideal_has_edge(const IdealCheck *k, uint32_t row, uint32_t edge)
{
    return ideal_has(k, row, k->system->highest[k->edge_of[edge]]);
}

static void ideal_match(IdealCheck *k, uint32_t row, uint32_t column)
{
    k->match.column_of[row] = column;
    k->match.row_of[column] = row;
    k->changed[k->change_count++] = row;
}

// Turns the path that ends with a free column.
static void ideal_turn(IdealCheck *k, uint32_t column)
{
    while (column != GRAPH_NONE) {
        const uint32_t row = k->came[column], next = k->match.column_of[row];
        ideal_match(k, row, column);
        column = next;
    }
}

static void ideal_reach(IdealCheck *k, uint32_t row)
{
    k->stamp[row] = k->now;
    k->queue[k->reached++] = row;
}

// Gives a free row a column. `within`: only rows of this territory, and of none, are turned;
// GRAPH_NONE: all. False: there is no path.
static bool ideal_augment(IdealCheck *k, uint32_t free_row, uint32_t within)
{
    k->now++;
    k->reached = k->change_count = 0;
    ideal_reach(k, free_row);
    for (uint32_t first = 0; first < k->reached; first++) {
        const uint32_t row = k->queue[first];
        for (uint32_t e = k->graph.start[row]; e < k->graph.start[row + 1]; e++) {
            const uint32_t column = k->graph.columns[e], next = k->match.row_of[column];
            k->effort++;
            if (!ideal_has_edge(k, row, e) || (next != GRAPH_NONE && k->stamp[next] == k->now))
                continue;
            if (next != GRAPH_NONE && within != GRAPH_NONE && k->owner[next] != GRAPH_NONE &&
                k->owner[next] != within)
                continue;
            k->came[column] = row;
            if (next == GRAPH_NONE) {
                ideal_turn(k, column);
                return true;
            }
            ideal_reach(k, next);
        }
    }
    return false;
}

// Whether a row that was reached contains what is differentiated.
static bool ideal_moves(const IdealCheck *k)
{
    const Signature *s = k->system->signature;
    for (uint32_t i = 0; i < k->reached; i++)
        for (uint32_t e = s->start[k->queue[i]]; e < s->start[k->queue[i] + 1]; e++)
            if (k->system->offsets->d[s->entries[e].variable] > 0 &&
                ideal_has(k, k->queue[i], k->system->any[e]))
                return true;
    return false;
}

// Takes a branch; rows that lose their column by that are free.
static void ideal_take(IdealCheck *k, uint32_t choice, uint32_t branch)
{
    k->branch[choice] = branch;
    for (uint32_t i = k->first_row[choice]; i < k->first_row[choice + 1]; i++) {
        const uint32_t row = k->rows[i], column = k->match.column_of[row];
        uint32_t e = k->graph.start[row];
        while (column != GRAPH_NONE && k->graph.columns[e] != column)
            e++;
        if (column == GRAPH_NONE || ideal_has_edge(k, row, e))
            continue;
        k->match.column_of[row] = GRAPH_NONE;
        k->match.row_of[column] = GRAPH_NONE;
    }
}

// Gives columns to the free rows of choices. False: to one of them there is none. *moves: what is
// over-determined then contains what is differentiated.
static bool ideal_rematch(IdealCheck *k, const uint32_t *choices, uint32_t count, bool *moves)
{
    bool is_regular = true;
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = k->first_row[choices[c]]; i < k->first_row[choices[c] + 1]; i++) {
            if (k->match.column_of[k->rows[i]] != GRAPH_NONE ||
                ideal_augment(k, k->rows[i], GRAPH_NONE))
                continue;
            is_regular = false;
            *moves = *moves || ideal_moves(k);
        }
    return is_regular;
}

// ---------------------------------------------------------------------------
// Groups
// ---------------------------------------------------------------------------

static uint32_t combinations_of(const IdealCheck *k, const uint32_t *choices, uint32_t count)
{
    uint32_t product = 1;
    for (uint32_t c = 0; c < count && product <= MOST_COMBINATIONS; c++)
        product *= k->system->branch_counts[choices[c]];
    return product;
}

static bool ideal_try_all(IdealCheck *k, const uint32_t *choices, uint32_t count)
{
    const uint32_t combinations = combinations_of(k, choices, count);
    bool has_moved = false;
    for (uint32_t c = 0; c < count; c++)
        ideal_take(k, choices[c], 0);
    for (uint32_t i = 1;; i++) {
        ideal_rematch(k, choices, count, &has_moved);
        if (i == combinations || has_moved || k->effort > MOST_EFFORT)
            break;
        uint32_t c = 0;
        while (k->branch[choices[c]] + 1 == k->system->branch_counts[choices[c]])
            ideal_take(k, choices[c++], 0);
        ideal_take(k, choices[c], k->branch[choices[c]] + 1);
    }
    return !has_moved && k->effort <= MOST_EFFORT;
}

// Nothing that is differentiated in the rows of choices, or in what they need.
static bool ideal_is_static(IdealCheck *k, const uint32_t *choices, uint32_t count)
{
    k->now++;
    k->reached = 0;
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = k->first_row[choices[c]]; i < k->first_row[choices[c] + 1]; i++)
            ideal_reach(k, k->rows[i]);
    for (uint32_t first = 0; first < k->reached; first++)
        for (uint32_t e = k->graph.start[k->queue[first]]; e < k->graph.start[k->queue[first] + 1];
             e++) {
            const uint32_t next = k->match.row_of[k->graph.columns[e]];
            k->effort++;
            if (next != GRAPH_NONE && k->stamp[next] != k->now)
                ideal_reach(k, next);
        }
    return !ideal_moves(k);
}

// A branch of each choice with which all rows have their columns.
static bool ideal_find_base(IdealCheck *k, const uint32_t *choices, uint32_t count)
{
    enum { ACTIVE, FIRST, LAST, BASES };
    bool has_moved = false;
    for (int base = ACTIVE; base < BASES; base++) {
        for (uint32_t c = 0; c < count; c++) {
            const uint32_t last = k->system->branch_counts[choices[c]] - 1;
            const uint32_t active = k->system->active[choices[c]];
            const bool is_last = base == LAST || (base == ACTIVE && active > last);
            ideal_take(k, choices[c], is_last ? last : base == FIRST ? 0 : active);
        }
        if (ideal_rematch(k, choices, count, &has_moved))
            return true;
    }
    return false;
}

// Puts rows back to the columns of the base, which they have between them.
static void ideal_undo(IdealCheck *k, const uint32_t *base, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        k->match.column_of[rows[i]] = base[rows[i]];
        k->match.row_of[base[rows[i]]] = rows[i];
    }
}

// From the base to each other branch and back.
static bool ideal_find_territory(IdealCheck *k, uint32_t choice, const uint32_t *base,
                                 uint32_t *path)
{
    const uint32_t own = k->branch[choice];
    bool is_found = true;
    for (uint32_t b = 0; b < k->system->branch_counts[choice] && is_found; b++) {
        uint32_t count = 0;
        ideal_take(k, choice, b);
        for (uint32_t i = k->first_row[choice]; i < k->first_row[choice + 1] && is_found; i++) {
            if (k->match.column_of[k->rows[i]] != GRAPH_NONE)
                continue;
            is_found = ideal_augment(k, k->rows[i], choice);
            for (uint32_t n = 0; n < k->change_count && is_found; n++)
                path[count++] = k->changed[n];
        }
        for (uint32_t n = 0; n < count; n++)
            k->owner[path[n]] = choice;
        ideal_undo(k, base, path, count);
        ideal_undo(k, base, k->rows + k->first_row[choice],
                   k->first_row[choice + 1] - k->first_row[choice]);
        k->branch[choice] = own;
    }
    return is_found;
}

// Marks those that have none.
static void ideal_find_territories(Arena *arena, IdealCheck *k, const uint32_t *choices,
                                   uint32_t count, bool *is_structural)
{
    const uint32_t n = k->graph.row_count;
    uint32_t *base = ARENA_ARRAY(arena, n, uint32_t), most = 1;
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t rows = k->first_row[choices[c] + 1] - k->first_row[choices[c]];
        most = rows > most ? rows : most;
    }
    uint32_t *path = ARENA_ARRAY(arena, (size_t)most * n, uint32_t);
    const bool has_base = ideal_find_base(k, choices, count);
    memcpy(base, k->match.column_of, n * sizeof *base);
    for (uint32_t c = 0; c < count; c++)
        if (!has_base || k->effort > MOST_EFFORT ||
            !ideal_find_territory(k, choices[c], base, path))
            is_structural[choices[c]] = true;
}

static void ideal_decide_group(Arena *arena, IdealCheck *k, const uint32_t *choices, uint32_t count,
                               bool *is_structural)
{
    const ArenaMark mark = arena_mark(arena);
    bool has_moved = false;
    if (combinations_of(k, choices, count) <= MOST_COMBINATIONS) {
        const bool may_stay = ideal_try_all(k, choices, count);
        for (uint32_t c = 0; c < count && !may_stay; c++)
            is_structural[choices[c]] = true;
    } else if (!ideal_is_static(k, choices, count)) {
        ideal_find_territories(arena, k, choices, count, is_structural);
    }
    for (uint32_t c = 0; c < count; c++)
        ideal_take(k, choices[c], ALL_BRANCHES);
    ideal_rematch(k, choices, count, &has_moved);
    arena_release(arena, mark);
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// Tight entries: all of switched equations, those of all branches of others.
static void ideal_make_graph(Arena *arena, IdealCheck *k)
{
    const Signature *s = k->system->signature;
    uint32_t *start = ARENA_ARRAY(arena, s->equation_count + 1u, uint32_t), count = 0;
    uint32_t *columns = ARENA_ARRAY(arena, signature_entry_count(s) + 1u, uint32_t);
    uint32_t *edge_of = ARENA_ARRAY(arena, signature_entry_count(s) + 1u, uint32_t);
    for (uint32_t i = 0; i < s->equation_count; i++) {
        for (uint32_t e = s->start[i]; e < s->start[i + 1]; e++)
            if (offsets_tight(k->system->offsets, i, &s->entries[e]) &&
                (!s->entries[e].is_partial || k->system->choice_of[i] != GRAPH_NONE)) {
                edge_of[count] = e;
                columns[count++] = s->entries[e].variable;
            }
        start[i + 1] = count;
    }
    k->graph = (Graph){s->equation_count, s->variable_count, start, columns};
    k->edge_of = edge_of;
}

static void ideal_list_rows(Arena *arena, IdealCheck *k)
{
    const uint32_t n = k->graph.row_count, choices = k->system->choice_count;
    k->first_row = ARENA_ARRAY(arena, choices + 2u, uint32_t);
    k->rows = ARENA_ARRAY(arena, n + 1u, uint32_t);
    for (uint32_t i = 0; i < n; i++)
        if (k->system->choice_of[i] != GRAPH_NONE)
            k->first_row[k->system->choice_of[i] + 2]++;
    for (uint32_t c = 0; c < choices; c++)
        k->first_row[c + 2] += k->first_row[c + 1];
    for (uint32_t i = 0; i < n; i++)
        if (k->system->choice_of[i] != GRAPH_NONE)
            k->rows[k->first_row[k->system->choice_of[i] + 1]++] = i;
}

static void ideal_begin(Arena *arena, IdealCheck *k)
{
    ideal_make_graph(arena, k);
    ideal_list_rows(arena, k);
    const uint32_t n = k->graph.row_count, choices = k->system->choice_count;
    k->branch = ARENA_ARRAY(arena, choices + 1u, uint32_t);
    k->owner = ARENA_ARRAY(arena, n, uint32_t);
    k->stamp = ARENA_ARRAY(arena, n, uint32_t);
    k->queue = ARENA_ARRAY(arena, n, uint32_t);
    k->changed = ARENA_ARRAY(arena, n, uint32_t);
    k->came = ARENA_ARRAY(arena, k->graph.column_count, uint32_t);
    for (uint32_t c = 0; c < choices; c++)
        k->branch[c] = ALL_BRANCHES;
    for (uint32_t i = 0; i < n; i++)
        k->owner[i] = k->system->choice_of[i];
    k->match = matching_empty(arena, n, k->graph.column_count);
    matching_maximum(arena, &k->graph, &k->match);
}

// By choice: a number of its group, those in blocks of common choices have the same.
static uint32_t ideal_group(Arena *arena, const IdealCheck *k, uint32_t *group_of)
{
    const uint32_t choices = k->system->choice_count;
    const Blocks blocks = blocks_find(arena, &k->graph, &k->match);
    uint32_t *start = ARENA_ARRAY(arena, choices + 1u, uint32_t), count = 0;
    uint32_t *columns = ARENA_ARRAY(arena, k->graph.row_count + 1u, uint32_t);
    uint32_t *ignored = ARENA_ARRAY(arena, blocks.count, uint32_t);
    for (uint32_t c = 0; c < choices; c++) {
        for (uint32_t i = k->first_row[c]; i < k->first_row[c + 1]; i++)
            columns[count++] = blocks.of_row[k->rows[i]];
        start[c + 1] = count;
    }
    const Graph shared = {choices, blocks.count, start, columns};
    return graph_components(arena, &shared, group_of, ignored);
}

bool ideal_decide(Arena *arena, const IdealSystem *system, bool *is_structural)
{
    IdealCheck k = {.system = system};
    const uint32_t choices = system->choice_count;
    bool has_marked = false;
    ideal_begin(arena, &k);
    uint32_t *group_of = ARENA_ARRAY(arena, choices + 1u, uint32_t);
    const bool is_regular = k.match.size == k.graph.row_count;
    const uint32_t groups = is_regular ? ideal_group(arena, &k, group_of) : 1;
    uint32_t *start = ARENA_ARRAY(arena, groups + 2u, uint32_t);
    uint32_t *list = ARENA_ARRAY(arena, choices + 1u, uint32_t);
    for (uint32_t c = 0; c < choices; c++)
        if (k.first_row[c + 1] > k.first_row[c])
            start[group_of[c] + 2]++;
    for (uint32_t g = 0; g < groups; g++)
        start[g + 2] += start[g + 1];
    for (uint32_t c = 0; c < choices; c++)
        if (k.first_row[c + 1] > k.first_row[c])
            list[start[group_of[c] + 1]++] = c;
    for (uint32_t g = 0; g < groups && is_regular; g++)
        ideal_decide_group(arena, &k, list + start[g], start[g + 1] - start[g], is_structural);
    for (uint32_t c = 0; c < choices; c++) {
        if (!is_regular && k.first_row[c + 1] > k.first_row[c])
            is_structural[c] = true;
        has_marked = has_marked || (is_structural[c] && k.first_row[c + 1] > k.first_row[c]);
    }
    return has_marked;
}
