// SPDX-License-Identifier: MIT

#include "modes/sparsity.h"

#include "equations/walk.h"

#include <limits.h>

typedef struct SparsityFinder {
    Arena *arena;
    Dag *dag;
    const Solution *solution;
    // The states that a variable depends on: pool[first[v]] ... pool[end[v] - 1], by variable of
    // the graph. Sets are shared where they are equal by construction.
    uint32_t *first, *end;
    uint32_t *pool;  // numbers of states
    uint32_t *stamp; // by state: the set that has it already
    uint32_t count, room, most;
    uint32_t stamps;
} SparsityFinder;

// Below, nothing is gained.
enum { FEWEST_STATES = 4 };

// Sets of intermediate variables may have this many members on average; beyond, the matrix is as
// good as dense.
enum { MOST_MEMBERS = 100 };

static bool sparsity_add_state(SparsityFinder *f, uint32_t state)
{
    if (f->stamp[state] == f->stamps)
        return true;
    if (f->count == f->most)
        return false;
    f->stamp[state] = f->stamps;
    ARENA_PUSH(f->arena, f->pool, f->count, f->room, state);
    return true;
}

// Adds what the variables that occur in a node depend on to the set that is being made.
static bool sparsity_add_node(SparsityFinder *f, Node node)
{
    DagMemo *memo = memo_take(f->dag);
    walk_variables(memo, WALK_UNHELD, &node, 1);
    bool has_room = true;
    for (uint32_t i = 0; i < memo->count && has_room; i++) {
        const uint32_t end = f->end[memo->list[i]];
        for (uint32_t k = f->first[memo->list[i]]; k < end && has_room; k++)
            has_room = sparsity_add_state(f, f->pool[k]);
    }
    memo_give(memo);
    return has_room;
}

// The variable depends on what is in the pool from `first` on.
static void set_states(SparsityFinder *f, uint32_t variable, uint32_t first)
{
    f->first[variable] = first;
    f->end[variable] = f->count;
}

// The unknowns of a block, while the sets of its definitions are still empty; then these.
static bool sparsity_add_block(SparsityFinder *f, const SolutionBlock *block)
{
    bool has_room = true;
    f->stamps++;
    const uint32_t first = f->count;
    for (uint32_t i = 0; i < block->unknown_count && has_room; i++)
        has_room = sparsity_add_node(f, block->residuals[i]);
    for (uint32_t i = 0; block->unknown_count && i < block->definition_count && has_room; i++)
        has_room = sparsity_add_node(f, block->definitions[i].value);
    for (uint32_t i = 0; i < block->unknown_count; i++)
        set_states(f, block->unknowns[i], first);
    for (uint32_t i = 0; i < block->definition_count && has_room; i++) {
        f->stamps++;
        const uint32_t begin = f->count;
        has_room = sparsity_add_node(f, block->definitions[i].value);
        set_states(f, block->definitions[i].variable, begin);
    }
    return has_room;
}

static uint32_t count_entries(const SparsityFinder *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->solution->state_count; i++) {
        const uint32_t v = f->solution->states[i].derivative;
        count += f->end[v] - f->first[v];
    }
    return count;
}

// The sets are rows; what is wanted are columns.
static const SaltusSparsity *sparsity_transpose(SparsityFinder *f, uint32_t entries)
{
    const uint32_t n = f->solution->state_count;
    int *starts = ARENA_ARRAY(f->arena, n + 2, int), *rows = ARENA_ARRAY(f->arena, entries, int);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = f->solution->states[i].derivative;
        for (uint32_t k = f->first[v]; k < f->end[v]; k++)
            starts[f->pool[k] + 2]++;
    }
    for (uint32_t j = 0; j < n; j++)
        starts[j + 2] += starts[j + 1];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = f->solution->states[i].derivative;
        for (uint32_t k = f->first[v]; k < f->end[v]; k++)
            rows[starts[f->pool[k] + 1]++] = (int)i;
    }
    SaltusSparsity *sparsity = ARENA_NEW(f->arena, SaltusSparsity);
    *sparsity = (SaltusSparsity){.column_start = starts, .rows = rows};
    return sparsity;
}

bool sparsity_pays(uint32_t states, double entries)
{
    return states >= FEWEST_STATES && 2.0 * entries <= (double)states * states &&
           entries <= INT_MAX;
}

const SaltusSparsity *sparsity_find(Dag *dag, const Solution *solution)
{
    const uint32_t n = solution->state_count;
    if (n < FEWEST_STATES)
        return NULL;
    uint32_t unknowns = n;
    for (uint32_t k = 0; k < solution->block_count; k++)
        unknowns += solution->blocks[k].unknown_count + solution->blocks[k].definition_count;
    if (unknowns > UINT32_MAX / MOST_MEMBERS / 2)
        return NULL;
    SparsityFinder f = {.arena = dag->arena,
                        .dag = dag,
                        .solution = solution,
                        .first = ARENA_ARRAY(dag->arena, dag->variable_count, uint32_t),
                        .end = ARENA_ARRAY(dag->arena, dag->variable_count, uint32_t),
                        .stamp = ARENA_ARRAY(dag->arena, n, uint32_t),
                        .room = 4 * n,
                        .most = MOST_MEMBERS * unknowns};
    f.pool = ARENA_ARRAY(dag->arena, f.room, uint32_t);
    for (uint32_t i = 0; i < n; i++) {
        f.pool[f.count++] = i;
        set_states(&f, solution->states[i].variable, i);
    }
    for (uint32_t k = 0; k < solution->block_count; k++)
        if (!sparsity_add_block(&f, &solution->blocks[k]))
            return NULL;
    const uint32_t entries = count_entries(&f);
    return sparsity_pays(n, entries) ? sparsity_transpose(&f, entries) : NULL;
}
