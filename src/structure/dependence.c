// SPDX-License-Identifier: MIT
//
// Block by block of the Jacobian: a block is singular on its own or not. In each, the rows whose
// coefficients are all known.

#include "structure/dependence.h"

#include "structure/blocks.h"
#include "structure/pivots.h"

#include <math.h>

typedef struct DependenceSearch {
    Arena *arena;
    const Signature *s;
    const Offsets *o;
    const double *values;
    Graph graph; // tight entries
    const uint32_t *entry_of;
    Blocks blocks;
    Pivots *pivots;
    Dependence *found;
    uint32_t count;
    uint32_t *column; // by variable: its number in the block
} DependenceSearch;

static double dependence_value_of(const DependenceSearch *t, uint32_t entry)
{
    const SignatureEntry *e = &t->s->entries[entry];
    if (e->kind == SIGNATURE_NUMBER)
        return e->value;
    return t->values && e->kind == SIGNATURE_PARAMETER ? t->values[entry] : NAN;
}

// Whether the row's entries in its block are known.
static bool dependence_is_known(const DependenceSearch *t, uint32_t block, uint32_t row)
{
    for (uint32_t k = t->graph.start[row]; k < t->graph.start[row + 1]; k++) {
        uint32_t other = t->o->transversal.row_of[t->graph.columns[k]];
        if (t->blocks.of_row[other] == block && isnan(dependence_value_of(t, t->entry_of[k])))
            return false;
    }
    return true;
}

// The matrix of the known rows of a block.
static PivotsMatrix known_part(DependenceSearch *t, uint32_t block, uint32_t **equations)
{
    uint32_t first = t->blocks.start[block], size = t->blocks.start[block + 1] - first, edges = 0;
    for (uint32_t k = 0; k < size; k++) {
        uint32_t row = t->blocks.rows[first + k];
        t->column[t->o->transversal.column_of[row]] = k;
        edges += t->graph.start[row + 1] - t->graph.start[row];
    }
    uint32_t *start = ARENA_ARRAY(t->arena, size + 1u, uint32_t), count = 0;
    uint32_t *columns = ARENA_ARRAY(t->arena, edges, uint32_t);
    double *values = ARENA_ARRAY(t->arena, edges, double);
    PivotsMatrix part = {
        .column_count = size, .worth = 0.1, .equal = 0.1, .is_sparsity_first = true};
    *equations = ARENA_ARRAY(t->arena, size, uint32_t);
    for (uint32_t k = 0; k < size; k++) {
        uint32_t row = t->blocks.rows[first + k];
        if (!dependence_is_known(t, block, row))
            continue;
        for (uint32_t e = t->graph.start[row]; e < t->graph.start[row + 1]; e++) {
            uint32_t j = t->graph.columns[e];
            if (t->blocks.of_row[t->o->transversal.row_of[j]] != block)
                continue;
            columns[count] = t->column[j];
            values[count++] = dependence_value_of(t, t->entry_of[e]);
        }
        (*equations)[part.row_count++] = row;
        start[part.row_count] = count;
    }
    part.start = start;
    part.columns = columns;
    part.values = values;
    part.rank = part.taste = ARENA_ARRAY(t->arena, size, uint8_t);
    return part;
}

// The sum with its orders. The superfluous row, the last, gives way if it has the least c: no other
// dependence of the block contains it, so many can be replaced at once. Otherwise another one gives
// way, and the block is done. Returns false then.
static bool dependence_add(DependenceSearch *t, const uint32_t *rows, const PivotsDependence *d,
                           bool is_first)
{
    uint32_t least = GRAPH_NONE, replaced = rows[d->rows[d->count - 1]];
    uint32_t *equations = ARENA_ARRAY(t->arena, d->count, uint32_t);
    uint32_t *orders = ARENA_ARRAY(t->arena, d->count, uint32_t);
    for (uint32_t k = 0; k < d->count; k++) {
        equations[k] = rows[d->rows[k]];
        least = t->o->c[equations[k]] < least ? t->o->c[equations[k]] : least;
    }
    bool is_last = t->o->c[replaced] == least;
    if (!is_last && !is_first)
        return false;
    for (uint32_t k = 0; k < d->count; k++) {
        orders[k] = t->o->c[equations[k]] - least;
        if (!is_last && orders[k] == 0)
            replaced = equations[k];
    }
    t->found[t->count++] = (Dependence){.replaced = replaced,
                                        .count = d->count,
                                        .equations = equations,
                                        .orders = orders,
                                        .weights = d->weights};
    return is_last;
}

uint32_t dependence_find(Arena *arena, const Signature *s, const Offsets *o, const double *values,
                         const Dependence **found)
{
    DependenceSearch t = {.arena = arena,
                          .s = s,
                          .o = o,
                          .values = values,
                          .pivots = pivots_create(arena),
                          .found = ARENA_ARRAY(arena, s->equation_count, Dependence),
                          .column = ARENA_ARRAY(arena, s->variable_count, uint32_t)};
    t.graph = offsets_graph(arena, s, o, &t.entry_of);
    t.blocks = blocks_find(arena, &t.graph, &o->transversal);
    for (uint32_t b = 0; b < t.blocks.count; b++) {
        if (t.blocks.start[b + 1] - t.blocks.start[b] < 2)
            continue;
        uint32_t *equations;
        const PivotsMatrix part = known_part(&t, b, &equations);
        PivotsDependence *dependences = NULL;
        uint32_t count = part.row_count < 2 ? 0 : pivots_dependences(t.pivots, &part, &dependences);
        for (uint32_t k = 0; k < count; k++) {
            if (!dependence_add(&t, equations, &dependences[k], k == 0))
                break;
        }
    }
    *found = t.found;
    return t.count;
}
