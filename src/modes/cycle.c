// SPDX-License-Identifier: MIT

#include "modes/cycle.h"

#include "equations/walk.h"

// Depth first search over the definitions, with a stack of its own: chains may be long.
typedef struct Cycle {
    const Gathered *g;
    DagMemo *number_of;   // variable -> its definition
    uint8_t *marks;       // 1: on the stack, 2: done
    uint32_t *stack;      // definitions
    uint32_t **followers; // of each on the stack: the definitions it needs
    uint32_t *left;       // of those: how many are still to be visited
    uint32_t depth;
} Cycle;

static void cycle_push(Cycle *c, uint32_t definition)
{
    const Gathered *g = c->g;
    Dag *dag = g->assembly->dag;
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, &g->discrete[definition].value, 1);
    uint32_t *needed = ARENA_ARRAY(dag->arena, memo->count, uint32_t), count = 0;
    for (uint32_t i = 0; i < memo->count; i++)
        if (memo_has(c->number_of, memo->list[i]))
            needed[count++] = memo_get(c->number_of, memo->list[i]);
    memo_give(memo);
    c->marks[definition] = 1;
    c->stack[c->depth] = definition;
    c->followers[c->depth] = needed;
    c->left[c->depth++] = count;
}

static bool cycle_report(const Cycle *c, uint32_t first)
{
    const Gathered *g = c->g;
    const Assembly *a = g->assembly;
    StringBuilder names = builder_create(a->dag->arena);
    uint32_t from = c->depth;
    while (c->stack[from - 1] != first)
        from--;
    Span span = {0, 0};
    for (uint32_t i = from - 1; i < c->depth; i++) {
        const DagVariable *v = &a->dag->variables[g->discrete[c->stack[i]].variable];
        if (v->origin != DAG_NONE && !span_is_known(span))
            span = a->flat->variables[v->origin]->reference.span;
        if (v->role == DAG_PLAIN)
            builder_append_format(&names, "%s%s", builder_string(&names).length ? ", " : "",
                                  v->name);
    }
    diagnostics_error(g->diagnostics, span,
                      "discrete variables depend on each other in a circle (%s): write pre(...) "
                      "around one of them where another depends on it",
                      builder_string(&names).text);
    return false;
}

static bool cycle_search(Cycle *c, uint32_t from)
{
    cycle_push(c, from);
    while (c->depth) {
        const uint32_t top = c->depth - 1;
        if (c->left[top] == 0) {
            c->marks[c->stack[top]] = 2;
            c->depth--;
            continue;
        }
        const uint32_t next = c->followers[top][--c->left[top]];
        if (c->marks[next] == 1)
            return cycle_report(c, next);
        if (c->marks[next] == 0)
            cycle_push(c, next);
    }
    return true;
}

bool cycle_check(Gathered *g)
{
    Dag *dag = g->assembly->dag;
    const uint32_t count = g->discrete_count;
    Cycle c = {.g = g,
               .number_of = memo_take(dag),
               .marks = ARENA_ARRAY(dag->arena, count, uint8_t),
               .stack = ARENA_ARRAY(dag->arena, count, uint32_t),
               .followers = ARENA_ARRAY(dag->arena, count, uint32_t *),
               .left = ARENA_ARRAY(dag->arena, count, uint32_t)};
    for (uint32_t i = 0; i < count; i++)
        memo_set(c.number_of, g->discrete[i].variable, i);
    bool is_fine = true;
    for (uint32_t i = 0; i < count && is_fine; i++)
        is_fine = c.marks[i] || cycle_search(&c, i);
    memo_give(c.number_of);
    return is_fine;
}
