// SPDX-License-Identifier: MIT

#include "modes/deciding.h"

#include "equations/walk.h"
#include "modes/sliding.h"
#include "modes/split.h"

typedef struct Deciding {
    Assembly *a;
    DagMemo *nodes;         // that the conditions of an if-equation depend on
    uint32_t *first, *next; // by variable of the graph, by definition: its definitions
    uint32_t *hold_of;      // by variable of the graph
    uint32_t *switching;    // see assemble.h
} Deciding;

// The variable that a relation compares with a number; else as in deciding.h.
static uint32_t deciding_compared(Dag *dag, Node operand)
{
    Node function, negative;
    DagMemo *memo = memo_take(dag);
    uint32_t result = DECIDING_NOTHING;
    walk_variables(memo, WALK_ALL, &operand, 1);
    for (uint32_t i = 0; i < memo->count; i++)
        if (memo->list[i] != DAG_TIME_VARIABLE &&
            dag->variables[memo->list[i]].variability == DAG_CONTINUOUS)
            result = DECIDING_OTHER;
    memo_give(memo);
    const DagNode *relation = dag_get(dag, operand);
    for (uint32_t i = 0; i < 2 && relation->kind == DAG_OPERATION &&
                         relation->op >= OPERATOR_LESS && relation->op <= OPERATOR_GREATER_EQUAL;
         i++) {
        const DagNode *one = dag_get(dag, relation->operands[i]);
        if (one->kind == DAG_VARIABLE && one->variability == DAG_CONTINUOUS &&
            dag_get(dag, relation->operands[1 - i])->variability < DAG_DISCRETE)
            return one->number;
    }
    if (result == DECIDING_NOTHING || sliding_side(dag, operand, &function, &negative) == 0)
        return result;
    const DagNode *f = dag_get(dag, function), *n = dag_get(dag, negative);
    return f->kind == DAG_VARIABLE ? f->number : n->kind == DAG_VARIABLE ? n->number : result;
}

// Both decide.
static uint32_t deciding_both(uint32_t one, uint32_t other)
{
    if (one == DECIDING_NOTHING || one == other)
        return other;
    return other == DECIDING_NOTHING ? one : DECIDING_OTHER;
}

// Follows discrete variables to what defines them.
static uint32_t deciding_find(Deciding *k, const FlatIf *c)
{
    const Assembly *a = k->a;
    uint32_t result = DECIDING_NOTHING;
    memo_clear(k->nodes);
    walk_order(k->nodes, a->switches.conditions[c->index], c->count);
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        const DagNode *n = dag_get(a->dag, k->nodes->list[i]);
        if (n->kind != DAG_VARIABLE)
            continue;
        const uint32_t v = n->number, h = k->hold_of[v];
        if (a->dag->variables[v].variability == DAG_CONTINUOUS && v != DAG_TIME_VARIABLE)
            return DECIDING_OTHER;
        if (h != DAG_NONE)
            result = deciding_both(result, deciding_compared(a->dag, a->held.operands[h]));
        for (uint32_t d = k->first[v]; d != DAG_NONE; d = k->next[d])
            walk_order(k->nodes, &a->defined.items[d].value, 1);
    }
    return result;
}

// Notes what decides about a switch, after deciding_find.
static void deciding_note(Deciding *k, const FlatIf *c)
{
    for (uint32_t i = 0; i < k->nodes->count && split_is_complementary(c); i++) {
        const DagNode *n = dag_get(k->a->dag, k->nodes->list[i]);
        const uint32_t h = n->kind == DAG_VARIABLE ? k->hold_of[n->number] : DAG_NONE;
        if (h != DAG_NONE)
            k->switching[h] = c->index;
    }
}

void deciding_assemble(Assembly *a)
{
    const uint32_t count = a->flat->conditional_count, variables = a->dag->variable_count;
    Arena *arena = a->dag->arena, *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    uint32_t *deciding = ARENA_ARRAY(arena, count + 1u, uint32_t);
    Deciding k = {.a = a,
                  .nodes = memo_take(a->dag),
                  .first = ARENA_ARRAY(scratch, variables, uint32_t),
                  .next = ARENA_ARRAY(scratch, a->defined.count + 1u, uint32_t),
                  .hold_of = ARENA_ARRAY(scratch, variables, uint32_t),
                  .switching = ARENA_ARRAY(arena, a->dag->hold_count + 1u, uint32_t)};
    for (uint32_t v = 0; v < variables; v++)
        k.first[v] = k.hold_of[v] = DAG_NONE;
    for (uint32_t d = 0; d < a->defined.count; d++) {
        k.next[d] = k.first[a->defined.items[d].variable];
        k.first[a->defined.items[d].variable] = d;
    }
    for (uint32_t h = 0; h < a->dag->hold_count; h++) {
        k.hold_of[a->held.variables[h]] = h;
        k.switching[h] = DAG_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        deciding[i] = deciding_find(&k, a->flat->conditionals[i]);
        deciding_note(&k, a->flat->conditionals[i]);
    }
    memo_give(k.nodes);
    arena_release(scratch, mark);
    a->deciding.of_conditional = deciding;
    a->deciding.of_hold = k.switching;
    a->deciding.hold_count = a->dag->hold_count;
}
