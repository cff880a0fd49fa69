// SPDX-License-Identifier: MIT
//
// Which discrete variable each discrete equation determines. Equations have no direction, and a
// connection of Boolean signals can be read both ways: a matching of the equations with the
// variables decides (H. W. Kuhn: The Hungarian method for the assignment problem, Naval Research
// Logistics 2, 1955: augmenting paths). Then the equation is solved for its variable, where that is
// exact: v itself, not v, -v, sums of Integers and Reals, a multiple of a Real, v == b and v <> b
// of Booleans. Whether the definitions can be sorted is looked at later, for each mode: cycle.h.
//
// Two equations that are never there together, in branches of one if-equation or states of one
// machine, may determine the same variable. So an equation may have to move several others away,
// and what is found is a matching in each mode.

#include "modes/assemble_when.h"

#include "equations/print.h"
#include "equations/walk.h"
#include "structure/graph.h"

// A path that moves more equations than this is not looked for: it is one of a recursion.
enum { LONGEST_PATH = 10000 };

typedef struct Candidate {
    uint32_t variable;
    Node value;
} Candidate;

typedef struct Candidates {
    Candidate *items;
    uint32_t count, room;
} Candidates;

typedef struct Match {
    Assembly *a;
    Candidates *of;    // by equation
    uint32_t *taken;   // by equation: which candidate it is solved for; GRAPH_NONE: none yet
    uint32_t *next;    // by equation: another one of the same variable
    uint32_t *first;   // by variable: the first equation that is solved for it, or GRAPH_NONE
    uint32_t *defined; // by variable: its first definition by a when clause or an algorithm
    uint32_t *other;   // by definition: the next one of the same variable
    uint32_t *round;   // by equation: the last search that has come by
    uint32_t rounds;
} Match;

static const AssembledEquation *equation_of(const Match *m, uint32_t e)
{
    return &m->a->undirected.items[e];
}

// ---------------------------------------------------------------------------
// Candidates
// ---------------------------------------------------------------------------

static bool is_discrete(const Dag *dag, uint32_t variable)
{
    return dag->variables[variable].role == DAG_PLAIN &&
           dag->variables[variable].variability == DAG_DISCRETE;
}

// Whether a when clause or an algorithm may determine the variable while the equation is there.
static bool is_given(const Match *m, uint32_t variable, const FlatGuard *guard)
{
    for (uint32_t i = m->defined[variable]; i != GRAPH_NONE; i = m->other[i])
        if (!assemble_exclude(m->a->discrete[i].guard, guard))
            return true;
    return false;
}

static void add_candidate(Match *m, uint32_t e, uint32_t variable, Node value)
{
    Candidates *c = &m->of[e];
    for (uint32_t i = 0; i < c->count; i++)
        if (c->items[i].variable == variable)
            return;
    if (is_given(m, variable, equation_of(m, e)->guard))
        return;
    if (c->count == c->room) {
        const uint32_t room = c->room ? 2 * c->room : 2;
        c->items = arena_grow(m->a->dag->arena, c->items, c->room * sizeof *c->items,
                              room * sizeof *c->items);
        c->room = room;
    }
    c->items[c->count++] = (Candidate){variable, value};
}

// The variable that a side of an equation is; DAG_NONE: it is none that equations determine.
static uint32_t variable_of(const Dag *dag, Node side)
{
    const DagNode *n = dag_get(dag, side);
    return n->kind == DAG_VARIABLE && is_discrete(dag, n->number) ? n->number : DAG_NONE;
}

// The side itself, with the other one as its value.
static void add_direct(Match *m, uint32_t e)
{
    const Dag *dag = m->a->dag;
    const AssembledEquation *q = equation_of(m, e);
    const uint32_t left = variable_of(dag, q->left), right = variable_of(dag, q->right);
    if (left != DAG_NONE)
        add_candidate(m, e, left, q->right);
    if (right != DAG_NONE)
        add_candidate(m, e, right, q->left);
}

// What operand i of `side` must be for the side to be `value`; NODE_NONE: that is not exact.
static Node inverse(Dag *dag, Node side, uint32_t i, Node value)
{
    const DagNode n = *dag_get(dag, side);
    const Node other = n.count == 2 ? n.operands[1 - i] : NODE_NONE;
    const bool is_boolean =
        n.kind == DAG_OPERATION && n.count == 2 && dag_get(dag, n.operands[0])->type == DAG_BOOLEAN;
    const bool is_scale = other != NODE_NONE && dag_is_number(dag, other) &&
                          !dag_is_zero(dag, other) && dag_get(dag, n.operands[i])->type == DAG_REAL;
    if (n.kind != DAG_OPERATION)
        return NODE_NONE;
    switch (n.op) {
    case OPERATOR_NOT:
        return dag_unary(dag, OPERATOR_NOT, value);
    case OPERATOR_NEGATE:
        return dag_negate(dag, value);
    case OPERATOR_ADD:
        return dag_subtract(dag, value, other);
    case OPERATOR_SUBTRACT:
        return i == 0 ? dag_add(dag, value, other) : dag_subtract(dag, other, value);
    case OPERATOR_MULTIPLY:
        return is_scale ? dag_divide(dag, value, other) : NODE_NONE;
    case OPERATOR_DIVIDE:
        return is_scale && i == 0 ? dag_multiply(dag, value, other) : NODE_NONE;
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL:
        return is_boolean ? dag_binary(dag, (Operator)n.op, value, other) : NODE_NONE;
    default:
        return NODE_NONE;
    }
}

// All that the equation side = value can be solved for.
static void add_solved(Match *m, uint32_t e, Node side, Node value)
{
    Dag *dag = m->a->dag;
    const uint32_t variable = variable_of(dag, side);
    if (variable != DAG_NONE) {
        if (!walk_depends_on(dag, value, variable))
            add_candidate(m, e, variable, value);
        return;
    }
    const uint32_t count = dag_operand_count(dag, side);
    for (uint32_t i = 0; i < count && dag_get(dag, side)->kind == DAG_OPERATION; i++) {
        const Node inner = inverse(dag, side, i, value);
        if (inner != NODE_NONE)
            add_solved(m, e, dag_operand(dag, side, i), inner);
    }
}

// An equation between Reals that may be one of the continuous ones.
static bool is_continuous(Dag *dag, const AssembledEquation *q)
{
    return dag_get(dag, q->left)->variability == DAG_CONTINUOUS ||
           dag_get(dag, q->right)->variability == DAG_CONTINUOUS;
}

// ---------------------------------------------------------------------------
// Augmenting paths
// ---------------------------------------------------------------------------

static bool conflict(const Match *m, uint32_t e, uint32_t q)
{
    return e != q && !assemble_exclude(equation_of(m, e)->guard, equation_of(m, q)->guard);
}

static void take(Match *m, uint32_t e, uint32_t candidate)
{
    uint32_t *first = &m->first[m->of[e].items[candidate].variable];
    m->taken[e] = candidate;
    m->next[e] = *first;
    *first = e;
}

static void leave(Match *m, uint32_t e)
{
    uint32_t *at = &m->first[m->of[e].items[m->taken[e]].variable];
    while (*at != e)
        at = &m->next[*at];
    *at = m->next[e];
    m->taken[e] = GRAPH_NONE;
}

// An equation that is solved for the variable already, and is there together with e; or GRAPH_NONE.
static uint32_t rival(const Match *m, uint32_t e, uint32_t variable)
{
    for (uint32_t q = m->first[variable]; q != GRAPH_NONE; q = m->next[q])
        if (conflict(m, e, q))
            return q;
    return GRAPH_NONE;
}

static bool place(Match *m, uint32_t e, uint32_t depth);

// Solves e for this candidate; its rivals are solved for something else. e is there before they
// leave, so that nothing comes in between.
static bool displace(Match *m, uint32_t e, uint32_t candidate, uint32_t depth)
{
    const uint32_t variable = m->of[e].items[candidate].variable, old = m->taken[e];
    if (old != GRAPH_NONE)
        leave(m, e);
    take(m, e, candidate);
    for (uint32_t q; (q = rival(m, e, variable)) != GRAPH_NONE;)
        if (!place(m, q, depth + 1)) {
            leave(m, e);
            if (old != GRAPH_NONE)
                take(m, e, old);
            return false;
        }
    return true;
}

// Solves e for a variable, another one if it has one already. False: nothing has changed.
static bool place(Match *m, uint32_t e, uint32_t depth)
{
    if (m->round[e] == m->rounds || depth > LONGEST_PATH)
        return false;
    m->round[e] = m->rounds;
    const uint32_t old = m->taken[e];
    for (uint32_t i = 0; i < m->of[e].count; i++)
        if (i != old && rival(m, e, m->of[e].items[i].variable) == GRAPH_NONE)
            return displace(m, e, i, depth);
    for (uint32_t i = 0; i < m->of[e].count; i++)
        if (i != old && displace(m, e, i, depth))
            return true;
    return false;
}

// The equations that are (not) continuous if they determine nothing discrete. True: all are placed.
static bool place_all(Match *m, bool continuous)
{
    bool is_whole = true;
    for (uint32_t e = 0; e < m->a->undirected.count; e++) {
        m->rounds++;
        if (m->taken[e] == GRAPH_NONE && is_continuous(m->a->dag, equation_of(m, e)) == continuous)
            is_whole = place(m, e, 0) && is_whole;
    }
    return is_whole;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

static uint32_t *none(Arena *arena, uint32_t count)
{
    uint32_t *list = ARENA_ARRAY(arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++)
        list[i] = GRAPH_NONE;
    return list;
}

static Match begin(Assembly *a)
{
    Arena *arena = a->dag->arena;
    const uint32_t count = a->undirected.count, variables = a->dag->variable_count;
    Match m = {.a = a,
               .of = ARENA_ARRAY(arena, count, Candidates),
               .taken = none(arena, count),
               .next = none(arena, count),
               .first = none(arena, variables),
               .defined = none(arena, variables),
               .other = none(arena, a->discrete_count),
               .round = ARENA_ARRAY(arena, count, uint32_t)};
    for (uint32_t i = a->discrete_count; i-- > 0;) {
        m.other[i] = m.defined[a->discrete[i].variable];
        m.defined[a->discrete[i].variable] = i;
    }
    return m;
}

// What an equation that determines nothing would have had to determine.
static void refuse(const Match *m, uint32_t e)
{
    Assembly *a = m->a;
    Dag *dag = a->dag;
    const AssembledEquation *q = equation_of(m, e);
    const Node sides[2] = {q->left, q->right};
    StringBuilder given = builder_create(dag->arena), open = builder_create(dag->arena);
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, sides, 2);
    for (uint32_t i = 0; i < memo->count; i++) {
        const uint32_t v = memo->list[i];
        if (!is_discrete(dag, v))
            continue;
        const bool is_taken = is_given(m, v, q->guard) || rival(m, e, v) != GRAPH_NONE;
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

static void define(Match *m)
{
    Assembly *a = m->a;
    for (uint32_t e = 0; e < a->undirected.count; e++) {
        const AssembledEquation *q = equation_of(m, e);
        a->guard = q->guard;
        a->component = q->component;
        a->open = q->open;
        if (m->taken[e] != GRAPH_NONE)
            assemble_define(a, m->of[e].items[m->taken[e]].variable,
                            m->of[e].items[m->taken[e]].value);
        else if (dag_get(a->dag, q->left)->type == DAG_REAL)
            assemble_equation(a, q->left, q->right, q->span);
        else
            refuse(m, e);
    }
    a->guard = NULL;
    a->component = NULL;
    a->open = NULL;
}

bool assemble_is_undirected(Assembly *a, Node left, Node right)
{
    Dag *dag = a->dag;
    if (dag_get(dag, left)->type != DAG_REAL || variable_of(dag, left) != DAG_NONE ||
        variable_of(dag, right) != DAG_NONE)
        return true;
    const uint8_t l = dag_get(dag, left)->variability, r = dag_get(dag, right)->variability;
    return (l > r ? l : r) == DAG_DISCRETE;
}

void assemble_discrete(Assembly *a)
{
    Match m = begin(a);
    for (uint32_t e = 0; e < a->undirected.count; e++)
        add_direct(&m, e);
    if (!place_all(&m, false)) {
        for (uint32_t e = 0; e < a->undirected.count; e++) {
            const AssembledEquation q = *equation_of(&m, e);
            if (is_continuous(a->dag, &q))
                continue;
            add_solved(&m, e, q.left, q.right);
            add_solved(&m, e, q.right, q.left);
        }
        place_all(&m, false);
    }
    place_all(&m, true);
    define(&m);
}
