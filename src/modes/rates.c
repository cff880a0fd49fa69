// SPDX-License-Identifier: MIT

#include "modes/rates.h"

#include "equations/derive.h"

typedef struct RatesFinder {
    Arena *arena;
    Dag *dag;
    const Solution *solution;
    DagMemo *known;  // states and unknowns of the solution
    DagMemo *needed; // rates that are not among them
    Derivation derivation;
} RatesFinder;

static void rates_note_known(RatesFinder *f)
{
    const Solution *s = f->solution;
    for (uint32_t i = 0; i < s->state_count; i++)
        memo_set(f->known, s->states[i].variable, 0);
    for (uint32_t k = 0; k < s->block_count; k++) {
        const SolutionBlock *block = &s->blocks[k];
        for (uint32_t i = 0; i < block->definition_count; i++)
            memo_set(f->known, block->definitions[i].variable, 0);
        for (uint32_t i = 0; i < block->unknown_count; i++)
            memo_set(f->known, block->unknowns[i], 0);
    }
}

// The derivative of a node by time, and which rates it needs; NODE_NONE: there is none.
static Node rates_differentiate(RatesFinder *f, Node node)
{
    const Node rate = derive(&f->derivation, node);
    if (rate == NODE_NONE)
        return rate;
    DagMemo *memo = memo_take(f->dag);
    walk_variables(memo, WALK_UNHELD, &rate, 1);
    for (uint32_t i = 0; i < memo->count; i++) {
        const DagVariable *v = &f->dag->variables[memo->list[i]];
        if (v->role == DAG_DERIVATIVE && !memo_has(f->known, memo->list[i]))
            memo_set(f->needed, v->of, 0);
    }
    memo_give(memo);
    return rate;
}

static bool is_needed(const RatesFinder *f, const SolutionBlock *block)
{
    for (uint32_t i = 0; i < block->definition_count; i++)
        if (memo_has(f->needed, block->definitions[i].variable))
            return true;
    for (uint32_t i = 0; i < block->unknown_count; i++)
        if (memo_has(f->needed, block->unknowns[i]))
            return true;
    return false;
}

// Definitions from the last to the first: of an assignment only what is needed, of others all,
// because the unknowns may need them.
static bool differentiate_definitions(RatesFinder *f, const SolutionBlock *from, SolutionBlock *to)
{
    SolutionDefinition *all = ARENA_ARRAY(f->arena, from->definition_count, SolutionDefinition);
    uint32_t first = from->definition_count;
    for (uint32_t i = from->definition_count; i-- > 0;) {
        const GraphVariable variable = from->definitions[i].variable;
        if (from->unknown_count == 0 && !memo_has(f->needed, variable))
            continue;
        const Node value = rates_differentiate(f, from->definitions[i].value);
        if (value == NODE_NONE)
            return false;
        const uint32_t rate = dag_derivative_variable(f->dag, variable);
        if (!memo_has(f->known, rate))
            all[--first] = (SolutionDefinition){rate, value, NODE_NONE};
    }
    to->definitions = all + first;
    to->definition_count = from->definition_count - first;
    return true;
}

static bool differentiate_residuals(RatesFinder *f, const SolutionBlock *from, SolutionBlock *to)
{
    uint32_t *unknowns = ARENA_ARRAY(f->arena, from->unknown_count, uint32_t);
    Node *residuals = ARENA_ARRAY(f->arena, from->unknown_count, Node);
    for (uint32_t i = 0; i < from->unknown_count; i++) {
        residuals[i] = rates_differentiate(f, from->residuals[i]);
        if (residuals[i] == NODE_NONE)
            return false;
        unknowns[i] = dag_derivative_variable(f->dag, from->unknowns[i]);
        // The index was reduced so that a derivative which the equations have anyway is determined
        // by the equations differentiated as often: all unknowns of a block have one, or none.
        if (memo_has(f->known, unknowns[i]))
            return false;
    }
    to->unknowns = unknowns;
    to->residuals = residuals;
    return true;
}

static bool rates_find_blocks(RatesFinder *f, Rates *rates)
{
    SolutionBlock *blocks = NULL;
    uint32_t count = 0, room = 0;
    for (uint32_t k = f->solution->block_count; k-- > 0;) {
        const SolutionBlock *from = &f->solution->blocks[k];
        if (!is_needed(f, from))
            continue;
        SolutionBlock to = *from;
        if (from->unknown_count) {
            to.kind = from->kind == STRUCTURE_CONSTANT ? STRUCTURE_CONSTANT : STRUCTURE_LINEAR;
            if (!differentiate_residuals(f, from, &to))
                return false;
        }
        if (!differentiate_definitions(f, from, &to))
            return false;
        ARENA_PUSH(f->arena, blocks, count, room, to);
    }
    for (uint32_t i = 0; i < count / 2; i++) { // the first one first
        const SolutionBlock other = blocks[i];
        blocks[i] = blocks[count - 1 - i];
        blocks[count - 1 - i] = other;
    }
    rates->blocks = blocks;
    rates->block_count = count;
    return true;
}

bool rates_find(Dag *dag, const Solution *solution, const Node *nodes, uint32_t count, Rates *rates)
{
    RatesFinder f = {.arena = dag->arena,
                     .dag = dag,
                     .solution = solution,
                     .known = memo_take(dag),
                     .needed = memo_take(dag)};
    DagMemo *seeds = memo_take(dag);
    for (uint32_t i = 0; i < solution->state_count; i++)
        memo_set(seeds, solution->states[i].variable,
                 dag_reference(dag, solution->states[i].derivative));
    f.derivation = derive_by_time(dag, seeds);
    rates_note_known(&f);
    Node *derived = ARENA_ARRAY(dag->arena, count, Node);
    bool is_fine = true;
    for (uint32_t i = 0; i < count && is_fine; i++) {
        derived[i] = rates_differentiate(&f, nodes[i]);
        is_fine = derived[i] != NODE_NONE;
    }
    is_fine = is_fine && rates_find_blocks(&f, rates);
    rates->nodes = derived;
    derive_end(&f.derivation);
    memo_give(seeds);
    memo_give(f.needed);
    memo_give(f.known);
    return is_fine;
}
