// SPDX-License-Identifier: MIT

#include "modes/sliding_rates.h"

#include "equations/derive.h"
#include "equations/walk.h"
#include "structure/matching.h"

// More equations than these are not solved by formulas, and not for more surfaces: at each of
// their corners once.
enum { MOST_EQUATIONS = 24, MOST_CORNERS = 16 };

// The equations, and the unknowns that they are for: of each variable the highest derivative that
// occurs. States count as known, for they are the same on both sides.
typedef struct SideRates {
    Sliding *s;
    Dag *dag;
    Node *residuals;  // by equation
    DagMemo *columns; // by unknown, a variable of the graph: its number
    GraphVariable *unknowns;
    Graph graph;
    Matching matching;
    bool *differs;   // by equation: what it determines is not the same on both sides
    bool *is_solved; // by equation: it is to be solved on each side
    DagMemo *others; // unknowns that are not the same on both sides
    uint32_t count;  // of equations that are to be solved
} SideRates;

// ---------------------------------------------------------------------------
// What a condition acts on
// ---------------------------------------------------------------------------

static void list_residuals(SideRates *r)
{
    const AssembledEquations *list = &r->s->g->equations;
    r->residuals = ARENA_ARRAY(r->dag->arena, list->count, Node);
    for (uint32_t i = 0; i < list->count; i++)
        r->residuals[i] = dag_subtract(r->dag, list->items[i].left, list->items[i].right);
}

static void list_unknowns(SideRates *r)
{
    const Gathered *g = r->s->g;
    DagMemo *there = memo_take(r->dag), *is_there = memo_take(r->dag);
    walk_variables(there, WALK_UNHELD, r->residuals, g->equations.count);
    for (uint32_t i = 0; i < there->count; i++)
        memo_set(is_there, there->list[i], 1);
    r->unknowns = ARENA_ARRAY(r->dag->arena, g->continuous_count, GraphVariable);
    for (uint32_t j = 0; j < g->continuous_count; j++) {
        GraphVariable highest = g->continuous[j];
        for (GraphVariable v = highest; v != DAG_NONE; v = r->dag->variables[v].derivative)
            highest = memo_has(is_there, v) ? v : highest;
        r->unknowns[j] = highest;
        memo_set(r->columns, highest, j);
    }
    memo_give(is_there);
    memo_give(there);
}

static void match_unknowns(SideRates *r)
{
    const Gathered *g = r->s->g;
    Arena *arena = r->dag->arena;
    const uint32_t rows = g->equations.count;
    WalkOccurrence **found = ARENA_ARRAY(arena, rows, WalkOccurrence *);
    uint32_t *start = ARENA_ARRAY(arena, rows + 1u, uint32_t);
    for (uint32_t i = 0; i < rows; i++)
        start[i + 1] = start[i] + walk_occurrences(r->dag, r->dag->arena, r->residuals[i],
                                                   r->columns, &found[i]);
    uint32_t *columns = ARENA_ARRAY(arena, start[rows], uint32_t);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < start[i + 1] - start[i]; k++)
            columns[start[i] + k] = memo_get(r->columns, found[i][k].variable);
    r->graph = (Graph){rows, g->continuous_count, start, columns};
    r->matching = matching_empty(arena, rows, g->continuous_count);
    matching_maximum(arena, &r->graph, &r->matching);
}

static bool reads_other(const SideRates *r, uint32_t row)
{
    for (uint32_t k = r->graph.start[row]; k < r->graph.start[row + 1]; k++)
        if (memo_has(r->others, r->unknowns[r->graph.columns[k]]))
            return true;
    return false;
}

// What the conditions act on. Returns how many equations read them.
static uint32_t find_others(SideRates *r)
{
    uint32_t readers = 0;
    r->differs = ARENA_ARRAY(r->dag->arena, r->graph.row_count, bool);
    for (uint32_t i = 0; i < r->graph.row_count; i++) {
        r->differs[i] = walk_depends(r->dag, r->residuals[i], r->s->side_of);
        readers += r->differs[i];
        if (r->differs[i] && r->matching.column_of[i] != GRAPH_NONE)
            memo_set(r->others, r->unknowns[r->matching.column_of[i]], i);
    }
    for (bool has_grown = readers > 0; has_grown;) {
        has_grown = false;
        for (uint32_t i = 0; i < r->graph.row_count; i++) {
            if (r->differs[i] || !reads_other(r, i))
                continue;
            r->differs[i] = has_grown = true;
            if (r->matching.column_of[i] != GRAPH_NONE)
                memo_set(r->others, r->unknowns[r->matching.column_of[i]], i);
        }
    }
    return readers;
}

// How an equation has unknowns that are not the same on both sides; bits.
enum {
    RATES_FACTOR = 1,     // a condition is a factor of one of them
    RATES_DERIVATIVE = 2, // a derivative has a factor that is not the same on both sides
    RATES_PRODUCT = 4     // one of them is a factor of another, or it is not linear in one
};

static unsigned look_at_factors(const SideRates *r, uint32_t row)
{
    DagTerm *partials = NULL;
    uint32_t count = 0;
    unsigned result = 0;
    if (!derive_gradient(r->dag, r->dag->arena, r->residuals[row], r->others, &partials, &count))
        return RATES_PRODUCT;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_rate = r->dag->variables[partials[i].variable].role == DAG_DERIVATIVE;
        const bool by_condition = walk_depends(r->dag, partials[i].value, r->s->side_of);
        const bool by_other = walk_depends(r->dag, partials[i].value, r->others);
        result |= by_condition ? (unsigned)RATES_FACTOR : 0u;
        result |= is_rate && (by_condition || by_other) ? (unsigned)RATES_DERIVATIVE : 0u;
        result |= by_other ? (unsigned)RATES_PRODUCT : 0u;
    }
    return result;
}

// The equations with such factors, and those that determine what they read. False: something in
// them is determined by constraints only.
static bool mark_solved(SideRates *r, const unsigned *factors)
{
    bool is_fine = true;
    r->is_solved = ARENA_ARRAY(r->dag->arena, r->graph.row_count, bool);
    const MatchingParts parts = matching_parts(r->dag->arena, &r->graph, &r->matching);
    for (uint32_t i = 0; i < r->graph.row_count; i++)
        r->is_solved[i] = factors[i] & (RATES_FACTOR | RATES_DERIVATIVE);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t i = 0; i < r->graph.row_count; i++) {
            if (!r->is_solved[i])
                continue;
            is_fine = is_fine && parts.of_row[i] == MATCHING_SQUARE;
            for (uint32_t k = r->graph.start[i]; k < r->graph.start[i + 1]; k++) {
                const GraphVariable unknown = r->unknowns[r->graph.columns[k]];
                if (memo_has(r->others, unknown) && !r->is_solved[memo_get(r->others, unknown)])
                    r->is_solved[memo_get(r->others, unknown)] = has_grown = true;
            }
        }
    }
    for (uint32_t i = 0; i < r->graph.row_count; i++)
        r->count += r->is_solved[i];
    return is_fine;
}

// ---------------------------------------------------------------------------
// One corner
// ---------------------------------------------------------------------------

// What is left to be solved at a corner, and what has been: in the order of elimination, each by
// those that come later.
typedef struct RatesCorner {
    Node residuals[MOST_EQUATIONS]; // NODE_NONE: used
    DagMemo *open;                  // unknowns that are not solved for yet
    DagTerm solved[MOST_EQUATIONS];
    uint32_t count;
} RatesCorner;

// An equation that is linear in one of its unknowns, by a factor without unknowns: the one with the
// fewest, and with a number as factor if possible. False: there is none.
static bool find_pivot(const SideRates *r, const RatesCorner *c, uint32_t *row, DagTerm *pivot)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < r->count; i++) {
        DagTerm *partials = NULL;
        uint32_t count = 0;
        if (c->residuals[i] == NODE_NONE ||
            !derive_gradient(r->dag, r->dag->arena, c->residuals[i], c->open, &partials, &count))
            continue;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t cost = 2 * count + !dag_is_number(r->dag, partials[k].value);
            if (cost >= best || dag_is_zero(r->dag, partials[k].value) ||
                walk_depends(r->dag, partials[k].value, c->open))
                continue;
            best = cost;
            *row = i;
            *pivot = partials[k];
        }
    }
    return best != UINT32_MAX;
}

static Node replace_one(const SideRates *r, Node node, GraphVariable variable, Node value)
{
    DagMemo *map = memo_take(r->dag);
    memo_set(map, variable, value);
    const Node result = walk_substitute(r->dag, node, map);
    memo_give(map);
    return result;
}

// z = -(f - f_z z)/f_z, where the numerator is f at z = 0.
static bool eliminate(const SideRates *r, RatesCorner *c)
{
    uint32_t row = 0;
    DagTerm pivot = {0};
    while (c->count < r->count) {
        if (!find_pivot(r, c, &row, &pivot))
            return false;
        const Node rest = replace_one(r, c->residuals[row], pivot.variable, r->dag->zero);
        const Node value = dag_divide(r->dag, dag_negate(r->dag, rest), pivot.value);
        c->solved[c->count++] = (DagTerm){pivot.variable, value};
        c->residuals[row] = NODE_NONE;
        memo_clear(c->open);
        for (uint32_t i = 0, k; i < r->graph.row_count; i++) {
            if (!r->is_solved[i])
                continue;
            const GraphVariable unknown = r->unknowns[r->matching.column_of[i]];
            for (k = 0; k < c->count && c->solved[k].variable != unknown; k++)
                continue;
            if (k == c->count)
                memo_set(c->open, unknown, i);
        }
        for (uint32_t i = 0; i < r->count; i++)
            if (c->residuals[i] != NODE_NONE)
                c->residuals[i] = replace_one(r, c->residuals[i], pivot.variable, value);
    }
    for (uint32_t i = c->count; i-- > 0;)
        for (uint32_t k = 0; k < i; k++)
            c->solved[k].value =
                replace_one(r, c->solved[k].value, c->solved[i].variable, c->solved[i].value);
    return true;
}

// The values of all unknowns at a corner, in the order of their equations: bit k of `corner` says
// on which side of the k-th surface it is. False: they cannot be written down.
static bool solve_corner(const SideRates *r, const uint32_t *surfaces, uint32_t surface_count,
                         uint32_t corner, Node *values)
{
    RatesCorner c = {.open = memo_take(r->dag)};
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->graph.row_count; i++) {
        if (!r->is_solved[i])
            continue;
        c.residuals[n] = r->residuals[i];
        for (uint32_t k = 0; k < surface_count; k++)
            c.residuals[n] =
                sliding_on_side(r->s, c.residuals[n], surfaces[k], (corner >> k & 1u) != 0);
        memo_set(c.open, r->unknowns[r->matching.column_of[i]], i);
        n++;
    }
    const bool is_fine = eliminate(r, &c);
    for (uint32_t i = 0, at = 0; i < r->graph.row_count && is_fine; i++) {
        if (!r->is_solved[i])
            continue;
        for (uint32_t k = 0; k < c.count; k++)
            if (c.solved[k].variable == r->unknowns[r->matching.column_of[i]])
                values[at] = c.solved[k].value;
        at++;
    }
    memo_give(c.open);
    return is_fine;
}

// ---------------------------------------------------------------------------
// All corners
// ---------------------------------------------------------------------------

// The surfaces that these equations depend on; MOST_CORNERS: too many.
static uint32_t list_surfaces(const SideRates *r, uint32_t *surfaces)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->s->g->surface_count; i++) {
        const GatheredSurface *surface = &r->s->g->surfaces[i];
        DagMemo *members = memo_take(r->dag);
        bool is_read = false;
        for (uint32_t k = 0; k < surface->count; k++)
            memo_set(members, r->s->g->assembly->held.variables[surface->members[k]], k);
        for (uint32_t k = 0; k < r->graph.row_count && !is_read; k++)
            is_read = r->is_solved[k] && walk_depends(r->dag, r->residuals[k], members);
        memo_give(members);
        if (is_read && 2u << count > MOST_CORNERS)
            return MOST_CORNERS;
        if (is_read)
            surfaces[count++] = i;
    }
    return count;
}

static bool put_between(SideRates *r)
{
    uint32_t surfaces[MOST_CORNERS];
    if (r->count > MOST_EQUATIONS)
        return false;
    const uint32_t count = list_surfaces(r, surfaces), corners = 1u << count;
    if (count == MOST_CORNERS)
        return false;
    Node *values = ARENA_ARRAY(r->dag->arena, (size_t)corners * r->count, Node);
    for (uint32_t i = 0; i < corners; i++)
        if (!solve_corner(r, surfaces, count, i, values + (size_t)i * r->count))
            return false;
    // By one surface after the other: of each pair of corners, what lies between.
    for (uint32_t k = 0; k < count; k++) {
        const Node u = dag_reference(r->dag, r->s->g->surfaces[surfaces[k]].variable);
        for (uint32_t i = 0; i < corners >> (k + 1); i++)
            for (uint32_t n = 0; n < r->count; n++)
                values[(size_t)i * r->count + n] =
                    sliding_between(r->dag, u, values[(size_t)(2 * i) * r->count + n],
                                    values[(size_t)(2 * i + 1) * r->count + n]);
    }
    for (uint32_t i = 0, n = 0; i < r->graph.row_count; i++) {
        if (!r->is_solved[i])
            continue;
        AssembledEquation *e = &r->s->g->equations.items[i];
        e->left = dag_reference(r->dag, r->unknowns[r->matching.column_of[i]]);
        e->right = values[n++];
        r->s->is_done[i] = true;
    }
    return true;
}

bool sliding_rates(Sliding *s)
{
    SideRates r = {
        .s = s, .dag = s->dag, .columns = memo_take(s->dag), .others = memo_take(s->dag)};
    list_residuals(&r);
    list_unknowns(&r);
    match_unknowns(&r);
    const uint32_t readers = find_others(&r);
    unsigned *factors = ARENA_ARRAY(s->dag->arena, r.graph.row_count, unsigned), all = 0;
    for (uint32_t i = 0; i < r.graph.row_count; i++)
        all |= factors[i] = r.differs[i] ? look_at_factors(&r, i) : 0u;
    // One linear equation between its two forms leaves all others as they are: what they determine
    // moves along a line, from one side to the other.
    const bool is_needed = (all & (RATES_FACTOR | RATES_DERIVATIVE)) != 0 &&
                           (readers > 1 || (all & RATES_PRODUCT) != 0);
    bool is_fine = !is_needed || (mark_solved(&r, factors) && put_between(&r));
    memo_give(r.others);
    memo_give(r.columns);
    if (!is_fine && (all & RATES_DERIVATIVE) == 0)
        is_fine = true; // a variable lies between, as for those that the condition is a factor of
    return is_fine || sliding_fail_surface(s, &s->g->surfaces[0],
                                           "it decides about the coefficient of a derivative, and "
                                           "the rates of its two sides have no formula");
}
