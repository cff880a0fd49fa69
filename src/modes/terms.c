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

void terms_find(Dag *dag, const Node *nodes, uint32_t count, Node *terms)
{
    DagMemo *order = memo_take(dag), *found = memo_take(dag);
    walk_order(order, nodes, count);
    for (uint32_t k = 0; k < order->count; k++)
        memo_set(found, order->list[k], terms_size(dag, found, order->list[k]));
    for (uint32_t i = 0; i < count; i++)
        terms[i] = memo_get(found, nodes[i]);
    memo_give(found);
    memo_give(order);
}
