// SPDX-License-Identifier: MIT

#include "structure/system.h"

#include "equations/derive.h"
#include "equations/inverse.h"
#include "equations/walk.h"
#include "structure/nonzero.h"

#include <float.h>
#include <math.h>

typedef struct Reading {
    const System *system;
    Dag *dag;
    Arena *scratch;
    SignatureBuilder *b;
    SignatureSymbol *meanings; // by variable of the graph
    uint32_t meaning_count;
    DagMemo *known;  // all variables that mean something
    uint32_t *top;   // by variable: its highest order in the equation
    uint32_t *stamp; // 1 + equation, if it occurs there
    Nonzero *nonzero;
} Reading;

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

// Derivatives come after what they are derivatives of, so one pass is enough.
static void find_meanings(Arena *arena, Reading *r)
{
    const Dag *dag = r->dag;
    r->meaning_count = dag->variable_count;
    r->meanings = ARENA_ARRAY(arena, dag->variable_count, SignatureSymbol);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        r->meanings[v].number = GRAPH_NONE;
    for (uint32_t j = 0; j < r->system->variable_count; j++)
        r->meanings[r->system->variables[j].origin] = (SignatureSymbol){.number = j};
    for (uint32_t k = 0; k < r->system->input_count; k++)
        r->meanings[r->system->inputs[k].origin] = (SignatureSymbol){.number = k, .is_input = true};
    for (uint32_t v = 0; v < dag->variable_count; v++) {
        const DagVariable *variable = &dag->variables[v];
        if (variable->role == DAG_DERIVATIVE && r->meanings[v].number == GRAPH_NONE) {
            r->meanings[v] = r->meanings[variable->of];
            r->meanings[v].order++;
        }
        if (r->meanings[v].number != GRAPH_NONE)
            memo_set(r->known, v, 0);
    }
}

uint32_t system_derivative(const System *system, uint32_t variable, uint32_t order)
{
    uint32_t v = system->variables[variable].origin;
    for (uint32_t o = 0; o < order; o++)
        v = dag_derivative_variable(system->dag, v);
    return v;
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static void find_tops(Reading *r, uint32_t equation, const WalkOccurrence *list, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const SignatureSymbol *m = &r->meanings[list[k].variable];
        if (m->is_input)
            continue;
        if (r->stamp[m->number] != equation + 1 || m->order > r->top[m->number])
            r->top[m->number] = m->order;
        r->stamp[m->number] = equation + 1;
    }
}

static bool is_top(const Reading *r, uint32_t equation, const SignatureSymbol *m)
{
    return !m->is_input && r->stamp[m->number] == equation + 1 && r->top[m->number] == m->order;
}

// Which highest derivatives the coefficient of a highest derivative contains.
static void add_factors(Reading *r, uint32_t equation, const SignatureSymbol *of, Node coefficient)
{
    DagMemo *memo = memo_take(r->dag);
    walk_variables(memo, WALK_UNHELD, &coefficient, 1);
    for (uint32_t k = 0; k < memo->count; k++) {
        uint32_t v = memo->list[k];
        if (v < r->meaning_count && r->meanings[v].number != GRAPH_NONE &&
            is_top(r, equation, &r->meanings[v]))
            signature_factor(r->b, of->number, r->meanings[v].number);
    }
    memo_give(memo);
}

static SignatureKind system_kind_of(WalkIncidence incidence)
{
    return incidence <= WALK_PARAMETER ? SIGNATURE_PARAMETER
           : incidence == WALK_LINEAR  ? SIGNATURE_LINEAR
                                       : SIGNATURE_NONLINEAR;
}

// Of a coefficient that differs from branch to branch, as those of switches and diodes do.
static void system_find_size(Reading *r, Node coefficient, SignatureEntry *entry)
{
    double least, most;
    const System *s = r->system;
    if (!nonzero_size(r->nonzero, coefficient, s->values, s->value_count, &least, &most) ||
        least == most)
        return;
    entry->least = (float)fmax(least, FLT_MIN);
    entry->most = (float)fmin(most, FLT_MAX);
}

static void system_add_entry(Reading *r, uint32_t equation, const SystemEquation *sides,
                             const WalkOccurrence *o, Node coefficient)
{
    const SignatureSymbol *m = &r->meanings[o->variable];
    if (m->is_input) {
        signature_input_entry(r->b, m->number, m->order);
        return;
    }
    SignatureEntry entry = {.variable = m->number,
                            .order = (uint8_t)m->order,
                            .kind = (uint8_t)system_kind_of(o->incidence)};
    if (coefficient != NODE_NONE) {
        const DagNode *n = dag_get(r->dag, coefficient);
        if (n->kind == DAG_NUMBER && o->incidence <= WALK_CONSTANT) {
            signature_number(r->b, m->number, m->order, n->value);
            return;
        }
        entry.is_nonzero = nonzero_always(r->nonzero, coefficient);
        entry.is_partial = nonzero_by_choice(r->nonzero, coefficient);
        entry.is_vanishing =
            nonzero_vanishes(r->nonzero, coefficient, r->system->values, r->system->value_count);
        system_find_size(r, coefficient, &entry);
    }
    if (entry.kind == SIGNATURE_NONLINEAR && is_top(r, equation, m))
        entry.has_inverse =
            inverse_solve(r->dag, sides->left, sides->right, o->variable, NODE_NONE) != NODE_NONE;
    signature_copy_entry(r->b, m->number, &entry);
    if (entry.kind == SIGNATURE_LINEAR && coefficient != NODE_NONE && is_top(r, equation, m))
        add_factors(r, equation, m, coefficient);
}

static void system_add_equation(Reading *r, uint32_t number, const SystemEquation *equation)
{
    Node e = dag_subtract(r->dag, equation->left, equation->right);
    WalkOccurrence *list;
    DagTerm *partials = NULL;
    uint32_t partial_count = 0, p = 0;
    const ArenaMark mark = arena_mark(r->scratch);
    uint32_t count = walk_occurrences(r->dag, r->scratch, e, r->known, &list);
    signature_equation(r->b, &equation->about);
    find_tops(r, number, list, count);
    if (!derive_gradient(r->dag, r->scratch, e, r->known, &partials, &partial_count))
        partial_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        while (p < partial_count && partials[p].variable < list[k].variable)
            p++;
        bool has_partial = p < partial_count && partials[p].variable == list[k].variable;
        system_add_entry(r, number, equation, &list[k],
                         has_partial ? partials[p].value : NODE_NONE);
    }
    arena_release(r->scratch, mark);
}

static const Signature *system_read_equations(Arena *arena, const System *system,
                                              const SystemEquation *equations, uint32_t count)
{
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    Reading r = {.system = system,
                 .dag = system->dag,
                 .scratch = scratch,
                 .b = signature_begin(arena),
                 .known = memo_take(system->dag),
                 .top = ARENA_ARRAY(scratch, system->variable_count, uint32_t),
                 .stamp = ARENA_ARRAY(scratch, system->variable_count, uint32_t),
                 .nonzero = nonzero_create(system->dag, false)};
    find_meanings(scratch, &r);
    signature_variables(r.b, system->variables, system->variable_count);
    for (uint32_t k = 0; k < system->input_count; k++)
        signature_input(r.b, &system->inputs[k]);
    for (uint32_t i = 0; i < count; i++)
        system_add_equation(&r, i, &equations[i]);
    nonzero_end(r.nonzero);
    memo_give(r.known);
    arena_release(scratch, mark);
    return signature_finish(r.b);
}

const Signature *system_signature(Arena *arena, const System *system)
{
    return system_read_equations(arena, system, system->equations, system->equation_count);
}

const Signature *system_initial_signature(Arena *arena, const System *system)
{
    return system_read_equations(arena, system, system->initial, system->initial_count);
}
