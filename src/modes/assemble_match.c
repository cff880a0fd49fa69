// SPDX-License-Identifier: MIT

#include "modes/assemble_match.h"

#include "flatten/collections.h"
#include "modes/assemble_when.h"
#include "structure/graph.h"

#include <math.h>

// A path that moves more equations than this is not looked for: it is one of a recursion.
enum { LONGEST_PATH = 10000 };

struct Match {
    Arena *arena;
    const AssembledEquations *equations;
    List *of;        // by equation: MatchCandidate
    uint32_t *taken; // by equation: which candidate it is solved for; GRAPH_NONE: none yet
    uint32_t *next;  // by equation: another one of the same variable
    uint32_t *first; // by variable: the first equation that is solved for it, or GRAPH_NONE
    uint32_t *round; // by equation: the last search that has come by
    uint32_t rounds;
};

static uint32_t *assemble_match_none(Arena *arena, uint32_t count)
{
    uint32_t *list = ARENA_ARRAY(arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++)
        list[i] = GRAPH_NONE;
    return list;
}

Match *match_begin(Assembly *a, const AssembledEquations *equations)
{
    Arena *arena = a->dag->arena;
    Match *m = ARENA_NEW(arena, Match);
    *m = (Match){.arena = arena,
                 .equations = equations,
                 .of = ARENA_ARRAY(arena, equations->count, List),
                 .taken = assemble_match_none(arena, equations->count),
                 .next = assemble_match_none(arena, equations->count),
                 .first = assemble_match_none(arena, equations->count ? a->dag->variable_count : 0),
                 .round = ARENA_ARRAY(arena, equations->count, uint32_t)};
    return m;
}

static const MatchCandidate *candidate_of(const Match *m, uint32_t e, uint32_t i)
{
    return m->of[e].items[i];
}

void match_offer(Match *m, uint32_t e, const MatchCandidate *candidate)
{
    for (uint32_t i = 0; i < m->of[e].count; i++)
        if (candidate_of(m, e, i)->variable == candidate->variable)
            return;
    MatchCandidate *offered = ARENA_NEW(m->arena, MatchCandidate);
    *offered = *candidate;
    list_append(m->arena, &m->of[e], offered);
}

const MatchCandidate *match_taken(const Match *m, uint32_t e)
{
    return m->taken[e] == GRAPH_NONE ? NULL : candidate_of(m, e, m->taken[e]);
}

uint32_t match_count(const Match *m, uint32_t e)
{
    return m->of[e].count;
}

// ---------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------

// The quotient of two Integers that are numbers, if it is whole.
static Node whole_quotient(Dag *dag, Node value, Node by)
{
    if (!dag_is_number(dag, value) || !dag_is_number(dag, by) || dag_is_zero(dag, by))
        return NODE_NONE;
    const double quotient = dag_get(dag, value)->value / dag_get(dag, by)->value;
    return quotient == trunc(quotient) ? dag_integer(dag, (int64_t)quotient) : NODE_NONE;
}

Node match_inverse(Dag *dag, Node side, uint32_t i, Node value)
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
        return is_scale                ? dag_divide(dag, value, other)
               : n.type == DAG_INTEGER ? whole_quotient(dag, value, other)
                                       : NODE_NONE;
    case OPERATOR_DIVIDE:
        return is_scale && i == 0 ? dag_multiply(dag, value, other) : NODE_NONE;
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL:
        return is_boolean ? dag_binary(dag, (Operator)n.op, value, other) : NODE_NONE;
    default:
        return NODE_NONE;
    }
}

// ---------------------------------------------------------------------------
// Augmenting paths
// ---------------------------------------------------------------------------

static bool conflict(const Match *m, uint32_t e, uint32_t q)
{
    return e != q && !assemble_exclude(m->equations->items[e].guard, m->equations->items[q].guard);
}

static void assemble_match_take(Match *m, uint32_t e, uint32_t candidate)
{
    uint32_t *first = &m->first[candidate_of(m, e, candidate)->variable];
    m->taken[e] = candidate;
    m->next[e] = *first;
    *first = e;
}

static void assemble_match_leave(Match *m, uint32_t e)
{
    uint32_t *at = &m->first[candidate_of(m, e, m->taken[e])->variable];
    while (*at != e)
        at = &m->next[*at];
    *at = m->next[e];
    m->taken[e] = GRAPH_NONE;
}

// An equation that is solved for the variable already, and is there together with e; or GRAPH_NONE.
static uint32_t rival(const Match *m, uint32_t e, GraphVariable variable)
{
    for (uint32_t q = m->first[variable]; q != GRAPH_NONE; q = m->next[q])
        if (conflict(m, e, q))
            return q;
    return GRAPH_NONE;
}

static bool assemble_match_place(Match *m, uint32_t e, uint32_t depth);

// Solves e for this candidate; its rivals are solved for something else. e is there before they
// leave, so that nothing comes in between.
static bool displace(Match *m, uint32_t e, uint32_t candidate, uint32_t depth)
{
    const GraphVariable variable = candidate_of(m, e, candidate)->variable;
    const uint32_t old = m->taken[e];
    if (old != GRAPH_NONE)
        assemble_match_leave(m, e);
    assemble_match_take(m, e, candidate);
    for (uint32_t q; (q = rival(m, e, variable)) != GRAPH_NONE;)
        if (!assemble_match_place(m, q, depth + 1)) {
            assemble_match_leave(m, e);
            if (old != GRAPH_NONE)
                assemble_match_take(m, e, old);
            return false;
        }
    return true;
}

// Solves e for a variable, another one if it has one already. False: nothing has changed.
static bool assemble_match_place(Match *m, uint32_t e, uint32_t depth)
{
    if (m->round[e] == m->rounds || depth > LONGEST_PATH)
        return false;
    m->round[e] = m->rounds;
    const uint32_t old = m->taken[e];
    for (uint32_t i = 0; i < m->of[e].count; i++)
        if (i != old && rival(m, e, candidate_of(m, e, i)->variable) == GRAPH_NONE)
            return displace(m, e, i, depth);
    for (uint32_t i = 0; i < m->of[e].count; i++)
        if (i != old && displace(m, e, i, depth))
            return true;
    return false;
}

bool match_place(Match *m, uint32_t e)
{
    m->rounds++;
    return assemble_match_place(m, e, 0);
}

bool match_has_rival(const Match *m, uint32_t e, GraphVariable variable)
{
    return rival(m, e, variable) != GRAPH_NONE;
}
