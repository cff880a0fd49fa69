// SPDX-License-Identifier: MIT
//
// The potentials of connectors, which are those that stand beside a flow variable, are divided into
// islands: potentials that stand in one equation are in one. If all potentials of an island were
// higher by one, both sides of an equation would change by some numbers; where these are the same
// in every equation, the island floats. What cannot be told (a product of unknowns, a derivative, a
// function) counts as if it determined the island: this never refuses a model that has a solution.

#include "flatten/ground.h"

#include "flatten/collections.h"
#include "flatten/place.h"
#include "flatten/walk.h"

#include <math.h>

#define NO_POTENTIAL UINT32_MAX

typedef struct Ground {
    Arena *arena;
    const FlatModel *model;
    uint32_t *island;    // by variable: a member of its island, itself: the first; or NO_POTENTIAL
    bool *is_determined; // by first member
} Ground;

static void find_potentials(Ground *g)
{
    const FlatModel *m = g->model;
    Map connectors = {0}; // with a flow
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (m->variables[i]->is_flow && m->variables[i]->component->parent)
            map_set(g->arena, &connectors, m->variables[i]->component->parent, m->variables[i]);
    for (uint32_t i = 0; i < m->variable_count; i++) {
        const FlatVariable *v = m->variables[i];
        const bool is_potential = !v->is_flow && v->kind == FLAT_CONTINUOUS &&
                                  FLAT_TYPE(v)->kind == FLAT_TYPE_REAL && v->component->parent &&
                                  map_find(&connectors, v->component->parent);
        g->island[i] = is_potential ? i : NO_POTENTIAL;
    }
}

static uint32_t first_of(const Ground *g, uint32_t variable)
{
    while (g->island[variable] != variable)
        variable = g->island[variable] = g->island[g->island[variable]];
    return variable;
}

// Unites all potentials in an expression with `with`; returns one of them, or `with`.
static uint32_t ground_unite(const Ground *g, const FlatExpression *e, uint32_t with)
{
    if (e->kind == FLAT_VARIABLE && g->island[e->variable->index] != NO_POTENTIAL) {
        const uint32_t own = first_of(g, e->variable->index);
        const uint32_t other = with == NO_POTENTIAL ? own : first_of(g, with);
        const uint32_t first = own < other ? own : other;
        g->island[own] = g->island[other] = first;
        return first;
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i])
            with = ground_unite(g, e->operands[i], with);
    return with;
}

// Of an if-expression: its conditions must not change, its values all alike.
static double growth_of_if(const FlatExpression *e, const double *operands)
{
    for (uint32_t i = 0; i + 1 < e->count; i++)
        if (!(i % 2 == 0 ? operands[i] == 0.0 : operands[i] == operands[e->count - 1]))
            return NAN;
    return operands[e->count - 1];
}

static double growth_of_operation(Operation op, double first, double second)
{
    switch (op) {
    case OPERATION_ADD:
        return first + second;
    case OPERATION_SUBTRACT:
        return first - second;
    case OPERATION_NEGATE:
        return -first;
    case OPERATION_LESS:
    case OPERATION_LESS_EQUAL:
    case OPERATION_GREATER:
    case OPERATION_GREATER_EQUAL:
        return first == second ? 0.0 : NAN;
    default:
        return NAN;
    }
}

// By how much the value grows if all potentials do by one; NAN: it depends.
static double growth(const Ground *g, const FlatExpression *e)
{
    enum { MOST = 9 };
    double operands[MOST] = {0.0};
    bool is_zero = true;
    if (e->kind == FLAT_VARIABLE)
        return g->island[e->variable->index] == NO_POTENTIAL ? 0.0 : 1.0;
    for (uint32_t i = 0; i < e->count; i++) {
        const double one = e->operands[i] ? growth(g, e->operands[i]) : 0.0;
        if (i < MOST)
            operands[i] = one;
        is_zero = is_zero && one == 0.0;
    }
    return is_zero                                  ? 0.0
           : e->kind == FLAT_IF && e->count <= MOST ? growth_of_if(e, operands)
           : e->kind == FLAT_OPERATION && e->count <= 2
               ? growth_of_operation((Operation)e->operation, operands[0], operands[1])
               : NAN;
}

static void determine(void *data, FlatExpression *e, const FlatComponent *component)
{
    Ground *g = data;
    (void)component;
    const uint32_t potential = ground_unite(g, e, NO_POTENTIAL);
    if (potential != NO_POTENTIAL)
        g->is_determined[first_of(g, potential)] = true;
}

static void unite_equations(Ground *g)
{
    for (uint32_t i = 0; i < g->model->equation_count; i++) {
        const FlatEquation *e = g->model->equations[i];
        uint32_t potential = e->right ? ground_unite(g, e->right, NO_POTENTIAL) : NO_POTENTIAL;
        if (e->left)
            potential = ground_unite(g, e->left, potential);
        for (uint32_t k = 0; k < e->target_count; k++)
            if (e->targets[k])
                potential = ground_unite(g, e->targets[k], potential);
    }
}

static uint32_t potential_of(const Ground *g, const FlatEquation *e)
{
    const uint32_t potential = e->right ? ground_unite(g, e->right, NO_POTENTIAL) : NO_POTENTIAL;
    if (potential != NO_POTENTIAL || !e->left)
        return potential;
    return ground_unite(g, e->left, NO_POTENTIAL);
}

static void look_at_equations(Ground *g)
{
    const FlatModel *m = g->model;
    for (uint32_t i = 0; i < m->equation_count; i++) {
        const FlatEquation *e = m->equations[i];
        for (uint32_t k = 0; k < e->target_count; k++)
            if (e->targets[k])
                determine(g, e->targets[k], NULL);
        if (e->kind == FLAT_EQUATION_CALL) {
            determine(g, e->right, NULL);
            continue;
        }
        const uint32_t potential = potential_of(g, e);
        if (potential != NO_POTENTIAL && !(growth(g, e->left) == growth(g, e->right)))
            g->is_determined[first_of(g, potential)] = true;
    }
    for (uint32_t i = 0; i < m->conditional_count; i++)
        for (uint32_t k = 0; k < m->conditionals[i]->count; k++)
            if (m->conditionals[i]->conditions[k] &&
                !(growth(g, m->conditionals[i]->conditions[k]) == 0.0))
                determine(g, m->conditionals[i]->conditions[k], NULL);
}

static void look_at_statements(Ground *g)
{
    const FlatModel *m = g->model;
    for (uint32_t i = 0; i < m->algorithm_count; i++)
        flat_walk_statements(m->algorithms[i]->count, m->algorithms[i]->statements, determine, g,
                             NULL);
    for (uint32_t i = 0; i < m->when_count; i++)
        for (uint32_t k = 0; k < m->whens[i]->count; k++)
            flat_walk_statements(m->whens[i]->branches[k].count,
                                 m->whens[i]->branches[k].statements, determine, g, NULL);
}

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

// What gives such a potential its level, by its unit.
static const char *missing(const FlatVariable *v)
{
    const char *unit = v->attributes->unit ? v->attributes->unit : "";
    return strcmp(unit, "V") == 0                               ? "a ground is missing"
           : strcmp(unit, "K") == 0                             ? "a given temperature is missing"
           : strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0 ? "something fixed is missing"
                                                                : "one of them must be given";
}

// The first connect equation of the island, else a declaration.
static Span island_place(const Ground *g, uint32_t island, const Sources *sources)
{
    const FlatVariable *v = g->model->variables[island];
    for (uint32_t i = 0; i < g->model->equation_count; i++) {
        const FlatEquation *e = g->model->equations[i];
        if (e->kind != FLAT_EQUATION_CONNECTION || !span_is_known(e->origin.span))
            continue;
        const uint32_t potential = potential_of(g, e);
        if (potential != NO_POTENTIAL && first_of(g, potential) == island)
            return place_of(sources, g->model, e->origin.span, e->origin.component);
    }
    return place_of(sources, g->model, v->reference.span, v->component);
}

static void report_island(const Ground *g, uint32_t island, Diagnostics *d)
{
    enum { SHOWN = 6 };
    StringBuilder names = builder_create(g->arena);
    uint32_t count = 0, shown = 0;
    for (uint32_t i = 0; i < g->model->variable_count; i++)
        count += g->island[i] != NO_POTENTIAL && first_of(g, i) == island;
    for (uint32_t i = 0; i < g->model->variable_count && shown < SHOWN; i++)
        if (g->island[i] != NO_POTENTIAL && first_of(g, i) == island)
            builder_append_format(&names, "%s%s",
                                  shown++ == 0     ? ""
                                  : shown == count ? " and "
                                                   : ", ",
                                  g->model->variables[i]->name);
    if (count > SHOWN)
        builder_append_format(&names, " and %u more", count - SHOWN);
    diagnostics_error(d, island_place(g, island, d->sources),
                      "nothing determines the level of %s: the equations contain only their "
                      "differences; %s",
                      builder_string(&names).text, missing(g->model->variables[island]));
}

bool ground_check(Arena *arena, const FlatModel *model, Diagnostics *diagnostics)
{
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    Ground g = {.arena = scratch,
                .model = model,
                .island = ARENA_ARRAY(scratch, model->variable_count + 1u, uint32_t),
                .is_determined = ARENA_ARRAY(scratch, model->variable_count + 1u, bool)};
    const size_t errors = diagnostics->error_count;
    find_potentials(&g);
    unite_equations(&g);
    look_at_equations(&g);
    look_at_statements(&g);
    for (uint32_t i = 0; i < model->variable_count; i++)
        if (g.island[i] == i && !g.is_determined[i])
            report_island(&g, i, diagnostics);
    arena_release(scratch, mark);
    return diagnostics->error_count == errors;
}
