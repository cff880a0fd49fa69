// SPDX-License-Identifier: MIT

#include "modes/observers.h"

#include "equations/linear.h"
#include "equations/walk.h"

typedef struct ObserversFinder {
    const Assembly *a;
    Dag *dag;
    const Node *constants;
    bool *is_needed;   // by variable: something else than plain equations reads it
    DagMemo *seen[2];  // nodes that were looked at, of an equation or not
    uint32_t *readers; // by variable: how many equations do
    uint32_t *start;   // by equation, and one more
    uint32_t *reads;   // its continuous variables
    bool *is_taken;    // by equation
    Observer *found;   // each is read by those before it only
    uint32_t found_count;
} ObserversFinder;

// ---------------------------------------------------------------------------
// Who reads what
// ---------------------------------------------------------------------------

static bool observers_is_plain(const ObserversFinder *f, uint32_t v)
{
    const DagVariable *variable = &f->dag->variables[v];
    return variable->role == DAG_PLAIN && variable->origin != DAG_NONE;
}

// What is read in any other way than by an equation, or as a derivative or left limit.
static void need(ObserversFinder *f, Node node, bool is_equation)
{
    DagMemo *seen = f->seen[is_equation];
    const uint32_t first = seen->count;
    walk_order(seen, &node, 1);
    for (uint32_t i = first; i < seen->count; i++) {
        const DagNode *n = dag_get(f->dag, seen->list[i]);
        if (n->kind == DAG_VARIABLE && !(is_equation && observers_is_plain(f, n->number)))
            f->is_needed[dag_plain_variable(f->dag, n->number)] = true;
    }
}

static void need_actions(ObserversFinder *f, const AssembledAction *actions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        need(f, actions[i].condition, false);
        if (actions[i].kind != ACTION_REINIT)
            continue;
        need(f, actions[i].value, false);
        f->is_needed[dag_plain_variable(f->dag, actions[i].variable)] = true;
    }
}

static void observers_find_needed(ObserversFinder *f)
{
    const Assembly *a = f->a;
    const FlatModel *flat = a->flat;
    for (uint32_t i = 0; i < a->equations.count; i++) {
        need(f, a->equations.items[i].left, true);
        need(f, a->equations.items[i].right, true);
    }
    for (uint32_t i = 0; i < a->defined.count; i++)
        need(f, a->defined.items[i].value, false);
    need_actions(f, a->actions.items, a->actions.count);
    need_actions(f, a->assertions.items, a->assertions.count);
    for (uint32_t h = 0; h < f->dag->hold_count; h++)
        need(f, a->held.operands[h], false);
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t t = 0; t < flat->machines[i]->transition_count; t++)
            need(f, a->switches.transitions[i][t], false);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        if (a->switches.branches[i] != NODE_NONE)
            need(f, a->switches.branches[i], false);
    for (uint32_t v = 0; v < f->dag->variable_count; v++)
        if (observers_is_plain(f, v))
            f->is_needed[v] |= flat->variables[f->dag->variables[v].origin]->guard ||
                               flat->variables[f->dag->variables[v].origin]->is_shared;
}

// The continuous variables of each equation that are not constant.
static void list_reads(ObserversFinder *f)
{
    const AssembledEquations *list = &f->a->equations;
    Arena *arena = f->dag->arena;
    uint32_t room = 0, count = 0;
    f->start = ARENA_ARRAY(arena, list->count + 1u, uint32_t);
    for (uint32_t i = 0; i < list->count; i++) {
        DagMemo *memo = memo_take(f->dag);
        walk_variables(memo, WALK_ALL, (Node[]){list->items[i].left, list->items[i].right}, 2);
        for (uint32_t k = 0; k < memo->count; k++) {
            const uint32_t v = memo->list[k];
            if (f->dag->variables[v].variability != DAG_CONTINUOUS || v == DAG_TIME_VARIABLE ||
                f->constants[v] != NODE_NONE)
                continue;
            ARENA_PUSH(arena, f->reads, count, room, v);
            f->readers[v]++;
        }
        memo_give(memo);
        f->start[i + 1] = count;
    }
}

// ---------------------------------------------------------------------------
// Peeling
// ---------------------------------------------------------------------------

// The variable that an equation determines and nothing else reads; DAG_NONE: there is none.
static uint32_t find_target(const ObserversFinder *f, uint32_t equation)
{
    uint32_t target = DAG_NONE;
    for (uint32_t k = f->start[equation]; k < f->start[equation + 1]; k++) {
        const uint32_t v = f->reads[k];
        if (!observers_is_plain(f, v))
            return DAG_NONE;
        if (f->readers[v] == 1 && !f->is_needed[v])
            target = v;
    }
    return target;
}

static bool peel(ObserversFinder *f, uint32_t equation)
{
    const AssembledEquation *e = &f->a->equations.items[equation];
    if (f->is_taken[equation] || e->guard)
        return false;
    const uint32_t target = find_target(f, equation);
    Node divisor = NODE_NONE;
    const Node value =
        target == DAG_NONE ? NODE_NONE : linear_solve(f->dag, e->left, e->right, target, &divisor);
    if (value == NODE_NONE || divisor != NODE_NONE)
        return false;
    f->is_taken[equation] = true;
    f->found[f->found_count++] = (Observer){equation, target, value};
    for (uint32_t k = f->start[equation]; k < f->start[equation + 1]; k++)
        f->readers[f->reads[k]]--;
    return true;
}

Observer *observers_find(const Assembly *a, const Node *constants, uint32_t *found_count)
{
    Arena *arena = a->dag->arena;
    const uint32_t count = a->equations.count, variables = a->dag->variable_count;
    ObserversFinder f = {.a = a,
                         .dag = a->dag,
                         .constants = constants,
                         .is_needed = ARENA_ARRAY(arena, variables, bool),
                         .seen = {memo_take(a->dag), memo_take(a->dag)},
                         .readers = ARENA_ARRAY(arena, variables, uint32_t),
                         .is_taken = ARENA_ARRAY(arena, count, bool),
                         .found = ARENA_ARRAY(arena, count, Observer)};
    observers_find_needed(&f);
    memo_give(f.seen[0]);
    memo_give(f.seen[1]);
    list_reads(&f);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t i = count; i-- > 0;) // what observes is mostly written last
            has_grown = peel(&f, i) || has_grown;
    }
    *found_count = f.found_count;
    return f.found;
}
