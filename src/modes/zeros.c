// SPDX-License-Identifier: MIT
//
// Which zeros matter. First variables that are zero because parameters are: v = e with an e that
// vanishes, until there are no more (zeros_follow). Then the signature of the mode, in which the
// entries whose coefficients vanish are marked, and its offsets (structure/offsets.h): the zeros
// matter if the tight entries without the marked ones have no transversal, for then every solution
// by this structure divides by one of them. In that case all parameters in vanishing coefficients
// shape the model, with all that their values are computed from (zeros_mark), since another value
// of any of these may make another structure. If no zeros matter in this way, those do by which a
// switch is ideal (split_mark_zeros).
//
// The search works in the workshop: what it adds to the graph goes with it.

#include "modes/zeros.h"

#include "equations/derive.h"
#include "equations/walk.h"
#include "flatten/pack.h"
#include "modes/analyse.h"
#include "modes/gather.h"
#include "modes/mode_maker.h"
#include "modes/parameters.h"
#include "modes/split.h"
#include "modes/translate.h"
#include "structure/matching.h"
#include "structure/nonzero.h"
#include "structure/offsets.h"

#include <math.h>

typedef struct Zeros {
    Assembly *a;
    const Gathered *g;
    Dag *dag;
    Nonzero *nonzero;
    double
        *values; // by variable of the graph: of parameters, and of variables that are zero by them
    Node *definition; // of those: what they are
    uint32_t count;
    bool *is_zero; // by variable of the flat model
    bool has_any;
} Zeros;

// Whether each equation can have a variable of its own by an entry that does not vanish.
static bool is_regular_without(Arena *arena, const Signature *s, const Offsets *o)
{
    const uint32_t *entry_of;
    const Graph all = offsets_graph(arena, s, o, &entry_of);
    uint32_t *start = ARENA_ARRAY(arena, all.row_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(arena, all.start[all.row_count] + 1u, uint32_t), count = 0;
    for (uint32_t i = 0; i < all.row_count; i++) {
        for (uint32_t e = all.start[i]; e < all.start[i + 1]; e++)
            if (!s->entries[entry_of[e]].is_vanishing)
                columns[count++] = all.columns[e];
        start[i + 1] = count;
    }
    const Graph rest = {.row_count = all.row_count,
                        .column_count = all.column_count,
                        .start = start,
                        .columns = columns};
    Matching m = matching_empty(arena, rest.row_count, rest.column_count);
    matching_maximum(arena, &rest, &m);
    return m.size == rest.row_count;
}

static bool has_vanishing(const Signature *s, uint32_t equation)
{
    for (uint32_t e = s->start[equation]; e < s->start[equation + 1]; e++)
        if (s->entries[e].is_vanishing)
            return true;
    return false;
}

// A parameter, and all that its value is computed from.
static void zeros_mark(Zeros *z, const FlatVariable *v);

static void zeros_mark_expression(Zeros *z, const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        zeros_mark(z, e->variable);
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i])
            zeros_mark_expression(z, e->operands[i]);
}

static void zeros_mark(Zeros *z, const FlatVariable *v)
{
    if (v->kind != FLAT_PARAMETER || v->is_structural || z->is_zero[v->index] ||
        FLAT_TYPE(v)->kind == FLAT_TYPE_STRING)
        return;
    z->is_zero[v->index] = true;
    z->has_any = true;
    const FlatExpression *value = v->binding ? v->binding : v->attributes->start;
    if (value)
        zeros_mark_expression(z, value);
}

// The parameters in an expression that vanishes, and in those that define variables in it.
static void zeros_mark_node(Zeros *z, Node node)
{
    DagMemo *memo = memo_take(z->dag);
    walk_variables(memo, WALK_ALL, &node, 1);
    for (uint32_t i = 0; i < memo->count; i++) {
        const uint32_t number = memo->list[i];
        const DagVariable *v = &z->dag->variables[number];
        const Node definition = number < z->count ? z->definition[number] : NODE_NONE;
        if (definition != NODE_NONE) {
            z->definition[number] = NODE_NONE; // once is enough
            zeros_mark_node(z, definition);
        } else if (v->role == DAG_PLAIN && v->variability == DAG_PARAMETER) {
            zeros_mark(z, z->a->flat->variables[v->origin]);
        }
    }
    memo_give(memo);
}

// The coefficients that vanish in an equation.
static void zeros_mark_equation(Zeros *z, Node e)
{
    DagTerm *partials;
    uint32_t count;
    if (!derive_gradient(z->dag, z->dag->arena, e, NULL, &partials, &count))
        count = 0;
    for (uint32_t k = 0; k < count; k++)
        if (z->dag->variables[partials[k].variable].variability == DAG_CONTINUOUS &&
            nonzero_vanishes(z->nonzero, partials[k].value, z->values, z->count))
            zeros_mark_node(z, partials[k].value);
}

// v = e with an e that vanishes. True: v was not known to be zero.
static bool zeros_define(Zeros *z, Node variable, Node e)
{
    const DagNode *v = dag_get(z->dag, variable);
    if (v->kind != DAG_VARIABLE || v->variability != DAG_CONTINUOUS || v->number >= z->count ||
        !isnan(z->values[v->number]) || !nonzero_vanishes(z->nonzero, e, z->values, z->count))
        return false;
    z->values[v->number] = 0.0;
    z->definition[v->number] = e;
    return true;
}

// Variables that are zero since parameters are: `count` of their values are known. False: there are
// none.
static bool zeros_follow(Zeros *z, Arena *arena, uint32_t count)
{
    const AssembledEquations *all = &z->g->equations;
    bool is_any = false;
    z->count = z->dag->variable_count;
    z->values = ARENA_ARRAY(arena, z->count, double);
    z->definition = ARENA_ARRAY(arena, z->count, Node);
    for (uint32_t v = 0; v < z->count; v++) {
        z->values[v] = v < count ? z->a->known.values[v] : NAN;
        z->definition[v] = NODE_NONE;
    }
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = 0; i < all->count; i++)
            is_new = zeros_define(z, all->items[i].left, all->items[i].right) ||
                     zeros_define(z, all->items[i].right, all->items[i].left) || is_new;
        is_any |= is_new;
    }
    return is_any;
}

bool zeros_are_none(const Gathered *g, const Signature *s)
{
    for (uint32_t i = 0; i < s->equation_count; i++)
        if (has_vanishing(s, i))
            return false;
    Zeros z = {.a = g->assembly, .g = g, .dag = g->assembly->dag};
    Arena *scratch = arena_scratch(z.dag->arena);
    const ArenaMark mark = arena_mark(scratch);
    z.nonzero = nonzero_create(z.dag, true);
    const bool is_any = zeros_follow(&z, scratch, z.a->known.count);
    nonzero_end(z.nonzero);
    arena_release(scratch, mark);
    return !is_any;
}

// With what is zero now, and without that later.
static const Signature *zeros_signature(Zeros *z)
{
    Assembly *a = z->a;
    const double *values = a->known.values;
    const uint32_t count = a->known.count;
    a->known.values = z->values;
    a->known.count = z->count;
    const Signature *s = analyse_signature(z->g);
    a->known.values = values;
    a->known.count = count;
    return s;
}

static void zeros_search(Zeros *z)
{
    Arena *arena = z->dag->arena;
    z->nonzero = nonzero_create(z->dag, true);
    zeros_follow(z, arena, z->a->known.count);
    const Signature *s = zeros_signature(z);
    Offsets offsets;
    uint32_t *least = ARENA_ARRAY(arena, s->variable_count + 1u, uint32_t);
    if (s->equation_count == s->variable_count && offsets_find(arena, s, least, &offsets) &&
        !is_regular_without(arena, s, &offsets))
        for (uint32_t i = 0; i < s->equation_count; i++) {
            const AssembledEquation *e = &z->g->equations.items[i];
            if (has_vanishing(s, i))
                zeros_mark_equation(z, dag_subtract(z->dag, e->left, e->right));
        }
    nonzero_end(z->nonzero);
}

// Those by which a switch is ideal.
static void zeros_search_choices(Zeros *z, const Model *model, Arena *arena)
{
    const uint32_t count = model->flat->variable_count;
    bool *is_zero = ARENA_ARRAY(arena, count + 1u, bool);
    bool *is_marked = ARENA_ARRAY(arena, count + 1u, bool);
    bool is_any = false;
    for (uint32_t i = 0; i < model->parameters->count; i++) {
        const FlatVariable *v = model->parameters->flat[i];
        const uint32_t number = translate_variable(z->a->translation, v);
        is_zero[v->index] = FLAT_TYPE(v)->kind == FLAT_TYPE_REAL && !v->is_structural &&
                            z->a->known.values[number] == 0.0;
        is_any = is_any || is_zero[v->index];
    }
    if (!is_any)
        return;
    Arena *equations = arena_child(arena);
    split_mark_zeros(arena, flat_unpack(equations, model->flat), is_zero, is_marked);
    arena_destroy(equations);
    for (uint32_t i = 0; i < count; i++)
        if (is_marked[i])
            zeros_mark(z, model->flat->variables[i]);
}

// Those that the equations of the mode are about.
static void zeros_search_mode(Zeros *z, const Model *model, const Choice *choices, Gathered *g)
{
    workshop_open(model);
    z->g = g;
    if (gather(model->assembly, PARTS_ALL, choices,
               diagnostics_create(z->dag->arena, model->diagnostics->sources), g))
        zeros_search(z);
    gather_end(g);
    workshop_close(model, false);
}

const bool *zeros_find(const Model *model, Arena *arena, const Choice *choices)
{
    Zeros z = {.a = model->assembly,
               .dag = model->assembly->dag,
               .is_zero = ARENA_ARRAY(arena, model->flat->variable_count + 1u, bool)};
    if (!z.a->known.values)
        return NULL;
    Gathered g;
    if (!z.a->is_without_zeros)
        zeros_search_mode(&z, model, choices, &g);
    if (!z.has_any)
        zeros_search_choices(&z, model, arena);
    return z.has_any ? z.is_zero : NULL;
}

// (What is differentiated stays a sum that is zero: it may have come here by a jump.)
static bool zeros_is_defined(const Zeros *z, const DagNode *variable, Node e)
{
    if (variable->kind != DAG_VARIABLE || variable->number >= z->count ||
        z->definition[variable->number] != e)
        return false;
    const uint32_t origin = z->dag->variables[variable->number].origin;
    return origin == DAG_NONE || !z->a->flat->variables[origin]->is_differentiated;
}

void zeros_reduce(Gathered *g)
{
    Zeros z = {.a = g->assembly, .g = g, .dag = g->assembly->dag};
    z.nonzero = nonzero_create(z.dag, true);
    zeros_follow(&z, z.dag->arena, 0);
    for (uint32_t i = 0; i < g->equations.count; i++) {
        AssembledEquation *e = &g->equations.items[i];
        const DagNode *l = dag_get(z.dag, e->left), *r = dag_get(z.dag, e->right);
        if (zeros_is_defined(&z, l, e->right))
            e->right = z.dag->zero;
        else if (zeros_is_defined(&z, r, e->left))
            e->left = z.dag->zero;
    }
    nonzero_end(z.nonzero);
}

void zeros_fix(const Model *model, const bool *is_zero)
{
    const Parameters *p = model->parameters;
    for (uint32_t i = 0; i < p->count; i++) {
        FlatVariable *v = model->flat->variables[p->flat[i]->index];
        if (!is_zero[v->index])
            continue;
        const uint32_t number = translate_variable(model->assembly->translation, v);
        const double value = model->assembly->known.values[number];
        v->is_structural = v->is_evaluated = true;
        if (FLAT_TYPE(v)->kind == FLAT_TYPE_REAL)
            v->value.real = value;
        else
            v->value.integer = (int64_t)value;
    }
}

void zeros_release(const FlatModel *flat, const bool *is_zero)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (is_zero[i])
            flat->variables[i]->is_structural = flat->variables[i]->is_evaluated = false;
}
