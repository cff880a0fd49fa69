// SPDX-License-Identifier: MIT
//
// A function whose algorithm is a list of assignments is run with nodes as values: each place, a
// scalar or an element of an array, has the node that was assigned to it last. Whatever else occurs
// (a choice, a loop, a check, an element by a subscript that is not a number, a place without a
// value) makes the function one that is called.
//
// A function with a derivative by annotation is called, too, if its results depend on nothing but
// inputs that are not to be differentiated (noDerivative, section 12.7.1): then the annotation
// alone knows the derivative. Otherwise the rules of calculus give the same one.

#include "equations/inline.h"

#include "equations/procedure.h"
#include "equations/walk.h"

#include <math.h>

enum {
    INLINE_DEPTH = 20,      // calls in functions in calls ...
    INLINE_NODES = 1 << 20, // that one expression may add to the graph
};

typedef struct Inlining {
    Dag *dag;
    unsigned depth;
    uint32_t most_nodes; // in the graph; beyond this calls stay
    DagMemo *starts;     // variable of a function -> its first place
    DagMemo *values;     // place -> node
    uint32_t place_count;
    DagMemo *done;   // node -> what it becomes
    DagMemo *begins; // call -> 1 + where its results begin in the list of `all`, or 0: it stays
    DagMemo *all;
} Inlining;

static bool is_candidate(const Dag *dag, uint32_t function)
{
    const DagFunction *f = &dag->functions[function];
    if (!f->is_inline || f->is_impure || f->is_open || f->inverse_count || !f->procedure)
        return false;
    const Block *body = &f->procedure->body;
    for (uint32_t i = 0; i < body->count; i++)
        if (body->items[i].kind != PROCEDURE_ASSIGN)
            return false;
    return body->count > 0;
}

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

static void add_places(Inlining *in, const uint32_t *variables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = in->dag->variables[variables[i]].size;
        memo_set(in->starts, variables[i], in->place_count);
        in->place_count += size ? size : 1;
    }
}

// The place that a node of the function names; DAG_NONE: none that is known.
static uint32_t inline_place(const Inlining *in, Node node)
{
    const DagNode *n = dag_get(in->dag, node);
    if ((n->kind != DAG_VARIABLE && n->kind != DAG_ELEMENT) || !memo_has(in->starts, n->number))
        return DAG_NONE;
    const uint32_t start = memo_get(in->starts, n->number);
    const uint32_t size = in->dag->variables[n->number].size;
    if (n->kind == DAG_VARIABLE)
        return size ? DAG_NONE : start;
    const DagNode *index = dag_get(in->dag, n->operands[0]);
    if (index->kind != DAG_NUMBER || !(index->value >= 0.0 && index->value < size))
        return DAG_NONE;
    return start + (uint32_t)index->value;
}

// An element of a constant array; NODE_NONE: which one is not known.
static Node table_element(Dag *dag, uint32_t array, Node index)
{
    const DagVariable *v = &dag->variables[array];
    const double place = dag_is_number(dag, index) ? dag_get(dag, index)->value : NAN;
    if (!(place >= 0.0 && place < v->size))
        return NODE_NONE;
    const double number = v->table[(uint32_t)place];
    return v->type == DAG_REAL      ? dag_real(dag, number)
           : v->type == DAG_BOOLEAN ? dag_boolean(dag, number != 0.0)
                                    : dag_integer(dag, (int64_t)number);
}

// An expression of the function with the values of its places; NODE_NONE: one has none.
static Node with_values(const Inlining *in, Node node)
{
    Dag *dag = in->dag;
    DagMemo *order = memo_take(dag), *done = memo_take(dag), *operands = memo_take(dag);
    Node result = NODE_NONE;
    walk_order(order, &node, 1);
    uint32_t i = 0;
    for (; i < order->count; i++) {
        const Node old = order->list[i];
        const DagNode n = *dag_get(dag, old);
        const bool is_local =
            (n.kind == DAG_VARIABLE && dag->variables[n.number].role == DAG_LOCAL) ||
            n.kind == DAG_ELEMENT;
        if (n.kind == DAG_ELEMENT && dag->variables[n.number].table) {
            const Node element = table_element(dag, n.number, memo_get(done, n.operands[0]));
            if (element == NODE_NONE)
                break;
            memo_set(done, old, element);
            continue;
        }
        const uint32_t place = is_local ? inline_place(in, old) : DAG_NONE;
        if (is_local && (place == DAG_NONE || !memo_has(in->values, place)))
            break;
        operands->count = 0;
        for (uint32_t k = 0; !is_local && k < dag_operand_count(dag, old); k++)
            memo_push(operands, memo_get(done, dag_operand(dag, old, k)));
        memo_set(done, old,
                 is_local          ? memo_get(in->values, place)
                 : operands->count ? dag_rebuild(dag, old, operands->list)
                                   : old);
    }
    if (i == order->count)
        result = memo_get(done, node);
    memo_give(operands);
    memo_give(done);
    memo_give(order);
    return result;
}

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

static Node inlined(Inlining *around, Node node);

// The inputs of a function get the arguments of a call.
static void inline_give_arguments(Inlining *in, const Procedure *p, Node call)
{
    uint32_t argument = 0;
    for (uint32_t i = 0; i < p->input_count; i++) {
        const uint32_t size = in->dag->variables[p->inputs[i]].size;
        const uint32_t start = memo_get(in->starts, p->inputs[i]);
        for (uint32_t k = 0; k < (size ? size : 1); k++)
            memo_set(in->values, start + k, dag_operand(in->dag, call, argument++));
    }
}

static bool run_assignment(Inlining *in, const ProcedureStatement *s)
{
    DagMemo *values = memo_take(in->dag);
    bool is_fine = true;
    for (uint32_t i = 0; i < s->assign.count && is_fine; i++) {
        const Node value = with_values(in, inlined(in, s->assign.values[i]));
        is_fine = value != NODE_NONE && in->dag->node_count < in->most_nodes;
        memo_push(values, value);
    }
    for (uint32_t i = 0; i < s->assign.count && is_fine; i++) {
        const uint32_t place = inline_place(in, s->assign.targets[i]);
        is_fine = place != DAG_NONE;
        if (is_fine)
            memo_set(in->values, place, values->list[i]);
    }
    memo_give(values);
    return is_fine;
}

// Whether a result depends on an input with a derivative, or there are no annotations.
static bool is_differentiable(const Inlining *in, const DagFunction *f, Node call,
                              const DagMemo *results)
{
    if (!f->derivative_count)
        return true;
    DagMemo *order = memo_take(in->dag);
    walk_order(order, results->list, results->count);
    bool is_found = false;
    for (uint32_t d = 0; d < f->derivative_count; d++)
        for (uint32_t i = 0; i < f->input_count; i++)
            is_found = is_found || (f->derivatives[d].has_derivative[i] &&
                                    memo_has(order, dag_operand(in->dag, call, i)));
    memo_give(order);
    return is_found;
}

// The results of a call, in `results`. False: the call stays.
static bool run_call(const Inlining *around, Node call, DagMemo *results)
{
    Dag *dag = around->dag;
    const DagFunction f = dag->functions[dag_get(dag, call)->number];
    const Procedure *p = f.procedure;
    Inlining in = {.dag = dag,
                   .depth = around->depth + 1,
                   .most_nodes = around->most_nodes,
                   .starts = memo_take(dag),
                   .values = memo_take(dag),
                   .done = memo_take(dag),
                   .begins = memo_take(dag),
                   .all = memo_take(dag)};
    add_places(&in, p->inputs, p->input_count);
    add_places(&in, p->outputs, p->output_count);
    add_places(&in, p->locals, p->local_count);
    inline_give_arguments(&in, p, call);
    bool is_fine = true;
    for (uint32_t i = 0; i < p->body.count && is_fine; i++)
        is_fine = run_assignment(&in, &p->body.items[i]);
    for (uint32_t i = 0; i < p->output_count && is_fine; i++) {
        const uint32_t size = dag->variables[p->outputs[i]].size;
        const uint32_t start = memo_get(in.starts, p->outputs[i]);
        for (uint32_t k = 0; k < (size ? size : 1) && is_fine; k++) {
            is_fine = memo_has(in.values, start + k);
            memo_push(results, is_fine ? memo_get(in.values, start + k) : NODE_NONE);
        }
    }
    is_fine =
        is_fine && results->count == f.output_count && is_differentiable(&in, &f, call, results);
    memo_give(in.all);
    memo_give(in.begins);
    memo_give(in.done);
    memo_give(in.values);
    memo_give(in.starts);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static uint32_t results_of(Inlining *in, Node call)
{
    if (memo_has(in->begins, call))
        return memo_get(in->begins, call);
    DagMemo *results = memo_take(in->dag);
    uint32_t begin = 0;
    if (in->depth < INLINE_DEPTH && is_candidate(in->dag, dag_get(in->dag, call)->number) &&
        run_call(in, call, results)) {
        begin = in->all->count + 1;
        for (uint32_t i = 0; i < results->count; i++)
            memo_push(in->all, results->list[i]);
    }
    memo_give(results);
    memo_set(in->begins, call, begin);
    return begin;
}

static Node inlined(Inlining *in, Node node)
{
    Dag *dag = in->dag;
    if (!(dag_get(dag, node)->facts & DAG_CALLS))
        return node;
    DagMemo *order = memo_take(dag), *operands = memo_take(dag);
    walk_order_beyond(order, WALK_ALL, in->done, &node, 1);
    for (uint32_t i = 0; i < order->count; i++) {
        const Node old = order->list[i];
        bool is_same = true;
        operands->count = 0;
        for (uint32_t k = 0; k < dag_operand_count(dag, old); k++) {
            const Node operand = dag_operand(dag, old, k);
            memo_push(operands, memo_get(in->done, operand));
            is_same = is_same && memo_get(in->done, operand) == operand;
        }
        Node new = is_same ? old : dag_rebuild(dag, old, operands->list);
        const DagNode n = *dag_get(dag, new);
        const uint32_t begin = n.kind == DAG_RESULT ? results_of(in, n.operands[0]) : 0;
        if (begin && dag_get(dag, in->all->list[begin - 1 + n.number])->type == n.type)
            new = in->all->list[begin - 1 + n.number];
        memo_set(in->done, old, new);
    }
    memo_give(operands);
    memo_give(order);
    return memo_get(in->done, node);
}

// What was inlined once is known to the graph: expressions share calls, the nine elements of a
// rotation for one.
Node inline_calls(Dag *dag, Node node)
{
    for (uint32_t i = 0; i < sizeof dag->inlines / sizeof *dag->inlines; i++)
        if (!dag->inlines[i])
            dag->inlines[i] = memo_take(dag);
    Inlining in = {.dag = dag,
                   .most_nodes = dag->node_count + INLINE_NODES,
                   .done = dag->inlines[0],
                   .begins = dag->inlines[1],
                   .all = dag->inlines[2]};
    return inlined(&in, node);
}
