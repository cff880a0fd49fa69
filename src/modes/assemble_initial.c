// SPDX-License-Identifier: MIT
//
// Initial equations and algorithms (section 8.6 of the specification).
//
// Initial equations of discrete variables say what left limits are, and these are computed anew
// until nothing changes; other initial equations belong to the system that is solved for the
// continuous variables. An if-equation becomes equations between if-expressions.
//
// Parameters with fixed = false are unknowns of the initialization, and so are those that depend on
// them, with their bindings as initial equations. Fixed start values that depend on them are
// initial equations, too.

#include "modes/assemble_match.h"
#include "modes/assemble_when.h"

#include "equations/walk.h"

// ---------------------------------------------------------------------------
// Discrete variables
// ---------------------------------------------------------------------------

// An Integer or Boolean parameter that the initialization has to find.
static bool is_found_discretely(const Assembly *a, GraphVariable variable)
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

static bool assemble_initial_is_given(const Assembly *a, GraphVariable variable)
{
    for (uint32_t i = 0; i < a->given.count; i++)
        if (a->given.items[i].variable == variable)
            return true;
    return false;
}

static void add_value(Assembly *a, const AssembledInitial *value)
{
    ARENA_PUSH(a->dag->arena, a->given.items, a->given.count, a->given.room, *value);
    if (a->dag->variables[value->variable].variability == DAG_DISCRETE)
        dag_pre_variable(a->dag, value->variable);
}

// What is said of a discrete variable is said of what it is by its equation: with active =
// pre(new), the initial equation active = true determines pre(new); with k = 2 pre(k) in a when
// clause that is active at the initialization, k = 2 means pre(k) = 1. Which left limit each
// initial equation determines is a matching, as for other discrete equations.
typedef struct Lefts {
    Assembly *a;
    Match *match;
    DagMemo *definition; // variable -> its only definition
    DagMemo *initial;    // initial() -> true
} Lefts;

// So many definitions one after the other are looked at.
enum { MOST_DEFINITIONS = 200 };

static Lefts begin_lefts(Assembly *a)
{
    Lefts l = {.a = a,
               .match = match_begin(a, &a->undirected_initial),
               .definition = memo_take(a->dag),
               .initial = memo_take(a->dag)};
    for (uint32_t i = 0; i < a->defined.count; i++) {
        const uint32_t v = a->defined.items[i].variable;
        const bool is_only = !memo_has(l.definition, v) && !a->defined.items[i].guard;
        memo_set(l.definition, v, is_only ? i : DAG_NONE);
    }
    const uint32_t initial = convert_initial(a->translation);
    if (initial != DAG_NONE)
        memo_set(l.initial, initial, a->dag->truth);
    return l;
}

// What a discrete variable is at the initialization; NODE_NONE: that depends on the mode.
static Node initial_value(const Lefts *l, GraphVariable variable)
{
    const uint32_t i =
        memo_has(l->definition, variable) ? memo_get(l->definition, variable) : DAG_NONE;
    return i == DAG_NONE ? NODE_NONE
                         : walk_substitute(l->a->dag, l->a->defined.items[i].value, l->initial);
}

static void offer_lefts(Lefts *l, uint32_t e, Node side, Node value, uint32_t depth)
{
    Dag *dag = l->a->dag;
    const DagNode n = *dag_get(dag, side);
    bool is_left_limit = false;
    const uint32_t v = discrete_of(l->a, side, &is_left_limit);
    if (v != DAG_NONE && (is_left_limit || is_found_discretely(l->a, v))) {
        if (!walk_depends_on(dag, value, n.number))
            match_offer(l->match, e, &(MatchCandidate){v, value, is_left_limit});
    } else if (v != DAG_NONE) {
        const Node inner = initial_value(l, v);
        if (inner != NODE_NONE && depth < MOST_DEFINITIONS)
            offer_lefts(l, e, inner, value, depth + 1);
    }
    for (uint32_t i = 0; i < n.count && n.kind == DAG_OPERATION; i++) {
        const Node inner = match_inverse(dag, side, i, value);
        if (inner != NODE_NONE)
            offer_lefts(l, e, dag_operand(dag, side, i), inner, depth);
    }
}

// A variable that no left limit determines: it is checked afterwards whether it is this.
static void offer_itself(Lefts *l, uint32_t e, Node side, Node value)
{
    bool is_left_limit = false;
    const uint32_t v = discrete_of(l->a, side, &is_left_limit);
    if (v != DAG_NONE)
        match_offer(l->match, e, &(MatchCandidate){v, value, is_left_limit});
}

// An equation of a Real that a when clause gives a continuous value at the initialization is one
// about that.
static Node continuous_value(const Lefts *l, Node side)
{
    bool is_left_limit = false;
    const uint32_t v = discrete_of(l->a, side, &is_left_limit);
    const Node value = v == DAG_NONE || is_left_limit ? NODE_NONE : initial_value(l, v);
    return value != NODE_NONE && dag_get(l->a->dag, value)->variability == DAG_CONTINUOUS ? value
                                                                                          : side;
}

// A Real parameter that the initialization has to find, and a discrete variable whose start value
// is fixed: the variable is known, and the equation is one for the parameter.
static bool is_for_parameter(const Lefts *l, Node side, Node other)
{
    const Assembly *a = l->a;
    const DagNode *n = dag_get(a->dag, side);
    bool is_left_limit = false;
    const uint32_t v = discrete_of(a, other, &is_left_limit);
    if (n->kind != DAG_VARIABLE || n->type != DAG_REAL || v == DAG_NONE)
        return false;
    const uint32_t parameter = a->dag->variables[n->number].origin;
    const uint32_t discrete = a->dag->variables[v].origin;
    return parameter != DAG_NONE && discrete != DAG_NONE &&
           assemble_is_found(a->flat->variables[parameter]) &&
           a->flat->variables[discrete]->attributes->is_fixed;
}

static void offer_all(Lefts *l, uint32_t e)
{
    const AssembledEquation q = l->a->undirected_initial.items[e];
    if (is_for_parameter(l, q.left, q.right) || is_for_parameter(l, q.right, q.left))
        return;
    offer_lefts(l, e, q.left, q.right, 0);
    offer_lefts(l, e, q.right, q.left, 0);
    const bool is_continuous =
        dag_get(l->a->dag, q.left)->type == DAG_REAL &&
        (continuous_value(l, q.left) != q.left || continuous_value(l, q.right) != q.right);
    if (match_count(l->match, e) == 0 && !is_continuous) {
        offer_itself(l, e, q.left, q.right);
        offer_itself(l, e, q.right, q.left);
    }
}

static void add_left(const Lefts *l, uint32_t e)
{
    Assembly *a = l->a;
    const AssembledEquation *q = &a->undirected_initial.items[e];
    const MatchCandidate *taken = match_taken(l->match, e);
    a->here.guard = q->guard;
    a->here.component = q->component;
    if (taken)
        add_value(a, &(AssembledInitial){taken->variable, taken->value, q->span,
                                         taken->is_left_limit, q->guard});
    else if (dag_get(a->dag, q->left)->type == DAG_REAL)
        assemble_initial_equation(a, continuous_value(l, q->left), continuous_value(l, q->right),
                                  q->span);
    else
        diagnostics_error(a->diagnostics, q->span,
                          "this initial equation cannot be solved exactly for the left limit of a "
                          "discrete variable that no other one determines");
    a->here.guard = NULL;
    a->here.component = NULL;
}

void assemble_initial_discrete(Assembly *a)
{
    Lefts l = begin_lefts(a);
    for (uint32_t e = 0; e < a->undirected_initial.count; e++)
        offer_all(&l, e);
    for (uint32_t e = 0; e < a->undirected_initial.count; e++)
        match_place(l.match, e);
    for (uint32_t e = 0; e < a->undirected_initial.count; e++)
        add_left(&l, e);
    memo_give(l.initial);
    memo_give(l.definition);
}

void assemble_initial(Assembly *a, Node left, Node right, Span span)
{
    const DagNode *l = dag_get(a->dag, left), *r = dag_get(a->dag, right);
    bool is_left_limit = false;
    const bool is_discrete = l->type != DAG_REAL ||
                             discrete_of(a, left, &is_left_limit) != DAG_NONE ||
                             discrete_of(a, right, &is_left_limit) != DAG_NONE ||
                             (l->variability <= DAG_DISCRETE && r->variability <= DAG_DISCRETE);
    if (is_discrete)
        assemble_undirected_initial(a, left, right, span);
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

static bool initial_if_rows(Assembly *a, const FlatIf *conditional, AssembledEquations *rows);

static void add_initial_row(const Assembly *a, AssembledEquations *rows, AssembledEquation row)
{
    ARENA_PUSH(a->dag->arena, rows->items, rows->count, rows->room, row);
}

static bool is_in_branch(const FlatGuard *guard, const FlatIf *conditional, uint32_t branch)
{
    return guard && guard->conditional == conditional && guard->branch == branch;
}

// The equations of a branch, with those of if-equations in it. False after a message.
static bool initial_branch_rows(Assembly *a, const FlatIf *conditional, uint32_t branch,
                                AssembledEquations *rows)
{
    bool is_call = false, is_fine = true;
    for (uint32_t i = 0; i < a->flat->initial_equation_count; i++) {
        const FlatEquation *e = a->flat->initial_equations[i];
        if (!is_in_branch(e->guard, conditional, branch))
            continue;
        is_call = is_call || e->kind == FLAT_EQUATION_CALL;
        if (!is_call)
            add_initial_row(a, rows,
                            (AssembledEquation){.left = translate(a->translation, e->left),
                                                .right = translate(a->translation, e->right),
                                                .span = e->origin.span});
    }
    if (is_call)
        diagnostics_error(a->diagnostics, conditional->span,
                          "the branches of an if-equation in an initial equation section must "
                          "have equally many equations, none of several results");
    for (uint32_t i = 0; i < a->flat->conditional_count && is_fine; i++) {
        const FlatIf *inner = a->flat->conditionals[i];
        if (inner->is_initial && is_in_branch(inner->guard, conditional, branch))
            is_fine = initial_if_rows(a, inner, rows);
    }
    return is_fine && !is_call;
}

// Row k of a branch: the one with this left side comes there, if there is one behind.
static void put_initial_row(AssembledEquations *rows, uint32_t k, Node left)
{
    for (uint32_t i = k; i < rows->count; i++)
        if (rows->items[i].left == left) {
            const AssembledEquation row = rows->items[i];
            rows->items[i] = rows->items[k];
            rows->items[k] = row;
            return;
        }
}

// The k-th equations of all branches as one: l = if c then r1 else r2 where the left sides are the
// same, else 0 = if c then l1 - r1 else l2 - r2.
static AssembledEquation join_initial_rows(Assembly *a, const FlatIf *conditional,
                                           AssembledEquations *branches, uint32_t k)
{
    Dag *dag = a->dag;
    const AssembledEquation first = branches[0].items[k];
    bool is_same = true;
    for (uint32_t b = 1; b < conditional->count; b++) {
        put_initial_row(&branches[b], k, first.left);
        is_same = is_same && branches[b].items[k].left == first.left;
    }
    Node value = NODE_NONE;
    for (uint32_t b = conditional->count; b-- > 0;) {
        const AssembledEquation *row = &branches[b].items[k];
        const Node side = is_same ? row->right : dag_subtract(dag, row->left, row->right);
        value =
            value == NODE_NONE
                ? side
                : dag_if(dag, translate(a->translation, conditional->conditions[b]), side, value);
    }
    return (AssembledEquation){
        .left = is_same ? first.left : dag_real(dag, 0.0), .right = value, .span = first.span};
}

// Appends the equations that an if-equation is. False after a message.
static bool initial_if_rows(Assembly *a, const FlatIf *conditional, AssembledEquations *rows)
{
    AssembledEquations *branches =
        ARENA_ARRAY(a->dag->arena, conditional->count, AssembledEquations);
    bool is_equal = true;
    for (uint32_t b = 0; b < conditional->count; b++) {
        if (!initial_branch_rows(a, conditional, b, &branches[b]))
            return false;
        is_equal = is_equal && branches[b].count == branches[0].count;
    }
    if (!is_equal) {
        diagnostics_error(a->diagnostics, conditional->span,
                          "the branches of an if-equation in an initial equation section must "
                          "have equally many equations, none of several results");
        return false;
    }
    for (uint32_t k = 0; k < branches[0].count; k++)
        add_initial_row(a, rows, join_initial_rows(a, conditional, branches, k));
    return true;
}

// One that is in another is part of it.
void assemble_initial_if(Assembly *a, const FlatIf *conditional)
{
    AssembledEquations rows = {0};
    if (initial_if(conditional->guard) || !initial_if_rows(a, conditional, &rows))
        return;
    a->here.guard = conditional->guard;
    for (uint32_t k = 0; k < rows.count; k++)
        assemble_initial(a, rows.items[k].left, rows.items[k].right, rows.items[k].span);
    a->here.guard = NULL;
}

// ---------------------------------------------------------------------------
// reinit at the initialization
// ---------------------------------------------------------------------------

void assemble_initial_reinit(Assembly *a, Node condition, GraphVariable variable, Node value,
                             Span span)
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

static void add_free(Assembly *a, DagMemo *set, GraphVariable variable)
{
    memo_set(set, variable, 0);
    if (!is_found_discretely(a, variable))
        a->free.parameters[a->free.count++] = variable;
}

// Parameters whose bindings contain what was found so far; until there are no more.
static void add_dependent(Assembly *a, DagMemo *set)
{
    bool is_more = true;
    while (is_more) {
        is_more = false;
        for (uint32_t i = 0; i < a->flat->variable_count; i++) {
            const FlatVariable *v = a->flat->variables[i];
            const GraphVariable variable = translate_variable(a->translation, v);
            if (v->kind != FLAT_PARAMETER || !v->binding || v->is_evaluated ||
                variable == DAG_NONE || memo_has(set, variable))
                continue;
            const Node value = translate(a->translation, v->binding);
            if (!walk_depends(a->dag, value, set))
                continue;
            is_more = true;
            if (a->dag->variables[variable].type != DAG_REAL) { // no unknown, but a value
                memo_set(set, variable, 0);
                add_value(a, &(AssembledInitial){variable, value, v->binding->span, false, NULL});
                continue;
            }
            add_free(a, set, variable);
            assemble_initial_equation(a, dag_reference(a->dag, variable), value, v->binding->span);
        }
    }
}

static void add_starts(Assembly *a, const DagMemo *set)
{
    a->free.has_start = ARENA_ARRAY(a->dag->arena, a->flat->variable_count, bool);
    for (uint32_t i = 0; i < a->flat->variable_count; i++) {
        const FlatVariable *v = a->flat->variables[i];
        if (a->starts[i] == NODE_NONE || !walk_depends(a->dag, a->starts[i], set))
            continue;
        const GraphVariable variable = translate_variable(a->translation, v);
        a->here.guard = v->guard;
        if (a->dag->variables[variable].variability == DAG_DISCRETE) {
            if (!assemble_initial_is_given(a, variable))
                add_value(a, &(AssembledInitial){variable, a->starts[i], v->reference.span, true,
                                                 v->guard});
        } else if (v->attributes->is_fixed) {
            a->free.has_start[i] = true;
            assemble_initial_equation(a, dag_reference(a->dag, variable), a->starts[i],
                                      v->reference.span);
        }
        a->here.guard = NULL;
    }
}

void assemble_free_parameters(Assembly *a)
{
    DagMemo *set = memo_take(a->dag);
    const uint32_t delays = convert_delay_count(a->translation);
    a->free.parameters = ARENA_ARRAY(a->dag->arena, a->flat->variable_count + delays, uint32_t);
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
    for (uint32_t i = 0; i < delays; i++)
        if (convert_delay(a->translation, i)->kind != CONVERT_TRANSPORTED)
            a->free.parameters[a->free.count++] = convert_delay(a->translation, i)->start;
    memo_give(set);
}
