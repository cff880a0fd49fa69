// SPDX-License-Identifier: MIT
//
// Rows are arrays of (column, value) in a pool; a row that outgrows its place moves to the end of
// the pool. A column knows the rows that have ever had an entry in it. Active rows stand in lists
// by their number of entries without doubt.

#include "structure/pivots.h"

#include <math.h>

#define NONE UINT32_MAX

// What is left of a row after elimination is rounding if it is this part of what the row was.
static const double pivots_rounding = 1e-12;

typedef struct PoolEntry {
    double value;
    uint32_t column;
    uint8_t doubt;
} PoolEntry;

typedef struct Row {
    uint32_t first, count, room; // in the pool
    uint32_t before, after;      // in the list of rows with its key
    uint32_t key;                // number of entries without doubt; if there is none: the largest
    bool is_active;
    double scale; // the largest entry it has ever had
} Row;

struct Pivots {
    Arena *arena;
    PoolEntry *pool;
    struct {
        uint32_t row, next; // in the same column
    } * links;
    Row *rows;
    uint32_t *list;     // by key: the first row
    uint32_t *head;     // by column: the first link
    uint32_t *uses;     // by column: active rows that have it
    uint32_t *position; // by column: 1 + its place in the row at work
    uint32_t pool_count, pool_room, link_count, link_room, row_room, column_room;
    uint32_t least;    // no list before this has rows
    uint32_t last_key; // the largest
    bool is_logging;
    // row -= factor * by
    struct {
        uint32_t row, by;
        double factor;
    } * log;
    uint32_t log_count, log_room;
};

Pivots *pivots_create(Arena *arena)
{
    Pivots *p = ARENA_NEW(arena, Pivots);
    p->arena = arena;
    return p;
}

// ---------------------------------------------------------------------------
// Storage
// ---------------------------------------------------------------------------

static uint32_t at_least(uint32_t room, uint32_t needed)
{
    uint32_t larger = room ? room : 64;
    while (larger < needed)
        larger *= 2;
    return larger;
}

static void reserve_pool(Pivots *p, uint32_t more)
{
    uint32_t room = at_least(p->pool_room, p->pool_count + more);
    if (room > p->pool_room)
        p->pool =
            arena_grow(p->arena, p->pool, p->pool_room * sizeof *p->pool, room * sizeof *p->pool);
    p->pool_room = room;
}

static void add_link(Pivots *p, uint32_t column, uint32_t row)
{
    uint32_t room = at_least(p->link_room, p->link_count + 1);
    if (room > p->link_room)
        p->links = arena_grow(p->arena, p->links, p->link_room * sizeof *p->links,
                              room * sizeof *p->links);
    p->link_room = room;
    p->links[p->link_count].row = row;
    p->links[p->link_count].next = p->head[column];
    p->head[column] = p->link_count++;
    p->uses[column]++;
}

static void log_operation(Pivots *p, uint32_t row, uint32_t by, double factor)
{
    uint32_t room = at_least(p->log_room, p->log_count + 1);
    if (room > p->log_room)
        p->log = arena_grow(p->arena, p->log, p->log_room * sizeof *p->log, room * sizeof *p->log);
    p->log_room = room;
    p->log[p->log_count].row = row;
    p->log[p->log_count].by = by;
    p->log[p->log_count++].factor = factor;
}

static void reserve_dimensions(Pivots *p, uint32_t rows, uint32_t columns)
{
    if (rows > p->row_room) {
        p->row_room = at_least(p->row_room, rows);
        p->rows = ARENA_ARRAY(p->arena, p->row_room, Row);
    }
    if (columns + 2 > p->column_room) {
        p->column_room = at_least(p->column_room, columns + 2);
        p->list = ARENA_ARRAY(p->arena, p->column_room, uint32_t);
        p->head = ARENA_ARRAY(p->arena, p->column_room, uint32_t);
        p->position = ARENA_ARRAY(p->arena, p->column_room, uint32_t);
        p->uses = ARENA_ARRAY(p->arena, p->column_room, uint32_t);
    }
    p->least = p->last_key = columns + 1;
    for (uint32_t c = 0; c <= columns + 1; c++) {
        p->list[c] = p->head[c] = NONE;
        p->position[c] = p->uses[c] = 0;
    }
    p->pool_count = p->link_count = p->log_count = 0;
}

static uint32_t pivots_key_of(const Pivots *p, const Row *row)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < row->count; k++)
        count += p->pool[row->first + k].doubt == 0;
    return count > 0 || row->count == 0 ? count : p->last_key;
}

static void enlist(Pivots *p, uint32_t r)
{
    Row *row = &p->rows[r];
    row->key = pivots_key_of(p, row);
    row->before = NONE;
    row->after = p->list[row->key];
    if (row->after != NONE)
        p->rows[row->after].before = r;
    p->list[row->key] = r;
    if (row->key < p->least)
        p->least = row->key;
}

static void unlist(Pivots *p, uint32_t r)
{
    Row *row = &p->rows[r];
    if (row->before == NONE)
        p->list[row->key] = row->after;
    else
        p->rows[row->before].after = row->after;
    if (row->after != NONE)
        p->rows[row->after].before = row->before;
}

static void pivots_load(Pivots *p, const PivotsMatrix *a)
{
    reserve_dimensions(p, a->row_count, a->column_count);
    reserve_pool(p, a->start[a->row_count]);
    for (uint32_t r = a->row_count; r-- > 0;) {
        Row row = {.first = p->pool_count, .is_active = true};
        for (uint32_t e = a->start[r]; e < a->start[r + 1]; e++) {
            if (a->rank[a->columns[e]] == PIVOTS_CLOSED)
                continue;
            p->pool[p->pool_count++] =
                (PoolEntry){a->values[e], a->columns[e], a->doubts ? a->doubts[e] : 0};
            row.scale = fmax(row.scale, fabs(a->values[e]));
            add_link(p, a->columns[e], r);
        }
        row.count = row.room = p->pool_count - row.first;
        p->rows[r] = row;
        enlist(p, r);
    }
}

// ---------------------------------------------------------------------------
// Elimination
// ---------------------------------------------------------------------------

static double pivots_largest(const PoolEntry *row, uint32_t count)
{
    double most = 0.0;
    for (uint32_t k = 0; k < count; k++)
        most = fmax(most, fabs(row[k].value));
    return most;
}

// Of two pivots of the same rank, neither of them small.
static bool is_better(const Pivots *p, const PivotsMatrix *a, const PoolEntry *one,
                      const PoolEntry *other)
{
    int taste = a->taste[one->column] - a->taste[other->column];
    double size = fabs(one->value) - fabs(other->value);
    uint32_t uses = p->uses[one->column], other_uses = p->uses[other->column];
    if (one->doubt != other->doubt)
        return one->doubt < other->doubt;
    if (taste != 0)
        return taste < 0;
    if (a->is_sparsity_first && uses != other_uses)
        return uses < other_uses;
    if (size > 0.0 || size < 0.0)
        return size > 0.0;
    return uses < other_uses || (uses == other_uses && one->column < other->column);
}

static PoolEntry best(const Pivots *p, const PivotsMatrix *a, const PoolEntry *row, uint32_t count,
                      double most)
{
    uint8_t rank = PIVOTS_CLOSED;
    for (uint32_t k = 0; k < count; k++) {
        if (fabs(row[k].value) >= a->worth * most && a->rank[row[k].column] < rank)
            rank = a->rank[row[k].column];
    }
    double top = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        if (a->rank[row[k].column] == rank)
            top = fmax(top, fabs(row[k].value));
    }
    uint32_t found = count;
    for (uint32_t k = 0; k < count; k++) {
        if (a->rank[row[k].column] != rank || fabs(row[k].value) < a->equal * top)
            continue;
        if (found == count || is_better(p, a, &row[k], &row[found]))
            found = k;
    }
    return row[found]; // there is one, for the largest has some rank
}

// Room for `more` entries behind the row's own.
static void reserve_row(Pivots *p, Row *row, uint32_t more)
{
    if (row->count + more <= row->room)
        return;
    uint32_t room = 2 * (row->count + more);
    reserve_pool(p, room);
    for (uint32_t k = 0; k < row->count; k++)
        p->pool[p->pool_count + k] = p->pool[row->first + k];
    row->first = p->pool_count;
    row->room = room;
    p->pool_count += room;
}

static uint8_t worst(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

// row q -= factor * row r, which removes the column; what is new is filled in.
static void pivots_subtract(Pivots *p, uint32_t q, uint32_t r, uint32_t column, double pivot)
{
    Row *row = &p->rows[q];
    const Row *by = &p->rows[r];
    unlist(p, q);
    reserve_row(p, row, by->count);
    PoolEntry *to = &p->pool[row->first];
    const PoolEntry *from = &p->pool[by->first];
    for (uint32_t k = 0; k < row->count; k++)
        p->position[to[k].column] = k + 1;
    uint32_t gone = p->position[column] - 1;
    uint8_t doubt = to[gone].doubt; // of the factor, and more
    double factor = to[gone].value / pivot;
    if (p->is_logging)
        log_operation(p, q, r, factor);
    for (uint32_t k = 0; k < by->count; k++) {
        uint32_t c = from[k].column, at = p->position[c];
        if (c == column)
            continue;
        if (at > 0) {
            to[at - 1].value -= factor * from[k].value;
            to[at - 1].doubt = worst(to[at - 1].doubt, worst(doubt, from[k].doubt));
            row->scale = fmax(row->scale, fabs(to[at - 1].value));
        } else {
            to[row->count++] = (PoolEntry){-factor * from[k].value, c, worst(doubt, from[k].doubt)};
            row->scale = fmax(row->scale, fabs(factor * from[k].value));
            add_link(p, c, q);
        }
    }
    for (uint32_t k = 0; k < row->count; k++)
        p->position[to[k].column] = 0;
    to[gone] = to[--row->count];
    enlist(p, q);
}

static uint32_t next_row(Pivots *p)
{
    while (p->list[p->least] == NONE)
        p->least++;
    return p->list[p->least];
}

// Takes the next row out; false: nothing is left of it but rounding.
static bool take_row(Pivots *p, const PivotsMatrix *a, uint32_t r, PoolEntry *pivot)
{
    Row *row = &p->rows[r];
    const PoolEntry *entries = &p->pool[row->first];
    double most = pivots_largest(entries, row->count);
    bool is_regular = most > pivots_rounding * row->scale && isfinite(most);
    if (is_regular)
        *pivot = best(p, a, entries, row->count, most);
    unlist(p, r);
    row->is_active = false;
    for (uint32_t e = 0; e < row->count; e++)
        p->uses[entries[e].column]--;
    return is_regular;
}

static void pivots_eliminate(Pivots *p, uint32_t r, const PoolEntry *pivot)
{
    for (uint32_t l = p->head[pivot->column]; l != NONE; l = p->links[l].next) {
        if (p->rows[p->links[l].row].is_active)
            pivots_subtract(p, p->links[l].row, r, pivot->column, pivot->value);
    }
}

double pivots_pick(Pivots *p, const PivotsMatrix *a, uint32_t *picked)
{
    double logarithm = 0.0;
    PoolEntry pivot;
    pivots_load(p, a);
    for (uint32_t k = 0; k < a->row_count; k++) {
        uint32_t r = next_row(p);
        if (!take_row(p, a, r, &pivot))
            return -INFINITY;
        picked[r] = pivot.column;
        logarithm += log2(fabs(pivot.value));
        pivots_eliminate(p, r, &pivot);
    }
    return logarithm;
}

// ---------------------------------------------------------------------------
// Dependences
// ---------------------------------------------------------------------------

// The operations that made the row what it is, backwards: weights of the rows as they were given.
static void find_weights(const Pivots *p, uint32_t row, double *weights)
{
    weights[row] = 1.0;
    for (uint32_t k = p->log_count; k-- > 0;) {
        double weight = weights[p->log[k].row];
        if (weight > 0.0 || weight < 0.0)
            weights[p->log[k].by] -= p->log[k].factor * weight;
    }
}

// Those that are not zero, and sets them to zero again.
static PivotsDependence list_weights(Pivots *p, uint32_t rows, uint32_t last, double *weights)
{
    PivotsDependence d = {.count = 0};
    double largest_weight = 0.0;
    for (uint32_t r = 0; r < rows; r++)
        largest_weight = fmax(largest_weight, fabs(weights[r]));
    for (uint32_t r = 0; r < rows; r++)
        d.count += fabs(weights[r]) > pivots_rounding * largest_weight;
    uint32_t *list = ARENA_ARRAY(p->arena, d.count, uint32_t), count = 0;
    double *values = ARENA_ARRAY(p->arena, d.count, double);
    for (uint32_t r = 0; r < rows; r++) {
        if (r != last && fabs(weights[r]) > pivots_rounding * largest_weight) {
            list[count] = r;
            values[count++] = weights[r];
        }
        weights[r] = 0.0;
    }
    list[count] = last;
    values[count] = 1.0;
    d.rows = list;
    d.weights = values;
    return d;
}

uint32_t pivots_dependences(Pivots *p, const PivotsMatrix *a, PivotsDependence **found)
{
    uint32_t count = 0;
    uint32_t *superfluous = ARENA_ARRAY(p->arena, a->row_count, uint32_t);
    double *weights = ARENA_ARRAY(p->arena, a->row_count, double);
    PoolEntry pivot;
    p->is_logging = true;
    pivots_load(p, a);
    for (uint32_t k = 0; k < a->row_count; k++) {
        uint32_t r = next_row(p);
        if (take_row(p, a, r, &pivot))
            pivots_eliminate(p, r, &pivot);
        else
            superfluous[count++] = r;
    }
    p->is_logging = false;
    *found = ARENA_ARRAY(p->arena, count, PivotsDependence);
    for (uint32_t k = 0; k < count; k++) {
        find_weights(p, superfluous[k], weights);
        (*found)[k] = list_weights(p, a->row_count, superfluous[k], weights);
    }
    return count;
}
