// SPDX-License-Identifier: MIT
//
//   Mattsson, Söderlind    here
//   stage of g^(k)         k, counted downwards from the highest derivatives
//   H^[j]                  the rows of c >= k and the open columns of a group
//   M                      the picked columns: one stage further down they are the candidates
//
// Where the values of coefficients are not known, numbers stand for them that follow from the
// entry's number. A choice that is regular for them is regular for almost all values (J. T.
// Schwartz, J. ACM 27, 1980), while the known numbers still count: two rows that really depend on
// each other are seen. Sizes say nothing then, not even of numbers, whose units differ; but an
// unknown with a constant coefficient is solved for rather than one with a coefficient that may
// vanish.

#include "structure/selection.h"

#include <math.h>

// A derivative that is wanted less as a state is solved for if its pivot is this part of the
// largest at least; where it differs only by taste, this part.
static const double worth = 1e-3, equal = 0.5;
// Where values are not known, sizes say nothing, except that this is rounding.
static const double tiny = 1e-9;

struct Selector {
    const SelectionPlan *plan;
    Pivots *pivots;
    // for the largest group
    uint32_t *stage;   // by column: how many stages it is solved for in
    uint32_t *start;   // by row of the stage
    uint32_t *columns; // by edge
    double *values;
    uint8_t *doubts;
    uint32_t *picked; // by row
    uint8_t *rank, *taste;
};

// ---------------------------------------------------------------------------
// The plan
// ---------------------------------------------------------------------------

// Solved for first: what never should be a state. Derivatives before variables, for people know
// the variables. "prefer" and "always" are about the variable, not its derivatives.
static uint8_t selection_rank_of(SignatureSelect select, bool is_derivative)
{
    if (is_derivative && select > SIGNATURE_DEFAULT)
        select = SIGNATURE_DEFAULT;
    return (uint8_t)(2 * select + (is_derivative ? 0 : 1));
}

// Solved for first: what is not differentiated in the text, then what has no start value.
static uint8_t taste_of(const SignatureVariable *v, bool is_differentiated)
{
    unsigned start = v->is_fixed ? 2 : v->has_start ? 1 : 0;
    return (uint8_t)((is_differentiated ? 3 : 0) + start);
}

static void find_ranks(Arena *arena, SelectionPlan *plan)
{
    const Signature *s = plan->signature;
    bool *is_differentiated = ARENA_ARRAY(arena, s->variable_count, bool);
    uint8_t *own = ARENA_ARRAY(arena, s->variable_count, uint8_t);
    uint8_t *derivative = ARENA_ARRAY(arena, s->variable_count, uint8_t);
    uint8_t *taste = ARENA_ARRAY(arena, s->variable_count, uint8_t);
    for (uint32_t e = 0; e < signature_entry_count(s); e++)
        is_differentiated[s->entries[e].variable] |= s->entries[e].order > 0;
    for (uint32_t j = 0; j < s->variable_count; j++) {
        own[j] = selection_rank_of(signature_select(s, j), false);
        derivative[j] = selection_rank_of(signature_select(s, j), true);
        taste[j] = taste_of(&s->variables[j], is_differentiated[j]);
    }
    plan->rank[0] = own;
    plan->rank[1] = derivative;
    plan->taste = taste;
}

// Where candidates outnumber equations for the first time there is a choice.
static bool selection_has_choice(const Offsets *o, const SelectionGroup *g)
{
    for (uint32_t k = 1; k <= g->depth; k++) {
        uint32_t rows = 0, columns = 0;
        for (uint32_t r = 0; r < g->row_count; r++)
            rows += o->c[g->equations[r]] >= k;
        for (uint32_t c = 0; c < g->column_count; c++)
            columns += o->d[g->variables[c]] >= k;
        if (columns > rows)
            return true;
    }
    return false;
}

// Equations or variables that have an offset above zero, by group: those of group g are
// list[first[g]], list[first[g] + 1], ...
static uint32_t *selection_members_of(Arena *arena, uint32_t groups, uint32_t count,
                                      const uint32_t *group, const uint32_t *offset,
                                      uint32_t **first)
{
    uint32_t *next = *first = ARENA_ARRAY(arena, groups + 2u, uint32_t);
    uint32_t *list = ARENA_ARRAY(arena, count, uint32_t);
    for (uint32_t v = 0; v < count; v++)
        next[group[v] + 2] += offset[v] > 0;
    for (uint32_t g = 0; g < groups; g++)
        next[g + 2] += next[g + 1];
    for (uint32_t v = 0; v < count; v++)
        if (offset[v] > 0)
            list[next[group[v] + 1]++] = v;
    return list;
}

// `number`: room by variable.
static void fill_group(Arena *arena, const SelectionPlan *plan, uint32_t *number, SelectionGroup *g)
{
    const Signature *s = plan->signature;
    const Offsets *o = plan->offsets;
    uint32_t edges = 0;
    for (uint32_t r = 0; r < g->row_count; r++)
        edges += s->start[g->equations[r] + 1] - s->start[g->equations[r]];
    uint32_t *start = ARENA_ARRAY(arena, g->row_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(arena, edges, uint32_t);
    uint32_t *entries = ARENA_ARRAY(arena, edges, uint32_t);
    for (uint32_t c = 0; c < g->column_count; c++)
        number[g->variables[c]] = c;
    g->is_constant = true;
    edges = 0;
    for (uint32_t r = 0; r < g->row_count; r++) {
        uint32_t i = g->equations[r];
        g->depth = o->c[i] > g->depth ? o->c[i] : g->depth;
        for (uint32_t e = s->start[i]; e < s->start[i + 1]; e++) {
            if (!offsets_tight(o, i, &s->entries[e]))
                continue;
            g->is_constant = g->is_constant && s->entries[e].kind < SIGNATURE_PARAMETER;
            entries[edges] = e;
            columns[edges++] = number[s->entries[e].variable];
        }
        start[r + 1] = edges;
    }
    g->start = start;
    g->columns = columns;
    g->entries = entries;
    g->is_free = selection_has_choice(o, g);
}

// Tight entries of the equations with c > 0; their variables have d > 0.
static Graph differentiated_part(Arena *arena, const Signature *s, const Offsets *o)
{
    uint32_t *start = ARENA_ARRAY(arena, s->equation_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(arena, signature_entry_count(s), uint32_t);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        for (uint32_t e = s->start[i]; e < s->start[i + 1] && o->c[i] > 0; e++) {
            if (offsets_tight(o, i, &s->entries[e]))
                columns[count++] = s->entries[e].variable;
        }
        start[i + 1] = count;
    }
    return (Graph){.row_count = s->equation_count,
                   .column_count = s->variable_count,
                   .start = start,
                   .columns = columns};
}

const SelectionPlan *selection_plan(Arena *arena, const Signature *s, const Offsets *o)
{
    SelectionPlan *plan = ARENA_NEW(arena, SelectionPlan);
    plan->signature = s;
    plan->offsets = o;
    find_ranks(arena, plan);
    uint32_t constraint = 0;
    while (constraint < s->equation_count && o->c[constraint] == 0)
        constraint++;
    if (constraint == s->equation_count)
        return plan;

    uint32_t *of_row = ARENA_ARRAY(arena, s->equation_count, uint32_t);
    uint32_t *of_column = ARENA_ARRAY(arena, s->variable_count, uint32_t);
    Graph graph = differentiated_part(arena, s, o);
    uint32_t count = graph_components(arena, &graph, of_row, of_column);
    uint32_t *first_row, *first_column, *number = ARENA_ARRAY(arena, s->variable_count, uint32_t);
    const uint32_t *equations =
        selection_members_of(arena, count, s->equation_count, of_row, o->c, &first_row);
    const uint32_t *variables =
        selection_members_of(arena, count, s->variable_count, of_column, o->d, &first_column);

    uint32_t filled = 0;
    for (uint32_t k = 0; k < count; k++)
        filled += first_row[k + 1] > first_row[k];
    SelectionGroup *groups = ARENA_ARRAY(arena, filled, SelectionGroup);
    for (uint32_t k = 0; k < count; k++) {
        if (first_row[k + 1] == first_row[k])
            continue;
        SelectionGroup *g = &groups[plan->group_count];
        g->row_count = first_row[k + 1] - first_row[k];
        g->column_count = first_column[k + 1] - first_column[k];
        g->equations = equations + first_row[k];
        g->variables = variables + first_column[k];
        fill_group(arena, plan, number, g);
        plan->group_count++;
    }
    plan->groups = groups;
    return plan;
}

// ---------------------------------------------------------------------------
// The choice
// ---------------------------------------------------------------------------

Selector *selection_selector(Arena *arena, const SelectionPlan *plan)
{
    uint32_t rows = 0, columns = 0, edges = 0;
    for (uint32_t k = 0; k < plan->group_count; k++) {
        const SelectionGroup *g = &plan->groups[k];
        rows = g->row_count > rows ? g->row_count : rows;
        columns = g->column_count > columns ? g->column_count : columns;
        edges = g->start[g->row_count] > edges ? g->start[g->row_count] : edges;
    }
    Selector *t = ARENA_NEW(arena, Selector);
    *t = (Selector){.plan = plan,
                    .pivots = pivots_create(arena),
                    .stage = ARENA_ARRAY(arena, columns, uint32_t),
                    .start = ARENA_ARRAY(arena, rows + 1u, uint32_t),
                    .columns = ARENA_ARRAY(arena, edges, uint32_t),
                    .values = ARENA_ARRAY(arena, edges, double),
                    .doubts = ARENA_ARRAY(arena, edges, uint8_t),
                    .picked = ARENA_ARRAY(arena, rows, uint32_t),
                    .rank = ARENA_ARRAY(arena, columns, uint8_t),
                    .taste = ARENA_ARRAY(arena, columns, uint8_t)};
    return t;
}

// Between 1 and 2, different for every entry (the finalizer of splitmix64).
static double generic_value(uint32_t entry)
{
    uint64_t z = (entry + 1u) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return 1.0 + (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Where the values of the coefficients come from.
typedef enum SelectionSource { GIVEN, NUMBERS, GENERIC } SelectionSource;

static uint8_t doubt_about(const SignatureEntry *entry)
{
    static const uint8_t by_kind[] = {0, 0, 1, 2};
    return entry->is_nonzero ? 0 : by_kind[entry->kind];
}

// The numbers of an equation are only compared with each other.
static double selection_largest_number(const Signature *s, const SelectionGroup *g, uint32_t row)
{
    double largest = 0.0;
    for (uint32_t k = g->start[row]; k < g->start[row + 1]; k++) {
        const SignatureEntry *entry = &s->entries[g->entries[k]];
        if (entry->kind == SIGNATURE_NUMBER)
            largest = fmax(largest, fabs(entry->value) * signature_nominal(s, entry->variable));
    }
    return largest;
}

static double selection_value_of(Selector *t, SelectionSource source, const double *jacobian,
                                 uint32_t e, double number)
{
    const Signature *s = t->plan->signature;
    const SignatureEntry *entry = &s->entries[e];
    double nominal = signature_nominal(s, entry->variable);
    if (source == GIVEN)
        return jacobian[e] * nominal;
    if (entry->is_partial)
        return 0.0; // a choice that is regular without it is regular in every branch
    if (entry->is_vanishing && source == NUMBERS)
        return 0.0; // with the values that parameters have
    if (source == NUMBERS && entry->kind == SIGNATURE_NUMBER)
        return entry->value * nominal / number;
    if (source == NUMBERS && entry->is_vanishing)
        return 0.0; // nothing can be solved for by it, unless the parameter gets another value
    return generic_value(e);
}

// The matrix of stage -k, with the ranks of the selector.
static PivotsMatrix stage_matrix(Selector *t, const SelectionGroup *g, uint32_t k,
                                 SelectionSource source, const double *jacobian)
{
    PivotsMatrix a = {.column_count = g->column_count,
                      .start = t->start,
                      .columns = t->columns,
                      .values = t->values,
                      .rank = t->rank,
                      .taste = t->taste,
                      .doubts = source == GIVEN ? NULL : t->doubts,
                      .worth = source == GIVEN ? worth : tiny,
                      .equal = source == GIVEN ? equal : tiny,
                      .is_sparsity_first = source != GIVEN};
    uint32_t count = 0;
    for (uint32_t r = 0; r < g->row_count; r++) {
        if (t->plan->offsets->c[g->equations[r]] < k)
            continue;
        double number = selection_largest_number(t->plan->signature, g, r);
        for (uint32_t e = g->start[r]; e < g->start[r + 1]; e++) {
            t->values[count] = selection_value_of(t, source, jacobian, g->entries[e], number);
            t->doubts[count] = doubt_about(&t->plan->signature->entries[g->entries[e]]);
            t->columns[count++] = g->columns[e];
        }
        t->start[++a.row_count] = count;
    }
    return a;
}

static void open_candidates(Selector *t, const SelectionGroup *g, uint32_t k)
{
    const SelectionPlan *plan = t->plan;
    for (uint32_t c = 0; c < g->column_count; c++) {
        uint32_t j = g->variables[c], d = plan->offsets->d[j];
        bool is_open = t->stage[c] == k - 1 && d >= k;
        t->rank[c] = is_open ? plan->rank[d > k][j] : PIVOTS_CLOSED;
        t->taste[c] = plan->taste[j];
    }
}

// Finds t->stage for the group, up to stage -last, and the logarithm of that stage's determinant.
// False: singular.
static bool select_group(Selector *t, const SelectionGroup *g, SelectionSource source,
                         const double *jacobian, uint32_t last, double *logarithm)
{
    for (uint32_t c = 0; c < g->column_count; c++)
        t->stage[c] = 0;
    for (uint32_t k = 1; k <= last; k++) {
        open_candidates(t, g, k);
        PivotsMatrix a = stage_matrix(t, g, k, source, jacobian);
        *logarithm = pivots_pick(t->pivots, &a, t->picked);
        if (*logarithm == -INFINITY)
            return false;
        for (uint32_t r = 0; r < a.row_count; r++)
            t->stage[t->picked[r]] = k;
    }
    return true;
}

// Everything is solved for as long as there are equations.
static void force_group(Selector *t, const SelectionGroup *g)
{
    for (uint32_t c = 0; c < g->column_count; c++) {
        uint32_t d = t->plan->offsets->d[g->variables[c]];
        t->stage[c] = d < g->depth ? d : g->depth;
    }
}

bool selection_make(Selector *t, const double *jacobian, uint32_t *states)
{
    const SelectionPlan *plan = t->plan;
    bool is_regular = true;
    double logarithm;
    for (uint32_t j = 0; j < plan->signature->variable_count; j++)
        states[j] = plan->offsets->d[j];
    for (uint32_t n = 0; n < plan->group_count; n++) {
        const SelectionGroup *g = &plan->groups[n];
        if (!g->is_free) {
            force_group(t, g);
        } else if (!select_group(t, g, jacobian ? GIVEN : NUMBERS, jacobian, g->depth,
                                 &logarithm)) {
            is_regular = false;
            select_group(t, g, GENERIC, NULL, g->depth, &logarithm);
        }
        for (uint32_t c = 0; c < g->column_count; c++)
            states[g->variables[c]] -= t->stage[c];
    }
    return is_regular;
}

// ---------------------------------------------------------------------------
// Quality
// ---------------------------------------------------------------------------

// The logarithm of the determinant of a stage of this selection.
static double stage_of_selection(Selector *t, const SelectionGroup *g, uint32_t k,
                                 const double *jacobian, const uint32_t *states)
{
    for (uint32_t c = 0; c < g->column_count; c++) {
        uint32_t j = g->variables[c];
        bool is_solved = states[j] + k <= t->plan->offsets->d[j];
        t->rank[c] = is_solved ? 0 : PIVOTS_CLOSED;
        t->taste[c] = 0;
    }
    PivotsMatrix a = stage_matrix(t, g, k, GIVEN, jacobian);
    return pivots_pick(t->pivots, &a, t->picked);
}

static double group_quality(Selector *t, const SelectionGroup *g, const double *jacobian,
                            const uint32_t *states)
{
    double worst = 1.0;
    for (uint32_t k = 1; k <= g->depth && g->is_free && !g->is_constant; k++) {
        double ours = stage_of_selection(t, g, k, jacobian, states), best = 0.0;
        if (!select_group(t, g, GIVEN, jacobian, k, &best))
            continue; // no selection is regular here: none is worth a change
        worst = fmin(worst, exp2(ours - best));
    }
    return worst;
}

bool selection_improve(Selector *t, const double *jacobian, double least, uint32_t *states)
{
    const SelectionPlan *plan = t->plan;
    bool is_other = false;
    double logarithm;
    for (uint32_t n = 0; n < plan->group_count; n++) {
        const SelectionGroup *g = &plan->groups[n];
        if (group_quality(t, g, jacobian, states) >= least ||
            !select_group(t, g, GIVEN, jacobian, g->depth, &logarithm))
            continue;
        for (uint32_t c = 0; c < g->column_count; c++)
            states[g->variables[c]] = plan->offsets->d[g->variables[c]] - t->stage[c];
        is_other = true;
    }
    return is_other;
}
