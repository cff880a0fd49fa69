// SPDX-License-Identifier: MIT

#include "modes/terms.h"

static Node terms_magnitude(Dag *dag, Node node)
{
    return dag_unary(dag, OPERATOR_ABS, node);
}

// By the column "size" of base/operator_table.h.
Node terms_size(Dag *dag, const DagMemo *found, Node node)
{
    const DagNode n = *dag_get(dag, node);
    if (n.type != DAG_REAL)
        return node;
    const Node a = n.kind != DAG_CALL && n.count > 0 ? memo_get(found, n.operands[0]) : NODE_NONE;
    if (n.kind == DAG_INTEGER_POWER && n.power > 0)
        return dag_power(dag, a, dag_integer(dag, n.power));
    if (n.kind != DAG_OPERATION)
        return terms_magnitude(dag, node);
    switch (operator_info((Operator)n.op)->size) {
    case OPERATOR_SIZE_SUM:
        return dag_add(dag, a, memo_get(found, n.operands[1]));
    case OPERATOR_SIZE_PRODUCT:
        return dag_multiply(dag, a, memo_get(found, n.operands[1]));
    case OPERATOR_SIZE_QUOTIENT:
        return dag_divide(dag, a, terms_magnitude(dag, n.operands[1]));
    case OPERATOR_SIZE_SAME:
        return a;
    case OPERATOR_SIZE_CHOICE: // say in the event function of floor
        return dag_if(dag, n.operands[0], memo_get(found, n.operands[1]),
                      memo_get(found, n.operands[2]));
    case OPERATOR_SIZE_VALUE:
    case OPERATOR_SIZE_SLOPE:
    case OPERATOR_SIZE_POWER:
        break;
    }
    return terms_magnitude(dag, node);
}

// The sizes of nodes that have none yet.
static void find_more(Dag *dag, DagMemo *order, DagMemo *found, const Node *nodes, uint32_t count)
{
    const uint32_t from = order->count;
    walk_order(order, nodes, count);
    for (uint32_t k = from; k < order->count; k++)
        if (!memo_has(found, order->list[k]))
            memo_set(found, order->list[k], terms_size(dag, found, order->list[k]));
}

void terms_find(Dag *dag, const Node *nodes, uint32_t count, Node *terms)
{
    terms_find_through(dag, NULL, 0, nodes, count, terms);
}

void terms_find_through(Dag *dag, const SolutionDefinition *definitions, uint32_t definition_count,
                        const Node *nodes, uint32_t count, Node *terms)
{
    DagMemo *order = memo_take(dag), *found = memo_take(dag);
    for (uint32_t k = 0; k < definition_count; k++) {
        find_more(dag, order, found, &definitions[k].value, 1);
        memo_set(found, dag_reference(dag, definitions[k].variable),
                 memo_get(found, definitions[k].value));
    }
    find_more(dag, order, found, nodes, count);
    for (uint32_t i = 0; i < count; i++)
        terms[i] = memo_get(found, nodes[i]);
    memo_give(found);
    memo_give(order);
}
