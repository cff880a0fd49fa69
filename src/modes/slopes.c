// SPDX-License-Identifier: MIT
//
// With x' = f(x) as definitions v_1, v_2, ... in the order of evaluation, each of which reads
// states and definitions before it, the rows of the Jacobian are
//
//   row(x_i) = e_i,   row(v_k) = sum over the variables u that occur in v_k of dv_k/du row(u),
//
// and row(x_i') is what is asked for (forward mode; A. Griewank, A. Walther: Evaluating
// Derivatives, 2nd ed., SIAM 2008, chapter 3). Rows are kept dense, by states, and only of what the
// derivatives need; dv_k/du comes from derive_gradient. What is found by solving a block has no
// definition: then there are no slopes, and the solver takes differences.

#include "modes/slopes.h"

#include "equations/derive.h"
#include "equations/walk.h"

// Larger modes are factored less often than they are stepped, and many of them would take memory.
enum { MOST_STATES = 12, MOST_NODES = 20000 };

typedef struct SlopesFinder {
    Dag *dag;
    const Solution *solution;
    DagMemo *values;  // variable -> its definition
    DagMemo *needed;  // variables that the derivatives of the states follow from
    DagMemo *numbers; // variable -> its place in `rows`
    Node **rows;      // derivatives by all states
    uint32_t row_count;
} SlopesFinder;

static Node *slopes_add_row(SlopesFinder *f, GraphVariable variable)
{
    const uint32_t n = f->solution->state_count;
    Node *row = ARENA_ARRAY(f->dag->arena, n, Node);
    for (uint32_t j = 0; j < n; j++)
        row[j] = f->dag->zero;
    memo_set(f->numbers, variable, f->row_count);
    f->rows[f->row_count++] = row;
    return row;
}

// Everything that is needed, from the derivatives backwards. False: something is found by solving.
static bool slopes_find_needed(SlopesFinder *f)
{
    const Solution *s = f->solution;
    bool is_fine = true;
    DagMemo *memo = memo_take(f->dag);
    for (uint32_t i = 0; i < s->state_count; i++)
        if (!memo_has(f->needed, s->states[i].derivative)) {
            memo_set(f->needed, s->states[i].derivative, 0);
            memo_push(f->needed, s->states[i].derivative);
        }
    for (uint32_t k = 0; k < f->needed->count && is_fine; k++) {
        const uint32_t v = f->needed->list[k];
        const Node value = memo_has(f->values, v) ? memo_get(f->values, v) : NODE_NONE;
        if (memo_has(f->numbers, v)) // a state
            continue;
        is_fine = value != NODE_NONE;
        if (!is_fine)
            break;
        memo_clear(memo);
        walk_variables(memo, WALK_UNHELD, &value, 1);
        for (uint32_t i = 0; i < memo->count; i++)
            if (memo_has(f->values, memo->list[i]) && !memo_has(f->needed, memo->list[i])) {
                memo_set(f->needed, memo->list[i], 0);
                memo_push(f->needed, memo->list[i]);
            }
    }
    memo_give(memo);
    return is_fine;
}

// The chain rule.
static bool slopes_define(SlopesFinder *f, GraphVariable variable, Node value)
{
    DagTerm *partials;
    uint32_t count;
    if (!derive_gradient(f->dag, f->dag->arena, value, f->numbers, &partials, &count))
        return false;
    if (count == 0)
        return true;
    Node *row = slopes_add_row(f, variable);
    for (uint32_t k = 0; k < count; k++) {
        const Node *inner = f->rows[memo_get(f->numbers, partials[k].variable)];
        for (uint32_t j = 0; j < f->solution->state_count; j++)
            if (inner[j] != f->dag->zero)
                row[j] = dag_add(f->dag, row[j], dag_multiply(f->dag, partials[k].value, inner[j]));
    }
    return true;
}

static bool slopes_define_all(SlopesFinder *f)
{
    const uint32_t most = f->dag->node_count + MOST_NODES;
    for (uint32_t b = 0; b < f->solution->block_count; b++) {
        const SolutionBlock *block = &f->solution->blocks[b];
        for (uint32_t i = 0; i < block->definition_count; i++) {
            const uint32_t v = block->definitions[i].variable;
            if (memo_has(f->needed, v) && !memo_has(f->numbers, v) &&
                (!slopes_define(f, v, block->definitions[i].value) || f->dag->node_count > most))
                return false;
        }
    }
    return true;
}

static Node slopes_entry(const SlopesFinder *f, uint32_t row, uint32_t column)
{
    const uint32_t v = f->solution->states[row].derivative;
    return memo_has(f->numbers, v) ? f->rows[memo_get(f->numbers, v)][column] : f->dag->zero;
}

static FlowSlopes slopes_list(const SlopesFinder *f, const SaltusSparsity *sparsity)
{
    const uint32_t n = f->solution->state_count;
    FlowSlopes slopes = {.groups = sparsity ? 1 : n};
    Node *nodes = ARENA_ARRAY(f->dag->arena, n * n, Node);
    uint32_t *in_row = ARENA_ARRAY(f->dag->arena, n, uint32_t);
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t first = sparsity ? (uint32_t)sparsity->column_start[j] : 0;
        const uint32_t end = sparsity ? (uint32_t)sparsity->column_start[j + 1] : n;
        for (uint32_t k = first; k < end; k++) {
            const uint32_t i = sparsity ? (uint32_t)sparsity->rows[k] : k;
            nodes[slopes.count++] = slopes_entry(f, i, j);
            if (++in_row[i] > slopes.groups)
                slopes.groups = in_row[i]; // columns with a row in common cannot be joined
        }
    }
    slopes.nodes = nodes;
    return slopes;
}

FlowSlopes slopes_find(Dag *dag, const Solution *solution, const SaltusSparsity *sparsity)
{
    const uint32_t n = solution->state_count;
    FlowSlopes slopes = {0};
    if (n == 0 || n > MOST_STATES)
        return slopes;
    uint32_t most = n;
    for (uint32_t b = 0; b < solution->block_count; b++)
        most += solution->blocks[b].definition_count;
    SlopesFinder f = {.dag = dag,
                      .solution = solution,
                      .values = memo_take(dag),
                      .needed = memo_take(dag),
                      .numbers = memo_take(dag),
                      .rows = ARENA_ARRAY(dag->arena, most, Node *)};
    for (uint32_t i = 0; i < n; i++)
        slopes_add_row(&f, solution->states[i].variable)[i] = dag->one;
    bool is_fine = true;
    for (uint32_t b = 0; b < solution->block_count; b++) {
        const SolutionBlock *block = &solution->blocks[b];
        for (uint32_t i = 0; i < block->definition_count; i++)
            memo_set(f.values, block->definitions[i].variable, block->definitions[i].value);
        for (uint32_t i = 0; i < block->unknown_count; i++)
            memo_set(f.values, block->unknowns[i], NODE_NONE); // found by solving
    }
    is_fine = slopes_find_needed(&f) && slopes_define_all(&f);
    if (is_fine)
        slopes = slopes_list(&f, sparsity);
    memo_give(f.numbers);
    memo_give(f.needed);
    memo_give(f.values);
    return slopes;
}
