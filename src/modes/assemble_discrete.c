// SPDX-License-Identifier: MIT
//
// Which discrete variable each discrete equation determines: a connection of Boolean signals can be
// read both ways, so a matching decides (assemble_match.h), and the equation is solved for its
// variable where that is exact. Whether the definitions can be sorted is looked at later, for each
// mode: cycle.h.

#include "modes/assemble_clock.h"
#include "modes/assemble_index.h"
#include "modes/assemble_when.h"

#include "equations/walk.h"
#include "structure/graph.h"

typedef struct Directing {
    Assembly *a;
    Match *match;
    uint32_t *defined; // by variable: its first definition by a when clause or an algorithm
    uint32_t *other;   // by definition: the next one of the same variable
    bool is_reduced;   // constraints between clocked states were differentiated
} Directing;

static const AssembledEquation *equation_of(const Directing *d, uint32_t e)
{
    return &d->a->undirected.items[e];
}

static bool assemble_discrete_is_discrete(const Dag *dag, GraphVariable variable)
{
    return dag->variables[variable].role == DAG_PLAIN &&
           dag->variables[variable].variability == DAG_DISCRETE;
}

// Whether a when clause or an algorithm may determine the variable while the equation is there.
static bool assemble_discrete_is_given(const Directing *d, GraphVariable variable,
                                       const FlatGuard *guard)
{
    for (uint32_t i = d->defined[variable]; i != GRAPH_NONE; i = d->other[i])
        if (!assemble_exclude(d->a->defined.items[i].guard, guard))
            return true;
    return false;
}

static void offer(Directing *d, uint32_t e, GraphVariable variable, Node value)
{
    if (!assemble_discrete_is_given(d, variable, equation_of(d, e)->guard))
        match_offer(d->match, e, &(MatchCandidate){variable, value, false});
}

// The variable that a side of an equation is; DAG_NONE: it is none that equations determine.
static uint32_t variable_of(const Dag *dag, Node side)
{
    const DagNode *n = dag_get(dag, side);
    return n->kind == DAG_VARIABLE && assemble_discrete_is_discrete(dag, n->number) ? n->number
                                                                                    : DAG_NONE;
}

// The side itself, with the other one as its value.
static void offer_sides(Directing *d, uint32_t e)
{
    const Dag *dag = d->a->dag;
    const AssembledEquation *q = equation_of(d, e);
    const uint32_t left = variable_of(dag, q->left), right = variable_of(dag, q->right);
    if (left != DAG_NONE)
        offer(d, e, left, q->right);
    if (right != DAG_NONE)
        offer(d, e, right, q->left);
}

// All that the equation side = value can be solved for.
static void offer_solved(Directing *d, uint32_t e, Node side, Node value)
{
    Dag *dag = d->a->dag;
    const GraphVariable variable = variable_of(dag, side);
    if (variable != DAG_NONE) {
        if (!walk_depends_on(dag, value, variable))
            offer(d, e, variable, value);
        return;
    }
    const uint32_t count = dag_operand_count(dag, side);
    for (uint32_t i = 0; i < count && dag_get(dag, side)->kind == DAG_OPERATION; i++) {
        const Node inner = match_inverse(dag, side, i, value);
        if (inner != NODE_NONE)
            offer_solved(d, e, dag_operand(dag, side, i), inner);
    }
}

// An equation between Reals that may be one of the continuous ones.
static bool assemble_discrete_is_continuous(Dag *dag, const AssembledEquation *q)
{
    return dag_get(dag, q->left)->variability == DAG_CONTINUOUS ||
           dag_get(dag, q->right)->variability == DAG_CONTINUOUS;
}

// The step of a clocked state that may be determined by a constraint.
static bool is_optional(const Directing *d, uint32_t e)
{
    return d->is_reduced && equation_of(d, e)->slope != DAG_NONE;
}

// The equations that are (not) continuous if they determine nothing discrete. True: all are placed.
static bool assemble_discrete_place_all(Directing *d, bool continuous)
{
    bool is_whole = true;
    for (uint32_t e = 0; e < d->a->undirected.count; e++)
        if (!match_taken(d->match, e) && !is_optional(d, e) &&
            assemble_discrete_is_continuous(d->a->dag, equation_of(d, e)) == continuous)
            is_whole = match_place(d->match, e) && is_whole;
    return is_whole;
}

// Steps of clocked states, as many as there is room for, those of the wanted states first.
static void place_steps(Directing *d)
{
    const Assembly *a = d->a;
    for (int select = FLAT_SELECT_ALWAYS; select >= FLAT_SELECT_NEVER; select--)
        for (uint32_t e = 0; e < a->undirected.count; e++) {
            const Node left = equation_of(d, e)->left;
            const uint32_t origin = is_optional(d, e)
                                        ? a->dag->variables[dag_get(a->dag, left)->number].origin
                                        : DAG_NONE;
            if (origin != DAG_NONE &&
                (int)a->flat->variables[origin]->attributes->state_select == select)
                match_place(d->match, e);
        }
}

// A clocked equation may be solved for any Real in it: where a quotient does it, or by Newton's
// method.
static void offer_clocked(Directing *d, uint32_t e, bool by_quotient)
{
    Dag *dag = d->a->dag;
    const AssembledEquation q = *equation_of(d, e);
    if (q.tick == NODE_NONE || dag_get(dag, q.left)->type != DAG_REAL)
        return;
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, (Node[]){q.left, q.right}, 2);
    for (uint32_t i = 0; i < memo->count; i++) {
        const uint32_t v = memo->list[i];
        if (!assemble_discrete_is_discrete(dag, v) || dag->variables[v].type != DAG_REAL)
            continue;
        const Node value = by_quotient ? assemble_clocked_linear(d->a, &q, v) : NODE_NONE;
        if (!by_quotient || value != NODE_NONE)
            offer(d, e, v, value);
    }
    memo_give(memo);
}

static bool place_clocked(Directing *d)
{
    bool is_whole = false;
    for (int pass = 0; pass < 2 && !is_whole; pass++) {
        for (uint32_t e = 0; e < d->a->undirected.count; e++)
            offer_clocked(d, e, pass == 0);
        is_whole = assemble_discrete_place_all(d, false);
    }
    return is_whole;
}

static uint32_t *assemble_discrete_none(Arena *arena, uint32_t count)
{
    uint32_t *list = ARENA_ARRAY(arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++)
        list[i] = GRAPH_NONE;
    return list;
}

static Directing assemble_discrete_begin(Assembly *a)
{
    Directing d = {.a = a,
                   .match = match_begin(a, &a->undirected),
                   .defined = assemble_discrete_none(a->dag->arena, a->dag->variable_count),
                   .other = assemble_discrete_none(a->dag->arena, a->defined.count)};
    for (uint32_t i = a->defined.count; i-- > 0;) {
        d.other[i] = d.defined[a->defined.items[i].variable];
        d.defined[a->defined.items[i].variable] = i;
    }
    return d;
}

// What an equation that determines nothing would have had to determine.
static void assemble_discrete_refuse(const Directing *d, uint32_t e)
{
    Assembly *a = d->a;
    Dag *dag = a->dag;
    const AssembledEquation *q = equation_of(d, e);
    const Node sides[2] = {q->left, q->right};
    StringBuilder given = builder_create(dag->arena), open = builder_create(dag->arena);
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, sides, 2);
    for (uint32_t i = 0; i < memo->count; i++) {
        const uint32_t v = memo->list[i];
        if (!assemble_discrete_is_discrete(dag, v))
            continue;
        const bool is_taken =
            assemble_discrete_is_given(d, v, q->guard) || match_has_rival(d->match, e, v);
        StringBuilder *names = is_taken ? &given : &open;
        builder_append_format(names, "%s%s", builder_string(names).length ? ", " : "",
                              dag->variables[v].name);
    }
    memo_give(memo);
    if (builder_string(&open).length)
        diagnostics_error(a->diagnostics, q->span,
                          "this discrete equation cannot be solved exactly for %s; write it as "
                          "variable = expression",
                          builder_string(&open).text);
    else if (builder_string(&given).length)
        diagnostics_error(a->diagnostics, q->span,
                          "this discrete equation is one too many: other equations determine %s",
                          builder_string(&given).text);
    else
        diagnostics_error(a->diagnostics, q->span, "this equation contains no unknown variable");
}

static void assemble_discrete_define(const Directing *d)
{
    Assembly *a = d->a;
    uint32_t count = 0;
    ClockedEquation *clocked = ARENA_ARRAY(a->dag->arena, a->undirected.count, ClockedEquation);
    for (uint32_t e = 0; e < a->undirected.count; e++) {
        const AssembledEquation *q = equation_of(d, e);
        a->here.guard = q->guard;
        a->here.component = q->component;
        a->here.open = q->open;
        const MatchCandidate *taken = match_taken(d->match, e);
        if (taken && q->tick != NODE_NONE)
            clocked[count++] = (ClockedEquation){q, taken->variable, taken->value};
        else if (taken)
            assemble_define(a, taken->variable, taken->value);
        else if (dag_get(a->dag, q->left)->type == DAG_REAL && q->tick == NODE_NONE)
            assemble_equation(a, q->left, q->right, q->span);
        else if (!is_optional(d, e))
            assemble_discrete_refuse(d, e);
    }
    assemble_clocked(a, clocked, count);
    a->here.guard = NULL;
    a->here.component = NULL;
    a->here.open = NULL;
}

bool assemble_is_undirected(Assembly *a, Node left, Node right)
{
    Dag *dag = a->dag;
    if (a->here.tick != NODE_NONE || dag_get(dag, left)->type != DAG_REAL ||
        variable_of(dag, left) != DAG_NONE || variable_of(dag, right) != DAG_NONE)
        return true;
    const uint8_t l = dag_get(dag, left)->variability, r = dag_get(dag, right)->variability;
    return (l > r ? l : r) == DAG_DISCRETE;
}

// Whether all that occurs in clocked equations is determined, now that some steps are left out.
static bool check_reduced(const Directing *d)
{
    const Assembly *a = d->a;
    Dag *dag = a->dag;
    bool *is_taken = ARENA_ARRAY(dag->arena, dag->variable_count, bool);
    for (uint32_t e = 0; e < a->undirected.count; e++)
        if (match_taken(d->match, e))
            is_taken[match_taken(d->match, e)->variable] = true;
    for (uint32_t e = 0; e < a->undirected.count; e++) {
        const AssembledEquation q = *equation_of(d, e);
        DagMemo *memo = memo_take(dag);
        if (q.tick != NODE_NONE && !is_optional(d, e))
            walk_variables(memo, WALK_ALL, (Node[]){q.left, q.right}, 2);
        for (uint32_t i = 0; i < memo->count; i++) {
            const uint32_t v = memo->list[i];
            if (!assemble_discrete_is_discrete(dag, v) || is_taken[v] ||
                assemble_discrete_is_given(d, v, q.guard))
                continue;
            diagnostics_error(a->diagnostics, q.span,
                              "the clocked differential equations do not determine %s, not even "
                              "with their derivatives",
                              dag->variables[v].name);
            memo_give(memo);
            return false;
        }
        memo_give(memo);
    }
    return true;
}

// Directs what is not continuous; true: all of it.
static bool direct(Directing *d)
{
    Assembly *a = d->a;
    for (uint32_t e = 0; e < a->undirected.count; e++)
        offer_sides(d, e);
    if (assemble_discrete_place_all(d, false))
        return true;
    for (uint32_t e = 0; e < a->undirected.count; e++) {
        const AssembledEquation q = *equation_of(d, e);
        if (assemble_discrete_is_continuous(a->dag, &q))
            continue;
        offer_solved(d, e, q.left, q.right);
        offer_solved(d, e, q.right, q.left);
    }
    return assemble_discrete_place_all(d, false) || place_clocked(d);
}

void assemble_discrete(Assembly *a)
{
    bool has_steps = false;
    for (uint32_t e = 0; e < a->undirected.count; e++)
        has_steps = has_steps || a->undirected.items[e].slope != DAG_NONE;
    const size_t errors = a->diagnostics->error_count;
    Directing d = assemble_discrete_begin(a);
    if (!direct(&d) && has_steps && assemble_reduce_index(a)) {
        d = assemble_discrete_begin(a);
        d.is_reduced = true;
        direct(&d);
        for (uint32_t e = 0; e < a->undirected.count; e++) {
            offer_clocked(&d, e, true);
            offer_clocked(&d, e, false);
        }
        place_steps(&d);
        check_reduced(&d);
    }
    assemble_discrete_place_all(&d, true);
    if (a->diagnostics->error_count == errors)
        assemble_discrete_define(&d);
}
