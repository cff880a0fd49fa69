// SPDX-License-Identifier: MIT
//
// Initial equations and algorithms (section 8.6 of the specification).
//
// A discrete variable is its left limit unless a when clause is active at the initialization. So
// v = e and pre(v) = e both say what the left limit is, and e is computed anew until nothing
// changes; other initial equations belong to the system that is solved for the continuous
// variables. An if-equation becomes equations between if-expressions.
//
// Parameters with fixed = false are unknowns of the initialization, and so are those that depend on
// them, with their bindings as initial equations. Fixed start values that depend on them are
// initial equations, too.

#include "modes/assemble_when.h"

#include "equations/walk.h"

// ---------------------------------------------------------------------------
// Discrete variables
// ---------------------------------------------------------------------------

// An Integer or Boolean parameter that the initialization has to find.
static bool is_found_discretely(const Assembly *a, uint32_t variable)
{
    const DagVariable *v = &a->dag->variables[variable];
    return v->type != DAG_REAL && v->origin != DAG_NONE &&
           assemble_is_found(a->flat->variables[v->origin]);
}

// The discrete variable v if the side of an equation is v or pre(v); else DAG_NONE.
static uint32_t discrete_of(const Assembly *a, Node side, bool *is_left_limit)
{
    const DagNode *n = dag_get(a->dag, side);
    if (n->kind != DAG_VARIABLE)
        return DAG_NONE;
    const DagVariable *v = &a->dag->variables[n->number];
    *is_left_limit = v->role == DAG_PRE;
    const uint32_t plain = v->role == DAG_PRE ? v->of : n->number;
    const DagVariable *of = &a->dag->variables[plain];
    return (of->role == DAG_PLAIN && of->variability == DAG_DISCRETE) ||
                   is_found_discretely(a, plain)
               ? plain
               : DAG_NONE;
}

static bool is_given(const Assembly *a, uint32_t variable)
{
    for (uint32_t i = 0; i < a->initial_count; i++)
        if (a->initial_values[i].variable == variable)
            return true;
    return false;
}

static void add_value(Assembly *a, const AssembledInitial *value)
{
    if (a->initial_count == a->initial_room) {
        const uint32_t room = a->initial_room ? 2 * a->initial_room : 8;
        a->initial_values = arena_grow(a->dag->arena, a->initial_values,
                                       a->initial_room * sizeof *a->initial_values,
                                       room * sizeof *a->initial_values);
        a->initial_room = room;
    }
    a->initial_values[a->initial_count++] = *value;
    if (a->dag->variables[value->variable].variability == DAG_DISCRETE)
        dag_pre_variable(a->dag, value->variable);
}

static bool define(Assembly *a, Node side, Node value, Span span)
{
    bool is_left_limit = false;
    const uint32_t v = discrete_of(a, side, &is_left_limit);
    if (v == DAG_NONE || is_given(a, v))
        return false;
    add_value(a, &(AssembledInitial){v, value, span, is_left_limit, a->guard});
    return true;
}

void assemble_initial(Assembly *a, Node left, Node right, Span span)
{
    if (define(a, left, right, span) || define(a, right, left, span))
        return;
    if (dag_get(a->dag, left)->type != DAG_REAL)
        diagnostics_error(a->diagnostics, span,
                          "an initial equation of discrete variables must have the form "
                          "v = expression or pre(v) = expression, once for each variable");
    else
        assemble_initial_equation(a, left, right, span);
}

// ---------------------------------------------------------------------------
// If-equations
// ---------------------------------------------------------------------------

static const FlatIf *initial_if(const FlatGuard *guard)
{
    return guard && !guard->state && guard->conditional->is_initial ? guard->conditional : NULL;
}

bool assemble_is_in_initial_if(const FlatEquation *e)
{
    return initial_if(e->guard) != NULL;
}

// The next equation of a branch, from *next on; NULL: there is none.
static const FlatEquation *next_of_branch(const Assembly *a, const FlatIf *conditional,
                                          uint32_t branch, uint32_t *next)
{
    while (*next < a->flat->initial_equation_count) {
        const FlatEquation *e = a->flat->initial_equations[(*next)++];
        if (e->guard && e->guard->conditional == conditional && e->guard->branch == branch)
            return e;
    }
    return NULL;
}

// The k-th equations of all branches as one: l = if c then r1 else r2 where the left sides are the
// same, else 0 = if c then l1 - r1 else l2 - r2.
static void join(Assembly *a, const FlatIf *conditional, const FlatEquation *const *equations)
{
    Dag *dag = a->dag;
    const Node first = translate(a->translation, equations[0]->left);
    bool is_same = true;
    for (uint32_t b = 1; b < conditional->count; b++)
        is_same = is_same && translate(a->translation, equations[b]->left) == first;
    Node value = NODE_NONE;
    for (uint32_t b = conditional->count; b-- > 0;) {
        const Node left = translate(a->translation, equations[b]->left);
        const Node right = translate(a->translation, equations[b]->right);
        const Node side = is_same ? right : dag_subtract(dag, left, right);
        value =
            value == NODE_NONE
                ? side
                : dag_if(dag, translate(a->translation, conditional->conditions[b]), side, value);
    }
    a->guard = conditional->guard;
    assemble_initial(a, is_same ? first : dag_real(dag, 0.0), value, equations[0]->origin.span);
    a->guard = NULL;
}

void assemble_initial_if(Assembly *a, const FlatIf *conditional)
{
    Arena *arena = a->dag->arena;
    uint32_t *next = ARENA_ARRAY(arena, conditional->count, uint32_t);
    const FlatEquation **row = ARENA_ARRAY(arena, conditional->count, const FlatEquation *);
    if (initial_if(conditional->guard)) {
        diagnostics_error(a->diagnostics, conditional->span,
                          "an if-equation in an if-equation of an initial equation section cannot "
                          "be simulated yet");
        return;
    }
    for (;;) {
        uint32_t found = 0;
        bool is_call = false;
        for (uint32_t b = 0; b < conditional->count; b++) {
            row[b] = next_of_branch(a, conditional, b, &next[b]);
            found += row[b] != NULL;
            is_call = is_call || (row[b] && row[b]->kind == FLAT_EQUATION_CALL);
        }
        if (found == 0)
            return;
        if (found < conditional->count || is_call) {
            diagnostics_error(a->diagnostics, conditional->span,
                              "the branches of an if-equation in an initial equation section must "
                              "have equally many equations, none of several results");
            return;
        }
        join(a, conditional, row);
    }
}

// ---------------------------------------------------------------------------
// reinit at the initialization
// ---------------------------------------------------------------------------

void assemble_initial_reinit(Assembly *a, Node condition, uint32_t variable, Node value, Span span)
{
    Dag *dag = a->dag;
    DagMemo *map = memo_take(dag);
    memo_set(map, convert_initial(a->translation), dag->truth);
    const bool is_done = walk_substitute(dag, condition, map) == dag->truth;
    memo_give(map);
    if (is_done)
        assemble_initial_equation(a, dag_reference(dag, variable), value, span);
}

// ---------------------------------------------------------------------------
// Parameters that the initialization has to find
// ---------------------------------------------------------------------------

bool assemble_is_found(const FlatVariable *v)
{
    return v->kind == FLAT_PARAMETER && v->attributes->has_fixed && !v->attributes->is_fixed &&
           !v->binding && !v->is_evaluated;
}

static void add_free(Assembly *a, DagMemo *set, uint32_t variable)
{
    memo_set(set, variable, 0);
    if (!is_found_discretely(a, variable))
        a->free_parameters[a->free_count++] = variable;
}

// Parameters whose bindings contain what was found so far; until there are no more.
static void add_dependent(Assembly *a, DagMemo *set)
{
    bool is_more = true;
    while (is_more) {
        is_more = false;
        for (uint32_t i = 0; i < a->flat->variable_count; i++) {
            const FlatVariable *v = a->flat->variables[i];
            const uint32_t variable = translate_variable(a->translation, v);
            if (v->kind != FLAT_PARAMETER || !v->binding || v->is_evaluated ||
                variable == DAG_NONE || memo_has(set, variable))
                continue;
            const Node value = translate(a->translation, v->binding);
            if (!walk_depends(a->dag, value, set))
                continue;
            add_free(a, set, variable);
            assemble_initial_equation(a, dag_reference(a->dag, variable), value, v->binding->span);
            is_more = true;
        }
    }
}

static void add_starts(Assembly *a, const DagMemo *set)
{
    a->has_free_start = ARENA_ARRAY(a->dag->arena, a->flat->variable_count, bool);
    for (uint32_t i = 0; i < a->flat->variable_count; i++) {
        const FlatVariable *v = a->flat->variables[i];
        if (a->starts[i] == NODE_NONE || !walk_depends(a->dag, a->starts[i], set))
            continue;
        const uint32_t variable = translate_variable(a->translation, v);
        a->guard = v->guard;
        if (a->dag->variables[variable].variability == DAG_DISCRETE) {
            if (!is_given(a, variable))
                add_value(a, &(AssembledInitial){variable, a->starts[i], v->reference.span, true,
                                                 v->guard});
        } else if (v->attributes->is_fixed) {
            a->has_free_start[i] = true;
            assemble_initial_equation(a, dag_reference(a->dag, variable), a->starts[i],
                                      v->reference.span);
        }
        a->guard = NULL;
    }
}

void assemble_free_parameters(Assembly *a)
{
    DagMemo *set = memo_take(a->dag);
    a->free_parameters = ARENA_ARRAY(a->dag->arena, a->flat->variable_count, uint32_t);
    bool is_any = false;
    for (uint32_t i = 0; i < a->flat->variable_count; i++) {
        const uint32_t v = translate_variable(a->translation, a->flat->variables[i]);
        if (v == DAG_NONE || !assemble_is_found(a->flat->variables[i]))
            continue;
        add_free(a, set, v);
        is_any = true;
    }
    if (is_any) {
        add_dependent(a, set);
        add_starts(a, set);
    }
    memo_give(set);
}
