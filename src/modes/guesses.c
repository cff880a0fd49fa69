// SPDX-License-Identifier: MIT

#include "modes/guesses.h"

#include "equations/walk.h"

// Definitions are followed as deep as this.
enum { DEEPEST = 64 };

typedef struct GuessesFinder {
    const Gathered *g;
    Assembly *a;
    Dag *dag;
    DagMemo *found;    // variable -> its guess
    DagMemo *seen;     // variables that were looked at, or are being looked at
    Node *definitions; // by variable: what it is, or NODE_NONE
    uint32_t room;     // of these
} GuessesFinder;

// Sides of equations that are a variable alone.
static void find_definitions(GuessesFinder *f, const System *system)
{
    f->room = f->dag->variable_count;
    f->definitions = ARENA_ARRAY(f->dag->arena, f->room, Node);
    for (uint32_t v = 0; v < f->room; v++)
        f->definitions[v] = NODE_NONE;
    for (uint32_t i = 0; i < system->equation_count; i++) {
        const Node sides[] = {system->equations[i].left, system->equations[i].right};
        for (int k = 0; k < 2; k++) {
            const DagNode *n = dag_get(f->dag, sides[k]);
            if (n->kind == DAG_VARIABLE && n->number < f->room &&
                f->definitions[n->number] == NODE_NONE)
                f->definitions[n->number] = sides[1 - k];
        }
    }
}

// The start value, if one is given.
static Node given(const GuessesFinder *f, uint32_t v)
{
    const DagVariable *variable = &f->dag->variables[v];
    if (variable->role != DAG_PLAIN || variable->origin == DAG_NONE ||
        !f->a->flat->variables[variable->origin]->attributes->start)
        return NODE_NONE;
    return gather_node(f->g, analyse_start_value(f->a, v));
}

static bool modes_guesses_find(GuessesFinder *f, uint32_t v, int depth);

// A formula of what has guesses.
static Node by_definition(GuessesFinder *f, Node value, int depth)
{
    DagMemo *variables = memo_take(f->dag);
    bool is_known = depth < DEEPEST;
    walk_variables(variables, WALK_ALL, &value, 1);
    for (uint32_t i = 0; i < variables->count && is_known; i++)
        is_known = modes_guesses_find(f, variables->list[i], depth + 1);
    memo_give(variables);
    return is_known ? walk_substitute(f->dag, value, f->found) : NODE_NONE;
}

// Whether a variable is known, or has a guess.
static bool modes_guesses_find(GuessesFinder *f, uint32_t v, int depth)
{
    if (f->dag->variables[v].variability < DAG_CONTINUOUS || v == DAG_TIME_VARIABLE)
        return true;
    if (memo_has(f->seen, v))
        return memo_has(f->found, v);
    memo_set(f->seen, v, 0);
    Node guess = given(f, v);
    if (guess == NODE_NONE && v < f->room && f->definitions[v] != NODE_NONE)
        guess = by_definition(f, f->definitions[v], depth);
    if (guess != NODE_NONE)
        memo_set(f->found, v, guess);
    return guess != NODE_NONE;
}

void guesses_find(const Gathered *g, const Analysis *n, const GraphVariable *variables,
                  uint32_t count, Node *guesses)
{
    Assembly *a = g->assembly;
    GuessesFinder f = {
        .g = g, .a = a, .dag = a->dag, .found = memo_take(a->dag), .seen = memo_take(a->dag)};
    find_definitions(&f, &n->system);
    for (uint32_t i = 0; i < count; i++)
        guesses[i] = modes_guesses_find(&f, variables[i], 0) && memo_has(f.found, variables[i])
                         ? memo_get(f.found, variables[i])
                         : gather_node(g, analyse_start_value(a, variables[i]));
    memo_give(f.found);
    memo_give(f.seen);
}
