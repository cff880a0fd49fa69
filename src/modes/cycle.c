// SPDX-License-Identifier: MIT

#include "modes/cycle.h"

#include "equations/walk.h"

// Depth first search over nodes and, below variables, their definitions, with a stack of its own:
// chains may be long. A node that many definitions share is visited once.
//
//   definitions   variable -> what it is
//   next          node -> its next operand; CYCLE_DONE
//   stack         its list: the nodes on the way

#define CYCLE_DONE UINT32_MAX

// NODE_NONE: there are no more.
static Node cycle_follower(const DagMemo *definitions, Node node, uint32_t k)
{
    const Dag *dag = definitions->dag;
    const DagNode *n = dag_get(dag, node);
    if (n->kind == DAG_VARIABLE)
        return k == 0 && memo_has(definitions, n->number) ? memo_get(definitions, n->number)
                                                          : NODE_NONE;
    return k < dag_operand_count(dag, node) ? dag_operand(dag, node, k) : NODE_NONE;
}

static bool cycle_report(const Gathered *g, const DagMemo *stack, Node first)
{
    const Assembly *a = g->assembly;
    StringBuilder names = builder_create(a->dag->arena);
    uint32_t from = stack->count;
    while (stack->list[from - 1] != first)
        from--;
    Span span = {0, 0};
    for (uint32_t i = from - 1; i < stack->count; i++) {
        const DagNode *n = dag_get(a->dag, stack->list[i]);
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

static bool cycle_search(const Gathered *g, const DagMemo *definitions, DagMemo *next,
                         DagMemo *stack, Node from)
{
    stack->count = 0;
    memo_push(stack, from);
    memo_set(next, from, 0);
    while (stack->count) {
        const Node node = stack->list[stack->count - 1];
        const uint32_t k = memo_get(next, node);
        const Node follower = cycle_follower(definitions, node, k);
        if (follower == NODE_NONE) {
            memo_set(next, node, CYCLE_DONE);
            stack->count--;
            continue;
        }
        memo_set(next, node, k + 1);
        if (!memo_has(next, follower)) {
            memo_push(stack, follower);
            memo_set(next, follower, 0);
        } else if (memo_get(next, follower) != CYCLE_DONE) {
            return cycle_report(g, stack, follower);
        }
    }
    return true;
}

bool cycle_check(Gathered *g)
{
    Dag *dag = g->assembly->dag;
    DagMemo *definitions = memo_take(dag), *next = memo_take(dag), *stack = memo_take(dag);
    for (uint32_t i = 0; i < g->discrete_count; i++)
        memo_set(definitions, g->discrete[i].variable, g->discrete[i].value);
    bool is_fine = true;
    for (uint32_t i = 0; i < g->discrete_count && is_fine; i++) {
        const Node from = dag_reference(dag, g->discrete[i].variable);
        is_fine = memo_has(next, from) || cycle_search(g, definitions, next, stack, from);
    }
    memo_give(definitions);
    memo_give(next);
    memo_give(stack);
    return is_fine;
}
