// SPDX-License-Identifier: MIT

#include "structure/jump.h"

#include "equations/derive.h"
#include "equations/walk.h"

typedef struct JumpMaking {
    Arena *arena;
    Dag *dag;
    const System *system;
    const Structure *s;
    const Signature *g;
    const uint32_t *c, *d;
    uint32_t *row_block, *column_block; // of equations and variables: their blocks of stage 0
    bool *can_jump;                     // by block
    bool *is_needed;                    // by block: for a V_j
    bool *is_wanted;                    // by block: for that, or for an event
    DagMemo *highest;                   // variable of the graph v_j^(d_j) -> j
    JumpPart *parts;
    uint32_t part_count, part_room;
    uint32_t *part_of, *place_of; // by variable, in stage 1: part and column
    JumpTerm *terms;              // of all events
    uint32_t term_count, term_room;
    SolutionFailure *failure;
    // The stage that is made: its equations and variables, and which of its parts each belongs to.
    struct {
        uint32_t stage, stage_parts;
        uint32_t *equations, *variables;
        uint32_t equation_count, variable_count;
        uint32_t *row_part, *column_part;
    } now;
    // The part that is made.
    uint32_t row_room, entry_room;
    DagMemo *place;   // variable of the graph, at whose place in the equation D_j stands -> column
    uint32_t *finite; // by column: 1 + row that says it must be finite
} JumpMaking;

// ---------------------------------------------------------------------------
// What can jump
// ---------------------------------------------------------------------------

static void jump_find_blocks(JumpMaking *m)
{
    for (uint32_t b = 0; b < m->s->block_count; b++) {
        const StructureBlock *block = &m->s->blocks[b];
        for (uint32_t k = 0; k < block->size && block->stage == 0; k++) {
            m->row_block[m->s->steps[block->first + k].equation] = b;
            m->column_block[m->s->steps[block->first + k].variable] = b;
        }
    }
    for (uint32_t j = 0; j < m->g->variable_count; j++)
        memo_set(m->highest, system_derivative(m->system, j, m->d[j]), j);
}

// Blocks stand in the order of evaluation: what a block needs comes before it.
static void find_jumping(JumpMaking *m)
{
    for (uint32_t b = 0; b < m->s->block_count; b++) {
        const StructureBlock *block = &m->s->blocks[b];
        for (uint32_t k = 0; k < block->size && block->stage == 0; k++) {
            uint32_t i = m->s->steps[block->first + k].equation;
            m->can_jump[b] = m->can_jump[b] || m->c[i] > 0;
            for (uint32_t e = m->g->start[i]; e < m->g->start[i + 1]; e++)
                if (offsets_tight(m->s->offsets, i, &m->g->entries[e]) &&
                    m->can_jump[m->column_block[m->g->entries[e].variable]])
                    m->can_jump[b] = true;
        }
    }
}

// From the last block to the first: `set` grows by what its blocks depend on.
static void spread_needs(JumpMaking *m, bool *set)
{
    for (uint32_t b = m->s->block_count; b-- > 0;) {
        const StructureBlock *block = &m->s->blocks[b];
        for (uint32_t k = 0; k < block->size && set[b]; k++) {
            uint32_t i = m->s->steps[block->first + k].equation;
            for (uint32_t e = m->g->start[i]; e < m->g->start[i + 1]; e++) {
                uint32_t other = m->column_block[m->g->entries[e].variable];
                if (offsets_tight(m->s->offsets, i, &m->g->entries[e]) && m->can_jump[other])
                    set[other] = true;
            }
        }
    }
}

static void jump_find_needed(JumpMaking *m, const Node *events, uint32_t count)
{
    for (uint32_t j = 0; j < m->g->variable_count; j++)
        if (m->d[j] > 0 && m->can_jump[m->column_block[j]])
            m->is_needed[m->column_block[j]] = true;
    // Impulses that no V_j depends on have a solution, but for those that a repeated equation
    // stands for: there the balances may contradict the constraints.
    for (uint32_t i = 0; i < m->g->equation_count; i++)
        if (m->system->equations[i].about.is_repeated && m->can_jump[m->row_block[i]])
            m->is_needed[m->row_block[i]] = true;
    spread_needs(m, m->is_needed);
    for (uint32_t b = 0; b < m->s->block_count; b++)
        m->is_wanted[b] = m->is_needed[b];
    DagMemo *memo = memo_take(m->dag);
    walk_variables(memo, WALK_UNHELD, events, count);
    for (uint32_t k = 0; k < memo->count; k++) {
        if (!memo_has(m->highest, memo->list[k]))
            continue;
        uint32_t b = m->column_block[memo_get(m->highest, memo->list[k])];
        m->is_wanted[b] = m->is_wanted[b] || m->can_jump[b];
    }
    memo_give(memo);
    spread_needs(m, m->is_wanted);
}

// ---------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------

static uint32_t jump_add_row(JumpMaking *m, JumpPart *r, JumpRow row)
{
    ARENA_ROOM(m->arena, r->rows, r->row_count, m->row_room);
    r->rows[r->row_count] = row;
    return r->row_count++;
}

static void jump_add_entry(JumpMaking *m, JumpPart *r, uint32_t row, uint32_t column,
                           Node coefficient)
{
    ARENA_PUSH(m->arena, r->entries, r->entry_count, m->entry_room,
               (JumpEntry){row, column, coefficient});
}

// f^(times)
static Node jump_differentiated(JumpMaking *m, uint32_t equation, uint32_t times)
{
    const SystemEquation *f = &m->system->equations[equation];
    Node e = dag_subtract(m->dag, f->left, f->right);
    Derivation d = derive_by_time(m->dag, NULL);
    for (uint32_t p = 0; p < times && e != NODE_NONE; p++)
        e = derive(&d, e);
    if (e == NODE_NONE)
        *m->failure = (SolutionFailure){.equation = equation, .reason = d.reason};
    derive_end(&d);
    return e;
}

static bool add_constraint(JumpMaking *m, JumpPart *r, uint32_t equation)
{
    DagTerm *partials;
    uint32_t count;
    Node e = jump_differentiated(m, equation, m->c[equation] - r->stage);
    if (e == NODE_NONE)
        return false;
    if (!derive_gradient(m->dag, m->dag->arena, e, m->place, &partials, &count)) {
        *m->failure =
            (SolutionFailure){.equation = equation, .reason = "a function in it has no derivative"};
        return false;
    }
    uint32_t row = jump_add_row(
        m, r,
        (JumpRow){.kind = JUMP_CONSTRAINT, .is_needed = true, .equation = equation, .residual = e});
    for (uint32_t k = 0; k < count; k++)
        if (!dag_is_zero(m->dag, partials[k].value))
            jump_add_entry(m, r, row, memo_get(m->place, partials[k].variable), partials[k].value);
    return true;
}

// Whether it contains a v_j^(d_j) that may have an impulse.
static bool is_discontinuous(JumpMaking *m, Node e)
{
    bool has_jump = false;
    DagMemo *memo = memo_take(m->dag);
    walk_variables(memo, WALK_UNHELD, &e, 1);
    for (uint32_t k = 0; k < memo->count && !has_jump; k++)
        has_jump = memo_has(m->highest, memo->list[k]) &&
                   m->can_jump[m->column_block[memo_get(m->highest, memo->list[k])]];
    memo_give(memo);
    return has_jump;
}

static void add_finite(JumpMaking *m, JumpPart *r, uint32_t equation, uint32_t column)
{
    if (m->finite[column])
        return;
    uint32_t row =
        jump_add_row(m, r, (JumpRow){.kind = JUMP_FINITE, .is_needed = true, .equation = equation});
    m->finite[column] = 1 + row;
    jump_add_entry(m, r, row, column, m->dag->one);
}

// Without derivatives of the functions in it, all unknowns of the equation must be finite.
static void add_opaque(JumpMaking *m, JumpPart *r, uint32_t equation)
{
    for (uint32_t e = m->g->start[equation]; e < m->g->start[equation + 1]; e++) {
        uint32_t j = m->g->entries[e].variable;
        uint32_t v = system_derivative(m->system, j, m->d[j]);
        if (offsets_tight(m->s->offsets, equation, &m->g->entries[e]) && memo_has(m->place, v))
            add_finite(m, r, equation, memo_get(m->place, v));
    }
}

static void add_balance(JumpMaking *m, JumpPart *r, uint32_t equation)
{
    const SystemEquation *f = &m->system->equations[equation];
    Node e = dag_subtract(m->dag, f->left, f->right);
    DagTerm *partials;
    uint32_t count, row = GRAPH_NONE;
    const bool is_needed = m->is_needed[m->row_block[equation]];
    if (!derive_gradient(m->dag, m->dag->arena, e, m->place, &partials, &count)) {
        if (is_needed)
            add_opaque(m, r, equation);
        return;
    }
    bool is_linear = true;
    for (uint32_t k = 0; k < count; k++)
        is_linear = is_linear && !is_discontinuous(m, partials[k].value);
    if (!is_linear && !is_needed)
        return;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t column = memo_get(m->place, partials[k].variable);
        if (dag_is_zero(m->dag, partials[k].value))
            continue;
        if (is_discontinuous(m, partials[k].value)) {
            add_finite(m, r, equation, column);
            continue;
        }
        if (row == GRAPH_NONE)
            row = jump_add_row(m, r,
                               (JumpRow){.kind = JUMP_BALANCE,
                                         .is_needed = is_needed,
                                         .equation = equation,
                                         .residual = NODE_NONE});
        jump_add_entry(m, r, row, column, partials[k].value);
    }
}

// ---------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------

static void jump_list_members(JumpMaking *m)
{
    const uint32_t k = m->now.stage;
    m->now.equation_count = m->now.variable_count = 0;
    m->now.equations = ARENA_ARRAY(m->arena, m->g->equation_count, uint32_t);
    m->now.variables = ARENA_ARRAY(m->arena, m->g->variable_count, uint32_t);
    for (uint32_t i = 0; i < m->g->equation_count; i++)
        if (k == 1 ? m->is_wanted[m->row_block[i]] : m->c[i] >= k)
            m->now.equations[m->now.equation_count++] = i;
    for (uint32_t j = 0; j < m->g->variable_count; j++)
        if (k == 1 ? m->is_wanted[m->column_block[j]] : m->d[j] >= k)
            m->now.variables[m->now.variable_count++] = j;
}

static void divide(JumpMaking *m)
{
    uint32_t *number = ARENA_ARRAY(m->arena, m->g->variable_count, uint32_t);
    for (uint32_t j = 0; j < m->g->variable_count; j++)
        number[j] = GRAPH_NONE;
    for (uint32_t n = 0; n < m->now.variable_count; n++)
        number[m->now.variables[n]] = n;
    uint32_t *start = ARENA_ARRAY(m->arena, m->now.equation_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(m->arena, signature_entry_count(m->g), uint32_t);
    uint32_t count = 0;
    for (uint32_t r = 0; r < m->now.equation_count; r++) {
        uint32_t i = m->now.equations[r];
        for (uint32_t e = m->g->start[i]; e < m->g->start[i + 1]; e++)
            if (offsets_tight(m->s->offsets, i, &m->g->entries[e]) &&
                number[m->g->entries[e].variable] != GRAPH_NONE)
                columns[count++] = number[m->g->entries[e].variable];
        start[r + 1] = count;
    }
    Graph graph = {.row_count = m->now.equation_count,
                   .column_count = m->now.variable_count,
                   .start = start,
                   .columns = columns};
    m->now.row_part = ARENA_ARRAY(m->arena, m->now.equation_count, uint32_t);
    m->now.column_part = ARENA_ARRAY(m->arena, m->now.variable_count, uint32_t);
    m->now.stage_parts = graph_components(m->arena, &graph, m->now.row_part, m->now.column_part);
}

static void list_columns(JumpMaking *m, uint32_t part, JumpPart *r)
{
    for (uint32_t n = 0; n < m->now.variable_count; n++) {
        if (m->now.column_part[n] != part)
            continue;
        uint32_t j = m->now.variables[n], at = r->column_count++;
        bool is_impulse = m->d[j] < m->now.stage;
        uint32_t v =
            is_impulse ? DAG_NONE : system_derivative(m->system, j, m->d[j] - m->now.stage);
        r->columns[at] = (JumpColumn){.variable = j, .graph = v};
        if (m->now.stage == 1) {
            m->part_of[j] = m->part_count;
            m->place_of[j] = at;
        }
    }
}

// A constraint is differentiated by v_j^(d_j - stage), a balance by v_j^(d_j).
static void place_columns(JumpMaking *m, bool is_balance, JumpPart *r)
{
    memo_clear(m->place);
    for (uint32_t n = 0; n < r->column_count; n++) {
        if (is_balance)
            memo_set(
                m->place,
                system_derivative(m->system, r->columns[n].variable, m->d[r->columns[n].variable]),
                n);
        else if (r->columns[n].graph != DAG_NONE)
            memo_set(m->place, r->columns[n].graph, n);
    }
}

static bool jump_make_part(JumpMaking *m, uint32_t part)
{
    JumpPart r = {.stage = m->now.stage,
                  .columns = ARENA_ARRAY(m->arena, m->now.variable_count, JumpColumn)};
    bool is_fine = true;
    m->finite = ARENA_ARRAY(m->arena, m->now.variable_count, uint32_t);
    m->place = memo_take(m->dag);
    m->row_room = m->entry_room = 0;
    list_columns(m, part, &r);
    for (int pass = 0; pass < 2 && is_fine; pass++) {
        place_columns(m, pass == 1, &r);
        for (uint32_t n = 0; n < m->now.equation_count && is_fine; n++) {
            uint32_t i = m->now.equations[n];
            if (m->now.row_part[n] != part || (m->c[i] == 0) != (pass == 1))
                continue;
            if (pass == 0)
                is_fine = add_constraint(m, &r, i);
            else
                add_balance(m, &r, i);
        }
    }
    memo_give(m->place);
    if (is_fine && r.row_count > 0)
        ARENA_PUSH(m->arena, m->parts, m->part_count, m->part_room, r);
    return is_fine;
}

static bool make_stage(JumpMaking *m, uint32_t stage)
{
    m->now.stage = stage;
    jump_list_members(m);
    divide(m);
    for (uint32_t part = 0; part < m->now.stage_parts; part++)
        if (!jump_make_part(m, part))
            return false;
    return true;
}

// ---------------------------------------------------------------------------
// Events, algebraic variables
// ---------------------------------------------------------------------------

static void add_event(JumpMaking *m, Node e)
{
    DagMemo *place = memo_take(m->dag);
    DagTerm *partials;
    uint32_t count = 0;
    for (uint32_t j = 0; j < m->g->variable_count; j++)
        if (m->part_of[j] != GRAPH_NONE)
            memo_set(place, system_derivative(m->system, j, m->d[j]), j);
    if (!derive_gradient(m->dag, m->dag->arena, e, place, &partials, &count))
        count = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t j = memo_get(place, partials[k].variable);
        bool is_linear = !is_discontinuous(m, partials[k].value);
        ARENA_PUSH(m->arena, m->terms, m->term_count, m->term_room,
                   (JumpTerm){.part = m->part_of[j],
                              .column = m->place_of[j],
                              .coefficient = is_linear ? partials[k].value : NODE_NONE});
    }
    memo_give(place);
}

// Marks the blocks of the v_j^(d_j) that occur in the nodes.
static void mark_blocks(JumpMaking *m, const Node *nodes, uint32_t count, bool *marked)
{
    DagMemo *memo = memo_take(m->dag);
    walk_variables(memo, WALK_UNHELD, nodes, count);
    for (uint32_t k = 0; k < memo->count; k++)
        if (memo_has(m->highest, memo->list[k]))
            marked[m->column_block[memo_get(m->highest, memo->list[k])]] = true;
    memo_give(memo);
}

// Blocks of stage 0 that coefficients need, directly or not. They cannot jump, so none of what they
// need can.
static const Solution *list_algebraic(JumpMaking *m, const Solution *flow, const Jump *jump)
{
    bool *marked = ARENA_ARRAY(m->arena, flow->block_count, bool);
    for (uint32_t p = 0; p < jump->part_count; p++)
        for (uint32_t e = 0; e < jump->parts[p].entry_count; e++)
            mark_blocks(m, &jump->parts[p].entries[e].coefficient, 1, marked);
    for (uint32_t t = 0; t < m->term_count; t++)
        if (m->terms[t].coefficient != NODE_NONE)
            mark_blocks(m, &m->terms[t].coefficient, 1, marked);
    uint32_t count = 0;
    for (uint32_t b = flow->block_count; b-- > 0;) {
        const SolutionBlock *block = &flow->blocks[b];
        if (!marked[b])
            continue;
        count++;
        for (uint32_t k = 0; k < block->definition_count; k++)
            mark_blocks(m, &block->definitions[k].value, 1, marked);
        mark_blocks(m, block->residuals, block->unknown_count, marked);
    }
    SolutionBlock *blocks = ARENA_ARRAY(m->arena, count, SolutionBlock);
    Solution *out = ARENA_NEW(m->arena, Solution);
    *out = (Solution){.system = flow->system, .structure = flow->structure, .blocks = blocks};
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (marked[b])
            blocks[out->block_count++] = flow->blocks[b];
    return out;
}

const Jump *jump_create(Arena *arena, const Solution *flow, const Node *events,
                        uint32_t event_count, SolutionFailure *failure)
{
    const Structure *s = flow->structure;
    const Signature *g = s->signature;
    JumpMaking m = {.arena = arena,
                    .dag = flow->system->dag,
                    .system = flow->system,
                    .s = s,
                    .g = g,
                    .c = s->offsets->c,
                    .d = s->offsets->d,
                    .row_block = ARENA_ARRAY(arena, g->equation_count, uint32_t),
                    .column_block = ARENA_ARRAY(arena, g->variable_count, uint32_t),
                    .can_jump = ARENA_ARRAY(arena, s->block_count, bool),
                    .is_needed = ARENA_ARRAY(arena, s->block_count, bool),
                    .is_wanted = ARENA_ARRAY(arena, s->block_count, bool),
                    .highest = memo_take(flow->system->dag),
                    .part_of = ARENA_ARRAY(arena, g->variable_count, uint32_t),
                    .place_of = ARENA_ARRAY(arena, g->variable_count, uint32_t),
                    .failure = failure};
    for (uint32_t j = 0; j < g->variable_count; j++)
        m.part_of[j] = GRAPH_NONE;
    jump_find_blocks(&m);
    find_jumping(&m);
    jump_find_needed(&m, events, event_count);
    bool is_fine = true;
    for (uint32_t stage = s->offsets->depth; stage > 0 && is_fine; stage--)
        is_fine = make_stage(&m, stage);
    Jump *jump = ARENA_NEW(arena, Jump);
    uint32_t *event_start = ARENA_ARRAY(arena, event_count + 1u, uint32_t);
    for (uint32_t k = 0; k < event_count && is_fine; k++) {
        add_event(&m, events[k]);
        event_start[k + 1] = m.term_count;
    }
    *jump = (Jump){.flow = flow,
                   .parts = m.parts,
                   .part_count = m.part_count,
                   .event_count = event_count,
                   .event_start = event_start,
                   .terms = m.terms};
    if (is_fine)
        jump->algebraic = list_algebraic(&m, flow, jump);
    memo_give(m.highest);
    return is_fine ? jump : NULL;
}
