// SPDX-License-Identifier: MIT
//
// Signature, offsets, selection of states, then stage after stage, lowest derivatives first: the
// equations f_i^(c_i - k) and the unknowns v_j^(d_j - k) of stage k, matched along tight entries
// and put in block lower triangular order. Other entries of these equations belong to lower
// derivatives, which are states or unknowns of stages before.

#include "structure/structure.h"

#include "structure/blocks.h"
#include "structure/tearing.h"

#include <math.h>

// A block that needs more torn variables than this is better solved as a whole, as a sparse one.
enum { MOST_TORN = 64 };

// In a torn block no unknown is solved for by a number that is smaller than this part of the
// largest one beside it.
static const double small_number = 1e-5;

// ---------------------------------------------------------------------------
// One stage
// ---------------------------------------------------------------------------

typedef struct Build {
    Arena *arena;
    Structure *s;
    StructureStep *steps;
    StructureBlock *blocks;
    uint32_t *column_of; // by variable: its number in the stage
    uint32_t *number;    // by row of the stage: its number in the block
} Build;

// What is solved at once: a stage, or one block of it. Rows and columns have numbers of their own;
// edge e is an entry of the signature.
typedef struct StructureStage {
    uint32_t k;
    uint32_t *equations, *variables; // by row, by column
    Graph graph;
    uint32_t *entries; // by edge
    Matching m;        // not of a block: there column r is that of row r
} StructureStage;

// Whether v_j^(d_j - k) is solved for.
static bool structure_is_unknown(const Structure *s, uint32_t j, uint32_t k)
{
    return s->state_orders[j] + k <= s->offsets->d[j];
}

static void stage_members(Build *b, StructureStage *stage)
{
    const Signature *g = b->s->signature;
    stage->equations = ARENA_ARRAY(b->arena, g->equation_count, uint32_t);
    stage->variables = ARENA_ARRAY(b->arena, g->variable_count, uint32_t);
    stage->graph = (Graph){.row_count = 0};
    for (uint32_t i = 0; i < g->equation_count; i++) {
        if (b->s->offsets->c[i] >= stage->k)
            stage->equations[stage->graph.row_count++] = i;
    }
    for (uint32_t j = 0; j < g->variable_count; j++) {
        if (!structure_is_unknown(b->s, j, stage->k))
            continue;
        b->column_of[j] = stage->graph.column_count;
        stage->variables[stage->graph.column_count++] = j;
    }
}

static void stage_graph(Build *b, StructureStage *stage)
{
    const Signature *g = b->s->signature;
    uint32_t edges = 0, count = 0;
    for (uint32_t r = 0; r < stage->graph.row_count; r++)
        edges += g->start[stage->equations[r] + 1] - g->start[stage->equations[r]];
    uint32_t *start = ARENA_ARRAY(b->arena, stage->graph.row_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(b->arena, edges, uint32_t);
    stage->entries = ARENA_ARRAY(b->arena, edges, uint32_t);
    for (uint32_t r = 0; r < stage->graph.row_count; r++) {
        uint32_t i = stage->equations[r];
        for (uint32_t e = g->start[i]; e < g->start[i + 1]; e++) {
            uint32_t j = g->entries[e].variable;
            if (!offsets_tight(b->s->offsets, i, &g->entries[e]) ||
                !structure_is_unknown(b->s, j, stage->k))
                continue;
            stage->entries[count] = e;
            columns[count++] = b->column_of[j];
        }
        start[r + 1] = count;
    }
    stage->graph.start = start;
    stage->graph.columns = columns;
}

// In stage 0 the transversal will do.
static void stage_matching(Build *b, StructureStage *stage)
{
    stage->m = matching_empty(b->arena, stage->graph.row_count, stage->graph.column_count);
    if (stage->k == 0) {
        for (uint32_t r = 0; r < stage->graph.row_count; r++) {
            uint32_t c = b->column_of[b->s->offsets->transversal.column_of[stage->equations[r]]];
            stage->m.column_of[r] = c;
            stage->m.row_of[c] = r;
        }
        stage->m.size = stage->graph.row_count;
    }
    matching_maximum(b->arena, &stage->graph, &stage->m);
}

// ---------------------------------------------------------------------------
// One block of a stage
// ---------------------------------------------------------------------------

// How the equation, differentiated so often, depends on the unknown. The derivative of an equation
// is linear in the highest derivatives: f' = df/dv v' + ...
static SignatureKind structure_kind_of(const SignatureEntry *entry, uint32_t times)
{
    SignatureKind kind = (SignatureKind)entry->kind;
    return times > 0 && kind == SIGNATURE_NONLINEAR ? SIGNATURE_LINEAR : kind;
}

// The coefficient of a linear entry may contain other unknowns of the block.
static bool is_bilinear(const Build *b, const StructureStage *stage, const Blocks *blocks,
                        uint32_t row, uint32_t entry)
{
    const Signature *g = b->s->signature;
    uint32_t i = stage->equations[row];
    for (uint32_t f = g->factor_start[entry]; f < g->factor_start[entry + 1]; f++) {
        const SignatureEntry *factor = &g->entries[g->factors[f]];
        uint32_t j = factor->variable;
        if (!offsets_tight(b->s->offsets, i, factor) || !structure_is_unknown(b->s, j, stage->k))
            continue;
        if (blocks->of_row[stage->m.row_of[b->column_of[j]]] == blocks->of_row[row])
            return true;
    }
    return false;
}

// One equation that is solved by an inverse. Larger blocks are not: a guess of what the inverse
// takes may be nothing that it is defined for.
static bool has_inverse(const StructureStage *part, const Signature *g)
{
    return part->graph.row_count == 1 && part->graph.start[1] == 1 &&
           g->entries[part->entries[0]].has_inverse;
}

// `rows`: those of the block in its stage.
static StructureKind block_kind(const Build *b, const StructureStage *stage, const Blocks *blocks,
                                const uint32_t *rows, const StructureStage *part)
{
    const Signature *g = b->s->signature;
    SignatureKind worst = SIGNATURE_NUMBER;
    for (uint32_t r = 0; r < part->graph.row_count; r++) {
        uint32_t times = b->s->offsets->c[part->equations[r]] - part->k;
        for (uint32_t e = part->graph.start[r]; e < part->graph.start[r + 1]; e++) {
            SignatureKind kind = structure_kind_of(&g->entries[part->entries[e]], times);
            if (kind == SIGNATURE_LINEAR && times == 0 &&
                is_bilinear(b, stage, blocks, rows[r], part->entries[e]))
                kind = SIGNATURE_NONLINEAR;
            worst = kind > worst ? kind : worst;
        }
    }
    if (worst == SIGNATURE_NONLINEAR)
        return has_inverse(part, g) ? STRUCTURE_ASSIGNMENT : STRUCTURE_NONLINEAR;
    if (part->graph.row_count == 1)
        return STRUCTURE_ASSIGNMENT;
    return worst == SIGNATURE_LINEAR ? STRUCTURE_LINEAR : STRUCTURE_CONSTANT;
}

static StructureStage structure_part(Build *b, const StructureStage *stage, const Blocks *blocks,
                                     uint32_t block)
{
    const uint32_t *rows = blocks->rows + blocks->start[block];
    const uint32_t size = blocks->start[block + 1] - blocks->start[block];
    uint32_t edges = 0, count = 0;
    for (uint32_t r = 0; r < size; r++)
        edges += stage->graph.start[rows[r] + 1] - stage->graph.start[rows[r]];
    uint32_t *start = ARENA_ARRAY(b->arena, size + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(b->arena, edges, uint32_t);
    StructureStage part = {.k = stage->k,
                           .equations = ARENA_ARRAY(b->arena, size, uint32_t),
                           .variables = ARENA_ARRAY(b->arena, size, uint32_t),
                           .graph = {size, size, start, columns},
                           .entries = ARENA_ARRAY(b->arena, edges, uint32_t)};
    for (uint32_t r = 0; r < size; r++) {
        part.equations[r] = stage->equations[rows[r]];
        part.variables[r] = stage->variables[stage->m.column_of[rows[r]]];
        b->number[rows[r]] = r;
    }
    for (uint32_t r = 0; r < size; r++) {
        for (uint32_t e = stage->graph.start[rows[r]]; e < stage->graph.start[rows[r] + 1]; e++) {
            uint32_t other = stage->m.row_of[stage->graph.columns[e]];
            if (blocks->of_row[other] != block)
                continue;
            part.entries[count] = stage->entries[e];
            columns[count++] = b->number[other];
        }
        start[r + 1] = count;
    }
    return part;
}

// Known sizes of a row can be compared with each other, other coefficients cannot.
static double structure_largest(const Signature *g, const StructureStage *part, uint32_t row,
                                bool *are_known)
{
    double largest = 0.0, size[2];
    *are_known = true;
    for (uint32_t e = part->graph.start[row]; e < part->graph.start[row + 1]; e++) {
        if (signature_size(&g->entries[part->entries[e]], size))
            largest = fmax(largest, size[1]);
        else
            *are_known = false;
    }
    return largest;
}

static Tearing tear(Build *b, const StructureStage *part)
{
    const Signature *g = b->s->signature;
    const uint32_t size = part->graph.row_count;
    bool *solvable = ARENA_ARRAY(b->arena, part->graph.start[size], bool);
    double *weights = ARENA_ARRAY(b->arena, 2u * part->graph.start[size], double);
    for (uint32_t r = 0; r < size; r++) {
        uint32_t times = b->s->offsets->c[part->equations[r]] - part->k;
        bool are_known;
        double largest = structure_largest(g, part, r, &are_known);
        for (uint32_t e = part->graph.start[r]; e < part->graph.start[r + 1]; e++) {
            const SignatureEntry *entry = &g->entries[part->entries[e]];
            const bool is_known = signature_size(entry, weights + 2 * e);
            bool is_small = is_known && weights[2 * e] < small_number * largest;
            bool is_safe = entry->kind <= SIGNATURE_PARAMETER || entry->is_nonzero;
            solvable[e] = structure_kind_of(entry, times) <= SIGNATURE_LINEAR && is_safe &&
                          !is_small && !entry->is_partial && !entry->is_vanishing;
            if (!are_known)
                weights[2 * e] = weights[2 * e + 1] = 1.0;
        }
    }
    return tearing_find(b->arena, &part->graph, solvable, weights, MOST_TORN);
}

static void add_step(Build *b, const StructureStage *part, uint32_t row, uint32_t column)
{
    const Offsets *o = b->s->offsets;
    uint32_t i = part->equations[row], j = part->variables[column];
    b->steps[b->s->step_count++] = (StructureStep){.equation = i,
                                                   .equation_order = o->c[i] - part->k,
                                                   .variable = j,
                                                   .variable_order = o->d[j] - part->k};
}

static void structure_add_block(Build *b, const StructureStage *stage, const Blocks *blocks,
                                uint32_t number)
{
    ArenaMark mark = arena_mark(b->arena);
    const uint32_t *rows = blocks->rows + blocks->start[number];
    const StructureStage part = structure_part(b, stage, blocks, number);
    StructureBlock *block = &b->blocks[b->s->block_count++];
    *block = (StructureBlock){.kind = block_kind(b, stage, blocks, rows, &part),
                              .stage = stage->k,
                              .first = b->s->step_count,
                              .size = part.graph.row_count,
                              .solved = 0};
    if (block->size == 1) {
        block->solved = block->kind == STRUCTURE_ASSIGNMENT;
        add_step(b, &part, 0, 0);
    } else {
        Tearing tearing = tear(b, &part);
        block->solved = tearing.solved;
        for (uint32_t k = 0; k < block->size; k++)
            add_step(b, &part, tearing.rows[k], tearing.columns[k]);
    }
    arena_release(b->arena, mark);
}

// False: these states leave equations without an unknown. That is so only where the values that
// they were chosen by are those of a singular system.
static bool add_stage(Build *b, uint32_t k)
{
    ArenaMark mark = arena_mark(b->arena);
    StructureStage stage = {.k = k};
    stage_members(b, &stage);
    stage_graph(b, &stage);
    stage_matching(b, &stage);
    const bool is_matched =
        stage.m.size == stage.graph.row_count && stage.graph.row_count == stage.graph.column_count;
    if (is_matched) {
        Blocks blocks = blocks_find(b->arena, &stage.graph, &stage.m);
        for (uint32_t n = 0; n < blocks.count; n++)
            structure_add_block(b, &stage, &blocks, n);
    }
    arena_release(b->arena, mark);
    return is_matched;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// Marks v_j^(o) for all derivatives that the block's equations contain.
static void need_entries(const Structure *s, const StructureBlock *block, const uint32_t *base,
                         bool *needed)
{
    const Signature *g = s->signature;
    for (uint32_t n = block->first; n < block->first + block->size; n++) {
        const StructureStep *step = &s->steps[n];
        for (uint32_t e = g->start[step->equation]; e < g->start[step->equation + 1]; e++) {
            const SignatureEntry *entry = &g->entries[e];
            uint32_t top = entry->order + step->equation_order;
            for (uint32_t o = 0; o <= top; o++) {
                if (signature_has_order(entry, step->equation_order, o))
                    needed[base[entry->variable] + o] = true;
            }
        }
    }
}

// From the last block to the first: what the derivatives of the states depend on.
static void structure_find_needed(Build *b)
{
    const Structure *s = b->s;
    ArenaMark mark = arena_mark(b->arena);
    uint32_t n = s->signature->variable_count;
    uint32_t *base = ARENA_ARRAY(b->arena, n + 1u, uint32_t);
    for (uint32_t j = 0; j < n; j++)
        base[j + 1] = base[j] + s->offsets->d[j] + 1;
    bool *needed = ARENA_ARRAY(b->arena, base[n], bool);
    for (uint32_t k = 0; k < s->state_count; k++)
        needed[base[s->states[k].variable] + s->states[k].order + 1] = true;
    for (uint32_t k = s->block_count; k-- > 0;) {
        StructureBlock *block = &b->blocks[k];
        for (uint32_t m = block->first; m < block->first + block->size; m++) {
            const StructureStep *step = &s->steps[m];
            block->is_needed |= needed[base[step->variable] + step->variable_order];
        }
        if (block->is_needed)
            need_entries(s, block, base, needed);
    }
    arena_release(b->arena, mark);
}

static void structure_list_states(Arena *arena, Structure *s)
{
    s->states = arena_array(arena, s->offsets->freedom, sizeof *s->states);
    for (uint32_t j = 0; j < s->signature->variable_count; j++) {
        for (uint32_t o = 0; o < s->state_orders[j]; o++) {
            s->states[s->state_count].variable = j;
            s->states[s->state_count++].order = o;
        }
    }
}

static void find_input_orders(Arena *arena, Structure *s)
{
    const Signature *g = s->signature;
    uint32_t *orders = ARENA_ARRAY(arena, g->input_count, uint32_t);
    for (uint32_t i = 0; i < g->equation_count; i++) {
        for (uint32_t e = g->input_start[i]; e < g->input_start[i + 1]; e++) {
            uint32_t *most = &orders[g->input_entries[e].variable];
            uint32_t order = g->input_entries[e].order + s->offsets->c[i];
            *most = order > *most ? order : *most;
        }
    }
    s->input_orders = orders;
}

// NULL: there is none with these states.
static const Structure *structure_build(Arena *arena, const SelectionPlan *plan,
                                        const uint32_t *state_orders, bool is_regular)
{
    Structure *s = ARENA_NEW(arena, Structure);
    *s = (Structure){.signature = plan->signature,
                     .offsets = plan->offsets,
                     .plan = plan,
                     .state_orders = state_orders,
                     .is_regular = is_regular};
    uint32_t n = s->signature->variable_count, steps = n;
    for (uint32_t i = 0; i < s->signature->equation_count; i++)
        steps += s->offsets->c[i];
    Build b = {.arena = arena,
               .s = s,
               .steps = ARENA_ARRAY(arena, steps, StructureStep),
               .blocks = ARENA_ARRAY(arena, steps, StructureBlock)};
    s->steps = b.steps;
    s->blocks = b.blocks;
    structure_list_states(arena, s);
    find_input_orders(arena, s);

    ArenaMark mark = arena_mark(arena);
    b.column_of = ARENA_ARRAY(arena, n, uint32_t);
    b.number = ARENA_ARRAY(arena, n, uint32_t);
    bool is_matched = true;
    for (uint32_t k = s->offsets->depth + 1; k-- > 0 && is_matched;)
        is_matched = add_stage(&b, k);
    if (is_matched)
        structure_find_needed(&b);
    arena_release(arena, mark);
    return is_matched ? s : NULL;
}

// ---------------------------------------------------------------------------
// States that the model asks for
// ---------------------------------------------------------------------------

// A variable that should be a state can only become one if it is differentiated.
static bool wants_derivative(const Signature *g, uint32_t j)
{
    return signature_select(g, j) >= SIGNATURE_PREFER;
}

// Gives up the wish of those that did not become states. False: there are none.
static bool give_up_wishes(uint32_t n, const uint32_t *states, uint32_t *least)
{
    bool has_changed = false;
    for (uint32_t j = 0; j < n; j++) {
        if (least[j] == 0 || states[j] > 0)
            continue;
        least[j] = 0;
        has_changed = true;
    }
    return has_changed;
}

const Structure *structure_create(Arena *arena, const Signature *g, const double *jacobian)
{
    uint32_t n = g->variable_count;
    uint32_t *least = ARENA_ARRAY(arena, n, uint32_t);
    uint32_t *states = ARENA_ARRAY(arena, n, uint32_t);
    for (uint32_t j = 0; j < n; j++)
        least[j] = wants_derivative(g, j);
    const SelectionPlan *plan;
    bool is_regular;
    do {
        Offsets *offsets = ARENA_NEW(arena, Offsets);
        if (!offsets_find(arena, g, least, offsets))
            return NULL;
        plan = selection_plan(arena, g, offsets);
        is_regular = selection_make(selection_selector(arena, plan), jacobian, states);
    } while (give_up_wishes(n, states, least));
    const Structure *s = structure_build(arena, plan, states, is_regular);
    if (!s) { // by the structure alone
        selection_make(selection_selector(arena, plan), NULL, states);
        s = structure_build(arena, plan, states, false);
    }
    return s;
}

const Structure *structure_with_states(Arena *arena, const Structure *structure,
                                       const uint32_t *state_orders)
{
    uint32_t n = structure->signature->variable_count;
    uint32_t *states = ARENA_ARRAY(arena, n, uint32_t);
    for (uint32_t j = 0; j < n; j++)
        states[j] = state_orders[j];
    const Structure *s = structure_build(arena, structure->plan, states, true);
    return s ? s : structure;
}
