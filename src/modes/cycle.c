// SPDX-License-Identifier: MIT

#include "modes/cycle.h"

#include "equations/walk.h"

// Depth first search over nodes and, below variables, their definitions, with a stack of its own:
// chains may be long. A node that many definitions share is visited once.
typedef struct Cycle {
    const Gathered *g;
    DagMemo *number_of; // variable -> its definition
    DagMemo *next;      // node -> its next operand; CYCLE_DONE
    DagMemo *stack;     // its list
} Cycle;

#define CYCLE_DONE UINT32_MAX

// NODE_NONE: there are no more.
static Node cycle_follower(const Cycle *c, Node node, uint32_t k)
{
    const Dag *dag = c->g->assembly->dag;
    const DagNode *n = dag_get(dag, node);
    if (n->kind == DAG_VARIABLE)
        return k == 0 && memo_has(c->number_of, n->number)
                   ? c->g->discrete[memo_get(c->number_of, n->number)].value
                   : NODE_NONE;
    return k < dag_operand_count(dag, node) ? dag_operand(dag, node, k) : NODE_NONE;
}

static bool cycle_report(const Cycle *c, Node first)
{
    const Gathered *g = c->g;
    const Assembly *a = g->assembly;
    StringBuilder names = builder_create(a->dag->arena);
    uint32_t from = c->stack->count;
    while (c->stack->list[from - 1] != first)
        from--;
    Span span = {0, 0};
    for (uint32_t i = from - 1; i < c->stack->count; i++) {
        const DagNode *n = dag_get(a->dag, c->stack->list[i]);
        if (n->kind != DAG_VARIABLE)
            continue;
        const DagVariable *v = &a->dag->variables[n->number];
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

static bool cycle_search(Cycle *c, Node from)
{
    c->stack->count = 0;
    memo_push(c->stack, from);
    memo_set(c->next, from, 0);
    while (c->stack->count) {
        const Node node = c->stack->list[c->stack->count - 1];
        const uint32_t k = memo_get(c->next, node);
        const Node follower = cycle_follower(c, node, k);
        if (follower == NODE_NONE) {
            memo_set(c->next, node, CYCLE_DONE);
            c->stack->count--;
            continue;
        }
        memo_set(c->next, node, k + 1);
        if (!memo_has(c->next, follower)) {
            memo_push(c->stack, follower);
            memo_set(c->next, follower, 0);
        } else if (memo_get(c->next, follower) != CYCLE_DONE) {
            return cycle_report(c, follower);
        }
    }
    return true;
}

bool cycle_check(Gathered *g)
{
    Dag *dag = g->assembly->dag;
    Cycle c = {
        .g = g, .number_of = memo_take(dag), .next = memo_take(dag), .stack = memo_take(dag)};
    for (uint32_t i = 0; i < g->discrete_count; i++)
        memo_set(c.number_of, g->discrete[i].variable, i);
    bool is_fine = true;
    for (uint32_t i = 0; i < g->discrete_count && is_fine; i++) {
        const Node from = dag_reference(dag, g->discrete[i].variable);
        is_fine = memo_has(c.next, from) || cycle_search(&c, from);
    }
    memo_give(c.number_of);
    memo_give(c.next);
    memo_give(c.stack);
    return is_fine;
}
